"""The generated schema document is current, and agrees with the CRDs that are at hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jsonschema
import pytest

from omec.api import schema
from omec.api.former_fields import FORMER_FIELDS
from omec.api.kinds import KINDS
from tests.api.crd_facts import crd_facts, own_facts
from tests.api.test_model_vectors import VECTORS, Vector, body

FULL = "corpus/ome-v0.1.5/config/crd/full"
CRDS = {
    **{
        kind: f"{FULL}/ome.io_{KINDS[kind].plural}.yaml"
        for kind in (
            "InferenceService",
            "BaseModel",
            "ClusterBaseModel",
            "FineTunedWeight",
            "ServingRuntime",
            "ClusterServingRuntime",
            "AcceleratorClass",
            "BenchmarkJob",
        )
    },
    "AcceleratorQuota": "crds/ome-acceleratorquotas.yaml",
    "InferenceReplica": "crds/ome-inferencereplicas.yaml",
}

CLAIM_METADATA = ".ephemeral.volumeClaimTemplate.metadata."
"""CRDs leave the metadata of embedded claim templates untyped; ours is typed."""

NEWER_KUBERNETES = ("restartPolicyRules", "fileKeyRef", "hostnameOverride", "workloadRef", "podCertificate")
"""Fields of Kubernetes releases after the one that the CRD was generated with."""

WITHOUT_MARK = {"runtime.autoSync", "runtime.revision"}
"""New since v0.1.5, but in v1.2.2 already, so they are not marked as new in 1.3."""


def test_the_committed_schema_is_current() -> None:
    pytest.importorskip("kubernetes_validate", reason="the generator needs the development dependencies")
    from schemas import build_ome  # noqa: PLC0415 - see above

    assert build_ome.OUTPUT.read_text(encoding="utf-8") == build_ome.rendered()


def test_the_document_is_a_valid_json_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(schema.document())


@pytest.mark.parametrize("kind", CRDS)
def test_fields_of_the_crd_exist(testdata: Path, kind: str) -> None:
    """Whatever the CRD has and we have not is a field that 1.3 dropped, and known as such."""
    former = {".".join(map(str, path)) for former_kind, path in FORMER_FIELDS if former_kind == kind}
    missing = crd_facts(testdata / CRDS[kind]).keys() - own_facts(kind).keys()
    unexplained = {
        path
        for path in missing
        if not any(path == name or path.startswith((f"{name}.", f"{name}[")) for name in former)
    }
    assert unexplained == set()


@pytest.mark.parametrize("kind", CRDS)
def test_further_fields_are_marked_as_new(testdata: Path, kind: str) -> None:
    """Whatever we have and the CRD has not is marked as new in 1.3, or explained above."""
    further = own_facts(kind).keys() - crd_facts(testdata / CRDS[kind]).keys()
    unexplained = {
        path
        for path in further
        if CLAIM_METADATA not in path
        and not any(f".{name}" in path for name in NEWER_KUBERNETES)
        and not any(path == f"spec.{name}" for name in WITHOUT_MARK)
        and not _is_new(kind, path)
    }
    assert unexplained == set()


@pytest.mark.parametrize("kind", CRDS)
def test_common_fields_agree(testdata: Path, kind: str) -> None:
    """Types, required fields, enums, patterns, bounds and list keys are those of the CRD."""
    theirs, ours = crd_facts(testdata / CRDS[kind]), own_facts(kind)
    different = {
        (path, fact): (theirs[path].get(fact), ours[path].get(fact))
        for path in theirs.keys() & ours.keys()
        for fact in theirs[path].keys() | ours[path].keys()
        if theirs[path].get(fact) != ours[path].get(fact) and not _is_explained(path, fact)
    }
    assert different == {}


def _is_new(kind: str, path: str) -> bool:
    node: dict[str, Any] = schema.root(kind)
    for step in path.replace("[]", ".[]").replace("{}", ".{}").split("."):
        node = schema.resolved(node)
        child = {"[]": node.get("items"), "{}": node.get("additionalProperties")}.get(step) or node["properties"][step]
        if "x-omec-since" in child:
            return True
        node = child
    return False


def _is_explained(path: str, fact: str) -> bool:
    if fact == "default":
        # The CRDs default some fields of embedded Kubernetes types; validation needs only those of list keys.
        return not path.startswith(("spec.model", "spec.runtime", "spec.supported")) and "protocol" not in path
    return fact == "pattern" and path.endswith("instanceReadyTimeout")  # we refuse what OME cannot decode


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector.number)
def test_both_validators_find_the_same_errors(vector: Vector) -> None:
    """jsonschema, the reference implementation, agrees with the compiled validator about where errors are."""
    value = schema.without_nulls(schema.root(vector.kind), body(vector.kind, vector.spec, vector.metadata))
    reference = jsonschema.Draft202012Validator({**schema.document(), "$ref": f"#/$defs/{vector.kind}"})
    expected = {(tuple(error.absolute_path), error.validator) for error in reference.iter_errors(value)}
    actual = {
        (tuple(error.instance_path), error.kind.name) for error in schema.validator(vector.kind).iter_errors(value)
    }
    assert actual == expected


def test_every_kind_has_a_schema() -> None:
    assert schema.document()["$defs"].keys() >= KINDS.keys()


def test_the_comparison_reads_something(testdata: Path) -> None:
    assert len(crd_facts(testdata / CRDS["InferenceService"])) > 10_000
