"""omec's own marks."""

from __future__ import annotations

from omec.compile.marks import mark


def test_mark() -> None:
    obj = {"kind": "Service", "metadata": {"name": "chat"}}
    mark(obj)
    assert obj["metadata"] == {"name": "chat", "labels": {"app.kubernetes.io/managed-by": "omec"}}


def test_label_of_the_user_stays() -> None:
    obj = {"metadata": {"name": "chat", "labels": {"app.kubernetes.io/managed-by": "Helm"}}}
    mark(obj)
    assert obj["metadata"]["labels"] == {"app.kubernetes.io/managed-by": "Helm"}
