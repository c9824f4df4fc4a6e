"""What the API server refuses, and that it cannot be reached."""

from __future__ import annotations

from omec.errors import OmecError


class ApiError(Exception):
    """An answer of the API server that is no success; ``reason`` is its machine-readable word (``Conflict``)."""

    def __init__(self, status: int, reason: str, message: str, *, retry_after: float | None = None) -> None:
        super().__init__(message or reason or f"HTTP {status}")
        self.status = status
        self.reason = reason
        self.retry_after = retry_after

    @property
    def not_found(self) -> bool:
        return self.status == 404

    @property
    def conflict(self) -> bool:
        """Whether somebody else has changed the object in between (not: that it exists already)."""
        return self.status == 409 and self.reason != "AlreadyExists"

    @property
    def already_exists(self) -> bool:
        return self.status == 409 and self.reason == "AlreadyExists"

    @property
    def gone(self) -> bool:
        """Whether the resource version that a watch or a page started from is too old."""
        return self.status == 410

    @property
    def forbidden(self) -> bool:
        return self.status in (401, 403)

    @property
    def invalid(self) -> bool:
        """Whether the request itself is wrong, so that sending it again cannot help."""
        return self.status in (400, 422)


class UnreachableError(Exception):
    """No complete answer came from the API server; the text says why.

    ``silent`` tells a watch on which nothing has happened for long: no fault, but the connection may be dead.
    """

    def __init__(self, message: str, *, silent: bool = False) -> None:
        super().__init__(message)
        self.silent = silent


class FencedError(UnreachableError):
    """A request that would write was not sent: this process may not write any more."""


class ClusterError(OmecError):
    """A command cannot talk to a cluster at all."""
