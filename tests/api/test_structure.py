"""Structural findings: what they say, where they point, and that nothing makes them fail."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from omec.api.kinds import KINDS
from omec.api.structure import structural_findings
from omec.api.uncompiled import uncompiled_findings
from omec.finding import Finding, ObjectRef, Severity
from omec.repo.document import Document
from tests.api.manifests import body, codes, document, findings, manifest, pointed_at

SERVICE = """\
apiVersion: ome.io/v1beta1
kind: InferenceService
metadata:
  name: chat
  namespace: prod
spec:
"""
CASES: list[dict[str, str]] = yaml.safe_load(Path(__file__).with_name("structure_cases.yaml").read_text())


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['code']}-{case['field']}")
def test_finding(case: dict[str, str]) -> None:
    (finding,) = findings(case["manifest"])
    assert (finding.rule.code, finding.severity) == (case["code"], Severity.ERROR)
    assert pointed_at(case["manifest"], finding) == case["at"]
    assert finding.field == case["field"]
    assert case["message"] in finding.message
    assert case["help"] in finding.help
    assert not finding.message.endswith(".")
    assert not finding.help.endswith(".")


def test_a_repeated_item_shows_the_first_one() -> None:
    text = SERVICE + "  engine:\n    volumes:\n    - {name: v}\n    - {name: v}\n"
    (finding,) = findings(text)
    (first,) = finding.related
    assert (finding.position.line, first.position.line) == (10, 9)


def test_the_object_is_the_one_that_the_manifest_claims() -> None:
    (finding,) = findings(SERVICE + "  foo: 1\n")
    assert finding.object == ObjectRef("InferenceService", "prod", "chat")


def test_the_caller_may_name_the_object() -> None:
    ref = ObjectRef("InferenceService", "team", "chat")
    (finding,) = findings(SERVICE + "  foo: 1\n", ref=ref)
    assert finding.object == ref


def test_secrets_are_not_shown() -> None:
    token = "hf_" + "a" * 30
    text = SERVICE + f"  deploymentMode: {token}\n  runtime: {token}\n  engine:\n    minReplicas: {token}\n"
    shown = " ".join(finding.message + finding.help for finding in findings(text))
    assert token not in shown
    assert "[redacted]" in shown


NULLS = [
    ("{engine: null, model: null}", []),
    ("{engine: {runner: null, labels: {a: null}}}", []),
    ("{model: {name: null}}", ["OME123"]),
    ("{foo: null}", ["OME120"]),
    ("{engine: {runner: {args: [null]}}}", ["OME122"]),
    ("{placement: {policy: ClusterAffinity, mode: All, clusterAffinity: null}}", ["OME122"]),
]


@pytest.mark.parametrize(("spec", "expected"), NULLS)
def test_null_counts_as_absent_where_it_does(spec: str, expected: list[str]) -> None:
    assert codes(findings(manifest("InferenceService", spec))) == expected


def test_free_form_fields_take_anything() -> None:
    spec = "{storage: {storageUri: 'hf://a/b'}, modelConfiguration: {name: 1, a: [null, {b: null}]}}"
    assert findings(manifest("BaseModel", spec)) == []


def test_status_is_not_checked() -> None:
    assert findings(SERVICE + "  engine: {}\nstatus: {components: {engine: 5}}\n") == []


VERSIONS = [
    # spec, codes with ome-version 1.2, codes with 1.3
    ("{deploymentMode: OMENative}", ["OME128"], []),
    ("{engine: {lifecycle: {}}, traffic: {}}", ["OME128", "OME128"], []),
    ("{model: {name: m, overlays: []}}", ["OME128"], []),
    ("{engine: {scaleMetric: cpu, scaleTarget: 80}}", [], ["OME121", "OME121"]),
    ("{kedaConfig: {enableKeda: true}}", [], ["OME121"]),
    ("{predictor: {}}", ["OME121"], ["OME121"]),
    ("{runtime: {name: r, autoSync: false}}", [], []),
]


@pytest.mark.parametrize(("spec", "older", "newer"), VERSIONS)
def test_fields_of_releases(spec: str, older: list[str], newer: list[str]) -> None:
    text = manifest("InferenceService", spec)
    assert codes(findings(text, ome_version="1.2")) == older
    assert codes(findings(text, ome_version="1.3")) == newer


def test_kinds_of_releases() -> None:
    text = manifest("AcceleratorQuota", "{role: Cohort}")
    assert codes(findings(text)) == []
    (finding,) = findings(text, ome_version="1.2")
    assert (finding.rule.code, pointed_at(text, finding)) == ("OME128", "AcceleratorQuota")


UNCOMPILED = [
    ("InferenceService", "{placement: {}, routing: {}, rollout: {}}", ["OME160", "OME160"]),
    ("InferenceService", "{placement: null, engine: {}}", []),
    ("TrafficMap", "{service: s}", ["OME161"]),
    ("WorkloadCluster", "{clusterSource: {clusterProfileRef: {name: p}}}", ["OME162"]),
    ("ClusterBaseModel", "{storage: {storageUri: 'hf://a/b'}}", []),
]


@pytest.mark.parametrize(("kind", "spec", "expected"), UNCOMPILED)
def test_what_is_not_compiled_is_said(kind: str, spec: str, expected: list[str]) -> None:
    assert codes(uncompiled_findings(kind, document(manifest(kind, spec)))) == expected


def test_severities_of_what_is_not_compiled() -> None:
    def severity(kind: str, spec: str) -> Severity:
        (finding,) = uncompiled_findings(kind, document(manifest(kind, spec)))
        return finding.severity

    assert severity("InferenceService", "{placement: {}}") is Severity.ERROR
    assert severity("TrafficMap", "{service: s}") is Severity.WARNING
    assert severity("WorkloadCluster", "{}") is Severity.INFO


# The corpus


def _corpus(testdata: Path) -> list[tuple[str, Document]]:
    folder = testdata / "corpus" / "ome-v0.1.5"
    found = []
    for file in sorted(folder.rglob("*.yaml")):
        if "crd" in file.parts:
            continue
        for index, value in enumerate(yaml.load_all(file.read_text(), yaml.CSafeLoader)):
            if value and str(value.get("apiVersion")).startswith("ome.io/"):
                found.append((str(file.relative_to(folder)), Document(file.name, index, value)))
    return found


def test_the_corpus_has_exactly_its_known_violations(testdata: Path) -> None:
    """Corpus README, "Validation against the v0.1.5 CRDs": 565 of 570 documents are clean."""
    found: dict[tuple[str, str], list[tuple[str, str | None]]] = {}
    documents = _corpus(testdata)
    for path, doc in documents:
        kind, name = doc.value["kind"], doc.value["metadata"]["name"]
        for finding in structural_findings(kind, doc):
            found.setdefault((path, name), []).append((finding.rule.code, finding.field))
    performance = "spec.capabilities.performance"
    classes = "doc-examples/oep-0003-acceleratorclasses.yaml"
    assert len(documents) == 570
    assert {key: set(value) for key, value in found.items()} == {
        ("config/samples/isvc/LGAI-EXAONE/exaone-3-5-7-8b-instruct-isvc.yaml", "exaone-3-5-7-8b-instruct"): {
            ("OME120", "spec.deployment"),
            ("OME123", "spec.model.name"),
            ("OME120", "spec.model.modelName"),
            ("OME120", "spec.model.runtime"),
        },
        ("config/samples/isvc/zai-org/glm-4-5v.yaml", "glm-4-5v-test"): {
            ("OME120", "spec.modelRef"),
            ("OME120", "spec.minReplicas"),
            ("OME120", "spec.maxReplicas"),
            ("OME120", "spec.scaleTarget"),
        },
        (classes, "nvidia-a100-40gb"): {
            ("OME120", "spec.discovery.nodeSelectorTerms"),
            ("OME120", f"{performance}.fp16TFLOPS"),
            ("OME120", f"{performance}.fp32TFLOPS"),
            ("OME120", f"{performance}.int8TOPS"),
        },
        (classes, "nvidia-h100-80gb"): {
            ("OME120", f"{performance}.fp8TFLOPS"),
            ("OME120", f"{performance}.fp16TFLOPS"),
            ("OME120", f"{performance}.fp32TFLOPS"),
        },
        (classes, "amd-mi250x"): {
            ("OME120", "spec.discovery.nodeSelectorTerms"),
            ("OME120", "spec.capabilities.rocmVersion"),
            ("OME120", f"{performance}.fp16TFLOPS"),
            ("OME120", f"{performance}.fp32TFLOPS"),
        },
    }
    assert uncompiled(documents) == []


def uncompiled(documents: list[tuple[str, Document]]) -> list[Finding]:
    return [finding for _, doc in documents for finding in uncompiled_findings(doc.value["kind"], doc)]


# A real API server's answers


def test_the_api_server_agrees_about_quotas(testdata: Path) -> None:
    """Rows of kind schema: one manifest each, sent with strict field validation."""
    rows = [json.loads(line) for line in (testdata / "oracle" / "quota-kueue.jsonl").read_text().splitlines()]
    rows = [row for row in rows if row["kind"] == "schema"]
    answers = {row["id"]: row["expected"]["accepted"] for row in rows}
    ours = {
        row["id"]: not structural_findings("AcceleratorQuota", Document("row", 0, row["input"]["object"]))
        for row in rows
    }
    assert len(rows) > 40
    assert ours == answers


def test_the_api_server_agrees_about_inference_replicas(testdata: Path) -> None:
    """Every manifest that an API server refused for its structure, or warned about, has findings, no other one has."""
    rows = [json.loads(line) for line in (testdata / "oracle" / "ir-admission.jsonl").read_text().splitlines()]
    wrong = []
    for row in rows:
        answer = row["expected"]
        refused = answer.get("stage") == "schema" or answer.get("messageExact") is False or bool(answer.get("warnings"))
        found = structural_findings(row["object"]["kind"], Document("row", 0, row["object"]))
        if bool(found) != refused:
            wrong.append((row["id"], answer, [finding.message for finding in found]))
    assert len(rows) > 200
    assert wrong == []


def test_the_api_server_agrees_about_fields(testdata: Path) -> None:
    """The places that an API server complained about are the places of the findings."""
    for line in (testdata / "oracle" / "ir-admission.jsonl").read_text().splitlines():
        row = json.loads(line)
        causes = row["expected"].get("causes", [])
        if not causes or row["id"] in _TWICE:
            continue
        expected = {cause["field"] for cause in causes if cause["field"] != "<nil>"}
        found = structural_findings(row["object"]["kind"], Document("row", 0, row["object"]))
        fields = {_without_key(finding) for finding in found}
        assert fields == expected, row["id"]


_TWICE = {"ir-adm/replicas/4", "ir-adm/update/component-and-replicas"}
"""Rows where the server repeats its complaint under a second spelling of the path."""


def _without_key(finding: Finding) -> str | None:
    """A repeated item is the server's finding about the item, and ours about its key."""
    field = finding.field
    return field.rpartition(".")[0] if field and finding.rule.code == "OME127" else field


