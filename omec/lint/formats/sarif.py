"""SARIF 2.1.0, for code scanning (reference 11 §9)."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import quote

from omec.finding import Finding, Position, Rule, Severity
from omec.lint.documentation import FAMILIES, page
from omec.lint.formats.json import dumps
from omec.lint.formats.paths import from_here
from omec.lint.result import LintResult
from omec.version import __version__

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_ROOT = "%SRCROOT%"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
_LONGEST = 1024


def render(result: LintResult) -> str:
    """One run with the rules that were broken; a run without results closes what an earlier one opened."""
    rules = sorted(
        {finding.rule.code: finding.rule for finding in result.findings}.values(), key=lambda rule: rule.code
    )
    places = {rule.code: index for index, rule in enumerate(rules)}
    run = {
        "tool": {"driver": {"name": "omec", "version": __version__, "rules": [_rule(rule) for rule in rules]}},
        "automationDetails": {"id": "omec/"},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {_ROOT: {"description": {"text": "The folder that omec ran in."}}},
        "invocations": [{"executionSuccessful": not result.incomplete}],
        "results": [
            _result(finding, places[finding.rule.code], mark)
            for finding, mark in zip(result.findings, result.fingerprints(), strict=True)
        ],
    }
    return dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]})


def _rule(rule: Rule) -> dict[str, Any]:
    return {
        "id": rule.code,
        "name": rule.slug,
        "shortDescription": {"text": f"{rule.summary}."[:_LONGEST]},
        "fullDescription": {"text": (rule.why or f"{rule.summary}.")[:_LONGEST]},
        "help": {"text": rule.fix or rule.summary, "markdown": page(rule)},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
        "properties": {
            "tags": [FAMILIES[rule.code[:4]]],
            "precision": "medium" if rule.preview else "very-high",
            "problem.severity": "recommendation" if rule.severity is Severity.INFO else rule.severity.label,
            **({"security-severity": "8.0"} if rule.code.startswith("OME8") else {}),
        },
    }


def _result(finding: Finding, place: int, mark: str) -> dict[str, Any]:
    related = [
        {"id": number, "message": {"text": other.message}, **_location(other.position)}
        for number, other in enumerate(finding.related, 1)
    ]
    return {
        "ruleId": finding.rule.code,
        "ruleIndex": place,
        "level": _LEVELS[finding.severity],
        "message": {"text": f"{finding.message}\nHelp: {finding.help}" if finding.help else finding.message},
        "locations": [_location(finding.position)],
        **({"relatedLocations": related} if related else {}),
        "partialFingerprints": {"primaryLocationLineHash": mark if ":" in mark else f"{mark}:1"},
    }


def _location(position: Position) -> dict[str, Any]:
    path = from_here(position.path)
    # A path from elsewhere is not one from the root.
    artifact = {"uri": Path(path).as_uri()} if Path(path).is_absolute() else {"uri": quote(path), "uriBaseId": _ROOT}
    return {"physicalLocation": {"artifactLocation": artifact, "region": _region(position)}}


def _region(position: Position) -> dict[str, int]:
    region = {"startLine": position.line or 1}
    if position.line:
        region["startColumn"] = position.column
    if position.end_line:
        region |= {"endLine": position.end_line, "endColumn": position.end_column}
    return region
