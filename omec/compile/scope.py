"""What omec does not render yet, refused by name so that nothing is missing without a word."""

from __future__ import annotations

from omec.compile import rules
from omec.compile.inputs import ServiceInputs
from omec.compile.problems import Origin, Place, Problem, RenderError, Steps


def refuse_unrendered(inputs: ServiceInputs) -> None:
    """Raise :class:`RenderError` for the first thing in the service that omec cannot render."""
    for field in ("fineTunedWeights", "overlays"):
        if (inputs.service.spec.get("model") or {}).get(field):
            raise _refusal(f"omec does not render spec.model.{field} yet", ("spec", "model", field))
    if inputs.model is not None and inputs.model.spec.get("distribution") == "Sharded":
        message = f"model {inputs.model.name} is sharded, which omec does not render"
        raise RenderError(Problem(rules.SHARDED_MODEL, message, Place(Origin.MODEL, ("spec", "distribution"))))


def _refusal(message: str, steps: Steps) -> RenderError:
    return RenderError(Problem(rules.WEIGHTS_NOT_RENDERED, message, Place(Origin.SERVICE, steps)))
