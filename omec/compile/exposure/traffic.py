"""What a service wants of the gateway in front of it: ``spec.traffic`` and the traffic annotations (reference 10 §8.6).

Values that cannot be read are passed over here, as OME does: its webhook has refused them before
(:mod:`omec.compile.exposure.traffic_admission`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from omec.api.duration import canonical_duration
from omec.api.gotext import parse_integer
from omec.compile.inputs import Object, Service

MAX_CONNECTIONS = "ome.io/circuit-breaker-max-connections"
MAX_PARALLEL_REQUESTS = "ome.io/circuit-breaker-max-parallel-requests"
MAX_PENDING_REQUESTS = "ome.io/circuit-breaker-max-pending-requests"
MAX_PARALLEL_RETRIES = "ome.io/circuit-breaker-max-parallel-retries"
MAX_CONNECTIONS_PER_ENDPOINT = "ome.io/circuit-breaker-per-endpoint-max-connections"
RETRY_ATTEMPTS = "ome.io/retry-attempts"
RETRY_ON = "ome.io/retry-on"
RETRY_TIMEOUT = "ome.io/retry-per-try-timeout"
IDLE_TIMEOUT = "ome.io/timeout-idle"
CONNECTION_DURATION = "ome.io/timeout-max-connection-duration"
CONNECT_TIMEOUT = "ome.io/timeout-tcp-connect"

INTEGERS = (
    MAX_CONNECTIONS,
    MAX_PARALLEL_REQUESTS,
    MAX_PENDING_REQUESTS,
    MAX_PARALLEL_RETRIES,
    MAX_CONNECTIONS_PER_ENDPOINT,
    RETRY_ATTEMPTS,
)
DURATIONS = (RETRY_TIMEOUT, IDLE_TIMEOUT, CONNECTION_DURATION, CONNECT_TIMEOUT)
ISTIO_INTEGERS = (MAX_CONNECTIONS, MAX_PARALLEL_REQUESTS, MAX_PENDING_REQUESTS)
ISTIO_DURATIONS = (IDLE_TIMEOUT, CONNECT_TIMEOUT)
ANNOTATIONS = (*INTEGERS, RETRY_ON, *DURATIONS)
"""Every annotation that a backend policy is made of, but for the pass-throughs."""

ENVOY_PREFIX = "ome.io/btp."
ISTIO_PREFIX = "ome.io/dr."

Path = tuple[str, ...]
"""The way to a field of a policy's spec."""

_FLOAT = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")
_INT32 = 2**31
_TRUE = frozenset(("t", "T", "true", "TRUE", "True"))
_FALSE = frozenset(("f", "F", "false", "FALSE", "False"))


class PassthroughError(ValueError):
    """A pass-through annotation that leads into a value which has no fields; ``annotation`` is its key."""

    def __init__(self, annotation: str, message: str) -> None:
        super().__init__(message)
        self.annotation = annotation
        self.message = message


class Intent(msgspec.Struct, frozen=True):
    """The wishes of one service: its ``spec.traffic``, and its annotations."""

    traffic: Mapping[str, Any]
    annotations: Mapping[str, str]

    @classmethod
    def of(cls, service: Service) -> Intent:
        return cls(service.spec.get("traffic") or {}, service.annotations)

    def __bool__(self) -> bool:
        """Whether the service wants anything; then OME's default policy gives way to one of its own."""
        typed = any(self.traffic.get(name) is not None for name in ("algorithm", "consistentHash", "endpointOverride"))
        return typed or any(
            key in ANNOTATIONS or key.startswith((ENVOY_PREFIX, ISTIO_PREFIX)) for key in self.annotations
        )

    def integer(self, annotation: str) -> int | None:
        """The number as OME holds it: of a larger one, the last 32 bits."""
        number = parse_integer(self.annotations.get(annotation, ""))
        return None if number is None else (number + _INT32) % (2 * _INT32) - _INT32

    def duration(self, annotation: str) -> str | None:
        """The duration in the form in which Go prints it."""
        try:
            return canonical_duration(self.annotations.get(annotation, ""))
        except ValueError:
            return None

    def set_limits(self, spec: Object, integers: Mapping[str, Path], durations: Mapping[str, Path]) -> None:
        """Set in ``spec`` the field of every annotation of ``integers`` and ``durations`` that can be read."""
        for annotation, path in integers.items():
            if (number := self.integer(annotation)) is not None:
                set_field(spec, path, number)
        for annotation, path in durations.items():
            if (duration := self.duration(annotation)) is not None:
                set_field(spec, path, duration)

    @property
    def retry_conditions(self) -> list[str]:
        items = self.annotations.get(RETRY_ON, "").split(",")
        return [item.strip() for item in items if item.strip()]

    def pass_through(self, prefix: str, spec: Object, *below: str) -> None:
        """Set in ``spec``, under the path ``below``, the field of every annotation that starts with ``prefix``.

        Raises :class:`PassthroughError`.
        """
        for annotation in sorted(key for key in self.annotations if key.startswith(prefix)):
            path = annotation.removeprefix(prefix)
            try:
                set_field(spec, (*below, *path.split(".")), scalar(self.annotations[annotation]))
            except TypeError as error:
                raise PassthroughError(annotation, f'set passthrough "{path}": {error}') from error


def scalar(text: str) -> int | bool | float | str:
    """``text`` as a whole number, else a boolean, else a decimal, else itself."""
    if (integer := parse_integer(text)) is not None:
        return integer
    if text in _TRUE or text in _FALSE:
        return text in _TRUE
    if _FLOAT.fullmatch(text):
        value = float(text)
        if value not in (float("inf"), float("-inf")):
            return value
    return text


def set_field(spec: Object, path: Path, value: Any) -> None:
    """Set the field at ``path`` of ``spec``; raises ``TypeError`` where the way leads through a value."""
    below = spec
    for length, step in enumerate(path[:-1], 1):
        below = below.setdefault(step, {})
        if not isinstance(below, dict):
            way = ".".join(path[:length])
            raise TypeError(f"value cannot be set because .spec.{way} is not a map[string]interface{{}}")
    below[path[-1]] = value
