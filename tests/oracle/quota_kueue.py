"""Judge of ``quota-kueue.jsonl``: AcceleratorQuota trees, what the quota manager says of them, and their Kueue objects.

What only the API server says of a node's objects (``{api error}``) is compared by what stands before it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from omec.api.checks import CHECKS
from omec.api.structure import structural_findings
from omec.compile.kueue.objects import QueueObject, queue_objects
from omec.compile.kueue.refusals import queue_refusals, schema_refusal
from omec.compile.kueue.written import WrittenObject, conflict_text, conflicts, swept
from omec.finding import Severity
from omec.repo.document import Document
from omec.resolve.quota import hardware
from omec.resolve.quota.admission import refusal_of_deletion, refusal_of_write
from omec.resolve.quota.amount import Amount, amount_of
from omec.resolve.quota.judgement import DEFAULT_MAX_DEPTH, Judgement
from omec.resolve.quota.judgement import judge as judge_tree
from omec.resolve.quota.materialisation import (
    CHART_COVER,
    Materialisation,
    MaterialisationError,
    cover_of,
    cover_of_flag,
    listed,
)
from omec.resolve.quota.node import Pair, QuotaNode
from omec.resolve.quota.projection import projections
from omec.resolve.quota.queue_label import keeps_queue_label
from omec.resolve.quota.settings import OME_MANAGER
from omec.resolve.quota.shares import Fleet, split_fleet
from tests.oracle.interface import Answer, Row

KIND = "quota-kueue"

_CONDITIONS_NOT_RUN = ("some validation rules were not checked", "strict decoding error")

Data = dict[str, Any]


def accepts(row: Row) -> bool:
    return row.get("kind") in _JUDGES and isinstance(row.get("input"), dict)


def judge(row: Row, data: Path | None) -> dict[str, Answer]:
    return _JUDGES[row["kind"]](row["input"], row["expected"])


def _tree(given: Data, expected: Data) -> dict[str, Answer]:
    judgement = judge_tree(_nodes(given), max_depth=given.get("maxDepth", DEFAULT_MAX_DEPTH), marks=_marks(given))
    violations = [
        {"node": found.node, "reason": str(found.reason), "message": found.message}
        | ({"subject": found.subject} if found.subject else {})
        for found in judgement.violations
    ]
    status = {name: _status(judgement, name) for name in judgement.tree.nodes}
    answers = {
        "violations": Answer(expected["violations"], violations),
        "rootFound": Answer(expected["rootFound"], judgement.tree.root is not None),
        "status": Answer({name: _tree_status(node) for name, node in expected["status"].items()}, status),
    }
    return {**answers, **_materialised(given, expected, judgement)}


def _materialised(given: Data, expected: Data, judgement: Judgement) -> dict[str, Answer]:
    manager = given.get("fieldManager", OME_MANAGER)
    cover = cover_of(given.get("coverResources", CHART_COVER))
    settings = Materialisation(manager, cover, tuple(given["enrolledNamespaces"]))
    written = [
        WrittenObject(item["kind"], item["name"], item.get("namespace"), item.get("labels", {}))
        for item in given.get("existing", [])
    ]
    flavors = given.get("flavors", [])
    objects = queue_objects(judgement, settings, flavors)
    clashes = conflicts(objects, written, manager)
    clashing = [wanted for wanted, _ in clashes]
    queues = [item for item in objects if item.body["kind"] == "ClusterQueue" and item not in clashing]
    refused = {item.node: texts for item in queues if (texts := [found.message for found in queue_refusals(item.body)])}
    rejected = {f"ClusterQueue {item.node}": text for item in queues if (text := schema_refusal(item.body))}
    doomed = swept(written, judgement.tree.nodes, manager) if settings.enabled else []
    problems = _problems(
        judgement, objects, clashes, {*refused, *(name.split()[1] for name in rejected)}, flavors, manager
    )
    return {
        "objects": Answer(expected.get("objects", []), [item.body for item in objects if item not in clashing]),
        "retained": Answer(expected.get("retained", []), list(judgement.frozen) if settings.enabled else []),
        "deleted": Answer(expected.get("deleted", []), [str(item) for item in doomed]),
        "kueueRejects": Answer(expected.get("kueueRejects", {}), refused),
        "apiServerRejects": Answer(expected.get("apiServerRejects", {}), rejected),
        "problems": Answer(_expected_problems(expected), problems if settings.enabled else {}),
    }


def _problems(
    judgement: Judgement,
    objects: list[QueueObject],
    clashes: list[tuple[QueueObject, WrittenObject]],
    refused: set[str],
    flavors: list[str],
    manager: str,
) -> dict[str, list[str]]:
    """The first problem of each written node: missing flavors, then its objects in writing order."""
    found: dict[str, list[str]] = {}
    for leaf in judgement.tree.leaves:
        missing = leaf.without_flavor(flavors) if leaf.name not in judgement.frozen else []
        if missing:
            names = " ".join(budget.pair.flavor for budget in missing)
            text = f"no ResourceFlavor named [{names}] on this cluster; those budgets are not materialized"
            found[leaf.name] = ["FlavorMissing", text]
    written = {id(wanted): item for wanted, item in clashes}
    for item in objects:
        if id(item) in written:
            found.setdefault(item.node, ["ObjectConflict", conflict_text(written[id(item)], manager)])
        elif item.body["kind"] == "ClusterQueue" and item.node in refused:
            found.setdefault(item.node, ["MaterializationFailed", f"cannot apply ClusterQueue {item.node}"])
    return found


def _expected_problems(expected: Data) -> dict[str, list[str]]:
    problems = {}
    for name, node in expected["status"].items():
        for condition in node["conditions"]:
            if condition["type"] == "Materialized" and condition["reason"] not in ("Admitted", "Frozen"):
                problems[name] = [condition["reason"], condition["message"].removesuffix(": {api error}")]
    return problems


def _status(judgement: Judgement, name: str) -> Data:
    depth, parent = judgement.tree.depth(name), judgement.tree.parent(name)
    conditions = [
        {"type": found.type, "status": str(found.status), "reason": str(found.reason), "message": found.message}
        for found in judgement.conditions(name)
    ]
    status: Data = {"depth": -1 if depth is None else depth, "conditions": conditions}
    return status | ({"parent": parent.name} if parent is not None else {})


def _tree_status(node: Data) -> Data:
    conditions = [condition for condition in node["conditions"] if condition["type"] != "Materialized"]
    return {**node, "conditions": conditions}


def _admission(given: Data, expected: Data) -> dict[str, Answer]:
    live, depth = _nodes(given), given.get("maxDepth", DEFAULT_MAX_DEPTH)
    if given["operation"] == "DELETE":
        message = refusal_of_deletion(live, given["name"], max_depth=depth)
    else:
        message = refusal_of_write(live, QuotaNode.of(given["object"]), max_depth=depth)
    actual: Data = {"allowed": True} if message is None else {"allowed": False, "message": message}
    return {"admission": Answer(expected, actual)}


def _schema(given: Data, expected: Data) -> dict[str, Answer]:
    """The verdict, and of the message the conditions of the CRD; the texts of plain schema errors are omec's own."""
    findings = structural_findings("AcceleratorQuota", Document("oracle.yaml", 0, given["object"]))
    errors = [finding.message for finding in findings if finding.severity is Severity.ERROR]
    answers = {"accepted": Answer(expected["accepted"], not errors)}
    message = expected.get("message", "")
    if not any(words in message for words in _CONDITIONS_NOT_RUN):
        texts = sorted(check.message for check in CHECKS.values())
        told = [text for text in texts if any(error.endswith(text) for error in errors)]
        answers["conditions"] = Answer([text for text in texts if text in message], told)
    return answers


