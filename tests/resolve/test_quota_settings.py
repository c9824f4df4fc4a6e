"""The quota manager's settings, as flags and as a table of omec.toml (reference 15 §3.1)."""

from __future__ import annotations

from typing import Any

import pytest

from omec.resolve.quota.materialisation import (
    Materialisation,
    MaterialisationError,
    cover_of_flag,
    enrolled,
    listed,
)
from omec.resolve.quota.settings import QuotaSettingsError, quota_settings

PREFIX = "invalid materialization configuration: "


def materialise(manager: str, cover: str, namespaces: str) -> bool:
    settings = Materialisation(manager, cover_of_flag(cover), tuple(listed(namespaces)))
    settings.check()
    return settings.enabled


@pytest.mark.parametrize(
    ("manager", "cover", "namespaces", "enabled"),
    [
        ("ome-quota-manager", "cpu=16M,ephemeral-storage=16Pi,memory=16Pi", "ml-serving", True),
        ("ome-quota-manager", " cpu = 1k , memory=1Ti ,", " a , b ,", True),
        ("", "", "", False),
    ],
)
def test_flags(manager: str, cover: str, namespaces: str, enabled: bool) -> None:
    assert materialise(manager, cover, namespaces) is enabled


@pytest.mark.parametrize(
    ("manager", "cover", "namespaces", "error"),
    [
        ("", "cpu=1", "a", f"{PREFIX}field manager is required when materialization is configured"),
        ("m", "", "a", f"{PREFIX}at least one cover resource is required when a field manager is set"),
        ("m", "cpu=1", "", f"{PREFIX}at least one enrolled namespace is required when a field manager is set"),
        ("m", "cpu=0", "a", f'{PREFIX}cover resource "cpu" must be positive, got 0'),
        ("m", "cpu=-1000m", "a", f'{PREFIX}cover resource "cpu" must be positive, got -1'),
        ("m", "=1", "a", f"{PREFIX}cover resource name must not be empty"),
        ("m", "cpu=1", "a,a", f'{PREFIX}enrolled namespace "a" is listed more than once'),
        ("m", "cpu", "a", 'invalid --cover-resources: cover resource "cpu" is not name=quantity'),
        ("m", "cpu=lots", "a", 'invalid --cover-resources: cover resource "cpu": quantities must match the regular'),
        (
            "m",
            "cpu=1",
            "ML",
            f'{PREFIX}enrolled namespace "ML" is not a valid namespace name: a lowercase RFC 1123 label',
        ),
        (
            "m",
            "cpu=1",
            "a" * 64,
            f'{PREFIX}enrolled namespace "{"a" * 64}" is not a valid namespace name: must be no more than 63',
        ),
    ],
)
def test_flags_with_which_the_manager_does_not_start(manager: str, cover: str, namespaces: str, error: str) -> None:
    with pytest.raises(MaterialisationError) as failure:
        materialise(manager, cover, namespaces)
    assert str(failure.value).startswith(error)


def test_the_chart_drops_blanks_and_repetitions() -> None:
    assert enrolled(["b", " a", "", "b"]) == ("a", "b")


def test_an_empty_table_is_the_chart() -> None:
    settings = quota_settings({})
    assert settings.max_depth == 5
    cover = {name: str(amount) for name, amount in settings.cover_resources.items()}
    assert cover == {"cpu": "16M", "memory": "16Pi", "ephemeral-storage": "16Pi"}
    assert not settings.materialisation("omec").enabled


def test_a_table() -> None:
    settings = quota_settings(
        {
            "max-depth": 0,
            "enrolled-namespaces": ["b", "a", "b"],
            "cover-resources": {"rdma/hca": "1M", "cpu": 1000},
            "default-distribution-policy": "Explicit",
            "known-quotas": ["shared"],
            "accelerator-resources": [],
        }
    )
    assert (settings.max_depth, settings.enrolled_namespaces, settings.default_policy) == (0, ("a", "b"), "Explicit")
    assert {name: str(amount) for name, amount in settings.cover_resources.items()} == {
        "cpu": "1k",
        "memory": "16Pi",
        "ephemeral-storage": "16Pi",
        "rdma/hca": "1M",
    }
    assert (settings.known_quotas, settings.accelerator_resources) == (("shared",), ())
    assert settings.materialisation("omec").enabled


def test_the_text_of_a_flag_replaces_the_charts_resources() -> None:
    settings = quota_settings({"cover-resources": "cpu=1k,memory=1Ti", "enrolled-namespaces": "b, a"})
    assert {name: str(amount) for name, amount in settings.cover_resources.items()} == {"cpu": "1k", "memory": "1Ti"}
    assert settings.enrolled_namespaces == ("a", "b")


@pytest.mark.parametrize(
    ("table", "key", "words"),
    [
        ({"depth": 5}, "depth", "is none of max-depth, enrolled-namespaces"),
        ({"max-depth": -1}, "max-depth", "not negative"),
        ({"max-depth": True}, "max-depth", "whole number"),
        ({"default-distribution-policy": "Even"}, "default-distribution-policy", "Explicit or Proportional"),
        ({"enrolled-namespaces": 3}, "enrolled-namespaces", "list of texts"),
        ({"enrolled-namespaces": ["ML"]}, "enrolled-namespaces", "is not a valid namespace name"),
        ({"cover-resources": ["cpu"]}, "cover-resources", "table of amounts"),
        ({"cover-resources": {"cpu": "lots"}}, "cover-resources", "quantities must match"),
        ({"cover-resources": {"cpu": "0"}, "enrolled-namespaces": ["a"]}, "cover-resources", "must be positive"),
    ],
)
def test_a_table_that_cannot_be_used(table: dict[str, Any], key: str, words: str) -> None:
    with pytest.raises(QuotaSettingsError) as failure:
        quota_settings(table)
    assert failure.value.key == key
    assert words in failure.value.message
