"""What lint says about examples/broken, which is made for it: most families of rules, each fault at its line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.cli.conftest import Omec

FINDINGS = """
models/llama-3-2-3b-instruct.yaml:14 OME331
models/llama-3-2-3b-instruct.yaml:19 OME367
runtimes/sglang-small.yaml:7 OME201
runtimes/sglang-small.yaml:18 OME207
runtimes/sglang-small.yaml:22 OME331
runtimes/vllm-two-gpus.yaml:19 OME419
runtimes/vllm-two-gpus.yaml:21 OME900
runtimes/vllm-two-gpus.yaml:21 OME930
runtimes/vllm-two-gpus.yaml:26 OME447
runtimes/vllm-two-gpus.yaml:27 OME445
runtimes/vllm-two-gpus.yaml:29 OME440
runtimes/vllm-two-gpus.yaml:32 OME801
runtimes/vllm-two-gpus.yaml:38 OME407
runtimes/vllm-two-gpus.yaml:42 OME411
services/chat.yaml:15 OME120
services/search.yaml:8 OME252
services/search.yaml:11 OME257
services/search.yaml:14 OME507
"""

Example = Callable[[str], Path]


def place(result: dict[str, Any]) -> str:
    where = result["locations"][0]["physicalLocation"]
    path = where["artifactLocation"]["uri"].removeprefix("broken/")
    return f"{path}:{where['region']['startLine']} {result['ruleId']}"


def test_every_fault_stands_at_its_line(omec: Omec, example: Example) -> None:
    outcome = omec("lint", example("broken"), "--format", "sarif")
    assert outcome.code == 1
    (run,) = json.loads(outcome.out)["runs"]
    assert [place(result) for result in run["results"]] == FINDINGS.split("\n")[1:-1]


def test_what_can_be_mended(omec: Omec, example: Example) -> None:
    folder = example("broken")
    before = {path: path.read_bytes() for path in folder.rglob("*.yaml")}
    outcome = omec("lint", "--fix", "--diff", folder)
    changed = [line for line in outcome.out.splitlines() if line.startswith(("-", "+"))]
    assert changed == [
        "--- broken/models/llama-3-2-3b-instruct.yaml",
        "+++ broken/models/llama-3-2-3b-instruct.yaml",
        "-  modelParameterSize: 3.21b",
        "+  modelParameterSize: 3.21B",
        "--- broken/runtimes/sglang-small.yaml",
        "+++ broken/runtimes/sglang-small.yaml",
        "-    max: 4b",
        "+    max: 4B",
    ]
    assert {path: path.read_bytes() for path in folder.rglob("*.yaml")} == before
    assert omec("lint", "--fix", folder, "--quiet").out.count("OME331") == 0
