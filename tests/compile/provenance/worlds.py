"""Repositories whose provenance is checked: in memory, so that any value of them can be changed."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from omec.compile.layout import Identity, OutputObject, identity
from omec.compile.provenance.answer import FieldAnswer, Origin
from omec.compile.provenance.experiments import How
from omec.compile.provenance.source import Role
from omec.compile.provenance.variants import other_values
from omec.finding import FieldPath
from omec.repo.config import Config
from omec.repo.read import read
from omec.session import Repo, from_objects
from tests.conftest import ROOT

EXAMPLES = ("gateway", "inheritance", "multi-node", "named-runtime", "prefill-decode", "selection")
PLATFORMS = ("ome", "kubernetes")
WRITTEN = frozenset(Role) - {Role.CHART, Role.API_DEFAULT, Role.FACTS, Role.PRESET, Role.CONFIG, Role.OME}
"""The roles of sources that are manifests: what they say can be changed in them."""


def world(folder: Path, **settings: Any) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """The objects and the configuration of a folder, apart from where they are."""
    config = {key: value for key, value in Config.load(folder).to_dict().items() if key not in ("source", "output")}
    reading = read([folder], skip=[folder / "rendered"])
    return [document.value for document in reading.documents], {**config, **settings}


def example(name: str, platform: str) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    return world(ROOT / "examples" / name, platform=platform)


def answers(repo: Repo, *, overrides: bool = False) -> Iterator[tuple[OutputObject, FieldAnswer]]:
    """Every leaf of every rendered object, with where it comes from."""
    for item in repo.compile().outputs:
        for answer in repo.asker.leaves(item, overrides=overrides):
            yield item, answer


def changed_leaf(
    objects: Sequence[Mapping[str, Any]],
    config: Mapping[str, Any],
    origin: Origin,
    where: tuple[Identity, FieldPath],
    before: Any,
) -> bool | None:
    """Whether the rendered leaf is another when what ``origin`` says is another, for all of omec, from the manifest on.

    ``None`` where nothing is rendered then: a name that others refer to, a value that a check refuses.
    """
    assert origin.position is not None
    number = int(origin.position.path.removeprefix("objects[").removesuffix("]"))
    outcome = None
    for other in other_values(origin.value):
        body = copy.deepcopy(dict(objects[number]))
        _set(body, origin.path, other)
        changed = [*objects[:number], body, *objects[number + 1 :]]
        outputs = {identity(item.body): item.body for item in from_objects(changed, config=config).compile().outputs}
        if not outputs:
            continue
        if where[0] not in outputs or _at(outputs[where[0]], where[1]) != before:
            return True
        outcome = False
    return outcome


def _set(value: Any, path: FieldPath, new: Any) -> None:
    for step in path[:-1]:
        value = value[step]
    value[path[-1]] = new


def _at(value: Any, path: FieldPath) -> Any:
    try:
        for step in path:
            value = value[step]
    except (KeyError, IndexError, TypeError):
        return None
    return value


def consistent(answer: FieldAnswer) -> bool:
    """Whether the value of the first origin and the rendered one can be what the answer says."""
    origin = answer.origins[0]
    if origin.how is How.COPY:
        return str(origin.value).lower() == str(answer.value).lower()
    return True
