"""Open answers over HTTP, handed on piece by piece as they arrive."""

from __future__ import annotations

import http.client
import urllib.error
import urllib.request
from collections.abc import Mapping
from typing import Any

from omec.facts.remote.errors import ConnectionFailedError
from omec.facts.remote.url_wire import SafeRedirects, refusal
from omec.facts.remote.wire import PARTIAL, READ_SECONDS
from omec.version import __version__


class HttpStream:
    """The body of one answer. A connection that breaks raises :class:`ConnectionFailedError`."""

    def __init__(self, response: Any, start: int) -> None:
        self._response = response
        self.start = start if response.status == PARTIAL else 0
        self.etag = response.headers.get("X-Linked-Etag") or response.headers.get("ETag") or ""

    def read(self, most: int) -> bytes:
        try:
            data: bytes = self._response.read1(most)
        except (OSError, http.client.HTTPException) as error:
            raise ConnectionFailedError(str(error) or type(error).__name__) from None
        return data

    def close(self) -> None:
        self._response.close()


class Opener:
    """Opens URLs; credentials stay with the server they are meant for, and only http and https are followed."""

    def __init__(self) -> None:
        self._opener = urllib.request.build_opener(SafeRedirects())

    def open(self, url: str, headers: Mapping[str, str], start: int) -> HttpStream:
        """The answer from the byte ``start``; raises :class:`omec.facts.remote.errors.HttpError` for a refusal."""
        sent = {"User-Agent": f"omec/{__version__}", "Accept-Encoding": "identity", **headers}
        if start:
            sent["Range"] = f"bytes={start}-"
        request = urllib.request.Request(url, headers=sent)  # noqa: S310 - the callers make http URLs only
        try:
            return HttpStream(self._opener.open(request, timeout=READ_SECONDS), start)
        except urllib.error.HTTPError as error:
            raise refusal(error) from None
        except urllib.error.URLError as error:
            raise ConnectionFailedError(str(error.reason)) from None
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise ConnectionFailedError(str(error) or type(error).__name__) from None
