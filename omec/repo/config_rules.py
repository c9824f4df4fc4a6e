"""Rules about the configuration file; each ends the command."""

from __future__ import annotations

from omec.finding import Rule, Severity

CONFIG_UNREADABLE = Rule(
    code="OME010",
    slug="config-unreadable",
    severity=Severity.ERROR,
    summary="The configuration file cannot be read, is not UTF-8, or has no settings for omec",
    why="Without its configuration omec would check and render something else than the repository means.",
    fix="Correct the path, the permissions or the encoding; a pyproject.toml needs a table [tool.omec].",
    source="docs/configuration.md",
)

CONFIG_SYNTAX = Rule(
    code="OME011",
    slug="config-syntax",
    severity=Severity.ERROR,
    summary="The configuration file is not valid TOML",
    why="Without its configuration omec would check and render something else than the repository means.",
    fix="Correct the text at the given place. Texts need quotes, lists brackets.",
    source="https://toml.io",
)

CONFIG_UNKNOWN_KEY = Rule(
    code="OME012",
    slug="config-unknown-key",
    severity=Severity.ERROR,
    summary="The configuration has a key that omec does not know",
    why="A misspelt key would silently leave its setting at the default.",
    fix="Use the key that the message suggests, or remove it.",
    source="docs/configuration.md",
)

CONFIG_VALUE = Rule(
    code="OME013",
    slug="config-value",
    severity=Severity.ERROR,
    summary="A value of the configuration has the wrong type or is none of those allowed",
    why="To replace it by the default would render something else than the repository means.",
    fix="Write a value of the type and range that docs/configuration.md gives for the key.",
    source="docs/configuration.md",
)

CONFIG_OTHER_VERSION = Rule(
    code="OME014",
    slug="config-required-version",
    severity=Severity.ERROR,
    summary="The repository requires another version of omec",
    why="Another version may render differently: every file of the output would look stale, or be rewritten.",
    fix="Install the version that required-version asks for, or change required-version and compile anew.",
    source="docs/configuration.md",
)

CONFIG_RESERVED = Rule(
    code="OME015",
    slug="config-reserved-key",
    severity=Severity.ERROR,
    summary="The configuration has a key whose meaning comes with a later release of omec",
    why="To ignore it would render something else than the repository means.",
    fix="Do what the message says instead, or remove the key.",
    source="docs/configuration.md",
)
