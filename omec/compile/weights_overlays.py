"""Further models that a service mounts beside its own (reference 04 §18)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from omec.catalog import Catalog
from omec.compile.inputs import Model, Object, Service
from omec.compile.problems import Origin, Place, Problem, Step
from omec.compile.weights import weights_of
from omec.compile.weights_rules import OVERLAY_REFUSED, OVERLAY_SKIPPED
from omec.resolve.admission import claim_elsewhere
from omec.resolve.reference import CLUSTER_MODEL, Reference, find_known_model, find_served_model

FIELD: tuple[Step, ...] = ("spec", "model", "overlays")

_MOUNT_ROOT = "/opt/ml/model-overlays"


class Overlay(msgspec.Struct, frozen=True):
    """One overlay and what pods see of it.

    Files that are neither on nodes nor on a claim give no ``volume`` and no ``mount``, but the ``variable`` all the
    same. ``skipped`` says in OME's words why the overlay is left out: then there is nothing else of it.
    """

    name: str
    volume: Object | None = None
    mount: Object | None = None
    variable: tuple[str, str] | None = None
    skipped: str | None = None

    @classmethod
    def of(cls, model: Model) -> Overlay:
        """The overlay ``model``, which exists and is neither disabled nor sharded."""
        volume_name, path = f"model-overlay-{model.name}", f"{_MOUNT_ROOT}/{model.name}"
        stored = model.spec.get("storage") is not None
        variable = (variable_name(model.name), path) if stored else None
        weights = weights_of(model)
        if weights is None or weights.volume is None or weights.mount is None:
            return cls(model.name, variable=variable)
        mount = {**weights.mount, "name": volume_name, "mountPath": path}
        return cls(model.name, {**weights.volume, "name": volume_name}, mount, variable)


def variable_name(name: str) -> str:
    """The variable that holds the path of the overlay ``name``."""
    return f"OVERLAY_{name.replace('-', '_').upper()}_MODEL_PATH"


def overlays_of(service: Service, catalog: Catalog) -> tuple[Overlay, ...]:
    """The overlays of ``service`` in its order, those that are left out too."""
    return tuple(
        _resolved(Reference(item.get("name", ""), item.get("kind") or CLUSTER_MODEL), service.namespace, catalog)
        for item in _listed(service)
    )


def _resolved(reference: Reference, namespace: str, catalog: Catalog) -> Overlay:
    resource = find_served_model(catalog, reference, namespace).resource
    if resource is None:
        return Overlay(reference.name, skipped=f'overlay "{reference.name}" not found')
    if resource.spec.get("disabled") is True:
        return Overlay(reference.name, skipped=f'overlay "{reference.name}" is disabled')
    if resource.spec.get("distribution") == "Sharded":
        # It would need a cache provider, of which a compiler knows nothing; OME waits for it in the same way.
        return Overlay(reference.name, skipped=f'overlay "{reference.name}" is sharded but not ready')
    return Overlay.of(Model.of(resource.stored, resource.namespace))


def check_overlays(service: Service, overlays: tuple[Overlay, ...], catalog: Catalog) -> Iterator[Problem]:
    """What the webhook refuses about the overlays of ``service``, and which of them are left out."""
    model, names = service.spec.get("model") or {}, [item.get("name", "") for item in _listed(service)]
    for index, item in enumerate(_listed(service)):
        refusal = _refusal(item, index, names, model)
        if refusal is None:
            refusal = _lookup_refusal(names[index], service.namespace, catalog)
        if refusal is not None:
            yield Problem(OVERLAY_REFUSED, refusal, _place(index), OVERLAY_REFUSED.remedy)
        elif overlays[index].skipped is not None:
            message = f"the pods get no overlay {names[index]}: {overlays[index].skipped}"
            yield Problem(OVERLAY_SKIPPED, message, _place(index), OVERLAY_SKIPPED.remedy)


def _refusal(item: Mapping[str, Any], index: int, names: list[str], model: Mapping[str, Any]) -> str | None:
    name = names[index]
    if not name:
        return "overlay name cannot be empty"
    if all(_identity(item)[part] == _identity(model)[part] for part in range(3)):
        return f'overlay "{name}" must not reference the primary model of the same kind/apiGroup'
    earlier = names[:index]
    if name in earlier:
        return f'overlay "{name}" is declared more than once'
    variable = variable_name(name)
    for other in earlier:
        if variable_name(other) == variable:
            sanitized = variable.removeprefix("OVERLAY_").removesuffix("_MODEL_PATH")
            return (
                f'overlays "{other}" and "{name}" both sanitize to env var {sanitized}; rename one '
                "(hyphens and underscores collapse to the same form)"
            )
    return None


def _identity(reference: Mapping[str, Any]) -> tuple[Any, Any, Any]:
    return reference.get("name"), reference.get("kind") or CLUSTER_MODEL, reference.get("apiGroup") or "ome.io"


def _lookup_refusal(name: str, namespace: str, catalog: Catalog) -> str | None:
    """The webhook knows a model by its name alone, that of the namespace first."""
    known = find_known_model(catalog, name, namespace)
    if known.resource is None:
        missing = f"No BaseModel or ClusterBaseModel with the name: {name}"
        return None if known else f'overlay "{name}" not found in namespace "{namespace}": {missing}'
    elsewhere = claim_elsewhere(known.resource, namespace)
    return None if elsewhere is None else f'overlay "{name}": {elsewhere}'


def _listed(service: Service) -> list[Mapping[str, Any]]:
    model = service.spec.get("model") or {}
    return (model.get("overlays") or []) if model.get("name") else []


def _place(index: int) -> Place:
    return Place(Origin.SERVICE, (*FIELD, index))
