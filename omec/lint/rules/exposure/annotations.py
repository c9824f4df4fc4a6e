"""The annotations of ome.io objects, wherever OME reads them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from omec.catalog import Resource
from omec.compile.names import COMPONENTS, RUNTIME_CONFIG
from omec.finding import FieldPath
from omec.lint.context import spec_of


class Annotated(NamedTuple):
    """The annotations at ``path`` of an object: its own, or those of one of its components."""

    resource: Resource
    path: FieldPath
    annotations: Mapping[str, str]

    @property
    def is_own(self) -> bool:
        return self.path[0] == "metadata"


def annotated(resources: Iterable[Resource]) -> Iterator[Annotated]:
    """Every mapping of annotations on ``resources``, services and runtimes, that has a text in it."""
    components = {"InferenceService": COMPONENTS}
    for resource in resources:
        if resource.annotations:
            yield Annotated(resource, ("metadata", "annotations"), resource.annotations)
        spec = spec_of(resource)
        for name in components.get(resource.kind, tuple(RUNTIME_CONFIG.values())):
            component = spec.get(name)
            given = component.get("annotations") if isinstance(component, dict) else None
            if isinstance(given, dict) and given:
                yield Annotated(resource, ("spec", name, "annotations"), given)
