"""What runtimes say they serve, and what models say they are."""

from __future__ import annotations

import copy
import re
from random import Random

from tests.mutants.fault import fault
from tests.mutants.place import Place, entries, models, runtimes, services

BAD_SIZES = ("4b", "4GB", "4 B", "4K", "3,2B", "4bn", "-4B", "four", "4Bi", "70b", "7m", "8 b")


def has_users(place: Place) -> bool:
    name = place.object["metadata"]["name"]
    return any((s["spec"].get("runtime") or {}).get("name") == name for s in place.all("InferenceService"))


@fault("OME331", at=runtimes)
def size_of_a_range_unreadable(place: Place, rng: Random) -> bool | None:
    sizes = place.spec.get("modelSizeRange")
    if not sizes:
        return False
    sizes[rng.choice(sorted(sizes))] = rng.choice(BAD_SIZES)
    return None


@fault("OME331", at=models)
def size_of_a_model_unreadable(place: Place, rng: Random) -> None:
    place.spec["modelParameterSize"] = rng.choice(BAD_SIZES)


@fault("OME332", at=runtimes)
def range_upside_down(place: Place, rng: Random) -> bool | None:
    sizes = place.spec.get("modelSizeRange")
    if not sizes or sizes.get("min") == sizes.get("max"):
        return False
    sizes["min"], sizes["max"] = sizes["max"], sizes["min"]
    return None


@fault("OME349", at=runtimes)
def range_with_one_bound(place: Place, rng: Random) -> bool | None:
    sizes = place.spec.get("modelSizeRange")
    if not sizes or len(sizes) < 2:
        return False
    del sizes[rng.choice(sorted(sizes))]
    return None


@fault("OME348", at=runtimes)
def name_of_another_size(place: Place, rng: Random) -> bool | None:
    if not place.spec.get("modelSizeRange") or re.search(r"\d+e\b", place.object["metadata"]["name"]):
        return False  # of a mixture of experts, the name gives the size of one
    place.spec["modelSizeRange"] = {"min": "1150B", "max": "1250B"}
    if not any(word[0].isdigit() and word[-1] in "bB" for word in place.object["metadata"]["name"].split("-") if word):
        return False
    return None


@fault("OME330", "OME345", at=entries)
def operator_that_limits_from_above(place: Place, rng: Random) -> bool | None:
    part = rng.choice([p for p in ("modelFormat", "modelFramework") if place.node[p].get("version")] or [""])
    if not part:
        return False
    place.node[part]["operator"] = rng.choice(["GreaterThan", "GreaterThanOrEqual"])
    return None


@fault("OME333", at=entries)
def version_of_an_entry_unreadable(place: Place, rng: Random) -> None:
    part = rng.choice(["modelFormat", "modelFramework"])
    place.node[part]["version"] = rng.choice(["*", "latest", ">=4.40", "~=4.40", "4.x", "any", "^4.36"])


@fault("OME333", at=models)
def version_of_a_model_unreadable(place: Place, rng: Random) -> None:
    part = rng.choice(["modelFormat", "modelFramework"])
    place.spec.setdefault(part, {"name": "safetensors" if part == "modelFormat" else "transformers"})
    place.spec[part]["version"] = rng.choice(["*", "latest", ">=4.40", "any"])


@fault("OME345", at=entries)
def order_of_versions_with_a_suffix(place: Place, rng: Random) -> None:
    place.node["modelFramework"].update(version="4.36.0.dev0", operator="GreaterThanOrEqual")


@fault("OME334", at=entries)
def weight_of_zero(place: Place, rng: Random) -> None:
    place.node[rng.choice(["modelFormat", "modelFramework"])]["weight"] = 0


@fault("OME335", at=entries)
def negative_score(place: Place, rng: Random) -> None:
    place.node["autoSelect"] = True
    place.node.setdefault("priority", 1)
    for part in ("modelFormat", "modelFramework"):
        place.node[part]["weight"] = rng.choice([-1, -5])


@fault("OME336", at=entries)
def entry_without_an_architecture(place: Place, rng: Random) -> bool | None:
    return None if place.node.pop("modelArchitecture", None) else False


@fault("OME337", at=entries)
def priorities_that_differ(place: Place, rng: Random) -> None:
    place.node.update(autoSelect=True, priority=1)
    other = {**copy.deepcopy(place.node), "priority": 2, "modelArchitecture": "OtherForCausalLM"}
    place.spec["supportedModelFormats"].append(other)


@fault("OME338", at=entries)
def automatic_by_another_entry(place: Place, rng: Random) -> bool | None:
    if place.spec.get("disabled") or place.is_child:
        return False
    place.node["autoSelect"] = False
    other = {**copy.deepcopy(place.node), "autoSelect": True, "modelArchitecture": "OtherForCausalLM"}
    place.spec["supportedModelFormats"].append(other)
    return None


@fault("OME347", "OME123", "OME126", at=entries)
def empty_name(place: Place, rng: Random) -> None:
    place.node[rng.choice(["modelFormat", "modelFramework"])]["name"] = ""


@fault("OME339", at=entries)
def automatic_but_disabled(place: Place, rng: Random) -> None:
    place.spec["disabled"] = True
    place.node["autoSelect"] = True


def _rival(place: Place, **spec: object) -> None:
    body = copy.deepcopy(place.object)
    body["metadata"]["name"] = f"rival-{place.object['metadata']['name']}"[:60]
    body["spec"].update(spec)
    place.objects.append(body)


