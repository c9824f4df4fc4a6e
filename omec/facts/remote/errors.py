"""What can go wrong on the way to a model's files."""

from __future__ import annotations

from omec.errors import OmecError
from omec.facts.rules import EXTRA_MISSING, SOURCE_FAILED


class RemoteError(OmecError):
    """A place that could not be reached or refused to answer; told once, when all attempts have failed.

    ``status`` is that of the answer, 0 where none came, ``None`` where the fault was found without asking; ``wait`` the
    seconds after which the server may be asked again, where it says so.
    """

    def __init__(self, message: str, *, hint: str, status: int | None = None) -> None:
        super().__init__(message, hint=hint, code=SOURCE_FAILED.code)
        self.status = status
        self.wait: float | None = None


class HttpError(Exception):
    """An answer that is no success.

    ``code`` and ``reason`` are what the server calls the problem, ``challenge`` how it wants to be asked instead
    (``WWW-Authenticate``), ``wait`` the seconds after which it may be asked again.
    """

    def __init__(
        self, status: int, *, code: str = "", reason: str = "", challenge: str = "", wait: float | None = None
    ) -> None:
        super().__init__(f"HTTP {status}")
        self.status = status
        self.code = code
        self.reason = reason
        self.challenge = challenge
        self.wait = wait


class ConnectionFailedError(Exception):
    """No complete answer came: the text says why, in words."""


def missing_extra(what: str) -> OmecError:
    """The error for a user who has not installed the client of the hub."""
    return OmecError(
        f"reading {what} needs the client of the Hugging Face hub, which is not installed",
        hint="pip install 'omec[hub]'",
        code=EXTRA_MISSING.code,
    )
