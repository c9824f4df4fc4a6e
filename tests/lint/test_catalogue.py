"""The rules as a whole: unique, complete, documented, and with examples that are true."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from msgspec.structs import replace

import omec
from omec.finding import Rule, Severity
from omec.lint.catalogue import MODULES, all_rules, catalogue
from omec.lint.documentation import FAMILIES, page, pages
from omec.lint.renderings import ABOUT_OUTPUT, TOLD_OTHERWISE
from schemas import build_rules
from tests.lint.examples import codes_found, frames, is_complete, repository_of

SOURCE = Path(omec.__file__).parent
TESTS = Path(__file__).parents[1]
RULES = all_rules()
CODES = {rule.code for rule in RULES}
EXAMPLES = [rule for rule in RULES if rule.bad]

COMPILE_ALONE = {
    "OME016",
    "OME018",
    "OME055",
    "OME057",
    "OME261",
    "OME290",
    "OME291",
    "OME567",
    "OME588",
    "OME590",
    "OME592",
    "OME593",
    "OME597",
    "OME598",
    "OME670",
    "OME673",
    "OME674",
}
"""Rules that only ``omec compile`` reports: they are about what it cannot render, or about what it writes."""


@cache
def trees() -> dict[str, ast.Module]:
    """Every module that a command reaches, and all of the agent's: name and syntax."""
    every = {
        ".".join(path.relative_to(SOURCE.parent).with_suffix("").parts).removesuffix(".__init__"): path
        for path in sorted(SOURCE.rglob("*.py"))
    }
    found: dict[str, ast.Module] = {}
    waiting = [name for name in every if name.startswith(("omec.cli", "omec.facts", "omec.runtime_agent"))]
    while waiting:
        name = waiting.pop()
        if name in every and name not in found:
            found[name] = ast.parse(every[name].read_text(encoding="utf-8"))
            waiting += imported(found[name])
    return found


def imported(tree: ast.Module) -> Iterator[str]:
    """The modules that ``tree`` names in its imports, wherever they stand."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def name_of(node: ast.AST) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


CODES_WRITTEN = {
    code
    for name, tree in trees().items()
    if name not in MODULES
    for node in ast.walk(tree)
    if isinstance(node, ast.Constant) and isinstance(node.value, str)
    for code in re.findall(r"^OME\d{3}$|(?<=\[)OME\d{3}(?=\])", node.value.strip())
}
"""The codes that stand in the source as text: those of errors that end a command."""


# --- Codes and names ---------------------------------------------------------------------------------------------


def test_codes_and_names_are_well_formed() -> None:
    for rule in RULES:
        assert re.fullmatch(r"OME\d{3}", rule.code)
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", rule.slug), rule
        assert rule.code[:4] in FAMILIES


def test_codes_and_names_are_unique() -> None:
    assert len(CODES) == len({rule.slug for rule in RULES}) == len(RULES)


@pytest.mark.parametrize("change", [{"slug": "other"}, {"code": "OME999"}])
def test_a_collision_is_an_error(change: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="is the name of two rules"):
        catalogue([RULES[0], replace(RULES[0], **change)])


def test_a_rule_that_is_imported_elsewhere_is_no_collision() -> None:
    assert catalogue([RULES[1], RULES[0], RULES[1]]) == RULES[:2]


def test_the_catalogue_has_every_module_with_rules() -> None:
    """Of those that a command reaches; ``omec.error_rules`` is known by its codes alone."""
    defining = {"omec.error_rules"} | {
        name
        for name, tree in trees().items()
        if _imports_rule(tree)
        and any(isinstance(node, ast.Call) and name_of(node.func) == "Rule" for node in ast.walk(tree))
    }
    assert defining == set(MODULES)


def _imports_rule(tree: ast.Module) -> bool:
    """Whether ``Rule`` is the one of findings (some modules have rules of another sort)."""
    imports = (node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom))
    return any(node.module == "omec.finding" and any(a.name == "Rule" for a in node.names) for node in imports)


def test_every_rule_is_reported_somewhere() -> None:
    """A rule that nothing reports is a promise that omec does not keep."""
    read = {
        name_of(node) for name, tree in trees().items() if name not in MODULES for node in ast.walk(tree)
    } | CODES_WRITTEN
    for module in MODULES:
        for name, value in vars(importlib.import_module(module)).items():
            if isinstance(value, Rule):
                assert name in read or value.code in read, f"nothing reports {module}.{name} ({value.code})"


def test_every_code_in_the_source_is_documented() -> None:
    """Codes of errors, written as text in the modules that raise them, are rules too."""
    assert {"OME001", "OME002", "OME040", "OME041", "OME042"} <= CODES_WRITTEN
    assert CODES_WRITTEN <= CODES


def test_no_other_code_is_mentioned_in_the_documents() -> None:
    root = SOURCE.parent
    for path in (root / "README.md", *(root / "docs").glob("*.md")):
        mentioned = set(re.findall(r"OME\d{3}\b", path.read_text(encoding="utf-8")))
        assert mentioned <= CODES, path


# --- Texts -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_texts_are_complete(rule: Rule) -> None:
    assert rule.summary
    assert rule.why
    assert rule.fix
    assert rule.source
    assert bool(rule.bad) == bool(rule.good)
    assert not rule.summary.endswith(".")
    assert rule.why.endswith(".")
    assert rule.fix.endswith((".", "`.", ")"))
    assert "\n" not in rule.summary + rule.why + rule.fix + rule.source


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_remedy_is_a_phrase(rule: Rule) -> None:
    """The fix as the help of a finding: no sentence's capital, no period."""
    assert not rule.remedy.endswith(".")
    assert not (rule.remedy[0].isupper() and rule.remedy[1].islower())


