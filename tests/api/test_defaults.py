"""Admission: nulls pruned and defaults filled in (reference 02 §3 stage 0, reference 06 §1.2 and its tables)."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omec.api.defaults import admitted
from omec.api.kinds import KINDS

RUNTIME = "ClusterServingRuntime"
SERVICE = "InferenceService"

CASES: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    # Runtimes
    (
        RUNTIME,
        {"supportedModelFormats": [{"modelFormat": {"name": "f"}, "modelFramework": {"name": "t", "weight": 0}}]},
        {
            "supportedModelFormats": [
                {
                    "modelFormat": {"name": "f", "operator": "Equal", "weight": 1},
                    "modelFramework": {"name": "t", "operator": "Equal", "weight": 0},
                }
            ]
        },
    ),
    (RUNTIME, {"supportedModelFormats": [{"name": "f"}]}, {"supportedModelFormats": [{"name": "f"}]}),
    (
        RUNTIME,
        {"engineConfig": {"runner": {"ports": [{"containerPort": 1}, {"containerPort": 2, "protocol": "UDP"}]}}},
        {
            "engineConfig": {
                "runner": {"ports": [{"containerPort": 1, "protocol": "TCP"}, {"containerPort": 2, "protocol": "UDP"}]}
            }
        },
    ),
    (
        RUNTIME,
        {"routerConfig": {"ephemeralContainers": [{"ports": [{"containerPort": 1, "protocol": None}]}]}},
        {"routerConfig": {"ephemeralContainers": [{"ports": [{"containerPort": 1, "protocol": "TCP"}]}]}},
    ),
    (
        RUNTIME,
        {"containers": [{"name": "c", "livenessProbe": {"grpc": {"port": 1}}, "startupProbe": {}}]},
        {"containers": [{"name": "c", "livenessProbe": {"grpc": {"port": 1, "service": ""}}, "startupProbe": {}}]},
    ),
    (
        RUNTIME,
        {"imagePullSecrets": [{}, {"name": "a"}], "scalingPolicy": {"proportional": {}}},
        {
            "imagePullSecrets": [{"name": ""}, {"name": "a"}],
            "scalingPolicy": {"mode": "Independent", "proportional": {"anchor": "engine"}},
        },
    ),
    (
        RUNTIME,
        {
            "decoderConfig": {
                "worker": {
                    "volumes": [
                        {"azureDisk": {}},
                        {"iscsi": {}},
                        {"rbd": {"pool": "p"}},
                        {"scaleIO": {}},
                        {"configMap": {}},
                        {"projected": {"sources": [{"secret": {}}]}},
                    ]
                }
            }
        },
        {
            "decoderConfig": {
                "worker": {
                    "volumes": [
                        {"azureDisk": {"fsType": "ext4", "readOnly": False}},
                        {"iscsi": {"iscsiInterface": "default"}},
                        {"rbd": {"pool": "p", "user": "admin", "keyring": "/etc/ceph/keyring"}},
                        {"scaleIO": {"fsType": "xfs", "storageMode": "ThinProvisioned"}},
                        {"configMap": {"name": ""}},
                        {"projected": {"sources": [{"secret": {"name": ""}}]}},
                    ]
                }
            }
        },
    ),
    # InferenceServices
    (
        SERVICE,
        {"model": {"name": "m", "overlays": [{"name": "o"}]}, "runtime": {"name": "r", "kind": "ServingRuntime"}},
        {
            "model": {
                "name": "m",
                "kind": "ClusterBaseModel",
                "apiGroup": "ome.io",
                "overlays": [{"name": "o", "kind": "ClusterBaseModel", "apiGroup": "ome.io"}],
            },
            "runtime": {"name": "r", "kind": "ServingRuntime", "apiGroup": "ome.io", "autoSync": True},
        },
    ),
    (SERVICE, {"model": None, "engine": {}}, {"engine": {}}),
    (
        SERVICE,
        {"engine": {"autoscalerPolicyRef": {"name": "p"}}, "rollout": {"groups": [{"policyRef": {"name": "r"}}]}},
        {
            "engine": {"autoscalerPolicyRef": {"name": "p", "kind": "AutoscalerPolicy"}},
            "rollout": {"groups": [{"policyRef": {"name": "r", "kind": "RolloutPolicy"}}]},
        },
    ),
    (
        SERVICE,
        {"placement": {"clusterAffinity": None, "mode": None}},
        {"placement": {"clusterAffinity": None}},
    ),
    # Models and the rest
    (
        "BaseModel",
        {"modelFormat": {"name": "f"}, "modelConfiguration": {"a": None}, "version": None},
        {"modelFormat": {"name": "f", "operator": "Equal", "weight": 1}, "modelConfiguration": {"a": None}},
    ),
    ("BaseModel", {"modelConfiguration": None}, {}),
    ("FineTunedWeight", {"hyperParameters": {"a": [None]}}, {"hyperParameters": {"a": [None]}}),
    (
        "AcceleratorClass",
        {"resources": [{"name": "nvidia.com/gpu"}, {"name": "x", "quantity": 2}]},
        {"resources": [{"name": "nvidia.com/gpu", "quantity": "1"}, {"name": "x", "quantity": 2}]},
    ),
    (
        "InferenceReplica",
        {"modelRef": {"name": "m"}, "runners": [{"template": {"spec": {"containers": [{"ports": [{}]}]}}}]},
        {
            "modelRef": {"name": "m", "kind": "ClusterBaseModel", "apiGroup": "ome.io"},
            "runners": [{"template": {"spec": {"containers": [{"ports": [{"protocol": "TCP"}]}]}}}],
        },
    ),
    ("AutoscalerPolicy", {"class": "HPA"}, {"class": "HPA", "enforcement": "Default"}),
    (
        "WorkloadCluster",
        {"clusterSource": {"kubeConfig": {"secretRef": {"name": "s"}}}},
        {"clusterSource": {"kubeConfig": {"secretRef": {"name": "s"}, "key": "kubeconfig"}}},
    ),
    ("TrafficMap", {"entries": [{"capacity": {}}]}, {"entries": [{"capacity": {"source": "ControlPlane"}}]}),
    # Nulls and unknown fields
    (
        RUNTIME,
        {"labels": {"a": None, "b": "1"}, "unknown": {"x": None, "y": [{"z": None}]}},
        {
            "labels": {"b": "1"},
            "unknown": {"y": [{}]},
        },
    ),
    (RUNTIME, {"protocolVersions": [None, "openAI"]}, {"protocolVersions": [None, "openAI"]}),
    # Wrong types stay as they are.
    (
        RUNTIME,
        {"engineConfig": "none", "supportedModelFormats": {"modelFormat": {}}, "containers": ["c", 1], "labels": []},
        {"engineConfig": "none", "supportedModelFormats": {"modelFormat": {}}, "containers": ["c", 1], "labels": []},
    ),
    (
        RUNTIME,
        {"supportedModelFormats": ["f", {"modelFormat": "f"}]},
        {"supportedModelFormats": ["f", {"modelFormat": "f"}]},
    ),
    ("Unheard", {"model": {"name": None}}, {"model": {}}),
]


@pytest.mark.parametrize(("kind", "written", "stored"), CASES)
def test_admission(kind: str, written: dict[str, Any], stored: dict[str, Any]) -> None:
    body = {"kind": kind, "metadata": {"name": "x", "labels": None}, "spec": written}
    before = copy.deepcopy(body)
    assert admitted(kind, body) == {"kind": kind, "metadata": {"name": "x"}, "spec": stored}
    assert body == before


def test_what_needs_nothing_is_not_copied() -> None:
    body = {"metadata": {"name": "x"}, "spec": {"engineConfig": {"runner": {"name": "r", "args": ["a"]}}}}
    assert admitted(RUNTIME, body) is body


@pytest.mark.parametrize("spec", [None, "spec", 3, [], [{"a": None}]])
def test_a_spec_that_is_no_object(spec: Any) -> None:
    stored = admitted(RUNTIME, {"spec": spec})
    assert stored == ({} if spec is None else {"spec": [{}] if spec == [{"a": None}] else spec})


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["spec", "runtime", "model", "engineConfig", "runner", "ports", "volumes", "x", "labels"]),
            inner,
            max_size=3,
        )
    ),
    max_leaves=20,
)


@given(st.sampled_from(sorted(KINDS)), st.dictionaries(st.sampled_from(["spec", "metadata", "x"]), JSON))
def test_any_json_is_admitted_once_and_for_all(kind: str, body: dict[str, Any]) -> None:
    before = copy.deepcopy(body)
    stored = admitted(kind, body)
    assert body == before
    assert admitted(kind, stored) == stored
