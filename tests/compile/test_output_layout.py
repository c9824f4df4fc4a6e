"""Which object stands in which file, clashes, order and stream."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omec.catalog.resource import Resource
from omec.compile.layout import FILE_HEADER, OutputObject, clashes, file_names, folder_of, lay_out, output_order, stream
from omec.finding import ObjectRef
from omec.repo.document import Document
from omec.repo.yaml import load
from tests.compile.output_helpers import manifest, output_object, resource


def source_name(owner: Resource) -> str:
    return owner.document.path


@pytest.mark.parametrize(
    ("owner", "folder"),
    [
        (resource("InferenceService", "chat", "llm"), "llm/chat"),
        (resource("BaseModel", "llama", "llm"), "llm/_shared"),
        (resource("ServingRuntime", "vllm", "llm"), "llm/_shared"),
        (resource("ClusterBaseModel", "llama"), "_cluster"),
        (resource("InferenceService", "v1.2-chat", "llm"), "llm/v1.2-chat"),
    ],
)
def test_folders(owner: Resource, folder: str) -> None:
    assert folder_of(owner) == folder


@given(st.text(max_size=300), st.text(max_size=300))
def test_no_name_leads_out_of_the_output(namespace: str, name: str) -> None:
    folder = folder_of(Resource("InferenceService", namespace, name, Document("a.yaml", 0, {})))
    steps = folder.split("/")
    assert len(steps) == 2
    for step in steps:
        assert step[0] not in "._-"
        assert 0 < len(step.encode()) <= 200


@given(st.text(min_size=1, max_size=300), st.text(min_size=1, max_size=300), st.text(max_size=20))
def test_every_file_name_is_harmless(kind: str, name: str, api: str) -> None:
    (file,) = file_names([manifest(kind, name, api=api or "v1")])
    assert "/" not in file
    assert file.endswith(".yaml")
    assert file[0] not in ".-_"
    assert len(file.encode()) <= 205


@pytest.mark.parametrize(
    ("body", "name"),
    [
        (manifest("Deployment", "chat-engine", "llm"), "deployment-chat-engine.yaml"),
        (manifest("Service", "chat", "llm"), "service-chat.yaml"),
        (manifest("Ingress", "chat", "llm", api="networking.k8s.io/v1"), "ingress-chat.yaml"),
        (manifest("Service", "chat", "llm", api="serving.knative.dev/v1"), "service.serving.knative.dev-chat.yaml"),
        (manifest("ClusterBaseModel", "llama-3.1-8b"), "clusterbasemodel-llama-3.1-8b.yaml"),
    ],
)
def test_file_names(body: dict[str, Any], name: str) -> None:
    assert file_names([body]) == [name]


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def test_unusual_characters_become_dashes_and_a_digest() -> None:
    names = file_names(
        [manifest("Role", name, "x", api="rbac.authorization.k8s.io/v1") for name in ("a:b", "a-b", "A-b")]
    )
    assert names == [f"role-a-b-{digest('a:b')}.yaml", "role-a-b.yaml", f"role-a-b-{digest('A-b')}.yaml"]


def test_long_names_are_cut_and_stay_different() -> None:
    first, second = (f"{'a' * 240}{end}" for end in "xy")
    names = file_names([manifest("Service", first), manifest("Service", second)])
    assert names[0] == f"service-{'a' * 183}-{digest('service-' + first)}.yaml"
    assert names[0] != names[1]


def test_equal_kind_names_are_told_apart() -> None:
    bodies = [
        manifest("Gateway", "main", "llm", api="networking.istio.io/v1"),
        manifest("Gateway", "main", "llm", api="gateway.networking.k8s.io/v1"),
        manifest("Gateway", "main", "other", api="gateway.networking.k8s.io/v1"),
        manifest("Gateway", "edge", "llm", api="networking.istio.io/v1"),
    ]
    names = file_names(bodies)
    assert len(set(names)) == 4
    assert names[0] == "gateway.networking.istio.io-main.yaml"
    assert names[3] == "gateway-edge.yaml"
    assert all(name.startswith("gateway.gateway.networking.k8s.io-main-") for name in names[1:3])


class TestClashes:
    def test_both_sources_are_named(self) -> None:
        first = resource("InferenceService", "chat", "llm", path="one.yaml")
        second = resource("InferenceService", "chat-engine", "llm", path="two.yaml")
        findings = clashes(
            [
                output_object(first, "Service", "chat-engine"),
                output_object(second, "Service", "chat-engine"),
                output_object(second, "Deployment", "chat-engine"),
            ]
        )
        assert [finding.rule.code for finding in findings] == ["OME055", "OME055"]
        assert [finding.object for finding in findings] == [first.ref, second.ref]
        assert findings[0].message == (
            "Service llm/chat-engine also comes from InferenceService llm/chat-engine at two.yaml"
        )
        assert [related.position.path for related in findings[0].related] == ["two.yaml"]

    def test_group_and_namespace_tell_objects_apart(self) -> None:
        first = resource("InferenceService", "chat", "llm")
        second = resource("InferenceService", "chat", "other")
        assert not clashes(
            [
                output_object(first, "Service", "chat"),
                output_object(second, "Service", "chat"),
                output_object(first, "Service", "chat", api="serving.knative.dev/v1"),
            ]
        )


def test_lay_out() -> None:
    service = resource("InferenceService", "chat", "llm", path="chat.yaml")
    model = resource("ClusterBaseModel", "llama", path="models/llama.yaml")
    runtime = ObjectRef("ServingRuntime", "llm", "child")
    base = ObjectRef("ClusterServingRuntime", None, "base")
    deployment = OutputObject(manifest("Deployment", "chat-engine", "llm"), service, runtime, (base, runtime))
    folders = lay_out(
        [output_object(service, "Service", "chat"), deployment, OutputObject(model.body, model)], source_name
    )
    assert {folder: [file.name for file in files] for folder, files in folders.items()} == {
        "_cluster": ["clusterbasemodel-llama.yaml"],
        "llm/chat": ["deployment-chat-engine.yaml", "service-chat.yaml"],
    }
    file = folders["llm/chat"][0]
    text = file.content.decode()
    assert text.startswith(FILE_HEADER + "apiVersion: apps/v1\n")
    assert load(text) == deployment.body
    assert file.entry.sha256 == hashlib.sha256(file.content).hexdigest()
    assert (file.entry.object, file.entry.source) == ("Deployment llm/chat-engine", "chat.yaml")
    assert file.entry.runtime == "ServingRuntime llm/child"
    assert file.entry.chain == "ClusterServingRuntime base > ServingRuntime llm/child"
    assert folders["_cluster"][0].entry.source == "models/llama.yaml"
    assert "models/" not in folders["_cluster"][0].content.decode()


def test_the_bytes_do_not_depend_on_the_order_of_objects() -> None:
    owners = [resource("InferenceService", name, "llm") for name in ("a", "b")]
    items = [output_object(owner, kind, owner.name) for owner in owners for kind in ("Service", "Deployment")]
    assert lay_out(items, source_name) == lay_out(reversed(items), source_name)


def test_output_order_is_that_of_argo_cd() -> None:
    owner = resource("InferenceService", "chat", "llm")
    kinds = [
        "AcceleratorClass",
        "HorizontalPodAutoscaler",
        "Deployment",
        "Service",
        "Role",
        "ServiceAccount",
        "Namespace",
    ]
    items = [output_object(owner, kind, name) for kind in kinds for name in ("b", "a")]
    ordered = [(item.body["kind"], item.body["metadata"]["name"]) for item in output_order(items)]
    assert ordered[:2] == [("Namespace", "a"), ("Namespace", "b")]
    assert [kind for kind, _ in ordered[::2]] == [
        "Namespace",
        "ServiceAccount",
        "Role",
        "Service",
        "Deployment",
        "HorizontalPodAutoscaler",
        "AcceleratorClass",
    ]


def test_stream() -> None:
    owner = resource("InferenceService", "chat", "llm")
    text = stream([output_object(owner, "Deployment", "chat"), output_object(owner, "Service", "chat")])
    assert text == (
        "apiVersion: v1\nkind: Service\nmetadata:\n  name: chat\n  namespace: llm\n"
        "---\n"
        "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: chat\n  namespace: llm\n"
    )
    assert stream([]) == ""
