"""The settings of the quota manager that decide about a tree and its queues (reference 15 §3.1).

They are those of OME's chart; ``omec.toml`` may give others in the table ``quota``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from omec.resolve.quota.amount import Amount
from omec.resolve.quota.judgement import DEFAULT_MAX_DEPTH
from omec.resolve.quota.materialisation import (
    CHART_COVER,
    Materialisation,
    MaterialisationError,
    cover_of,
    cover_of_flag,
    enrolled,
    listed,
)
from omec.resolve.quota.queue_label import ACCELERATOR_RESOURCES
from omec.resolve.quota.shares import EXPLICIT, PROPORTIONAL

OME_MANAGER = "ome-quota-manager"
"""The managed-by value of OME's quota manager."""


class QuotaSettingsError(ValueError):
    """A setting that cannot be used; ``key`` is its key in the table."""

    def __init__(self, key: str, message: str) -> None:
        super().__init__(message)
        self.key = key
        self.message = message


class QuotaSettings(msgspec.Struct, frozen=True):
    """``max_depth`` 0 is no limit. ``known_quotas`` are AcceleratorQuotas that live in the cluster only.

    ``default_policy`` splits budgets over clusters that name no policy. ``accelerator_resources`` decide which
    OMENative components keep their queue label.
    """

    max_depth: int = DEFAULT_MAX_DEPTH
    enrolled_namespaces: tuple[str, ...] = ()
    cover_resources: Mapping[str, Amount] = msgspec.field(default_factory=lambda: cover_of(CHART_COVER))
    default_policy: str = ""
    known_quotas: tuple[str, ...] = ()
    accelerator_resources: tuple[str, ...] = ACCELERATOR_RESOURCES

    def materialisation(self, manager: str) -> Materialisation:
        """What ``manager`` needs to know to write Kueue objects."""
        return Materialisation(manager, self.cover_resources, self.enrolled_namespaces)


CHART_SETTINGS = QuotaSettings()


def quota_settings(table: Mapping[str, Any]) -> QuotaSettings:
    """The chart's settings with those of ``table`` over them; raises :class:`QuotaSettingsError`.

    Cover resources are a table of amounts that is merged over the chart's, as Helm does it, or the text of the flag
    (``cpu=1k,memory=1Ti``), which replaces them. Namespaces are a list or a comma-separated text.
    """
    given = {}
    for key, value in table.items():
        if key not in _READERS:
            raise QuotaSettingsError(key, f"is none of {', '.join(_READERS)}")
        attribute, read = _READERS[key]
        given[attribute] = read(key, value)
    settings = replace(CHART_SETTINGS, **given)
    if settings.enrolled_namespaces:
        _check(settings)
    return settings


def _check(settings: QuotaSettings) -> None:
    try:
        settings.materialisation(OME_MANAGER).check()
    except MaterialisationError as error:
        key = "enrolled-namespaces" if "namespace" in str(error) else "cover-resources"
        raise QuotaSettingsError(key, str(error)) from error


def _depth(key: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise QuotaSettingsError(key, f"must be a whole number that is not negative, not {value!r}")
    return value


def _policy(key: str, value: Any) -> str:
    if value not in (EXPLICIT, PROPORTIONAL):
        raise QuotaSettingsError(key, f"must be {EXPLICIT} or {PROPORTIONAL}, not {value!r}")
    return str(value)


def _texts(key: str, value: Any) -> tuple[str, ...]:
    items = listed(value) if isinstance(value, str) else value
    if not isinstance(items, list | tuple) or not all(isinstance(item, str) for item in items):
        raise QuotaSettingsError(key, f"must be a list of texts, not {value!r}")
    return tuple(items)


def _namespaces(key: str, value: Any) -> tuple[str, ...]:
    return enrolled(_texts(key, value))


def _cover(key: str, value: Any) -> dict[str, Amount]:
    try:
        if isinstance(value, str):
            return cover_of_flag(value)
        if isinstance(value, Mapping):
            return cover_of({**CHART_COVER, **value})
    except MaterialisationError as error:
        raise QuotaSettingsError(key, str(error)) from error
    raise QuotaSettingsError(key, f"must be a table of amounts, not {value!r}")


_READERS: dict[str, tuple[str, Callable[[str, Any], Any]]] = {
    "max-depth": ("max_depth", _depth),
    "enrolled-namespaces": ("enrolled_namespaces", _namespaces),
    "cover-resources": ("cover_resources", _cover),
    "default-distribution-policy": ("default_policy", _policy),
    "known-quotas": ("known_quotas", _texts),
    "accelerator-resources": ("accelerator_resources", _texts),
}
