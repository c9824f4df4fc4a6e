"""The rules of ``omec.lint.rules`` as a whole: how they are named, loaded, switched and run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import omec
from omec.finding import Rule
from omec.lint import checks
from omec.lint.context import Context, Fault
from omec.lint.rules import DEFAULT, ON_REQUEST, POLICIES, LintRule, load

CODES = sorted(DEFAULT | ON_REQUEST | POLICIES)
PACKAGE = Path(checks.__file__).with_name("rules")

RUNTIME = """\
apiVersion: ome.io/v1beta1
kind: ClusterServingRuntime
metadata: {name: r}
spec:
  supportedModelFormats:
  - modelFormat: {name: safetensors}
    modelFramework: {name: transformers, version: "4.36.0", operator: GreaterThan}
    modelArchitecture: LlamaForCausalLM
  engineConfig: {runner: {name: ome-container, image: "example.com/sglang:v1"}}
"""


@pytest.mark.parametrize("code", CODES)
def test_a_module_holds_the_rule_that_it_is_listed_under(code: str) -> None:
    """Every rule has an example, which the tests of the catalogue prove."""
    rule = load(code).rule
    assert rule.code == code
    assert rule.default is (code not in ON_REQUEST)
    assert rule.bad
    assert rule.good


def test_every_module_is_listed() -> None:
    modules = {
        ".".join(path.relative_to(PACKAGE).with_suffix("").parts)
        for path in PACKAGE.glob("*/*.py")
        if path.name != "__init__.py" and "\nRULE = " in path.read_text(encoding="utf-8")
    }
    listed = [*DEFAULT.values(), *ON_REQUEST.values(), *POLICIES.values()]
    assert sorted(listed) == sorted(modules)


def test_each_table_is_in_the_order_of_codes() -> None:
    for table in (DEFAULT, ON_REQUEST, POLICIES):
        assert list(table) == sorted(table)


def test_what_is_ignored_is_not_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "r.yaml").write_text(RUNTIME, encoding="utf-8")
    loaded: list[str] = []
    monkeypatch.setattr(checks, "load", lambda code: loaded.append(code) or load(code))
    assert "OME330" in {f.rule.code for f in omec.open(tmp_path, config={}).lint().findings}
    assert "OME330" in loaded
    assert not set(loaded) & (ON_REQUEST | POLICIES).keys()
    loaded.clear()
    omec.open(tmp_path, config={"lint": {"ignore": ["OME330"]}}).lint()
    assert "OME330" not in loaded


def test_a_place_is_reported_once_a_rule(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "r.yaml").write_text(RUNTIME, encoding="utf-8")
    rule: Rule = load("OME330").rule

    def check(context: Context) -> Iterator[Fault]:
        for _ in range(2):
            yield Fault(context.runtimes[0], ("metadata", "name"), "m")

    monkeypatch.setattr(checks, "load", lambda _: LintRule(rule, check))
    found = omec.open(tmp_path, config={"lint": {"select": ["OME330"]}}).lint().findings
    assert [(str(f.position)[-8:], f.message, f.help) for f in found] == [("aml:3:18", "m", rule.remedy)]


def test_a_rule_that_fails_is_a_finding_and_the_others_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "r.yaml").write_text(RUNTIME.replace("ome.io/v1beta1", "ome.io/v1beta1\nspek: {}"), encoding="utf-8")

    def check(context: Context) -> Iterator[Fault]:
        yield from (Fault(runtime, (), "m") for runtime in context.runtimes)
        raise ZeroDivisionError("once")

    monkeypatch.setattr(checks, "DEFAULT", {"OME330": ""})
    monkeypatch.setattr(checks, "load", lambda _: LintRule(load("OME330").rule, check))
    result = omec.open(tmp_path, config={"lint": {"ignore": ["OME071"]}}).lint()
    assert result.incomplete
    failed = next(finding for finding in result.findings if finding.rule.slug == "rule-failed")
    assert failed.message == "the check OME330 failed: ZeroDivisionError: once"
    assert {"OME120"} <= {finding.rule.code for finding in result.findings}


def test_nothing_is_called_unused_while_a_rule_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rule might have found what is suppressed."""
    comment = "# omec: ignore[OME330] models of old releases\n# omec: ignore-file[OME331, no-such-rule] why\n"
    (tmp_path / "r.yaml").write_text(comment + RUNTIME, encoding="utf-8")
    config = {"lint": {"select": ["OME330", "OME331", "OME072", "OME073", "OME075"]}}
    assert "OME072" in {finding.rule.code for finding in omec.open(tmp_path, config=config).lint().findings}

    def check(context: Context) -> Iterator[Fault]:
        raise ZeroDivisionError

    monkeypatch.setattr(checks, "load", lambda code: LintRule(load(code).rule, check))
    found = omec.open(tmp_path, config=config).lint().findings
    assert {finding.rule.code for finding in found} == {"OME071", "OME073"}
