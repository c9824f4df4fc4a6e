"""Names that lead nowhere, or to something that is disabled or of another kind."""

from __future__ import annotations

from random import Random

from tests.mutants.fault import fault
from tests.mutants.place import Place, objects, runtimes, services


def typo(name: str, rng: Random) -> str:
    at = rng.randrange(1, len(name))
    return rng.choice([name[:at] + name[at + 1 :], f"{name}-v2", name[:at] + "x" + name[at:]])


@fault("OME250", at=services)
def runtime_misspelt(place: Place, rng: Random) -> bool | None:
    if not place.runtime:
        return False
    place.spec["runtime"]["name"] = typo(place.spec["runtime"]["name"], rng)
    return None


@fault("OME250", at=services)
def runtime_deleted(place: Place, rng: Random) -> bool | None:
    if not place.runtime:
        return False
    place.objects.remove(place.runtime)
    return None


@fault("OME250", at=services)
def runtime_in_another_namespace(place: Place, rng: Random) -> bool | None:
    if not place.runtime or place.runtime["kind"] != "ServingRuntime":
        return False
    place.runtime["metadata"]["namespace"] = "other"
    return None


@fault("OME250", at=services)
def runtime_of_the_namespace_asked_for(place: Place, rng: Random) -> bool | None:
    if not place.runtime or place.runtime["kind"] != "ClusterServingRuntime":
        return False
    place.spec["runtime"]["kind"] = "ServingRuntime"
    return None


@fault("OME251", at=services)
def runtime_disabled(place: Place, rng: Random) -> bool | None:
    if not place.runtime:
        return False
    place.runtime["spec"]["disabled"] = True
    return None


@fault("OME252", at=services)
def model_misspelt(place: Place, rng: Random) -> bool | None:
    if not place.model:
        return False
    place.spec["model"]["name"] = typo(place.spec["model"]["name"], rng)
    return None


@fault("OME252", at=services)
def model_deleted(place: Place, rng: Random) -> bool | None:
    if not place.model:
        return False
    place.objects.remove(place.model)
    return None


@fault("OME253", at=services)
def model_disabled(place: Place, rng: Random) -> bool | None:
    if not place.model:
        return False
    place.model["spec"]["disabled"] = True
    return None


@fault("OME254", "OME390", at=services)
def model_of_another_kind(place: Place, rng: Random) -> bool | None:
    if not place.model:
        return False
    cluster = place.model["kind"] == "ClusterBaseModel"
    place.spec["model"]["kind"] = "BaseModel" if cluster else "ClusterBaseModel"
    return None


@fault("OME254", "OME390", at=services)
def kind_of_a_base_model_left_out(place: Place, rng: Random) -> bool | None:
    if not place.model or place.model["kind"] != "BaseModel":
        return False
    return None if place.spec["model"].pop("kind", None) else False


@fault("OME256", at=services)
def kind_unknown(place: Place, rng: Random) -> bool | None:
    fields = [name for name in ("model", "runtime") if isinstance(place.spec.get(name), dict)]
    if not fields:
        return False
    place.spec[rng.choice(fields)]["kind"] = rng.choice(["Model", "Runtime", "basemodel", "Deployment"])
    return None


@fault("OME255", at=services)
def neither_model_nor_runtime(place: Place, rng: Random) -> None:
    place.spec.pop("model", None)
    place.spec.pop("runtime", None)


@fault("OME259", at=services)
def runtime_in_both_scopes(place: Place, rng: Random) -> bool | None:
    if not place.runtime or place.runtime["kind"] != "ClusterServingRuntime" or "kind" in place.spec["runtime"]:
        return False
    metadata = {**place.runtime["metadata"], "namespace": place.object["metadata"]["namespace"]}
    place.objects.append({**place.runtime, "kind": "ServingRuntime", "metadata": metadata})
    return None


@fault("OME260", "OME270", at=services)
def model_in_both_scopes(place: Place, rng: Random) -> bool | None:
    if not place.model or place.model["kind"] != "ClusterBaseModel":
        return False
    metadata = {**place.model["metadata"], "namespace": place.object["metadata"]["namespace"]}
    place.objects.append({**place.model, "kind": "BaseModel", "metadata": metadata})
    return None


@fault("OME201", at=runtimes)
def parent_missing(place: Place, rng: Random) -> None:
    place.object["metadata"].setdefault("annotations", {})["ome.io/inherit-from"] = "sglang-bace"


