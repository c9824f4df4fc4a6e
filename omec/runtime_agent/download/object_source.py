"""Models in Oracle object storage, by Oracle's SDK (the extra ``omec[oci]``). Source: reference 07 §6.2, §7.4.

Objects are verified by their MD5. One that was uploaded in parts has none, unless its owner wrote it into the object's
metadata; it is then taken by its size, as OME does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from omec.facts.remote.errors import ConnectionFailedError, HttpError
from omec.runtime_agent.download.digests import Digest
from omec.runtime_agent.download.errors import DownloadError, Kind
from omec.runtime_agent.download.object_storage import (
    Bucket,
    ObjectStream,
    digest_of,
    md5_digest,
    refused,
    unreachable,
)
from omec.runtime_agent.download.object_uri import ObjectUri
from omec.runtime_agent.download.source import Item

GPU_PARAMETER = "omec.gpu"
"""The parameter of a job that names the GPU of the node, where a TensorRT-LLM engine is wanted."""

_FIELDS = "name,size,md5,etag"


class ObjectSource:
    """A :class:`omec.runtime_agent.download.source.Source` over the objects with one prefix.

    ``parameters`` are those of the model's storage: ``auth`` and ``region``.
    """

    def __init__(self, place: ObjectUri, parameters: Mapping[str, str]) -> None:
        self._place = place
        self._bucket = Bucket(place.namespace, place.bucket, parameters, place.region)
        prefix = place.prefix if place.prefix.endswith("/") or not place.prefix else f"{place.prefix}/"
        self.name = f"oci://n/{place.namespace}/b/{place.bucket}/o/{prefix}"
        objects = _for_gpu(list(self._listed(prefix)), parameters.get(GPU_PARAMETER, ""))
        if not objects:
            message = (
                f"no objects found under namespace {place.namespace}, bucket {place.bucket}, object prefix {prefix}"
            )
            raise DownloadError(Kind.NOT_FOUND, message)
        self.items: Sequence[Item] = [self._item(each, prefix) for each in objects]
        state = "\n".join(sorted(f"{each.name} {each.size} {each.etag}" for each in objects))
        self.revision = sha256(state.encode()).hexdigest()

    def open(self, item: Item, start: int) -> ObjectStream:
        return self._bucket.open(item.key, start)

    def fetch_otherwise(self, item: Item, folder: Path) -> Path | None:  # noqa: ARG002 - the protocol's
        return None

    def _listed(self, prefix: str) -> Iterator[Any]:
        """The objects below ``prefix``; those that only stand for a folder are left out."""
        listing = partial(
            self._bucket.client.list_objects,
            self._place.namespace,
            self._place.bucket,
            prefix=prefix,
            fields=_FIELDS,
        )
        start: str | None = None
        while True:
            more = {"start": start} if start else {}
            try:
                answer = self._bucket.asked(partial(listing, **more))
            except HttpError as error:
                raise refused(error) from None
            except ConnectionFailedError as error:
                raise unreachable(error) from None
            yield from (each for each in answer.data.objects if not each.name.endswith("/"))
            start = answer.data.next_start_with
            if not start:
                return

    def _item(self, listed: Any, prefix: str) -> Item:
        digest = md5_digest(listed.md5) or self._digest_in_metadata(listed.name)
        return Item(listed.name.removeprefix(prefix), listed.size or 0, digest, key=listed.name)

    def _digest_in_metadata(self, name: str) -> Digest:
        try:
            return digest_of(self._bucket.head(name))
        except (HttpError, ConnectionFailedError) as error:
            raise DownloadError(Kind.NETWORK, f"object storage does not tell of {name}: {error}") from None


def _for_gpu(objects: list[Any], gpu: str) -> list[Any]:
    """Of a TensorRT-LLM engine, the objects for this node's GPU (reference 07 §7.5)."""
    if not gpu:
        return objects
    kept = [each for each in objects if f"/{gpu}/" in each.name]
    if not kept:
        raise DownloadError(Kind.NOT_FOUND, f"no suitable objects found for shape {gpu}")
    return kept
