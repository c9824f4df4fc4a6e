"""Requests through the session of huggingface_hub, so that its settings count: proxies, certificates, custom clients.

The only module that imports the library, and only when a hub is asked for something.
"""

from __future__ import annotations

import importlib
import json
import sys
import time
from collections.abc import Callable
from typing import Any

from omec.facts.remote.errors import ConnectionFailedError, HttpError, missing_extra
from omec.facts.remote.wire import (
    ATTEMPT_SECONDS,
    CHUNK,
    FIRST_ERROR,
    LONGEST_ERROR,
    PARTIAL,
    READ_SECONDS,
    Answer,
    Request,
    collect,
    requested_wait,
)
from omec.version import __version__


def library(module: str) -> Any:
    """A module of huggingface_hub; raises :class:`omec.errors.OmecError` where that is not installed."""
    try:
        return importlib.import_module(f"huggingface_hub.{module}")
    except ImportError:
        raise missing_extra("hf:// models") from None


class HubWire:
    """A :class:`omec.facts.remote.wire.Wire` over the library's session."""

    def __init__(self) -> None:
        constants, utils = library("constants"), library("utils")
        self.endpoint: str = constants.ENDPOINT
        self.offline: bool = constants.HF_HUB_OFFLINE
        self.cache: str = constants.HF_HUB_CACHE
        # Not the headers that the library makes: for those it asks the hub for what has nothing to do with the model.
        token = None if constants.HF_HUB_DISABLE_IMPLICIT_TOKEN else utils.get_token()
        self.headers = {"User-Agent": f"omec/{__version__}"} | ({"Authorization": f"Bearer {token}"} if token else {})
        self._session: Callable[[], Any] = utils.get_session
        # httpx or httpx2, by the version of the library: the base of its own error is the transport's.
        transport: Any = next(base for base in utils.HfHubHTTPError.__mro__ if base.__name__ == "HTTPError")
        self._failures: tuple[type[Exception], ...] = (transport, OSError, *_invalid_url(transport))

    @property
    def has_token(self) -> bool:
        return "Authorization" in self.headers

    def get(self, request: Request) -> Answer:
        deadline = time.monotonic() + ATTEMPT_SECONDS
        try:
            with self._session().stream(
                "GET", request.url, headers=request.sent_headers, timeout=READ_SECONDS, follow_redirects=True
            ) as response:
                return _answer(response, request, deadline)
        except self._failures as error:
            raise ConnectionFailedError(_words(error)) from None


def _answer(response: Any, request: Request, deadline: float) -> Answer:
    if response.status_code >= FIRST_ERROR:
        raise _refusal(response, deadline)
    skip = request.start or 0 if response.status_code != PARTIAL else 0  # a server may ignore the range
    body, complete = collect(response.iter_bytes(CHUNK), skip, request.most, deadline)
    return Answer(response.status_code, str(response.url), response.headers, body, complete)


def _refusal(response: Any, deadline: float) -> HttpError:
    headers = response.headers
    reason = headers.get("x-error-message", "")
    if not reason:
        text, _ = collect(response.iter_bytes(CHUNK), 0, LONGEST_ERROR, deadline)
        reason = _error_in(text)
    code = headers.get("x-error-code", "")
    return HttpError(response.status_code, code=code, reason=reason, wait=requested_wait(headers))


def _error_in(body: bytes) -> str:
    """What ``{"error": …}`` says."""
    try:
        error = json.loads(body)["error"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return ""
    return error if isinstance(error, str) else ""


def _invalid_url(transport: Any) -> tuple[type[Exception], ...]:
    package = sys.modules.get(transport.__module__.partition(".")[0])
    found = getattr(package, "InvalidURL", None)
    return (found,) if isinstance(found, type) else ()


def _words(error: Exception) -> str:
    return str(error) or {"ReadTimeout": "no answer in time", "ConnectTimeout": "no connection in time"}.get(
        type(error).__name__, type(error).__name__
    )
