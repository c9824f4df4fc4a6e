"""Quotas and benchmarks."""

from __future__ import annotations

from random import Random

from tests.mutants.fault import fault
from tests.mutants.place import Object, Place, objects, services

quotas = objects("AcceleratorQuota")
benchmarks = objects("BenchmarkJob")


def _budget(place: Place) -> Object | None:
    budgets = place.spec.get("budgets")
    return budgets[0] if budgets else None


@fault("OME650", at=quotas)
def parent_quota_missing(place: Place, rng: Random) -> bool | None:
    if "parentRef" not in place.spec:
        return False
    place.spec["parentRef"]["name"] = rng.choice(["reserch", "ml"])
    return None


@fault("OME651", at=quotas)
def quotas_in_a_circle(place: Place, rng: Random) -> bool | None:
    if place.spec["role"] != "Cohort" or "parentRef" not in place.spec:
        return False
    place.spec["parentRef"]["name"] = place.object["metadata"]["name"]
    return None


@fault("OME655", at=quotas)
def more_than_the_group_has(place: Place, rng: Random) -> bool | None:
    budget = _budget(place)
    if budget is None or place.spec["role"] != "ClusterQueue":
        return False
    budget.update(nominal="64")
    return None


@fault("OME658", at=quotas)
def budget_out_of_range(place: Place, rng: Random) -> bool | None:
    budget = _budget(place)
    if budget is None or place.spec["role"] != "ClusterQueue":
        return False
    budget.update(rng.choice([{"nominal": "-1"}, {"lendingLimit": "99"}]))
    return None


@fault("OME659", at=quotas)
def root_that_is_a_queue(place: Place, rng: Random) -> bool | None:
    if "parentRef" in place.spec:
        return False
    place.spec["role"] = "ClusterQueue"
    return None


@fault("OME654", "OME131", "OME130", "OME132", at=quotas)
def group_with_the_fields_of_a_queue(place: Place, rng: Random) -> bool | None:
    if place.spec["role"] != "Cohort" or not _budget(place):
        return False
    place.spec["priorityTier"] = "high"
    return None


@fault("OME661", at=quotas)
def flavor_missing(place: Place, rng: Random) -> bool | None:
    budget = _budget(place)
    if budget is None or place.spec["role"] != "ClusterQueue":
        return False
    budget["resourceFlavor"] = "h200"
    return None


@fault("OME662", at=services)
def queue_missing(place: Place, rng: Random) -> bool | None:
    labels = place.object["metadata"].get("labels") or {}
    if "kueue.x-k8s.io/queue-name" not in labels:
        return False
    labels["kueue.x-k8s.io/queue-name"] = rng.choice(["team-serch", "research"])
    return None


@fault("OME663", "OME662", at=services)
def namespace_without_a_queue(place: Place, rng: Random) -> bool | None:
    if "kueue.x-k8s.io/queue-name" not in (place.object["metadata"].get("labels") or {}):
        return False
    place.object["metadata"]["namespace"] = "vision"
    return None


@fault("OME591", at=benchmarks)
def scenario_unreadable(place: Place, rng: Random) -> None:
    place.spec["trafficScenarios"] = [rng.choice(["D(100)", "X(1,2)", "N(480,240)/(300)", "D(a,b)"])]


@fault("OME592", "OME591", at=benchmarks)
def benchmark_of_a_missing_service(place: Place, rng: Random) -> bool | None:
    if "inferenceService" not in place.spec["endpoint"]:
        return False
    place.spec["endpoint"]["inferenceService"]["name"] += "-v2"
    return None


@fault("OME596", "OME591", "OME150", at=benchmarks)
def results_where_nobody_writes(place: Place, rng: Random) -> None:
    uri = rng.choice(["hf://org/x", "file:///tmp/x", "https://example.com/x"])
    place.spec["outputLocation"] = {"storageUri": uri}


@fault("OME597", at=benchmarks)
def results_on_a_missing_claim(place: Place, rng: Random) -> None:
    place.spec["outputLocation"] = {"storageUri": "pvc://resluts/embed"}


@fault("OME599", "OME591", "OME126", at=benchmarks)
def nothing_to_do(place: Place, rng: Random) -> None:
    place.spec.update(
        rng.choice([{"numConcurrency": [0]}, {"maxTimePerIteration": 0}, {"maxRequestsPerIteration": -1}])
    )
