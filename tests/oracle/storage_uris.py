"""Judge of ``storage-uris.jsonl``: the parts of a storage URI, or OME's error."""

from __future__ import annotations

from pathlib import Path

from omec.api.storage_uri import StorageUriError, parse_storage_uri, parse_with_scheme, storage_type
from omec.runtime_agent.download.object_uri import parse_object_uri
from tests.oracle.interface import Answer, Row

KIND = "storage-uri"


def accepts(row: Row) -> bool:
    expected = row.get("expected")
    return (
        isinstance(row.get("uri"), str)
        and isinstance(expected, dict)
        and bool({"components", "error", "ok"} & {*expected})
    )


def judge(row: Row, data: Path | None) -> dict[str, Answer]:
    uri, expected = row["uri"], row["expected"]
    scheme = row.get("parser")
    try:
        parsed = parse_with_scheme(scheme, uri) if scheme else parse_storage_uri(uri)
        actual = {"ok": True} if "ok" in expected else {"components": parsed.components()}
    except StorageUriError as error:
        actual = {"error": str(error)}
    if "ok" in expected:
        expected = {"ok": bool(expected["ok"])}
    answers = {"parts": Answer(expected, actual)}
    if not scheme:
        answers["type"] = Answer(row.get("type"), storage_type(uri))
    if "download" in row:
        answers["download"] = Answer(row["download"], _download(uri))
    return answers


def _download(uri: str) -> dict[str, str]:
    try:
        place = parse_object_uri(uri)
    except StorageUriError as error:
        return {"error": str(error)}
    return {
        "namespace": place.namespace,
        "bucketName": place.bucket,
        "prefix": place.prefix,
        "region": place.region,
    }
