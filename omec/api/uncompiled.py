"""What omec reads and checks, but does not compile.

Nothing is dropped silently: a service that uses such a feature is refused, a kind that only OME's controllers act on
is reported.
"""

from __future__ import annotations

from omec.api.rules import MACHINE_WRITTEN_KIND, NOT_COMPILED, UNCOMPILED_KIND
from omec.api.source import SourceDocument, Subject, object_ref
from omec.finding import Finding, ObjectRef

_FEATURES = {
    "placement": "places the service on several clusters",
    "routing": "weighs the traffic between clusters",
}


def uncompiled_findings(kind: str, document: SourceDocument, *, ref: ObjectRef | None = None) -> list[Finding]:
    """An error for every feature of a service that omec does not compile; a note for kinds that it leaves out."""
    subject = Subject(kind, document, ref or object_ref(kind, document.value))
    if kind == "TrafficMap":
        message = "TrafficMaps are written by OME; omec does not compile this one"
        return [
            subject.finding(
                MACHINE_WRITTEN_KIND, message, ("kind",), help="delete it; OME writes one for every placed service"
            )
        ]
    if kind == "WorkloadCluster":
        message = "WorkloadClusters are for OME's controllers; omec does not compile this one"
        return [
            subject.finding(
                UNCOMPILED_KIND, message, ("kind",), help="apply it to the control-plane cluster by other means"
            )
        ]
    if kind != "InferenceService":
        return []
    spec = document.value.get("spec")
    used = [name for name in _FEATURES if isinstance(spec, dict) and spec.get(name) is not None]
    return [_feature_finding(subject, name) for name in used]


def _feature_finding(subject: Subject, name: str) -> Finding:
    message = f"omec does not compile spec.{name}: OME {_FEATURES[name]}, and a rendered workload cannot do that"
    advice = f"Delete spec.{name}, or leave this service to OME and keep it out of what omec compiles"
    return subject.finding(NOT_COMPILED, message, ("spec", name), key=True, help=advice)
