"""How the node role runs."""

from __future__ import annotations

from dataclasses import dataclass, field

from omec.runtime_agent.download.runner import Supervision


@dataclass(frozen=True, slots=True)
class Settings:
    """``node`` is this node, ``namespace`` where it reports and where the Secrets of ClusterBaseModels are.

    ``models_root`` and ``extra_roots`` may hold models, nothing else is ever written. ``workers`` models are handled at
    a time, each with ``parallel_files`` connections; ``bandwidth`` (bytes a second, 0 for no limit) is for the whole
    node. ``reserve`` bytes of a disk stay free. ``collect`` is ``off``, ``dry-run`` or ``delete``.
    """

    node: str
    namespace: str = "ome"
    models_root: str = "/mnt/data/models"
    extra_roots: tuple[str, ...] = ()
    workers: int = 2
    parallel_files: int = 4
    bandwidth: int = 0
    reserve: int = 1 << 30
    endpoint: str = ""
    xet: bool = True
    collect: str = "dry-run"
    collect_grace: float = 24 * 3600.0
    collect_every: float = 3600.0
    port: int = 8080
    takeover: bool = False
    grace_seconds: float = 20.0
    supervision: Supervision = field(default_factory=Supervision)

    @property
    def roots(self) -> tuple[str, ...]:
        return (self.models_root, *self.extra_roots)
