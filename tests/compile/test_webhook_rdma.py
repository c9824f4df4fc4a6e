"""RDMA profiles: reference 04 §16.4 and §24.6."""

from __future__ import annotations

import json
from typing import Any

import pytest

from omec.compile.webhook.pods import InjectionError
from omec.compile.webhook.rdma import PROFILES
from tests.compile.pod_templates import main_container, names, pod, template

Object = dict[str, Any]

NETWORKS = "k8s.v1.cni.cncf.io/networks"


def rdma(
    container: Object | None = None,
    profile: str | None = None,
    spec: Object | None = None,
    more: dict[str, str] | None = None,
) -> Object:
    annotations = {"rdma.ome.io/auto-inject": "true"} | ({} if profile is None else {"rdma.ome.io/profile": profile})
    return template({**annotations, **(more or {})}, container, **(spec or {}))


# --- §24.6 -------------------------------------------------------------------------------------------------------


def test_variables_that_are_there_stay_first() -> None:
    env = main_container(rdma({"env": [{"name": "NCCL_DEBUG", "value": "WARN"}]}))["env"]
    assert env[0] == {"name": "NCCL_DEBUG", "value": "WARN"}
    assert len(env) == 19
    assert names(env[1:]) == sorted(names(env[1:]))


def test_mount_of_the_name_at_another_path() -> None:
    mount = {"name": "dshm", "mountPath": "/x"}
    mounts = main_container(rdma({"volumeMounts": [mount]}))["volumeMounts"]
    assert mounts == [mount, {"name": "devinf", "mountPath": "/dev/infiniband"}]


@pytest.mark.parametrize(
    ("context", "expected"),
    [
        (None, {"capabilities": {"add": ["IPC_LOCK"]}}),
        ({"privileged": True}, {"privileged": True, "capabilities": {"add": ["IPC_LOCK"]}}),
        ({"capabilities": {"add": ["SYS_PTRACE"]}}, {"capabilities": {"add": ["SYS_PTRACE", "IPC_LOCK"]}}),
        ({"capabilities": {"add": ["IPC_LOCK"]}}, {"capabilities": {"add": ["IPC_LOCK"]}}),
        ({"capabilities": {"drop": ["ALL"]}}, {"capabilities": {"drop": ["ALL"], "add": ["IPC_LOCK"]}}),
    ],
)
def test_security_context(context: Object | None, expected: Object) -> None:
    given = {} if context is None else {"securityContext": context}
    assert main_container(rdma(given))["securityContext"] == expected


@pytest.mark.parametrize("profile", sorted(PROFILES))
def test_container_that_does_not_exist(profile: str) -> None:
    given = rdma(None, profile, more={"rdma.ome.io/container-name": "other"})
    assert pod(given) == given


# --- §16.4 -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("profile", "variables"), [("oci-roce", 19), ("cks-gb-sglang", 6)])
def test_profiles_with_devices(profile: str, variables: int) -> None:
    rendered = pod(rdma(None, profile))["spec"]
    container = rendered["containers"][0]
    assert len(container["env"]) == variables
    assert rendered["volumes"] == [
        {"name": "dshm", "emptyDir": {"medium": "Memory"}},
        {"name": "devinf", "hostPath": {"path": "/dev/infiniband"}},
    ]
    assert [mount["mountPath"] for mount in container["volumeMounts"]] == ["/dev/shm", "/dev/infiniband"]


def test_value_that_begins_with_an_equals_sign() -> None:
    env = {item["name"]: item["value"] for item in main_container(rdma())["env"]}
    assert env["NCCL_IB_HCA"] == (
        "=mlx5_0,mlx5_1,mlx5_3,mlx5_4,mlx5_5,mlx5_6,mlx5_7,mlx5_8,mlx5_9,mlx5_10,mlx5_12,mlx5_13,mlx5_14,mlx5_15,"
        "mlx5_16,mlx5_17"
    )
    assert list(env)[-2:] == ["RX_QUEUE_LEN", "coll_hcoll_enable"]


@pytest.mark.parametrize("profile", ["", None])
def test_default_profile(profile: str | None) -> None:
    assert pod(rdma(None, profile)) == {**pod(rdma(None, "oci-roce")), "metadata": rdma(None, profile)["metadata"]}


def test_volumes_that_are_there_stay() -> None:
    own = {"name": "dshm", "emptyDir": {"medium": "Memory", "sizeLimit": "64Gi"}}
    assert pod(rdma(spec={"volumes": [own]}))["spec"]["volumes"][0] == own


def test_network_attachments() -> None:
    own = [{"name": "storage"}, {"name": "ibs0p1-macvlan", "namespace": "cw-multus"}]
    rendered = pod(rdma(None, "cks-gb-rdma", more={NETWORKS: json.dumps(own)}))
    networks = json.loads(rendered["metadata"]["annotations"][NETWORKS])
    assert networks[:2] == own
    assert [item["name"] for item in networks[2:5]] == ["ibs0p0-macvlan", "ibs0p2-macvlan", "ibs0p3-macvlan"]
    assert len(networks) == 17
    assert rendered["spec"] == rdma()["spec"]


@pytest.mark.parametrize("text", ["storage", "{}", "[1]"])
def test_malformed_network_attachments(text: str) -> None:
    with pytest.raises(InjectionError, match=r"networks annotation is not a valid JSON array"):
        pod(rdma(None, "cks-gb-rdma", more={NETWORKS: text}))


def test_unknown_profile() -> None:
    with pytest.raises(InjectionError, match=r"^unknown RDMA profile: roce$") as caught:
        pod(rdma(None, "roce"))
    assert caught.value.annotation == "rdma.ome.io/profile"


@pytest.mark.parametrize("value", ["True", "yes", ""])
def test_only_true_counts(value: str) -> None:
    given = template({"rdma.ome.io/auto-inject": value})
    assert pod(given) == given
