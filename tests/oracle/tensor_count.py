"""Judge of ``tensor-count.jsonl``: what one tensor adds to the parameter count."""

from __future__ import annotations

from pathlib import Path

from omec.facts.quantization import Quantization
from omec.facts.tensors import Exclusion, TensorCounter, elements, is_calibration, packing_factor
from tests.oracle.interface import Answer, Row

KIND = "tensor-count"


def accepts(row: Row) -> bool:
    return {"name", "dtype", "shape", "algo", "exclude"} <= row.keys()


def judge(row: Row, data: Path | None) -> dict[str, Answer]:
    expected, name, dtype, algorithm = row["expected"], row["name"], row["dtype"], row["algo"]
    counter = TensorCounter(Quantization(algorithm, tuple(row["exclude"])))
    size = (elements(row["shape"]) if row["shape"] else 0) or 0
    return {
        "scale": Answer(expected["scale"], is_calibration(name)),
        "excluded": Answer(expected["excluded"], Exclusion(row["exclude"]).matches(name)),
        "factor": Answer(expected["factor"], packing_factor(algorithm, dtype)),
        "count": Answer(expected["count"], counter.count(name, dtype, size)),
    }
