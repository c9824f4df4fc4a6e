"""Manifests laid over each other: each child or service with what it is merged onto."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from omec.api.shapes import DECODER_SPEC, ENGINE_SPEC, ROUTER_SPEC, SERVING_RUNTIME_SPEC, ListOf, MapOf, Shape, Struct
from omec.catalog import Resource
from omec.compile.names import COMPONENTS, RUNTIME_CONFIG, ComponentName
from omec.finding import FieldPath

if TYPE_CHECKING:
    from omec.lint.context import Context

_COMPONENT_SHAPES: dict[ComponentName, Struct] = {
    "engine": ENGINE_SPEC,
    "decoder": DECODER_SPEC,
    "router": ROUTER_SPEC,
}


class Layer(NamedTuple):
    """``upper``, the part at ``path`` of ``resource`` as it is written, over ``lower``; ``merged`` is what results.

    ``component`` is the component that the part describes, ``None`` for a whole runtime.
    """

    resource: Resource
    path: FieldPath
    upper: Any
    lower: Any
    merged: Any
    shape: Struct
    below: Resource
    component: ComponentName | None = None


class Runner(NamedTuple):
    """A runner of a layer; ``path`` leads to it from the root of the document."""

    component: str
    path: FieldPath
    upper: dict[str, Any]
    lower: dict[str, Any]
    merged: dict[str, Any]


def runtime_layers(context: Context) -> Iterator[Layer]:
    """Every runtime that inherits, over what its parents give."""
    for runtime in context.runtimes:
        chain = context.chains.chain(runtime)
        if len(chain.runtimes) > 1 and context.is_sound(chain):
            parent = chain.runtimes[-2]
            lower = context.chains.chain(parent).spec if not parent.context else None
            if lower is not None:
                upper = runtime.body.get("spec")
                yield Layer(runtime, ("spec",), upper, lower, chain.spec, SERVING_RUNTIME_SPEC, parent)


def service_layers(context: Context) -> Iterator[Layer]:
    """Every component of an InferenceService that changes pods, over its configuration in the runtime."""
    seen = set()
    for pod in context.pods:
        use = pod.origin.use
        if use is None or use.runtime is None or (use.service.ref, pod.name) in seen:
            continue
        seen.add((use.service.ref, pod.name))
        upper = (use.service.body.get("spec") or {}).get(pod.name)
        lower = pod.origin.spec.get(RUNTIME_CONFIG[pod.name])
        shape = _COMPONENT_SHAPES[pod.name]
        yield Layer(use.service, ("spec", pod.name), upper, lower, pod.whole, shape, use.runtime, pod.name)


def runners(layer: Layer) -> Iterator[Runner]:
    """The runners that both sides of the layer have, those of leader and workers too."""
    for component in COMPONENTS if layer.component is None else (layer.component,):
        start: tuple[str, ...] = (RUNTIME_CONFIG[component],) if layer.component is None else ()
        for role in ((), ("leader",), ("worker",)):
            steps = (*start, *role, "runner")
            found = [_at(side, steps) for side in (layer.upper, layer.lower, layer.merged)]
            if all(isinstance(side, dict) and side for side in found):
                title = f"{component} {role[0]}" if role else component
                yield Runner(title, (*layer.path, *steps), *found)


def cleared(shape: Shape | None, upper: Any, merged: Any, path: FieldPath) -> Iterator[FieldPath]:
    """The fields below ``path`` that ``upper`` writes empty or zero, and that the merge gives another value."""
    if isinstance(shape, Struct | MapOf) and isinstance(upper, dict) and isinstance(merged, dict):
        for key, value in upper.items():
            if merged.get(key) is None:
                continue
            below = shape.shapes.get(key) if isinstance(shape, Struct) else shape.value
            if _is_empty(value):
                if value != merged[key] and not (isinstance(shape, MapOf) and value == ""):
                    yield (*path, key)
            else:
                yield from cleared(below, value, merged[key], (*path, key))
    elif isinstance(shape, ListOf) and shape.key is not None and isinstance(upper, list) and isinstance(merged, list):
        for index, item in enumerate(upper):
            wanted = item.get(shape.key) if isinstance(item, dict) else None
            same = next((other for other in merged if isinstance(other, dict) and other.get(shape.key) == wanted), None)
            yield from cleared(shape.item, item, same, (*path, index))


def _is_empty(value: Any) -> bool:
    return value is None or value is False or (not isinstance(value, bool) and value in ("", 0, [], {}))


def _at(value: Any, steps: tuple[str, ...]) -> Any:
    for step in steps:
        value = value.get(step) if isinstance(value, dict) else None
    return value
