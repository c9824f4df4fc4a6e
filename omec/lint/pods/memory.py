"""How much memory one accelerator of a pod has, as far as the repository says so."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from omec.lint.pods.amounts import ACCELERATORS, quantity

if TYPE_CHECKING:
    from omec.lint.context import Context
    from omec.lint.pods.view import Pod
    from omec.repo.settings_nodes import NodeGroup

_MEMORY_LABEL = "nvidia.com/gpu.memory"
"""The memory of a GPU in MiB, as NVIDIA's feature discovery labels nodes."""
_PRODUCT_LABEL = "nvidia.com/gpu.product"
_PRODUCT_MEMORY = re.compile(r"-([0-9]+)GB(?:-|$)")


class Device(NamedTuple):
    """One accelerator: ``name`` for messages, ``size`` of its memory in bytes."""

    name: str
    size: float


def device_memory(context: Context, pod: Pod) -> Device | None:
    """The largest accelerator that the pod may run on; ``None`` where that is not certain.

    That of its AcceleratorClass, else of the nodes that the pod's node selector leaves of the inventory.
    """
    accelerator = pod.origin.accelerator
    if accelerator.name:
        amount = quantity((accelerator.spec.get("capabilities") or {}).get("memoryGB"))
        return None if amount is None or amount.units <= 0 else Device(f"class {accelerator.name}", amount.units)
    selector = {**(pod.part.get("nodeSelector") or {}), **(pod.origin.spec.get("nodeSelector") or {})}
    devices = list(_of_nodes(context.config.nodes or (), selector)) or list(_of_labels(selector))
    if not devices or None in devices:
        return None
    return max((device for device in devices if device is not None), key=lambda device: device.size)


def _of_nodes(nodes: tuple[NodeGroup, ...], selector: Mapping[str, Any]) -> Iterator[Device | None]:
    """A device for each group of nodes with accelerators that the selector allows, ``None`` where it is not known."""
    for node in nodes:
        allowed = all(node.labels.get(key, value) == value for key, value in selector.items())
        if allowed and any(name in node.capacity for name in ACCELERATORS):
            yield next(_of_labels(node.labels, f"node group {node.name}"), None)


def _of_labels(labels: Mapping[str, Any], name: str = "") -> Iterator[Device]:
    memory = quantity(labels.get(_MEMORY_LABEL))
    if memory is not None and memory.units > 0:
        yield Device(name or f"a GPU of {memory.units} MiB", memory.units * 2**20)
        return
    product = str(labels.get(_PRODUCT_LABEL) or "")
    found = _PRODUCT_MEMORY.search(product)
    if found is not None:
        yield Device(name or product, int(found[1]) * 2**30)
