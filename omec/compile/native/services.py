"""The Service in front of a pod set (reference 05 §11.1)."""

from __future__ import annotations

from omec.compile.inputs import Object
from omec.compile.native.labels import serving_selector
from omec.compile.native.projection import Projection
from omec.compile.services import component_service


def replica_service(projection: Projection, prefix: str) -> Object:
    """The Service of the component, in front of the pods that are labelled with ``prefix``."""
    component = projection.component
    service = component_service(
        projection.service,
        component.name,
        labels=projection.labels,
        annotations=projection.annotations,
        container=projection.serving_pod.spec["containers"][0],
        app_protocols=component.spec.get("servicePortAppProtocols") or {},
    )
    service["spec"]["selector"] = serving_selector(prefix, component.name, leaders=projection.declares_workers)
    return service
