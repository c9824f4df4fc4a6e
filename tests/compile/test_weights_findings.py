"""Where models and fine-tuned weights are kept: reference 07 §8, §15 and §17, 09 §A7."""

from __future__ import annotations

from typing import Any

import pytest

from omec.compile.weights_findings import weights_findings
from omec.finding import ObjectRef
from tests.oracle.objects import catalog_of

Object = dict[str, Any]


def cluster(kind: str, spec: Object, annotations: Object | None = None) -> Object:
    metadata = {"name": "m", "annotations": annotations or {}}
    return {"apiVersion": "ome.io/v1beta1", "kind": kind, "metadata": metadata, "spec": spec}


def found(obj: Object) -> list[tuple[str, str | None, str]]:
    return [(finding.rule.slug, finding.field, finding.message) for finding in weights_findings(catalog_of([obj]))]


def model(uri: str, path: str | None = None, *, shared: bool = False, annotations: Object | None = None) -> Object:
    storage = {"storageUri": uri, **({} if path is None else {"path": path})}
    policy = {"downloadPolicy": "ReuseIfExists"} if shared else {}
    return cluster("ClusterBaseModel", {"storage": {**storage, **policy}}, annotations)


@pytest.mark.parametrize(
    ("uri", "path", "message"),
    [
        (
            "stage:///mnt/src",
            "/mnt/src/sub",
            'stage:// spec.storage.path "/mnt/src/sub" must not be inside the source "/mnt/src"',
        ),
        (
            "stage:///mnt/src/",
            "/mnt/x/../src",
            'stage:// spec.storage.path "/mnt/x/../src" must not be inside the source "/mnt/src/"',
        ),
        ("stage:///mnt/src", "/mnt/src2", None),
        ("stage:///", "/mnt/src2", 'stage:// spec.storage.path "/mnt/src2" must not be inside the source "/"'),
        (
            "stage:///mnt/src",
            None,
            "stage:// storage requires spec.storage.path to name the node-local destination",
        ),
        (
            "stage:///mnt/src",
            "",
            "stage:// storage requires spec.storage.path to name the node-local destination",
        ),
        ("stage:///mnt/src", "m", 'stage:// spec.storage.path must be an absolute path, got "m"'),
        (
            "stage://mnt/src",
            "/m",
            'invalid stage storage URI "stage://mnt/src": source path must be absolute and free of ".."',
        ),
        (
            "stage:///mnt/../src",
            "/m",
            'invalid stage storage URI "stage:///mnt/../src": source path must be absolute and free of ".."',
        ),
        ("s3://b/p", None, None),
    ],
)
def test_stage(uri: str, path: str | None, message: str | None) -> None:
    """09 §A7."""
    assert [text for slug, _, text in found(model(uri, path)) if slug == "stage-storage-refused"] == (
        [] if message is None else [message]
    )


MIRROR = {"hf-model-id": "acme/llama", "hf-model-sha": "0" * 40}


@pytest.mark.parametrize(
    ("obj", "slug", "field"),
    [
        (model("hf://a/b", "/raid/m", shared=True), None, None),
        (model("oci://n/a/b/c/o/d", "/raid/m", shared=True, annotations=MIRROR), None, None),
        (
            model("oci://n/a/b/c/o/d", "/raid/m", shared=True),
            "download-policy-ignored",
            "spec.storage.downloadPolicy",
        ),
        (model("local:///m", "/m", shared=True), "download-policy-ignored", "spec.storage.downloadPolicy"),
        (model("hf://a/b", "/raid/_artifacts/m", shared=True), "shared-model-path", "spec.storage.path"),
        (model("hf://a/b", "m", shared=True), "shared-model-path", "spec.storage.path"),
        (model("hf://a/b", "/raid/../m", shared=True), "shared-model-path", "spec.storage.path"),
        (model("hf://a/b", "/raid/_artifacts/m"), None, None),
        (model("hf://a/b", shared=True), None, None),
    ],
)
def test_sharing(obj: Object, slug: str | None, field: str | None) -> None:
    """07 §8 and §17."""
    assert [(name, where) for name, where, _ in found(obj)] == ([] if slug is None else [(slug, field)])


def weights(uri: str, configuration: Object | None = None) -> Object:
    return cluster("FineTunedWeight", {"storage": {"storageUri": uri}, "configuration": configuration or {}})


@pytest.mark.parametrize(
    ("obj", "message"),
    [
        (weights("oci://n/a/b/c/o/d"), None),
        (
            weights("hf://a/b"),
            "invalid OCI storage URI format. Expected: oci://n/{namespace}/b/{bucket}/o/{object_path}",
        ),
        (
            weights("oci://n/a/b/c/o/d/", {"merged_weights": True}),
            "the merged weights of FineTunedWeight m would be fetched from oci://n/a/b/c/o/d/-merged-weight",
        ),
        (weights("oci://n/a/b/c/o/d/"), None),
        (weights("oci://n/a"), None),
    ],
)
def test_fine_tuned_weights(obj: Object, message: str | None) -> None:
    """04 §17.3; what no scheme allows is told by the check of all storage URIs."""
    assert [text for _, _, text in found(obj)] == ([] if message is None else [message])


def test_broken_objects_are_passed_over() -> None:
    catalog = catalog_of([weights("hf://a/b")])
    assert list(weights_findings(catalog, {ObjectRef("FineTunedWeight", None, "m")})) == []
