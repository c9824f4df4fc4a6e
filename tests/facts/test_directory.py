"""A directory that is not trusted: links, pipes, and names that are no names."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from omec.facts import FactsError, read_facts
from omec.facts.describe import LONGEST_CONFIG
from tests.facts.models import LLAMA, safetensors, write_model

WEIGHTS = safetensors({"w": ("BF16", [7])})


def test_links_within_the_directory_are_followed(tmp_path: Path) -> None:
    write_model(tmp_path, {"..data/config.json": LLAMA, "blobs/w": WEIGHTS})
    (tmp_path / "config.json").symlink_to("..data/config.json")
    (tmp_path / "model.safetensors").symlink_to(tmp_path / "blobs" / "w")
    assert read_facts(tmp_path).parameter_count == 7


def test_the_directory_itself_may_be_a_link(tmp_path: Path) -> None:
    write_model(tmp_path, {"real/sub/config.json": LLAMA})
    (tmp_path / "link").symlink_to("real")
    assert read_facts(tmp_path / "link").config_file == "sub/config.json"


def test_the_snapshot_of_a_hugging_face_cache_is_links_to_blobs(tmp_path: Path) -> None:
    repository = tmp_path / "hub" / "models--org--name"
    write_model(repository, {"blobs/1": LLAMA, "blobs/2": WEIGHTS})
    snapshot = repository / "snapshots" / "0123abcd"
    snapshot.mkdir(parents=True)
    (snapshot / "config.json").symlink_to("../../blobs/1")
    (snapshot / "model.safetensors").symlink_to("../../blobs/2")
    assert read_facts(snapshot).parameter_count == 7


@pytest.mark.parametrize("name", ["config.json", "model_index.json", "hf_quant_config.json", "model.safetensors"])
def test_links_out_of_the_directory_are_refused(tmp_path: Path, name: str) -> None:
    secret = write_model(tmp_path, {"secret": LLAMA, "model/config.json": LLAMA}) / "secret"
    link = tmp_path / "model" / name
    link.unlink(missing_ok=True)
    link.symlink_to(secret)
    with pytest.raises(FactsError, match="symbolic link leads out of the model's directory") as caught:
        read_facts(tmp_path / "model")
    assert caught.value.reported == ""
    assert name in caught.value.message


def test_folders_behind_links_are_not_searched(tmp_path: Path) -> None:
    write_model(tmp_path, {"elsewhere/config.json": LLAMA, "model/x": ""})
    (tmp_path / "model" / "loop").symlink_to(tmp_path / "model")
    (tmp_path / "model" / "out").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(FactsError, match=r"no model_index.json or config.json found"):
        read_facts(tmp_path / "model")


@pytest.mark.timeout(20)
def test_a_pipe_is_not_opened_for_good(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "config.json")
    with pytest.raises(FactsError, match="not a regular file"):
        read_facts(tmp_path)


def test_a_device_is_refused(tmp_path: Path) -> None:
    (tmp_path / "config.json").symlink_to("/dev/zero")
    with pytest.raises(FactsError):
        read_facts(tmp_path)


def test_a_link_to_itself(tmp_path: Path) -> None:
    (tmp_path / "config.json").symlink_to("config.json")
    with pytest.raises(FactsError):
        read_facts(tmp_path)


def test_a_huge_file_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / "config.json").open("wb") as file:
        file.truncate(LONGEST_CONFIG + 1)
    with pytest.raises(FactsError, match=r"8\.00 MB, more than the 8\.00 MB allowed"):
        read_facts(tmp_path)


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may read everything")
def test_a_file_without_permission(tmp_path: Path) -> None:
    write_model(tmp_path, {"config.json": LLAMA})
    (tmp_path / "config.json").chmod(0)
    with pytest.raises(FactsError, match="permission denied"):
        read_facts(tmp_path)


def test_names_that_are_not_utf_8_can_be_printed(tmp_path: Path) -> None:
    folder = os.fsencode(tmp_path) + b"/\xff\x1b[2J"
    Path(os.fsdecode(folder)).mkdir()
    Path(os.fsdecode(folder + b"/config.json")).write_text("{}", encoding="utf-8")
    with pytest.raises(FactsError) as caught:
        read_facts(tmp_path)
    assert caught.value.message.startswith(f"{tmp_path}/\ufffd\\x1b[2J/config.json: model_type is missing")


@pytest.mark.parametrize("directory", ["", "\0", "a\0b", "\ud800"])
def test_names_that_are_no_directories(directory: str) -> None:
    with pytest.raises(FactsError):
        read_facts(directory or "/dev/null")


def test_a_file_is_no_directory(tmp_path: Path) -> None:
    write_model(tmp_path, {"config.json": LLAMA})
    with pytest.raises(FactsError, match="found in"):
        read_facts(tmp_path / "config.json")
