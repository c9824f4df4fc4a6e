"""Rules about where the files of models are, vector by vector (reference 07 §17, 09 §C4)."""

from __future__ import annotations

from typing import Any

import pytest

from omec.session import from_objects

PATH = "/mnt/data/models/m"
HF = {"storageUri": "hf://Qwen/Qwen3-8B", "path": PATH}


def slugs(*storages: dict[str, Any], platform: str = "ome", name: str = "m", **spec: Any) -> set[str]:
    """The rules about models, each with one of ``storages``, in a repository of their own."""
    bodies = [
        {
            "apiVersion": "ome.io/v1beta1",
            "kind": "ClusterBaseModel",
            "metadata": {"name": name if number == 0 else f"{name}{number}"},
            "spec": {"storage": storage, **spec},
        }
        for number, storage in enumerate(storages)
    ]
    found = from_objects(bodies, config={"platform": platform}).lint().findings
    return {f.rule.slug for f in found}


@pytest.mark.parametrize(
    ("rest", "told"),
    [
        ("Qwen/Qwen3-8B", False),
        ("Qwen/Qwen3-8B@main", False),
        ("gpt2", False),
        ("bert-base-uncased@main", False),
        ("Qwen3-8B", True),
        ("Qwen3-8B@main", True),
        ("https://huggingface.co/Qwen/x", True),
        ("Qwen/x/", True),
        ("Qwen/x/y", True),
        ("Qwen/x@", True),
    ],
)
def test_hugging_face_uris(rest: str, told: bool) -> None:
    assert ("hf-uri-shape" in slugs({**HF, "storageUri": f"hf://{rest}"})) is told


@pytest.mark.parametrize("uri", ["s3://b/m", "az://a/c/m", "gs://b/m", "github://o/r"])
@pytest.mark.parametrize("platform", ["ome", "kubernetes"])
def test_nothing_is_downloaded_from_some_schemes_by_ome(uri: str, platform: str) -> None:
    found = slugs({"storageUri": uri, "path": PATH}, platform=platform)
    assert ("storage-not-downloadable" in found) is (platform == "ome")


def test_modelpack_is_no_error() -> None:
    assert "storage-not-downloadable" not in slugs({"storageUri": "modelpack://example.com/models/m", "path": PATH})


@pytest.mark.parametrize(
    ("first", "second", "told"),
    [
        (PATH, PATH, True),
        (PATH, f"{PATH}/sub", True),
        (PATH, f"{PATH}2", False),
        (f"{PATH}/", PATH, True),
        ("/raid/a", "/raid/b", False),
    ],
)
def test_shared_paths(first: str, second: str, told: bool) -> None:
    found = slugs({**HF, "path": first}, {"storageUri": "hf://Qwen/Qwen3-4B", "path": second})
    assert ("model-path-shared" in found) is told


def test_one_source_may_be_shared() -> None:
    assert "model-path-shared" not in slugs(HF, HF)


@pytest.mark.parametrize(
    ("storage", "slug"),
    [
        ({"storageUri": "hf://Qwen/Qwen3-8B"}, "model-path-missing"),
        ({**HF, "path": "models/m"}, "path-not-absolute"),
        ({**HF, "path": "/mnt/../m"}, "path-not-absolute"),
        ({"storageUri": "local:///a", "path": "/b"}, "path-local-mismatch"),
        ({"storageUri": "oci://n/a/b/c/o/m", "path": PATH, "key": "s"}, "key-ignored"),
        ({"storageUri": "oci://n/a/b/c/o/m", "path": PATH, "parameters": {"auth": "x"}}, "oci-auth"),
    ],
)
def test_storage(storage: dict[str, Any], slug: str) -> None:
    assert slug in slugs(storage)
    assert slug not in slugs(HF)


@pytest.mark.parametrize(
    ("name", "spec", "told"),
    [
        ("qwen-7b", {"modelParameterSize": "7.62B"}, False),
        ("qwen-7b", {"modelParameterSize": "72B"}, True),
        ("m", {"modelType": "qwen2", "modelArchitecture": "DeepseekV3ForCausalLM"}, True),
        ("m", {"modelType": "qwen2_moe", "modelArchitecture": "Qwen2MoeForCausalLM"}, False),
        ("m", {"modelType": "something", "modelArchitecture": "OtherForCausalLM"}, False),
    ],
)
def test_contradictions(name: str, spec: dict[str, Any], told: bool) -> None:
    assert ("model-metadata-contradiction" in slugs(HF, name=name, **spec)) is told


@pytest.mark.parametrize(
    ("name", "spec", "told"),
    [
        ("m", {"vendor": "meta"}, False),
        ("m", {"vendor": ""}, False),
        ("m", {"vendor": "Meta AI"}, True),
        ("m", {"vendor": "-meta"}, True),
        ("m" * 63, {}, False),
        ("m" * 64, {}, True),
    ],
)
def test_what_becomes_a_label(name: str, spec: dict[str, Any], told: bool) -> None:
    assert ("label-value-invalid" in slugs({**HF, "path": PATH}, name=name, **spec)) is told
