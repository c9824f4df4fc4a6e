"""What omec does not render, refused by name so that nothing is missing without a word."""

from __future__ import annotations

from omec.compile.inputs import ServiceInputs
from omec.compile.problems import Origin, Place, Problem, RenderError
from omec.resolve.selection_rules import SHARDED


def refuse_unrendered(inputs: ServiceInputs) -> None:
    """Raise :class:`RenderError` where the service asks for what omec cannot render.

    A decision about such a service has an error already; this is for inputs that come from elsewhere.
    """
    if inputs.model is not None and inputs.model.spec.get("distribution") == "Sharded":
        message = f"model {inputs.model.name} is sharded, which omec does not render"
        raise RenderError(Problem(SHARDED, message, Place(Origin.MODEL, ("spec", "distribution"))))
