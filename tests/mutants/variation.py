"""Variations: changes that change nothing, after which lint must say the same."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from random import Random
from typing import Any

import yaml

from tests.mutants.command_line import Object
from tests.mutants.place import MODEL_KINDS, RUNTIME_KINDS

Variation = Callable[[list[Object], Random], Callable[[str], str]]
"""Changes objects in place; the function that it returns leads a name in a finding back to the one before."""

VARIATIONS: list[Variation] = []


def variation(change: Variation) -> Variation:
    VARIATIONS.append(change)
    return change


def _same(text: str) -> str:
    return text


def _each(node: Any, change: Callable[[Any], Any]) -> Any:
    """``node`` with every mapping and list in it changed, the innermost first."""
    if isinstance(node, dict):
        return change({key: _each(value, change) for key, value in node.items()})
    if isinstance(node, list):
        return change([_each(item, change) for item in node])
    return node


@variation
def keys_in_another_order(objects: list[Object], rng: Random) -> Callable[[str], str]:
    def shuffled(node: Any) -> Any:
        return dict(rng.sample(list(node.items()), len(node))) if isinstance(node, dict) else node

    objects[:] = [_each(body, shuffled) for body in objects]
    return _same


@variation
def objects_in_another_order(objects: list[Object], rng: Random) -> Callable[[str], str]:
    rng.shuffle(objects)
    return _same


@variation
def names_changed_everywhere(objects: list[Object], rng: Random) -> Callable[[str], str]:
    """Runtimes and models are called otherwise, by everybody."""
    names = {
        body["metadata"]["name"]
        for body in objects
        if body.get("kind") in (*RUNTIME_KINDS, *MODEL_KINDS) and isinstance(body.get("metadata"), dict)
        if isinstance(body["metadata"].get("name"), str) and body["metadata"]["name"]
    }

    def renamed(node: Any) -> Any:
        if not isinstance(node, dict):
            return node
        changed = dict(node)
        for key in ("name", "ome.io/inherit-from"):
            if isinstance(node.get(key), str) and node[key] in names:
                changed[key] = f"{node[key]}-x"
        return changed

    objects[:] = [_each(body, renamed) for body in objects]
    return lambda text: text.removesuffix("-x")


@variation
def labels_and_annotations_of_others(objects: list[Object], rng: Random) -> Callable[[str], str]:
    for body in objects:
        metadata = body.get("metadata")
        if isinstance(metadata, dict):
            for field in ("labels", "annotations"):
                if isinstance(metadata.setdefault(field, {}), dict):
                    metadata[field]["example.com/owner"] = "platform"
    return _same


@variation
def objects_of_others(objects: list[Object], rng: Random) -> Callable[[str], str]:
    objects.insert(
        rng.randrange(len(objects) + 1),
        {
            "apiVersion": "v1",
            "kind": "ConfigMap",
            "metadata": {"name": "others", "namespace": "others"},
            "data": {"a": "b"},
        },
    )
    return _same


@variation
def written_as_json(objects: list[Object], rng: Random) -> Callable[[str], str]:
    """Every text quoted, as JSON writes it, and read again."""
    objects[:] = list(yaml.safe_load_all("\n---\n".join(json.dumps(body) for body in objects)))
    return _same


@variation
def another_variable(objects: list[Object], rng: Random) -> Callable[[str], str]:
    """A variable behind the others, of the runners that have some."""

    def longer(node: Any) -> Any:
        if isinstance(node, dict) and isinstance(node.get("env"), list) and node["env"] and "image" in node:
            return {**node, "env": [*node["env"], {"name": "OWNER", "value": "platform"}]}
        return node

    objects[:] = [_each(body, longer) for body in objects]
    return _same


def varied(objects: list[Object], change: Variation, rng: Random) -> tuple[list[Object], Callable[[str], str]]:
    """Copies of ``objects`` with the change, and the way back for names."""
    changed = copy.deepcopy(objects)
    return changed, change(changed, rng)
