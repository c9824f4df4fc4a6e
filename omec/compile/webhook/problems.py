"""Pods that cannot be injected into, as problems of the service that they belong to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from omec.compile.components import Component
from omec.compile.inputs import Object
from omec.compile.problems import Origin, Place, Problem
from omec.compile.webhook.inject import injected, templates
from omec.compile.webhook.pods import InjectionError
from omec.compile.webhook.rules import POD_DENIED, SETTING_MISSING, SETTING_UNKNOWN
from omec.compile.webhook.settings import WebhookSettings
from omec.compile.weights_tuned import ADAPTER_ANNOTATION, FIELD
from omec.finding import Rule


def injection_problem(component: Component, error: InjectionError, missing: Rule = SETTING_MISSING) -> Problem:
    """Why the pods of ``component`` cannot be what they ask to be; ``missing`` is the rule for a missing setting."""
    message = f"the pods of the {component.name} would be denied: {error.plain}"
    place = _place(component, error.annotation)
    if error.setting is None:
        return Problem(POD_DENIED, message, place, POD_DENIED.remedy)
    return Problem(missing, message, place, f"set operator.{error.setting} in omec.toml, or {_in_config_map(error)}")


def denied(
    component: Component, bodies: list[Object], settings: WebhookSettings, weights: Mapping[str, str]
) -> Iterator[Problem]:
    """What OME's own webhook would deny about the pods of ``bodies``, the objects of ``component``.

    A missing setting is only a warning: OME's real configuration is in the cluster.
    """
    for body in bodies:
        for template in _pods(body):
            try:
                injected(template, settings, weights)
            except InjectionError as error:
                yield injection_problem(component, error, SETTING_UNKNOWN)
                return


def _pods(body: Object) -> Iterator[Object]:
    """The templates of all pods of ``body``, those that a replica's runners hold included."""
    yield from (template for _, template in templates(body))
    if body["kind"] == "InferenceReplica":
        yield from (runner["template"] for runner in body["spec"]["runners"])


def _in_config_map(error: InjectionError) -> str:
    key, _, field = (error.setting or "").partition(".")
    return f"{field} under {key} in the ConfigMap inferenceservice-config"


def _place(component: Component, annotation: str) -> Place:
    """The annotation where it was written: the component, its runtime, or the service as a whole."""
    if annotation == ADAPTER_ANNOTATION:
        return Place(Origin.SERVICE, (*FIELD, 0))
    if annotation in (component.spec.get("annotations") or {}):
        return component.place("annotations", annotation)
    return Place(Origin.SERVICE, ("metadata", "annotations", annotation))
