"""When a lease that somebody else has counts as free; the rest is tested against a real API server."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from omec.runtime_agent.cluster.client import Cluster
from omec.runtime_agent.status import leader
from omec.runtime_agent.status.leader import DURATION, LEASE, RENEW_WITHIN, Leadership


class SlowLeases(Cluster):
    """An API server that takes ``seconds`` to tell of a lease that was renewed as it answered."""

    def __init__(self) -> None:
        super().__init__(None, "http://127.0.0.1:9")  # type: ignore[arg-type]
        self.now = 0.0
        self.seconds = 0.0

    def find(self, *_: Any) -> Any:
        self.now += self.seconds
        return {"metadata": {}, "spec": {"holderIdentity": "other", "renewTime": "a"}}

    def replace(self, *_: Any) -> Any:
        return {}


def test_a_lease_is_as_old_as_the_answer_that_told_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its holder may have renewed it just before a late answer, and writes for as long as it may."""
    leases = SlowLeases()
    monkeypatch.setattr(leader, "time", SimpleNamespace(monotonic=lambda: leases.now))
    monkeypatch.setattr(leases, "impatient", lambda _: leases)
    leadership = Leadership(leases, "ome", LEASE, "me")
    leases.seconds = renewed = 9.0
    assert not leadership.attempt()
    leases.seconds = 0.0
    leases.now = DURATION + 0.1
    assert leases.now < renewed + RENEW_WITHIN
    assert not leadership.attempt()
    leases.now = renewed + DURATION + 0.1
    assert leadership.attempt()
