"""The ports of containers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from omec.compile.problems import Steps
from omec.lint.commands import engines
from omec.lint.pods.view import Container

PROBES = ("startupProbe", "livenessProbe", "readinessProbe")


class ProbedPort(NamedTuple):
    """The port that a probe asks, as a number or a name, and where it is written below the container."""

    port: int | str
    steps: Steps


def declared(container: Container) -> list[int]:
    """The numbers of the ports that the container declares."""
    return [port["containerPort"] for port in container.ports if isinstance(port.get("containerPort"), int)]


def served(container: Container) -> int | None:
    """The port that the container's only known server listens on, ``None`` where that is not certain."""
    server = container.line.server
    if server is None:
        return None
    if engines.PORT in server.options:
        return server.number(engines.PORT)
    return None if server.open else server.engine.port


def probed_ports(container: Container) -> Iterator[ProbedPort]:
    """The ports that the probes ask inside of the pod."""
    for name in PROBES:
        probe: Mapping[str, Any] = container.body.get(name) or {}
        for handler in ("httpGet", "tcpSocket", "grpc"):
            asked = probe.get(handler) or {}
            port = asked.get("port")
            if isinstance(port, int | str) and not isinstance(port, bool) and not asked.get("host"):
                number = int(port) if isinstance(port, str) and port.isdigit() else port
                yield ProbedPort(number, (name, handler, "port"))
