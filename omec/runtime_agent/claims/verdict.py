"""What the state of a model on a claim is (reference 07 §9.4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from omec.runtime_agent.claims.contract import LAST_ERROR, STORAGE_URI, Claim, uri_of
from omec.runtime_agent.contract.entry import FAILED, READY, Entry
from omec.runtime_agent.contract.names import ModelKey
from omec.runtime_agent.status.conditions import condition, find, merged
from omec.runtime_agent.status.models import FAILED as STATE_FAILED
from omec.runtime_agent.status.models import IN_TRANSIT
from omec.runtime_agent.status.models import READY as STATE_READY

Object = dict[str, Any]

INVALID, NOT_FOUND, NOT_BOUND = "PVCInvalid", "PVCNotFound", "PVCNotBound"
CONFIG_MISSING, EXTRACTING = "PVCConfigMissing", "PVCMetadataExtracting"
EXTRACTION_FAILED, EXTRACTED = "PVCMetadataExtractionFailed", "PVCMetadataReady"

_REACHABLE = condition("SourceReachable", "True", "PVCValidated", "PVC is reachable")


@dataclass(frozen=True, slots=True)
class Verdict:
    """A state with its reason. ``facts`` are those of a model that was read."""

    state: str
    reason: str
    message: str
    facts: Mapping[str, Any] = field(default_factory=dict)

    def status(self, model: Mapping[str, Any], now: str) -> Object | None:
        """The fields of ``status`` to apply; ``None`` where the model says all that already."""
        former = model.get("status") or {}
        wanted = self._conditions()
        if former.get("state") == self.state and all(_is_said(former, each) for each in wanted):
            return None
        generation = model["metadata"].get("generation", 0)
        return {
            "state": self.state,
            "conditions": merged(wanted, former.get("conditions"), now),
            "observedGeneration": generation,
            "lastReconcileTime": now,
        }

    def _conditions(self) -> list[Object]:
        told = (self.reason, self.message)
        ready = condition("Ready", "True" if self.state == STATE_READY else "False", *told)
        if self.reason in (EXTRACTION_FAILED, EXTRACTED):
            return [_REACHABLE, ready]
        return [condition("SourceReachable", "True" if self.state == IN_TRANSIT else "False", *told), ready]


def before_reading(claim: Claim, phase: str | None) -> Verdict | None:
    """Why the claim, which is in ``phase`` (``None``: not there), cannot be read yet; ``None`` where it can."""
    title = f"PVC {claim.namespace}/{claim.name}"
    if phase is None:
        return Verdict(STATE_FAILED, NOT_FOUND, f"{title} not found")
    if phase != "Bound":
        return Verdict(IN_TRANSIT, NOT_BOUND, f"{title} is not Bound (phase: {phase})")
    return None


def result(model: Mapping[str, Any], config_map: Mapping[str, Any] | None) -> Verdict | None:
    """What a Job has found out about the model as it is now; ``None`` where none has."""
    if config_map is None:
        return None
    notes = config_map["metadata"].get("annotations") or {}
    text = (config_map.get("data") or {}).get(ModelKey.of(model).entry)
    if text is None or notes.get(STORAGE_URI, uri_of(model)) != uri_of(model):
        return None
    try:
        entry = Entry.parse(text)
    except ValueError:
        return None
    if entry.status == READY:
        message = f"PVC metadata extraction succeeded; ConfigMap {config_map['metadata']['name']} applied"
        return Verdict(STATE_READY, EXTRACTED, message, entry.config or {})
    if entry.status == FAILED:
        message = notes.get(LAST_ERROR) or "agent reported Failed without an error message"
        return Verdict(STATE_FAILED, EXTRACTION_FAILED, message)
    return None


def while_reading(job: Mapping[str, Any]) -> Verdict:
    """What a Job tells that has left no result."""
    failed = find((job.get("status") or {}).get("conditions"), "Failed")
    title = f"metadata extraction Job {job['metadata']['namespace']}/{job['metadata']['name']}"
    if failed is None or failed.get("status") != "True":
        return Verdict(IN_TRANSIT, EXTRACTING, f"{title} runs")
    why = ": ".join(filter(None, (failed.get("reason"), failed.get("message"))))
    return Verdict(STATE_FAILED, EXTRACTION_FAILED, why or f"{title} exhausted its retry budget")


def _is_said(status: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    present = find(status.get("conditions"), wanted["type"])
    return present is not None and wanted.items() <= present.items()
