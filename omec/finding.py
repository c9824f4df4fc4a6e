"""Findings: what omec says about a manifest, and where.

A finding names a :class:`Rule`, the place in the source, and the object and field it is about. Every part of omec
that judges manifests (reading, API structure, inheritance, selection, rendering, lint rules) reports findings of this
one type; only the command line prints them.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import msgspec


class Severity(IntEnum):
    """How bad a finding is; ordered, so that ``--fail-on`` can compare."""

    INFO = 0
    WARNING = 1
    ERROR = 2

    @property
    def label(self) -> str:
        return self.name.lower()

    @classmethod
    def parse(cls, text: str) -> Severity:
        """The severity called ``text`` (``info``, ``warning``, ``error``); raises ``KeyError`` for any other text."""
        return cls[text.upper()]


class Rule(msgspec.Struct, frozen=True):
    """What a finding is an instance of.

    ``code`` (``OME`` + three digits) and ``slug`` are stable for good. The texts are the documentation: ``summary`` is
    one line, ``why`` says what goes wrong in the cluster, ``fix`` what to do, ``source`` where the rule comes from
    (OME documentation page or reference section), ``bad`` and ``good`` are example manifests.

    A rule that is not ``default`` reports only where ``select`` names it or a beginning of its code; one in ``preview``
    only with ``preview = true``, and may change without notice until then. ``fixable`` says that ``--fix`` mends what
    the rule finds.
    """

    code: str
    slug: str
    severity: Severity
    summary: str
    why: str = ""
    fix: str = ""
    source: str = ""
    bad: str = ""
    good: str = ""
    default: bool = True
    preview: bool = False
    fixable: bool = False

    @property
    def remedy(self) -> str:
        """``fix`` as the help of a finding: a phrase, not a sentence."""
        phrase = self.fix.rstrip(".")
        return phrase[:1].lower() + phrase[1:] if phrase[1:2].islower() else phrase


class Position(msgspec.Struct, frozen=True, order=True):
    """A span in a source file: ``path`` as shown to the user, 1-based line and column, end exclusive.

    Line 0 means that the place inside the file is not known (for example, the file could not be read at all).
    """

    path: str
    line: int = 0
    column: int = 0
    end_line: int = 0
    end_column: int = 0

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}" if self.line else self.path


class ObjectRef(msgspec.Struct, frozen=True, order=True):
    """The identity of a Kubernetes object; ``namespace`` is ``None`` for a cluster-scoped one."""

    kind: str
    namespace: str | None
    name: str

    def __str__(self) -> str:
        return f"{self.kind} {self.namespace}/{self.name}" if self.namespace else f"{self.kind} {self.name}"

    def to_dict(self) -> dict[str, str | None]:
        return {"kind": self.kind, "namespace": self.namespace, "name": self.name}


class Related(msgspec.Struct, frozen=True):
    """A second place that belongs to a finding, with the phrase that says how (``"first defined here"``)."""

    position: Position
    message: str

    def to_dict(self) -> dict[str, Any]:
        return {
            "path": self.position.path,
            "line": self.position.line,
            "column": self.position.column,
            "message": self.message,
        }


class Finding(msgspec.Struct, frozen=True):
    """One judgement about one place.

    ``message`` is one sentence without a final period; where OME's webhook would refuse the object, its first line is
    the webhook's own text. ``help`` says how to fix this very case. ``field`` is the field path as Kubernetes writes
    it (``spec.engine.runner.ports[0].name``). ``severity`` may differ from the rule's default.
    """

    rule: Rule
    message: str
    position: Position
    object: ObjectRef | None = None
    field: str | None = None
    help: str = ""
    related: tuple[Related, ...] = ()
    severity_override: Severity | None = None
    environments: tuple[str, ...] = ()

    @property
    def severity(self) -> Severity:
        return self.rule.severity if self.severity_override is None else self.severity_override

    @property
    def sort_key(self) -> tuple[Any, ...]:
        return (self.position, self.rule.code, self.message)

    def to_dict(self) -> dict[str, Any]:
        """The finding as the JSON format prints it."""
        value = {
            "code": self.rule.code,
            "rule": self.rule.slug,
            "severity": self.severity.label,
            "message": self.message,
            "path": self.position.path,
            "line": self.position.line,
            "column": self.position.column,
            "endLine": self.position.end_line,
            "endColumn": self.position.end_column,
            "object": self.object.to_dict() if self.object else None,
            "field": self.field,
            "help": self.help,
            "related": [related.to_dict() for related in self.related],
        }
        return {**value, "environments": list(self.environments)} if self.environments else value


FieldPath = tuple[str | int, ...]
"""Keys and list indexes from a document's root, for example ``("spec", "engine", "runner", "ports", 0, "name")``."""


def field_text(path: FieldPath) -> str:
    """``path`` as Kubernetes writes it: ``spec.ports[0].name``; keys with dots in brackets (``annotations[a.b/c]``)."""
    text = ""
    for step in path:
        if isinstance(step, int) or "." in step or "/" in step:
            text += f"[{step}]"
        else:
            text += f".{step}" if text else step
    return text
