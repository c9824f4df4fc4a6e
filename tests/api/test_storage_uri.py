"""Storage URIs (reference 07 §2)."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omec.api.storage_uri import PARSERS, StorageUriError, parse_storage_uri, parse_with_scheme, storage_type
from tests.oracle import storage_uris
from tests.oracle.run import LOCAL_DATA, judge_rows, read_rows

OCI = "invalid OCI storage URI format"
PVC = "invalid PVC storage URI format"
VENDOR = "invalid vendor storage URI format. Expected: vendor://{vendor-name}/{resource-type}/{resource-path}"
HF = "invalid Hugging Face storage URI format"
NAMESPACE_FORM = "(must be lowercase alphanumeric with hyphens, max 63 chars)"
OCI_FORM = f"{OCI}. Expected: oci://n/{{namespace}}/b/{{bucket}}/o/{{object_path}}"

PARSED = [
    # reference 07 §2.3
    ("oci://n/myns/b/mybucket/o/mypath", {"namespace": "myns", "bucket": "mybucket", "prefix": "mypath"}),
    (
        "oci://n/my-ns.123/b/my_bucket-123/o/path.with.dots/and-dashes",
        {"namespace": "my-ns.123", "bucket": "my_bucket-123", "prefix": "path.with.dots/and-dashes"},
    ),
    ("pvc://my-pvc/path/to/results", {"namespace": "", "pvcName": "my-pvc", "subPath": "path/to/results"}),
    (
        "pvc://my-namespace:my-pvc/path/to/results",
        {"namespace": "my-namespace", "pvcName": "my-pvc", "subPath": "path/to/results"},
    ),
    ("pvc://p/a..b", {"namespace": "", "pvcName": "p", "subPath": "a..b"}),
    ("pvc://p/a:b", {"namespace": "", "pvcName": "p", "subPath": "a:b"}),
    ("vendor://openai/models/gpt-4", {"vendorName": "openai", "resourceType": "models", "resourcePath": "gpt-4"}),
    (
        "vendor://anthropic/models/v2/claude-2",
        {"vendorName": "anthropic", "resourceType": "models", "resourcePath": "v2/claude-2"},
    ),
    ("hf://meta-llama/Llama-3-70B-Instruct", {"modelId": "meta-llama/Llama-3-70B-Instruct", "revision": "main"}),
    ("hf://a/b@refs/pr/1", {"modelId": "a/b", "revision": "refs/pr/1"}),
    ("hf://a/b@v1@x", {"modelId": "a/b", "revision": "v1@x"}),
    ("hf://a/b@", {"modelId": "a/b", "revision": ""}),
    ("hf://gpt2", {"modelId": "gpt2", "revision": "main"}),
    ("s3://my-bucket@us-east-1/p/q", {"bucket": "my-bucket", "region": "us-east-1", "prefix": "p/q"}),
    ("s3://b/p@x/y", {"bucket": "b/p", "region": "x", "prefix": "y"}),
    ("az://acct.blob.core.windows.net/c/b/x", {"account": "acct", "container": "c", "blobPath": "b/x"}),
    ("gs://b/o/p", {"bucket": "b", "object": "o/p"}),
    ("github://o/r", {"owner": "o", "repository": "r", "tag": "latest"}),
    ("local:///mnt/data/models/x", {"path": "/mnt/data/models/x"}),
    ("local://x", {"path": "x"}),
    ("modelpack://ghcr.io/org/model:tag", {"reference": "ghcr.io/org/model:tag"}),
]
REFUSED = [
    ("oci://n/myns/b/mybucket/o", OCI_FORM),
    ("oci://myns/b/mybucket/o/mypath", OCI_FORM),
    ("oci://", OCI_FORM),
    ("pvc://MyNamespace:p/m", f'{PVC}: invalid namespace "MyNamespace" {NAMESPACE_FORM}'),
    (f"pvc://{'a' * 64}:p/m", f'{PVC}: invalid namespace "{"a" * 64}" {NAMESPACE_FORM}'),
    ("pvc://:my-pvc/models", f"{PVC}: empty namespace before colon"),
    ("pvc://default:/models", f"{PVC}: empty PVC name after colon"),
    ("pvc://ns:pvc:extra/path", f"{PVC}: multiple colons not allowed in namespace:pvc-name"),
    ("pvc:///results", f"{PVC}: missing PVC name"),
    ("pvc://my-pvc", f"{PVC}: missing subpath"),
    ("pvc://my-pvc/", f"{PVC}: missing subpath"),
    ("pvc://p/a/../b", f"{PVC}: subpath must not contain '..' segments"),
    ("vendor://", "invalid vendor storage URI format: missing vendor name"),
    ("vendor://openai//gpt-4", VENDOR),
    ("hf://", f"{HF}: missing model ID"),
    ("hf://@main", f"{HF}: model ID cannot be empty"),
    ("s3://", "invalid S3 storage URI format: missing bucket name"),
    ("az://acct", "invalid Azure storage URI format: missing container name"),
    ("gs://", "invalid GCS storage URI format: missing bucket name"),
    ("github://o", "invalid GitHub storage URI format: expected owner/repository"),
    ("local://", "invalid local storage URI format: missing path"),
    (
        "modelpack://   ",
        'invalid ModelPack storage URI "modelpack://   ": expected modelpack://{registry}/{repository}[:{tag}]',
    ),
    ("HF://a/b", "unknown storage type for URI: HF://a/b"),
    (" hf://a/b", "unknown storage type for URI:  hf://a/b"),
    ("", "unknown storage type for URI: "),
]  # fmt: skip


@pytest.mark.parametrize(("uri", "components"), PARSED)
def test_parsed(uri: str, components: dict[str, str]) -> None:
    assert parse_storage_uri(uri).components() == components


@pytest.mark.parametrize(("uri", "error"), REFUSED)
def test_refused(uri: str, error: str) -> None:
    with pytest.raises(StorageUriError) as refused:
        parse_storage_uri(uri)
    assert str(refused.value) == error


def test_one_scheme_asked_directly() -> None:
    with pytest.raises(StorageUriError, match=r"^invalid OCI storage URI format: missing oci:// prefix$"):
        parse_with_scheme("oci", "n/myns/b/mybucket/o/mypath")


@given(st.sampled_from(["", *(f"{scheme}://" for scheme in PARSERS)]), st.text("n/b@:. o-é", max_size=12))
def test_every_text_is_parsed_or_refused(prefix: str, rest: str) -> None:
    uri = prefix + rest
    with contextlib.suppress(StorageUriError):
        assert parse_storage_uri(uri).type == storage_type(uri)


def test_oracle() -> None:
    report = judge_rows(read_rows(LOCAL_DATA / "storage-uris.jsonl.gz"), None)
    assert report.disagreements == []
    assert report.tallies[storage_uris.KIND, "parts"].judged == 216


def test_oracle_file_outside_agrees_with_the_copy(testdata: Path) -> None:
    outside = list(read_rows(testdata / "oracle" / "storage-uris.jsonl"))
    assert outside == list(read_rows(LOCAL_DATA / "storage-uris.jsonl.gz"))
