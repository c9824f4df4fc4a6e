"""How rendered objects are compared (RENDER.md)."""

from __future__ import annotations

import json
from typing import Any

Object = dict[str, Any]


def comparable(obj: Object, *, unordered: bool = False) -> Object:
    """``obj`` without what is to be ignored; ``unordered``: with the environment of containers sorted."""
    obj = json.loads(json.dumps(obj))
    obj["metadata"].pop("ownerReferences", None)
    for template in _templates(obj):
        _reduce(template, unordered=unordered)
    return without_empty(obj)


def comparable_template(template: Object) -> Object:
    """A pod template without what is to be ignored."""
    template = json.loads(json.dumps(template))
    _reduce(template, unordered=False)
    return without_empty(template)


def without_empty(value: Any) -> Any:
    """``value`` without nulls and empty mappings, which mean the same as an absent field."""
    if isinstance(value, dict):
        kept = {key: without_empty(item) for key, item in value.items()}
        return {key: item for key, item in kept.items() if item is not None and item != {}}
    return [without_empty(item) for item in value] if isinstance(value, list) else value


def _templates(obj: Object) -> list[Object]:
    """The pod templates of a workload."""
    if obj["kind"] == "LeaderWorkerSet":
        group = obj["spec"]["leaderWorkerTemplate"]
        return [group["leaderTemplate"], group["workerTemplate"]]
    return [obj["spec"]["template"]] if obj["kind"] == "Deployment" else []


def _reduce(template: Object, *, unordered: bool) -> None:
    for key in ("name", "namespace"):
        template["metadata"].pop(key, None)
    for container in template["spec"]["containers"] if unordered else ():
        container["env"] = sorted(container.get("env") or [], key=lambda item: item["name"])
    for volume in template["spec"].get("volumes") or ():
        # An empty source says which it is.
        volume["sources"] = sorted(key for key, value in volume.items() if key != "name" and value is not None)
