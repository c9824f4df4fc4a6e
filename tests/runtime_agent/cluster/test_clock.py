"""Nothing is decided by the time of day, which may jump."""

from __future__ import annotations

import re
from pathlib import Path

import omec.runtime_agent

_READS_THE_CLOCK = re.compile(r"\btime\.time(_ns)?\(|\bdatetime\.(now|utcnow|today)\(|\b(local|gm)time\(")
_MAY = {
    "cluster/clock.py": "what objects say of themselves",
    "cluster/events.py": "the time of an event",
    "status/leader.py": "when the lease was renewed, for people: of others' it only counts that it changes",
    "node/garbage.py": "the age of a file, which the file system counts by the same clock",
}


def test_who_reads_the_time_of_day() -> None:
    root = Path(omec.runtime_agent.__file__).parent
    found = {
        str(path.relative_to(root))
        for path in root.rglob("*.py")
        if _READS_THE_CLOCK.search(path.read_text(encoding="utf-8"))
    }
    assert found == set(_MAY)
