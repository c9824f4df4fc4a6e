"""The schema of omec.toml knows the keys of the configuration, and agrees with it about values."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from omec.errors import OmecError
from omec.repo.config import KEYS, Config
from omec.repo.config_schema import config_schema
from tests.conftest import ROOT

VALIDATOR = jsonschema.Draft7Validator(config_schema())

ACCEPTED: list[dict[str, Any]] = [
    {},
    {"source": "manifests"},
    {"source": ["a", "b"], "output": "rendered", "required-version": ">=0.1"},
    {"ome-version": "1.2", "platform": "kubernetes", "kubernetes-version": "1.35", "default-namespace": "llm"},
    {"exclude": ["*.tmp"], "sources": [{"path": "../x"}], "external-runtimes": ["r"], "include": ["namespaces"]},
    {"metadata": False, "fail-on": "never", "allow-unpinned": True},
    {"operator": {"deploy": {"replicas": {"defaultMaxReplicas": {"engine": 3}}}, "acceleratorResources": ["x/y"]}},
    {"operator": {"deploy": '{"defaultDeploymentMode": "RawDeployment"}'}},
    {"operator": {"ingress": {"namespaceIngressGateways": {"x": {"primary": {"omeIngressGateway": "a/b"}}}}}},
    {"operator": {"podDisruptionBudget": {"rawDeployment": {"maxUnavailable": "25%"}}}},
    {"emit": "kustomization", "kustomize": "overlays/prod"},
    {"platform": "ome", "environments": {"dev": {}, "prod-1": {"source": "prod", "emit": "objects"}}},
    {"environments": {"dev": {"platform": "kubernetes", "operator": {"deploy": {"minReadySeconds": 1}}}}},
    {"policy": {"require-digest": True, "required-labels": {"*": ["team"]}, "limits": [{"max-gpus": 8}]}},
    {"policy": {"forbidden-fields": [{"path": "spec.*.env[*].value", "kinds": ["BaseModel"], "values": [True, "x"]}]}},
    {"lint": {"select": ["OME3"], "ignore": ["OME301"], "severity": {"OME302": "warning"}}},
]
REFUSED: list[dict[str, Any]] = [
    {"sourc": "manifests"},
    {"source": ""},
    {"source": []},
    {"source": 1},
    {"ome-version": "1.4"},
    {"ome-version": 1.3},
    {"platform": "k8s"},
    {"default-namespace": "Llm"},
    {"exclude": "*.tmp"},
    {"sources": [{}]},
    {"sources": [{"path": "x", "git": "y"}]},
    {"metadata": "no"},
    {"fail-on": "fatal"},
    {"operator": {"deploy": {"replica": {}}}},
    {"operator": {"lifecycle": {}}},
    {"operator": {"ingress": {"ingressDomain": {}}}},
    {"operator": {"ingress": {"additionalIngressGateways": [{"clas": "x"}]}}},
    {"operator": {"deploy": {"terminationGracePeriodSeconds": -1}}},
    {"operator": {"podMonitor": {"labels": {"a": 1}}}},
    {"lint": {"selec": []}},
    {"policy": {"require-digests": True}},
    {"policy": {"required-labels": {"Pod": ["x"]}}},
    {"policy": {"limits": [{"namespaces": ["x"]}]}},
    {"policy": {"forbidden-fields": [{"path": "spec..x"}]}},
    {"emit": "helm"},
    {"environments": {}},
    {"environments": {"dev": {"platform": "k8s"}}},
    {"platform": "ome", "environments": {"dev": {"output": "x"}}},
    {"platform": "ome", "environments": {"dev": {"lint": {}}}},
    {"platform": "ome", "environments": {"dev": {"sourc": "x"}}},
    {"platform": "ome", "environments": {"../dev": {}}},
    {"lint": {"select": ["E3"]}},
    {"lint": {"severity": {"OME3": "warning"}}},
    {"lint": {"severity": {"OME301": "fatal"}}},
]


def test_the_schema_is_valid_and_knows_every_key() -> None:
    """A new key of the configuration needs a line in omec/repo/config_schema.py, and python -m schemas.build_editor."""
    jsonschema.Draft7Validator.check_schema(config_schema())
    assert config_schema()["properties"].keys() == KEYS.keys()
    assert all(schema["description"] for schema in config_schema()["properties"].values())


@pytest.mark.parametrize("settings", ACCEPTED, ids=str)
def test_accepted(settings: dict[str, Any]) -> None:
    Config.from_dict(settings)
    VALIDATOR.validate(settings)


@pytest.mark.parametrize("settings", REFUSED, ids=str)
def test_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(OmecError):
        Config.from_dict(settings)
    assert not VALIDATOR.is_valid(settings)


def test_defaults_are_those_of_the_configuration() -> None:
    usual = Config(Path())
    for key, schema in config_schema()["properties"].items():
        if "default" in schema:
            assert getattr(usual, key.replace("-", "_")) == schema["default"]


@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*/omec.toml")), ids=lambda path: path.parent.name)
def test_examples(path: Path) -> None:
    VALIDATOR.validate(tomllib.loads(path.read_text(encoding="utf-8")))
