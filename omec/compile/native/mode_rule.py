"""Which of OME's rules gives a component its deployment mode (reference 05 §1.2)."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from omec.compile.modes import MODE_ANNOTATION, Mode


class ModeRule(StrEnum):
    """The rules in their order: the first that applies decides."""

    ANNOTATION = "Annotation"
    SERVICE = "DeploymentMode"
    SHAPE = "LeaderWorker"
    DEFAULT = "Default"


def mode_rule(service_spec: Mapping[str, Any], component_spec: Mapping[str, Any]) -> ModeRule:
    """The rule by which :func:`omec.compile.modes.component_mode` decides on the same arguments."""
    if (component_spec.get("annotations") or {}).get(MODE_ANNOTATION) in list(Mode):
        return ModeRule.ANNOTATION
    if service_spec.get("deploymentMode") in (Mode.RAW_DEPLOYMENT, Mode.OME_NATIVE):
        return ModeRule.SERVICE
    if any(component_spec.get(part) is not None for part in ("leader", "worker")):
        return ModeRule.SHAPE
    return ModeRule.DEFAULT
