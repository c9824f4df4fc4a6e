"""What the containers that run OME's agent have in common."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

from omec.api.quantity import QuantityError, canonical
from omec.compile.inputs import Object
from omec.compile.names import DEFAULT_CONTAINER
from omec.compile.webhook.pods import InjectionError
from omec.compile.webhook.settings import AgentSettings

_OKE_IDENTITY = "OkeWorkloadIdentity"
_AMOUNTS = (("limits", "Limit"), ("requests", "Request"))


def require(settings: AgentSettings, injector: str, names: Sequence[str], annotation: str) -> None:
    """Raise :class:`InjectionError` where one of the settings ``names`` is missing."""
    missing = [name for name in names if not settings[name]]
    if missing:
        start = f"failed to validate {injector}: "
        listed = " and ".join(filter(None, (", ".join(missing[:-1]), missing[-1])))
        plain = f"{start}{listed} {'is' if len(missing) == 1 else 'are'} required"
        message = start + "\n".join(_unset(injector, name[0].upper() + name[1:]) for name in missing)
        raise InjectionError(message, annotation, f"{settings.key}.{missing[0]}", plain=plain)


def _unset(injector: str, field: str) -> str:
    """What the validator that OME uses says about a required field without a value."""
    return f"Key: '{injector}.{field}' Error:Field validation for '{field}' failed on the 'required' tag"


def check_identity(template: Object, settings: AgentSettings, annotation: str) -> None:
    """The agent may act as the pod's service account, which the pod must then have a token of."""
    if settings["authType"] != _OKE_IDENTITY:
        return
    if not template["spec"].get("serviceAccountName"):
        message = "a service account should be specified when using OKEWorkloadIdentity"
        raise InjectionError(message, annotation)
    template["spec"]["automountServiceAccountToken"] = True


def agent_container(
    template: Object,
    settings: AgentSettings,
    *,
    name: str,
    command: str,
    variables: Sequence[Object],
    mounts: Sequence[Object],
    annotation: str,
    mains: Sequence[str] = (DEFAULT_CONTAINER,),
) -> Object:
    """The container ``name``, which runs ``command`` of the agent.

    It runs with the rights of the first of the containers ``mains``. Raises :class:`InjectionError`.
    """
    main = next((container for container in template["spec"]["containers"] if container["name"] in mains), None)
    if main is None:
        raise InjectionError(f"no main container {' or '.join(mains)} specified", annotation)
    container: Object = {
        "name": name,
        "image": settings["image"],
        "args": [command, "--config", "/ome-agent.yaml", "--debug"],
        "env": [*variables, *settings.variables],
        "resources": _resources(settings, annotation),
        "volumeMounts": [*mounts, *settings.mounts],
        "terminationMessagePolicy": "FallbackToLogsOnError",
    }
    if main.get("securityContext") is not None:
        container["securityContext"] = copy.deepcopy(main["securityContext"])
    return container


def has_container(template: Object, field: str, name: str) -> bool:
    return any(container["name"] == name for container in template["spec"].get(field) or ())


def _resources(settings: AgentSettings, annotation: str) -> dict[str, Any]:
    resources: dict[str, Any] = {}
    for field, suffix in _AMOUNTS:
        amounts = {}
        for resource in ("cpu", "memory"):
            setting = f"{resource}{suffix}"
            amounts[resource] = _quantity(settings, setting, annotation)
        resources[field] = amounts
    return resources


def _quantity(settings: AgentSettings, setting: str, annotation: str) -> str:
    text, where = settings[setting], f"{settings.key}.{setting}"
    if not text:
        raise InjectionError(f"{setting} is required", annotation, where)
    try:
        return canonical(text)
    except QuantityError as error:
        raise InjectionError(f'invalid {setting} "{text}": {error}', annotation, where) from error
