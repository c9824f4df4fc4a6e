"""Selection of nodes and updates of models; beyond the oracle, which judges both in full."""

from __future__ import annotations

from typing import Any

import pytest

from omec.runtime_agent.node.changes import Action, action_for
from omec.runtime_agent.node.eligibility import NodeIdentity, is_eligible

NODE = NodeIdentity("gpu-1", {"cpu": "8", "memory": "32Gi", "pool": "gpu"})


def affinity(key: str, operator: str, *values: str) -> dict[str, Any]:
    expression = {"key": key, "operator": operator, "values": list(values)}
    terms = [{"matchExpressions": [expression]}]
    return {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}}


@pytest.mark.parametrize(
    ("storage", "eligible"),
    [
        (None, True),
        ({"storageUri": "pvc://claim/path"}, False),
        ({"nodeSelector": {"pool": "gpu"}}, True),
        ({"nodeSelector": {"pool": "cpu"}}, False),
        (affinity("absent", "NotIn", "x"), False),  # other than in Kubernetes
        (affinity("cpu", "Gt", "4"), True),
        (affinity("cpu", "Gt", "007"), True),
        (affinity("memory", "Gt", "4"), False),  # as texts
        (affinity("metadata.name", "In", "gpu-1"), True),
        (affinity("cpu", "Gt", "9" * 400), False),
    ],
)
def test_eligibility(storage: dict[str, Any] | None, eligible: bool) -> None:
    assert is_eligible(storage, NODE) is eligible


def test_a_model_without_storage_changes_like_any_other() -> None:
    old: dict[str, Any] = {"metadata": {"name": "m"}, "spec": {}}
    new = {"metadata": {"name": "m", "labels": {"a": "b"}}, "spec": {}}
    assert action_for(old, new, NODE) is Action.REPROCESS
    assert action_for(old, old, NODE) is Action.NONE
