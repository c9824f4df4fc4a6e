"""Rules about the schemas that rendered custom resources are checked with."""

from __future__ import annotations

from omec.finding import Rule, Severity

SCHEMA_FOLDER = Rule(
    code="OME070",
    slug="schema-folder-unreadable",
    severity=Severity.ERROR,
    summary="The schema folder, or a schema in it that is needed, cannot be read",
    why="A check that is asked for and cannot be made must not look like one that was passed.",
    fix="Correct the file, or name another folder with --schema-dir.",
    source="omec",
)

NO_SCHEMA = Rule(
    code="OME567",
    slug="custom-resource-unchecked",
    severity=Severity.INFO,
    summary="A rendered custom resource is of a kind whose schema omec does not know",
    why=(
        "Its metadata and pod templates are checked, the rest is not: omec carries no schemas of other projects, "
        "because it cannot know which release of them the cluster has."
    ),
    fix="Keep the CustomResourceDefinition in the repository, or name a folder that holds it with --schema-dir.",
    source="omec",
    bad=(
        "engine:\n"
        "  autoscaler:\n"
        "    class: KEDA\n"
        "    keda:\n"
        "      triggers:\n"
        "      - type: cron\n"
        '        metadata: {timezone: UTC, start: 0 8 * * *, end: 0 18 * * *, desiredReplicas: "2"}\n'
    ),
    good="engine:\n  autoscaler: {class: HPA}\n",
)
