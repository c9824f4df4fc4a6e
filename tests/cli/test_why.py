"""``omec why``: as people ask it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Omec

Example = Callable[[str], Path]
IMAGE = "spec.template.spec.containers[0].image"


def place(path: str, text: str, value: str = "") -> str:
    """``path``, line and column of ``value`` (or all of ``text``) on the first line that has ``text``."""
    for number, line in enumerate(Path(path).read_text(encoding="utf-8").splitlines(), start=1):
        if text in line:
            return f"{path}:{number}:{line.index(value or text) + 1}"
    raise AssertionError(f"{path} has no {text}")


def test_the_line_that_sets_a_field(omec: Omec, example: Example) -> None:
    folder = example("selection")
    outcome = omec("why", "deploy/llama-demo/chat-engine", IMAGE, folder)
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out == (
        "Deployment llama-demo/chat-engine\n"
        f"  {IMAGE}: docker.io/vllm/vllm-openai:v0.11.0\n"
        f"    set by   {place('selection/runtimes/team-llama.yaml', 'docker.io')} ServingRuntime llama-demo/team-llama "
        "spec.engineConfig.runner.image\n"
    )


def test_a_mapping_answers_for_all_below_it(omec: Omec, example: Example) -> None:
    outcome = omec("why", "svc/llama-demo/chat", "spec.selector", example("selection"))
    assert outcome.out == (
        "Service llama-demo/chat\n"
        "  spec.selector[ome.io/inferenceservice]: chat\n"
        f"    set by   {place('selection/services/chat.yaml', 'name: chat', 'chat')} "
        "InferenceService llama-demo/chat metadata.name\n"
        "  spec.selector.component: engine\n"
        "    set by   OME: the label of the component (reference 04 §7.2)\n"
        "    because  OME's chart (omec.toml can set it) operator.ingress.disableIngressCreation: true\n"
    )


def test_what_was_overridden(omec: Omec, example: Example) -> None:
    outcome = omec("why", "hpa/llama-demo/chat-engine", "spec.maxReplicas", example("selection"))
    assert outcome.out.splitlines()[1:] == [
        "  spec.maxReplicas: 2",
        f"    set by   {place('selection/services/chat.yaml', 'maxReplicas: 2', '2')} InferenceService llama-demo/chat "
        "spec.engine.maxReplicas",
        "    over     OME's chart (omec.toml can set it) operator.deploy.replicas.defaultMaxReplicas.engine: 3",
    ]


def test_json(omec: Omec, example: Example) -> None:
    folder = example("selection")
    answer = json.loads(omec("why", "deploy/llama-demo/chat-engine", IMAGE, folder, "-o", "json").out)
    assert answer["object"] == {"kind": "Deployment", "namespace": "llama-demo", "name": "chat-engine"}
    assert answer["file"] == "selection/rendered/llama-demo/chat/deployment-chat-engine.yaml"
    assert answer["stale"] is False
    (field,) = answer["fields"]
    assert field["field"] == IMAGE
    line, column = place("selection/runtimes/team-llama.yaml", "docker.io").split(":")[1:]
    assert field["origin"] == {
        "kind": "runtime",
        "source": "ServingRuntime llama-demo/team-llama",
        "field": "spec.engineConfig.runner.image",
        "value": "docker.io/vllm/vllm-openai:v0.11.0",
        "path": "selection/runtimes/team-llama.yaml",
        "line": int(line),
        "column": int(column),
        "how": "copy",
    }
    assert (field["also"], field["because"], field["overrode"], field["rule"]) == ([], [], [], None)


@pytest.mark.parametrize("platform", ["ome", "kubernetes"])
def test_a_rendered_file_finds_its_sources(omec: Omec, example: Example, tmp_path: Path, platform: str) -> None:
    """Several repositories lie at hand; the file is that of one of them, on one platform."""
    for name in ("selection", "gateway", "multi-node"):
        example(name)
    out = tmp_path / "elsewhere"
    assert omec("compile", "multi-node", "-o", out, "--platform", platform).code == 0
    kind = {"ome": "inferencereplica", "kubernetes": "leaderworkerset-lws"}[platform]
    template = {"ome": "runners[0].template", "kubernetes": "leaderWorkerTemplate.leaderTemplate"}[platform]
    file = out / "llama-demo" / "chat" / f"{kind}-chat-engine.yaml"
    outcome = omec("why", file, f"spec.{template}.spec.containers[0].image")
    assert (outcome.code, outcome.err) == (0, "")
    assert f"set by   {place('multi-node/runtimes/sglang-two-nodes.yaml', 'docker.io')} " in outcome.out


def test_a_stale_file_is_told(omec: Omec, example: Example) -> None:
    folder = example("selection")
    file = folder / "rendered" / "llama-demo" / "chat" / "deployment-chat-engine.yaml"
    runtime = folder / "runtimes" / "team-llama.yaml"
    runtime.write_text(runtime.read_text().replace("v0.11.0", "v0.12.0"))
    outcome = omec("why", file, IMAGE)
    assert outcome.code == 0
    assert f"warning: {file} is not what the sources give now" in outcome.err
    assert f"{IMAGE}: docker.io/vllm/vllm-openai:v0.12.0" in outcome.out
    assert json.loads(omec("why", file, IMAGE, "-o", "json").out)["stale"] is True


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (
            ("deploy/llama-demo/chat-engine", "spec.template.spec.container"),
            "OME081",
            "did you mean spec.template.spec.containers?",
        ),
        (("deploy/llama-demo/chat-engin", "spec"), "OME080", "did you mean Deployment/llama-demo/chat-engine?"),
        (("llama-demo/chat-engine", "spec"), "OME080", "names 4 rendered objects"),
        (("selection/rendered/nothing.yaml", "spec"), "OME080", "there is no file selection/rendered/nothing.yaml"),
        (("deploy/llama-demo/chat-engine", "spec.["), "OME002", "is no path of a field"),
    ],
)
def test_questions_without_an_answer(
    omec: Omec, example: Example, arguments: tuple[str, str], code: str, message: str
) -> None:
    outcome = omec("why", *arguments, example("selection"))
    assert (outcome.code, outcome.out) == (2, "")
    assert f"[{code}]" in outcome.err
    assert message in outcome.err


def test_a_file_of_nobody(omec: Omec, example: Example) -> None:
    example("selection")
    Path("mine.yaml").write_text("apiVersion: v1\nkind: Service\nmetadata: {name: x, namespace: y}\n")
    outcome = omec("why", "mine.yaml", "spec")
    assert (outcome.code, outcome.out) == (2, "")
    assert "[OME082]" in outcome.err
    Path("mine.yaml").write_text("a: 1\n---\nb: 2\n")
    assert "[OME080]" in omec("why", "mine.yaml", "spec").err


def test_a_service_with_an_error_is_named(omec: Omec, example: Example) -> None:
    folder = example("selection")
    service = folder / "services" / "chat.yaml"
    service.write_text(service.read_text().replace("name: llama-3-2-3b", "name: no-such"))
    outcome = omec("why", "deploy/llama-demo/chat-engine", "spec", folder)
    assert outcome.code == 2
    assert "InferenceService llama-demo/chat is not rendered: omec compile says why" in outcome.err
