"""``omec status`` where there is nothing to show."""

from __future__ import annotations

import pytest

from omec.runtime_agent.cluster import connect
from omec.runtime_agent.overview import snapshot
from tests.cli.conftest import Omec


def test_a_cluster_without_ome(omec: Omec, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connect, "connect", lambda *_, **__: None)
    monkeypatch.setattr(snapshot, "take_snapshot", lambda *_: snapshot.Snapshot(knows_models=False))
    outcome = omec("status")
    assert outcome.code == 2
    assert "omec: error: the cluster does not know the kinds of ome.io [OME760]" in outcome.err
