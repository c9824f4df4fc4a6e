"""The containers that omec renders, against the command that runs in them: with the image's entry point before."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest

from omec.cli.application import application
from omec.repo.yaml import load
from omec.runtime_agent.fetch.variables import Variables
from tests.compile.pod_templates import CONFIGURED, pod, template
from tests.compile.test_merged_weights_example import compiled
from tests.conftest import ROOT
from tests.image.dockerfile import stages

Object = dict[str, Any]

ENTRYPOINT: list[str] = json.loads(stages(ROOT / "Dockerfile")[-1].all("ENTRYPOINT")[0])
TUNED = {"ome.io/inject-fine-tuned-adapter": "fin", "ome.io/fine-tuned-weight-ft-strategy": "lora"}
FEW_SHOT = {**TUNED, "ome.io/fine-tuned-weight-ft-strategy": "tfew", "ome.io/base-model-vendor": "cohere"}
TENSORRT = {**TUNED, "ome.io/base-model-format": "tensorrtllm"}
INIT = {"ome.io/inject-model-init": "true", "ome.io/base-model-name": "llama"}


def command_of(words: list[str]) -> click.Command:
    """The command that ``words`` run, parsed to the last one; raises where a word is not understood."""
    assert words[0] == "omec"
    command: click.Command = application
    context, rest = click.Context(application, info_name="omec"), words[1:]
    while isinstance(command, click.Group):
        _, found, rest = command.resolve_command(context, rest)
        assert found is not None
        command = found
        context = command.make_context(command.name, list(rest), parent=context)
        rest = [*context._protected_args, *context.args]
    return command


@pytest.mark.parametrize("annotations", [TUNED, FEW_SHOT, TENSORRT, INIT])
def test_injected_containers(annotations: Object) -> None:
    (container,) = pod(template(annotations), CONFIGURED)["spec"]["initContainers"]
    check(container)


def test_the_container_of_merged_weights() -> None:
    found = [each for body in compiled(["fin"]).values() for each in init_containers(body)]
    assert [each["name"] for each in found] == ["fine-tuned-adapter"]
    check(found[0])


def test_containers_of_the_examples() -> None:
    for file in sorted((ROOT / "examples").rglob("rendered/**/*.yaml")):
        for body in map(load, file.read_text(encoding="utf-8").split("\n---\n")):
            for container in init_containers(body):
                if container.get("args", [""])[0] in ("fine-tuned-adapter", "enigma"):
                    check(container)


def init_containers(value: Any) -> Iterator[Object]:
    if isinstance(value, dict):
        yield from value.get("initContainers") or ()
        for item in value.values():
            yield from init_containers(item)


def check(container: Object) -> None:
    """The command takes the arguments, and the task finds every variable and directory that it asks for."""
    assert "command" not in container
    command_of([*ENTRYPOINT, *container["args"]])
    variables = Variables({each["name"]: each.get("value", "") for each in container["env"]})
    mounts = {Path(each["mountPath"]) for each in container["volumeMounts"]}
    if container["name"] == "fine-tuned-adapter":
        variables.require("AUTH_TYPE", "MODEL_NAMESPACE", "MODEL_BUCKET_NAME", "MODEL_OBJECT_NAME")
        for name in ("ZIPPED", "UNZIPPED"):
            assert variables.directory(f"{name}_FINE_TUNED_WEIGHT_DIRECTORY") in mounts
    else:
        assert variables.directory("LOCAL_PATH") in mounts
        assert variables.get("DISABLE_MODEL_DECRYPTION") in ("true", "false")


@pytest.mark.parametrize("words", ["serving-agent --config /x", "fine-tuned-adapter --debug more", "model hf://a/b"])
def test_what_the_command_does_not_take(words: str) -> None:
    with pytest.raises(click.UsageError):
        command_of([*ENTRYPOINT, *words.split()])
