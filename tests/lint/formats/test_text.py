"""Findings for people."""

from __future__ import annotations

from omec.finding import Finding, Position, Related, Rule, Severity
from omec.lint.formats.text import render

RULE = Rule("OME999", "made-up", Severity.ERROR, "Made up")


def test_a_finding_with_its_places_and_help() -> None:
    finding = Finding(
        RULE,
        "what is wrong",
        Position("a.yaml", 3, 9),
        help="how to fix it",
        related=(Related(Position("b.yaml", 1, 2), "also here"),),
    )
    assert render([finding]) == (
        "a.yaml:3:9: error[OME999] what is wrong\n  b.yaml:1:2: also here\n  help: how to fix it\n"
    )


def test_what_manifests_hold_cannot_steer_the_terminal() -> None:
    evil = "x\x1b[2J\n\x00"
    finding = Finding(RULE, evil, Position(f"{evil}.yaml", 1, 1), help=evil, related=(Related(Position(evil), evil),))
    shown = "x\\u001b[2J\\n\\u0000"
    assert render([finding], lambda text, _: f"<{text}>") == (
        f"<{shown}.yaml:1:1>: <error[OME999]> {shown}\n  {shown}: {shown}\n  help: {shown}\n"
    )
