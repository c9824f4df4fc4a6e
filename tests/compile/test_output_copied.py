"""Which objects of the source are copied to the output."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from omec.catalog.resource import Resource
from omec.compile.copied import Copied, copied_resources
from omec.errors import OmecError
from omec.finding import ObjectRef
from omec.repo.document import Document
from tests.compile.output_helpers import manifest, resource


def document(
    kind: str, name: str | None = None, namespace: str | None = None, api: str = "v1", **rest: Any
) -> Document:
    body = {"apiVersion": api, "kind": kind, "metadata": {}, **rest}
    if name is not None:
        body["metadata"]["name"] = name
    if namespace is not None:
        body["metadata"]["namespace"] = namespace
    return Document(f"{kind.lower()}.yaml", 0, body)


def copied(
    resources: Sequence[Resource] = (), others: Sequence[Document] = (), platform: str = "ome", **options: Any
) -> Copied:
    return copied_resources(resources, others, platform=platform, **options)


def names(result: Copied) -> list[str]:
    return [str(item.owner.ref) for item in result.objects]


OME = [
    resource("InferenceService", "chat", "llm"),
    resource("ServingRuntime", "vllm", "llm"),
    resource("ClusterServingRuntime", "base"),
    resource("BaseModel", "llama", "llm"),
    resource("ClusterBaseModel", "llama"),
    resource("FineTunedWeight", "tuned"),
    resource("AcceleratorClass", "h100"),
    resource("BenchmarkJob", "bench", "llm"),
]
ALWAYS = ["AcceleratorClass h100", "BaseModel llm/llama", "ClusterBaseModel llama", "FineTunedWeight tuned"]

OTHERS = [
    document("Namespace", "llm"),
    document("ConfigMap", "settings", "llm"),
    document("Secret", "token", "llm"),
    document("CustomResourceDefinition", "x.ome.io", api="apiextensions.k8s.io/v1"),
    document("Kustomization", "k", api="kustomize.config.k8s.io/v1beta1"),
    document("Application", "app", "argocd", api="argoproj.io/v1alpha1"),
    document("ApplicationSet", "apps", "argocd", api="argoproj.io/v1alpha1"),
    document("AppProject", "project", "argocd", api="argoproj.io/v1alpha1"),
    document("ScaledObject", "scaler", "llm", api="keda.sh/v1alpha1"),
    document("NetworkPolicy", "deny", "llm", api="networking.k8s.io/v1"),
]


def test_models_weights_and_accelerators_always() -> None:
    assert names(copied(OME, OTHERS)) == ALWAYS


@pytest.mark.parametrize(
    ("include", "added"),
    [
        (["runtimes"], ["ClusterServingRuntime base", "ServingRuntime llm/vllm"]),
        (["servingruntimes"], ["ServingRuntime llm/vllm"]),
        (["namespaces", "configmaps"], ["ConfigMap llm/settings", "Namespace llm"]),
        (["networkpolicies"], ["NetworkPolicy llm/deny"]),
        (["scaledobjects"], ["ScaledObject llm/scaler"]),
        (["benchmarkjobs"], ["BenchmarkJob llm/bench"]),
        (["basemodels"], []),
        (["persistentvolumeclaims", "trafficmaps"], []),
    ],
)
def test_include(include: list[str], added: list[str]) -> None:
    assert names(copied(OME, OTHERS, include=include)) == sorted([*ALWAYS, *added])


BUILT_IN = [
    *("ClusterRole", "ClusterRoleBinding", "Namespace", "PersistentVolume", "PriorityClass", "StorageClass"),
    *("ConfigMap", "CronJob", "DaemonSet", "Deployment", "HorizontalPodAutoscaler", "Ingress", "Job", "LimitRange"),
    *("NetworkPolicy", "PersistentVolumeClaim", "PodDisruptionBudget", "ResourceQuota", "Role", "RoleBinding"),
    *("Service", "ServiceAccount", "StatefulSet"),
]


@pytest.mark.parametrize("kind", BUILT_IN)
def test_kinds_of_kubernetes_by_plural(kind: str) -> None:
    """The plural as apimachinery's ``UnsafeGuessKindToResource`` makes it, the scope as the API has it."""
    word = kind.lower()
    plural = f"{word[:-1]}ies" if word.endswith("y") else f"{word}es" if word.endswith("s") else f"{word}s"
    namespace = None if BUILT_IN.index(kind) < BUILT_IN.index("ConfigMap") else "llm"
    [found] = copied([], [document(kind, "x", namespace)], include=[plural]).objects
    assert found.owner.ref == ObjectRef(kind, namespace, "x")


def test_inference_services_only_on_kubernetes() -> None:
    assert names(copied(OME, platform="kubernetes")) == ALWAYS
    result = copied(OME, platform="kubernetes", include=["inferenceservices"])
    assert names(result) == sorted([*ALWAYS, "InferenceService llm/chat"])
    with pytest.raises(OmecError) as caught:
        copied(OME, include=["inferenceservices"])
    assert caught.value.code == "OME056"
    assert "OME would render it a second time" in caught.value.message


