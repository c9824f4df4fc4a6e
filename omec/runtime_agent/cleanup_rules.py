"""What keeps ``omec agent cleanup`` from removing anything."""

from __future__ import annotations

from omec.finding import Rule, Severity

AGENT_RUNS = Rule(
    code="OME761",
    slug="agent-still-runs",
    severity=Severity.ERROR,
    summary="The agent still runs, and would add again what is removed",
    why="The node role labels its node as soon as a label is missing, and the status role adds finalizers to models.",
    fix="Delete the DaemonSet omec-agent-node and the Deployment omec-agent-status first; `--dry-run` shows what would "
    "be removed while they run.",
    source="omec",
)
