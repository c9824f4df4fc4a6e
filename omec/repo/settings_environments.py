"""The environments of ``omec.toml``: settings that hold for one cluster only.

::

    platform = "ome"                    # for every environment that does not say otherwise

    [environments.staging]
    platform = "kubernetes"

    [environments.production.operator.deploy.replicas]
    defaultMinReplicas = 2
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from omec.errors import OmecError
from omec.repo.environment_rules import (
    ENVIRONMENT_NAME,
    ENVIRONMENT_OPEN,
    ENVIRONMENT_PLATFORM,
    ENVIRONMENT_SHARED_KEY,
    ENVIRONMENT_UNKNOWN,
)
from omec.repo.settings import Check, Place, suggestion, table

SHARED_KEYS = frozenset(("output", "required-version", "fail-on", "lint", "policy", "cache", "environments"))
"""What is the same for all environments."""

SELECTION_KEYS = (
    "source",
    "kustomize",
    "exclude",
    "sources",
    "default-namespace",
    "ome-version",
    "external-runtimes",
    "allow-unpinned",
)
"""What decides which objects there are and which runtime a service gets; the other keys steer rendering only."""

NAME_PATTERN = "[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?"
_NAME = re.compile(NAME_PATTERN)


def environments(value: Any, place: Place, checks: Mapping[str, Check]) -> dict[str, dict[str, Any]]:
    """The settings of each environment by its name, under the keys of ``omec.toml``; ``checks`` are those of all keys.

    Raises :class:`OmecError` for a name that no folder should have, and for what no environment may set.
    """
    declared = table(value, place)
    if not declared:
        raise place.error("declares no environment", hint="write [environments.NAME], or remove the table")
    return {name: _environment(name, settings, place.child(name), checks) for name, settings in declared.items()}


def _environment(name: str, value: Any, place: Place, checks: Mapping[str, Check]) -> dict[str, Any]:
    if not _NAME.fullmatch(name):
        raise OmecError(
            f"{place.where(place.path)}no environment can be called {name!r}",
            hint=ENVIRONMENT_NAME.remedy,
            code=ENVIRONMENT_NAME.code,
        )
    known = checks.keys() - SHARED_KEYS
    settings = {}
    for key, setting in table(value, place).items():
        if key in SHARED_KEYS:
            raise place.child(key).error(
                "is the same for all environments",
                hint="move it to the top of the configuration",
                rule=ENVIRONMENT_SHARED_KEY,
            )
        if key not in known:
            raise place.unknown(key, sorted(known))
        settings[key] = checks[key](setting, place.child(key))
    return settings


def require_platforms(declared: Mapping[str, Mapping[str, Any]], place: Place) -> None:
    """Refuse environments of which nothing says the platform."""
    for name, settings in declared.items():
        if "platform" not in settings:
            raise place.child(name).error(
                "has no platform",
                hint='write platform = "ome" or "kubernetes" in it, or once at the top for all environments',
                rule=ENVIRONMENT_PLATFORM,
            )


def merged(base: Any, own: Any) -> Any:
    """``own`` over ``base``: tables key by key, everything else as a whole."""
    if isinstance(base, Mapping) and isinstance(own, Mapping):
        return {**base, **{key: merged(base.get(key), value) for key, value in own.items()}}
    return own


def unknown_environment(name: str, declared: Iterable[str]) -> OmecError:
    names = sorted(declared)
    if not names:
        return OmecError(
            f"there is no environment {name!r}: the configuration declares none",
            hint=f"add [environments.{name}] to omec.toml, or leave out the name",
            code=ENVIRONMENT_UNKNOWN.code,
        )
    return OmecError(
        f"the configuration declares no environment {name!r}",
        hint=suggestion(name, names),
        code=ENVIRONMENT_UNKNOWN.code,
    )


def open_environment(declared: Iterable[str], differing: Sequence[str] = ()) -> OmecError:
    """The error for a question whose answer depends on the environment, of which none is named.

    ``differing`` are the keys on which the answer depends and in which environments differ.
    """
    why = f", which differ in {', '.join(differing)}" if differing else ""
    return OmecError(
        f"the answer can differ between the environments {', '.join(sorted(declared))}{why}",
        hint="name one with --env (in Python: env)",
        code=ENVIRONMENT_OPEN.code,
    )