@fault("OME201", at=runtimes)
def cluster_runtime_with_a_parent_in_a_namespace(place: Place, rng: Random) -> bool | None:
    if place.object["kind"] != "ClusterServingRuntime":
        return False
    body = {**place.object, "kind": "ServingRuntime", "metadata": {"name": "team-base", "namespace": "search"}}
    place.objects.append(body)
    place.object["metadata"].setdefault("annotations", {})["ome.io/inherit-from"] = "team-base"
    return None


@fault("OME202", at=runtimes)
def inherits_from_itself(place: Place, rng: Random) -> None:
    name = place.object["metadata"]["name"]
    place.object["metadata"].setdefault("annotations", {})["ome.io/inherit-from"] = name


@fault("OME202", at=runtimes)
def parent_inherits_from_child(place: Place, rng: Random) -> bool | None:
    if place.is_child or place.is_parent or place.object["kind"] != "ClusterServingRuntime":
        return False
    name = place.object["metadata"]["name"]
    metadata = {"name": f"{name}-base", "annotations": {"ome.io/inherit-from": name}}
    place.objects.append({**place.object, "metadata": metadata})
    place.object["metadata"].setdefault("annotations", {})["ome.io/inherit-from"] = f"{name}-base"
    return None


@fault("OME203", at=runtimes)
def chain_of_six(place: Place, rng: Random) -> bool | None:
    if place.is_child:
        return False
    names = [f"layer-{i}" for i in range(1, 6)]
    place.object["metadata"].setdefault("annotations", {})["ome.io/inherit-from"] = names[0]
    for name, parent in zip(names, [*names[1:], None], strict=True):
        annotations = {"ome.io/inherit-from": parent} if parent else {}
        spec = {"disabled": True, "engineConfig": {"dnsPolicy": "ClusterFirst"}}
        body = {"apiVersion": "ome.io/v1beta1", "kind": "ClusterServingRuntime", "spec": spec}
        place.objects.append({**body, "metadata": {"name": name, "annotations": annotations}})
    return None


@fault("OME205", at=objects("ClusterServingRuntime"))
def parent_defined_twice(place: Place, rng: Random) -> bool | None:
    if not place.is_parent:
        return False
    place.objects.append({**place.object})
    return None


@fault("OME257", "OME251", "OME250", at=services)
def runtime_of_a_broken_chain(place: Place, rng: Random) -> bool | None:
    if not place.runtime or "ome.io/inherit-from" in (place.runtime["metadata"].get("annotations") or {}):
        return False
    place.runtime["metadata"].setdefault("annotations", {})["ome.io/inherit-from"] = "sglang-bace"
    return None


@fault("OME258", at=services)
def runtime_or_model_defined_twice(place: Place, rng: Random) -> bool | None:
    known = [body for body in (place.runtime, place.model) if body]
    if not known:
        return False
    place.objects.append({**rng.choice(known)})
    return None


@fault("OME264", at=services)
def claim_in_another_namespace(place: Place, rng: Random) -> bool | None:
    if not place.model or place.model["kind"] != "ClusterBaseModel":
        return False
    place.model["spec"]["storage"] = {"storageUri": "pvc://other-team:weights/model"}
    return None


@fault("OME123", at=services)
def overlays_without_a_model(place: Place, rng: Random) -> bool | None:
    model = place.spec.get("model") or {}
    if "overlays" not in model or not place.runtime:
        return False
    del model["name"]
    return None


@fault("OME705", "OME127", at=services)
def overlay_twice_or_the_model_itself(place: Place, rng: Random) -> bool | None:
    model = place.spec.get("model") or {}
    if "overlays" not in model:
        return False
    model["overlays"].append(rng.choice([dict(model["overlays"][0]), {"name": model["name"]}]))
    return None


@fault("OME705", at=services)
def overlay_missing(place: Place, rng: Random) -> bool | None:
    model = place.spec.get("model") or {}
    if "overlays" not in model:
        return False
    model["overlays"][0]["name"] = "draft-2b"
    return None


@fault("OME706", at=services)
def overlay_disabled(place: Place, rng: Random) -> bool | None:
    model = place.spec.get("model") or {}
    if "overlays" not in model:
        return False
    overlay = place.one(("ClusterBaseModel",), model["overlays"][0])
    assert overlay
    overlay["spec"]["disabled"] = True
    return None


@fault("OME263", at=services)
def revision_without_a_stop_to_syncing(place: Place, rng: Random) -> bool | None:
    if not place.runtime:
        return False
    name = place.spec["runtime"]["name"]
    place.spec["runtime"]["revision"] = rng.choice([f"cr-{name}-0123abcd", "v2"])
    return None


@fault("OME977", at=services)
def pin_without_a_revision(place: Place, rng: Random) -> bool | None:
    if not place.runtime:
        return False
    place.spec["runtime"]["autoSync"] = False
    return None
