"""Places of a file after an edit."""

from __future__ import annotations

from omec.finding import Finding, Position, Related
from omec.lint.cache.moved import Moves, moved
from omec.lint.cache.snapshot import with_content
from omec.lint.control_rules import UNUSED_SUPPRESSION as RULE
from omec.repo.document import Document
from omec.repo.read import read_files
from omec.repo.walk import SourceFile

BEFORE = b"kind: A\napiVersion: v1\nspec:\n  x: 1\n  y: [1, 2]\n---\nkind: B\napiVersion: v1\n"
AFTER = b"# more\nkind: A\napiVersion: v1\nspec:\n  y: [1, 22]\n---\nkind: B\napiVersion: v1\n"


def documents(content: bytes) -> tuple[Document, ...]:
    return read_files([with_content(SourceFile("a", "a", lambda _: b""), content)], []).documents


def test_places() -> None:
    before, after = documents(BEFORE), documents(AFTER)
    moves = Moves(before, after)
    for number, path in ((0, ("spec",)), (0, ("spec", "y")), (0, ("spec", "y", 1)), (1, ("kind",))):
        for key in (False, True):
            assert moves.position(before[number].locate(path, key=key)) == after[number].locate(path, key=key)
    assert moves.position(before[0].locate(("spec", "x"))) is None
    assert moves.position(Position("a", 99, 1)) is None


def test_findings() -> None:
    before, after = documents(BEFORE), documents(AFTER)
    moves = {"a": Moves(before, after)}
    elsewhere, here = Position("b", 1, 1), before[0].locate(("spec", "y"))
    finding = Finding(RULE, "message", elsewhere, related=(Related(here, "here"), Related(elsewhere, "there")))
    now = moved(finding, moves)
    assert now is not None
    assert now.position == elsewhere
    assert [each.position for each in now.related] == [after[0].locate(("spec", "y")), elsewhere]
    gone = Finding(RULE, "message", elsewhere, related=(Related(before[0].locate(("spec", "x")), "here"),))
    assert moved(gone, moves) is None
