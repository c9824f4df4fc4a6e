"""Who renders each InferenceService: OME's manager, omec, both, or nobody."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from omec.runtime_agent.doctor.report import ABSENT, Line
from omec.runtime_agent.doctor.rules import NOT_RENDERED, RENDERED_TWICE
from omec.runtime_agent.status.workloads import service_of

Object = Mapping[str, Any]
Name = tuple[str, str]


def service_lines(services: Sequence[Object], workloads: Sequence[Object], *, manager_runs: bool) -> Iterator[Line]:
    """The services by namespace and name. ``workloads`` are the objects that bear a service's label."""
    live = sorted((each["metadata"]["namespace"], each["metadata"]["name"]) for each in services)
    compiled = compiled_services(workloads)
    rendered = {name for each in workloads if (name := service_of(each))}
    for name in live:
        title = f"InferenceService {'/'.join(name)}"
        if manager_runs and name in compiled:
            yield Line(f"{title}: OME's manager renders it, and {compiled[name]} was compiled from it", RENDERED_TWICE)
        elif not manager_runs and name not in rendered:
            yield Line(f"{title}: nothing is rendered from it", NOT_RENDERED)
    if not live and not compiled:
        yield Line("InferenceServices: none", level=ABSENT)
        return
    yield Line(f"InferenceServices: {len(live)} in the cluster, {len(compiled)} compiled")


def compiled_services(workloads: Sequence[Object]) -> dict[Name, str]:
    """The services whose workload belongs to nobody, with that workload: OME's manager owns those that it renders."""
    found: dict[Name, str] = {}
    for workload in workloads:
        metadata = workload["metadata"]
        name = service_of(workload)
        if name is not None and not any(_is_ome(owner) for owner in metadata.get("ownerReferences") or ()):
            found.setdefault(name, f"{workload['kind']} {metadata['namespace']}/{metadata['name']}")
    return found


def _is_ome(owner: Object) -> bool:
    return str(owner.get("apiVersion", "")).startswith("ome.io/")
