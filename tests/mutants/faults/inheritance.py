"""What a child makes of its parent."""

from __future__ import annotations

from random import Random

from tests.mutants.fault import fault
from tests.mutants.place import Object, Place, runtimes


def _parent(place: Place) -> Object | None:
    name = (place.object["metadata"].get("annotations") or {}).get("ome.io/inherit-from")
    return next((r for r in place.all("ClusterServingRuntime") if r["metadata"]["name"] == name), None)


def _parents(place: Place) -> str:
    """Everything that the runtime inherits, as a text."""
    parent = _parent(place)
    return "" if parent is None else f"{parent['spec']}{_parents(Place(place.objects, parent, parent))}"


def _runner(place: Place, inherits: str = "") -> Object | None:
    """The runner of a child whose parents have ``inherits``."""
    runner: Object | None = (place.spec.get("engineConfig") or {}).get("runner")
    return runner if _parent(place) and inherits in _parents(place) else None


@fault("OME206", at=runtimes)
def profile_enabled(place: Place, rng: Random) -> bool | None:
    if "ome.io/runtime-profile" not in (place.object["metadata"].get("annotations") or {}):
        return False
    place.spec.pop("disabled")
    return None


@fault("OME207", at=runtimes)
def child_selected_automatically(place: Place, rng: Random) -> bool | None:
    if not place.is_child or not place.spec.get("supportedModelFormats"):
        return False
    place.spec["supportedModelFormats"][0]["autoSelect"] = True
    return None


@fault("OME210", "OME251", at=runtimes)
def child_as_disabled_as_its_parent(place: Place, rng: Random) -> bool | None:
    parent = _parent(place)
    if not parent or not parent["spec"].get("disabled"):
        return False
    return None if place.spec.pop("disabled", None) is not None else False


@fault("OME211", at=runtimes)
def child_requests_more_than_the_limit(place: Place, rng: Random) -> bool | None:
    runner = _runner(place, "'limits'")
    if runner is None:
        return False
    runner.setdefault("resources", {}).setdefault("requests", {})["memory"] = "640Gi"
    return None


@fault("OME212", at=runtimes)
def child_adds_a_handler(place: Place, rng: Random) -> bool | None:
    runner = _runner(place, "httpGet")
    if runner is None:
        return False
    probe = rng.choice(["startupProbe", "livenessProbe", "readinessProbe"])
    if probe not in _parents(place):
        return False
    runner[probe] = rng.choice([{"tcpSocket": {"port": 8080}}, {"exec": {"command": ["true"]}}])
    return None


@fault("OME213", at=runtimes)
def child_adds_a_source(place: Place, rng: Random) -> bool | None:
    runner = _runner(place)
    if runner is None:
        return False
    source = rng.choice([{"hostPath": {"path": "/dev/shm"}}, {"persistentVolumeClaim": {"claimName": "x"}}])
    place.spec["engineConfig"]["volumes"] = [{"name": "dshm", **source}]
    return None


@fault("OME214", at=runtimes)
def child_adds_a_value_source(place: Place, rng: Random) -> bool | None:
    runner = _runner(place, "NCCL_DEBUG")
    if runner is None:
        return False
    source = {"configMapKeyRef": {"name": "nccl", "key": "debug"}}
    runner.setdefault("env", []).append({"name": "NCCL_DEBUG", "valueFrom": source})
    return None


@fault("OME215", at=runtimes)
def child_removes_in_vain(place: Place, rng: Random) -> bool | None:
    runner = _runner(place)
    if runner is None:
        return False
    node, field, value = rng.choice(
        [
            (place.spec["engineConfig"], "nodeSelector", {}),
            (place.spec["engineConfig"], "tolerations", []),
            (place.spec["engineConfig"], "volumes", []),
            (runner, "volumeMounts", []),
        ]
    )
    if field not in _parents(place):
        return False
    node[field] = value
    return None


@fault("OME216", at=runtimes)
def child_drops_arguments(place: Place, rng: Random) -> bool | None:
    runner = _runner(place, "--tp-size=")
    if runner is None:
        return False
    runner["args"] = ["--max-running-requests=64"]
    return None


