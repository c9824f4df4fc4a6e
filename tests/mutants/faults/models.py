"""Where models are stored, and what they say of themselves."""

from __future__ import annotations

import copy
import re
from random import Random

from tests.mutants.fault import fault
from tests.mutants.place import Place, models, storages


def _on_hub(place: Place) -> bool:
    return bool(place.node["storageUri"].startswith("hf://"))


@fault("OME150", at=storages)
def scheme_unknown(place: Place, rng: Random) -> None:
    place.node["storageUri"] = rng.choice(
        [
            "huggingface://Qwen/Qwen3-8B",
            "https://huggingface.co/Qwen/Qwen3-8B",
            "Qwen/Qwen3-8B",
            "hf:/Qwen/Qwen3-8B",
            "HF://Qwen/Qwen3-8B",
            "file:///models/x",
            "pvc:/weights/x",
            "hf//Qwen/Qwen3-8B",
        ]
    )


@fault("OME150", at=storages)
def uri_of_a_bad_shape(place: Place, rng: Random) -> None:
    place.node["storageUri"] = rng.choice(
        ["hf://", "pvc://", "pvc://weights", "oci://n/tenancy/models/x", "oci://bucket"]
    )


@fault("OME363", "OME150", at=storages)
def id_of_a_bad_shape(place: Place, rng: Random) -> None:
    place.node["storageUri"] = rng.choice(
        [
            "hf://https://huggingface.co/Qwen/Qwen3-8B",
            "hf://huggingface.co/Qwen/Qwen3-8B",
            "hf://Qwen/Qwen3-8B/",
            "hf://Qwen/Qwen3-8B@",
            "hf://Qwen/Qwen3-8B/tree/main",
            "hf://Qwen3-8B",
        ]
    )


@fault("OME364", at=storages)
def revision_left_out(place: Place, rng: Random) -> bool | None:
    if not _on_hub(place) or "@" not in place.node["storageUri"]:
        return False
    place.node["storageUri"] = place.node["storageUri"].partition("@")[0]
    return None


@fault("OME365", at=storages)
def nothing_downloads_from_there(place: Place, rng: Random) -> None:
    place.node["storageUri"] = rng.choice(
        ["s3://models/qwen3-8b", "gs://models/qwen3-8b", "az://account/models/qwen3-8b", "github://Qwen/Qwen3"]
    )


@fault("OME366", "OME703", at=storages)
def path_left_out(place: Place, rng: Random) -> bool | None:
    if place.node["storageUri"].startswith("pvc"):
        return False
    return None if place.node.pop("path", None) else False


@fault("OME367", at=storages)
def path_not_absolute(place: Place, rng: Random) -> bool | None:
    if "path" not in place.node:
        return False
    path = place.node["path"].strip("/")
    place.node["path"] = rng.choice([path, f"./{path}", f"/raid/../../{path}", f"~/{path}"])
    return None


@fault("OME368", at=models)
def path_of_another_model(place: Place, rng: Random) -> bool | None:
    if "path" not in place.spec["storage"]:
        return False
    other = copy.deepcopy(place.object)
    other["metadata"]["name"] = "another-model"
    other["spec"]["storage"]["storageUri"] = "hf://example/another-model@main"
    if rng.random() < 0.4:
        other["spec"]["storage"]["path"] += "/sub"
    place.objects.append(other)
    return None


@fault("OME369", at=storages)
def local_directory_elsewhere(place: Place, rng: Random) -> bool | None:
    if "path" not in place.node:
        return False
    place.node["storageUri"] = "local:///mnt/elsewhere/model"
    return None


@fault("OME371", at=storages)
def key_without_a_use(place: Place, rng: Random) -> None:
    uri = rng.choice(["local:///raid/models/x", "pvc://weights/x"])
    place.node.update(storageUri=uri if place.object["kind"] == "BaseModel" else "local:///raid/models/x", key="token")
    place.node.pop("path", None) if place.node["storageUri"].startswith("pvc") else place.node.update(
        path="/raid/models/x"
    )


@fault("OME372", at=storages)
def auth_unknown(place: Place, rng: Random) -> None:
    auth = rng.choice(["instance_principals", "apikey", "workload", "none", "token"])
    place.node.update(storageUri="oci://n/tenancy/b/models/o/x", path="/raid/models/x", parameters={"auth": auth})


