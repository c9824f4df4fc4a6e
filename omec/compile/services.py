"""The Services: one for each component, and the one that clients use (reference 04 §13 and §14)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from omec.compile.inputs import Object, Service
from omec.compile.metadata import APP_LABEL, COMPONENT_LABEL, INFERENCE_SERVICE_LABEL, service_annotations
from omec.compile.names import DEFAULT_PORT, ComponentName, component_name, shortened

_TYPE_ANNOTATION = "ome.io/service-type"
_LOAD_BALANCER_IP_ANNOTATION = "ome.io/load-balancer-ip"
_DISABLE_INGRESS_ANNOTATION = "ome.io/ingress-disable-creation"
_VISIBILITY_LABEL = "networking.knative.dev/visibility"

_TYPES = ("LoadBalancer", "NodePort", "ClusterIP")
_EXTERNAL_ANNOTATIONS = ("service.beta.kubernetes.io/", "cloud.google.com/", "service.kubernetes.io/")


def component_service(
    service: Service,
    component: ComponentName,
    *,
    labels: Mapping[str, str],
    annotations: Mapping[str, str],
    container: Mapping[str, Any],
    app_protocols: Mapping[str, str],
) -> Object:
    """The Service of a component, with the ports of ``container``, the first of its pods."""
    name = shortened(component_name(service.name, component))
    service_type = _service_type(annotations)
    ports = service_ports(container, app_protocols)
    spec: Object = {"type": service_type, "selector": {APP_LABEL: name}, "ports": ports}
    if service_type == "LoadBalancer" and annotations.get(_LOAD_BALANCER_IP_ANNOTATION):
        spec["loadBalancerIP"] = annotations[_LOAD_BALANCER_IP_ANNOTATION]
    metadata: Object = {"name": name, "namespace": service.namespace, "labels": dict(labels)}
    if kept := service_annotations(annotations):
        metadata["annotations"] = kept
    return {"apiVersion": "v1", "kind": "Service", "metadata": metadata, "spec": spec}


def service_ports(container: Mapping[str, Any], app_protocols: Mapping[str, str]) -> list[Object]:
    """One port for each of ``container``, or 8080 under the container's name where it declares none."""
    declared = container.get("ports") or [{"name": container.get("name", ""), "containerPort": DEFAULT_PORT}]
    return [_service_port(port, app_protocols) for port in declared]


def _service_port(port: Mapping[str, Any], app_protocols: Mapping[str, str]) -> Object:
    number = port["containerPort"]
    rendered: Object = {"port": number, "targetPort": number, "protocol": port.get("protocol") or "TCP"}
    name = port.get("name")
    if name:
        rendered = {"name": name, **rendered}
        if protocol := app_protocols.get(name):
            rendered["appProtocol"] = protocol
    return rendered


def external_service(
    service: Service,
    *,
    ingress_disabled: bool,
    ports: Mapping[ComponentName, Sequence[Object]],
    selectors: Mapping[ComponentName, Mapping[str, str]] | None = None,
) -> Object | None:
    """The Service named like the InferenceService, before its router or engine; ``None`` where OME creates none.

    ``ports`` are the Service ports of the rendered components. Without an ingress this is the address of the service,
    so OME leaves it out where it creates an ingress or the service is for this cluster's own mesh only.
    """
    if service.labels.get(_VISIBILITY_LABEL) == "cluster-local":
        return None
    if not ingress_is_disabled(service, default=ingress_disabled):
        return None
    component: ComponentName = "router" if "router" in ports else "engine"
    backend = ports.get(component)
    number = backend[0]["port"] if backend else DEFAULT_PORT
    metadata: Object = {
        "name": service.name,
        "namespace": service.namespace,
        "labels": {INFERENCE_SERVICE_LABEL: service.name, COMPONENT_LABEL: "external-service"},
    }
    if annotations := _external_annotations(service.annotations):
        metadata["annotations"] = annotations
    return {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": metadata,
        "spec": {
            "type": _service_type(service.annotations),
            "selector": dict(
                (selectors or {}).get(component, {INFERENCE_SERVICE_LABEL: service.name, COMPONENT_LABEL: component})
            ),
            "ports": [{"name": "http", "port": number, "targetPort": number, "protocol": "TCP"}],
        },
    }


def ingress_is_disabled(service: Service, *, default: bool) -> bool:
    """Whether OME makes no Ingress for ``service``; any text but ``true`` in the annotation turns ingress on."""
    override = service.annotations.get(_DISABLE_INGRESS_ANNOTATION)
    return default if override is None else override == "true"


def _service_type(annotations: Mapping[str, str]) -> str:
    wanted = annotations.get(_TYPE_ANNOTATION)
    return wanted if wanted in _TYPES else "ClusterIP"


def _external_annotations(annotations: Mapping[str, str]) -> dict[str, str]:
    """The annotations for cloud load balancers; a prefix alone is no key of theirs."""
    return {
        key: value
        for key, value in annotations.items()
        if key.startswith(_EXTERNAL_ANNOTATIONS) and key not in _EXTERNAL_ANNOTATIONS
    }
