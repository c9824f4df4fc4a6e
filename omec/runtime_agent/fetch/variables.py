"""The settings of a task: variables of the environment, and a file with defaults for them.

The file is YAML; ``model: {bucket_name: b}`` is the default of ``OME_AGENT_MODEL_BUCKET_NAME``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from omec.runtime_agent.download.errors import DownloadError, Kind

PREFIX = "OME_AGENT_"


class Variables:
    """Settings by their names without ``OME_AGENT_``; empty texts count as unset."""

    def __init__(self, environment: Mapping[str, str], defaults: Mapping[str, str] | None = None) -> None:
        own = {key.removeprefix(PREFIX): text for key, text in environment.items() if key.startswith(PREFIX) and text}
        self._values = {**(defaults or {}), **own}

    @classmethod
    def read(cls, environment: Mapping[str, str], file: Path | None) -> Variables:
        """The settings of ``environment`` before those of ``file``, which may be missing.

        Raises :class:`DownloadError` for a file that cannot be read.
        """
        return cls(environment, dict(_flattened(_content(file), "")) if file else {})

    def get(self, name: str, default: str = "") -> str:
        return self._values.get(name, default)

    def require(self, *names: str) -> None:
        """Raise :class:`DownloadError` unless all of ``names`` are set."""
        missing = [f"{PREFIX}{name}" for name in names if name not in self._values]
        if missing:
            listed = " and ".join(filter(None, (", ".join(missing[:-1]), missing[-1])))
            raise DownloadError(Kind.URI, f"{listed} {'is' if len(missing) == 1 else 'are'} not set")

    def directory(self, name: str) -> Path:
        """The absolute directory that ``name`` is set to; raises :class:`DownloadError`."""
        self.require(name)
        path = Path(self._values[name])
        if not path.is_absolute() or ".." in path.parts or len(path.parts) == 1:
            raise DownloadError(Kind.PATH, f"{PREFIX}{name} is not an absolute directory below /: {path}")
        return path


def _content(file: Path) -> Any:
    import yaml  # noqa: PLC0415

    try:
        return yaml.safe_load(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no UTF-8"
        raise DownloadError(Kind.URI, f"the configuration {file} cannot be read: {reason}") from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        where = f" (line {mark.line + 1})" if mark else ""
        raise DownloadError(Kind.URI, f"the configuration {file} is no YAML{where}") from None


def _flattened(value: Any, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _flattened(item, f"{path}_{key}".lstrip("_").upper())
    elif path and isinstance(value, str | int | float):
        text = str(value).lower() if isinstance(value, bool) else str(value)
        if text:
            yield path, text