def _is_automatic(place: Place) -> bool:
    return not place.spec.get("disabled") and not place.is_child and bool(place.spec.get("supportedModelFormats"))


@fault("OME340", at=runtimes)
def equal_rival(place: Place, rng: Random) -> bool | None:
    if not _is_automatic(place):
        return False
    place.spec["supportedModelFormats"] = place.spec["supportedModelFormats"][:1]
    place.spec["supportedModelFormats"][0]["autoSelect"] = True
    return _rival(place)


@fault("OME341", at=runtimes)
def rival_without_a_range(place: Place, rng: Random) -> bool | None:
    if not _is_automatic(place) or "modelSizeRange" not in place.spec:
        return False
    if any("modelSizeRange" not in other["spec"] for other in place.all("ClusterServingRuntime", "ServingRuntime")):
        return False
    place.spec["supportedModelFormats"] = place.spec["supportedModelFormats"][:1]
    place.spec["supportedModelFormats"][0]["autoSelect"] = True
    _rival(place)
    del place.objects[-1]["spec"]["modelSizeRange"]
    return None


@fault("OME342", at=runtimes)
def rival_of_a_higher_score(place: Place, rng: Random) -> bool | None:
    if not _is_automatic(place) or place.object["kind"] != "ClusterServingRuntime":
        return False
    place.spec["supportedModelFormats"] = place.spec["supportedModelFormats"][:1]
    entry = place.spec["supportedModelFormats"][0]
    entry["autoSelect"] = True
    _rival(place)
    place.objects[-1]["spec"]["supportedModelFormats"][0]["priority"] = entry.get("priority", 1) + 4
    return None


@fault("OME343", at=runtimes)
def nobody_gets_it(place: Place, rng: Random) -> bool | None:
    if place.is_child or place.is_parent or not place.spec.get("supportedModelFormats") or place.spec.get("disabled"):
        return False
    for entry in place.spec["supportedModelFormats"]:
        entry["autoSelect"] = False
    place.objects[:] = [body for body in place.objects if body.get("kind") not in ("InferenceService", "BenchmarkJob")]
    return None


def _fact(place: Place) -> tuple[dict[str, object], dict[str, object]] | None:
    """The first entry of a service's runtime, and its model, where both say everything."""
    runtime, model = place.runtime, place.model
    if not runtime or not model or not runtime["spec"].get("supportedModelFormats"):
        return None
    if not {"modelFormat", "modelFramework", "modelArchitecture", "modelParameterSize"} <= model["spec"].keys():
        return None
    runtime["spec"]["supportedModelFormats"] = runtime["spec"]["supportedModelFormats"][:1]
    return runtime["spec"]["supportedModelFormats"][0], model["spec"]


@fault("OME304", "OME301", at=services)
def architecture_of_another_model(place: Place, rng: Random) -> bool | None:
    known = _fact(place)
    if known is None:
        return False
    known[0]["modelArchitecture"] = "GptOssForCausalLM"
    return None


@fault("OME301", "OME303", "OME304", at=services)
def quantization_on_one_side(place: Place, rng: Random) -> bool | None:
    known = _fact(place)
    if known is None or "quantization" in known[0] or "quantization" in known[1]:
        return False
    known[rng.randrange(2)]["quantization"] = "fp8"
    return None


@fault("OME304", "OME301", at=services)
def size_outside_the_range(place: Place, rng: Random) -> bool | None:
    if _fact(place) is None or not place.runtime:
        return False
    place.runtime["spec"]["modelSizeRange"] = {"min": "900B", "max": "950B"}
    return None


@fault("OME304", "OME301", at=services)
def framework_version_of_another_model(place: Place, rng: Random) -> bool | None:
    known = _fact(place)
    if known is None:
        return False
    known[0]["modelFramework"] = {"name": "transformers", "version": "4.1.0"}
    return None


@fault("OME301", at=services)
def no_runtime_for_the_model(place: Place, rng: Random) -> bool | None:
    known = _fact(place)
    if known is None:
        return False
    del place.spec["runtime"]
    for runtime in place.all("ClusterServingRuntime", "ServingRuntime"):
        runtime["spec"]["disabled"] = True
    return None


@fault("OME344", at=services)
def chosen_by_the_alphabet(place: Place, rng: Random) -> bool | None:
    known = _fact(place)
    runtime = place.runtime
    if known is None or not runtime or runtime["spec"].get("disabled") or "annotations" in runtime["metadata"]:
        return False
    model = known[1]
    entry = {part: copy.deepcopy(model[part]) for part in ("modelFormat", "modelFramework", "modelArchitecture")}
    if "quantization" in model:
        entry["quantization"] = model["quantization"]
    runtime["spec"].pop("modelSizeRange", None)
    runtime["spec"]["supportedModelFormats"] = [{**entry, "autoSelect": True, "priority": 5}]
    _rival(Place(place.objects, runtime, runtime))
    del place.spec["runtime"]
    return None


@fault("OME346", at=entries)
def empty_fact(place: Place, rng: Random) -> None:
    place.node[rng.choice(["quantization", "modelArchitecture"])] = ""


@fault("OME304", "OME301", "OME303", at=services)
def named_runtime_of_another_format(place: Place, rng: Random) -> bool | None:
    known = _fact(place)
    if known is None:
        return False
    known[0]["modelFormat"] = {"name": "onnx", "version": "1.0.0"}
    return None
