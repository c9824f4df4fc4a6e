"""No rule fails, whatever the manifests hold: valid objects, and objects that the structure rules complain about."""

from __future__ import annotations

import copy
from functools import cache
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from omec.lint.catalogue import all_rules
from omec.lint.control_rules import RULE_FAILED
from omec.session import from_objects
from tests.lint.examples import frames, manifests_of

VALUES = (None, "", "x", "1", 0, -1, 2**40, 1.5, True, {}, [], [None], {"name": "x"}, [{}], [{"name": "x"}])
"""What fields are set to: sometimes right for the field, mostly not."""


@cache
def examples() -> tuple[Any, ...]:
    """Every object in the examples of rules."""
    found = []
    for rule in all_rules():
        for text in (rule.bad, rule.good) if rule.bad and "text" not in frames().get(rule.code, {}) else ():
            try:
                found += list(yaml.safe_load_all(manifests_of(rule.code, text)))
            except yaml.YAMLError:  # the example of a rule about YAML
                continue
    return tuple(each for each in found if isinstance(each, dict) and isinstance(each.get("metadata"), dict))


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every container in ``value`` with each of its keys."""
    items: Any = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [place for key, item in list(items) for place in ((value, key), *places(item))]


@st.composite
def repositories(draw: st.DrawFn) -> list[Any]:
    """A few objects of the examples, each with a few fields that hold something else."""
    objects = []
    for index in draw(st.lists(st.integers(0, len(examples()) - 1), min_size=1, max_size=12)):
        body = copy.deepcopy(examples()[index])
        for _ in range(draw(st.integers(0, 3))):
            where = places(body.get("spec"))
            if where:
                container, key = draw(st.sampled_from(where))
                container[key] = copy.deepcopy(draw(st.sampled_from(VALUES)))
        objects.append(body)
    return objects


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(repositories())
def test_no_rule_fails(objects: list[Any]) -> None:
    config = {"default-namespace": "demo", "lint": {"select": ["ALL"], "preview": True}}
    failed = [f.message for f in from_objects(objects, config=config).lint().findings if f.rule is RULE_FAILED]
    assert failed == []


@pytest.mark.parametrize("value", ["x" * 100_000, "hf://" + "y/" * 50_000, "a word " * 20_000])
@pytest.mark.parametrize("field", ["modelParameterSize", "vendor", "modelArchitecture", "storageUri"])
def test_no_message_quotes_a_whole_file(field: str, value: str) -> None:
    storage = {"storageUri": "hf://a/b", "path": "/m"} | ({field: value} if field == "storageUri" else {})
    spec = {"storage": storage} | ({} if field == "storageUri" else {field: value})
    model = {"apiVersion": "ome.io/v1beta1", "kind": "ClusterBaseModel", "metadata": {"name": "m"}, "spec": spec}
    found = from_objects([model], config={"lint": {"select": ["ALL"]}}).lint().findings
    assert found
    assert max(len(finding.message) + len(finding.help) for finding in found) <= 51_000
    assert all(len(finding.message) < 1_000 for finding in found) or " " in value
