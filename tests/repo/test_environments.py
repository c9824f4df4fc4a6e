"""Environments of the configuration: what they may set, how they are merged, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from omec.errors import OmecError
from omec.repo.config import Config
from omec.repo.settings_environments import SELECTION_KEYS, SHARED_KEYS
from omec.repo.settings_nodes import NodeGroup

BASE: dict[str, Any] = {
    "platform": "ome",
    "exclude": ["*.tmp"],
    "nodes": [{"name": "a100"}],
    "operator": {"deploy": {"minReadySeconds": 5, "replicas": {"defaultMinReplicas": 1}}},
}


def config(environments: dict[str, Any], **base: Any) -> Config:
    return Config.from_dict({**BASE, **base, "environments": environments})


def test_an_environment_replaces_values_and_merges_tables() -> None:
    own = {
        "platform": "kubernetes",
        "exclude": [],
        "nodes": [{"name": "h100"}],
        "operator": {"deploy": {"replicas": {"defaultMinReplicas": 2}}, "podMonitor": {"labels": {"a": "b"}}},
        "benchmark": {"image": "x"},
    }
    chosen = config({"dev": own, "prod": {}}).of_environment("dev")
    assert (chosen.environment, chosen.platform, chosen.exclude) == ("dev", "kubernetes", ())
    assert chosen.nodes == (NodeGroup("h100"),)
    assert chosen.benchmark == {"image": "x"}
    assert chosen.operator == {
        "deploy": {"minReadySeconds": 5, "replicas": {"defaultMinReplicas": 2}},
        "podMonitor": {"labels": {"a": "b"}},
    }


def test_an_environment_leaves_what_it_does_not_set() -> None:
    shared = config({"dev": {"platform": "kubernetes"}, "prod": {}})
    chosen = shared.of_environment("prod")
    assert (chosen.platform, chosen.operator, chosen.exclude) == ("ome", shared.operator, ("*.tmp",))
    assert shared.environment is None


@pytest.mark.parametrize(
    ("environments", "code", "parts"),
    [
        ({}, "OME013", ["environments declares no environment"]),
        ({"dev": 1}, "OME013", ["environments.dev must be a table, not a number"]),
        ({"dev": {"platfrom": "ome"}}, "OME012", ["'platfrom' in [environments.dev]", "did you mean 'platform'?"]),
        ({"dev": {"platform": "k8s"}}, "OME013", ["environments.dev.platform is 'k8s'"]),
        ({"dev": {"output": "x"}}, "OME027", ["environments.dev.output is the same for all environments"]),
        ({"dev": {"environments": {}}}, "OME027", ["environments.dev.environments is the same"]),
        ({"../x": {}}, "OME026", ["no environment can be called '../x'"]),
        ({"Prod": {}}, "OME026", ["'Prod'", "at most 63 of a-z"]),
        ({"_cluster": {}}, "OME026", ["'_cluster'"]),
        ({"": {}}, "OME026", ["''"]),
        ({"a" * 64: {}}, "OME026", ["at most 63"]),
        ({"a\n": {}}, "OME026", ["no environment can be called"]),
    ],
)
def test_refused(environments: dict[str, Any], code: str, parts: list[str]) -> None:
    with pytest.raises(OmecError) as caught:
        config(environments)
    assert caught.value.code == code
    for part in parts:
        assert part in str(caught.value)


@pytest.mark.parametrize("key", sorted(SHARED_KEYS))
def test_shared_keys_are_refused_before_their_values_are_looked_at(key: str) -> None:
    with pytest.raises(OmecError) as caught:
        config({"dev": {key: object()}})
    assert caught.value.code == "OME027"


def test_a_platform_must_be_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "omec.toml"
    file.write_text('[environments.dev]\nplatform = "ome"\n\n[environments.prod]\nsource = "prod"\n')
    with pytest.raises(OmecError) as caught:
        Config.load(tmp_path)
    assert caught.value.code == "OME025"
    assert caught.value.message == "omec.toml:4:2: environments.prod has no platform"


def test_a_fault_is_told_at_its_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "omec.toml").write_text('platform = "ome"\n[environments.dev.operator.deploy]\nminReadySeconds = -1\n')
    with pytest.raises(OmecError, match=r"^omec.toml:3:1: environments.dev.operator.deploy.minReadySeconds is -1"):
        Config.load(tmp_path)


@pytest.mark.parametrize(("name", "hint"), [("prd", "did you mean 'prod'?"), ("x", "known: dev, prod")])
def test_an_unknown_environment(name: str, hint: str) -> None:
    with pytest.raises(OmecError) as caught:
        config({"prod": {}, "dev": {}}).of_environment(name)
    assert (caught.value.code, caught.value.hint) == ("OME023", hint)


def test_without_environments_none_is_known() -> None:
    with pytest.raises(OmecError, match="declares none"):
        Config.from_dict({}).of_environment("dev")


def test_selection_takes_the_only_environment() -> None:
    only = config({"dev": {"source": "dev"}}).for_selection()
    assert (only.environment, only.source) == ("dev", ("dev",))


def test_selection_needs_no_environment_where_they_agree() -> None:
    agreed = config({"dev": {"platform": "kubernetes", "source": "x"}, "prod": {"source": "x"}}).for_selection()
    assert (agreed.environment, agreed.source) == (None, ("x",))
    with pytest.raises(OmecError, match="can differ between the environments dev, prod"):
        agreed.require_environment()


@pytest.mark.parametrize(
    "own",
    [
        {"source": "x"},
        {"kustomize": "x"},
        {"exclude": ["x"]},
        {"sources": [{"path": "x"}]},
        {"default-namespace": "x"},
        {"ome-version": "1.2"},
        {"external-runtimes": ["x"]},
        {"allow-unpinned": True},
    ],
    ids=lambda own: next(iter(own)),
)
def test_selection_needs_one_where_they_differ(own: dict[str, Any]) -> None:
    assert own.keys() <= set(SELECTION_KEYS)
    with pytest.raises(OmecError) as caught:
        config({"dev": own, "prod": {}}).for_selection()
    assert caught.value.code == "OME024"
    assert f"which differ in {next(iter(own))}" in caught.value.message


def test_an_option_for_all_environments_makes_them_agree() -> None:
    declared = config({"dev": {"ome-version": "1.2"}, "prod": {}})
    assert declared.for_selection(ome_version="1.3").environment is None


def test_there_and_back() -> None:
    declared = config({"dev": {"source": ["a", "b"], "nodes": [{"name": "x", "count": 2}]}, "prod": {}})
    assert Config.from_dict(declared.to_dict()) == declared
