"""Judge of ``modelver.jsonl``: parsing, ordering and operators of versions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from omec.api.version import VersionError, compare_versions, parse_version, try_parse_version, version_matches
from tests.oracle.interface import Answer, Row

KIND = "modelver"


def accepts(row: Row) -> bool:
    expected = row.get("expected")
    if not isinstance(expected, dict):
        return False
    return "compare" in row or ("entry" in row and "model" in row) or ("parse" in row and "value" not in expected)


def judge(row: Row, data: Path | None) -> dict[str, Answer]:
    expected = row["expected"]
    if "parse" in row:
        return {"parse": Answer(expected, _parse(row["parse"]))}
    if "compare" in row:
        return {"compare": Answer(expected, _compare(*row["compare"]))}
    entry, model = try_parse_version(row["entry"]), try_parse_version(row["model"])
    return {"match": Answer(expected["match"], version_matches(entry, row.get("operator"), model))}


def _parse(text: str) -> dict[str, Any]:
    try:
        version = parse_version(text)
    except VersionError as error:
        return {"error": str(error)}
    return {
        "major": str(version.major),
        "minor": str(version.minor),
        "patch": str(version.patch),
        "prefix": version.prefix,
        "pre": list(version.pre),
        "build": list(version.build),
        "dev": list(version.dev),
        "precision": version.precision,
        "unofficial": version.unofficial,
    }


def _compare(a: str, b: str) -> dict[str, Any]:
    first, second = try_parse_version(a), try_parse_version(b)
    if first is None or second is None:
        return {"error": True}
    result = compare_versions(first, second)
    return {"result": result, "equal": result == 0, "greater": result > 0, "greaterOrEqual": result >= 0}
