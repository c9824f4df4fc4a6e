"""Rules about the process of a role; each ends it."""

from __future__ import annotations

from omec.finding import Rule, Severity

PORT_UNAVAILABLE = Rule(
    code="OME733",
    slug="agent-port-unavailable",
    severity=Severity.ERROR,
    summary="The port for probes and metrics cannot be opened",
    why="Without probes, Kubernetes cannot tell whether the agent works, so that the role does not start.",
    fix="Give the role another port with --port, or end the process that has this one.",
    source="omec",
)
