"""Accelerator classes, what runtimes say of them, and how services choose one."""

from __future__ import annotations

from random import Random

from tests.mutants.fault import fault
from tests.mutants.place import Place, entries, objects, runtimes, services

classes = objects("AcceleratorClass")


def _selects(place: Place) -> bool:
    return "acceleratorSelector" in place.spec


@fault("OME602", at=services)
def class_misspelt(place: Place, rng: Random) -> bool | None:
    if not _selects(place):
        return False
    place.spec["acceleratorSelector"] = {"acceleratorClass": rng.choice(["nvidia-h10", "nvidia-h100s", "h100"])}
    return None


@fault("OME602", at=services)
def class_of_a_component_misspelt(place: Place, rng: Random) -> bool | None:
    if not _selects(place) or not isinstance(place.spec.get("engine"), dict):
        return False
    place.spec["engine"]["acceleratorOverride"] = {"acceleratorClass": "nvidia-h10"}
    return None


@fault("OME620", at=runtimes)
def runtime_lists_a_missing_class(place: Place, rng: Random) -> bool | None:
    """OME's webhook passes over disabled runtimes."""
    if place.spec.get("disabled"):
        return False
    listed = place.spec.setdefault("acceleratorRequirements", {}).setdefault("acceleratorClasses", [])
    listed.append(rng.choice(["nvidia-h10", "nvidia-b200"]))
    return None


@fault("OME603", at=services)
def runtime_lists_no_class(place: Place, rng: Random) -> bool | None:
    if not _selects(place) or not place.runtime or "acceleratorClass" not in place.spec["acceleratorSelector"]:
        return False
    place.runtime["spec"].pop("acceleratorRequirements", None)
    return None


@fault("OME605", at=services)
def best_fit_of_nothing(place: Place, rng: Random) -> bool | None:
    if not _selects(place):
        return False
    place.spec["acceleratorSelector"] = {"policy": "BestFit"}
    return None


@fault("OME604", at=services)
def policy_without_a_candidate(place: Place, rng: Random) -> bool | None:
    if "policy" not in place.spec.get("acceleratorSelector", {}):
        return False
    place.spec["acceleratorSelector"]["constraints"] = {"minMemory": rng.choice([200, 999])}
    return None


@fault("OME624", at=entries)
def settings_for_an_unknown_class(place: Place, rng: Random) -> bool | None:
    settings = place.node.get("acceleratorConfig")
    if not settings:
        return False
    settings["nvidia-l40"] = settings.pop(rng.choice(sorted(settings)))
    return None


@fault("OME621", at=classes)
def memory_in_the_wrong_unit(place: Place, rng: Random) -> None:
    place.spec["capabilities"]["memoryGB"] = rng.choice(["80", "80G", "80000000000"])


@fault("OME622", at=classes)
def capability_of_two_digits(place: Place, rng: Random) -> None:
    place.spec["capabilities"]["computeCapability"] = rng.choice(["10.0", "12.0"])


@fault("OME623", at=classes)
def class_without_a_quantity(place: Place, rng: Random) -> None:
    place.spec["resources"] = [{"name": "nvidia.com/gpu"}]


@fault("OME625", at=runtimes)
def requirement_that_nobody_reads(place: Place, rng: Random) -> None:
    place.spec.setdefault("acceleratorRequirements", {}).update(minMemory=80)


@fault("OME626", at=runtimes)
def override_in_a_runtime(place: Place, rng: Random) -> bool | None:
    if "engineConfig" not in place.spec:
        return False
    place.spec["engineConfig"]["acceleratorOverride"] = {"acceleratorClass": "nvidia-h100"}
    return None


@fault("OME627", at=classes)
def family_with_a_hyphen(place: Place, rng: Random) -> None:
    place.spec["family"] = "ada-lovelace"


@fault("OME611", at=runtimes)
def gpus_of_two_vendors(place: Place, rng: Random) -> bool | None:
    runner = (place.spec.get("engineConfig") or {}).get("runner") or {}
    limits = (runner.get("resources") or {}).get("limits") or {}
    if "nvidia.com/gpu" not in limits or not _has_service(place) or "acceleratorRequirements" not in place.spec:
        return False
    for amounts in runner["resources"].values():
        amounts["amd.com/gpu"] = "1"
    return None


def _has_service(place: Place) -> bool:
    name = place.object["metadata"]["name"]
    return any((s["spec"].get("runtime") or {}).get("name") == name for s in place.all("InferenceService"))


@fault("OME609", at=entries)
def parallelism_never_told(place: Place, rng: Random) -> bool | None:
    if "acceleratorConfig" not in place.node:
        return False
    args = place.spec["engineConfig"]["runner"]["args"]
    args[:] = [word for word in args if not word.startswith("--tp")]
    return None


@fault("OME608", at=services)
def class_without_a_name(place: Place, rng: Random) -> bool | None:
    if not _selects(place):
        return False
    place.spec["acceleratorSelector"] = {"acceleratorClass": ""}
    return None
