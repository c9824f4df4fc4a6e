"""Judge of ``inheritance.jsonl``: chains, effective specs, hashes and what breaks a chain."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from omec.api.gojson import dumps
from omec.resolve.inherit import Chain, ChainResolver, revision_name
from tests.oracle.interface import Answer, Row, skip
from tests.oracle.objects import catalog_of, load_objects

KIND = "inheritance"


def accepts(row: Row) -> bool:
    return "runtimes" in row and "target" in row


def judge(row: Row, data: Path | None) -> dict[str, Answer]:
    if data is None and any("corpus" in ref or "corpusRuntimes" in ref for ref in row["runtimes"]):
        return {"chain": skip("needs the corpus")}
    expected = dict(row["expected"])
    actual = answers(resolve(row, data))
    if "chain" in expected and "spec" not in expected:
        actual.pop("spec", None)  # the corpus' own runtimes: the hash stands for the spec
    elif expected.get("spec") is not None and actual.get("spec") is not None:
        # The key order is OME's too.
        expected["encoding"], actual["encoding"] = dumps(expected["spec"]), dumps(actual["spec"])
    return {name: Answer(expected.get(name), actual.get(name)) for name in sorted(expected.keys() | actual.keys())}


def resolve(row: Row, data: Path | None) -> Chain:
    target = row["target"]
    catalog = catalog_of(load_objects(row["runtimes"], data or Path()))
    runtime = catalog.get(target["kind"], target["name"], target.get("namespace"))
    assert runtime is not None
    return ChainResolver(catalog).chain(runtime)


def answers(chain: Chain) -> dict[str, Any]:
    if chain.error is not None:
        return {"error": chain.error, "reason": chain.reason and str(chain.reason)}
    head = chain.head
    assert chain.hash is not None
    return {
        "chain": [runtime.name for runtime in chain.runtimes],
        "spec": chain.spec,
        "hash": chain.hash,
        "revisionName": revision_name(head.kind, head.namespace, head.name, chain.hash),
        "disabled": chain.disabled,
    }
