"""What the InferenceService webhook answers about model and runtime (reference 01 §12.1; 09 A4, rules 27-31)."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from omec.catalog import Resource
from omec.resolve import reasons
from omec.resolve.facts import Data
from omec.resolve.reference import SERVING_RUNTIME, NamedRuntime, Reference, Validation
from omec.resolve.select import Selection


class Admission(msgspec.Struct, frozen=True):
    """The webhook's answer: admitted with warnings, or refused with ``message``."""

    allowed: bool
    warnings: tuple[str, ...] = ()
    message: str | None = None

    @classmethod
    def refused(cls, message: str) -> Admission:
        return cls(allowed=False, message=message)

    def to_dict(self) -> dict[str, Any]:
        return {"allowed": self.allowed, "warnings": list(self.warnings), "message": self.message}


ADMITTED = Admission(allowed=True)


def has_complete_runner(spec: Data) -> bool:
    """Whether the engine names its own image, or both a leader's and a worker's: then nothing is selected here."""
    engine = spec.get("engine")
    if not isinstance(engine, dict):
        return False
    leader, worker = engine.get("leader"), engine.get("worker")
    return _has_image(engine) or (_has_image(leader) and _has_image(worker))


def admit_selected(model: str, selection: Selection) -> Admission:
    """The answer for a service that leaves the choice to OME."""
    if selection.selected is None:
        return Admission.refused(reasons.no_supporting_runtime(model, selection.error or ""))
    warning = reasons.will_be_selected(selection.selected.resource.name, model)
    return Admission(allowed=True, warnings=(warning,))


def admit_named(model: str, runtime: str, validation: Validation) -> Admission:
    """The answer for a service that names its runtime."""
    if validation.error is None:
        return ADMITTED
    if validation.advisory:
        warning = reasons.undeclared_support_warning(runtime, model, validation.error)
        return Admission(allowed=True, warnings=(warning,))
    return Admission.refused(reasons.incompatible(runtime, model, validation.error))


def admit_without_model(spec: Data, named: NamedRuntime | None) -> Admission:
    """The answer for a service without a model: a missing runtime is admitted, a disabled one is not."""
    if named is None:
        return ADMITTED if isinstance(spec.get("replicaRefs"), dict) else Admission.refused(reasons.NOTHING_NAMED)
    if isinstance(spec.get("engine"), dict) and named.disabled and named.reference.auto_sync:
        return Admission.refused(named.disabled_error)
    return ADMITTED


def is_disabled(model: Resource) -> bool:
    return model.spec.get("disabled") is True


def revision_refusal(reference: Reference, namespace: str) -> str | None:
    """Why the webhook refuses the revision that ``spec.runtime`` names, ``None`` where it does not."""
    if reference.revision is None:
        return None
    if reference.auto_sync:
        return reasons.REVISION_NEEDS_PIN
    local = reference.kind == SERVING_RUNTIME
    prefix = f"r-{namespace}-{reference.name}" if local else f"cr-{reference.name}"
    if re.fullmatch(rf"{re.escape(prefix)}-[0-9a-f]{{8}}", reference.revision):
        return None
    return reasons.revision_form(reference.revision, reference.name, prefix, local=local)


def claim_elsewhere(model: Resource, namespace: str) -> str | None:
    """Why a service of ``namespace`` cannot mount the claim of a ClusterBaseModel, ``None`` where it can."""
    storage = model.spec.get("storage")
    uri = storage.get("storageUri") if isinstance(storage, dict) else None
    if model.namespace is not None or not isinstance(uri, str) or not uri.startswith("pvc://"):
        return None
    claim = uri.removeprefix("pvc://").partition("/")[0]
    owner, separator, _ = claim.partition(":")
    return reasons.claim_elsewhere(model.name, owner, namespace) if separator and owner != namespace else None


def _has_image(part: Any) -> bool:
    runner = part.get("runner") if isinstance(part, dict) else None
    return isinstance(runner, dict) and bool(runner.get("image"))
