"""Which file of a model describes it."""

from __future__ import annotations

from omec.facts.display import printable
from omec.facts.errors import FactsError
from omec.facts.tree import Entry, ModelTree, UnreadableError, join

CONFIG = "config.json"
MODEL_INDEX = "model_index.json"
STANDALONE_QUANTIZATION = "hf_quant_config.json"

NEVER_READ = ("generation_config.json", "tokenizer.json", "tokenizer_config.json")
"""Files that say nothing any field of a model's spec holds: how to sample, and how to tokenize (reference 08 §1)."""

_USUAL_FOLDERS = ("", "safetensors", "pytorch_model", "model")
_MOST_ENTRIES = 100_000


def find_model_index(tree: ModelTree) -> str | None:
    """``model_index.json`` at the root, else anywhere; it beats every ``config.json``. Source: reference 08 §1.1."""
    return MODEL_INDEX if tree.exists(MODEL_INDEX) else _find_anywhere(tree, MODEL_INDEX)


def find_config(tree: ModelTree) -> str | None:
    """``config.json`` in one of the usual folders, else wherever it is. Source: reference 08 §1.1."""
    return find_in_usual_folders(tree, CONFIG) or _find_anywhere(tree, CONFIG)


def find_in_usual_folders(tree: ModelTree, name: str) -> str | None:
    """The first of the root and the folders that repositories keep their model in which has a file ``name``."""
    paths = (join(folder, name) for folder in _USUAL_FOLDERS)
    return next((path for path in paths if tree.exists(path)), None)


def _find_anywhere(tree: ModelTree, name: str) -> str | None:
    """The last file ``name`` of a walk in lexical order that leaves a folder as soon as it found one there.

    Leaving skips only the rest of that folder: the walk goes on elsewhere, and a later find replaces an earlier one.
    Folders that cannot be listed count as empty, and links to folders are not entered.
    """
    found = None
    seen = 0
    open_folders = [("", iter(_entries(tree, "")))]
    while open_folders:
        folder, entries = open_folders[-1]
        entry = next(entries, None)
        if entry is None:
            open_folders.pop()
            continue
        seen += 1
        if seen > _MOST_ENTRIES:
            raise FactsError(
                f"{printable(tree.label)} holds more than {_MOST_ENTRIES:,} files, too many for one model",
                hint="name the directory of the model itself",
            )
        path = f"{folder}/{entry.name}" if folder else entry.name
        if entry.is_folder:
            open_folders.append((path, iter(_entries(tree, path))))
        elif entry.name == name:
            found = path
            open_folders.pop()
    return found


def _entries(tree: ModelTree, folder: str) -> list[Entry]:
    try:
        return tree.entries(folder)
    except UnreadableError:
        return []
