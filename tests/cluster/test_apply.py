"""A real API server accepts what omec emits, by server-side apply, and keeps it value for value."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from omec.compile.validate import Validator
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
    """Objects of the rendering oracle, which come from OME's own code: harness and schemas have no false alarms."""
    validator = Validator(apiserver.version)
    objects = rendered_by_ome(testdata / "oracle" / "render" / "runtimes.jsonl", cases=30)
    assert len(objects) > 100
    assert [(obj["kind"], error) for obj in objects for error in validator.errors(obj)] == []
    assert_kept(apiserver, objects)


def rendered_by_ome(path: Path, cases: int) -> list[Object]:
    with path.open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line, _ in zip(lines, range(cases), strict=False)]
    rendered = [obj for row in rows for obj in (row.get("expectedV13") or row["expected"])["objects"]]
    for obj in rendered:
        obj["metadata"].pop("ownerReferences", None)  # without uid, as the oracle has them, they are no references
    covered = Validator().covers
    return [obj for obj in rendered if covered(obj)]
