"""The manifests that the commands are measured on."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("models", "runtimes", "samples")
COPIES = 40
MANY = 10_000
RENDERED = "rendered"
"""The folder of each sound example that holds what omec made of it."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """The folders to read and the files in them; ``description`` says which corpus it is."""

    description: str
    folders: tuple[Path, ...]
    files: tuple[Path, ...]


def find_corpus(scratch: Path) -> Corpus:
    """The corpus of ``OMEC_TESTDATA``, or copies of the examples in ``scratch`` where there is none."""
    data = Path(os.environ.get("OMEC_TESTDATA") or ROOT.parent / "shared")
    config = data / "corpus" / "ome-v0.1.5" / "config"
    if config.is_dir():
        folders = tuple(config / name for name in FOLDERS)
        return Corpus("the corpus of ome v0.1.5", folders, _manifests(folders))
    folder = scratch / "copies"
    for index, example in enumerate(sorted(output.parent for output in (ROOT / "examples").glob(f"*/{RENDERED}"))):
        sources = [path for path in _manifests([example]) if path.relative_to(example).parts[0] != RENDERED]
        _copy(_loaded(sources, example), folder / example.name, f"-{index}", COPIES)
    description = f"{COPIES} copies of examples/, because OMEC_TESTDATA names no corpus: results are not comparable"
    return Corpus(description, (folder,), _manifests([folder]))


def copies_of(corpus: Corpus, folder: Path) -> Corpus:
    """At least :data:`MANY` documents: copies of ``corpus`` in ``folder``, each with names of its own."""
    files = _loaded(corpus.files, Path(os.path.commonpath(corpus.folders)))
    copies = -(-MANY // sum(map(len, files.values())))
    _copy(files, folder, "", copies)
    return Corpus(f"{copies} copies of {corpus.description}", (folder,), _manifests([folder]))


def _manifests(folders: Iterable[Path]) -> tuple[Path, ...]:
    paths = (path for folder in folders for path in folder.rglob("*") if path.suffix in (".yaml", ".yml", ".json"))
    return tuple(sorted(path for path in paths if path.is_file()))


def _loaded(paths: Iterable[Path], origin: Path) -> dict[Path, list[Any]]:
    """The documents of the files at ``paths``, by their paths from ``origin``."""
    return {path.relative_to(origin): _load(path) for path in paths}


def _copy(files: Mapping[Path, list[Any]], target: Path, suffix: str, copies: int) -> None:
    """Copies of ``files`` below ``target``.

    Each has names of its own, so that no two objects have one identity, and an architecture of its own, so that its
    models have the runtimes to choose from that they have in the original.
    """
    metadata = [document.get("metadata", {}) for documents in files.values() for document in documents]
    names = {entry[key] for entry in metadata for key in ("name", "namespace") if key in entry}
    for number in range(copies):
        for path, documents in files.items():
            copy = target / f"{number:03}" / path
            copy.parent.mkdir(parents=True, exist_ok=True)
            renamed = _renamed(documents, names, f"{suffix}-{number}")
            copy.write_text(yaml.dump_all(renamed, Dumper=yaml.CSafeDumper, sort_keys=False), encoding="utf-8")


def _load(path: Path) -> list[Any]:
    """The objects in a file; none where it is broken."""
    try:
        return [
            document for document in yaml.load_all(path.read_bytes(), yaml.CSafeLoader) if isinstance(document, dict)
        ]
    except yaml.YAMLError:
        return []


def _renamed(value: Any, names: set[str], suffix: str) -> Any:
    if isinstance(value, dict):
        return {
            key: f"{item}{suffix}" if key == "modelArchitecture" else _renamed(item, names, suffix)
            for key, item in value.items()
        }
    if isinstance(value, list):
        return [_renamed(item, names, suffix) for item in value]
    return f"{value}{suffix}" if isinstance(value, str) and value in names else value
