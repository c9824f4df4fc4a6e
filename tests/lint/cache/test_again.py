"""Linting from the record of an earlier run says what a run over all files says, or refuses."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from random import Random
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from omec.errors import OmecError
from omec.lint.cache.edit import NotLocalError
from tests.conftest import ROOT
from tests.lint.cache.mutants import files_of, outcomes
from tests.lint.cache.repository import config_of, linted, linted_again, told
from tests.mutants.world import worlds

SETTINGS: list[dict[str, Any]] = [
    {},
    {"lint": {"select": ["ALL"]}},
    {
        "default-namespace": "llama-demo",
        "lint": {"select": ["ALL"], "ignore": ["OME4"], "severity": {"OME900": "error"}},
    },
    {"ome-version": "1.2"},
    {"policy": {"allowed-registries": ["docker.io"], "require-digest": True}},
]


def manifests() -> dict[str, bytes]:
    """A service that names its runtime and one that does not, a profile with a child, and more; without comments."""
    folders = [ROOT / "examples" / name for name in ("selection", "inheritance", "prefill-decode")]
    paths = (path for folder in folders if folder.is_dir() for path in sorted(folder.rglob("*.yaml")))
    kept = (path for path in paths if "rendered" not in path.parts)
    texts = {path.relative_to(ROOT / "examples").as_posix(): path.read_bytes() for path in kept}
    return {path: re.sub(rb"(?m)^#.*\n", b"", text) for path, text in texts.items()}


RUNTIME = "selection/runtimes/team-llama.yaml"
SERVICE = "selection/services/chat.yaml"
MODEL = "selection/models/llama-3-2-3b-instruct.yaml"

Edit = tuple[str, str, str]
LOCAL: dict[str, Edit] = {
    "a value of a runtime": (RUNTIME, "docker.io/vllm/vllm-openai:v0.11.0", "docker.io/vllm/vllm-openai"),
    "a probe of a runtime": (RUNTIME, "readinessProbe", "livenessProbe"),
    "a comment": (RUNTIME, "spec:\n", "# a comment\nspec:\n"),
    "a suppression": (RUNTIME, "spec:\n", "# omec: ignore-file[OME4] because\nspec:\n"),
    "a misspelt field of a service": (SERVICE, "spec:\n", "spec:\n  enginee: {}\n"),
    "another model": (SERVICE, "name: llama-3-2-3b-instruct", "name: llama"),
    "a runtime with a name": (SERVICE, "spec:\n", "spec:\n  runtime: {name: sglang-profile}\n"),
    "a fact of a model": (MODEL, "modelParameterSize: 3.21B", "modelParameterSize: 4b"),
}
ELSEWHERE: dict[str, Edit] = {
    "another name": (RUNTIME, "name: team-llama", "name: other"),
    "another size": (RUNTIME, "spec:\n", "spec:\n  modelSizeRange: {min: 1B, max: 2B}\n"),
    "no YAML": (RUNTIME, "spec:\n", "spec: {\n"),
    "a secret": (RUNTIME, "spec:\n", f"spec:\n  x: hf_{'aB3' * 8}\n"),
    "a model that the API server refuses": (MODEL, "disabled: false", "disabled: maybe"),
    "the storage of a model": (MODEL, "key: hf-token", "key: other"),
    "a new object": (RUNTIME, "spec:\n", "spec: {}\n---\nkind: ConfigMap\napiVersion: v1\nspec:\n"),
}


def edited(files: dict[str, bytes], edit: Edit) -> dict[str, bytes]:
    path, old, new = edit
    assert old.encode() in files[path], files[path].decode()
    return {**files, path: files[path].replace(old.encode(), new.encode(), 1)}


@pytest.mark.parametrize("name", LOCAL)
@pytest.mark.parametrize("chosen", SETTINGS, ids=json.dumps)
def test_an_edit_that_few_notice(name: str, chosen: dict[str, Any]) -> None:
    config, files = config_of(chosen), manifests()
    record = linted(files, config)[1]
    assert record is not None
    after = edited(files, LOCAL[name])
    assert told(linted_again(record, after, config)) == told(linted(after, config)[0])


@pytest.mark.parametrize("name", ELSEWHERE)
def test_an_edit_that_may_be_noticed_anywhere(name: str) -> None:
    config, files = config_of({}), manifests()
    record = linted(files, config)[1]
    assert record is not None
    with pytest.raises(NotLocalError):
        linted_again(record, edited(files, ELSEWHERE[name]), config)


Files = dict[str, bytes]


def _anything(rng: Random, files: Files) -> Any:
    """A value for some field: often the name of an object, or a part of another file."""
    documents = [body for text in files.values() for body in yaml.safe_load_all(text) if isinstance(body, dict)]
    body = rng.choice(documents)
    names = [body["metadata"]["name"], f"{body['metadata']['name']}-engine", "nothing"]
    values = [None, 0, 2, True, "", "x", "4b", {}, [], ["--tp=2"], {"name": names[0]}, {"nvidia.com/gpu": "4"}]
    return copy.deepcopy(rng.choice([*names, *values, *_values(body)]))


def _values(value: Any) -> Iterator[Any]:
    yield value
    for child in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _values(child)


def _holders(value: Any) -> list[dict[str, Any]]:
    return [each for each in _values(value) if isinstance(each, dict) and each]


def change_value(files: Files, rng: Random) -> Files:
    """Some field of some object has another value, or is gone, or there is one more."""
    path = rng.choice(sorted(files))
    bodies = [body for body in yaml.safe_load_all(files[path]) if body is not None]
    holder = rng.choice(_holders(rng.choice(bodies)["spec"]) or bodies)
    key = rng.choice(sorted(holder))
    match rng.randrange(3):
        case 0:
            holder[key] = _anything(rng, files)
        case 1:
            del holder[key]
        case _:
            wanted = ("runtime", "model", "engine", "acceleratorSelector", "replicaRefs", "disabled", "autoscaler")
            holder[rng.choice(wanted)] = _anything(rng, files)
    return {**files, path: yaml.dump_all(bodies, sort_keys=False).encode()}


def change_metadata(files: Files, rng: Random) -> Files:
    """Some object has another parent, another name, or an annotation that silences rules."""
    path = rng.choice(sorted(files))
    bodies = [body for body in yaml.safe_load_all(files[path]) if body is not None]
    metadata = rng.choice(bodies)["metadata"]
    name = rng.choice(re.findall(r"name: (\S+)", b"".join(files.values()).decode()))
    if rng.random() < 0.3:
        metadata["name"] = name
    else:
        annotations = {"ome.io/inherit-from": name, "ome.io/runtime-profile": "true", "omec.io/ignore": "OME900 OME4"}
        key = rng.choice(sorted(annotations))
        metadata.setdefault("annotations", {})[key] = annotations[key]
    return {**files, path: yaml.dump_all(bodies, sort_keys=False).encode()}


def change_text(files: Files, rng: Random) -> Files:
    """Lines come or go, whatever they say."""
    path = rng.choice(sorted(files))
    lines = files[path].decode().splitlines(keepends=True)
    place = rng.randrange(len(lines))
    more = rng.choice([["# a comment\n"], ["# omec: ignore[OME900] why\n"], ["\n"], [], ["  x: 1\n"]])
    lines[place : place + (not more)] = more
    return {**files, path: "".join(lines).encode()}


def change_files(files: Files, rng: Random) -> Files:
    """A file comes, goes, or is called otherwise."""
    path = rng.choice(sorted(files))
    rest = {name: text for name, text in files.items() if name != path}
    return rng.choice([rest, {**rest, f"moved/{path}": files[path]}, {**files, f"copy/{path}": files[path]}])


CHANGES: list[Callable[[Files, Random], Files]] = [
    *(change_value,) * 6,
    *(change_metadata,) * 2,
    *(change_text,) * 2,
    change_files,
]


@settings(max_examples=10, deadline=None, phases=[Phase.generate], suppress_health_check=[HealthCheck.too_slow])
@given(seed=st.integers(0, 2**32), chosen=st.sampled_from(SETTINGS), base=st.sampled_from(["examples", "world"]))
def test_random_edits(seed: int, chosen: dict[str, Any], base: str) -> None:
    """After every edit, the record of any earlier run gives the answer of a run over all files, or none."""
    rng, config = Random(seed), config_of(chosen)
    files = manifests() if base == "examples" else world(rng)
    records = [linted(files, config)[1]]
    for _ in range(6):
        try:
            files = rng.choice(CHANGES)(files, rng)
            result, record = linted(files, config)
        except (OmecError, yaml.YAMLError, KeyError, TypeError, AttributeError, IndexError):
            continue  # the generator met what an earlier edit had broken
        for known in filter(None, records):
            with suppress(NotLocalError):
                assert told(linted_again(known, files, config)) == told(result)
        records = [*records[-2:], record]


def world(rng: Random) -> Files:
    chosen = rng.choice([each for each in worlds() if not each.name.startswith("public/")])
    return files_of(chosen.objects)


@pytest.mark.parametrize("seed", range(2))
def test_mutants(seed: int) -> None:
    """A sample of ``python -m tests.lint.cache.mutants``."""
    sample = [what for _, what in zip(range(50), (what for _, what in outcomes(seed, 1)), strict=False)]
    assert not [what for what in sample if what.startswith("DIFFERENT")]
    assert sum(what.startswith("same") for what in sample) > 12
