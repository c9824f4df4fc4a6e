"""Conditions on cross-cluster traffic: probes, capacity polls, the publisher."""

from __future__ import annotations

from collections.abc import Mapping

from omec.api.checks.check import Check, Object, complete, disabled_alone, ordered, paths, positive
from omec.api.rules import EXCLUSIVE_FIELDS, INCOMPLETE_FIELDS, INCONSISTENT_VALUES

_PROBE_FIELDS = (
    "path",
    "method",
    "acceptStatuses",
    "gateStatuses",
    "period",
    "timeout",
    "failureThreshold",
    "successThreshold",
    "allFailedPolicy",
)
_CAPACITY_FIELDS = ("path", "method", "format", "period", "timeout", "samples", "quorum", "maxAge")
PROBE_DISABLED_ALONE = Check(
    "probe-disabled-alone",
    EXCLUSIVE_FIELDS,
    "disabled must not be combined with probe configuration fields",
    disabled_alone(*_PROBE_FIELDS),
    "delete disabled, or every other field of the probe",
    paths("disabled"),
)
PROBE_COMPLETE = Check(
    "probe-complete",
    INCOMPLETE_FIELDS,
    "an enabled probe must specify path, method, acceptStatuses, gateStatuses, period, timeout, failureThreshold, "
    "successThreshold, and allFailedPolicy",
    complete(*_PROBE_FIELDS),
    "add the missing fields, or set disabled: true alone",
)
PERIOD_POSITIVE = Check(
    "period-positive",
    INCONSISTENT_VALUES,
    "period must be positive",
    positive("period"),
    "write a duration above zero",
    paths("period"),
)
POLL_TIMEOUT_POSITIVE = Check(
    "poll-timeout-positive",
    INCONSISTENT_VALUES,
    "timeout must be positive",
    positive("timeout"),
    "write a duration above zero",
    paths("timeout"),
)
TIMEOUT_BELOW_PERIOD = Check(
    "timeout-below-period",
    INCONSISTENT_VALUES,
    "timeout must be shorter than period",
    ordered("timeout", "period", strict=True),
    "shorten timeout, or lengthen period",
    paths("timeout"),
)


def _gates_are_definite(probe: Object) -> bool:
    statuses = probe.get("gateStatuses")
    return not isinstance(statuses, list) or not any(status in (401, 403, 429) for status in statuses)


GATE_STATUSES = Check(
    "gate-statuses",
    INCONSISTENT_VALUES,
    "gateStatuses must not contain 401, 403, or 429",
    _gates_are_definite,
    "delete 401, 403 and 429 from gateStatuses",
    paths("gateStatuses"),
)
CAPACITY_DISABLED_ALONE = Check(
    "capacity-disabled-alone",
    EXCLUSIVE_FIELDS,
    "disabled must not be combined with capacity configuration fields",
    disabled_alone(*_CAPACITY_FIELDS, "options"),
    "delete disabled, or every other field of the capacity poll",
    paths("disabled"),
)
CAPACITY_COMPLETE = Check(
    "capacity-complete",
    INCOMPLETE_FIELDS,
    "an enabled capacity poll must specify path, method, format, period, timeout, samples, quorum, and maxAge",
    complete(*_CAPACITY_FIELDS),
    "add the missing fields, or set disabled: true alone",
)
MAX_AGE_COVERS_PERIOD = Check(
    "max-age-covers-period",
    INCONSISTENT_VALUES,
    "maxAge must be at least period",
    ordered("period", "maxAge", strict=False),
    "Lengthen maxAge, or shorten period",
    paths("maxAge"),
)


def _quorum_within_samples(poll: Object) -> bool:
    quorum, samples = poll.get("quorum"), poll.get("samples")
    return not isinstance(quorum, int) or not isinstance(samples, int) or quorum <= samples


QUORUM_WITHIN_SAMPLES = Check(
    "quorum-within-samples",
    INCONSISTENT_VALUES,
    "quorum must not exceed samples",
    _quorum_within_samples,
    "lower quorum, or raise samples",
    paths("quorum"),
)


def _publisher_options_fit(publisher: Object) -> bool:
    options = publisher.get("options")
    if not isinstance(options, Mapping):
        return True
    return all(
        1 <= len(key) <= 128 and (not isinstance(value, str) or 1 <= len(value) <= 4096)
        for key, value in options.items()
    )


PUBLISHER_OPTIONS = Check(
    "publisher-options",
    INCONSISTENT_VALUES,
    "publisher option keys must contain 1-128 characters and values must contain 1-4096 characters",
    _publisher_options_fit,
    "shorten the key or the value, or delete the empty one",
    paths("options"),
)
