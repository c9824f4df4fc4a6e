"""From what went wrong to the exit code and the last words of a container."""

from __future__ import annotations

from omec.finding import Rule
from omec.runtime_agent.download.errors import DownloadError, Kind
from omec.runtime_agent.fetch.rules import (
    FETCH_CONTRACT_BROKEN,
    FETCH_DAMAGED,
    FETCH_INTERRUPTED,
    FETCH_NO_SPACE,
    FETCH_REFUSED,
)

EXIT_CODES = {FETCH_INTERRUPTED: 1, FETCH_CONTRACT_BROKEN: 2, FETCH_REFUSED: 3, FETCH_DAMAGED: 4, FETCH_NO_SPACE: 5}
EXIT_TERMINATED = 143

_RULES = {
    Kind.URI: FETCH_CONTRACT_BROKEN,
    Kind.UNSUPPORTED: FETCH_CONTRACT_BROKEN,
    Kind.PATH: FETCH_CONTRACT_BROKEN,
    Kind.DISK: FETCH_CONTRACT_BROKEN,
    Kind.NOT_FOUND: FETCH_REFUSED,
    Kind.LOCAL_MISSING: FETCH_REFUSED,
    Kind.REFUSED: FETCH_REFUSED,
    Kind.UNSAFE: FETCH_DAMAGED,
    Kind.CHECKSUM: FETCH_DAMAGED,
    Kind.SPACE: FETCH_NO_SPACE,
}
"""Every other kind passes by itself."""


def rule_of(error: DownloadError) -> Rule:
    """The rule that says what an error means for the container."""
    return _RULES.get(error.kind, FETCH_INTERRUPTED)
