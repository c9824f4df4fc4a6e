"""Models of the Hugging Face hub: the files of one commit."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import msgspec

from omec.api.storage_uri import HuggingFaceUri
from omec.errors import OmecError
from omec.facts.remote import client
from omec.facts.remote.hub import Hub
from omec.facts.remote.hub_wire import HubWire
from omec.runtime_agent.download.digests import Digest
from omec.runtime_agent.download.errors import refused_by_source
from omec.runtime_agent.download.http import HttpStream, Opener
from omec.runtime_agent.download.source import Item
from omec.runtime_agent.process.logs import logger

log = logger(__name__)


class HubSource:
    """A :class:`omec.runtime_agent.download.source.Source` over one commit; the token is that of ``HF_TOKEN``.

    With ``xet``, files in the hub's content-addressed storage are fetched by its own client. While it is asked for the
    list of files, a hub may ask for pauses of up to ``longest_wait`` seconds.
    """

    def __init__(self, uri: HuggingFaceUri, *, xet: bool, longest_wait: float) -> None:
        patience = client.Patience()
        patience = msgspec.structs.replace(patience, longest=min(patience.longest, longest_wait))
        self._hub = Hub(client=client.Client(HubWire(), patience))
        self._opener = Opener()
        self._xet = xet
        try:
            self.repository, self.revision, files = self._hub.files(uri)
        except OmecError as error:
            raise refused_by_source(error) from None
        self.name = f"hf://{self.repository}"
        self.items: Sequence[Item] = [
            Item(each.path, each.size, Digest.parse(each.sha256 or each.git), key=each.path, xet=each.xet)
            for each in files
        ]

    def open(self, item: Item, start: int) -> HttpStream:
        url = self._hub.url(self.repository, self.revision, item.key)
        return self._opener.open(url, self._hub.headers, start)

    def fetch_otherwise(self, item: Item, folder: Path) -> Path | None:
        if not (self._xet and item.xet):
            return None
        from huggingface_hub import hf_hub_download  # noqa: PLC0415

        local = folder / "xet"
        try:
            hf_hub_download(self.repository, item.key, revision=self.revision, local_dir=local)
        except Exception as error:  # whatever the library raises: plain HTTP is asked next, and tells what is wrong
            log.warning("Xet failed, falling back to HTTP", file=item.name, error=str(error))
            shutil.rmtree(local, ignore_errors=True)
            return None
        return local / item.key
