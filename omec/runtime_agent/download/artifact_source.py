"""ModelPack and other OCI artifacts: the layers of one manifest, pulled from the registry itself.

OME pulls them through a daemon without a public protocol; the registry's protocol needs none.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from omec.api.storage_uri import ModelPackUri
from omec.errors import OmecError
from omec.facts.display import shown
from omec.facts.remote.errors import HttpError
from omec.facts.remote.layers import annotated_path, is_descriptor
from omec.facts.remote.modelpack import Artifact
from omec.facts.remote.registry import Reference, docker_login
from omec.runtime_agent.download.digests import Digest
from omec.runtime_agent.download.errors import DownloadError, Kind, refused_by_source
from omec.runtime_agent.download.http import HttpStream, Opener
from omec.runtime_agent.download.source import Item

ARCHIVES = (".tar", ".tar+gzip", ".tar.gzip", ".tar.gz")
_UNREADABLE = ("+zstd", ".zstd")
_UNAUTHORIZED = 401


class ArtifactSource:
    """A :class:`omec.runtime_agent.download.source.Source` over one artifact.

    ``docker_config`` is the content of a Secret of the type ``kubernetes.io/dockerconfigjson``.
    """

    def __init__(self, uri: ModelPackUri, docker_config: str = "") -> None:
        self._opener = Opener()
        try:
            reference = Reference.parse(uri.reference)
            artifact = Artifact(
                uri, basic=docker_login(reference.host, docker_config.encode()) if docker_config else None
            )
        except OmecError as error:
            raise refused_by_source(error) from None
        self._registry = artifact.registry
        self.name, self.revision = f"modelpack://{reference.host}/{reference.repository}", artifact.digest
        self.items: Sequence[Item] = list(_items(artifact.layers))
        if not self.items:
            raise DownloadError(Kind.UNSAFE, f"{artifact.label} has no layers that name files")

    def open(self, item: Item, start: int) -> HttpStream:
        url = self._registry.blob_url(item.key)
        try:
            return self._opener.open(url, self._registry.headers, start)
        except HttpError as error:
            if error.status != _UNAUTHORIZED or not self._registry.authorize(error.challenge):
                raise
            return self._opener.open(url, self._registry.headers, start)

    def fetch_otherwise(self, item: Item, folder: Path) -> Path | None:  # noqa: ARG002 - the protocol's
        return None


def _items(layers: Sequence[Any]) -> Iterator[Item]:
    for layer in layers:
        if not is_descriptor(layer):
            told = json.dumps(layer, ensure_ascii=False)
            raise DownloadError(Kind.UNSAFE, f"a layer has no type, size or SHA-256 to verify it by: {shown(told)}")
        yield _item(layer)


def _item(layer: Mapping[str, Any]) -> Item:
    media_type, digest = layer["mediaType"], layer["digest"]
    if media_type.endswith(_UNREADABLE):
        raise DownloadError(Kind.UNSUPPORTED, f"layer {digest} is compressed with zstd, which the agent cannot read")
    if media_type.endswith(ARCHIVES):
        return Item(f"{digest.removeprefix('sha256:')}.tar", layer["size"], Digest.parse(digest), digest, archive=True)
    path = annotated_path(dict(layer))
    if not path:
        raise DownloadError(Kind.UNSAFE, f"layer {digest} of the type {shown(media_type)} names no file")
    return Item(path, layer["size"], Digest.parse(digest), digest)
