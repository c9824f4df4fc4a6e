"""What one download is asked to do, and what it answers: plain values, because they cross a process boundary."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

DIRECTORY_MODE, FILE_MODE = 0o755, 0o644
LONGEST_WAIT = 300.0


@dataclass(frozen=True, slots=True)
class Job:
    """One model to bring to ``path``.

    ``roots`` are the directories that may hold models; ``path`` must be below one of them. With ``shared_root`` a
    snapshot of the hub is kept once under ``shared_root/_artifacts``, and ``path`` becomes a link to it. ``secrets``
    holds tokens and is never printed. ``bandwidth`` is in bytes a second (0: no limit), ``reserve`` the bytes that must
    stay free. Where a server asks for a pause of more than ``longest_wait`` seconds, the download ends and says so.
    ``reads_facts`` says whether the model's files are read after the download.
    """

    uri: str
    path: str
    roots: tuple[str, ...]
    shared_root: str = ""
    endpoint: str = ""
    xet: bool = True
    parallel_files: int = 4
    bandwidth: int = 0
    reserve: int = 1 << 30
    longest_wait: float = LONGEST_WAIT
    reads_facts: bool = True
    annotations: dict[str, str] = field(default_factory=dict)
    parameters: dict[str, str] = field(default_factory=dict)
    secrets: dict[str, str] = field(default_factory=dict, repr=False)

    @property
    def target(self) -> Path:
        return Path(self.path)

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Job:
        return cls(**{**values, "roots": tuple(values["roots"])})


@dataclass(frozen=True, slots=True)
class Result:
    """A model that is whole and verified.

    ``directory`` holds its files (``path`` of the job is a link to it where they are shared), ``revision`` is the
    commit or digest (empty where nothing names it), ``facts`` the fields of a model's spec that the files tell, empty
    where ``facts_problem`` says why they could not be read. ``changed`` says whether any file was written.
    """

    directory: str
    revision: str = ""
    files: int = 0
    size: int = 0
    transferred: int = 0
    changed: bool = False
    facts: dict[str, Any] = field(default_factory=dict)
    facts_problem: str = ""

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Report:
    """How far a download is. ``checked`` counts bytes read again to verify them, which is progress as well."""

    phase: str
    total_bytes: int = 0
    completed_bytes: int = 0
    total_files: int = 0
    completed_files: int = 0
    checked: int = 0

    @property
    def moved(self) -> int:
        """A number that grows as long as anything happens."""
        return self.completed_bytes + self.checked + self.completed_files
