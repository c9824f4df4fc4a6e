"""The operator's disruption budgets: key ``podDisruptionBudget`` of its configuration (reference 10 §1.3)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from omec.api.gotext import parse_integer
from omec.compile.modes import Mode
from omec.compile.operator import OperatorConfigError
from omec.compile.operator_values import Settings

KEY = "podDisruptionBudget"

CHART: dict[str, Any] = {"rawDeployment": {"maxUnavailable": 1}, "omeNative": {"maxUnavailable": 1}}
"""The values of OME's Helm chart, v1.3."""

_MODES = {"rawDeployment": Mode.RAW_DEPLOYMENT, "omeNative": Mode.OME_NATIVE}
_FIELDS = ("minAvailable", "maxUnavailable")
_PERCENTAGE = re.compile(r"[0-9]+%")
_ERROR = "fails to create InferenceServicesConfig: "


class Budget(msgspec.Struct, frozen=True):
    """How many pods may be missing, or must stay: ``field`` says which, ``value`` is a number or a percentage."""

    field: str
    value: int | str


def disruption_settings(value: Any) -> Mapping[Mode, Budget]:
    """The budgets by mode in ``value``, the JSON under :data:`KEY`; ``None`` where there is no such key.

    OME reads this key strictly. Raises :class:`OperatorConfigError` with its text.
    """
    given = Settings.of(KEY, value, f'{_ERROR}unable to parse "{KEY}" config json')
    _check_known(given, tuple(_MODES))
    return {
        mode: _budget(name, given.table(name)) for name, mode in _MODES.items() if given.values.get(name) is not None
    }


def value_fault(shown: str, value: Any) -> str | None:
    """Why the budget called ``shown`` cannot be ``value``, in OME's words; ``None`` where it can."""
    if isinstance(value, bool) or not isinstance(value, int | str):
        valid = False
    elif isinstance(value, int):
        valid = value >= 0
    else:
        valid = bool(_PERCENTAGE.fullmatch(value)) and parse_integer(value[:-1]) in range(101)
    return None if valid else f"{shown} must be a non-negative integer or a percentage from 0% to 100%"


def _budget(mode: str, given: Settings) -> Budget:
    _check_known(given, _FIELDS)
    path = f"{KEY}.{mode}"
    fields = [name for name in _FIELDS if given.values.get(name) is not None]
    if len(fields) != 1:
        message = f"exactly one of {path}.minAvailable or {path}.maxUnavailable must be set"
        raise OperatorConfigError(KEY, f"{_ERROR}{message}")
    field = fields[0]
    if fault := value_fault(f"{path}.{field}", given.values[field]):
        raise OperatorConfigError(KEY, f"{_ERROR}{fault}")
    return Budget(field, given.values[field])


def _check_known(given: Settings, known: tuple[str, ...]) -> None:
    for name in given.values:
        if name not in known:
            raise OperatorConfigError(KEY, f'{given.parse_error}: json: unknown field "{name}"')
