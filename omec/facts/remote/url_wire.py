"""Requests through the standard library, for OCI registries: no extra needed."""

from __future__ import annotations

import http.client
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import IO, Any
from urllib.parse import urlsplit

from omec.facts.remote.errors import ConnectionFailedError, HttpError
from omec.facts.remote.wire import (
    ATTEMPT_SECONDS,
    CHUNK,
    PARTIAL,
    READ_SECONDS,
    Answer,
    Request,
    collect,
    requested_wait,
)
from omec.version import __version__


class UrlWire:
    """A :class:`omec.facts.remote.wire.Wire` over urllib; proxies are those of the environment.

    Credentials stay with the server they are meant for: a redirect to another one goes without them.
    """

    def __init__(self) -> None:
        self._opener = urllib.request.build_opener(SafeRedirects())

    def get(self, request: Request) -> Answer:
        deadline = time.monotonic() + ATTEMPT_SECONDS
        headers = {"User-Agent": f"omec/{__version__}", **request.sent_headers}
        sent = urllib.request.Request(request.url, headers=headers)  # noqa: S310 - the callers make http URLs only
        try:
            with self._opener.open(sent, timeout=READ_SECONDS) as response:
                return _answer(response, request, deadline)
        except urllib.error.HTTPError as error:
            raise refusal(error) from None
        except urllib.error.URLError as error:
            raise ConnectionFailedError(str(error.reason)) from None
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise ConnectionFailedError(str(error) or type(error).__name__) from None


def _answer(response: Any, request: Request, deadline: float) -> Answer:
    skip = request.start or 0 if response.status != PARTIAL else 0
    body, complete = collect(_chunks(response), skip, request.most, deadline)
    headers = {key.lower(): value for key, value in response.headers.items()}
    length = headers.get("content-length", "")
    if complete and length.isdigit() and int(length) != skip + len(body):  # which urllib passes over
        raise ConnectionFailedError("the answer ended before its time")
    return Answer(response.status, response.url, headers, body, complete)


def _chunks(response: IO[bytes]) -> Iterator[bytes]:
    while chunk := response.read(CHUNK):
        yield chunk


def refusal(error: urllib.error.HTTPError) -> HttpError:
    with error:
        headers = {key.lower(): value for key, value in error.headers.items()}
        return HttpError(error.code, challenge=headers.get("www-authenticate", ""), wait=requested_wait(headers))


class SafeRedirects(urllib.request.HTTPRedirectHandler):
    """Follows redirects to http and https only, and leaves the credentials behind where the server changes."""

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: Any, newurl: str
    ) -> urllib.request.Request | None:
        if urlsplit(newurl).scheme not in ("http", "https"):
            raise urllib.error.URLError("the server redirects to something else than http")
        new = super().redirect_request(req, fp, code, msg, headers, newurl)
        if new is not None and urlsplit(newurl)[:2] != urlsplit(req.full_url)[:2]:
            new.remove_header("Authorization")
        return new
