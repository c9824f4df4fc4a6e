"""What a benchmark needs to know about a compiled InferenceService: its URL, and the command lines of its engine."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from omec.compile.benchmark.target import ServedService
from omec.compile.names import component_name, shortened

Object = Mapping[str, Any]


def served_service(name: str, namespace: str, objects: Iterable[Object]) -> ServedService:
    """The answers that ``objects``, rendered for the InferenceService, give.

    The URL is that of the Service of the InferenceService's name, as in OME's ``status.url``; where there is none, of
    the router's or the engine's, which clients inside the cluster reach in any case.
    """
    rendered = list(objects)
    services = {item["metadata"]["name"]: item for item in rendered if item["kind"] == "Service"}
    names = [name, *(shortened(component_name(name, component)) for component in ("router", "engine"))]
    address = next((services[candidate] for candidate in names if candidate in services), None)
    engine = component_name(name, "engine")
    pods = [pod for item in rendered if item["metadata"]["name"] == engine for pod in _pods(item)]
    return ServedService(None if address is None else _url(address, namespace), pods)


def _url(service: Object, namespace: str) -> str:
    port = service["spec"]["ports"][0]["port"]
    return f"http://{service['metadata']['name']}.{namespace}.svc.cluster.local:{port}"


def _pods(workload: Object) -> list[Object]:
    """The pod specs of a workload, the leader's before the worker's."""
    spec = workload.get("spec") or {}
    match workload["kind"]:
        case "Deployment":
            templates = [spec["template"]]
        case "LeaderWorkerSet":
            group = spec["leaderWorkerTemplate"]
            templates = [group[part] for part in ("leaderTemplate", "workerTemplate") if part in group]
        case "InferenceReplica":
            runners = spec.get("runners") or []
            templates = [runner["template"] for runner in sorted(runners, key=_is_no_leader)]
        case _:
            templates = []
    return [template["spec"] for template in templates]


def _is_no_leader(runner: Object) -> bool:
    return runner.get("name") != "leader"
