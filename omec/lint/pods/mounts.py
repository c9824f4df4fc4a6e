"""Mounts and the volumes that they name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from omec.lint.pods.view import Container, Pod

Mount = Mapping[str, Any]

_SCRATCH = "model-empty-dir"
"""OME adds this volume where init containers prepare weights."""


def dangling(pod: Pod) -> Iterator[tuple[Container, Mount]]:
    """The mounts whose volume the pod does not have, each with its container."""
    for container in (*pod.containers, *pod.init_containers):
        for mount in container.body.get("volumeMounts") or ():
            name = mount.get("name")
            if isinstance(name, str) and name not in pod.volumes and not _is_added(pod, name):
                yield container, mount


def declared_elsewhere(pod: Pod, name: str) -> str | None:
    """Where the runtime declares the volume, if only for other pods; ``None`` where it does nowhere."""
    for role in ("leader", "worker"):
        if role != pod.role and _declares(pod.whole.get(role), name):
            return f"the {role} of the {pod.name}"
    return "the runtime's own spec.volumes" if _declares(pod.origin.spec, name) else None


def shared_memory(container: Container) -> Mount | None:
    """The mount at ``/dev/shm``, ``None`` for none."""
    return mount_at(container, "/dev/shm")  # noqa: S108 - no file of ours


def mount_at(container: Container, path: str) -> Mount | None:
    """The mount at ``path``, ``None`` for none."""
    mounts = container.body.get("volumeMounts") or ()
    return next((mount for mount in mounts if str(mount.get("mountPath")).rstrip("/") == path), None)


def _is_added(pod: Pod, name: str) -> bool:
    """Whether OME itself adds the volume to the workload.

    Its pod webhook adds others (``dshm``, ``devinf``), but too late: the workload is judged before there is a pod.
    """
    use = pod.origin.use
    return name == _SCRATCH or (use is not None and use.model is not None and name == use.model.name)


def _declares(part: Any, name: str) -> bool:
    volumes = part.get("volumes") if isinstance(part, dict) else None
    return any(isinstance(volume, dict) and volume.get("name") == name for volume in volumes or ())
