"""Misspelt annotations (reference 09 §C6), and values that OME does not know."""

from __future__ import annotations

import pytest

from omec.session import from_objects


def codes(key: str, value: str = "x") -> set[str]:
    body = {
        "apiVersion": "ome.io/v1beta1",
        "kind": "InferenceService",
        "metadata": {"name": "s", "namespace": "demo", "annotations": {key: value}},
        "spec": {"runtime": {"name": "r"}, "engine": {}},
    }
    return {f.rule.code for f in from_objects([body], config={}).lint().findings}


@pytest.mark.parametrize(
    "key",
    ["ome.io/deployment-mode", "ome.io/deploymentmode", "ome.io/service-typ", "ome.io/ingress-disable-creations"],
)
def test_misspelt_annotations(key: str) -> None:
    assert "OME164" in codes(key)


@pytest.mark.parametrize(
    "key",
    [
        "ome.io/ingress-domain",
        "ome.io/ingress-domain-template",
        "ome.io/x",
        "ome.io/my-own-annotation",
        "example.com/deployment-mode",
    ],
)
def test_other_annotations(key: str) -> None:
    assert "OME164" not in codes(key)


def test_what_the_webhook_refuses_is_not_told_twice() -> None:
    found = codes("ome.io/retry-attempt", "3")
    assert "OME540" in found
    assert "OME164" not in found


@pytest.mark.parametrize(("value", "told"), [("true", False), ("false", False), ("True", True), ("yes", True)])
def test_switches(value: str, told: bool) -> None:
    assert ("OME163" in codes("ome.io/ingress-disable-creation", value)) is told
