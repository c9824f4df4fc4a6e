"""Judge of ``render/*.jsonl``: the objects of one InferenceService (RENDER.md says how they are compared)."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from omec.compile import rules
from omec.compile.cluster import Cluster
from omec.compile.companion_settings import companion_settings_of_config_map
from omec.compile.environment import Environment
from omec.compile.gather import gather
from omec.compile.operator import OperatorConfigError, operator_config_of_config_map
from omec.compile.problems import RenderError
from omec.compile.render import render
from omec.resolve.decide import Decider
from omec.resolve.inherit import ChainResolver
from omec.resolve.selection_rules import SHARDED
from tests.oracle.comparison import comparable
from tests.oracle.interface import Answer, Row, skip
from tests.oracle.objects import catalog_of, load_objects
from tests.oracle.pod_webhook import webhook_answers

KIND = "render"

NOT_RENDERED = (SHARDED,)
"""The rules by which omec refuses what it does not render."""

BUDGETS = '{"rawDeployment": {"maxUnavailable": 1}, "omeNative": {"maxUnavailable": 1}}'
"""What the cluster of the answers has beside the configuration of the rows."""

NOT_COMPARED = {"BackendTrafficPolicy"}
"""RENDER.md: the answers leave it out."""

Object = dict[str, Any]

HERE = Path(__file__).parent


def accepts(row: Row) -> bool:
    return "v13" in row and "objects" in row


def judge(row: Row, data: Path | None) -> dict[str, Answer]:
    if data is None and any("kind" not in ref for ref in row["objects"]):
        return {"error": skip("needs the corpus")}
    error, objects = _rendered(row, data or Path())
    if row["v13"] == "unknown":
        return {"error": skip("the answer of OME 1.3 is not known")}
    if error in (rule.code for rule in NOT_RENDERED):
        return {"error": skip(f"omec refuses it as not rendered yet ({error})")}
    expected = row["expected"] if row["v13"] == "same" else row["expectedV13"]
    answers = {"error": Answer(bool(expected.get("error")), bool(error))}
    templates = list(webhook_answers(row, expected, operator_settings(row.get("config") or {})))
    if templates:
        theirs, ours = ({name: pair[i] for name, *pair in templates} for i in range(2))
        answers["mutatedPodTemplate"] = Answer(theirs, ours)
    if expected.get("error") or error:
        return answers
    unordered = bool(expected.get("unstable")) or "env-order" in row.get("v13codes", ())
    for kind in sorted({obj["kind"] for obj in (*expected["objects"], *objects)} - NOT_COMPARED):
        answers[kind] = Answer(
            _by_name(kind, expected["objects"], unordered=unordered), _by_name(kind, objects, unordered=unordered)
        )
    return answers


def _rendered(row: Row, data: Path) -> tuple[str | None, list[Object]]:
    """What omec makes of the row: the code of the error that it ends in, or the objects."""
    catalog = catalog_of(load_objects(row["objects"], data, keep="last"))
    (service,) = catalog.of_kind("InferenceService")
    decision = Decider(catalog, ChainResolver(catalog)).service(service)
    if decision.error is not None:
        return decision.error, []
    try:
        config = {"podDisruptionBudget": BUDGETS} | operator_settings(row.get("config") or {})
        operator = operator_config_of_config_map(config)
        environment = Environment(companion_settings_of_config_map(config))
        cluster = Cluster(operator=operator, environment=environment, metadata=False, model_config=True)
        rendered = render(gather(decision, catalog, cluster))
        refusal = next((problem for problem in rendered.problems if problem.rule is rules.MODE_INVALID), None)
        return refusal and refusal.rule.code, list(rendered.objects)
    except OperatorConfigError as error:
        return error.message, []
    except RenderError as error:
        return error.problem.rule.code, []


def operator_settings(changes: dict[str, Any]) -> dict[str, str]:
    """The data of the operator's ConfigMap with the ``config`` of a row."""
    config = dict(_defaultoperator_settings())
    for key, value in changes.items():
        if value is None:
            config.pop(key, None)
        else:
            config[key] = value if isinstance(value, str) else json.dumps(value)
    return config


@cache
def _defaultoperator_settings() -> dict[str, str]:
    return json.loads((HERE / "data" / "config-default.json").read_text(encoding="utf-8"))


# --- Comparison --------------------------------------------------------------------------------------------------


def _by_name(kind: str, objects: list[Object], *, unordered: bool) -> dict[str, Any]:
    found = (obj for obj in objects if obj["kind"] == kind)
    return {obj["metadata"]["name"]: comparable(obj, unordered=unordered) for obj in found}
