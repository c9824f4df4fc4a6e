"""Which file describes a model: the layouts of reference 08 §1.1."""

from __future__ import annotations

from pathlib import Path

import pytest

from omec.facts import Entry, FactsError, UnreadableError, locate, read_facts, read_tree
from tests.facts.models import LLAMA, encode, write_model

FLUX = {"_class_name": "FluxPipeline"}


@pytest.mark.parametrize(
    ("files", "chosen"),
    [
        (["config.json"], "config.json"),
        (["model/config.json"], "model/config.json"),
        (["safetensors/config.json", "model/config.json"], "safetensors/config.json"),
        (["pytorch_model/config.json", "model/config.json"], "pytorch_model/config.json"),
        (["config.json", "sub/model_index.json"], "sub/model_index.json"),
        (["model_index.json", "vae/config.json"], "model_index.json"),
        (["a/config.json", "b/config.json"], "b/config.json"),
        (["x/config.json", "x/sub/config.json"], "x/config.json"),
        (["x/a/config.json", "x/config.json"], "x/config.json"),
        (["B/config.json", "a/config.json"], "a/config.json"),
        (["10/config.json", "9/config.json"], "9/config.json"),
        ([".git/config.json"], ".git/config.json"),
        (["config.json/config.json/config.json.bak", "x/config.json"], None),
    ],
)
def test_layouts(tmp_path: Path, files: list[str], chosen: str | None) -> None:
    write_model(tmp_path, {name: FLUX if name.endswith("model_index.json") else LLAMA for name in files})
    if chosen is None:
        # A folder of that name is taken for the file, as OME does.
        with pytest.raises(FactsError, match="is a directory"):
            read_facts(tmp_path)
    else:
        assert read_facts(tmp_path).config_file == chosen


@pytest.mark.parametrize("files", [[], ["Config.json"], ["config.json.bak"], ["original/params.json"]])
def test_nothing_found(tmp_path: Path, files: list[str]) -> None:
    with pytest.raises(FactsError) as caught:
        read_facts(write_model(tmp_path, dict.fromkeys(files, LLAMA)))
    assert caught.value.message == f"no model_index.json or config.json found in {tmp_path}"
    assert caught.value.reported == caught.value.message
    assert "config.json" in caught.value.hint


def test_a_directory_of_too_many_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locate, "_MOST_ENTRIES", 10)
    with pytest.raises(FactsError, match="too many for one model"):
        read_facts(write_model(tmp_path, {f"{number}/x": "" for number in range(6)}))


class Well:
    """A :class:`omec.facts.ModelTree` of one file at the bottom of many folders."""

    label = "well"
    depth = 5000

    def exists(self, path: str) -> bool:
        return False

    def entries(self, folder: str) -> list[Entry]:
        at_bottom = folder.count("d") == self.depth
        return [Entry("config.json" if at_bottom else "d", is_folder=not at_bottom)]

    def read(self, path: str, limit: int) -> bytes:
        return encode(LLAMA)

    def read_range(self, path: str, start: int, length: int) -> bytes:
        raise UnreadableError(path, "no weights here")


def test_deep_directories() -> None:
    assert read_tree(Well()).config_file.count("/") == Well.depth