def _fleet(given: Data, expected: Data) -> dict[str, Answer]:
    judgement = judge_tree(_nodes(given))
    split = split_fleet(judgement.tree, _members(given["fleet"]), given["defaultPolicy"])
    allowances: dict[str, list[Data]] = {}
    for leaf, clusters in split.shares.items():
        for cluster, shares in clusters.items():
            allowances.setdefault(cluster, []).extend(
                {"node": leaf, "resourceName": pair.resource, "resourceFlavor": pair.flavor, "nominal": share.text}
                for pair, share in sorted(shares.items())
            )
    return {
        "allowances": Answer(expected["allowances"], allowances),
        "unresolved": Answer(expected["unresolved"], {name: str(error) for name, error in split.unresolved.items()}),
        "projections": Answer(expected["projections"], projections(judgement, split, origin=given["origin"])),
    }


def _members(fleet: Data) -> Fleet:
    allocatable: dict[Pair, dict[str, Amount]] = {}
    high_water: dict[Pair, dict[str, Amount]] = {}
    for entry in fleet["capacity"]:
        allocatable.setdefault(_pair(entry), {})[entry["cluster"]] = amount_of(entry["allocatable"])
        high_water.setdefault(_pair(entry), {})[entry["cluster"]] = amount_of(entry["highWaterMark"])
    silent = set(fleet["registered"]) - set(fleet["reported"])
    return Fleet(tuple(sorted(silent)), allocatable, high_water)