@fault("OME151", at=storages)
def claim_with_or_without_a_namespace(place: Place, rng: Random) -> None:
    place.node.clear()
    cluster = place.object["kind"] == "ClusterBaseModel"
    place.node["storageUri"] = "pvc://weights/x" if cluster else "pvc://search:weights/x"


@fault("OME375", at=storages)
def nodes_excluded_by_not_in(place: Place, rng: Random) -> None:
    term = {"matchExpressions": [{"key": "gpu", "operator": "NotIn", "values": ["a10"]}]}
    place.node["nodeAffinity"] = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [term]}}


@fault("OME376", at=storages)
def nodes_preferred(place: Place, rng: Random) -> None:
    term = {"weight": 1, "preference": {"matchExpressions": [{"key": "gpu", "operator": "In", "values": ["h100"]}]}}
    place.node["nodeAffinity"] = {"preferredDuringSchedulingIgnoredDuringExecution": [term]}


@fault("OME373", at=models)
def name_with_a_dot(place: Place, rng: Random) -> bool | None:
    if place.spec["storage"]["storageUri"].startswith("pvc"):
        return False
    name = place.object["metadata"]["name"]
    place.object["metadata"]["name"] = f"{name}-v1.5"
    for service in place.all("InferenceService"):
        if (service["spec"].get("model") or {}).get("name") == name:
            service["spec"]["model"]["name"] = f"{name}-v1.5"
    return None


@fault("OME361", "OME302", "OME304", "OME301", at=models)
def vendor_model_without_metadata(place: Place, rng: Random) -> None:
    place.spec["storage"]["storageUri"] = "vendor://acme/models/x"
    place.spec.pop(rng.choice(["modelFormat", "modelFramework"]), None)


@fault("OME362", "OME305", "OME152", at=models)
def model_in_shards(place: Place, rng: Random) -> None:
    place.spec["distribution"] = "Sharded"


@fault("OME360", at=models)
def type_of_another_family(place: Place, rng: Random) -> bool | None:
    architecture = place.spec.get("modelArchitecture", "")
    if architecture.startswith("Llama"):
        place.spec["modelType"] = rng.choice(["deepseek_v3", "qwen2", "mixtral"])
    elif architecture.startswith(("Qwen", "Mixtral", "Deepseek")):
        place.spec["modelType"] = "llama"
    else:
        return False
    return None


@fault("OME360", at=models)
def size_far_from_the_name(place: Place, rng: Random) -> bool | None:
    name = place.object["metadata"]["name"]
    sizes = [word for word in name.split("-") if word[:-1].isdigit() and word[-1] == "b"]
    if len(sizes) != 1 or not 1 < int(sizes[0][:-1]) < 500 or re.search(r"fp8|awq|\d+e\b", name):
        return False
    place.spec["modelParameterSize"] = f"{int(sizes[0][:-1]) * 10}B"
    return None


@fault("OME800", "OME801", at=storages)
def token_among_the_parameters(place: Place, rng: Random) -> None:
    place.node.setdefault("parameters", {})["token"] = "hf_" + "aBcDeFgHiJkLmNoPqRsTuVwXyZ01234567"


@fault("OME710", at=storages)
def shared_where_nothing_is_shared(place: Place, rng: Random) -> None:
    place.node.update(storageUri="local:///raid/models/x", path="/raid/models/x", downloadPolicy="ReuseIfExists")


@fault("OME302", "OME304", at=models)
def no_format_and_no_reading(place: Place, rng: Random) -> bool | None:
    for part in ("modelFormat", "modelFramework"):
        place.spec.pop(part, None)
    place.object["metadata"].setdefault("annotations", {})["ome.oracle.com/skip-config-parsing"] = "true"
    name = place.object["metadata"]["name"]
    users = [s for s in place.all("InferenceService") if (s["spec"].get("model") or {}).get("name") == name]
    return None if users else False


@fault("OME374", at=models)
def vendor_that_is_no_label(place: Place, rng: Random) -> None:
    place.spec["vendor"] = rng.choice(["Meta AI", "meta/llama", "-meta", "x" * 64])
