"""Fixes: each rule's own bad example is mended, and nothing else changes."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from unittest.mock import patch

import pytest
import yaml

import omec
from omec.finding import Finding
from omec.lint.catalogue import all_rules
from omec.lint.fix import Fixes
from omec.lint.fix.fixers import FIXERS
from omec.lint.fix.run import field_path
from omec.lint.result import LintResult
from omec.repo.edit import edited
from tests.lint.examples import frames, manifests

RULES = {rule.code: rule for rule in all_rules()}


MISSPELT = """\
apiVersion: ome.io/v1beta1
kind: ClusterBaseModel
metadata: {name: llama}
spec:
  storge: {storageUri: "hf://a/b", path: /mnt/data/models/b}
"""
"""The example of unknown-field is about a name that no other comes near."""


def lint(folder: Path, code: str) -> LintResult:
    return omec.open(folder, config={"lint": {"extend-select": [code]}}).lint()


def codes(findings: tuple[Finding, ...]) -> Counter[str]:
    return Counter(finding.rule.code for finding in findings)


def test_the_catalogue_says_what_can_be_fixed() -> None:
    assert {rule.code for rule in RULES.values() if rule.fixable} == FIXERS.keys()


@pytest.mark.parametrize("code", sorted(FIXERS))
def test_the_bad_example_is_mended(code: str, tmp_path: Path) -> None:
    """With comments beside every line, of which those of the fields that stay stay."""
    rule, file = RULES[code], tmp_path / "example.yaml"
    text = MISSPELT if code == "OME120" else manifests(frames().get(code, {}), rule.bad)
    file.write_text(text, encoding="utf-8")
    before = lint(tmp_path, code)
    of_rule = tuple(finding for finding in before.findings if finding.rule.code == code)
    assert of_rule
    fixes = Fixes.of(of_rule, before.texts, unsafe=True)
    assert [made.path for made in fixes.files] == [str(file)]
    for made in fixes.files:
        made.write()
    after = lint(tmp_path, code)
    assert codes(after.findings)[code] < len(of_rule)
    new = codes(after.findings) - codes(before.findings)
    # What is named right is judged for the first time.
    assert not new or code in ("OME120", "OME140", "OME141", "OME509")


def test_field_path() -> None:
    assert field_path("spec.ports[0].name") == ("spec", "ports", 0, "name")
    assert field_path("metadata.annotations[ome.io/a-b].x") == ("metadata", "annotations", "ome.io/a-b", "x")


SERVICE = """\
# The chat service.
apiVersion: ome.io/v1beta1
kind: ClusterServingRuntime   # cluster-wide
metadata:
  name: sglang  # the engine
spec:
  # 4 to 7 billion
  modelSizeRange: {min: 7b, max: '4b'} # sizes
  tolerations:   # never read
  - key: gpu     # at all
    operator: Exists
  # what it serves
  supportedModelFormats:
  - modelFormat: {name: safetensors}
    modelFramework: {name: transformers}
    modelArchitecture: LlamaForCausalLM
