"""``omec compile --provenance``: an index of where every field comes from, only where it is asked for."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from omec.compile.output_folder import PROVENANCE_HEADER, PROVENANCE_NAME
from omec.compile.provenance.fields import find_field, parse_field
from omec.compile.provenance.values import leaves
from tests.cli.conftest import Omec
from tests.cli.test_why import place

Example = Callable[[str], Path]
SERVICE = Path("out/llama-demo/chat")


def entries(folder: Path) -> dict[str, dict[str, list[tuple[str, str]]]]:
    """The index of ``folder``: origin and source field of each field, by file."""
    header, *lines = (folder / PROVENANCE_NAME).read_text(encoding="utf-8").splitlines()
    assert header == PROVENANCE_HEADER
    found: dict[str, dict[str, list[tuple[str, str]]]] = {}
    for line in lines:
        if line.startswith("["):
            current = found.setdefault(line.strip("[]"), {})
        else:
            field, origin, source = line.split("\t")
            current.setdefault(field, []).append((origin, source))
    return found


def test_it_maps_every_leaf_of_every_object(omec: Omec, example: Example) -> None:
    assert omec("compile", example("selection"), "-o", "out", "--provenance").code == 0
    for folder in (path.parent for path in Path("out").rglob(".omec-index")):
        index = entries(folder)
        assert sorted(index) == sorted(path.name for path in folder.glob("*.yaml"))
        for name, fields in index.items():
            body: Any = yaml.safe_load((folder / name).read_text(encoding="utf-8"))
            paths = {find_field(body, parse_field(field), name) for field in fields}
            assert paths == {path for path, _ in leaves(body)}


def test_it_names_manifests_from_the_configurations_folder(omec: Omec, example: Example) -> None:
    omec("compile", example("selection"), "-o", "out", "--provenance")
    fields = entries(SERVICE)["deployment-chat-engine.yaml"]
    image = place("selection/runtimes/team-llama.yaml", "docker.io").removeprefix("selection/")
    assert fields["spec.template.spec.containers[0].image"] == [(image, "spec.engineConfig.runner.image")]
    assert fields["spec.template.spec.dnsPolicy"] == [("reference 04 §12.2", "the default of every pod")]
    assert fields["spec.template.spec.terminationGracePeriodSeconds"] == [
        ("operator default", "operator.deploy.terminationGracePeriodSeconds")
    ]


def test_it_is_the_same_wherever_the_repository_lies(
    omec: Omec, example: Example, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    omec("compile", example("selection"), "-o", "out", "--provenance")
    shutil.copytree("selection", tmp_path / "elsewhere" / "deep")
    monkeypatch.chdir(tmp_path / "elsewhere" / "deep")
    omec("compile", "-o", tmp_path / "other", "--provenance")
    for path in (tmp_path / "out").rglob(PROVENANCE_NAME):
        assert (tmp_path / "other" / path.relative_to(tmp_path / "out")).read_bytes() == path.read_bytes()


def test_only_when_asked_and_check_covers_it(omec: Omec, example: Example) -> None:
    folder = example("selection")
    omec("compile", folder, "-o", "out")
    assert not list(Path("out").rglob(PROVENANCE_NAME))
    outcome = omec("compile", folder, "-o", "out", "--provenance", "--check")
    assert outcome.code == 1
    assert f"+++ out/llama-demo/chat/{PROVENANCE_NAME}" in outcome.out
    assert not list(Path("out").rglob(PROVENANCE_NAME))
    assert omec("compile", folder, "-o", "out", "--provenance").code == 0
    assert omec("compile", folder, "-o", "out", "--provenance", "--check").code == 0
    runtime = folder / "runtimes" / "team-llama.yaml"
    runtime.write_text("# moved down\n" + runtime.read_text(encoding="utf-8"), encoding="utf-8")
    assert omec("compile", folder, "-o", "out", "--provenance", "--check").code == 1
    assert omec("compile", folder, "-o", "out").code == 0
    assert not list(Path("out").rglob(PROVENANCE_NAME))


def test_the_configuration_can_ask_for_it(omec: Omec, example: Example) -> None:
    folder = example("selection")
    settings = folder / "omec.toml"
    settings.write_text("provenance = true\n" + settings.read_text(encoding="utf-8"), encoding="utf-8")
    omec("compile", folder, "-o", "out")
    assert (SERVICE / PROVENANCE_NAME).is_file()
    assert omec("compile", folder, "-o", "out", "--no-provenance").code == 0
    assert not (SERVICE / PROVENANCE_NAME).exists()
    assert omec("compile", folder, "-o", "-").code == 0


def test_a_single_service_keeps_the_others_index(omec: Omec, example: Example) -> None:
    folder = example("selection")
    omec("compile", folder, "-o", "out", "--provenance")
    before = {path: path.read_bytes() for path in Path("out").rglob(PROVENANCE_NAME)}
    omec("compile", folder, "-o", "out", "--only", "llama-demo/chat", "--provenance")
    assert {path: path.read_bytes() for path in Path("out").rglob(PROVENANCE_NAME)} == before


def test_it_goes_with_the_objects(omec: Omec, example: Example) -> None:
    folder = example("selection")
    omec("compile", folder, "-o", "out", "--provenance")
    (folder / "services" / "chat.yaml").unlink()
    omec("compile", folder, "-o", "out", "--provenance")
    assert not SERVICE.exists()


def test_a_file_of_somebody_else_is_not_replaced(omec: Omec, example: Example) -> None:
    folder = example("selection")
    omec("compile", folder, "-o", "out")
    (SERVICE / PROVENANCE_NAME).write_text("mine\n", encoding="utf-8")
    outcome = omec("compile", folder, "-o", "out", "--provenance")
    assert outcome.code == 2
    assert "did not write it before" in outcome.err
    assert (SERVICE / PROVENANCE_NAME).read_text(encoding="utf-8") == "mine\n"


def test_environments(omec: Omec, example: Example) -> None:
    omec("compile", example("environments"), "-o", "out", "--provenance")
    staging, production = (
        entries(Path("out") / name / "llama-demo" / "chat")["deployment-chat-engine.yaml"]
        for name in ("staging", "production")
    )
    image = "spec.template.spec.containers[0].image"
    assert staging[image][0][0].startswith("clusters/staging/runtime.yaml:")
    assert production[image][0][0].startswith("clusters/production/runtime.yaml:")
    answer = omec("why", "hpa/llama-demo/chat-engine", "spec.minReplicas", "environments", "--env", "production")
    assert place("environments/omec.toml", "defaultMinReplicas") in answer.out
