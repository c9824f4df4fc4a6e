"""Services: components, replicas, autoscalers, disruption budgets, modes and rollouts."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.mutants import command_line
from tests.mutants.fault import fault
from tests.mutants.place import Object, Place, components, services


def _triggers(place: Place) -> list[Object]:
    keda = (place.node.get("autoscaler") or {}).get("keda") or {}
    triggers: list[Object] = keda.get("triggers") or []
    return triggers


def _is_native(place: Place) -> bool:
    return place.spec.get("deploymentMode") == "OMENative"


def _annotate(place: Place, key: str, value: str) -> None:
    place.object["metadata"].setdefault("annotations", {})[key] = value


@fault("OME501", at=services)
def no_engine(place: Place, rng: Random) -> bool | None:
    if "decoder" in place.spec or "rollout" in place.spec:
        return False
    return None if place.spec.pop("engine", None) is not None else False


@fault("OME506", at=services)
def decoder_without_engine(place: Place, rng: Random) -> bool | None:
    if not isinstance(place.spec.get("engine"), dict) or "leader" in place.spec["engine"]:
        return False
    place.spec["decoder"] = place.spec.pop("engine")
    return None


@fault("OME507", at=components)
def replicas_upside_down(place: Place, rng: Random) -> None:
    place.node.update(minReplicas=rng.choice([5, 8]), maxReplicas=rng.choice([1, 2]))


@fault("OME507", "OME126", at=components)
def negative_replicas(place: Place, rng: Random) -> None:
    place.node[rng.choice(["minReplicas", "maxReplicas"])] = -1


@fault("OME502", "OME507", at=components)
def minimum_above_the_maximum_of_the_runtime(place: Place, rng: Random) -> bool | None:
    configuration = place.runtime and place.runtime["spec"].get(f"{place.name}Config")
    if not configuration or _is_native(place) or "leader" in configuration:
        return False
    configuration["maxReplicas"] = 2
    place.node.pop("maxReplicas", None)
    place.node["minReplicas"] = 4
    return None


@fault("OME507", "OME503", at=components)
def scaled_to_zero_by_nobody(place: Place, rng: Random) -> bool | None:
    if (place.node.get("autoscaler") or {}).get("class") == "KEDA":
        return False
    place.node["minReplicas"] = 0
    return None


@fault("OME510", "OME123", at=components)
def autoscaler_that_is_none(place: Place, rng: Random) -> None:
    place.node["autoscaler"] = rng.choice(
        [
            {"class": "KEDA", "hpa": {"metrics": []}},
            {"class": "KEDA"},
            {"class": "HPA", "hpa": {"metrics": [{"type": "Resource"}]}},
            {"class": "HPA", "hpa": {"metrics": [{"type": "Pods", "resource": {"name": "cpu"}}]}},
        ]
    )


@fault("OME511", at=services)
def autoscaler_annotation_unknown(place: Place, rng: Random) -> bool | None:
    if any("autoscaler" in (place.spec.get(name) or {}) for name in ("engine", "decoder", "router")):
        return False
    _annotate(place, "ome.io/autoscalerClass", rng.choice(["HPA", "vpa", "keda-v2"]))
    return None


@fault("OME511", at=services)
def autoscaler_annotation_beside_a_block(place: Place, rng: Random) -> bool | None:
    if not any("autoscaler" in (place.spec.get(name) or {}) for name in ("engine", "decoder", "router")):
        return False
    _annotate(place, "ome.io/autoscalerClass", "hpa")
    return None


@fault("OME511", at=services)
def utilization_out_of_range(place: Place, rng: Random) -> None:
    _annotate(place, "ome.io/targetUtilizationPercentage", rng.choice(["0", "101", "80%", "high"]))


@fault("OME511", at=services)
def metric_unknown(place: Place, rng: Random) -> bool | None:
    if any("autoscaler" in (place.spec.get(name) or {}) for name in ("engine", "decoder", "router")):
        return False
    _annotate(place, "ome.io/autoscalerClass", "hpa")
    _annotate(place, "ome.io/metrics", rng.choice(["gpu", "concurrency", "CPU"]))
    return None


@fault("OME512", "OME126", "OME510", at=components)
def keda_without_triggers(place: Place, rng: Random) -> None:
    place.node["autoscaler"] = {"class": "KEDA", "keda": {"triggers": []}}


@fault("OME514", at=components)
def policy_missing(place: Place, rng: Random) -> bool | None:
    if _is_native(place):
        return False
    place.node.pop("autoscaler", None)
    place.node["autoscalerPolicyRef"] = {"name": "queue-depth"}
    return None


@fault("OME515", at=components)
def policy_of_the_cluster(place: Place, rng: Random) -> None:
    place.node.pop("autoscaler", None)
    place.node["autoscalerPolicyRef"] = {"name": "queue-depth", "kind": "ClusterAutoscalerPolicy"}


@fault("OME974", at=components)
def policy_beside_a_block(place: Place, rng: Random) -> bool | None:
    if "autoscaler" not in place.node or place.node["autoscaler"].get("class") == "None":
        return False
    place.node["autoscalerPolicyRef"] = {"name": "queue-depth"}
    return None


@fault("OME510", "OME518", at=components)
def idle_replicas_not_below_the_minimum(place: Place, rng: Random) -> bool | None:
    if not _triggers(place) or not place.node.get("minReplicas"):
        return False
    place.node["autoscaler"]["keda"]["idleReplicaCount"] = place.node["minReplicas"]
    return None


@fault("OME523", at=components)
def negative_time_for_keda(place: Place, rng: Random) -> bool | None:
    if not _triggers(place):
        return False
    place.node["autoscaler"]["keda"][rng.choice(["pollingInterval", "cooldownPeriod"])] = -1
    return None


@fault("OME519", at=components)
def native_to_zero(place: Place, rng: Random) -> bool | None:
    if not _is_native(place) or not _triggers(place):
        return False
    place.node["minReplicas"] = 0
    return None


@fault("OME548", at=components)
def nobody_left_to_measure(place: Place, rng: Random) -> bool | None:
    if not _triggers(place) or place.node.get("minReplicas") != 0:
        return False
    labels = f'namespace="{place.object["metadata"]["namespace"]}"'
    query = rng.choice(["vllm:num_requests_waiting", "sglang:num_queue_reqs", "vllm:num_requests_running"])
    _triggers(place)[0]["metadata"]["query"] = f"sum({query}{{{labels}}})"
    return None


@fault("OME549", at=components)
def query_of_another_service(place: Place, rng: Random) -> bool | None:
    if not _triggers(place):
        return False
    label, value = rng.choice([("namespace", "other"), ("inferenceservice", "other"), ("component", "predictor")])
    _triggers(place)[0]["metadata"]["query"] = f'sum(vllm:num_requests_waiting{{{label}="{value}"}})'
    return None


@fault("OME973", at=components)
def sum_as_a_plain_value(place: Place, rng: Random) -> bool | None:
    if not _triggers(place) or "sum(" not in _triggers(place)[0]["metadata"]["query"]:
        return False
    _triggers(place)[0]["metricType"] = "Value"
    return None


@fault("OME547", at=components)
def cpu_counted_and_not_requested(place: Place, rng: Random) -> bool | None:
    configuration = place.runtime and place.runtime["spec"].get(f"{place.name}Config")
    if not configuration or "runner" not in configuration or "annotations" in place.runtime["metadata"]:
        return False
    if (place.node.get("autoscaler") or {}).get("class") not in ("HPA",):
        return False
    for part in ("requests", "limits"):
        (configuration["runner"].get("resources", {}).get(part) or {}).pop("cpu", None)
    return None


@fault("OME978", at=components)
def maximum_left_out(place: Place, rng: Random) -> bool | None:
    if not place.runtime:
        return False
    configuration = place.runtime["spec"].get(f"{place.name}Config") or {}
    if "maxReplicas" in configuration or place.name == "router" or "autoscaler" in place.node:
        return False
    return None if place.node.pop("maxReplicas", None) else False


@fault("OME520", at=components)
def two_disruption_budgets(place: Place, rng: Random) -> None:
    place.node.update(minAvailable=1, maxUnavailable=1)


@fault("OME520", at=components)
def disruption_budget_unreadable(place: Place, rng: Random) -> None:
    for name in ("minAvailable", "maxUnavailable"):
        place.node.pop(name, None)
    place.node[rng.choice(["minAvailable", "maxUnavailable"])] = rng.choice(["150%", "one", -1, "50 %", "-10%"])


@fault("OME520", at=components)
def disruption_budgets_of_two_sources(place: Place, rng: Random) -> bool | None:
    configuration = place.runtime and place.runtime["spec"].get(f"{place.name}Config")
    if not configuration or "leader" in configuration:
        return False
    for name in ("minAvailable", "maxUnavailable"):
        place.node.pop(name, None)
    configuration["minAvailable"] = 1
    place.node["maxUnavailable"] = 1
    return None


@fault("OME521", at=components)
def disruption_budget_that_blocks(place: Place, rng: Random) -> bool | None:
    configuration = (place.runtime or {}).get("spec", {}).get(f"{place.name}Config")
    if not configuration or "leader" in configuration:
        return False
    for name in ("minAvailable", "maxUnavailable"):
        place.node.pop(name, None)
    place.node.update(rng.choice([{"minAvailable": "100%"}, {"maxUnavailable": 0}, {"maxUnavailable": "0%"}]))
    return None


@fault("OME504", "OME575", at=components)
def mode_misspelt(place: Place, rng: Random) -> None:
    mode = rng.choice(["Raw", "omenative", "Serverless", "OmeNative", "rawdeployment"])
    place.node.setdefault("annotations", {})["ome.io/deploymentMode"] = mode


@fault("OME976", at=services)
def mode_at_the_top(place: Place, rng: Random) -> bool | None:
    if "ome.io/deploymentMode" in (place.object["metadata"].get("annotations") or {}) or _is_native(place):
        return False
    _annotate(place, "ome.io/deploymentMode", rng.choice(["RawDeployment", "OMENative", "MultiNode"]))
    return None


@fault("OME572", at=components)
def leader_without_worker(place: Place, rng: Random) -> bool | None:
    if place.name == "router":
        return False
    keep, drop = rng.choice([("leader", "worker"), ("worker", "leader")])
    place.node[keep] = {}
    place.node.pop(drop, None)
    return None


@fault("OME572", "OME126", at=components)
def no_workers(place: Place, rng: Random) -> bool | None:
    if "worker" not in place.node:
        return False
    place.node["worker"] = {"size": rng.choice([0, -1])}
    return None


@fault("OME573", at=services)
def modes_that_differ(place: Place, rng: Random) -> bool | None:
    if "decoder" not in place.spec or not place.runtime:
        return False
    place.spec[rng.choice(["engine", "decoder"])].setdefault("annotations", {})["ome.io/deploymentMode"] = (
        "RawDeployment" if _is_native(place) else "OMENative"
    )
    return None


@fault("OME574", at=components)
def strategy_of_a_deployment(place: Place, rng: Random) -> bool | None:
    if not _is_native(place):
        return False
    place.node["deploymentStrategy"] = {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1}}
    return None


@fault("OME590", at=components)
def recreated_and_rolled(place: Place, rng: Random) -> bool | None:
    if _is_native(place) or "leader" in place.node:
        return False
    place.node["deploymentStrategy"] = {"type": "Recreate", "rollingUpdate": {"maxSurge": 1}}
    return None


@fault("OME590", "OME124", at=components)
def strategy_unknown(place: Place, rng: Random) -> bool | None:
    if _is_native(place) or "leader" in place.node or not place.runtime:
        return False
    configuration = place.runtime["spec"].get(f"{place.name}Config") or {}
    if "leader" in configuration:
        return False
    place.node["deploymentStrategy"] = {"type": rng.choice(["Rolling", "recreate", "BlueGreen"])}
    return None


@fault("OME584", "OME541", at=components)
def lifecycle_of_a_deployment(place: Place, rng: Random) -> bool | None:
    if _is_native(place) or "leader" in place.node or not place.runtime:
        return False
    if "leader" in (place.runtime["spec"].get(f"{place.name}Config") or {}):
        return False
    place.node["lifecycle"] = {"updateStrategy": {"type": "SurgeThenDrain"}}
    return None


@fault("OME568", "OME557", at=components)
def update_without_a_budget(place: Place, rng: Random) -> bool | None:
    if not _is_native(place):
        return False
    rolling = rng.choice([{"maxSurge": 0, "maxUnavailable": 0}, {"maxSurge": "0%", "maxUnavailable": 0}])
    place.node["lifecycle"] = {"updateStrategy": {"type": "SurgeThenDrain", "rollingUpdate": rolling}}
    return None


@fault("OME557", at=components)
def update_budget_unreadable(place: Place, rng: Random) -> bool | None:
    if not _is_native(place):
        return False
    rolling = {"maxSurge": rng.choice(["150%", "one", -1])}
    place.node["lifecycle"] = {"updateStrategy": {"type": "SurgeThenDrain", "rollingUpdate": rolling}}
    return None


@fault("OME569", at=components)
def update_that_stalls(place: Place, rng: Random) -> bool | None:
    if not _is_native(place):
        return False
    rolling = {"maxSurge": 0, "maxUnavailable": 1}
    place.node["lifecycle"] = {"updateStrategy": {"type": "SurgeThenDrain", "rollingUpdate": rolling}}
    return None


@fault("OME571", at=services)
def nobody_waits_for_workers(place: Place, rng: Random) -> bool | None:
    engine = place.spec.get("engine") or {}
    if "worker" not in engine:
        return False
    engine["lifecycle"] = {"readyPolicy": "None"}
    return None


@fault("OME556", at=services)
def ratio_of_anything(place: Place, rng: Random) -> bool | None:
    groups = (place.spec.get("rollout") or {}).get("groups")
    if not groups:
        return False
    groups[0]["maintainRatio"] = {"tolerance": rng.choice([60, 80, 100])}
    return None


@fault("OME557", at=services)
def rollout_of_deployments(place: Place, rng: Random) -> bool | None:
    if _is_native(place) or "engine" not in place.spec or "leader" in (place.spec["engine"] or {}):
        return False
    place.spec["rollout"] = {"groups": [{"components": ["engine"]}]}
    return None


@fault("OME557", at=services)
def component_in_two_groups(place: Place, rng: Random) -> bool | None:
    groups = (place.spec.get("rollout") or {}).get("groups")
    if not groups:
        return False
    groups.append({"components": [rng.choice(groups[0]["components"])]})
    return None


@fault("OME975", at=services)
def canary_without_a_minimum(place: Place, rng: Random) -> bool | None:
    groups = (place.spec.get("rollout") or {}).get("groups")
    if not groups:
        return False
    place.spec["rollout"] = {
        "groups": [{"components": ["engine"], "canary": {"steps": [{"capacity": 1, "traffic": 10}]}}]
    }
    del place.spec["engine"]["minReplicas"]
    return None


@fault("OME546", at=services)
def no_time_to_become_ready(place: Place, rng: Random) -> bool | None:
    if not _is_native(place):
        return False
    _annotate(place, "ome.io/rollout-ready-timeout", rng.choice(["30s", "5s"]))
    return None


@fault("OME525", "OME124", at=services)
def replicas_in_step(place: Place, rng: Random) -> None:
    place.spec["scalingPolicy"] = {"mode": rng.choice(["Coordinated", "Ratio"])}


@fault("OME505", "OME143", at=services)
def name_that_begins_with_a_digit(place: Place, rng: Random) -> None:
    place.object["metadata"]["name"] = f"{rng.randrange(1, 9)}-{place.object['metadata']['name']}"


@fault("OME984", "OME505", "OME143", at=services)
def name_too_long(place: Place, rng: Random) -> None:
    place.object["metadata"]["name"] = "a" * 58


@fault("OME983", at=services)
def service_called_like_a_component(place: Place, rng: Random) -> bool | None:
    if "engine" not in place.spec or not place.runtime:
        return False
    metadata = {**place.object["metadata"], "name": f"{place.object['metadata']['name']}-engine"}
    place.objects.append({**place.object, "metadata": metadata})
    return None


@fault("OME980", at=services)
def kubernetes_service_of_the_name(place: Place, rng: Random) -> bool | None:
    if "engine" not in place.spec or not place.runtime:
        return False
    name, namespace = place.object["metadata"]["name"], place.object["metadata"]["namespace"]
    metadata = {"name": rng.choice([name, f"{name}-engine"]), "namespace": namespace}
    place.objects.append(
        {"apiVersion": "v1", "kind": "Service", "metadata": metadata, "spec": {"ports": [{"port": 80}]}}
    )
    return None


@fault("OME218", at=services)
def arguments_that_replace_those_of_the_runtime(place: Place, rng: Random) -> bool | None:
    runtime = place.runtime
    runner: dict[str, Any] = ((runtime or {}).get("spec", {}).get("engineConfig") or {}).get("runner") or {}
    if len(runner.get("args") or ()) < 2 or not command_line.engine(runner) or "leader" in place.spec.get("engine", {}):
        return False
    if not isinstance(place.spec.get("engine"), dict):
        return False
    place.spec["engine"]["runner"] = {"name": runner["name"], "args": ["--max-running-requests=64"]}
    return None


@fault("OME217", at=services)
def runner_of_another_name(place: Place, rng: Random) -> bool | None:
    runner = ((place.runtime or {}).get("spec", {}).get("engineConfig") or {}).get("runner")
    if not runner or "image" not in runner or not isinstance(place.spec.get("engine"), dict):
        return False
    place.spec["engine"]["runner"] = {
        "name": rng.choice(["server", "vllm", "kserve-container"]),
        "image": runner["image"],
    }
    return None


@fault("OME215", at=services)
def nothing_where_the_runtime_has_something(place: Place, rng: Random) -> bool | None:
    engine = (place.runtime or {}).get("spec", {}).get("engineConfig") or {}
    if "tolerations" not in engine or not isinstance(place.spec.get("engine"), dict):
        return False
    place.spec["engine"]["tolerations"] = []
    return None
