"""The configuration: every key, what it refuses, and how the parts override each other."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from omec.errors import EXIT_USAGE, OmecError
from omec.finding import Rule, Severity
from omec.repo import config_rules, environment_rules
from omec.repo.config import KEYS, Config
from omec.repo.settings_lint import LintConfig
from omec.repo.settings_tables import CatalogSource
from omec.version import __version__

ROOT = Path(__file__).resolve().parents[2]


def refused(data: dict[str, Any]) -> OmecError:
    with pytest.raises(OmecError) as caught:
        Config.from_dict(data)
    assert caught.value.exit_code == EXIT_USAGE
    return caught.value


def test_every_key_is_an_attribute_with_a_default() -> None:
    names = list(Config.__struct_fields__)
    assert names == ["root", "path", *(key.replace("-", "_") for key in KEYS), "environment"]


def test_every_key_is_documented() -> None:
    table = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")
    documented = re.findall(r"^\| `\[*([a-z-]+)\]*` \|", table, flags=re.MULTILINE)
    assert documented == list(KEYS)


def test_every_error_is_documented() -> None:
    text = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")
    rules = (*vars(config_rules).values(), *vars(environment_rules).values())
    codes = [rule.code for rule in rules if isinstance(rule, Rule)]
    assert re.findall(r"^\| (OME\d{3}) \|", text, flags=re.MULTILINE) == codes


def test_the_documented_example_is_valid(tmp_path: Path) -> None:
    text = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")
    example = text.split("```toml\n")[1].split("```")[0]
    (tmp_path / "omec.toml").write_text(example.replace(">=0.1,<0.2", __version__), encoding="utf-8")
    config = Config.load(tmp_path)
    assert config.operator == {"deploy": {"replicas": {"defaultMinReplicas": 2}}}
    assert config.sources == (CatalogSource("../platform/runtimes"),)


def test_defaults() -> None:
    config = Config.from_dict({})
    assert config.ome_version == "1.3"
    assert config.platform == "ome"
    assert config.metadata is True
    assert config.fail_on == "error"
    assert config.source_paths == ()
    assert config.output_path is None
    assert config.to_dict() == {}


FULL: dict[str, Any] = {
    "source": ["manifests", "more"],
    "output": "rendered",
    "required-version": f"=={__version__}",
    "ome-version": "1.2",
    "platform": "kubernetes",
    "kubernetes-version": "1.36",
    "default-namespace": "llm",
    "exclude": ["drafts/"],
    "sources": [{"path": "../catalog"}],
    "external-runtimes": ["vllm-external"],
    "metadata": False,
    "fail-on": "warning",
    "include": ["runtimes", "namespaces"],
    "allow-unpinned": True,
    "operator": {"deploy": {"terminationGracePeriodSeconds": 60}, "acceleratorResources": ["google.com/tpu"]},
    "lint": {
        "select": ["OME2"],
        "extend-select": ["OME301"],
        "ignore": ["OME201"],
        "severity": {"OME202": "info"},
        "per-file-ignores": {"legacy/**": ["OME5"]},
        "preview": True,
        "skip-kinds": ["BaseModel"],
        "baseline": "baseline.json",
    },
}


def test_all_keys_survive_a_round_trip(tmp_path: Path) -> None:
    config = Config.from_dict(FULL, root=tmp_path)
    assert config.to_dict() == FULL
    assert Config.from_dict(config.to_dict(), root=tmp_path) == config
    assert config.source_paths == (tmp_path / "manifests", tmp_path / "more")
    assert config.output_path == tmp_path / "rendered"
    assert config.catalog_paths == (tmp_path / "../catalog",)


@given(st.sets(st.sampled_from(sorted(FULL))))
def test_any_subset_of_keys_survives_a_round_trip(keys: set[str]) -> None:
    config = Config.from_dict({key: FULL[key] for key in keys})
    assert Config.from_dict(config.to_dict()) == config


@pytest.mark.parametrize(
    ("data", "code", "parts"),
    [
        ({"platfrom": "ome"}, "OME012", ["unknown key 'platfrom'", "did you mean 'platform'?"]),
        ({"default_namespace": "x"}, "OME012", ["did you mean 'default-namespace'?"]),
        ({"frobnicate": 1}, "OME012", ["unknown key 'frobnicate'", "known: source, kustomize"]),
        ({"platform": "k8s"}, "OME013", ["platform is 'k8s'", "must be one of ome, kubernetes"]),
        ({"ome-version": "1.1"}, "OME013", ["ome-version is '1.1'", "1.3, 1.2"]),
        ({"ome-version": 1.3}, "OME013", ["ome-version must be a text, not a number", "write it in quotes"]),
        ({"kubernetes-version": 1.30}, "OME013", ["write it in quotes"]),
        ({"metadata": "no"}, "OME013", ["metadata must be true or false, not a text"]),
        ({"metadata": 1}, "OME013", ["metadata must be true or false, not a number"]),
        ({"exclude": "drafts"}, "OME013", ["exclude must be a list of texts, not a text"]),
        ({"exclude": ["a", 3]}, "OME013", ["exclude[1] must be a text"]),
        ({"exclude": [True]}, "OME013", ["exclude[0] must be a text, not true or false"]),
        ({"source": []}, "OME013", ["source is an empty list"]),
        ({"source": ["a", ""]}, "OME013", ["source[1] is empty"]),
        ({"source": {}}, "OME013", ["source must be a text or a list of texts, not a table"]),
        ({"output": ""}, "OME013", ["output is empty"]),
        ({"output": "a\0b"}, "OME013", ["output holds a NUL character"]),
        ({"sources": [{"path": "a\0b"}]}, "OME013", ["sources[0].path holds a NUL character"]),
        ({"fail-on": "fatal"}, "OME013", ["error, warning, info, never"]),
        ({"default-namespace": "Team_A"}, "OME013", ["no namespace can be called", "DNS label"]),
        ({"default-namespace": "a" * 64}, "OME013", ["no namespace can be called"]),
        ({"default-namespace": "../x"}, "OME013", ["no namespace can be called"]),
        ({"sources": {"path": "x"}}, "OME013", ["sources must be a list of tables, not a table", "[[sources]]"]),
        ({"sources": [{}]}, "OME013", ["sources[0] has no path"]),
        ({"sources": [{"path": "x", "paht": "y"}]}, "OME012", ["unknown key 'paht' in [sources[0]]", "'path'"]),
        (
            {"sources": [{"git": "https://x", "rev": "v1"}]},
            "OME015",
            ["sources[0].git is reserved for a later release"],
        ),
        ({"operator": []}, "OME013", ["operator must be a table, not a list"]),
        ({"operator": {"Deploy": {}}}, "OME012", ["unknown key 'Deploy' in [operator]", "did you mean 'deploy'?"]),
        ({"operator": {"kedaConfig": {}}}, "OME012", ["operator.kedaConfig changes nothing that omec renders"]),
        (
            {"operator": {"modelInit": {"image": 1}}},
            "OME013",
            ["operator.modelInit.image must be a text, not a number"],
        ),
        (
            {"operator": {"deploy": {"replica": {}}}},
            "OME012",
            ["unknown key 'replica' in [operator.deploy]", "'replicas'"],
        ),
        (
            {"operator": {"deploy": '{"replicas": {"defaultMaxReplicas": {"egnine": 1}}}'}},
            "OME012",
            ["unknown key 'egnine' in [operator.deploy.replicas.defaultMaxReplicas]", "'engine'"],
        ),
        ({"operator": {"deploy": {"replicas": 3}}}, "OME013", ["operator.deploy.replicas must be a table"]),
        ({"operator": {"acceleratorResources": [1]}}, "OME013", ["operator.acceleratorResources[0] must be a text"]),
        ({"operator": {"ingress": "{"}}, "OME013", ["operator.ingress is not JSON"]),
        ({"operator": {"ingress": "[" * 100_000}}, "OME013", ["operator.ingress is nested too deeply"]),
        (
            {"operator": {"ingress": {"ingressDomain": {}}}},
            "OME013",
            ["operator.ingress.ingressDomain must be a text, not a table"],
        ),
        ({"operator": {"ingress": {"ingressGateway": 5}}}, "OME013", ["must be a text, not a number"]),
        ({"operator": {"ingress": {"enableGatewayAPI": "true"}}}, "OME013", ["must be true or false, not a text"]),
        (
            {"operator": {"ingress": {"additionalIngressGateways": [{"class": 1}]}}},
            "OME013",
            ["operator.ingress.additionalIngressGateways[0].class must be a text, not a number"],
        ),
        (
            {"operator": {"ingress": {"namespaceIngressGateways": {"team-a": {"primry": {}}}}}},
            "OME012",
            ["unknown key 'primry' in [operator.ingress.namespaceIngressGateways.team-a]", "'primary'"],
        ),
        ({"operator": {"ingress": {"consistentHashHeaders": "x"}}}, "OME013", ["must be a list, not a text"]),
        (
            {"operator": {"deploy": {"terminationGracePeriodSeconds": -1}}},
            "OME013",
            ["operator.deploy.terminationGracePeriodSeconds is -1", "at least 0"],
        ),
        (
            {"operator": {"deploy": {"terminationGracePeriodSeconds": 10**19}}},
            "OME013",
            ["is 10000000000000000000", "64-bit"],
        ),
        ({"operator": {"deploy": {"terminationGracePeriodSeconds": 1.5}}}, "OME013", ["must be a whole number"]),
        ({"operator": {"deploy": {"terminationGracePeriodSeconds": True}}}, "OME013", ["must be a whole number"]),
        (
            {"operator": {"deploy": '{"replicas": {"defaultMaxReplicas": {"engine": 0}}}'}},
            "OME013",
            ["operator.deploy.replicas.defaultMaxReplicas.engine is 0", "at least 1"],
        ),
        (
            {"operator": {"deploy": {"updateStrategy": {"engine": {"maxSurge": []}}}}},
            "OME013",
            ["must be a whole number or a text, not a list"],
        ),
        ({"operator": {"podMonitor": {"labels": {"a": 1}}}}, "OME013", ["operator.podMonitor.labels.a must be a text"]),
        ({"operator": {"ingress": ["x"]}}, "OME013", ["operator.ingress must be a table, not a list"]),
        ({"operator": {"acceleratorResources": "nvidia.com/gpu"}}, "OME013", ["is not JSON"]),
        ({"lint": {"selects": []}}, "OME012", ["unknown key 'selects' in [lint]", "did you mean 'select'?"]),
        ({"lint": {"select": ["E1"]}}, "OME013", ["lint.select[0] is 'E1'", "OME301"]),
        ({"lint": {"severity": {"OME3": "error"}}}, "OME013", ["lint.severity.OME3 is neither the code nor the name"]),
        ({"lint": {"severity": {"OME301": "off"}}}, "OME013", ["lint.severity.OME301 is 'off'"]),
        ({"required-version": "soon"}, "OME013", ["'soon', which is no version specifier"]),
        ({"required-version": 1}, "OME013", ["required-version must be a text"]),
        ({"output": None}, "OME013", ["output must be a text, not nothing"]),
    ],
)
def test_wrong_settings_are_refused(data: dict[str, Any], code: str, parts: list[str]) -> None:
    error = refused(data)
    assert error.code == code
    for part in parts:
        assert part in str(error)
    assert "\n" not in str(error)


@pytest.mark.parametrize("requirement", [__version__, f"=={__version__}", ">=0.0.1", "~=0.1", "<99,!=98"])
def test_this_version_may_be_required(requirement: str) -> None:
    assert Config.from_dict({"required-version": requirement}).required_version == requirement


@pytest.mark.parametrize("requirement", ["99.0", "==99.*", "<0.0.1"])
def test_another_version_is_refused(requirement: str) -> None:
    error = refused({"required-version": requirement})
    assert error.code == "OME014"
    assert f"this is omec {__version__}" in error.message
    assert "pip install" in error.hint


def test_the_version_is_checked_before_keys_that_only_the_other_version_knows() -> None:
    assert refused({"future-key": 1, "required-version": "99.0"}).code == "OME014"


def test_operator_takes_the_texts_of_the_configmap() -> None:
    config = Config.from_dict({"operator": {"deploy": '{"replicas": {"defaultMinReplicas": 2}}'}})
    assert config.operator == {"deploy": {"replicas": {"defaultMinReplicas": 2}}}


def test_null_in_such_a_text_leaves_a_field_unset() -> None:
    config = Config.from_dict({"operator": {"ingress": '{"ingressClassName": null, "domainTemplate": ""}'}})
    assert config.operator == {"ingress": {"ingressClassName": None, "domainTemplate": ""}}


class TestOverrides:
    def test_none_keeps_the_value(self) -> None:
        config = Config.from_dict(FULL)
        assert config.with_overrides(**{"ome-version": None, "metadata": None}) == config

    def test_values_replace_and_are_checked(self) -> None:
        config = Config.from_dict(FULL).with_overrides(platform="ome", **{"fail-on": "never"})
        assert (config.platform, config.fail_on) == ("ome", "never")
        with pytest.raises(OmecError, match=r"^--default-namespace is 'X_Y'"):
            config.with_overrides(default_namespace="X_Y")

    def test_paths_are_meant_from_the_current_folder(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (tmp_path / "deep").mkdir()
        monkeypatch.chdir(tmp_path / "deep")
        config = Config.from_dict({}, root=tmp_path).with_overrides(source=["x", "../../y"], output="out")
        assert config.source == ("deep/x", str(tmp_path.parent / "y"))
        assert config.output_path == tmp_path / "deep" / "out"


RULE = Rule("OME301", "some-rule", Severity.ERROR, "")


class TestLintConfig:
    @pytest.mark.parametrize(
        ("select", "ignore", "enabled"),
        [
            ((), (), True),
            ((), ("OME301",), False),
            ((), ("some-rule",), False),
            ((), ("OME",), False),
            ((), ("ALL",), False),
            (("ALL",), (), True),
            (("OME2",), (), False),
            (("OME3",), (), True),
            (("OME3",), ("OME301",), False),
            (("OME3",), ("some-rule",), False),
            (("OME301",), ("OME3",), True),
            (("some-rule",), ("OME3",), True),
            (("OME301",), ("OME301",), False),
        ],
    )
    def test_the_most_exact_selector_decides(
        self, select: tuple[str, ...], ignore: tuple[str, ...], enabled: bool
    ) -> None:
        assert LintConfig(select=select, ignore=ignore).enabled(RULE) is enabled

    @pytest.mark.parametrize(
        ("settings", "enabled"),
        [
            ({}, False),
            ({"select": ["OME3"]}, True),
            ({"select": ["ALL"]}, True),
            ({"extend-select": ["some-rule"]}, True),
            ({"extend-select": ["OME2"]}, False),
            ({"select": ["OME2"], "extend-select": ["OME301"]}, True),
        ],
    )
    def test_a_rule_that_is_off_by_default(self, settings: dict[str, Any], enabled: bool) -> None:
        assert Config.from_dict({"lint": settings}).lint.enabled(replace(RULE, default=False)) is enabled

    @pytest.mark.parametrize("settings", [{}, {"select": ["ALL"]}, {"select": ["OME301"]}])
    def test_a_rule_in_preview(self, settings: dict[str, Any]) -> None:
        rule = replace(RULE, preview=True)
        assert not Config.from_dict({"lint": settings}).lint.enabled(rule)
        assert Config.from_dict({"lint": {**settings, "preview": True}}).lint.enabled(rule)

    def test_a_command_line_selects_anew_and_ignores_more(self) -> None:
        lint = LintConfig(select=("OME1",), extend_select=("OME2",), ignore=("OME301",))
        assert lint.overridden(ignore=["OME3"]).ignore == ("OME301", "OME3")
        assert lint.overridden(select=["OME301"]).enabled(RULE)
        assert lint.overridden(extend_select=["OME4"]).extend_select == ("OME2", "OME4")

    def test_severity(self) -> None:
        for name in ("OME301", "some-rule"):
            lint = Config.from_dict({"lint": {"severity": {name: "info"}}}).lint
            assert lint.severity_of(RULE) is Severity.INFO
        assert LintConfig().severity_of(RULE) is Severity.ERROR
