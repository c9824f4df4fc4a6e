"""InferenceServices: which are up, and what each waits for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from omec.runtime_agent.overview.models import ModelRow
from omec.runtime_agent.overview.snapshot import Snapshot
from omec.runtime_agent.status.conditions import find
from omec.runtime_agent.status.services import Parts, is_ready, service_status
from omec.runtime_agent.status.workloads import COMPONENTS, component_of, replicas, service_of

Object = Mapping[str, Any]

_MODEL_ANNOTATION, _MODEL_LABEL = "ome.io/base-model-name", "base-model-name"
_BACKGROUND = frozenset({"ContainerCreating", "PodInitializing"})
"""Reasons of waiting that pass by themselves."""


@dataclass(frozen=True, slots=True)
class ServiceRow:
    """One InferenceService, be it an object of the cluster or only what was rendered from one.

    ``components`` are ready and wanted replicas by component.
    """

    namespace: str
    name: str
    ready: str
    model: str
    components: Mapping[str, tuple[int, int]]
    waits_for: str

    @property
    def title(self) -> str:
        return f"{self.namespace}/{self.name}"

    def to_dict(self) -> dict[str, Any]:
        return {
            "namespace": self.namespace,
            "name": self.name,
            "ready": self.ready,
            "model": self.model or None,
            "components": {
                name: {"ready": ready, "wanted": wanted} for name, (ready, wanted) in self.components.items()
            },
            "waitsFor": self.waits_for,
        }


def service_rows(snapshot: Snapshot, models: Sequence[ModelRow]) -> list[ServiceRow]:
    """The services by namespace and name."""
    objects = {(each["metadata"]["namespace"], each["metadata"]["name"]): each for each in snapshot.services}
    workloads = _grouped(snapshot.workloads)
    pods = _grouped(snapshot.pods)
    by_name = {(row.namespace, row.name): row for row in models}
    return [
        _row(name, objects.get(name), workloads.get(name, []), pods.get(name, []), by_name)
        for name in sorted({*objects, *workloads})
    ]


def _row(
    name: tuple[str, str],
    service: Object | None,
    members: Sequence[Object],
    pods: Sequence[Object],
    models: Mapping[tuple[str | None, str], ModelRow],
) -> ServiceRow:
    workloads = {c: each for each in members if (c := component_of(each))}
    status = (service or {}).get("status")
    if status is None and workloads:
        status = service_status(Parts(*name, workloads), None, None, "")
    ready = is_ready(status)
    model_name = _model_of(service, members)
    model = models.get((name[0], model_name)) or models.get((None, model_name)) if model_name else None
    waits_for = "" if ready == "True" else _waits_for(status, model_name, model, workloads, pods)
    counts = {component: replicas(workloads[component]) for component in COMPONENTS if component in workloads}
    return ServiceRow(*name, ready, model.title if model else model_name, counts, waits_for)


def _waits_for(
    status: Mapping[str, Any] | None,
    model_name: str,
    model: ModelRow | None,
    workloads: Mapping[str, Object],
    pods: Sequence[Object],
) -> str:
    """The first cause in the order in which things have to happen: model, workload, node, container, the rest."""
    if model_name and model is None:
        return f"a model {model_name}: there is none"
    if model is not None and model.state != "Ready":
        return f"{model.title}: {model.waits_for or model.state}"
    if not workloads:
        return "a workload: nothing is rendered from it"
    for pod in sorted(pods, key=lambda each: str(each["metadata"]["name"])):
        cause = _of_pod(pod)
        if cause:
            return f"pod {pod['metadata']['name']}: {cause}"
    ready = find((status or {}).get("conditions"), "Ready") or {}
    return str(ready.get("message") or ready.get("reason") or "")


def _of_pod(pod: Object) -> str:
    status = pod.get("status") or {}
    scheduled = find(status.get("conditions"), "PodScheduled")
    if scheduled is not None and scheduled.get("status") == "False":
        return str(scheduled.get("message") or "no node fits")
    for container in (*(status.get("initContainerStatuses") or ()), *(status.get("containerStatuses") or ())):
        waiting = (container.get("state") or {}).get("waiting") or {}
        reason = waiting.get("reason")
        if reason and reason not in _BACKGROUND:
            ended = (container.get("lastState") or {}).get("terminated") or {}
            code = f" (exit code {ended['exitCode']})" if "exitCode" in ended else ""
            return f"{container['name']} is in {reason}{code}"
    return ""


def _model_of(service: Object | None, workloads: Iterable[Object]) -> str:
    named = ((service or {}).get("spec") or {}).get("model") or {}
    if named.get("name"):
        return str(named["name"])
    for workload in workloads:
        metadata = workload["metadata"]
        name = (metadata.get("annotations") or {}).get(_MODEL_ANNOTATION) or (metadata.get("labels") or {}).get(
            _MODEL_LABEL
        )
        if name:
            return str(name)
    return ""


def _grouped(objects: Iterable[Object]) -> dict[tuple[str, str], list[Object]]:
    groups: dict[tuple[str, str], list[Object]] = {}
    for obj in objects:
        name = service_of(obj)
        if name is not None:
            groups.setdefault(name, []).append(obj)
    return groups
