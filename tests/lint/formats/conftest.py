"""One result that every format renders: each severity, a related place, text that must be escaped, no line at all."""

from __future__ import annotations

import pytest

from omec.finding import Finding, ObjectRef, Position, Related, Rule, Severity
from omec.lint.result import LintResult

ERROR = Rule("OME201", "bad-parent", Severity.ERROR, "A parent is missing", why="W.", fix="F.", source="S")
SECRET = Rule("OME801", "secret", Severity.ERROR, "A secret", why="W.", fix="F.", source="S")
HINT = Rule("OME901", "hint", Severity.INFO, "A hint", why="W.", fix="F.", source="S")
WARNING = Rule("OME501", "warned", Severity.WARNING, "A warning", why="W.", fix="F.", source="S", preview=True)

TEXT = "kind: X\nspec:\n\tname: 日本 <b>&x\n"


@pytest.fixture
def result() -> LintResult:
    ref = ObjectRef("BaseModel", "llm", "m")
    return LintResult(
        (
            Finding(HINT, "hint 100%", Position("a b/x,y.yaml")),
            Finding(
                ERROR,
                'parent "a\nb" not found: <x> & y',
                Position("m.yaml", 3, 8, 3, 10),
                object=ref,
                field="spec.name",
                help="did you mean z?",
                related=(Related(Position("p.yaml", 1, 2), "child here"),),
            ),
            Finding(ERROR, "again", Position("m.yaml", 3, 8, 4, 1), object=ref, field="spec.name"),
            Finding(WARNING, "w", Position("m.yaml", 1, 1, 1, 5)),
            Finding(SECRET, "s", Position("m.yaml", 2, 1, 2, 5)),
        ),
        files=2,
        sources={"m.yaml": "deep/m.yaml"},
        texts={"m.yaml": TEXT},
    )


@pytest.fixture
def clean() -> LintResult:
    return LintResult((), files=1)
