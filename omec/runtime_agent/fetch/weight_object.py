"""The one object of a bucket that holds fine-tuned weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from omec.facts.remote.errors import ConnectionFailedError, HttpError
from omec.runtime_agent.download.errors import DownloadError, Kind
from omec.runtime_agent.download.object_storage import Bucket, ObjectStream, digest_of, refused, unreachable
from omec.runtime_agent.download.source import Item

_CHANGED = 412


class WeightObject:
    """A :class:`omec.runtime_agent.download.source.Source` over the object ``name`` as it is now.

    ``parameters`` are those of :class:`Bucket`. Raises :class:`DownloadError`.
    """

    def __init__(self, namespace: str, bucket: str, name: str, parameters: Mapping[str, str]) -> None:
        self.name = f"oci://n/{namespace}/b/{bucket}/o/{name}"
        self._bucket = Bucket(namespace, bucket, parameters)
        try:
            headers = self._bucket.head(name)
        except HttpError as error:
            raise self._refused(error) from None
        except ConnectionFailedError as error:
            raise unreachable(error) from None
        self.revision = headers.get("etag", "")
        size = headers.get("content-length", "")
        if not (self.revision and size.isdigit()):
            raise DownloadError(Kind.NETWORK, f"object storage tells neither size nor ETag of {self.name}")
        self.items: Sequence[Item] = [Item("weights.zip", int(size), digest_of(headers), key=name)]

    def open(self, item: Item, start: int) -> ObjectStream:
        try:
            return self._bucket.open(item.key, start, self.revision)
        except HttpError as error:
            if error.status == _CHANGED:
                raise DownloadError(Kind.NETWORK, f"{self.name} was changed while it was fetched") from None
            raise

    def fetch_otherwise(self, item: Item, folder: Path) -> Path | None:  # noqa: ARG002 - the protocol's
        return None

    def _refused(self, error: HttpError) -> DownloadError:
        """What the answer to the first question means; an answer to HEAD has no words of its own."""
        told = refused(error)
        words = {
            Kind.NOT_FOUND: f"there is no {self.name}, or this identity may not read it",
            Kind.REFUSED: f"this identity may not read {self.name} (HTTP {error.status})",
        }
        return DownloadError(told.kind, words.get(told.kind, str(told)))