# Nothing makes it fail

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
JSON = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
RICH = [
    body(
        "InferenceService",
        "{model: {name: m, overlays: [{name: a}]}, engine: {minReplicas: 1, runner: {name: r, env: [{name: A}], "
        "ports: [{containerPort: 80}]}, volumes: [{name: v, emptyDir: {}}], autoscaler: {class: KEDA, keda: "
        "{triggers: [{type: t, metadata: {}}]}}}, routing: {probe: {disabled: true}, publisher: {options: {a: b}}}, "
        "placement: {policy: ClusterAffinity, mode: Single, replacementTimeout: 30s, clusterAffinity: "
        "[{matchFields: [{key: metadata.name, operator: In, values: [a]}]}]}, "
        "rollout: {groups: [{components: [engine], order: [engine]}]}}",
        "{name: x, labels: {a: b}, annotations: {c: d}}",
    ),
    body(
        "AcceleratorQuota",
        "{role: ClusterQueue, parentRef: {name: root}, distribution: {policy: Explicit}, budgets: "
        "[{resourceName: nvidia.com/gpu, resourceFlavor: h100, nominal: 8, perCluster: [{cluster: a, nominal: 8}]}]}",
    ),
    body("ClusterBaseModel", "{storage: {storageUri: 'pvc://n:p/m'}, distribution: PerNode, modelConfiguration: {}}"),
    body("AutoscalerPolicy", "{class: KEDA, keda: {triggers: [], fallback: {replicas: {value: 1}}}}"),
]


