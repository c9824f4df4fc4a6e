"""Why a model cannot be brought onto this machine."""

from __future__ import annotations

from enum import Enum

from omec.errors import OmecError


class Kind(Enum):
    """What went wrong, in the words of logs and metrics."""

    URI = "invalid_uri"
    UNSUPPORTED = "unsupported_scheme"
    PATH = "target_path_error"
    NOT_FOUND = "not_found"
    REFUSED = "refused"
    UNSAFE = "unsafe_content"
    SPACE = "no_space"
    DISK = "disk_error"
    OCCUPIED = "path_in_use"
    CHECKSUM = "checksum_mismatch"
    NETWORK = "network"
    LOCKED = "locked"
    STALLED = "stalled"
    CRASHED = "crashed"
    STOPPED = "stopped"
    LOCAL_MISSING = "local_path_not_found"
    RATE_LIMIT = "rate_limited"


_PASSING = frozenset({Kind.NETWORK, Kind.LOCKED, Kind.STALLED, Kind.CRASHED, Kind.RATE_LIMIT, Kind.CHECKSUM})
_AMENDABLE = frozenset({Kind.SPACE, Kind.DISK, Kind.OCCUPIED, Kind.LOCAL_MISSING, Kind.REFUSED})


class DownloadError(Exception):
    """A download that cannot go on; the text is one sentence for the model's owner.

    ``wait`` is the pause in seconds that a server has asked for.
    """

    def __init__(self, kind: Kind, message: str, *, wait: float = 0.0) -> None:
        super().__init__(message)
        self.kind = kind
        self.wait = wait

    @property
    def passing(self) -> bool:
        """Whether another attempt may succeed without anybody changing anything."""
        return self.kind in _PASSING

    @property
    def amendable(self) -> bool:
        """Whether somebody may remove the obstacle without changing the model, so that it is worth another look."""
        return self.kind in _AMENDABLE


def refused_by_source(error: OmecError) -> DownloadError:
    """The error of a source that said no, or could not be asked, in the source's words."""
    status = getattr(error, "status", None)
    if status is None:
        return DownloadError(Kind.URI, error.message)
    if status == 429:
        return DownloadError(Kind.RATE_LIMIT, error.message, wait=getattr(error, "wait", None) or 0.0)
    if status in (401, 403):
        return DownloadError(Kind.REFUSED, error.message)
    return DownloadError(Kind.NOT_FOUND if 400 <= status < 500 else Kind.NETWORK, error.message)
