"""Several environments in one repository, as a person works with them: examples/environments."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import omec as api
from omec.errors import OmecError
from tests.cli.conftest import Omec
from tests.cli.test_compile import files
from tests.kubectl import require_kubectl

Example = Callable[[str], Path]
STAGING_RUNTIME = "clusters/staging/runtime.yaml"


@pytest.fixture
def folder(example: Example) -> Path:
    return example("environments")


def replace_in(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def without_staging(folder: Path) -> None:
    """Remove the environment ``staging`` from the configuration."""
    text = (folder / "omec.toml").read_text()
    start, end = text.index("[environments.staging]"), text.index("[environments.production]")
    (folder / "omec.toml").write_text(text[:start] + text[end:])


def test_each_environment_has_its_folder_and_its_settings(folder: Path) -> None:
    staging, production = (folder / "rendered" / name / "llama-demo" / "chat" for name in ("staging", "production"))
    assert 'nvidia.com/gpu: "1"' in (staging / "deployment-chat-engine.yaml").read_text()
    assert 'nvidia.com/gpu: "2"' in (production / "deployment-chat-engine.yaml").read_text()
    assert "minReplicas: 2" in (production / "horizontalpodautoscaler-chat-engine.yaml").read_text()


def test_a_second_run_changes_nothing_from_wherever_it_is_started(
    omec: Omec, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = files(folder)
    outcome = omec("compile", folder)
    assert outcome.code == 0
    assert outcome.err.splitlines()[-2:] == [
        f"{folder}/rendered/{name}: 1 of 1 services; files: 0 created, 0 updated, 0 deleted, 7 unchanged"
        for name in ("production", "staging")
    ]
    monkeypatch.chdir(folder)
    assert omec("compile", "--check").code == 0
    assert omec("compile", ".", "--check", "--env", "staging").code == 0
    assert files(Path()) == before


def test_only_the_named_environment_is_written(omec: Omec, folder: Path) -> None:
    before = files(folder / "rendered" / "production")
    for name in ("staging", "production"):
        replace_in(folder / "clusters" / name / "runtime.yaml", "v0.5.5", "v0.5.6")
    outcome = omec("compile", folder, "--env", "staging", "-v")
    assert outcome.code == 0
    assert "updated: environments/rendered/staging/llama-demo/chat/deployment-chat-engine.yaml" in outcome.err
    assert files(folder / "rendered" / "production") == before
    check = omec("compile", folder, "--check")
    assert check.code == 1
    assert "+++ environments/rendered/production/" in check.out
    assert "+++ environments/rendered/staging/" not in check.out


def test_an_error_in_one_environment_writes_none(omec: Omec, folder: Path) -> None:
    replace_in(folder / "clusters/production/runtime.yaml", "v0.5.5", "v0.5.6")
    replace_in(folder / STAGING_RUNTIME, "LlamaForCausalLM", "OtherForCausalLM")
    before = files(folder / "rendered")
    outcome = omec("compile", folder)
    assert outcome.code == 1
    assert "nothing was written" in outcome.err
    assert "(environment staging)" in outcome.out
    assert files(folder / "rendered") == before
    outcome = omec("compile", folder, "--keep-going")
    assert outcome.code == 1
    assert "rendered/production: 1 of 1 services; files: 0 created, 1 updated" in outcome.err
    assert "rendered/staging: 0 of 1 services; files: 0 created, 0 updated, 0 deleted" in outcome.err
    after = files(folder / "rendered")
    assert {path.rpartition("/")[0] for path in after if after[path] != before[path]} == {"production/llama-demo/chat"}


@pytest.mark.parametrize("stranger", ["pipe", "link", "file"])
def test_what_stands_in_the_place_of_the_mark_is_not_replaced(omec: Omec, folder: Path, stranger: str) -> None:
    mark = folder / "rendered/staging/.omec-environment"
    mark.unlink()
    if stranger == "pipe":
        os.mkfifo(mark)
    elif stranger == "link":
        mark.symlink_to(folder / "omec.toml")
    else:
        mark.write_text("mine\n")
    before = mark.lstat()
    outcome = omec("compile", folder)
    assert outcome.code == 2
    assert "environments/rendered/staging/.omec-environment stands where omec would write" in outcome.err
    assert mark.lstat() == before


def test_a_removed_environment_is_pruned_but_for_files_of_others(omec: Omec, folder: Path) -> None:
    without_staging(folder)
    (folder / "rendered/staging/README.md").write_text("mine\n")
    check = omec("compile", folder, "--check", "-q")
    assert check.code == 1
    assert "--- environments/rendered/staging/llama-demo/chat/service-chat.yaml\n+++ /dev/null" in check.out
    assert "rendered/staging/.omec-environment" in check.out
    outcome = omec("compile", folder)
    assert outcome.code == 0
    assert "environments/rendered/staging: no environment of omec.toml; was deleted" in outcome.err
    assert list(files(folder / "rendered/staging")) == ["README.md"]
    assert omec("compile", folder, "--check").code == 0


@pytest.mark.parametrize("option", [("--env", "production"), ("--only", "llama-demo/chat")])
def test_partial_runs_prune_no_environment(omec: Omec, folder: Path, option: tuple[str, str]) -> None:
    without_staging(folder)
    before = files(folder / "rendered")
    assert omec("compile", folder, *option).code == 0
    assert files(folder / "rendered") == before


def test_to_environments_and_back(omec: Omec, folder: Path) -> None:
    with_environments = (folder / "omec.toml").read_text()
    rendered = files(folder / "rendered")
    (folder / "omec.toml").write_text('source = ["base", "clusters/staging"]\noutput = "rendered"\n')
    assert omec("compile", folder / "base", folder / "clusters/staging").code == 0
    assert {path.split("/")[0] for path in files(folder / "rendered")} == {".gitattributes", "_cluster", "llama-demo"}
    (folder / "omec.toml").write_text(with_environments)
    assert omec("compile", folder).code == 0
    assert files(folder / "rendered") == rendered


def test_a_service_of_one_environment(omec: Omec, folder: Path) -> None:
    extra = (folder / "base/services/chat.yaml").read_text().replace("name: chat", "name: extra")
    (folder / "clusters/staging/extra.yaml").write_text(extra)
    outcome = omec("compile", folder, "--only", "llama-demo/extra")
    assert outcome.code == 0
    assert [line.split("  ")[0] for line in outcome.err.splitlines()[:1]] == ["staging: llama-demo/extra"]
    listed = (folder / "rendered/staging/kustomization.yaml").read_text()
    assert "- llama-demo/chat/service-chat.yaml\n" in listed
    assert "- llama-demo/extra/service-extra.yaml\n" in listed
    assert omec("compile", folder, "--check").code == 0
    missing = omec("compile", folder, "--only", "llama-demo/none")
    assert (missing.code, "[OME040]" in missing.err) == (2, True)


def test_lint_tells_what_environments_share_once(omec: Omec, folder: Path) -> None:
    replace_in(folder / "base/services/chat.yaml", "engine: {}", "engine: {minReplica: 1}")
    replace_in(folder / STAGING_RUNTIME, "autoSelect", "autoSelct")
    outcome = omec("lint", folder, "--format", "json")
    findings = json.loads(outcome.out)["findings"]
    assert outcome.code == 1
    places = {(finding["code"], finding["path"].rpartition("/")[2]): finding for finding in findings}
    assert len(places) == len(findings)
    everywhere = places["OME120", "chat.yaml"]
    assert everywhere["environments"] == ["production", "staging"]
    assert "environment" not in everywhere["message"]
    somewhere = places["OME120", "runtime.yaml"]
    assert somewhere["environments"] == ["staging"]
    assert somewhere["message"].endswith(" (environment staging)")
    assert omec("lint", folder, "--env", "production", "--format", "json").out.count('"code"') == 1


def test_a_suppression_is_unused_only_where_no_environment_uses_it(omec: Omec, folder: Path) -> None:
    service = folder / "base/services/chat.yaml"
    replace_in(folder / STAGING_RUNTIME, "LlamaForCausalLM", "OtherForCausalLM")
    found = json.loads(omec("lint", folder, "--format", "json").out)["findings"]
    ((code, line),) = {(each["code"], each["line"]) for each in found if each["path"] == str(service)}
    only = ("--select", f"{code},OME072")
    lines = service.read_text().splitlines()
    lines[line - 1] += f"  # omec: ignore[{code}] staging has no runtime yet"
    service.write_text("\n".join(lines) + "\n")
    assert omec("lint", folder, *only).out == ""
    assert omec("lint", folder, *only, "--env", "production").out == ""
    replace_in(folder / STAGING_RUNTIME, "OtherForCausalLM", "LlamaForCausalLM")
    assert "[OME072]" in omec("lint", folder, *only).out


def test_lint_counts_each_file_once(omec: Omec, folder: Path) -> None:
    assert omec("lint", folder).err == "4 files: no findings\n"


def test_standard_input_is_read_for_every_environment(folder: Path) -> None:
    (folder / "omec.toml").write_text('platform = "ome"\n[environments.a]\n[environments.b]\nexclude = ["x"]\n')
    text = "apiVersion: ome.io/v1beta1\nkind: BaseModel\nmetadata: {name: m, namespace: n}\nspec: {vendr: x}\n"
    result = subprocess.run(
        [sys.executable, "-m", "omec", "lint", "-", "--config", "omec.toml"],
        cwd=folder,
        input=text,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "<stdin>:4:8: error[OME120] BaseModel has no field spec.vendr\n" in result.stdout


def test_json_keeps_environments_apart(omec: Omec, folder: Path) -> None:
    outcome = omec("compile", folder, "--format", "json", "-o", "-")
    value = json.loads(outcome.out)
    assert {name: len(part["objects"]) for name, part in value["environments"].items()} == {
        "production": 6,
        "staging": 6,
    }
    assert value["findings"] == []
    replace_in(folder / STAGING_RUNTIME, "LlamaForCausalLM", "OtherForCausalLM")
    blocked = json.loads(omec("compile", folder, "--format", "json").out)
    assert [part["objects"] for part in blocked["environments"].values()] == [[], []]


def test_standard_output_takes_one_environment(omec: Omec, folder: Path) -> None:
    outcome = omec("compile", folder, "-o", "-")
    assert (outcome.code, outcome.out) == (2, "")
    assert "would mix the objects of production, staging [OME002]" in outcome.err
    assert omec("compile", folder, "-o", "-", "--env", "staging").out.count("\nkind: ") == 6


@pytest.mark.parametrize(
    "command",
    [
        ("explain", "--isvc", "llama-demo/chat"),
        ("effective", "--isvc", "llama-demo/chat"),
        ("tree", "sglang-small"),
        ("fit", "llama-3-2-1b-instruct", "--memory", "80Gi"),
        ("facts", "check"),
        ("facts", "show", "--source"),
    ],
    ids=lambda command: command[0],
)
def test_answers_are_for_one_environment(omec: Omec, folder: Path, command: tuple[str, ...]) -> None:
    outcome = omec(*command, folder)
    assert outcome.code == 2
    assert "environments production, staging, which differ in source [OME024]" in outcome.err
    assert omec(*command, folder, "--env", "staging").code == 0
    assert "did you mean 'staging'?" in omec(*command, folder, "--env", "stagin").err


def test_pruning_the_lock_needs_all_environments(omec: Omec, folder: Path) -> None:
    outcome = omec("facts", "update", "--source", folder, "--env", "staging", "--prune")
    assert (outcome.code, "[OME002]" in outcome.err) == (2, True)


def test_an_unknown_environment(omec: Omec, folder: Path) -> None:
    outcome = omec("compile", folder, "--env", "prodution")
    assert outcome.code == 2
    assert "declares no environment 'prodution' [OME023]\n  help: did you mean 'production'?" in outcome.err


def test_environments_of_a_revision(omec: Omec, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    git = ["git", "-c", "user.name=x", "-c", "user.email=x@example.com"]
    monkeypatch.chdir(folder)
    for args in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "x"]):
        subprocess.run([*git, *args], check=True)
    without_staging(Path())
    replace_in(Path(STAGING_RUNTIME), "v0.5.5", "v0.5.6")
    assert omec("compile", "--rev", "HEAD", "--check").code == 0
    assert omec("compile", "--rev", "HEAD", "--check", "--env", "staging").code == 0
    assert "OME023" in omec("compile", "--env", "staging").err


def test_each_environment_has_its_overlay(omec: Omec, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(Path(require_kubectl()).parent))
    config = ['output = "rendered"', 'platform = "ome"']
    models = folder / "base/models"
    (models / "kustomization.yaml").write_text("resources: [llama-3-2-1b-instruct.yaml]\n")
    for name, vendor in (("a", "one"), ("b", "two")):
        overlay = folder / "overlays" / name
        overlay.mkdir(parents=True)
        patch = f"- {{op: add, path: /spec/vendr, value: {vendor}}}"
        (overlay / "kustomization.yaml").write_text(
            f"resources: [../../base/models]\nbuildMetadata: [originAnnotations]\n"
            f"patches: [{{target: {{kind: ClusterBaseModel}}, patch: '{patch}'}}]\n"
        )
        config.append(f'[environments.{name}]\nkustomize = "overlays/{name}"\nsource = "overlays/{name}"')
    (folder / "omec.toml").write_text("\n".join(config))
    found = json.loads(omec("lint", folder, "--select", "OME120", "--format", "json").out)["findings"]
    assert [(each["path"], each["environments"]) for each in found] == [
        (f"{folder}/overlays/a", ["a"]),
        (f"{folder}/overlays/b", ["b"]),
    ]
    replace_in(models / "llama-3-2-1b-instruct.yaml", "vendor: meta", "vendr2: meta\n  vendor: meta")
    found = json.loads(omec("lint", folder, "--select", "OME120", "--format", "json").out)["findings"]
    assert [each["environments"] for each in found if each["path"].startswith(f"{models}/")] == [["a", "b"]]


def test_python(folder: Path) -> None:
    assert api.environments(folder) == ("production", "staging")
    repo = api.open(folder, env="staging")
    assert str(repo.explain(isvc="llama-demo/chat").selected) == "ClusterServingRuntime sglang-small"
    assert len(repo.compile().objects) == 6
    with pytest.raises(OmecError, match="can differ"):
        api.open(folder)


def test_python_without_a_name_where_they_agree(tmp_path: Path, folder: Path) -> None:
    (folder / "omec.toml").write_text('[environments.a]\nplatform = "ome"\n[environments.b]\nplatform = "kubernetes"\n')
    repo = api.open(folder / "base")
    assert repo.explain(model="llama-3-2-1b-instruct").runtimes == ()
    for ask in (repo.lint, repo.compile):
        with pytest.raises(OmecError) as caught:
            ask()
        assert caught.value.code == "OME024"
