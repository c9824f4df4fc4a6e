"""``omec compile`` as a person uses it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from tests.cli.conftest import Omec
from tests.conftest import EXAMPLES, ROOT

Example = Callable[[str], Path]


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_examples_are_compiled_and_current(omec: Omec, name: str) -> None:
    """The committed output of every example is what compile writes; ``omec compile examples/NAME`` updates it."""
    outcome = omec("compile", ROOT / "examples" / name, "--check")
    assert outcome.code == 0
    assert [line for line in outcome.out.splitlines() if " info[" not in line and not line.startswith("  help:")] == []


def test_the_examples_are_complete() -> None:
    assert sorted(path.name for path in (ROOT / "examples").iterdir()) == sorted([*EXAMPLES, "broken"])


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_examples_have_no_findings(omec: Omec, name: str) -> None:
    outcome = omec("lint", ROOT / "examples" / name)
    assert (outcome.code, outcome.out) == (0, "")


def test_a_second_run_changes_nothing(omec: Omec, example: Example) -> None:
    folder = example("selection")
    before = files(folder)
    outcome = omec("compile", folder)
    assert outcome.code == 0
    assert "0 created, 0 updated, 0 deleted, 6 unchanged" in outcome.err
    assert files(folder) == before


def test_a_stale_output_fails_the_check_and_shows_the_difference(omec: Omec, example: Example) -> None:
    folder = example("selection")
    runtime = folder / "runtimes" / "team-llama.yaml"
    runtime.write_text(runtime.read_text().replace("v0.11.0", "v0.12.0"))
    before = files(folder)
    outcome = omec("compile", folder, "--check")
    assert outcome.code == 1
    assert "-        image: docker.io/vllm/vllm-openai:v0.11.0\n" in outcome.out
    assert "+        image: docker.io/vllm/vllm-openai:v0.12.0\n" in outcome.out
    assert files(folder) == before


def test_an_error_leaves_the_output_as_it_was(omec: Omec, example: Example) -> None:
    folder = example("inheritance")
    before = files(folder / "rendered")
    (folder / "runtimes" / "sglang-profile.yaml").unlink()
    outcome = omec("compile", folder)
    assert outcome.code == 1
    assert 'inherit-from parent "sglang-profile" not found' in outcome.out
    assert "nothing was written" in outcome.err
    assert files(folder / "rendered") == before


def test_keep_going_writes_the_other_services(omec: Omec, example: Example) -> None:
    folder = example("selection")
    service = (folder / "services" / "chat.yaml").read_text()
    (folder / "services" / "other.yaml").write_text(service.replace("name: chat", "name: other"))
    (folder / "services" / "chat.yaml").write_text(
        service.replace("name: llama-3-2-3b-instruct", "name: no-such-model")
    )
    kept = files(folder / "rendered" / "llama-demo" / "chat")
    outcome = omec("compile", folder, "--keep-going")
    assert outcome.code == 1
    assert "1 of 2 services" in outcome.err
    assert files(folder / "rendered" / "llama-demo" / "chat") == kept
    assert (folder / "rendered" / "llama-demo" / "other" / "deployment-other-engine.yaml").is_file()


def test_keep_going_keeps_what_came_from_an_unreadable_manifest(omec: Omec, example: Example) -> None:
    folder = example("selection")
    model = folder / "rendered" / "llama-demo" / "_shared" / "basemodel-llama-3-2-3b-instruct.yaml"
    (folder / "models" / "llama-3-2-3b-instruct.yaml").write_text("kind: [\n")
    outcome = omec("compile", folder, "--keep-going")
    assert outcome.code == 1
    assert model.is_file()
    assert (folder / "rendered" / "llama-demo" / "chat" / "deployment-chat-engine.yaml").is_file()


def test_a_removed_service_is_pruned_and_foreign_files_stay(omec: Omec, example: Example) -> None:
    folder = example("selection")
    (folder / "services" / "chat.yaml").unlink()
    note = folder / "rendered" / "llama-demo" / "chat" / "NOTES.md"
    note.write_text("mine\n")
    outcome = omec("compile", folder)
    assert outcome.code == 0
    assert "5 deleted" in outcome.err
    assert sorted(files(folder / "rendered" / "llama-demo" / "chat")) == ["NOTES.md"]


def test_a_duplicate_key_is_an_error_of_its_object(omec: Omec, example: Example) -> None:
    folder = example("selection")
    (folder / "omec.toml").write_text('source = "."\noutput = "rendered"\ndefault-namespace = "llama-demo"\n')
    service = folder / "services" / "chat.yaml"
    service.write_text(service.read_text().replace("  namespace: llama-demo\n", "") + "    minReplicas: 2\n")
    kept = files(folder / "rendered" / "llama-demo" / "chat")
    outcome = omec("compile", folder, "--keep-going")
    assert outcome.code == 1
    assert "0 of 1 services" in outcome.err
    assert files(folder / "rendered" / "llama-demo" / "chat") == kept


def test_a_manifest_in_the_output_is_no_source_and_told(omec: Omec, example: Example) -> None:
    folder = example("selection")
    (folder / "services" / "chat.yaml").rename(folder / "rendered" / "llama-demo" / "chat" / "chat.yaml")
    outcome = omec("compile", folder)
    assert "selection/rendered/llama-demo/chat/chat.yaml was not written by omec and is no source" in outcome.err
    assert "deleted: selection/rendered/llama-demo/chat/deployment-chat-engine.yaml" in outcome.err


def test_only_touches_one_service(omec: Omec, example: Example) -> None:
    folder = example("selection")
    service = (folder / "services" / "chat.yaml").read_text()
    (folder / "services" / "other.yaml").write_text(service.replace("name: chat", "name: other"))
    (folder / "models" / "llama-3-2-3b-instruct.yaml").write_text(
        (folder / "models" / "llama-3-2-3b-instruct.yaml").read_text().replace("vendor: meta", "vendor: metal")
    )
    before = files(folder / "rendered")
    outcome = omec("compile", folder, "--only", "llama-demo/other")
    assert outcome.code == 0
    after = files(folder / "rendered")
    assert {name for name in after if after[name] != before.get(name)} == {
        f"llama-demo/other/{name}"
        for name in (
            ".omec-index",
            "deployment-other-engine.yaml",
            "horizontalpodautoscaler-other-engine.yaml",
            "poddisruptionbudget-other-engine.yaml",
            "service-other-engine.yaml",
            "service-other.yaml",
        )
    }


def test_only_keeps_the_copy_of_its_service(omec: Omec, example: Example) -> None:
    folder = example("selection")
    options = ("--platform", "kubernetes", "--include", "inferenceservices")
    assert omec("compile", folder, *options).code == 0
    written = files(folder / "rendered")
    assert "llama-demo/chat/inferenceservice-chat.yaml" in written
    assert omec("compile", folder, *options, "--only", "llama-demo/chat").code == 0
    assert files(folder / "rendered") == written


def test_only_refuses_what_is_never_copied(omec: Omec, example: Example) -> None:
    outcome = omec("compile", example("selection"), "--only", "llama-demo/chat", "--include", "inferenceservices")
    assert outcome.code == 2
    assert "an InferenceService is not copied on platform ome" in outcome.err


def test_only_is_not_stopped_by_what_does_not_concern_it(omec: Omec, example: Example) -> None:
    folder = example("selection")
    service = (folder / "services" / "chat.yaml").read_text()
    (folder / "services" / "other.yaml").write_text(
        service.replace("name: chat", "name: other").replace("engine:", "engin:")
    )
    assert omec("compile", folder).code == 1
    assert omec("compile", folder, "--only", "llama-demo/chat").code == 0
    assert omec("compile", folder, "--only", "llama-demo/other").code == 1


def test_standard_output_is_a_stream_of_objects(omec: Omec, example: Example) -> None:
    outcome = omec("compile", example("selection"), "-o", "-")
    assert outcome.code == 0
    kinds = [document["kind"] for document in yaml.safe_load_all(outcome.out)]
    assert sorted(kinds) == [
        "BaseModel",
        "Deployment",
        "HorizontalPodAutoscaler",
        "PodDisruptionBudget",
        "Service",
        "Service",
    ]


def test_standard_output_as_json_is_the_api(omec: Omec, example: Example) -> None:
    import omec as api  # noqa: PLC0415

    folder = example("selection")
    outcome = omec("compile", folder, "-o", "-", "--format", "json")
    assert json.loads(outcome.out) == api.open(folder).compile().to_dict()


def test_json_says_everything_whatever_happens(omec: Omec, example: Example) -> None:
    folder = example("selection")
    written = json.loads(omec("compile", folder, "--format", "json").out)
    assert [obj["kind"] for obj in written["objects"]] == [
        "PodDisruptionBudget",
        "Service",
        "Service",
        "Deployment",
        "HorizontalPodAutoscaler",
        "BaseModel",
    ]
    assert {change["action"] for change in written["changes"]} == {"unchanged"}
    (folder / "services" / "chat.yaml").write_text("kind: [\n")
    for args in (["--format", "json"], ["--format", "json", "--check"], ["--format", "json", "-o", "-"]):
        outcome = omec("compile", folder, *args)
        assert outcome.code == 1
        answer = json.loads(outcome.out)
        assert answer["objects"] == []
        assert [finding["code"] for finding in answer["findings"]] == ["OME101"]


def test_without_marks_the_objects_are_those_of_ome(omec: Omec, example: Example) -> None:
    folder = example("selection")
    assert "app.kubernetes.io/managed-by" in omec("compile", folder, "-o", "-").out
    assert "app.kubernetes.io/managed-by" not in omec("compile", folder, "-o", "-", "--no-metadata").out


def test_a_pinned_service_needs_permission(omec: Omec, example: Example) -> None:
    folder = example("inheritance")
    service = folder / "services" / "llama-3-2-3b-instruct.yaml"
    service.write_text(
        service.read_text().replace(
            "    name: sglang-llama-3-2-3b\n", "    name: sglang-llama-3-2-3b\n    autoSync: false\n"
        )
    )
    refused = omec("compile", folder)
    assert refused.code == 1
    assert "autoSync" in refused.out
    allowed = omec("compile", folder, "--allow-unpinned")
    assert allowed.code == 0
    assert "warning[" in allowed.out


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (["compile"], "no output folder"),
        (["compile", "-o", "."], "is the source itself"),
        (["compile", "-o", "-", "--only", "chat"], "'chat' does not name an InferenceService"),
        (["compile", "-o", "-", "--check"], "--check compares with a folder"),
        (["explain", "--isvc", "llama-demo/chat", "-n", "other"], "llama-demo/chat is not in namespace other"),
        (["compile", "-o", "-", "--only", "llama-demo/chit"], "did you mean llama-demo/chat?"),
        (["compile", "-o", "-", "--kubernetes-version", "1.2"], "set kubernetes-version to one of"),
        (["compile", "-o", "-", "--include", "secrets"], "never copied"),
        (["compile", "-o", "/proc/omec"], "cannot"),
        (["lint", "missing-folder"], "missing-folder does not exist [OME060]"),
        (["lint", "empty"], "empty holds no Kubernetes manifest [OME066]"),
        (["lint", "chart"], "there is only chart/Chart.yaml and 1 more: no Kubernetes object"),
        (["lint", "chart"], "chart/templates/chat.yaml: Helm template: skipped (render the chart first"),
        (["lint", "--rev", "HEAD"], "Git repository"),
        (["explain"], "exactly one of --model or --isvc is required"),
        (["explain", "--model", "no-such-model"], 'clusterbasemodels.ome.io "no-such-model" not found [OME041]'),
        (["effective"], "exactly one of --runtime or --isvc is required"),
        (["effective", "--runtime", "team-lama"], "did you mean team-llama or vllm-llama?"),
    ],
)
def test_usage_errors_are_one_paragraph_with_a_remedy(omec: Omec, example: Example, args: list[str], told: str) -> None:
    folder = example("selection")
    (folder / "omec.toml").unlink()
    (folder / "empty").mkdir()
    (folder / "chart" / "templates").mkdir(parents=True)
    (folder / "chart" / "templates" / "chat.yaml").write_text("name: {{ .Release.Name }}\n")
    (folder / "chart" / "Chart.yaml").write_text("name: chart\n")
    (folder / "chart" / "values.yaml").write_text("replicas: 1\n")
    os.chdir(folder)
    outcome = omec(*args)
    assert outcome.code == 2
    assert told in outcome.err
    error, *more = outcome.err[outcome.err.index("omec: error: ") :].splitlines()
    assert error.endswith("]")
    assert [line[:8] for line in more] in ([], ["  help: "])


def test_an_output_inside_the_source_is_not_read(omec: Omec, example: Example) -> None:
    folder = example("selection")
    (folder / "omec.toml").unlink()
    assert omec("compile", folder, "-o", folder / "out", "--include", "runtimes").code == 0
    assert omec("compile", folder, "-o", folder / "out", "--include", "runtimes", "--check").code == 0


def test_the_output_does_not_depend_on_where_it_is_made(example: Example, tmp_path: Path) -> None:
    """Same bytes from another folder, another file layout, another hash seed, another locale."""
    folder = example("inheritance")
    moved = tmp_path / "elsewhere" / "repo"
    moved.mkdir(parents=True)
    documents = [
        path.read_text() for path in sorted(folder.rglob("*.yaml"), reverse=True) if "rendered" not in path.parts
    ]
    (moved / "all.yaml").write_text("---\n".join(documents))
    outputs = []
    for source, where, seed in ((folder.resolve(), tmp_path, "1"), (Path("repo"), moved.parent, "2")):
        result = subprocess.run(
            [sys.executable, "-m", "omec", "compile", str(source), "-o", "-"],
            cwd=where,
            env={**os.environ, "PYTHONHASHSEED": seed, "LC_ALL": "C"},
            capture_output=True,
            timeout=60,
            check=True,
        )
        outputs.append(result.stdout)
    assert outputs[0] == outputs[1]
    assert b"kind: Deployment" in outputs[0]


def test_two_compiles_at_once_both_succeed(example: Example) -> None:
    folder = example("selection").resolve()
    service = (folder / "services" / "chat.yaml").read_text()
    for number in range(40):
        (folder / "services" / f"s{number}.yaml").write_text(service.replace("name: chat", f"name: s{number}"))
    command = [sys.executable, "-m", "omec", "compile", str(folder), "-q"]
    runs = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for _ in range(3)]
    assert [(run.wait(timeout=60), run.stderr.read() if run.stderr else "") for run in runs] == [(0, "")] * 3
    for run in runs:
        if run.stderr:
            run.stderr.close()
    assert len(list((folder / "rendered").rglob("deployment-*.yaml"))) == 41
