"""``omec agent manifests`` as it is typed."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml


def omec(*arguments: str, given: bytes | None = None) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([sys.executable, "-m", "omec", *arguments], input=given, capture_output=True, check=False)


def test_the_output_is_clean_and_the_same_every_time() -> None:
    first, second = omec("agent", "manifests", "--image", "r/a:1"), omec("agent", "manifests", "--image", "r/a:1")
    assert first.stdout == second.stdout
    assert first.stderr == b""
    linted = omec("lint", "-", given=first.stdout)
    assert (linted.returncode, linted.stdout) == (0, b"")


def test_definitions_come_on_request_only() -> None:
    def kinds(*options: str) -> set[str]:
        return set(re.findall(r"^kind: (\w+)$", omec("agent", "manifests", *options).stdout.decode(), re.MULTILINE))

    assert "CustomResourceDefinition" not in kinds()
    assert "CustomResourceDefinition" in kinds("--crds")
    assert "PodMonitor" in kinds()
    assert "PodMonitor" not in kinds("--no-monitoring")


def test_a_repository_gives_the_roles_for_its_secrets(tmp_path: Path) -> None:
    (tmp_path / "model.yaml").write_text(
        "apiVersion: ome.io/v1beta1\nkind: BaseModel\nmetadata: {name: m, namespace: team-a}\n"
        "spec: {storage: {storageUri: hf://a/b, path: /m, key: team-token}}\n",
        encoding="utf-8",
    )
    printed = omec("agent", "manifests", str(tmp_path))
    roles = [obj for obj in yaml.safe_load_all(printed.stdout) if obj["metadata"]["name"] == "omec-agent-node-tokens"]
    assert [(obj["kind"], obj["metadata"]["namespace"]) for obj in roles] == [
        ("Role", "team-a"),
        ("RoleBinding", "team-a"),
    ]
    assert roles[0]["rules"] == [
        {"apiGroups": [""], "resources": ["secrets"], "resourceNames": ["team-token"], "verbs": ["get"]}
    ]


def test_a_repository_gives_the_roles_for_its_claims(tmp_path: Path) -> None:
    (tmp_path / "model.yaml").write_text(
        "apiVersion: ome.io/v1beta1\nkind: BaseModel\nmetadata: {name: llama-3-2-1b-instruct, namespace: llama-demo}\n"
        "spec: {storage: {storageUri: pvc://store/a}}\n",
        encoding="utf-8",
    )
    printed = list(yaml.safe_load_all(omec("agent", "manifests", str(tmp_path)).stdout))
    rules = {obj["metadata"]["name"]: obj["rules"] for obj in printed if obj["kind"] == "Role"}
    assert rules["omec-agent-metadata-llama-demo"][0]["resourceNames"] == ["pvc-metadata-79c86d4d"]
    assert "omec-agent-status-claims" in rules


def test_a_directory_is_mounted_once() -> None:
    printed = omec(
        "agent", "manifests", "--extra-root", "/mnt/data/models/", "--extra-root", "/b", "--extra-root", "/b/"
    )
    (daemon_set,) = (obj for obj in yaml.safe_load_all(printed.stdout) if obj["kind"] == "DaemonSet")
    mounts = daemon_set["spec"]["template"]["spec"]["containers"][0]["volumeMounts"]
    assert [each["mountPath"] for each in mounts] == ["/tmp", "/mnt/data/models", "/b"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--namespace", "Ome"), "--namespace 'Ome' may hold only"),
        (("--models-root", "models"), "--models-root 'models' is no absolute directory below /"),
        (("--models-root", "/"), "--models-root '/' is no absolute directory below /"),
        (("--extra-root", "/a/../etc"), "--extra-root '/a/../etc' is no absolute directory below /"),
        (("--image", ""), "--image '' is no reference of an image"),
        (("--image", "a b"), "--image 'a b' is no reference of an image"),
        (("--node-selector", "gpu"), "--node-selector 'gpu' is not KEY=VALUE"),
        (("--node-selector", "g p u=1"), "--node-selector 'g p u=1' may hold only"),
        (("--node-user", "0"), "Invalid value for '--node-user'"),
        (("--egress-port", "70000"), "Invalid value for '--egress-port'"),
        (("--image-pull-secret", "A"), "--image-pull-secret 'A' may hold only"),
        (("nowhere",), "nowhere"),
    ],
)
def test_what_cannot_be_is_refused(arguments: tuple[str, ...], message: str) -> None:
    done = omec("agent", "manifests", *arguments)
    assert (done.returncode, done.stdout) == (2, b"")
    assert message in done.stderr.decode()
    assert "Traceback" not in done.stderr.decode()
