"""Quota trees in the notation of the reference's vectors (reference 15 §9).

``R`` is the root, ``name<parent:n`` a leaf with ``nominal`` n of ``nvidia.com/gpu`` on ``a100``, ``[name<parent:n]`` a
Cohort; parent and amount may be left out. ``n@resource`` is an amount of another resource.
"""

from __future__ import annotations

import re
from typing import Any

from omec.resolve.quota.node import QuotaNode

Manifest = dict[str, Any]

_NODE = re.compile(
    r"(?P<open>\[?)(?P<name>[^<:\[\]]+)(?:<(?P<parent>[^:\]]+))?(?::(?P<nominal>[^\]@]+))?(?:@(?P<resource>[^\]]+))?\]?"
)


def manifests(text: str) -> list[Manifest]:
    return [_manifest(part.strip()) for part in text.split(",")]


def nodes(text: str) -> list[QuotaNode]:
    return [QuotaNode.of(manifest) for manifest in manifests(text)]


def quota(name: str, role: str, parent: str | None = None, **spec: Any) -> Manifest:
    whole: Manifest = {"role": role}
    if parent is not None:
        whole["parentRef"] = {"name": parent}
    return {
        "apiVersion": "ome.io/v1beta1",
        "kind": "AcceleratorQuota",
        "metadata": {"name": name},
        "spec": {**whole, **spec},
    }


def budget(nominal: Any, flavor: str = "a100", resource: str = "nvidia.com/gpu", **limits: Any) -> Manifest:
    return {"resourceName": resource, "resourceFlavor": flavor, "nominal": nominal, **limits}


def _manifest(text: str) -> Manifest:
    if text == "R":
        return quota("root", "Cohort")
    found = _NODE.fullmatch(text)
    assert found is not None, text
    spec: Manifest = {}
    if found["nominal"] is not None:
        spec["budgets"] = [budget(found["nominal"], resource=found["resource"] or "nvidia.com/gpu")]
    return quota(found["name"], "Cohort" if found["open"] else "ClusterQueue", found["parent"], **spec)