@pytest.mark.parametrize(
    "name",
    ["secrets", "customresourcedefinitions", "kustomizations", "applications", "applicationsets", "appprojects"],
)
def test_some_kinds_never(name: str) -> None:
    with pytest.raises(OmecError, match="never copied to the output") as caught:
        copied(OME, OTHERS, include=[name])
    assert caught.value.code == "OME056"


def test_an_application_of_another_group_is_like_any_kind() -> None:
    other = document("Application", "app", "x", api="app.k8s.io/v1beta1")
    with pytest.raises(OmecError):
        copied((), [other], include=["applications"])


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("configmap", "did you mean 'configmaps'?"),
        ("runtime", "did you mean 'runtimes'?"),
        ("ScaledObject", "did you mean 'scaledobjects'?"),
        ("xyzzy", "use the plural name"),
    ],
)
def test_unknown_names_are_refused(name: str, hint: str) -> None:
    with pytest.raises(OmecError) as caught:
        copied(OME, OTHERS, include=[name])
    assert caught.value.code == "OME056"
    assert hint in caught.value.hint


def test_other_catalogs_are_context_only() -> None:
    elsewhere = Resource(
        "ClusterBaseModel", None, "x", Document("x.yaml", 0, manifest("ClusterBaseModel", "x")), context=True
    )
    assert names(copied([elsewhere])) == []


def test_value_for_value_without_status() -> None:
    spec = {"storage": {"storageUri": "hf://x", "path": None}, "weird": 1.5}
    original = resource("ClusterBaseModel", "llama", spec=spec, status={"state": "Ready"})
    (item,) = copied([original]).objects
    assert item.body == manifest("ClusterBaseModel", "llama", spec=spec)
    assert item.body["spec"] is spec
    assert "status" in original.body


def test_the_namespace_is_that_of_the_object() -> None:
    body = manifest("BaseModel", "llama")
    (item,) = copied([Resource("BaseModel", "llm", "llama", Document("x.yaml", 0, body))]).objects
    assert item.body["metadata"] == {"name": "llama", "namespace": "llm"}
    assert body["metadata"] == {"name": "llama"}
    (item,) = copied(
        [Resource("ClusterBaseModel", None, "x", Document("x.yaml", 0, manifest("ClusterBaseModel", "x", "y")))]
    ).objects
    assert item.body["metadata"] == {"name": "x"}


class TestPlacingOtherKinds:
    def test_default_namespace(self) -> None:
        result = copied((), [document("ConfigMap", "x")], include=["configmaps"], default_namespace="llm")
        assert names(result) == ["ConfigMap llm/x"]
        assert result.objects[0].body["metadata"]["namespace"] == "llm"

    def test_without_a_namespace(self) -> None:
        result = copied((), [document("ConfigMap", "x")], include=["configmaps"])
        assert names(result) == []
        (finding,) = result.findings
        assert (finding.rule.code, finding.message) == ("OME181", "ConfigMap x has no metadata.namespace")

    def test_cluster_scope(self) -> None:
        result = copied((), [document("Namespace", "x", "y")], include=["namespaces"], default_namespace="llm")
        assert names(result) == ["Namespace x"]

    def test_the_scope_of_an_unknown_kind_is_what_the_manifest_says(self) -> None:
        others = [document("Widget", "a", "llm", api="x.io/v1"), document("Widget", "b", api="x.io/v1")]
        assert names(copied((), others, include=["widgets"], default_namespace="z")) == ["Widget b", "Widget llm/a"]

    @pytest.mark.parametrize("metadata", [None, {}, {"name": 3}, {"name": ""}, {"generateName": "x-"}, "x"])
    def test_without_a_name(self, metadata: Any) -> None:
        other = Document("x.yaml", 0, {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata})
        result = copied((), [other], include=["configmaps"])
        assert [finding.rule.code for finding in result.findings] == ["OME057"]

    @pytest.mark.parametrize(
        "value",
        [
            {},
            {"kind": "ConfigMap"},
            {"apiVersion": "v1"},
            {"kind": 3, "apiVersion": "v1"},
            {"kind": "", "apiVersion": "v1"},
        ],
    )
    def test_what_is_no_object_is_passed_over(self, value: dict[str, Any]) -> None:
        result = copied((), [Document("x.yaml", 0, value)], include=["configmaps"])
        assert result == Copied((), ())


@pytest.mark.parametrize(
    ("kind", "plural"),
    [
        ("Widget", "widgets"),
        ("Policy", "policies"),
        ("Gateway", "gateways"),
        ("Proxy", "proxies"),
        ("Mesh", "meshes"),
        ("Box", "boxes"),
        ("Alias", "aliases"),
    ],
)
def test_plurals_of_unknown_kinds(kind: str, plural: str) -> None:
    assert names(copied((), [document(kind, "x", "y", api="x.io/v1")], include=[plural])) == [f"{kind} y/x"]
