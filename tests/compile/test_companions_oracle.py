"""Every known answer of OME that has a scaler, budget, Ingress or route, and every one that has none."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from omec.compile.cluster import Cluster
from omec.compile.companion_settings import companion_settings_of_config_map
from omec.compile.environment import Environment
from omec.compile.gather import gather
from omec.compile.operator import OperatorConfigError, operator_config_of_config_map
from omec.compile.problems import RenderError
from omec.resolve.decide import Decider
from omec.resolve.inherit import ChainResolver
from tests.compile.companion_cases import companions, comparable
from tests.oracle.interface import Row
from tests.oracle.objects import catalog_of, load_objects
from tests.oracle.render import operator_settings
from tests.oracle.run import LOCAL_DATA, read_rows

KINDS = ("HorizontalPodAutoscaler", "PodDisruptionBudget", "ScaledObject", "Ingress", "HTTPRoute")
BUDGETS = '{"rawDeployment": {"maxUnavailable": 1}, "omeNative": {"maxUnavailable": 1}}'
"""What the cluster has beside the configuration of the rows."""

LATER = "var/ingress/on-not-ready"
"""The only row that is about a service whose pods are not ready yet; OME writes the Ingress when they are."""
NOT_RENDERED = "var/ft/"
"""Fine-tuned weights add labels and annotations to every object of a component."""

Objects = dict[tuple[str, str], dict[str, Any]]


def made(row: Row, data: Path) -> Objects | str:
    """The objects of :data:`KINDS` by kind and name, or the error."""
    catalog = catalog_of(load_objects(row["objects"], data, keep="last"))
    (service,) = catalog.of_kind("InferenceService")
    decision = Decider(catalog, ChainResolver(catalog)).service(service)
    if decision.error is not None:
        return decision.error
    config = {"podDisruptionBudget": BUDGETS} | operator_settings(row.get("config") or {})
    try:
        operator = operator_config_of_config_map(config)
        environment = Environment(companion_settings_of_config_map(config))
        inputs = gather(decision, catalog, Cluster(operator=operator, metadata=False))
        return keyed(companions(inputs, environment).objects)
    except OperatorConfigError as error:
        return error.message
    except RenderError as error:
        return error.problem.message


def expected(row: Row) -> Objects | None:
    """The objects of the answer, ``None`` where it is an error."""
    answer = row["expected"] if row["v13"] == "same" else row["expectedV13"]
    return None if answer.get("error") else keyed(answer["objects"])


def keyed(objects: list[dict[str, Any]]) -> Objects:
    return {(body["kind"], body["metadata"]["name"]): comparable(body) for body in objects if body["kind"] in KINDS}


def known(rows: Iterator[Row]) -> list[Row]:
    return [
        row for row in rows if row["v13"] != "unknown" and row["id"] != LATER and not row["id"].startswith(NOT_RENDERED)
    ]


def disagreements(rows: list[Row], data: Path) -> list[str]:
    found = []
    for row in rows:
        ours, theirs = made(row, data), expected(row)
        if (None if isinstance(ours, str) else ours) != theirs:
            found.append(f"{row['id']}: expected {theirs}, got {ours}")
    return found


def test_variations() -> None:
    rows = known(read_rows(LOCAL_DATA / "variations.jsonl.gz"))
    assert len(rows) == 209
    assert disagreements(rows, Path()) == []


def test_every_kind_occurs() -> None:
    """Of ScaledObjects it is only known where OME makes none; ``ir-projection.jsonl`` has one."""
    answers = [expected(row) or {} for row in known(read_rows(LOCAL_DATA / "variations.jsonl.gz"))]
    assert {kind for answer in answers for kind, _ in answer} == set(KINDS) - {"ScaledObject"}


@pytest.mark.parametrize(("file", "count"), [("runtimes", 118), ("samples", 49)])
def test_corpus(file: str, count: int, testdata: Path) -> None:
    rows = known(read_rows(testdata / "oracle" / "render" / f"{file}.jsonl"))
    assert len(rows) == count
    assert disagreements(rows, testdata) == []


@pytest.mark.parametrize("file", ["variations", "runtimes", "samples"])
def test_unknown_answers_end_in_objects_or_an_error(file: str, testdata: Path) -> None:
    for row in read_rows(testdata / "oracle" / "render" / f"{file}.jsonl"):
        if row["v13"] == "unknown":
            assert made(row, testdata) == made(row, testdata)


def test_judge_sees_a_difference() -> None:
    row = next(row for row in known(read_rows(LOCAL_DATA / "variations.jsonl.gz")) if expected(row))
    answer = row["expected"] if row["v13"] == "same" else row["expectedV13"]
    scaler = next(body for body in answer["objects"] if body["kind"] == "HorizontalPodAutoscaler")
    scaler["spec"]["maxReplicas"] += 1
    assert len(disagreements([row], Path())) == 1
