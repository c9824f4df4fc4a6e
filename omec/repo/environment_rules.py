"""Rules about the environments of the configuration; each ends the command."""

from __future__ import annotations

from omec.finding import Rule, Severity

ENVIRONMENT_UNKNOWN = Rule(
    code="OME023",
    slug="environment-unknown",
    severity=Severity.ERROR,
    summary="The configuration declares no environment of that name",
    why="Settings of another environment would check and render what is meant for another cluster.",
    fix="Name a declared environment, or add a table [environments.NAME] to the configuration.",
    source="docs/configuration.md#environments",
)

ENVIRONMENT_OPEN = Rule(
    code="OME024",
    slug="environment-open",
    severity=Severity.ERROR,
    summary="The answer can differ between environments, and none is named",
    why="An answer for one cluster would be taken for that of another.",
    fix="Name one environment with --env (in Python: env).",
    source="docs/configuration.md#environments",
)

ENVIRONMENT_PLATFORM = Rule(
    code="OME025",
    slug="environment-without-platform",
    severity=Severity.ERROR,
    summary="Nothing says which platform an environment has",
    why=(
        "The platform decides which kinds of objects are rendered. With several clusters a default would be a guess: "
        "InferenceReplicas for a cluster without OME's manager serve nothing."
    ),
    fix="Set platform in the environment, or once at the top of the configuration for all of them.",
    source="docs/configuration.md#environments",
)

ENVIRONMENT_NAME = Rule(
    code="OME026",
    slug="environment-name",
    severity=Severity.ERROR,
    summary="The name of an environment is not one that a folder can have everywhere",
    why="An environment is a folder of the output, a part of Argo CD's paths and an argument of --env.",
    fix="Use at most 63 of a-z, 0-9 and '-', beginning and ending with a letter or digit.",
    source="docs/configuration.md#environments",
)

ENVIRONMENT_SHARED_KEY = Rule(
    code="OME027",
    slug="environment-shared-key",
    severity=Severity.ERROR,
    summary="A setting that is the same for all environments stands in one of them",
    why="It says how omec is used in this repository, not what a cluster is like; omec could follow only one of them.",
    fix="Move the key to the top of the configuration.",
    source="docs/configuration.md#environments",
)
