"""What OME refuses, `omec compile` refuses: its message, the place in the file, exit code 1, and nothing written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import yaml

from tests.cli.conftest import Omec

MARK = "►"
BASE = {"model": "model: {name: m}", "runtime": "runtime: {name: rt}", "engine": "engine: {}"}
AROUND = """\
apiVersion: ome.io/v1beta1
kind: ClusterBaseModel
metadata: {name: m}
spec:
  modelFormat: {name: safetensors}
  modelFramework: {name: transformers}
  storage: {storageUri: "hf://a/b", path: /models/m}
---
apiVersion: ome.io/v1beta1
kind: ClusterServingRuntime
metadata: {name: rt}
spec:
  supportedModelFormats: [{modelFormat: {name: safetensors}, modelFramework: {name: transformers}}]
  engineConfig: {runner: {name: ome-container, image: "x:1"}}
  decoderConfig: {runner: {name: ome-container, image: "x:1"}}
---
"""


@dataclass(frozen=True)
class Case:
    """One row of ``refusals.yaml``; see there."""

    rule: str
    says: str
    spec: str = ""
    meta: str = ""
    more: str = ""
    place: str = ""
    config: str = ""
    omit: Sequence[str] = field(default_factory=tuple)

    @property
    def marked(self) -> str:
        """The manifests, with the mark before the place of the finding."""
        named = self.meta if self.meta.startswith("name:") else f"name: chat\n  {self.meta}"
        given = {name for name in BASE if self.spec.startswith(f"{name}:") or f"\n  {name}:" in self.spec}
        lines = [text for name, text in BASE.items() if name not in {*self.omit, *given}]
        lines = [self.place if self.place.replace(MARK, "") == text else text for text in lines]
        spec = "\n  ".join(filter(None, [*lines, self.spec])) or "{}"
        service = f"apiVersion: ome.io/v1beta1\nkind: InferenceService\nmetadata:\n  {named}\n  namespace: llm\n"
        return f"{AROUND}{service}spec:\n  {spec}\n" + (f"---\n{self.more}" if self.more else "")


CASES = [Case(**row) for row in yaml.safe_load(Path(__file__).with_name("refusals.yaml").read_text(encoding="utf-8"))]


@pytest.mark.parametrize("case", CASES, ids=[case.rule for case in CASES])
def test_refused(case: Case, omec: Omec, tmp_path: Path) -> None:
    before, _, _ = case.marked.partition(MARK)
    (tmp_path / "omec.toml").write_text(f'source = "src"\noutput = "out"\n{case.config}\n', encoding="utf-8")
    source = tmp_path / "src" / "all.yaml"
    source.parent.mkdir()
    source.write_text(case.marked.replace(MARK, ""), encoding="utf-8")

    outcome = omec("compile", tmp_path)

    errors = [line for line in outcome.out.splitlines() if ": error[" in line]
    (found,) = [line for line in errors if case.says in line] or [errors]  # told once
    assert outcome.code == 1
    assert not (tmp_path / "out").exists()
    if MARK in case.marked:
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        assert f"all.yaml:{line}:{column}: error[" in found


def test_every_case_is_sound_without_its_fault(omec: Omec, tmp_path: Path) -> None:
    case = Case("none", "")
    (tmp_path / "all.yaml").write_text(case.marked, encoding="utf-8")
    assert omec("compile", tmp_path, "-o", tmp_path / "out").code == 0
