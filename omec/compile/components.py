"""The components of an InferenceService, each merged with its configuration in the runtime (reference 04 §5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from omec.api.shapes import DECODER_SPEC, ENGINE_SPEC, POD_FIELDS, ROUTER_SPEC, Struct
from omec.compile import rules
from omec.compile.inputs import Object, ServiceInputs
from omec.compile.names import COMPONENTS, DEFAULT_CONTAINER, RUNTIME_CONFIG, ComponentName
from omec.compile.problems import Origin, Place, Problem, RenderError, Step, follow
from omec.resolve.merge import MergeError, strategic_merge

_SHAPES: dict[ComponentName, Struct] = {"engine": ENGINE_SPEC, "decoder": DECODER_SPEC, "router": ROUTER_SPEC}


class Component(msgspec.Struct, frozen=True):
    """One component: ``spec`` is the merged one, ``own`` the service's part of it, ``config`` the runtime's."""

    name: ComponentName
    spec: Object
    own: Mapping[str, Any]
    config: Mapping[str, Any]

    def place(self, *steps: Step) -> Place:
        """Where the field at ``steps`` of the merged spec comes from.

        That is the service or the runtime, whichever sets the field; of a field that neither sets, the nearest part
        above it that one of them sets. What both set is the service's.
        """
        for length in range(len(steps), 0, -1):
            for origin, part, field in (
                (Origin.SERVICE, self.own, self.name),
                (Origin.RUNTIME, self.config, RUNTIME_CONFIG[self.name]),
            ):
                if follow(part, steps[:length]) is not None:
                    return Place(origin, ("spec", field, *steps[:length]))
        return Place(Origin.SERVICE, ("spec", self.name))


def merge_components(inputs: ServiceInputs) -> list[Component]:
    """The components that the service declares, in rendering order; a runtime's configuration alone declares none.

    Raises :class:`RenderError`.
    """
    return [_merged(inputs, name) for name in COMPONENTS if isinstance(inputs.service.spec.get(name), Mapping)]


def merge_parts(shape: Struct, original: Object, patch: Object, name: ComponentName) -> Object:
    """``patch`` over ``original``, parts of the component ``name``; raises :class:`RenderError` where OME cannot."""
    try:
        merged: Object = strategic_merge(shape, original, patch)
    except MergeError as error:
        raise RenderError(Problem(rules.MERGE_FAILED, str(error), Place(Origin.SERVICE, ("spec", name)))) from error
    return merged


def _merged(inputs: ServiceInputs, name: ComponentName) -> Component:
    shape = _SHAPES[name]
    own = inputs.service.spec[name]
    config = inputs.runtime.spec.get(RUNTIME_CONFIG[name])
    if isinstance(config, Mapping):
        # A class is chosen by the service alone; one that a runtime names has no effect.
        base = {key: value for key, value in config.items() if key != "acceleratorOverride"}
        spec = merge_parts(shape, base, dict(own), name)
    else:
        config = {}
        spec = shape.normalise(own)
    _name_runners(spec, own, config)
    for part in ("leader", "worker"):
        if part in spec:
            spec[part] = _folded(spec, spec[part], name)
            _name_runners(spec[part], own.get(part) or {}, config.get(part) or {})
    _fill_scheduler(spec, inputs.runtime.spec.get("schedulerName"))
    return Component(name, spec, own, config)


def _name_runners(spec: Object, own: Mapping[str, Any], config: Mapping[str, Any]) -> None:
    """Give the runner of ``spec`` the service's name for it, else the runtime's, else the usual one."""
    if "runner" in spec:
        names = ((part.get("runner") or {}).get("name") for part in (own, config))
        spec["runner"]["name"] = next(filter(None, names), DEFAULT_CONTAINER)


def _folded(spec: Object, part: Object, name: ComponentName) -> Object:
    """``part`` (the leader or the workers) over the pod fields of the whole component."""
    base = {key: value for key, value in spec.items() if key in POD_FIELDS.fields and value is not None}
    pod = merge_parts(POD_FIELDS, base, part, name)
    return pod | {key: value for key, value in part.items() if key not in POD_FIELDS.fields}


def _fill_scheduler(spec: Object, scheduler: str | None) -> None:
    if not scheduler:
        return
    for part in (spec, spec.get("leader"), spec.get("worker")):
        if part is not None and not part.get("schedulerName"):
            part["schedulerName"] = scheduler