"""
MENDED = SERVICE.replace("min: 7b, max: '4b'", "min: 7B, max: '4B'")


def fixed(folder: Path, *, unsafe: bool = False) -> Fixes:
    result = omec.open(folder, config={"lint": {"select": ["OME3", "OME971"]}}).lint()
    return Fixes.of(result.findings, result.texts, unsafe=unsafe)


def test_nothing_else_changes(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(SERVICE, encoding="utf-8")
    (made,) = fixed(tmp_path).files
    gone = "  tolerations:   # never read\n  - key: gpu     # at all\n    operator: Exists\n"
    assert made.after == MENDED.replace(gone, "")
    assert "-  - key: gpu     # at all\n" in made.diff()
    assert made.diff().count("\n+") == 2


def test_fixes_of_one_place_are_made_one_after_the_other(tmp_path: Path) -> None:
    """The bounds are spelt right first; that they stand the wrong way round shows in the next run."""
    (tmp_path / "a.yaml").write_text(SERVICE, encoding="utf-8")
    for made in fixed(tmp_path).files:
        made.write()
    (made,) = fixed(tmp_path).files
    assert yaml.safe_load(made.after)["spec"]["modelSizeRange"] == {"min": "4B", "max": "7B"}
    assert "{min: 4B, max: '7B'} # sizes" in made.after


def test_what_is_not_on_disk_is_left(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(SERVICE, encoding="utf-8")
    result = omec.open(tmp_path, config={}).lint()
    (tmp_path / "a.yaml").write_text(SERVICE + "# changed since\n", encoding="utf-8")
    fixes = Fixes.of(result.findings, result.texts)
    assert fixes.files == ()
    assert {finding.rule.code for finding in fixes.left} == {"OME331"}


def test_one_that_cannot_be_made_does_not_stop_the_others(tmp_path: Path) -> None:
    """A tag leaves no place for a value of its own, and of a List ruamel.yaml sees one document."""
    text = "apiVersion: v1\nkind: List\nitems:\n" + "".join(
        "- apiVersion: ome.io/v1beta1\n  kind: ClusterServingRuntime\n"
        f"  metadata: {{name: {name}}}\n  spec: {{modelSizeRange: {{max: {size}}}}}\n"
        for name, size in (("a", "!!str 7b"), ("b", "8b"))
    )
    (tmp_path / "a.yaml").write_text(text, encoding="utf-8")
    fixes = fixed(tmp_path)
    assert [made.after for made in fixes.files] == [text.replace("8b", "8B")]
    assert [finding.field for finding in fixes.left] == ["spec.modelSizeRange.max"]


def test_objects_on_one_line(tmp_path: Path) -> None:
    """Line numbers do not tell the items of a List apart."""
    item = "{apiVersion: ome.io/v1beta1, kind: ClusterServingRuntime, metadata: {name: %s}, spec: %s}"
    items = f"items: [{item % ('a', '{}')}, {item % ('b', '{modelSizeRange: {max: 7b}}')}]"
    text = f"apiVersion: v1\nkind: List\n{items}\n"
    (tmp_path / "a.yaml").write_text(text, encoding="utf-8")
    fixes = fixed(tmp_path)
    assert [made.after for made in fixes.files] == [text.replace("7b", "7B")]


def test_a_diff_knows_the_lines_that_patch_knows(tmp_path: Path) -> None:
    text = SERVICE.replace("key: gpu ", 'key: "a\u2028 b" ')
    (tmp_path / "a.yaml").write_text(text, encoding="utf-8")
    (made,) = fixed(tmp_path).files
    assert '-  - key: "a\u2028 b"     # at all\n' in made.diff()


def test_what_is_no_text_is_quoted_as_it_is_written(tmp_path: Path) -> None:
    """YAML reads 1, 8, 1.1, 16, 1000, true and false."""
    written = ("1.0", "010", "1.10", "0x10", "1_000", "on", "NO")
    labels = ", ".join(f"l{number}: {text}" for number, text in enumerate(written))
    text = f"apiVersion: ome.io/v1beta1\nkind: ClusterServingRuntime\nmetadata: {{name: a, labels: {{{labels}}}}}\n"
    (tmp_path / "a.yaml").write_text(text, encoding="utf-8")
    result = omec.open(tmp_path, config={}).lint()
    (made,) = Fixes.of(result.findings, result.texts).files
    assert list(yaml.safe_load(made.after)["metadata"]["labels"].values()) == list(written)


def test_many_fixes_in_one_file(tmp_path: Path) -> None:
    """One that cannot be made is found among many by halves."""
    item = "- apiVersion: ome.io/v1beta1\n  kind: ClusterServingRuntime\n  metadata: {name: r%d}\n"
    item += "  spec: {modelSizeRange: {max: %s}}\n"
    sizes = ("!!str 7b" if number == 29 else "7b" for number in range(64))
    text = "apiVersion: v1\nkind: List\nitems:\n" + "".join(item % each for each in enumerate(sizes))
    (tmp_path / "a.yaml").write_text(text, encoding="utf-8")
    with patch("omec.lint.fix.run.edited", wraps=edited) as calls:
        fixes = fixed(tmp_path)
    assert [made.after for made in fixes.files] == [text.replace("max: 7b", "max: 7B")]
    assert len(fixes.left) == 1
    assert calls.call_count < 20
