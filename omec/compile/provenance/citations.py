"""What OME itself writes into objects, and where the reference says so.

A field that follows no source is OME's own doing; one that OME makes out of others has a rule as well. The first entry
that fits an object and a path counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache

import msgspec

from omec.compile.provenance.values import at
from omec.finding import FieldPath, field_text


class Citation(msgspec.Struct, frozen=True):
    """A rule of OME (or of omec) in one phrase, and where it comes from."""

    text: str
    source: str

    def to_dict(self) -> dict[str, str]:
        return {"text": self.text, "source": self.source}


_POD_PARENTS = (
    ("spec", "template"),
    ("spec", "leaderWorkerTemplate", "leaderTemplate"),
    ("spec", "leaderWorkerTemplate", "workerTemplate"),
    ("spec", "runners", "*", "template"),
    ("spec", "jobTemplate", "spec", "template"),
)

_MADE: tuple[tuple[str, str, str], ...] = (
    (r"metadata\.name", "OME names what belongs to a component NAME-COMPONENT, and shortens long names", "04 §12.3"),
    (r"(POD\.)?metadata\.labels\.app|.*(selector|matchLabels)\.app", "pods are found by the label app", "04 §7.2"),
    (r"POD\.spec\.volumes\[\]\.(name|hostPath\.path|persistentVolumeClaim\..*)", "the model's volume", "04 §10.1"),
    (r"POD\.spec\.nodeSelector\[models\.ome\.io/.*\]", "pods run where the model agent has put the model", "04 §10.2"),
    (r"spec\.scaleTargetRef\..*", "the autoscaler scales the workload of its component", "10 §3.4"),
    (r"spec\.hostnames\[\]|spec\.rules\[\]\.host", "hosts follow the operator's domain template", "10 §8.3"),
    (r"spec\.rules\[\]\.timeouts\.request", "the component's timeout, in seconds", "10 §8.5"),
    (r"spec\.rules\[\]\.backendRefs\[\]\.name", "routes lead to the component's Service", "10 §8.5"),
    (r"spec\.leaderWorkerTemplate\.size", "one leader and the workers", "05 §14.2"),
)
"""What OME makes out of values of the sources, for paths of any object."""

_ENV: dict[str, tuple[str, str]] = {
    "MODEL_PATH": ("OME tells the container where the model is", "04 §8.2"),
    "PARALLELISM_SIZE": ("accelerators of the container times pods of a replica", "04 §8.6"),
    "SERVED_MODEL_NAME": ("OME tells the container the name to serve under", "04 §8.2"),
    "TFEW_PATH": ("OME tells the container where the fine-tuned weights are", "04 §8.2"),
}

_OWN: tuple[tuple[str, str, str], ...] = (
    (
        r"metadata\.labels\[app\.kubernetes\.io/managed-by\]",
        "omec marks what it renders (--no-metadata leaves it out)",
        "docs/output.md",
    ),
    (
        r"(POD\.)?metadata\.labels\.component|.*(selector|matchLabels)\.component",
        "the label of the component",
        "04 §7.2",
    ),
    (
        r"(POD\.)?metadata\.labels\.base-model-size",
        "SMALL, unless the model has the annotation models.ome.io/category",
        "04 §7.2",
    ),
    (r"(POD\.)?metadata\.labels\.base-model-type", "the label of every served model", "04 §7.2"),
    (r"(POD\.)?metadata\.labels\.fine-tuned-serving", "false without fine-tuned weights", "04 §7.2"),
    (r".*\[ray\.io/node-type\]", "the leader of a multi-node component is the head", "05 §14.2"),
    (r".*\[ome\.io/(runner|pod-ordinal|managed-by)\]", "the labels by which OME finds the pods of replicas", "05 §6.3"),
    (r"POD\.spec\.containers\[\]\.volumeMounts\[\]\.readOnly", "the model is mounted for reading only", "04 §8.3"),
    (
        r"POD\.spec\.containers\[\]\.(imagePullPolicy|terminationMessage\w+)",
        "the default of every container",
        "04 §12.2",
    ),
    (r"POD\.spec\.containers\[\]\.readinessProbe\..*", "the default probe of a container without one", "04 §12.2"),
    (
        r"POD\.spec\.(dnsPolicy|restartPolicy|schedulerName|securityContext|termination\w+)",
        "the default of every pod",
        "04 §12.2",
    ),
    (r"POD\.spec\.serviceAccountName", "the router's pods run as its ServiceAccount", "04 §11"),
    (r"POD\.spec\.nodeSelector\[models\.ome\.io/.*\]", "pods run where the model agent has put the model", "04 §10.2"),
    (r"spec\.metrics\[\]\..*", "without metrics of its own, an autoscaler follows the CPU", "10 §3.4"),
    (r"spec\.(minReplicas|maxReplicas)", "the default bound of replicas", "10 §2"),
    (r"spec\.type", "OME's Services are inside the cluster", "04 §13"),
    (r"spec\.ports\[\]\..*", "what OME's Services say of their ports", "04 §13, §14"),
    (r"spec\.strategy\..*", "the default strategy of a Deployment", "04 §12.1"),
    (r"spec\.(progressDeadlineSeconds|revisionHistoryLimit)", "the default of a Deployment", "04 §12.1"),
    (
        r"spec\.(startupPolicy|networkConfig\..*|rolloutStrategy\..*|leaderWorkerTemplate\.(restartPolicy|size))",
        "the defaults of a LeaderWorkerSet",
        "05 §14.2",
    ),
    (r"spec\.runners\[\]\.(name|size)", "one leader, and the workers beside it", "05 §7.3"),
    (r"spec\.component", "the component that the replica is", "05 §7.2"),
    (r"spec\.scaleTargetRef\..*", "the autoscaler scales the workload of its component", "10 §3.4"),
    (r"spec\.(parentName|cohortName)", "the parent of the node in the quota tree", "15 §3"),
    (
        r"spec\.resourceGroups\[\]\..*",
        "resources without a budget are covered without a limit (cover-resources of [quota])",
        "15 §3",
    ),
)
"""What OME writes by itself, for paths of any object."""

KINDS: dict[str, tuple[str, str]] = {
    "Deployment": ("OME's Deployment of a component", "04 §12.1"),
    "InferenceReplica": ("OME's InferenceReplica of a component", "05 §7"),
    "LeaderWorkerSet": ("OME's LeaderWorkerSet of a multi-node component", "05 §14"),
    "Service": ("OME's Service of a component or of the whole service", "04 §13, §14"),
    "HorizontalPodAutoscaler": ("OME's autoscaler of a component", "10 §3.4"),
    "ScaledObject": ("OME's KEDA autoscaler of a component", "10 §3.5"),
    "TriggerAuthentication": ("OME's credentials of a metric provider", "10 §4.5"),
    "PodDisruptionBudget": ("OME's disruption budget of a component", "10 §5"),
    "Ingress": ("OME's Ingress of the service", "10 §8.4"),
    "HTTPRoute": ("OME's route to the service", "10 §8.5"),
    "BackendTrafficPolicy": ("OME's traffic policy of the service's routes", "10 §8.6"),
    "DestinationRule": ("OME's traffic policy of the service", "10 §8.6"),
    "PodMonitor": ("OME's monitor of a component", "10 §9"),
    "ServiceAccount": ("OME's ServiceAccount of the router", "04 §11"),
    "Role": ("OME's Role of the router, which finds its pods", "04 §11"),
    "RoleBinding": ("OME's RoleBinding of the router", "04 §11"),
    "ConfigMap": ("OME's ConfigMap about the served model", "04 §15.4"),
    "Cohort": ("the quota manager's Cohort of a node", "15 §3"),
    "ClusterQueue": ("the quota manager's ClusterQueue of a node", "15 §3"),
    "LocalQueue": ("the quota manager's LocalQueue of a namespace", "15 §3"),
    "Job": ("OME's Job of a BenchmarkJob", "16"),
    "BenchmarkJob": ("what OME needs beside a service that is rendered elsewhere", "16"),
}
"""What an object of each kind is, for fields that no other entry tells about."""

_CONDITIONS: tuple[tuple[str, str, str], ...] = (
    ("rdma.ome.io/", "injected for RDMA", "04 §16.4"),
    ("ome.io/inject-model-init", "the injected container that fetches the model", "04 §16.2"),
    ("ome.io/inject-fine-tuned-adapter", "the injected container that fetches fine-tuned weights", "04 §17.4"),
    ("ome.io/inject-serving-sidecar", "the injected serving sidecar", "04 §16.3"),
    ("runtime.ome.io/", "injected by a profile of the runtime", "04 §16.5"),
    ("prometheus.io/", "injected for metrics", "04 §16.1"),
)


def made(kind: str, path: FieldPath, body: object) -> Citation | None:
    """How OME makes the field at ``path`` of ``body`` out of something else, ``None`` where no entry says."""
    if (variable := _variable(path, body)) is not None and variable in _ENV:
        return _cited(*_ENV[variable])
    return _first(_MADE, _simplified(path)) if kind in KINDS else None


def own(kind: str, path: FieldPath, body: object, conditions: Iterable[str]) -> Citation:
    """Why OME writes the field at ``path`` by itself; ``conditions`` are the source fields that it is there for."""
    fields = list(conditions)
    for prefix, text, source in _CONDITIONS:
        if any(f"[{prefix}" in field for field in fields):
            return _cited(text, source)
    variable = _variable(path, body)
    if variable in _ENV:
        return _cited(*_ENV[variable])
    if variable is not None and variable.startswith("OME_"):
        return _cited("what OME's controller tells pods, from the LeaderWorkerSet's own variables", "05 §6.4, §14.2")
    found = _first(_OWN, _simplified(path))
    return found or _cited(*KINDS.get(kind, (f"OME's {kind}", "04")))


def _variable(path: FieldPath, body: object) -> str | None:
    """The name of the environment variable that ``path`` leads into."""
    for length in range(len(path), 1, -1):
        if path[length - 2] == "env" and isinstance(path[length - 1], int):
            name = at(body, path[:length]).get("name")
            return name if isinstance(name, str) else None
    return None


def _simplified(path: FieldPath) -> str:
    steps: Sequence[str | int] = path
    for parent in _POD_PARENTS:
        if len(path) > len(parent) and all(want in ("*", step) for want, step in zip(parent, path, strict=False)):
            steps = ("POD", *path[len(parent) :])
            break
    return re.sub(r"\[\d+\]", "[]", field_text(tuple(steps)))


def _first(table: Iterable[tuple[str, str, str]], path: str) -> Citation | None:
    for pattern, text, source in table:
        if _compiled(pattern).fullmatch(path):
            return _cited(text, source)
    return None


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def _cited(text: str, source: str) -> Citation:
    return Citation(text, source if source.startswith("docs/") else f"reference {source}")
