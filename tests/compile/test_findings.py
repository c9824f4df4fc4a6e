"""From services in files to what is wrong with their rendering, at the line that causes it."""

from __future__ import annotations

from pathlib import Path

import pytest

from omec.catalog.build import build_catalog
from omec.compile import rules
from omec.compile.cluster import Cluster
from omec.compile.findings import Sources, finding_of
from omec.compile.gather import gather
from omec.compile.problems import RenderError
from omec.compile.render import render
from omec.finding import Finding, ObjectRef, Rule
from omec.repo.read import read
from omec.resolve.decide import Decider
from omec.resolve.inherit import ChainResolver

MODEL = """
kind: ClusterBaseModel
metadata: {name: llama}
spec:
  modelFormat: {name: safetensors}
  storage: {storageUri: hf://a/b}
"""
PROFILE = """
kind: ClusterServingRuntime
metadata: {name: profile}
spec:
  engineConfig:
    runner:
      name: ome-container
      image: example.com/engine:1
      args: [--model-path, $(MODEL_PATH)]
      env:
      - name: A
        value: a
      - name: B
        value: b  # from the profile
  decoderConfig:
    minReplicas: 9
    maxReplicas: 2
    runner: {name: ome-container}
"""
RUNTIME = """
kind: ClusterServingRuntime
metadata:
  name: rt
  annotations: {ome.io/inherit-from: profile}
spec:
  engineConfig:
    runner:
      name: ome-container
      env:
      - name: B
        value: b  # from the child
"""
SERVICE = """
kind: InferenceService
metadata: {name: chat, namespace: prod}
spec:
  model: {name: llama}
  runtime: {name: rt}
  engine: {}
"""


def findings(folder: Path, service: str = SERVICE, runtime: str = RUNTIME, profile: str = PROFILE) -> list[Finding]:
    """The findings on rendering the service of these manifests."""
    for number, text in enumerate((MODEL, profile, runtime, service)):
        (folder / f"{number}.yaml").write_text(f"apiVersion: ome.io/v1beta1{text}", encoding="utf-8")
    catalog = build_catalog(read([folder]).documents).catalog
    chains = ChainResolver(catalog)
    decision = Decider(catalog, chains).services()[0]
    assert decision.service is not None
    assert decision.selected is not None
    chain = chains.chain(decision.selected).runtimes
    sources = Sources(decision.service, chain[::-1], decision.model)
    try:
        problems = render(gather(decision, catalog, Cluster())).problems
    except RenderError as error:
        problems = (error.problem,)
    return [finding_of(problem, sources) for problem in problems]


@pytest.mark.parametrize(
    ("old", "new", "rule", "place"),
    [
        ("engine: {}", 'engine: {runner: {args: ["{{.X}}"]}}', rules.PLACEHOLDER, (3, 7, '"{{.X}}"')),
        ("b  # from the child", '"{{.X}}"', rules.PLACEHOLDER, (2, 12, '"{{.X}}"')),
        ("value: a", 'value: "{{.X}}"', rules.PLACEHOLDER, (1, 12, '"{{.X}}"')),
        ("engine: {}", "engine: {minReplicas: 0}", rules.SCALE_TO_ZERO, (3, 7, "0}")),
        ("engine: {}", "engine: {}\n  decoder: {}", rules.REPLICA_BOUNDS, (1, 16, "9\n")),
        ("engine: {}", "decoder: {minReplicas: 1}", rules.NO_ENGINE, (3, 5, "model: ")),
        ("{name: llama}\n  runtime", "{name: llama, kind: Model}\n  runtime", rules.MODEL_NOT_SERVED, (3, 5, "Model}")),
    ],
)
def test_place_of_an_error(tmp_path: Path, old: str, new: str, rule: Rule, place: tuple[int, int, str]) -> None:
    texts = {name: globals()[name.upper()].replace(old, new) for name in ("service", "runtime", "profile")}
    assert any(texts[name] != globals()[name.upper()] for name in texts)
    (finding,) = findings(tmp_path, **texts)
    file, line, text = place
    assert finding.rule is rule
    assert finding.object == ObjectRef("InferenceService", "prod", "chat")
    assert (Path(finding.position.path).name, finding.position.line) == (f"{file}.yaml", line)
    content = Path(finding.position.path).read_text(encoding="utf-8").splitlines(keepends=True)
    assert content[line - 1][finding.position.column - 1 :].startswith(text)
    used = {1: "ClusterServingRuntime profile", 2: "ClusterServingRuntime rt"}.get(file)
    messages = [f"InferenceService prod/chat uses {used}"] if used else []
    assert [related.message for related in finding.related] == messages


def test_warnings_on_a_service_that_renders(tmp_path: Path) -> None:
    without_files, path_unset = findings(tmp_path)
    assert without_files.rule is rules.MODEL_WITHOUT_FILES
    assert (Path(without_files.position.path).name, without_files.field) == ("0.yaml", "spec.storage")
    assert path_unset.rule is rules.MODEL_PATH_UNSET
    assert (Path(path_unset.position.path).name, path_unset.field) == ("2.yaml", "spec.engineConfig.runner")
