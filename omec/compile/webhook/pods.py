"""Pod templates that are being changed, and why one cannot be.

The injectors change a template in place: it is a copy that nobody else has (see :mod:`omec.compile.webhook.inject`).
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping
from typing import Any

from omec.compile.inputs import Object
from omec.compile.names import DEFAULT_CONTAINER


class InjectionError(Exception):
    """A pod that OME's webhook would deny; ``message`` is OME's text.

    ``plain`` says the same in plain words where OME's text is that of a library. ``annotation`` is the one that asked
    for the injection. ``setting`` names what the operator has to set (``fineTunedAdapter.image``), ``None`` where the
    pod itself is at fault.
    """

    def __init__(self, message: str, annotation: str, setting: str | None = None, *, plain: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.plain = plain or message
        self.annotation = annotation
        self.setting = setting


def annotations_of(template: Mapping[str, Any]) -> Mapping[str, str]:
    annotations: Mapping[str, str] = template["metadata"].get("annotations") or {}
    return annotations


def annotate(template: Object, values: Mapping[str, str]) -> None:
    template["metadata"]["annotations"] = {**annotations_of(template), **values}


def container_named(template: Mapping[str, Any], name: str) -> Object | None:
    containers: list[Object] = template["spec"]["containers"]
    return next((container for container in containers if container["name"] == name), None)


def target_container(template: Mapping[str, Any], annotation: str) -> Object | None:
    """The container that ``annotation`` names, the usual one where it names none."""
    return container_named(template, annotations_of(template).get(annotation) or DEFAULT_CONTAINER)


def append_missing(owner: Object, field: str, items: Iterable[Object]) -> None:
    """Append those of ``items`` to the list ``field`` of ``owner`` whose name is not in it."""
    listed = list(owner.get(field) or ())
    for item in items:
        if all(other["name"] != item["name"] for other in listed):
            listed.append(copy.deepcopy(item))
    if listed:
        owner[field] = listed


def variable(name: str, value: str) -> Object:
    """One entry of ``env``; an empty value is not written."""
    return {"name": name, "value": value} if value else {"name": name}
