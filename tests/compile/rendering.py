"""Small services, runtimes and models, and what they render to."""

from __future__ import annotations

from typing import Any

from omec.compile.cluster import Cluster
from omec.compile.gather import gather
from omec.compile.inputs import Model, Runtime, Service, ServiceInputs
from omec.compile.operator import CHART_DEFAULTS, OperatorConfig
from omec.compile.render import render
from omec.compile.rendered import Rendered
from omec.resolve.decide import Decider
from omec.resolve.inherit import ChainResolver
from tests.oracle.objects import catalog_of

Object = dict[str, Any]

NO_DEFAULTS = OperatorConfig(ingress_disabled=True)
"""An operator that fills nothing, as OME's manifests install it."""


def rendered(objects: list[Object], operator: OperatorConfig = CHART_DEFAULTS, *, metadata: bool = False) -> Rendered:
    """What the one InferenceService among ``objects`` renders to, with the runtime that OME gives it."""
    catalog = catalog_of(objects)
    (service,) = catalog.of_kind("InferenceService")
    decision = Decider(catalog, ChainResolver(catalog)).service(service)
    assert decision.error is None
    return render(gather(decision, catalog, Cluster(operator=operator, metadata=metadata)))


def inputs(
    spec: Object | None = None,
    runtime: Object | None = None,
    model: Object | None = None,
    *,
    name: str = "chat",
    labels: Object | None = None,
    annotations: Object | None = None,
    operator: OperatorConfig = NO_DEFAULTS,
    **more: Any,
) -> ServiceInputs:
    """A service ``prod/chat`` with ``spec`` (an engine by default) on a runtime with the spec ``runtime``.

    ``model`` is the spec of a ClusterBaseModel, ``None`` for a service without one.
    """
    spec_of_runtime = {"engineConfig": {"runner": RUNNER}} if runtime is None else runtime
    entry = 0 if spec_of_runtime.get("supportedModelFormats") else None
    return ServiceInputs(
        service=Service(name, "prod", labels or {}, annotations or {}, {"engine": {}} if spec is None else spec),
        runtime=Runtime("rt", spec_of_runtime, entry),
        model=None if model is None else Model("llama", None, {}, model),
        operator=operator,
        metadata=False,
        **more,
    )


RUNNER: Object = {"name": "ome-container", "image": "example.com/engine:1"}


def objects_of(given: ServiceInputs) -> dict[tuple[str, str], Object]:
    """The rendered objects by kind and name."""
    return {(obj["kind"], obj["metadata"]["name"]): obj for obj in render(given).objects}


def engine_deployment(given: ServiceInputs) -> Object:
    return objects_of(given)["Deployment", f"{given.service.name}-engine"]


def engine_pod(given: ServiceInputs) -> Object:
    pod: Object = engine_deployment(given)["spec"]["template"]["spec"]
    return pod


def engine_container(given: ServiceInputs) -> Object:
    container: Object = engine_pod(given)["containers"][0]
    return container


def variables(container: Object) -> list[str]:
    """``NAME=value`` of each variable, in order."""
    return [f"{item['name']}={item.get('value', '')}" for item in container.get("env", [])]
