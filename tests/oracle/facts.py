"""Judge of ``facts.jsonl``: what a model directory says."""

from __future__ import annotations

import base64
import json
import tempfile
from pathlib import Path
from typing import Any

from omec.facts import Facts, FactsError, read_facts
from tests.oracle.interface import Answer, Row, skip

KIND = "facts"

_OUTCOMES = ("metadata", "error", "none")


def accepts(row: Row) -> bool:
    expected = row.get("expected")
    return "files" in row and isinstance(expected, dict) and any(outcome in expected for outcome in _OUTCOMES)


def judge(row: Row, data: Path | None) -> dict[str, Answer]:
    if data is None and any(isinstance(content, dict) for content in row["files"].values()):
        return {"facts": skip("needs the corpus")}
    expected = row["expected"]
    with tempfile.TemporaryDirectory() as scratch:
        directory = Path(scratch, "model")
        build(row, directory, data)
        try:
            facts = read_facts(directory, row.get("annotations"))
        except FactsError as error:
            return {"error": _error(expected, error.reported.replace(str(directory), "{dir}"))}
    answers = {
        "none": Answer(expected.get("none", False), bool(facts.skipped)),
        "warnings": Answer(expected.get("warnings", []), [each.reported for each in facts.warnings if each.reported]),
    }
    if "error" in expected:
        answers["error"] = Answer(expected["error"]["text"], None)
    if "metadata" in expected:
        answers |= _metadata(expected, facts)
    return answers


def build(row: Row, directory: Path, data: Path | None) -> None:
    """Create the model directory that ``row`` describes."""
    if row.get("missingDirectory"):
        return
    directory.mkdir()
    for name in row.get("dirs", ()):
        (directory / name).mkdir(parents=True)
    for name, content in row["files"].items():
        _write(directory / name, content.encode() if isinstance(content, str) else _corpus_file(content, data))
    for name, described in row.get("safetensors", {}).items():
        _write(directory / name, safetensors_file(described))


def safetensors_file(described: dict[str, Any]) -> bytes:
    """The bytes of a safetensors file from the oracle's description of it."""
    if "base64" in described:
        return base64.b64decode(described["base64"])
    text = described.get("headerText")
    header = json.dumps(described["header"], separators=(",", ":"), ensure_ascii=False) if text is None else text
    content = header.encode() + b" " * described.get("headerPad", 0)
    length = described.get("declaredLength", len(content))
    return int(length).to_bytes(8, "little") + content + bytes(described.get("payload", 0))


def _corpus_file(content: dict[str, str], data: Path | None) -> bytes:
    assert data is not None
    return (data / "corpus" / "ome-v0.1.5" / content["corpus"]).read_bytes()


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def _error(expected: dict[str, Any], reported: str) -> Answer:
    if "error" not in expected:
        return Answer(expected, f"error: {reported}")
    stable = expected["error"].get("stable")
    return Answer(stable, reported[: len(stable)]) if stable else Answer(expected["error"]["text"], reported)


def _metadata(expected: dict[str, Any], facts: Facts) -> dict[str, Answer]:
    metadata = expected["metadata"]
    actual: dict[str, Any] = {
        "modelType": facts.model_type,
        "modelArchitecture": facts.architecture,
        "modelFormat": facts.format.to_dict(),
        "modelFramework": facts.framework.to_dict(),
        "modelParameterSize": facts.parameter_size,
        "maxTokens": facts.max_tokens,
        "modelCapabilities": list(facts.capabilities),
        "apiCapabilities": None,
        "quantization": facts.quantization,
        "modelConfiguration": _in_order(facts.configuration),
        "diffusionPipeline": facts.diffusion_pipeline,
    }
    answers = {
        name: Answer(
            _in_order(metadata[name]) if name == "modelConfiguration" else metadata.get(name), actual.get(name)
        )
        for name in sorted(metadata.keys() | actual.keys())
    }
    answers["parameterCount"] = Answer(expected["parameterCount"], facts.parameter_count)
    answers["configFile"] = Answer(expected["configFile"], facts.config_file)
    return answers


def _in_order(configuration: Any) -> list[list[Any]]:
    """An object whose key order counts."""
    return [[key, value] for key, value in configuration.items()]
