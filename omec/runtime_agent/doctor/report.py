"""What an examination says, line by line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from omec.finding import Rule

OK, ABSENT = "ok", "-"


@dataclass(frozen=True, slots=True)
class Line:
    """One statement. ``rule`` is what is wrong; without one, ``level`` is ``ok`` or ``-`` (is not there)."""

    text: str
    rule: Rule | None = None
    level: str = OK

    @property
    def label(self) -> str:
        return self.level if self.rule is None else self.rule.severity.label

    def to_dict(self) -> dict[str, Any]:
        code = {"code": self.rule.code, "rule": self.rule.slug} if self.rule else {}
        return {"level": "absent" if self.label == ABSENT else self.label, "message": self.text, **code}
