"""LeaderWorkerSets: pods that span nodes without OME's workload controller (reference 05 §14).

OME renders them for components of the deprecated mode MultiNode; on platform kubernetes they are what a multi-pod
component of mode OMENative becomes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from omec.compile.inputs import Object, Service
from omec.compile.metadata import APP_LABEL, described, queue_labels
from omec.compile.names import ComponentName, component_name, shortened
from omec.compile.native.names import truncated
from omec.compile.services import component_service

API_VERSION = "leaderworkerset.x-k8s.io/v1"
KIND = "LeaderWorkerSet"
LEADER_LABEL = {"ray.io/node-type": "head"}
SET_NAME_LABEL = "leaderworkerset.sigs.k8s.io/name"
WORKER_INDEX_LABEL = "leaderworkerset.sigs.k8s.io/worker-index"
GROUP_INDEX_LABEL = "leaderworkerset.sigs.k8s.io/group-index"

RECREATE_GROUP = "RecreateGroupOnPodRestart"
DEFAULT_ROLLOUT: Mapping[str, Any] = {"maxUnavailable": 1, "maxSurge": 1}

_PREFIX = "lws-"
_NAME_LIMIT = 31
_OLD_NAME_LIMIT = 50
_SCRAPED_ON_LEADERS = ("prometheus.io/path", "prometheus.io/port", "prometheus.io/scrape")


def set_name(service: str, component: ComponentName, *, ome_version: str = "1.3") -> str:
    """The name of a component's LeaderWorkerSet.

    OME 1.2 keeps the end of a long name, so that the labels of its StatefulSets get too long; 1.3 shortens earlier.
    """
    name = component_name(service, component)
    return _PREFIX + (name[-_OLD_NAME_LIMIT:] if ome_version == "1.2" else truncated(name, _NAME_LIMIT))


def leader_worker_set(
    name: str,
    service: Service,
    component: ComponentName,
    *,
    labels: Mapping[str, str],
    annotations: Mapping[str, str],
    leader: Object,
    worker: Object,
    workers: int,
    replicas: int | None,
    restart: str = RECREATE_GROUP,
    rollout: Mapping[str, Any] = DEFAULT_ROLLOUT,
) -> Object:
    """The LeaderWorkerSet of groups of one ``leader`` pod and ``workers`` ``worker`` pods.

    ``labels`` and ``annotations`` are the component's; ``replicas`` is ``None`` where something else scales the set.
    """
    queues = queue_labels(annotations)
    leader_labels = {**labels, **leader_selector(service.name, component), **queues}
    worker_annotations = {key: value for key, value in annotations.items() if key not in _SCRAPED_ON_LEADERS}
    spec: Object = {} if replicas is None else {"replicas": replicas}
    spec |= {
        "startupPolicy": "LeaderCreated",
        "networkConfig": {"subdomainPolicy": "Shared"},
        "rolloutStrategy": {"type": "RollingUpdate", "rollingUpdateConfiguration": dict(rollout)},
        "leaderWorkerTemplate": {
            "size": workers + 1,
            "restartPolicy": restart,
            "leaderTemplate": {"metadata": described(leader_labels, annotations), "spec": leader},
            "workerTemplate": {"metadata": described({**labels, **queues}, worker_annotations), "spec": worker},
        },
    }
    metadata = {"name": name, "namespace": service.namespace, **described(labels, annotations)}
    return {"apiVersion": API_VERSION, "kind": KIND, "metadata": metadata, "spec": spec}


def leader_selector(service: str, component: ComponentName) -> dict[str, str]:
    """The labels of the leaders of one component, and of no other."""
    return {APP_LABEL: shortened(component_name(service, component)), **LEADER_LABEL}


def leader_service(
    service: Service,
    component: ComponentName,
    *,
    labels: Mapping[str, str],
    annotations: Mapping[str, str],
    container: Mapping[str, Any],
    app_protocols: Mapping[str, str],
    selector: Mapping[str, str] = LEADER_LABEL,
) -> Object:
    """The Service in front of the leaders.

    OME selects the leaders of every LeaderWorkerSet in the namespace; :func:`leader_selector` gives one set's alone.
    """
    body = component_service(
        service,
        component,
        labels=labels,
        annotations=annotations,
        container=container,
        app_protocols=app_protocols,
    )
    body["spec"]["selector"] = dict(selector)
    return body