def _measure(given: Data, expected: Data) -> dict[str, Answer]:
    flavors = [hardware.Flavor(item["name"], item.get("nodeLabels", {})) for item in given["resourceFlavors"]]
    survey = hardware.survey(map(hardware.Node.of, given["nodes"]), flavors, given["resources"])
    previous = {
        _pair(entry): hardware.Mark(amount_of(entry["allocatable"]), amount_of(entry["highWaterMark"]))
        for entry in reversed(given.get("previous", []))
    }
    shown = [Pair(resource, flavor.name) for resource in given["resources"] for flavor in flavors]
    marks = hardware.marks(survey, previous, shown, band=given["hysteresisPercent"])
    observed = [
        _entry(pair, allocatable=found.allocatable.text, unavailable=found.unavailable.text)
        | {"nodes": found.nodes, "unavailableNodes": found.unavailable_nodes}
        for pair, found in survey.installed.items()
    ]
    lost = [
        {"node": item.node, "resourceName": item.resource, "quantity": item.quantity.text, "reason": item.reason}
        for item in survey.unattributed
    ]
    capacity = [
        _entry(pair, allocatable=mark.allocatable.text, highWaterMark=mark.high_water.text)
        for pair, mark in marks.items()
    ]
    return {
        "observed": Answer(expected["observed"], observed),
        "unattributed": Answer(expected.get("unattributed", []), lost),
        "capacity": Answer(expected["capacity"], capacity),
    }


def _gate(given: Data, expected: Data) -> dict[str, Answer]:
    keeps = keeps_queue_label(given["podSpec"], given.get("workerPodSpec", {}), resources=given["resources"])
    return {"keepsQueueLabel": Answer(expected["keepsQueueLabel"], keeps)}


def _options(given: Data, expected: Data) -> dict[str, Answer]:
    try:
        cover = cover_of_flag(given["coverFlag"])
        settings = Materialisation(given["fieldManager"], cover, tuple(listed(given["namespacesFlag"])))
        settings.check()
    except MaterialisationError as error:
        return {"options": Answer(_known(expected), _known({"error": str(error)}))}
    return {"options": Answer(expected, {"enabled": settings.enabled})}


def _known(answer: Data) -> Data:
    """The answer up to the texts of the Kubernetes library."""
    text = answer.get("error", "")
    for words in ("is not a valid namespace name: ", 'invalid --cover-resources: cover resource "'):
        before, found, after = text.partition(words)
        if found:
            return {"error": before + found + (after.partition('"')[0] if found.endswith('"') else "")}
    return answer


def _nodes(given: Data) -> list[QuotaNode]:
    return [QuotaNode.of(manifest) for manifest in given["quotas"]]


def _marks(given: Data) -> dict[Pair, Amount]:
    return {_pair(entry): amount_of(entry["highWaterMark"]) for entry in given.get("capacity", [])}


def _pair(entry: Data) -> Pair:
    return Pair(entry["resourceName"], entry["resourceFlavor"])


def _entry(pair: Pair, **amounts: str) -> Data:
    return {"resourceName": pair.resource, "resourceFlavor": pair.flavor, **amounts}


_JUDGES: dict[str, Callable[[Data, Data], dict[str, Answer]]] = {
    "tree": _tree,
    "admission": _admission,
    "schema": _schema,
    "fleet": _fleet,
    "measure": _measure,
    "gate": _gate,
    "options": _options,
}
