"""docs/weights-container.md says of the container what omec renders."""

from __future__ import annotations

import re
from typing import Any

import pytest

from omec.compile.webhook.rules import SETTING_MISSING, SETTING_UNKNOWN
from omec.compile.webhook.settings import ADAPTER, MODEL_INIT, SIDECAR, webhook_settings_of_settings
from tests.compile.pod_templates import CONFIGURED, names, pod, template
from tests.conftest import ROOT

Object = dict[str, Any]

PAGE = (ROOT / "docs" / "weights-container.md").read_text(encoding="utf-8")
TUNED = {"ome.io/inject-fine-tuned-adapter": "fin", "ome.io/fine-tuned-weight-ft-strategy": "lora"}
FEW_SHOT = {**TUNED, "ome.io/fine-tuned-weight-ft-strategy": "tfew", "ome.io/base-model-vendor": "cohere"}
TENSORRT = {**TUNED, "ome.io/base-model-format": "tensorrtllm"}


def container(annotations: Object) -> Object:
    (found,) = pod(template(annotations), CONFIGURED)["spec"]["initContainers"]
    rendered: Object = found
    return rendered


def section(title: str) -> str:
    found = re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[1]


def test_command() -> None:
    assert f"\n{' '.join(container(TUNED)['args'])}\n" in section("Command")


def test_every_variable_is_described() -> None:
    described = re.findall(r"^\| `(OME_\w+)`", section("Environment"), re.MULTILINE)
    assert sorted(described) == sorted(names(container(TUNED)["env"]))


@pytest.mark.parametrize("annotations", [TUNED, FEW_SHOT, TENSORRT])
def test_every_mount_is_described(annotations: Object) -> None:
    mounts = section("Mounts")
    for mount in container(annotations)["volumeMounts"]:
        assert f"| `{mount['mountPath']}`" in mounts
        assert mount["name"] in mounts
        assert f"`{mount.get('subPath', 'model-empty-dir')}`" in mounts


def test_settings_of_the_example_are_enough() -> None:
    import tomllib  # noqa: PLC0415

    example = re.search(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    assert example is not None
    settings = webhook_settings_of_settings(tomllib.loads(example[1])["operator"])
    (rendered,) = pod(template(TUNED), settings)["spec"]["initContainers"]
    assert rendered["image"] == "registry.example.com/omec-agent:1"


def test_rules_and_keys_are_named() -> None:
    for name in (SETTING_MISSING.slug, SETTING_UNKNOWN.slug, ADAPTER, MODEL_INIT, SIDECAR):
        assert name in PAGE
