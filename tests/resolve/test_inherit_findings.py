"""Findings about inheritance, each at the key or value that is wrong."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from omec.catalog.build import build_catalog
from omec.finding import Finding, Severity
from omec.repo.read import read
from omec.resolve.inherit import ChainResolver
from omec.resolve.inherit_findings import inherit_findings

Lint = Callable[..., list[Finding]]


def runtime(name: str, parent: str = "", spec: str = "{}", namespace: str = "") -> str:
    kind = "ServingRuntime" if namespace else "ClusterServingRuntime"
    lines = ["---", "apiVersion: ome.io/v1beta1", f"kind: {kind}", "metadata:", f"  name: {name}"]
    if namespace:
        lines.append(f"  namespace: {namespace}")
    if parent:
        lines += ["  annotations:", f"    ome.io/inherit-from: {parent}"]
    return "\n".join([*lines, f"spec: {spec}", ""])


@pytest.fixture
def lint(tmp_path: Path) -> Lint:
    def findings(*texts: str, external: tuple[str, ...] = (), context: tuple[str, ...] = ()) -> list[Finding]:
        folders = []
        for folder, contents in (("own", texts), ("context", context)):
            (tmp_path / folder).mkdir()
            (tmp_path / folder / "runtimes.yaml").write_text("".join(contents), encoding="utf-8")
            folders.append(read([tmp_path / folder]).documents)
        catalog = build_catalog(folders[0], context=folders[1]).catalog
        return inherit_findings(catalog, ChainResolver(catalog, external))

    return findings


def test_nothing_to_say(lint: Lint) -> None:
    assert lint(runtime("p"), runtime("c", "p", "{disabled: false}")) == []


def test_a_missing_parent(lint: Lint) -> None:
    (finding,) = lint(runtime("c", "ghost"))
    assert (finding.rule.code, finding.severity) == ("OME201", Severity.ERROR)
    assert finding.message == 'inherit-from parent "ghost" not found (chain so far: [c])'
    assert (finding.position.line, finding.position.column) == (7, 26)
    assert finding.field == "metadata.annotations[ome.io/inherit-from]"
    assert (
        finding.help == "add the runtime ghost, or list it under external-runtimes in omec.toml if the cluster has it"
    )


def test_a_parent_further_up_is_missing(lint: Lint) -> None:
    """Every runtime below the gap is refused by the webhook; each says where the gap is."""
    lower, upper = lint(runtime("a", "b"), runtime("b", "ghost"))
    assert lower.message == 'inherit-from parent "ghost" not found (chain so far: [a b])'
    assert lower.position.line == 7
    (related,) = lower.related
    assert (related.position.line, related.message) == (15, "ClusterServingRuntime b inherits from ghost here")
    assert upper.related == ()


@pytest.mark.parametrize(
    ("texts", "help_text"),
    [
        ([runtime("sglang-profile"), runtime("c", "sglang-profle")], "did you mean sglang-profile?"),
        (
            [runtime("p", namespace="team"), runtime("c", "p")],
            "ServingRuntime team/p has that name, "
            "but a ClusterServingRuntime inherits from ClusterServingRuntimes only",
        ),
        (
            [runtime("p", namespace="other"), runtime("c", "p", namespace="team")],
            "ServingRuntime other/p has that name; inherit from a runtime of namespace team or of the cluster scope",
        ),
        ([runtime("pool", namespace="team"), runtime("c", "poool", namespace="team")], "did you mean pool?"),
    ],
)
def test_what_was_meant(lint: Lint, texts: list[str], help_text: str) -> None:
    (finding,) = lint(*texts)
    assert finding.help == help_text


def test_a_parent_in_the_cluster_only_is_no_finding(lint: Lint) -> None:
    assert lint(runtime("c", "ghost"), external=("ghost",)) == []


def test_a_cycle(lint: Lint) -> None:
    first, second = lint(runtime("a", "b"), runtime("b", "a"))
    assert (first.rule.code, first.message) == ("OME202", "inheritance cycle detected: [a b a]")
    assert (
        first.help == "remove ome.io/inherit-from from ClusterServingRuntime b, or let it inherit from another runtime"
    )
    assert second.message == "inheritance cycle detected: [b a b]"


def test_a_chain_of_six(lint: Lint) -> None:
    (finding,) = lint(runtime("n0"), *(runtime(f"n{i}", f"n{i - 1}") for i in range(1, 6)))
    assert finding.rule.code == "OME203"
    assert finding.object is not None
    assert finding.object.name == "n5"


def test_a_pull_secret_without_a_name(lint: Lint) -> None:
    (finding,) = lint(
        runtime("p", spec="{engineConfig: {imagePullSecrets: [{name: a}]}}"),
        runtime("c", "p", spec="{engineConfig: {imagePullSecrets: [{name: b}, {}]}}"),
    )
    assert finding.rule.code == "OME204"
    assert finding.message.startswith("merge c onto effective: strategic merge: map: map[] does not contain")
    (related,) = finding.related
    assert (related.position.line, related.message) == (14, "this item has no name")


def test_a_label_that_is_read_as_a_directive(lint: Lint) -> None:
    """Only in free maps: a `$patch` beside fields never reaches the merge."""
    (finding,) = lint(
        runtime("p", spec="{engineConfig: {labels: {a: b}}}"),
        runtime("c", "p", spec="{engineConfig: {$patch: delete, labels: {$patch: delete}}}"),
    )
    assert finding.rule.code == "OME204"
    assert finding.message.endswith("$patch would be read as a directive of the merge")
    assert finding.help == (
        "rename spec.engineConfig.labels.$patch, here and in all runtimes that this one inherits from"
    )
    (related,) = finding.related
    assert related.message == "this key is read as a directive"
    assert related.position.line == 14


def test_a_parent_that_is_defined_twice(lint: Lint) -> None:
    (finding,) = lint(runtime("p"), runtime("p"), runtime("c", "p"))
    assert finding.rule.code == "OME205"
    assert [related.position.line for related in finding.related] == [5, 11]


# Reference 02 §6
@pytest.mark.parametrize(
    ("marker", "spec", "line"),
    [
        ('"true"', "{}", 7),
        ('"true"', "{disabled: false}", 8),
        ('"true"', "{disabled: true}", None),
        ('"false"', "{}", None),
        ('"TRUE"', "{}", None),
        ("true", "{}", None),
    ],
)
def test_profiles(lint: Lint, marker: str, spec: str, line: int | None) -> None:
    text = runtime("p", "x", spec).replace("ome.io/inherit-from: x", f"ome.io/runtime-profile: {marker}")
    findings = lint(text)
    assert [finding.position.line for finding in findings] == ([] if line is None else [line])
    for finding in findings:
        assert finding.rule.code == "OME206"
        assert finding.message == 'runtimes carrying ome.io/runtime-profile="true" must also set spec.disabled: true'


def test_a_disabled_parent_does_not_disable_a_profile(lint: Lint) -> None:
    text = runtime("c", "p").replace("annotations:\n", 'annotations:\n    ome.io/runtime-profile: "true"\n')
    (finding,) = lint(runtime("p", spec="{disabled: true}"), text)
    assert finding.rule.code == "OME206"


def test_a_child_that_can_be_selected(lint: Lint) -> None:
    spec = "{supportedModelFormats: [{autoSelect: false}, {autoSelect: true}]}"
    (finding,) = lint(runtime("p", spec=spec), runtime("c", "p", spec))
    assert (finding.rule.code, finding.severity) == ("OME207", Severity.WARNING)
    assert finding.field == "spec.supportedModelFormats[1].autoSelect"
    assert finding.message == (
        "ClusterServingRuntime c can be selected automatically, and would then run without what it inherits from p"
    )
    assert (finding.position.line, finding.position.column) == (14, 66)


def test_catalogs_of_others_have_no_findings(lint: Lint) -> None:
    assert lint(context=(runtime("c", "ghost"),)) == []


@pytest.mark.parametrize("spec", ["text", "[]", "{supportedModelFormats: 3}", "{supportedModelFormats: [3]}"])
def test_specs_of_the_wrong_type(lint: Lint, spec: str) -> None:
    assert lint(runtime("p"), runtime("c", "p", spec)) == []
