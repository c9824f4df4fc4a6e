"""``omec facts update --write-manifests``: the facts go into the manifests themselves."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from omec.cli.console import err, out
from omec.facts.atomic import replace_file
from omec.facts.lock import key_of
from omec.facts.manifests import additions
from omec.repo.edit import CannotEditError, Change, Put, edited
from omec.repo.yaml import dump
from omec.resolve.known_facts import source_of
from omec.resolve.open_facts import PVC

if TYPE_CHECKING:
    from omec.catalog import Resource
    from omec.facts.locked import LockedModel


def write(models: list[Resource], known: Mapping[str, LockedModel], *, quiet: bool) -> int:
    """Write what is ``known`` about ``models`` into their files; the number of those that could not be changed."""
    changes: dict[str, list[Change]] = {}
    for model in models:
        locked = known.get(key_of(model.ref))
        if locked is None or model.context:
            continue
        filled = locked.fill(model.spec, by_job=source_of(model).uri.startswith(PVC))
        if added := additions(model.spec, filled):
            changes.setdefault(model.document.path, []).append(Change(model.document, added))
    return sum(not _write_file(path, each, quiet=quiet) for path, each in sorted(changes.items()))


def _write_file(path: str, changes: list[Change], *, quiet: bool) -> bool:
    file = Path(path)
    try:
        with file.open(encoding="utf-8", newline="") as stream:
            text = stream.read()
        replace_file(file, edited(path, text, changes).encode())
    except CannotEditError as error:
        _tell(path, str(error), changes)
        return False
    except (OSError, UnicodeDecodeError) as error:
        _tell(path, str(error), changes)
        return False
    if not quiet:
        count = sum(len(change.edits) for change in changes)
        out(f"{path}: {count} fact{'' if count == 1 else 's'} written\n")
    return True


def _tell(path: str, why: str, changes: list[Change]) -> None:
    """Say what could not be written, so that it can be done by hand."""
    err(f"error: {path} cannot be changed: {why}")
    for change in changes:
        name = change.document.value.get("metadata", {}).get("name")
        values = {".".join(map(str, edit.path[1:])): edit.value for edit in change.edits if isinstance(edit, Put)}
        err(f"  write into spec of {name}:\n    " + dump(values).strip().replace("\n", "\n    "))
