"""Manifests for tests: documents with positions from YAML text."""

from __future__ import annotations

import re
from typing import Any

from omec.api.structure import structural_findings
from omec.finding import FieldPath, Finding, Position
from omec.repo.document import Document
from omec.repo.yaml import load
from omec.repo.yaml.document import locate


def document(text: str, path: str = "test.yaml") -> Document:
    """The document that ``text`` (YAML) is, with positions."""

    def locator(field: FieldPath, key: bool) -> Position:
        span = locate(text).find(field, key=key)
        return Position(path, *_line_and_column(text, span.start), *_line_and_column(text, span.end))

    return Document(path, 0, load(text), locator)


def _line_and_column(text: str, offset: int) -> tuple[int, int]:
    before = text[:offset]
    return before.count("\n") + 1, offset - (before.rfind("\n") + 1) + 1


def manifest(kind: str, spec: str, metadata: str = "{name: x}") -> str:
    """A manifest of ``kind`` with ``spec`` in flow style."""
    return f"apiVersion: ome.io/v1beta1\nkind: {kind}\nmetadata: {metadata}\nspec: {spec}\n"


def body(kind: str, spec: str, metadata: str = "{name: x}") -> dict[str, Any]:
    value: dict[str, Any] = load(manifest(kind, spec, metadata))
    return value


def findings(text: str, **options: Any) -> list[Finding]:
    """The structural findings of a manifest."""
    doc = document(text)
    return structural_findings(doc.value["kind"], doc, **options)


def codes(found: list[Finding]) -> list[str]:
    return [finding.rule.code for finding in found]


def pointed_at(text: str, finding: Finding) -> str:
    """The source text between the start and the end of a finding's position."""
    lines = text.splitlines()
    position = finding.position
    if position.line != position.end_line:
        return lines[position.line - 1][position.column - 1 :]
    return re.sub(r"\s+$", "", lines[position.line - 1][position.column - 1 : position.end_column - 1])
