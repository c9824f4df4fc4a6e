"""The status of a model, made of what the nodes say, and when its finalizer may go (reference 07 §12)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from omec.facts.filling import fill_as_controller
from omec.runtime_agent.contract.names import FINALIZERS
from omec.runtime_agent.status.reports import ModelReport

Object = dict[str, Any]

READY, FAILED, IN_TRANSIT = "Ready", "Failed", "In_Transit"

_DECIDING = ("state", "nodesReady", "nodesFailed")
"""A status that differs only elsewhere is not written again."""


def is_on_claim(model: Mapping[str, Any]) -> bool:
    """Whether the weights are on a volume claim: no node reports such a model, its state is that of a Job."""
    storage = (model.get("spec") or {}).get("storage") or {}
    return str(storage.get("storageUri", "")).startswith("pvc://")


def model_state(report: ModelReport) -> str:
    """One node is enough to be ready; failed is a model that failed everywhere where it was tried to the end."""
    if report.ready:
        return READY
    return FAILED if report.failed else IN_TRANSIT


def changed_status(model: Mapping[str, Any], report: ModelReport, now: str) -> Object | None:
    """The fields of ``status`` to apply, or ``None`` where the model says all that already.

    Lists are written even when empty: a list that is left out would stay as another writer left it.
    """
    wanted: Object = {
        "state": model_state(report),
        "nodesReady": list(report.ready),
        "nodesFailed": list(report.failed),
    }
    status = model.get("status") or {}
    if all((status.get(name) or type(wanted[name])()) == wanted[name] for name in _DECIDING):
        return None
    return wanted | {"observedGeneration": model["metadata"].get("generation", 0), "lastReconcileTime": now}


def filled_fields(model: Mapping[str, Any], report: ModelReport) -> Object:
    """The fields of ``spec`` that the nodes know and the model leaves unset; ``{}`` where there are none."""
    if report.config is None:
        return {}
    spec = model.get("spec") or {}
    filled = fill_as_controller(spec, json.loads(report.config))
    return {name: value for name, value in filled.items() if spec.get(name) != value}


def wanted_finalizers(model: Mapping[str, Any], report: ModelReport) -> list[str] | None:
    """The finalizers that the model should have now, or ``None`` where they are right.

    A model that lives has the finalizer; one that is being deleted keeps it as long as a node holds anything of it.
    """
    metadata = model["metadata"]
    present = list(metadata.get("finalizers") or ())
    name = FINALIZERS[model["kind"]]
    if metadata.get("deletionTimestamp"):
        if name in present and not report.holding:
            return [finalizer for finalizer in present if finalizer != name]
    elif name not in present and not is_on_claim(model):
        return [*present, name]
    return None
