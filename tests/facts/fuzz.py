"""Fuzzing with atheris: ``pip install atheris; python -m tests.facts.fuzz TARGET -max_total_time=60``.

Whatever the bytes are, there must be facts or an :class:`OmecError`; every other exception is a bug. The seeds are
what the other tests read. docs/facts.md records the last run.
"""

from __future__ import annotations

import contextlib
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["omec"]):
    from omec.errors import OmecError
    from omec.facts import read_tree
    from omec.facts.directory import Directory
    from omec.facts.jsonscan import JsonError
    from omec.facts.lock import parse_lock
    from omec.facts.quantization import Quantization
    from omec.facts.remote.modelpack import facts_of_config
    from omec.facts.safetensors import count_header
    from omec.facts.tensors import TensorCounter

from tests.facts.models import LLAMA, encode, safetensors, write_model
from tests.facts.test_hostile import PIPELINE, QUANTIZED
from tests.facts.test_lock import TEXT

FOLDER = Path(tempfile.mkdtemp())


def config(data: bytes) -> None:
    write_model(FOLDER, {"config.json": data})
    with contextlib.suppress(OmecError):
        read_tree(Directory(FOLDER)).to_dict()


def pipeline(data: bytes) -> None:
    write_model(FOLDER, {"model_index.json": data})
    with contextlib.suppress(OmecError):
        read_tree(Directory(FOLDER)).to_dict()


def header(data: bytes) -> None:
    with contextlib.suppress(JsonError):
        count_header(data, TensorCounter(Quantization("nvfp4", ("lm_head", "model.*.mlp"))))


def index(data: bytes) -> None:
    write_model(FOLDER, {"config.json": LLAMA, "model.safetensors.index.json": data})
    with contextlib.suppress(OmecError):
        read_tree(Directory(FOLDER)).to_dict()


def lock(data: bytes) -> None:
    with contextlib.suppress(OmecError):
        parse_lock(data.decode("utf-8", "replace"))


def artifact(data: bytes) -> None:
    provider = atheris.FuzzedDataProvider(data)
    value = {
        provider.ConsumeUnicode(8): provider.ConsumeUnicode(8),
        "config": {
            "paramSize": provider.ConsumeUnicode(8),
            "capabilities": {"inputTypes": [provider.ConsumeUnicode(5)]},
        },
    }
    facts_of_config(value, "x").to_dict()


TARGETS: dict[str, tuple[Callable[[bytes], None], list[bytes]]] = {
    "config": (config, [encode(LLAMA), encode(QUANTIZED)]),
    "pipeline": (pipeline, [encode(PIPELINE)]),
    "header": (header, [safetensors({"a.weight": ("U8", [4, 8]), "a.weight_scale": ("F32", [8])})[8:]]),
    "index": (index, [encode({"weight_map": {"a": "m1.safetensors"}})]),
    "lock": (lock, [TEXT.encode()]),
    "artifact": (artifact, [b""]),
}


def main() -> None:
    target, seeds = TARGETS[sys.argv.pop(1)]
    corpus = Path(tempfile.mkdtemp())
    for number, seed in enumerate(seeds):
        (corpus / str(number)).write_bytes(seed)
    atheris.Setup([*sys.argv, str(corpus)], target)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
