"""omec: lint, explain and compile Open Model Engine (ome.io) manifests before they reach the cluster.

The Python API is small, and the commands use the same code::

    import omec

    repo = omec.open("examples/selection")
    repo.explain(isvc="llama-demo/chat").selected
    repo.effective(runtime="team-llama", namespace="llama-demo").spec
    repo.lint().findings
    repo.compile().objects
    omec.open("examples/environments", env="production").compile().objects
    omec.read_facts("models/llama").to_dict()

Every answer has ``to_dict()``, which is what the JSON format of its command prints. What cannot be answered at all
(wrong usage, nothing to read) raises :class:`omec.OmecError`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from omec.errors import OmecError
from omec.version import __version__

if TYPE_CHECKING:
    from omec.facts import Facts
    from omec.repository import Repo

__all__ = ["OmecError", "__version__", "environments", "from_objects", "open", "read_facts"]


def open(  # noqa: A001 - omec.open reads as it should
    path: str | os.PathLike[str] | Sequence[str | os.PathLike[str]] = ".",
    *,
    rev: str | None = None,
    env: str | None = None,
    config: Mapping[str, Any] | None = None,
) -> Repo:
    """Read the manifests at ``path`` (a folder, a file, or several), or at Git revision ``rev``.

    ``config`` takes what ``omec.toml`` takes; without it, the configuration is the omec.toml found upwards from the
    first path. ``env`` names one of its environments; where there are several and none is named, the repository
    answers only what they agree on: neither :meth:`~omec.repository.Repo.lint` nor ``compile``. Raises
    :class:`OmecError` when there is nothing to read.
    """
    from omec.session import open_repo  # noqa: PLC0415 - keeps `import omec` free of everything else

    return open_repo(path, env=env, rev=rev, config=config)


def environments(path: str | os.PathLike[str] = ".", *, rev: str | None = None) -> tuple[str, ...]:
    """The names of the environments that the configuration for ``path`` declares, in alphabetical order."""
    from omec.repo.request import load_settings  # noqa: PLC0415

    return tuple(sorted(load_settings(path, rev=rev).environments))


def from_objects(objects: Sequence[Mapping[str, Any]], *, config: Mapping[str, Any] | None = None) -> Repo:
    """A repository of objects that are in memory already; ``config`` takes what ``omec.toml`` takes."""
    from omec import session  # noqa: PLC0415

    return session.from_objects(objects, config=config)


def read_facts(directory: str | os.PathLike[str], annotations: Mapping[str, str] | None = None) -> Facts:
    """What OME would derive from the files of the model in ``directory``; weights are not loaded.

    ``annotations`` are those of the model's manifest. Raises :class:`OmecError` where the files do not say what the
    model is.
    """
    from omec import facts  # noqa: PLC0415

    return facts.read_facts(directory, annotations)
