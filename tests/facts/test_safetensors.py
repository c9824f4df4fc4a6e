"""Headers and indexes: the vectors of reference 08 §5.1 and §5.3, and files that lie."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omec.facts.directory import Directory
from omec.facts.errors import FactsError
from omec.facts.jsonscan import JsonError
from omec.facts.quantization import Quantization
from omec.facts.safetensors import LONGEST_HEADER, NoWeightsError, count_folder, count_header
from omec.facts.tensors import TensorCounter
from omec.facts.tree import UnreadableError
from tests.facts.models import framed, safetensors, write_model

PLAIN = TensorCounter(None)
INDEX = "model.safetensors.index.json"

Tensors = dict[str, tuple[str, list[int]]]

MIXED: Tensors = {
    "model.layers.0.self_attn.k_proj.weight": ("F16", [4, 8]),
    "model.layers.30.mlp.gate_proj.weight": ("U8", [8, 8]),
    "model.layers.30.mlp.gate_proj.weight_scale": ("F32", [8]),
}


@pytest.mark.parametrize(
    ("tensors", "quantization", "count"),
    [
        (MIXED, None, 104),
        (MIXED, Quantization("NVFP4", ("self_attn",)), 160),
        (
            {"a.qweight": ("I32", [10, 16]), "a.scales": ("F16", [10]), "a.qzeros": ("I32", [2])},
            Quantization("INT4_GPTQ"),
            1280,
        ),
        (
            {
                "x.mlp.experts.gate_up_proj_blocks": ("U8", [4, 8]),
                "x.mlp.experts.gate_up_proj_scales": ("U8", [4]),
            },
            Quantization("mxfp4"),
            64,
        ),
        (
            {"model.layers.3.self_attn.q_proj.weight": ("BF16", [4, 4])},
            Quantization("mxfp4", ("model.layers.*.self_attn",)),
            16,
        ),
        ({"w.weight": ("F8_E4M3", [4, 4]), "w.weight_scale_inv": ("F32", [1])}, Quantization("fp8"), 16),
    ],
)
def test_quantized_counts(tensors: Tensors, quantization: Quantization | None, count: int) -> None:
    assert count_header(safetensors(tensors)[8:], TensorCounter(quantization)).parameters == count


@pytest.mark.parametrize(
    ("header", "count"),
    [
        ("{}", 0),
        ("null", 0),
        ('{"__metadata__":{"format":"pt"},"a":{"dtype":"F32","shape":[3,4]}}', 12),
        ('{"__metadata__":{"shape":[0]},"a":{"shape":[3]}}', 3),
        ('{"a":{"dtype":"F32","shape":[]}}', 0),
        ('{"a":{"dtype":"F32"},"b":{"shape":[2]},"c":null}', 2),
        ('{"a":{"shape":[2]},"a":{"shape":[5]}}', 5),
        ('{"a":{"shape":[0]},"a":{"shape":[5]}}', 5),
        ('{"a":{"shape":[2]},"a":null}', 0),
        ('{"a":{"SHAPE":[2],"data_offsets":[0]}}', 2),
        ('{"a":{"shape":[2],"data_offsets":[0,1,"x"]}}', 2),
        ('  {"a":{"shape":[2]}}   ', 2),
    ],
)
def test_headers(header: str, count: int) -> None:
    assert count_header(header.encode(), PLAIN).parameters == count


@pytest.mark.parametrize(
    "header",
    [
        "",
        "hello",
        "[]",
        '{"a":{"shape":[2]}} x',
        '{"a":{"shape":[0,4]}}',
        '{"a":{"shape":[-1]}}',
        '{"a":{"shape":[null,4]}}',
        '{"a":{"shape":[2.0,4]}}',
        '{"a":{"shape":["2",4]}}',
        '{"a":{"shape":{"b":1}}}',
        '{"a":{"shape":[9223372036854775807,2]}}',
        '{"a":{"shape":[9223372036854775807]},"b":{"shape":[1]}}',
        '{"a":{"shape":[2],"dtype":4}}',
        '{"a":{"shape":[2],"data_offsets":["0","8"]}}',
        '{"a":{"shape":[2],"data_offsets":[0,99999999999999999999]}}',
        '{"__metadata__":{"shape":"x"}}',
        '{"a":5}',
        '{"a":{"dtype":"F32","shape":[01],"data_offsets":[0,4]}}',
        '{"a":{"shape":[2],"x":NaN}}',
    ],
)
def test_headers_that_cannot_be_read(header: str) -> None:
    with pytest.raises(JsonError):
        count_header(header.encode(), PLAIN)


@given(
    st.dictionaries(
        st.text('abc._\n"é', min_size=1, max_size=8),
        st.tuples(st.sampled_from(["F32", "BF16", "F8_E4M3", "U8"]), st.lists(st.integers(1, 10**6), max_size=10)),
        max_size=8,
    ),
    st.sampled_from([(",", ":"), (", ", ": ")]),
    st.sampled_from([None, Quantization("nvfp4", ("a",))]),
)
def test_the_way_of_writing_does_not_matter(
    tensors: Tensors, separators: tuple[str, str], quantization: Quantization | None
) -> None:
    """The short way for headers of the usual form, and the long way for all others, count alike."""
    as_usual = {n: {"dtype": d, "shape": s, "data_offsets": [0, 4]} for n, (d, s) in tensors.items()}
    otherwise = {n: {"shape": s, "extra": [], "data_offsets": [0, 4], "dtype": d} for n, (d, s) in tensors.items()}
    counter = TensorCounter(quantization)
    outcomes = {outcome(json.dumps(header, separators=separators), counter) for header in (as_usual, otherwise)}
    assert len(outcomes) == 1


def outcome(header: str, counter: TensorCounter) -> int | str:
    try:
        return count_header(header.encode(), counter).parameters
    except JsonError:
        return "error"


def count(directory: Path) -> int:
    return count_folder(Directory(directory), "", PLAIN).parameters


A, B = safetensors({"a": ("F32", [10])}), safetensors({"b": ("F32", [100])})


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"a.safetensors": A, "b.safetensors": B}, 110),
        ({"model.safetensors": A, "consolidated.safetensors": B}, 110),
        ({".safetensors": A}, 10),
        ({"sub/a.safetensors": B, "a.safetensors": A}, 10),
        ({INDEX: {"weight_map": {"a": "m1.safetensors"}}, "m1.safetensors": A, "m2.safetensors": B}, 10),
        ({INDEX: {"weight_map": {"z": "m1", "y": "m1"}}, "m1": A}, 10),
        ({INDEX: {"WEIGHT_MAP": {"a": "sub/m1"}}, "sub/m1": A}, 10),
        ({INDEX: {"weight_map": {"a": "nowhere/../m1"}}, "m1": A}, 10),
        ({INDEX: {"weight_map": {"a": "/m1"}}, "m1": A}, 10),
        ({INDEX: {"weight_map": {"a": "m1", "b": "./m1"}}, "m1": A}, 20),
        ({INDEX: '{"weight_map": {"a": "m1"}, "weight_map": {"b": "m2"}}', "m1": A, "m2": B}, 110),
        ({INDEX: '{"weight_map": {"a": "m1"}, "weight_map": null, "weight_map": {"b": "m2"}}', "m2": B}, 100),
    ],
)
def test_folders(tmp_path: Path, files: dict[str, Any], expected: int) -> None:
    assert count(write_model(tmp_path, files)) == expected


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"a.safetensors": A, "b.safetensors": b""}, "b.safetensors: the file should have 8 bytes or more, but has 0"),
        (
            {"a.safetensors": framed(b"{}", 2**64 - 1)},
            "a.safetensors: the header claims 18446744073709551615 bytes, more than the 10.00 MB allowed",
        ),
        (
            {"a.safetensors": framed(b"{}", LONGEST_HEADER)},
            "a.safetensors: the file should have 10485768 bytes or more, but has 10",
        ),
        (
            {"a.safetensors": framed(b'{"a":{"shape":[2]}}', 10)},
            "a.safetensors: the header is corrupt: the file ends where",
        ),
        ({"a.safetensors/x": A}, "a.safetensors: is a directory"),
        ({INDEX: "{", "m1": A}, f"{INDEX}: the file ends where a key should stand"),
        ({INDEX: {}}, f"{INDEX}: weight_map is missing or empty"),
        ({INDEX: {"weight_map": {}}}, f"{INDEX}: weight_map is missing or empty"),
        ({INDEX: {"weight_map": []}}, f"{INDEX}: weight_map is a list, expected an object"),
        ({INDEX: {"weight_map": {"a": 1}}}, f"{INDEX}: weight_map of a is a number, expected a file name"),
        ({INDEX: {"weight_map": {"a": ""}}}, f"{INDEX}: weight_map holds an empty file name"),
        ({INDEX: {"weight_map": {"a": None}}}, f"{INDEX}: weight_map holds an empty file name"),
        ({INDEX: {"weight_map": {"a": "gone"}}}, "gone: no such file or directory"),
    ],
)
def test_folders_that_cannot_be_counted(tmp_path: Path, files: dict[str, Any], message: str) -> None:
    with pytest.raises(UnreadableError) as caught:
        count(write_model(tmp_path, files))
    assert str(caught.value).startswith(message)


def test_a_folder_without_weights(tmp_path: Path) -> None:
    with pytest.raises(NoWeightsError):
        count(tmp_path)


@pytest.mark.parametrize("shard", ["../outside.safetensors", "/../outside.safetensors", "a/../../outside", "x\0y"])
def test_an_index_cannot_name_files_outside(tmp_path: Path, shard: str) -> None:
    write_model(tmp_path, {"outside.safetensors": A, f"model/{INDEX}": {"weight_map": {"a": shard}}})
    with pytest.raises(FactsError, match="leads out of its directory"):
        count(tmp_path / "model")


def test_tiny_random_phi() -> None:
    """Two shards of 31 tensors, 46282 parameters each: ``92.56K``."""
    shard = safetensors({f"t{number}": ("F32", [46252 if number == 0 else 1]) for number in range(31)})
    assert count_header(shard[8:], PLAIN).parameters * 2 == 92564


def test_the_largest_header_takes_little_memory(tmp_path: Path) -> None:
    tensor = b'"model.layers.%d.weight":{"dtype":"BF16","shape":[2048,7168],"data_offsets":[29360128,58720256]},'
    content = b"".join(tensor % number for number in range(LONGEST_HEADER // len(tensor)))
    header = b"{" + content[: LONGEST_HEADER - 1].rpartition(b",")[0] + b"}"
    assert LONGEST_HEADER - 200 < len(header) <= LONGEST_HEADER
    assert_memory_below(150, tmp_path, header)


@pytest.mark.parametrize(
    "header",
    [
        b"{" + b",".join(b'"%x":{"shape":[2]}' % number for number in range(110_000)) + b"}",
        b'{"a":[' + b"[]," * 800_000 + b"1]}",
        b'{"a":"' + b"\\n" * 1_200_000 + b'"}',
        b'{"\\n' + b"x" * 2_500_000,
        b'{"a":{"shape":[' + b"999," * 600_000 + b"1]}}",
    ],
    ids=["short tensors", "lists", "escapes", "a long key", "a long shape"],
)
def test_a_hostile_header_of_a_quarter_takes_a_quarter(tmp_path: Path, header: bytes) -> None:
    assert len(header) < LONGEST_HEADER // 4
    assert_memory_below(15 + (150 - 15) // 4, tmp_path, header)


def assert_memory_below(megabytes: int, directory: Path, header: bytes) -> None:
    """Limits the peak memory, start-up included, of a process that reads a model with this ``header``."""
    if not Path("/proc/self/status").exists():
        pytest.skip("needs /proc to measure memory")
    script = """if True:
        import re, sys
        from omec.facts import read_facts
        read_facts(sys.argv[1])
        print(re.search("VmHWM:\\\\s*([0-9]+) kB", open("/proc/self/status").read())[1])
    """
    write_model(directory, {"config.json": {"model_type": "x"}, "a.safetensors": framed(header)})
    command = [sys.executable, "-c", script, str(directory)]
    run = subprocess.run(command, check=True, capture_output=True, text=True, timeout=120)
    assert int(run.stdout) < megabytes * 1024
