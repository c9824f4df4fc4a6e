"""What omec does not render yet, refused by name so that nothing is missing without a word."""

from __future__ import annotations

from omec.compile import rules
from omec.compile.components import Component
from omec.compile.inputs import ServiceInputs
from omec.compile.modes import MODE_ANNOTATION, Mode, component_mode
from omec.compile.problems import Origin, Place, Problem, RenderError, Steps


def refuse_unrendered(inputs: ServiceInputs, components: list[Component]) -> None:
    """Raise :class:`RenderError` for the first thing in the service that omec cannot render."""
    if inputs.service.spec.get("replicaRefs") is not None:
        message = "omec does not render services that front InferenceReplicas yet"
        raise RenderError(Problem(rules.MODE_NOT_RENDERED, message, Place(Origin.SERVICE, ("spec", "replicaRefs"))))
    for field in ("fineTunedWeights", "overlays"):
        if (inputs.service.spec.get("model") or {}).get(field):
            raise _refusal(f"omec does not render spec.model.{field} yet", ("spec", "model", field))
    if inputs.model is not None and inputs.model.spec.get("distribution") == "Sharded":
        message = f"model {inputs.model.name} is sharded, which omec does not render"
        raise RenderError(Problem(rules.SHARDED_MODEL, message, Place(Origin.MODEL, ("spec", "distribution"))))
    for component in components:
        mode = component_mode(inputs.service.spec, component.spec)
        if mode is not Mode.RAW_DEPLOYMENT:
            raise RenderError(_other_mode(component, mode))


def _refusal(message: str, steps: Steps) -> RenderError:
    return RenderError(Problem(rules.WEIGHTS_NOT_RENDERED, message, Place(Origin.SERVICE, steps)))


def _other_mode(component: Component, mode: Mode) -> Problem:
    if mode is Mode.VIRTUAL or (mode is Mode.MULTI_NODE and component.name == "router"):
        message = f"invalid deployment mode for {component.name}: {mode}"
        return Problem(rules.MODE_INVALID, message, _mode_place(component), "remove the annotation")
    message = f"the {component.name} runs in mode {mode}, which omec does not render yet"
    help_ = (
        f"annotate spec.{component.name} with {MODE_ANNOTATION}: {Mode.RAW_DEPLOYMENT} if one pod per replica is enough"
    )
    return Problem(rules.MODE_NOT_RENDERED, message, _mode_place(component), help_)


def _mode_place(component: Component) -> Place:
    """The field that makes the mode what it is."""
    if (component.spec.get("annotations") or {}).get(MODE_ANNOTATION) in list(Mode):
        return component.place("annotations", MODE_ANNOTATION)
    for part in ("leader", "worker"):
        if component.spec.get(part) is not None:
            return component.place(part)
    return Place(Origin.SERVICE, ("spec", "deploymentMode"))
