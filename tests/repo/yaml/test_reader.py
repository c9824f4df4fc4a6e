"""The values of documents: merges, anchors, limits; and the two readers (values, outline) against each other."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from omec.repo.yaml import dump, load, parse
from omec.repo.yaml.anchors import MAX_DEPTH
from omec.repo.yaml.events import PurePythonParser
from omec.repo.yaml.floats import integral
from omec.repo.yaml.outline import outline
from omec.repo.yaml.problem import ProblemError
from omec.repo.yaml.reader import UnusualError, read_value


def slugs(text: str) -> list[str]:
    return [problem.rule.slug for problem in parse(text).problems]


def refusal(text: str) -> str:
    with pytest.raises(ProblemError) as caught:
        load(text)
    return caught.value.problem.rule.slug


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("b: &b {q: 1, r: 2}\nd: {<<: *b, r: 3}\n", {"q": 1, "r": 3}),
        ("b: &b {q: 1, r: 2}\nd: {r: 3, <<: *b}\n", {"r": 2, "q": 1}),
        ("b: &b {q: 1}\nc: &c {q: 2, s: 3}\nd: {<<: [*b, *c]}\n", {"q": 1, "s": 3}),
        ("b: &b {q: 1}\nc: &c {q: 2}\nd: {<<: *b, <<: *c}\n", {"q": 2}),
        ("b: &b {q: 1}\nd: {<<: [*b, {s: 1}]}\n", {"q": 1, "s": 1}),
        ("b: &b {q: 1}\nd: {!!merge <<: *b}\n", {"q": 1}),
        ("b: &b {q: 1}\nd: {! '<<': *b}\n", {"<<": {"q": 1}}),
        ("b: &b 1\nd: {*b : x}\n", {"1": "x"}),
        ("b: &b {x: &b 1, y: *b}\nd: *b\n", 1),
    ],
)
def test_merges_and_anchors(text: str, value: object) -> None:
    assert load(text)["d"] == value


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("d: {<<: 3}\n", "yaml-unusable-value"),
        ("b: &b [{x: 1}]\nd: {<<: *b}\n", "yaml-unusable-value"),
        ("d: {<<: [3]}\n", "yaml-unusable-value"),
        ("a: *x\n", "yaml-alias"),
        ("a: &x {b: *x}\n", "yaml-alias"),
        ("a: &x [*x]\n", "yaml-alias"),
        ("b: &b [1]\nd: {*b : x}\n", "yaml-unusable-key"),
        ("b: &b ~\nd: {*b : x}\n", "yaml-unusable-key"),
        ("a: !!int x\n", "yaml-unusable-value"),
        ("!!int x: 1\n", "yaml-unusable-key"),
        ("a: .nan\n", "yaml-unusable-value"),
        ('a: "\\/"\n', "yaml-syntax"),
        ("%YAML 1.2\n---\na: 1\n", "yaml-syntax"),
    ],
)
def test_refused(text: str, slug: str) -> None:
    assert refusal(text) == slug


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: 1\nb: 2\n", []),
        ("a: 1\na: 2\n", ["yaml-duplicate-key"]),
        ("yes: 1\ntrue: 2\n", ["yaml-duplicate-key"]),
        ("1: 1\n'1': 2\n", ["yaml-duplicate-key"]),
        ("b: &b {q: 1}\nd: {q: 2, <<: *b}\n", ["yaml-merge-override"]),
        ("b: &b {q: 1}\nd: {<<: *b, q: 2}\n", ["yaml-merge-override"]),
        ("b: &b {q: 1}\nd: {<<: *b, q: 2, q: 3}\n", ["yaml-merge-override", "yaml-duplicate-key"]),
        ("b: &b {q: 1}\nc: &c {q: 2}\nd: {<<: [*b, *c]}\n", []),
        ("a: !Ref x\n", ["yaml-unknown-tag"]),
        ("a: !!set {x}\nb: !!str y\n", []),
        ("a: !!python/name:os.system x\n", ["yaml-code-tag"]),
        ("a: !!python/object/apply:os.system [x]\n", ["yaml-code-tag"]),
        ("a: !ruby/object:Gem {}\n", ["yaml-code-tag"]),
        ("a: !!javax.script.ScriptEngineManager []\n", ["yaml-code-tag"]),
        ("a: {b:1}\n", ["yaml-missing-space"]),
        ("a: {'b:1': , c: {http://x}}\n", ["yaml-missing-space"]),
        ('a: {"b":1}\n', []),
        ("a:\n\u00a0 b: 1\n", ["yaml-invisible-character"]),
        ("a:\n  '\u00a0b': 1\n", []),
        ("a: 1\n\ufeffb: 2\n", ["yaml-invisible-character"]),
        ("a: 1\n...\nb: 2\n", ["yaml-dropped-content"]),
        ("a: 1\n...\n# c\n\n", []),
        ("a: |\n  x\n  ...\n  y\n", []),
    ],
)
def test_oddities(text: str, expected: list[str]) -> None:
    assert slugs(text) == expected


def test_an_inner_byte_order_mark_is_text() -> None:
    assert load("a: x\n\ufeffb: 'y\ufeff'\n") == {"a": "x", "\ufeffb": "y\ufeff"}


def test_both_places_of_a_duplicate_are_named() -> None:
    text = "metadata:\n  name: a\n  labels: {}\n  name: b\n"
    (problem,) = parse(text).problems
    assert text[slice(*problem.span)] == "name"
    assert problem.span.start == text.rindex("name")
    ((span, phrase),) = problem.related
    assert (span.start, phrase) == (text.index("name"), "first set here")


@pytest.mark.parametrize("opening", ["[", "{", "- ", "? ", "{a: "])
def test_nesting_is_bounded(opening: str) -> None:
    assert refusal("a:\n  " + opening * 100_000 + "\n") == "yaml-nesting"


@pytest.mark.parametrize("opening", ["[", "{", "{a: "])
@pytest.mark.parametrize("levels", [MAX_DEPTH + 1, 999, 100_000])
def test_nesting_is_reported_where_it_exceeds_the_limit(opening: str, levels: int) -> None:
    """The parser itself gives up at a thousand levels, and says so there."""
    with pytest.raises(ProblemError) as caught:
        load("a:\n  " + opening * levels + "\n")
    assert caught.value.problem.span.start == len("a:\n  ") + (MAX_DEPTH - 1) * len(opening)


def test_the_deepest_nesting_is_allowed() -> None:
    assert load("[" * MAX_DEPTH + "]" * MAX_DEPTH)
    assert refusal("[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1)) == "yaml-nesting"


def test_nesting_through_aliases_is_bounded() -> None:
    lines = ["a0: &a0 [x]", *(f"a{i}: &a{i} [*a{i - 1}]" for i in range(1, 200))]
    assert refusal("\n".join(lines)) == "yaml-expansion"


def test_an_anchor_bomb_is_refused() -> None:
    lines = ["a0: &a0 [lol,lol,lol,lol,lol,lol,lol,lol,lol]"]
    lines += [f"a{i}: &a{i} [{','.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 10)]
    assert refusal("\n".join(lines)) == "yaml-expansion"


def test_a_merge_bomb_stays_small() -> None:
    lines = ["a0: &a0 {k0: 1}"]
    lines += [f"a{i}: &a{i}\n  <<: [{','.join([f'*a{i - 1}'] * 9)}]\n  k{i}: 1" for i in range(1, 10)]
    assert len(load("\n".join(lines))["a9"]) == 10


def test_no_code_runs(tmp_path: Any) -> None:
    target = tmp_path / "touched"
    assert load(f'a: !!python/object/apply:os.system ["touch {target}"]\n') == {"a": [f"touch {target}"]}
    assert not target.exists()


TEXTS = st.text(alphabet=st.sampled_from("ab01:-#{}[],&*!|>'\"%@`?. \n\t\\/~yn<_é\u00a0\U0001f600"), max_size=40)


@given(TEXTS)
def test_any_text_is_read_or_refused(text: str) -> None:
    """Nothing but a ProblemError ever comes out; and the two readers agree."""
    try:
        value, unusual = read_value(text)
    except (yaml.YAMLError, UnusualError, ValueError):
        try:
            problems = parse(text).problems
        except ProblemError:
            return
        assert "<<" in text or any(problem.fatal for problem in problems)  # merging is left to the outline
        return
    made = outline(text)
    assert (made.root.value if made.root else None) == value
    if not unusual:
        assert not any(problem.fatal and problem.rule.slug != "yaml-syntax" for problem in made.problems)


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False, allow_infinity=False).map(integral)
    | st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufeff\ufffe\uffff")),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("ab1-.\n/ é", max_size=6), inner, max_size=4),
    max_leaves=20,
)


@given(JSON)
def test_what_is_printed_reads_back(value: Any) -> None:
    assert load(dump(value)) == value


def test_the_pure_parser_gives_the_same_events(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "a: &x [1, 'two', {c: |\n    text\n  }]\nb: *x\n"
    text = "a: &x\n- 1\n- 'two'\n- c: |\n    text\nb: *x\nc: {<<: {d: yes}, e: !!str 1}\n"
    expected = load(text)
    monkeypatch.setattr("omec.repo.yaml.events.Parser", PurePythonParser)
    assert load(text) == expected
    assert slugs("a: 1\na: 2\n") == ["yaml-duplicate-key"]
    assert refusal("a: [1\n") == "yaml-syntax"
    assert refusal("a: \x07\n") == "yaml-syntax"
