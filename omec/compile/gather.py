"""From the decision about a service to what the renderer needs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from omec.api.kinds import GROUP, MODEL_KINDS
from omec.catalog import Catalog, Resource
from omec.compile import rules
from omec.compile.cluster import Cluster
from omec.compile.inputs import Model, Runtime, Service, ServiceInputs
from omec.compile.problems import Origin, Place, Problem, RenderError
from omec.compile.weights_tuned import fine_tuning
from omec.resolve.decide import Decision
from omec.resolve.reference import Reference, find_served_model

if TYPE_CHECKING:
    from omec.compile.weights_overlays import Overlay


def gather(decision: Decision, catalog: Catalog, cluster: Cluster) -> ServiceInputs:
    """The inputs of the service that ``decision`` is about, for ``cluster``.

    The decision must have given the service a runtime (``decision.selected``). Raises :class:`RenderError` where the
    renderer would not find the model that the decision was made for.
    """
    service, selected = decision.service, decision.selected
    assert service is not None
    assert selected is not None
    runtime = Runtime(selected.name, decision.spec or {}, decision.accelerator_entry)
    return inputs_of(service, runtime, _served_model(service, catalog), catalog, cluster)


def inputs_of(
    service: Resource, runtime: Runtime, model: Resource | None, catalog: Catalog, cluster: Cluster
) -> ServiceInputs:
    """The inputs of ``service`` with the runtime and the model that it gets; all else is looked up in ``catalog``.

    Raises :class:`RenderError` where weights that the service names are not there.
    """
    namespace = service.namespace or ""
    served = None if model is None else Model.of(model.stored, model.namespace)
    weights = {item.name: item.stored.get("spec") or {} for item in catalog.of_kind("FineTunedWeight")}
    given = Service.of(service.stored, namespace)
    return ServiceInputs(
        service=given,
        runtime=runtime,
        model=served,
        tuning=fine_tuning(given, served, weights),
        overlays=_overlays(given, catalog),
        fine_tuned=weights,
        operator=cluster.operator,
        webhook=cluster.webhook,
        accelerator_classes={resource.name: resource.spec for resource in catalog.of_kind("AcceleratorClass")},
        metadata=cluster.metadata,
        model_config=cluster.model_config,
        target=cluster.target,
        environment=replace(cluster.environment, policies=_policies(catalog, namespace)),
    )


def _overlays(service: Service, catalog: Catalog) -> tuple[Overlay, ...]:
    if not (service.spec.get("model") or {}).get("overlays"):
        return ()
    from omec.compile.weights_overlays import overlays_of  # noqa: PLC0415 - few services have any

    return overlays_of(service, catalog)


def _policies(catalog: Catalog, namespace: str) -> dict[str, Mapping[str, Any]]:
    policies = catalog.of_kind("AutoscalerPolicy")
    return {policy.name: policy.stored.get("spec") or {} for policy in policies if policy.namespace == namespace}


def _served_model(service: Resource, catalog: Catalog) -> Resource | None:
    given = service.spec.get("model") or {}
    reference = Reference.of(service.spec, "model")
    if reference is None:
        return None
    _check_reference(given)
    model = find_served_model(catalog, reference, service.namespace or "").resource
    if model is None:
        plural = f"{reference.kind.lower()}s.{GROUP}"
        message = f'failed to get base model spec for {reference.name}: {plural} "{reference.name}" not found'
        help_ = f"spec.model.kind is {reference.kind}; a model of that name exists as another kind"
        raise RenderError(Problem(rules.MODEL_NOT_SERVED, message, _in_model("name"), help_))
    return model


def _check_reference(given: Mapping[str, Any]) -> None:
    """OME's own checks of ``spec.model``, which admission does not make."""
    group, kind = given.get("apiGroup"), given.get("kind")
    if group and group != GROUP:
        message = f'unsupported Model API group "{group}"'
        raise RenderError(Problem(rules.MODEL_NOT_SERVED, message, _in_model("apiGroup"), "remove apiGroup"))
    if kind and kind not in MODEL_KINDS:
        message = f'unsupported Model kind "{kind}"'
        help_ = f"write {' or '.join(MODEL_KINDS)}"
        raise RenderError(Problem(rules.MODEL_NOT_SERVED, message, _in_model("kind"), help_))


def _in_model(field: str) -> Place:
    return Place(Origin.SERVICE, ("spec", "model", field))
