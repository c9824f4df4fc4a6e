"""Which parts of OME and of omec's agent run, and in which version."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from omec.runtime_agent.coexistence import MANAGER, MODEL_AGENT, available_pods
from omec.runtime_agent.doctor.report import ABSENT, Line
from omec.runtime_agent.doctor.rules import AGENT_UNAVAILABLE, NO_AGENT, TWO_WRITERS
from omec.runtime_agent.manifests.options import NODE_ACCOUNT, STATUS_ACCOUNT
from omec.runtime_agent.status.models import is_on_claim

Object = Mapping[str, Any]

_TITLES = {
    MANAGER: "OME's manager",
    MODEL_AGENT: "OME's model agent",
    NODE_ACCOUNT: "omec's node role",
    STATUS_ACCOUNT: "omec's status role",
}
PARTS = tuple(_TITLES)
_OME, _OMEC = (MANAGER, MODEL_AGENT), (NODE_ACCOUNT, STATUS_ACCOUNT)
_NEEDS_NO_AGENT = ("vendor://",)


def part_lines(workloads: Sequence[Object], models: Sequence[Object]) -> Iterator[Line]:
    """``workloads`` are the Deployments and DaemonSets of :data:`PARTS`, in whatever namespaces."""
    by_name = {each["metadata"]["name"]: each for each in workloads}
    for name, title in _TITLES.items():
        workload = by_name.get(name)
        if workload is None:
            yield Line(f"{title}: not installed", level=ABSENT)
        else:
            available, wanted = available_pods(workload), wanted_pods(workload)
            yield Line(
                _described(title, workload, available, wanted), AGENT_UNAVAILABLE if available < wanted else None
            )
    running = {name for name, workload in by_name.items() if available_pods(workload)}
    ours = [_TITLES[name] for name in _OMEC if name in by_name]
    theirs = [_TITLES[name] for name in _OME if name in running]
    if ours and theirs:
        yield Line(f"{' and '.join(theirs)} and {' and '.join(ours)} are in one cluster", TWO_WRITERS)
    waiting = [model for model in models if _needs_agent(model)]
    if waiting and not {MODEL_AGENT, NODE_ACCOUNT} & by_name.keys():
        count = f"{len(waiting)} model{'s' if len(waiting) > 1 else ''}"
        yield Line(f"{count} to download, such as {waiting[0]['metadata']['name']}, and no agent", NO_AGENT)


def wanted_pods(workload: Object) -> int:
    """How many pods a Deployment or DaemonSet should have."""
    spec, status = workload.get("spec") or {}, workload.get("status") or {}
    if workload["kind"] == "DaemonSet":
        return int(status.get("desiredNumberScheduled") or 0)
    return 1 if spec.get("replicas") is None else int(spec["replicas"])


def version_of(workload: Object) -> str:
    """The version that a workload's image or label tells, ``version unknown`` where neither does."""
    containers = workload["spec"]["template"]["spec"]["containers"]
    image = str(containers[0].get("image", "")).partition("@")[0]
    tag = image.rpartition("/")[2].partition(":")[2]
    return tag or str((workload["metadata"].get("labels") or {}).get("app.kubernetes.io/version") or "version unknown")


def _described(title: str, workload: Object, available: int, wanted: int) -> str:
    metadata = workload["metadata"]
    place = f"{workload['kind']} {metadata['namespace']}/{metadata['name']}"
    return f"{title}: {version_of(workload)}, {available} of {wanted} available ({place})"


def _needs_agent(model: Object) -> bool:
    uri = str(((model.get("spec") or {}).get("storage") or {}).get("storageUri", ""))
    return not is_on_claim(model) and not uri.startswith(_NEEDS_NO_AGENT)
