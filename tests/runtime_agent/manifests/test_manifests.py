"""What the installation promises about itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import kubernetes_validate
import pytest

import omec
from omec.runtime_agent.manifests import Options, install
from omec.runtime_agent.manifests.claims import results_of_claims
from omec.runtime_agent.manifests.secrets import token_secrets

Object = dict[str, Any]

FULL = Options(
    image="registry.example.com/omec-agent:1",
    pull_secrets=("registry",),
    extra_roots=("/raid/models",),
    node_selector={"gpu": "h100"},
    node_user=1000,
    egress_ports=(5000,),
    takeover=True,
    secrets={"ome": ("hf-token",)},
    claims={"team-a": ("pvc-metadata-79c86d4d",), "ome": ("pvc-metadata-519160ad",)},
)


def pods(options: Options) -> Iterator[Object]:
    for obj in install(options):
        if obj["kind"] in ("DaemonSet", "Deployment"):
            yield obj["spec"]["template"]["spec"]


@pytest.mark.parametrize("options", [Options(), FULL], ids=["default", "everything"])
def test_every_object_is_valid(options: Options) -> None:
    for obj in install(options):
        if obj["kind"] != "PodMonitor":
            kubernetes_validate.validate(obj, "1.35", strict=True)


@pytest.mark.parametrize("options", [Options(), FULL], ids=["default", "everything"])
def test_containers_have_no_more_rights_than_they_need(options: Options) -> None:
    for pod in pods(options):
        assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
        assert not {"hostNetwork", "hostPID", "hostIPC"} & pod.keys()
        for container in pod["containers"]:
            assert container["securityContext"] == {
                "allowPrivilegeEscalation": False,
                "capabilities": {"drop": ["ALL"]},
                "privileged": False,
                "readOnlyRootFilesystem": True,
            }
            assert container["resources"]["limits"]["memory"]


def test_only_the_node_role_runs_as_root_and_only_where_the_directory_is_root_s() -> None:
    assert [pod["securityContext"]["runAsUser"] for pod in pods(Options())] == [0, 65532]
    assert [pod["securityContext"]["runAsUser"] for pod in pods(FULL)] == [1000, 65532]
    assert all(pod["securityContext"]["runAsNonRoot"] for pod in pods(FULL))


def test_roots_are_mounted_where_they_are_on_the_host() -> None:
    node = next(pods(FULL))
    hosts = {volume["name"]: volume["hostPath"]["path"] for volume in node["volumes"] if "hostPath" in volume}
    mounts = {mount["name"]: mount["mountPath"] for mount in node["containers"][0]["volumeMounts"]}
    assert set(hosts.values()) == {"/mnt/data/models", "/raid/models"}
    assert hosts.items() <= mounts.items()


def test_no_wildcards_and_no_secrets_without_names() -> None:
    for obj in install(FULL):
        for rule in obj.get("rules", ()):
            assert "*" not in (*rule["apiGroups"], *rule["resources"], *rule["verbs"])
            if "secrets" in rule["resources"]:
                assert obj["kind"] == "Role"
                assert rule["resourceNames"] == ["hf-token"]
                assert rule["verbs"] == ["get"]
    assert not any("secrets" in rule["resources"] for obj in install(Options()) for rule in obj.get("rules", ()))


def model(kind: str, uri: str, key: str | None, namespace: str | None = None) -> Object:
    storage = {"storageUri": uri, "path": "/m", **({"key": key} if key is not None else {})}
    name = f"m-{abs(hash((kind, uri, key, namespace)))}"
    metadata = {"name": name, **({"namespace": namespace} if namespace else {})}
    return {"apiVersion": "ome.io/v1beta1", "kind": kind, "metadata": metadata, "spec": {"storage": storage}}


def test_the_secrets_of_a_repository() -> None:
    """Reference 07 §6.1: the model's namespace, or the agent's; only the hub and registries have a key."""
    repo = omec.from_objects(
        [
            model("ClusterBaseModel", "hf://a/b", "hf-token"),
            model("ClusterBaseModel", "hf://a/c", "another"),
            model("ClusterBaseModel", "hf://a/d", "hf-token"),
            model("ClusterBaseModel", "oci://n/ns/b/bucket/o/x", "ignored"),
            model("ClusterBaseModel", "hf://a/e", None),
            model("ClusterBaseModel", "hf://a/f", ""),
            model("BaseModel", "hf://a/b", "team-token", "team-a"),
        ]
    )
    assert token_secrets(repo.catalog, "models") == {"models": ("another", "hf-token"), "team-a": ("team-token",)}


def test_the_claims_of_a_repository() -> None:
    models = [
        model("ClusterBaseModel", "pvc://llama-demo:store/a", None),
        model("BaseModel", "pvc://store/b", None, "llama-demo"),
        model("BaseModel", "pvc://other:store/c", None, "team"),
        model("ClusterBaseModel", "pvc://store", None),
        model("ClusterBaseModel", "hf://a/b", None),
    ]
    catalog = omec.from_objects(models).catalog
    found = results_of_claims([*catalog.of_kind("BaseModel"), *catalog.of_kind("ClusterBaseModel")])
    assert list(found) == ["llama-demo"]
    assert len(found["llama-demo"]) == 2


def test_jobs_may_be_started_where_claims_are_and_nowhere_else() -> None:
    allowed = {
        obj["metadata"].get("namespace")
        for obj in install(FULL)
        if obj["kind"] in ("Role", "ClusterRole")
        and any("jobs" in each["resources"] and "create" in each["verbs"] for each in obj["rules"])
    }
    assert allowed == {"team-a", "ome"}
