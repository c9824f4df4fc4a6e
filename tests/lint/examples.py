"""The examples of rules as repositories of their own (the files in ``frames`` say where each fragment belongs)."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import yaml

import omec
from omec.api.kinds import KINDS
from omec.finding import Rule
from omec.lint.catalogue import all_rules
from omec.session import Repo

Object = dict[str, Any]

API_VERSION = "ome.io/v1beta1"


@cache
def frames() -> dict[str, Object]:
    files = sorted(Path(__file__).with_name("frames").glob("*.yaml"))
    entries = [entry for file in files for entry in yaml.safe_load(file.read_text(encoding="utf-8")).items()]
    found = {code: frame for code, frame in entries if not code.startswith(".")}
    assert len(found) == sum(not code.startswith(".") for code, _ in entries), "a code has two frames"
    return found


def is_complete(example: str) -> bool:
    """Whether every document of the example is a whole object."""
    try:
        documents = list(yaml.safe_load_all(example))
    except yaml.YAMLError:
        return False
    return all(isinstance(document, dict) and {"apiVersion", "kind"} <= document.keys() for document in documents)


@cache
def rule_of(code: str) -> Rule:
    return next(rule for rule in all_rules() if rule.code == code)


def codes_found(code: str, example: str, folder: Path) -> set[str]:
    """The codes of all findings about a repository of which ``example``, of the rule ``code``, is a part."""
    repo = repository_of(code, example, folder)
    return {finding.rule.code for finding in (*repo.lint().findings, *repo.compile().findings)}


def repository_of(code: str, example: str, folder: Path) -> Repo:
    """The repository of which ``example``, of the rule ``code``, is a part, written to ``folder``."""
    frame = frames().get(code, {})
    (folder / "example.yaml").write_text(manifests(frame, example), encoding="utf-8")
    lint = {} if rule_of(code).default else {"lint": {"select": [code]}}
    return omec.open(folder, config={**frame.get("config", {}), **lint})


def manifests_of(code: str, example: str) -> str:
    """The repository of ``example`` as YAML."""
    return manifests(frames().get(code, {}), example)


def manifests(frame: Object, example: str) -> str:
    if "kind" not in frame:
        return str(frame.get("text", "")) + example
    fragment = yaml.safe_load(example)
    for key in reversed(frame["at"].split(".") if "at" in frame else []):
        fragment = {key: fragment}
    whole = merged(merged(_object(frame["kind"]), frame.get("with", {})), fragment)
    return yaml.safe_dump_all([whole, *frame.get("beside", [])])


def _object(kind: str) -> Object:
    version = API_VERSION if kind in KINDS else "v1"
    metadata = {"name": "example"}
    if kind not in KINDS or KINDS[kind].namespaced:
        metadata["namespace"] = "demo"
    if kind == "ConfigMap":
        metadata = {"name": "inferenceservice-config", "namespace": "ome"}
    return {"apiVersion": version, "kind": kind, "metadata": metadata}


def merged(base: Any, over: Any) -> Any:
    """``over`` laid over ``base``, mapping by mapping."""
    if not (isinstance(base, dict) and isinstance(over, dict)):
        return over
    return {**base, **{key: merged(base.get(key), value) for key, value in over.items()}}