# --- Examples ----------------------------------------------------------------------------------------------------


def test_every_example_is_tested() -> None:
    fragments = {rule.code for rule in EXAMPLES if not is_complete(rule.bad)}
    assert fragments <= frames().keys() <= {rule.code for rule in EXAMPLES}


@pytest.mark.parametrize("rule", EXAMPLES, ids=lambda rule: rule.code)
def test_bad_example_gives_the_finding_and_good_one_does_not(rule: Rule, tmp_path: Path) -> None:
    assert rule.code in codes_found(rule.code, rule.bad, tmp_path)
    assert rule.code not in codes_found(rule.code, rule.good, tmp_path)


@pytest.mark.parametrize(
    "rule",
    [rule for rule in EXAMPLES if rule.code not in ABOUT_OUTPUT | TOLD_OTHERWISE | COMPILE_ALONE],
    ids=lambda rule: rule.code,
)
def test_lint_alone_finds_what_is_no_matter_of_the_output(rule: Rule, tmp_path: Path) -> None:
    found = repository_of(rule.code, rule.bad, tmp_path).lint().findings
    assert rule.code in {finding.rule.code for finding in found}


def test_every_rule_without_an_example_is_fired_by_a_test() -> None:
    """What is about no manifest (a command, a file, a cluster) has no example: a test of its own names what it gives.

    All tests are searched but this module.
    """
    sources = [path.read_text(encoding="utf-8") for path in TESTS.rglob("*.py") if path != Path(__file__)]
    constants = (node.value for text in sources for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Constant))
    named = {word for value in constants if isinstance(value, str) for word in re.findall(r"[A-Za-z0-9-]+", value)}
    assert [rule.code for rule in RULES if not rule.bad and named.isdisjoint((rule.code, rule.slug))] == []


# --- Pages -------------------------------------------------------------------------------------------------------


def test_committed_pages_are_current() -> None:
    assert build_rules.outdated() == [], "run python -m schemas.build_rules"


def test_pages_of_rules_that_are_gone_are_deleted(tmp_path: Path) -> None:
    (tmp_path / "OME998.md").write_text("gone", encoding="utf-8")
    (tmp_path / "diagram.svg").write_text("kept", encoding="utf-8")
    assert "OME998.md" in build_rules.outdated(tmp_path)
    build_rules.write(tmp_path)
    assert build_rules.outdated(tmp_path) == []
    assert not (tmp_path / "OME998.md").exists()
    assert (tmp_path / "diagram.svg").exists()


def test_a_page_has_every_part() -> None:
    rule = Rule("OME999", "a-name", Severity.WARNING, "S", why="W.", fix="F.", source="R", bad="b: 1\n", good="b: 2\n")
    headings = re.findall(r"^#+ (.+)$", page(rule), re.MULTILINE)
    assert headings == [
        "OME999 a-name",
        "What it finds",
        "Why it matters",
        "Example",
        "Use instead",
        "How to fix it",
        "Source",
    ]


def test_the_list_links_every_page() -> None:
    files = pages(RULES)
    links = set(re.findall(r"\((OME\d{3}\.md)\)", files["README.md"]))
    assert links == files.keys() - {"README.md"}


def test_no_page_has_text_that_markdown_swallows() -> None:
    """A ``<placeholder>`` outside of code would be an HTML tag."""
    for name, text in pages(RULES).items():
        prose = re.sub(r"```.*?```|`[^`]*`|<!--.*?-->", "", text, flags=re.DOTALL)
        assert "<" not in prose, name
