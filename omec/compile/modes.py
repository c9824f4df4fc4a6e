"""Which kind of workload runs a component (reference 04 §6.1)."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

MODE_ANNOTATION = "ome.io/deploymentMode"


class Mode(StrEnum):
    """A deployment mode; the values are those that the annotation takes."""

    RAW_DEPLOYMENT = "RawDeployment"
    OME_NATIVE = "OMENative"
    MULTI_NODE = "MultiNode"
    VIRTUAL = "VirtualDeployment"


_OF_SERVICE = (Mode.RAW_DEPLOYMENT, Mode.OME_NATIVE)
"""The modes that ``spec.deploymentMode`` takes."""


def component_mode(service_spec: Mapping[str, Any], component_spec: Mapping[str, Any]) -> Mode:
    """The mode of a component with the merged ``component_spec``; values that OME does not know are skipped."""
    annotated = (component_spec.get("annotations") or {}).get(MODE_ANNOTATION)
    if annotated in list(Mode):
        return Mode(annotated)
    wanted = service_spec.get("deploymentMode")
    if wanted in _OF_SERVICE:
        return Mode(wanted)
    multi_pod = component_spec.get("leader") is not None or component_spec.get("worker") is not None
    return Mode.OME_NATIVE if multi_pod else Mode.RAW_DEPLOYMENT


def is_virtual(annotations: Mapping[str, str]) -> bool:
    """Whether the service itself is virtual: only an address, no workload.

    The other modes mean nothing in the annotations of the InferenceService.
    """
    return annotations.get(MODE_ANNOTATION) == Mode.VIRTUAL
