"""Small repositories that are in order: what faults are made in."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import yaml

from omec.finding import Finding, Severity
from omec.session import from_objects
from tests.conftest import EXAMPLES, ROOT, external_data_path
from tests.mutants.place import MODEL_KINDS, RUNTIME_KINDS, Object

HERE = Path(__file__).parent
RENDERED = "rendered"


@dataclass(frozen=True)
class World:
    name: str
    objects: tuple[Object, ...]
    config: dict[str, Any] = field(default_factory=dict)

    @cached_property
    def is_sound(self) -> bool:
        """Whether nothing is an error yet, behind which a fault could hide."""
        return all(finding.severity is not Severity.ERROR for finding in lint(list(self.objects), self.config))

    @cached_property
    def findings(self) -> frozenset[tuple[str, ...]]:
        """What lint says before anything is broken."""
        return frozenset(map(key, lint(list(self.objects), self.config)))


def lint(objects: list[Object], config: dict[str, Any]) -> tuple[Finding, ...]:
    """The findings of all rules about ``objects``."""
    select = {"select": ["ALL"], "ignore": ["OME934"]}
    return from_objects(objects, config={**config, "lint": {**select, **config.get("lint", {})}}).lint().findings


def key(finding: Finding) -> tuple[str, ...]:
    """What makes two findings of two runs the same: not the message, which may name what has changed elsewhere."""
    return (finding.rule.code, str(finding.object), finding.field or "")


@cache
def worlds() -> tuple[World, ...]:
    """The hand-made worlds, the examples, and those of the public manifests where they are at hand."""
    return (*_by_hand(), *_examples(), *_public())


def _by_hand() -> Iterator[World]:
    for file in sorted((HERE / "worlds").glob("*.yaml")):
        first, *rest = _documents(file)
        yield World(file.stem, tuple(rest), first["config"]) if "config" in first else World(file.stem, (first, *rest))


def _examples() -> Iterator[World]:
    """The examples that have one environment."""
    for name in EXAMPLES:
        settings = ROOT / "examples" / name / "omec.toml"
        config = tomllib.loads(settings.read_text(encoding="utf-8"))
        if "environments" in config:
            continue
        kept = {name: value for name, value in config.items() if name not in ("source", "output", "emit")}
        files = sorted(path for path in settings.parent.rglob("*.yaml") if RENDERED not in path.parts)
        yield World(f"example/{name}", tuple(body for file in files for body in _documents(file)), kept)


def _public() -> Iterator[World]:
    """Each service of OME's public manifests that names a runtime, with that and with its model."""
    data = external_data_path()
    if data is None:
        return
    folder = data / "corpus" / "ome-v0.1.5" / "config"
    files = (path for part in ("models", "runtimes", "samples") for path in sorted((folder / part).rglob("*.yaml")))
    bodies = [body for file in files for body in _documents(file)]
    named: dict[tuple[str, str], list[Object]] = {}
    for body in bodies:
        named.setdefault((body["kind"], body["metadata"]["name"]) if "metadata" in body else ("", ""), []).append(body)
    for body in bodies:
        if body["kind"] != "InferenceService" or "namespace" not in body["metadata"]:
            continue
        runtime = _the_one(named, RUNTIME_KINDS, body["spec"].get("runtime"))
        model = _the_one(named, MODEL_KINDS, body["spec"].get("model"))
        if runtime and model:
            yield World(f"public/{body['metadata']['namespace']}/{body['metadata']['name']}", (body, runtime, model))


def _the_one(named: dict[tuple[str, str], list[Object]], kinds: tuple[str, ...], reference: Any) -> Object | None:
    name = (reference or {}).get("name", "")
    found = [body for kind in kinds for body in named.get((kind, name), ())]
    return found[0] if found else None


def _documents(file: Path) -> list[Object]:
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return [body for body in yaml.load_all(file.read_text(encoding="utf-8"), Loader=loader) if body]
