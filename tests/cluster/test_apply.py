"""A real API server accepts what omec emits, by server-side apply, and keeps it value for value."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from omec.compile.validate import Validator
from omec.finding import Severity
from tests.cluster.applied import assert_kept
from tests.cluster.client import ApiServer, Object

DEPLOYMENT: Object = {
    "apiVersion": "apps/v1",
    "kind": "Deployment",
    "metadata": {"name": "kept", "namespace": "apply", "labels": {"app": "kept"}},
    "spec": {
        "replicas": 0,
        "selector": {"matchLabels": {"app": "kept"}},
        "strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": "25%", "maxUnavailable": 0}},
        "template": {
            "metadata": {"labels": {"app": "kept"}},
            "spec": {
                "containers": [
                    {
                        "name": "ome-container",
                        "image": "registry.example.com/server:1.0",
                        "env": [
                            {"name": "POD_IP", "valueFrom": {"fieldRef": {"fieldPath": "status.podIP"}}},
                            {"name": "MODEL_PATH", "value": "/mnt/model"},
                        ],
                        "ports": [{"containerPort": 8080, "name": "http"}],
                        "resources": {"limits": {"cpu": "1500m", "memory": "2Gi", "nvidia.com/gpu": "1"}},
                        "volumeMounts": [{"mountPath": "/dev/shm", "name": "dshm"}],
                    },
                    {"name": "a-sidecar", "image": "registry.example.com/sidecar:1.0"},
                ],
                "tolerations": [{"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}],
                "volumes": [{"name": "dshm", "emptyDir": {"medium": "Memory"}}],
            },
        },
    },
}


def changed(path: str, value: Any) -> Object:
    """The Deployment with ``value`` at ``path``, whose steps are separated by slashes."""
    copy: Object = json.loads(json.dumps(DEPLOYMENT))
    *steps, last = [int(step) if step.isdigit() else step for step in path.split("/")]
    target: Any = copy
    for step in steps:
        target = target[step]
    target[last] = value
    return copy


def test_a_canonical_object_is_kept(apiserver: ApiServer) -> None:
    assert_kept(apiserver, [DEPLOYMENT])


@pytest.mark.parametrize(
    ("path", "value", "complaint"),
    [
        ("spec/template/spec/containers/0/resources/limits/cpu", "1.5", '"cpu": "1500m"'),
        ("spec/template/spec/hostNetwork", False, '"hostNetwork": false'),
        ("spec/template/spec/containers/0/imge", "x", "field not declared in schema"),
        ("spec/template/spec/containers/0/name", "Server", "a lowercase RFC 1123 label"),
    ],
    ids=["quantity", "zero value", "unknown field", "name"],
)
def test_what_is_not_canonical_shows(apiserver: ApiServer, path: str, value: Any, complaint: str) -> None:
    with pytest.raises(AssertionError, match=r"is (refused|not kept)") as failure:
        assert_kept(apiserver, [changed(path, value)])
    assert complaint in str(failure.value)


def test_what_ome_renders_is_kept(apiserver: ApiServer, testdata: Path) -> None:
    """Objects that OME's own code renders for the corpus are kept: the comparison has no false alarms."""
    objects = rendered_by_ome(testdata / "oracle" / "render" / "runtimes.jsonl", cases=30)
    assert len(objects) > 100
    assert_kept(apiserver, objects)


def test_verdicts_on_what_ome_renders(apiserver: ApiServer, testdata: Path) -> None:
    """omec and the API server agree on every object that OME renders for odd input, good or bad."""
    objects = rendered_by_ome(testdata / "oracle" / "render" / "variations.jsonl", cases=1000)
    apiserver.ensure_namespaces(objects)
    validator = Validator(apiserver.version)
    refused = 0
    for obj in objects:
        # Of what the server only warns of, it refuses duplicates all the same where objects are applied.
        errors = [e for e in validator.errors(obj) if e.severity is Severity.ERROR or e.keyword != "admission"]
        answer = apiserver.apply(obj, dry_run=True)
        assert answer.accepted is not bool(errors), (answer.message, errors)
        refused += not answer.accepted
    assert refused > 10


def rendered_by_ome(path: Path, cases: int) -> list[Object]:
    with path.open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line, _ in zip(lines, range(cases), strict=False)]
    outcomes = [row[side] for row in rows for side in ("expected", "expectedV13") if row.get(side)]
    rendered = [obj for outcome in outcomes for obj in outcome.get("objects", ())]
    for obj in rendered:
        obj["metadata"].pop("ownerReferences", None)  # without uid, as the oracle has them, they are no references
    covered = Validator().covers
    different = {json.dumps(obj, sort_keys=True): obj for obj in rendered if covered(obj)}
    return list(different.values())
