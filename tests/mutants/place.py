"""Where a fault can be made: the parts of a world, found by what they are."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

Object = dict[str, Any]

RUNTIME_KINDS = ("ClusterServingRuntime", "ServingRuntime")
MODEL_KINDS = ("ClusterBaseModel", "BaseModel")
COMPONENTS = ("engine", "decoder", "router")


@dataclass(frozen=True)
class Place:
    """One part of one object; ``node`` may be changed in place, and so may everything else in ``objects``."""

    objects: list[Object]
    object: Object
    node: Any
    name: str = ""

    @property
    def spec(self) -> Object:
        spec: Object = self.object["spec"]
        return spec

    def all(self, *kinds: str) -> list[Object]:
        return [body for body in self.objects if body.get("kind") in kinds]

    def one(self, kinds: Sequence[str], reference: object) -> Object | None:
        """The object that ``reference`` (``{name: …}``) names."""
        name = reference.get("name") if isinstance(reference, dict) else None
        return next((body for body in self.all(*kinds) if body["metadata"]["name"] == name), None)

    @property
    def runtime(self) -> Object | None:
        """The runtime that the service names."""
        return self.one(RUNTIME_KINDS, self.spec.get("runtime"))

    @property
    def model(self) -> Object | None:
        """The model that the service names."""
        return self.one(MODEL_KINDS, self.spec.get("model"))

    @property
    def is_child(self) -> bool:
        """Whether the object inherits, so that what it lacks another may give."""
        return "ome.io/inherit-from" in (self.object["metadata"].get("annotations") or {})

    @property
    def is_parent(self) -> bool:
        name = self.object["metadata"]["name"]
        return any((b["metadata"].get("annotations") or {}).get("ome.io/inherit-from") == name for b in self.objects)


At = Callable[[list[Object]], Iterator[Place]]


def objects(*kinds: str) -> At:
    """Whole objects of these kinds; all that have a kind of OME if none is named."""

    def places(found: list[Object]) -> Iterator[Place]:
        for body in found:
            if body.get("kind") in kinds or (not kinds and str(body.get("apiVersion")).startswith("ome.io/")):
                yield Place(found, body, body)

    return places


everything = objects()
runtimes = objects(*RUNTIME_KINDS)
models = objects(*MODEL_KINDS)
services = objects("InferenceService")


def entries(found: list[Object]) -> Iterator[Place]:
    """The ``supportedModelFormats`` of runtimes."""
    for place in runtimes(found):
        for entry in place.spec.get("supportedModelFormats") or ():
            yield Place(found, place.object, entry)


def storages(found: list[Object]) -> Iterator[Place]:
    """The ``storage`` of models."""
    for place in models(found):
        yield Place(found, place.object, place.spec["storage"])


def components(found: list[Object]) -> Iterator[Place]:
    """Engine, decoder and router of services."""
    for place in services(found):
        for name in COMPONENTS:
            if isinstance(place.spec.get(name), dict):
                yield Place(found, place.object, place.spec[name], name)


def configurations(found: list[Object]) -> Iterator[Place]:
    """Engine, decoder and router of runtimes."""
    for place in runtimes(found):
        for name in COMPONENTS:
            if isinstance(place.spec.get(f"{name}Config"), dict):
                yield Place(found, place.object, place.spec[f"{name}Config"], name)


def pods(found: list[Object]) -> Iterator[Place]:
    """What has a runner in runtimes: configurations, and their leaders and workers."""
    for place in configurations(found):
        for name, node in ((place.name, place.node), *((part, place.node.get(part)) for part in ("leader", "worker"))):
            if isinstance(node, dict) and isinstance(node.get("runner"), dict):
                yield Place(found, place.object, node, name)


def runners(found: list[Object]) -> Iterator[Place]:
    """The runners of runtimes that OME sends requests to, or that work for those."""
    for place in pods(found):
        yield Place(found, place.object, place.node["runner"], place.name)


def serving(found: list[Object]) -> Iterator[Place]:
    """The runners of runtimes that take requests: not workers."""
    yield from (place for place in runners(found) if place.name != "worker")


def single(found: list[Object]) -> Iterator[Place]:
    """Whole engines and decoders in one pod."""
    for place in configurations(found):
        if place.name != "router" and "runner" in place.node and "leader" not in place.node:
            yield Place(found, place.object, place.node["runner"], place.name)


def routers(found: list[Object]) -> Iterator[Place]:
    yield from (place for place in runners(found) if place.name == "router")


def probes(found: list[Object]) -> Iterator[Place]:
    """The probes of runners; the name is the component's and the probe's."""
    for place in runners(found):
        for name in ("startupProbe", "livenessProbe", "readinessProbe"):
            if isinstance(place.node.get(name), dict):
                yield Place(found, place.object, place.node[name], f"{place.name}.{name}")