def _places(value: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for step, child in children for place in _places(child, (*path, step)))]


def _replaced(value: Any, path: tuple[str | int, ...], new: Any) -> Any:
    if not path:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = _replaced(value[path[0]], path[1:], new)
    return copy


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_no_manifest_makes_it_fail(data: st.DataObject) -> None:
    original = data.draw(st.sampled_from(RICH))
    path = data.draw(st.sampled_from(_places(original)[1:]))
    value = _replaced(original, path, data.draw(JSON))
    doc = Document("test.yaml", 0, value)
    version = data.draw(st.sampled_from(["1.2", "1.3"]))
    for finding in structural_findings(original["kind"], doc, ome_version=version):
        assert finding.to_dict()["message"]
    uncompiled_findings(original["kind"], doc)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("spec", ["null", "[]", "5", "text", "{}", "[[]]", "{a: {b: {c: []}}}"])
def test_every_kind_takes_any_spec(kind: str, spec: str) -> None:
    assert isinstance(findings(manifest(kind, spec)), list)


def _nested(depth: int) -> Any:
    value: Any = []
    for _ in range(depth):
        value = [value]
    return value


def test_deep_nesting_is_a_finding() -> None:
    doc = Document("test.yaml", 0, {**body("InferenceService", "{}"), "spec": {"engine": _nested(2_000)}})
    assert codes(structural_findings("InferenceService", doc)) == ["OME126"]


def test_free_form_fields_may_be_deep() -> None:
    value = body("BaseModel", "{storage: {storageUri: 'hf://a/b'}, modelConfiguration: {}}")
    value["spec"]["modelConfiguration"]["deep"] = _nested(2_000)
    assert structural_findings("BaseModel", Document("test.yaml", 0, value)) == []
