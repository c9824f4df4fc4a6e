"""What OME's pod webhook adds to pods whose annotations ask for it (reference 04 §16)."""

from __future__ import annotations

from omec.compile.names import DEFAULT_CONTAINER
from omec.lint.pods.view import Container, Pod


def gets_shared_memory(container: Container) -> bool:
    """Whether the webhook mounts memory at ``/dev/shm``."""
    return _asks(container.pod, "rdma.ome.io/auto-inject", "rdma.ome.io/container-name", container) or _asks(
        container.pod, "runtime.ome.io/shm-profile", "runtime.ome.io/container-name", container
    )


def gets_probes(container: Container) -> bool:
    """Whether the webhook adds the probes that the container lacks."""
    return _asks(container.pod, "runtime.ome.io/probe-profile", "runtime.ome.io/container-name", container)


def _asks(pod: Pod, annotation: str, target: str, container: Container) -> bool:
    annotations = pod.whole.get("annotations") or {}
    return annotation in annotations and container.name == (annotations.get(target) or DEFAULT_CONTAINER)