@fault("OME216", at=runtimes)
def child_drops_tolerations(place: Place, rng: Random) -> bool | None:
    if _runner(place) is None:
        return False
    place.spec["engineConfig"]["tolerations"] = [{"key": "team", "operator": "Exists"}]
    return None


@fault("OME217", at=runtimes)
def child_renames_the_runner(place: Place, rng: Random) -> bool | None:
    runner = _runner(place)
    if runner is None:
        return False
    runner["name"] = rng.choice(["server", "sglang", "kserve-container"])
    return None


@fault("OME220", at=runtimes)
def child_uses_what_its_parent_sets_behind_it(place: Place, rng: Random) -> bool | None:
    """Variables of a child stand before those that it inherits."""
    runner = _runner(place, "NCCL_DEBUG")
    if runner is None:
        return False
    runner.setdefault("env", []).append({"name": "LEVEL", "value": "x$(NCCL_DEBUG)"})
    return None


@fault("OME221", at=runtimes)
def child_adds_a_hook_handler(place: Place, rng: Random) -> bool | None:
    parent, runner = _parent(place), _runner(place)
    if parent is None or runner is None or "runner" not in (parent["spec"].get("engineConfig") or {}):
        return False
    parent["spec"]["engineConfig"]["runner"]["lifecycle"] = {"preStop": {"exec": {"command": ["sleep", "5"]}}}
    runner["lifecycle"] = {"preStop": {"httpGet": {"port": 8080}}}
    return None


@fault("OME219", at=runtimes)
def profile_without_children(place: Place, rng: Random) -> bool | None:
    if "ome.io/runtime-profile" not in (place.object["metadata"].get("annotations") or {}):
        return False
    place.objects[:] = [b for b in place.objects if b is place.object or b["kind"] == "ClusterBaseModel"]
    return None


@fault("OME223", at=runtimes)
def child_replaces_formats(place: Place, rng: Random) -> bool | None:
    parent = _parent(place)
    if parent is None or "supportedModelFormats" not in parent["spec"]:
        return False
    place.spec["supportedModelFormats"] = [{**parent["spec"]["supportedModelFormats"][0], "modelArchitecture": "X"}]
    return None


@fault("OME440", "OME441", at=runtimes)
def child_changes_the_gpus_alone(place: Place, rng: Random) -> bool | None:
    runner = _runner(place)
    if runner is None:
        return False
    runner["resources"] = {part: {"nvidia.com/gpu": rng.choice(["2", "8"])} for part in ("requests", "limits")}
    runner["resources"]["requests"] = dict(runner["resources"]["limits"])
    return None


@fault("OME407", at=runtimes)
def child_mounts_what_nobody_declares(place: Place, rng: Random) -> bool | None:
    runner = _runner(place)
    if runner is None:
        return False
    runner["volumeMounts"] = [{"name": "scratch", "mountPath": "/scratch"}]
    return None


@fault("OME224", at=runtimes)
def parent_in_both_scopes(place: Place, rng: Random) -> bool | None:
    parent = _parent(place)
    if parent is None or place.object["kind"] != "ServingRuntime":
        return False
    metadata = {**parent["metadata"], "namespace": place.object["metadata"]["namespace"]}
    place.objects.append({**parent, "kind": "ServingRuntime", "metadata": metadata})
    return None


@fault("OME209", at=runtimes)
def images_left_to_a_preset(place: Place, rng: Random) -> bool | None:
    if place.is_child or place.is_parent or "engineConfig" not in place.spec or "leader" in place.spec["engineConfig"]:
        return False
    place.object["metadata"].setdefault("annotations", {})["ome.io/engine"] = "sglang-pd"
    place.spec["engineConfig"]["runner"].pop("image", None)
    return None


@fault("OME208", at=runtimes)
def preset_unknown(place: Place, rng: Random) -> None:
    place.object["metadata"].setdefault("annotations", {})["ome.io/engine"] = rng.choice(
        ["vllm", "sglang", "sglang-dp"]
    )
