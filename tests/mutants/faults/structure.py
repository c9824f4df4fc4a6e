"""Keys that are misspelt or stand at the wrong depth, values of a wrong type, required fields left out."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from tests.mutants.fault import fault
from tests.mutants.place import Object, Place, everything, objects, probes, runners, runtimes, services

OPEN = {
    "labels",
    "annotations",
    "nodeSelector",
    "requests",
    "limits",
    "parameters",
    "metadata",
    "additionalRequestParams",
    "acceleratorConfig",
    "environmentOverride",
    "matchLabels",
    "capabilities",
}
"""Mappings whose keys are free, or that another test breaks."""


def _mappings(node: Any) -> Iterator[Object]:
    """Every mapping inside ``node`` whose keys are those of a schema."""
    if isinstance(node, dict):
        if node:
            yield node
        for key, value in node.items():
            if key not in OPEN:
                yield from _mappings(value)
    elif isinstance(node, list):
        for item in node:
            yield from _mappings(item)


def fields(found: list[Object]) -> Iterator[Place]:
    """Every key of the specs of ome.io objects: the node is the mapping, the name the key."""
    for place in everything(found):
        for mapping in _mappings(place.object.get("spec")):
            for key in mapping:
                yield Place(found, place.object, mapping, key)


def _renamed(mapping: Object, old: str, new: str) -> None:
    items = [(new if key == old else key, value) for key, value in mapping.items()]
    mapping.clear()
    mapping.update(items)


@fault("OME120", at=fields)
def key_lacks_a_letter(place: Place, rng: Random) -> bool | None:
    at = rng.randrange(1, len(place.name)) if len(place.name) > 2 else 0
    new = place.name[:at] + place.name[at + 1 :]
    if not at or new in place.node:
        return False
    return _renamed(place.node, place.name, new)


@fault("OME120", at=fields)
def key_has_letters_swapped(place: Place, rng: Random) -> bool | None:
    name = place.name
    swaps = [i for i in range(len(name) - 1) if name[i] != name[i + 1]]
    if len(name) < 4 or not swaps:
        return False
    at = rng.choice(swaps)
    return _renamed(place.node, name, name[:at] + name[at + 1] + name[at] + name[at + 2 :])


@fault("OME120", at=fields)
def key_in_snake_case(place: Place, rng: Random) -> bool | None:
    snake = "".join(f"_{c.lower()}" if c.isupper() else c for c in place.name)
    return False if snake == place.name else _renamed(place.node, place.name, snake)


@fault("OME120", at=fields)
def key_in_lower_case(place: Place, rng: Random) -> bool | None:
    return False if place.name.islower() else _renamed(place.node, place.name, place.name.lower())


@fault("OME120", at=fields)
def key_in_the_plural(place: Place, rng: Random) -> bool | None:
    if place.name.endswith("s") or f"{place.name}s" in place.node or place.name in ("env", "memory"):
        return False
    return _renamed(place.node, place.name, f"{place.name}s")


@fault("OME120", at=runners)
def runner_field_beside_the_runner(place: Place, rng: Random) -> bool | None:
    """One level too far to the left: the field becomes one of the component."""
    names = [n for n in ("image", "args", "command", "ports", "resources", "readinessProbe") if n in place.node]
    name = rng.choice(names)
    part = next(node for node in _mappings(place.spec) if node.get("runner") is place.node)
    if name in part:
        return False
    part[name] = place.node.pop(name)
    return None


@fault("OME120", at=runners)
def volumes_inside_the_runner(place: Place, rng: Random) -> bool | None:
    """One level too far to the right."""
    part = next(node for node in _mappings(place.spec) if node.get("runner") is place.node)
    if "volumes" not in part:
        return False
    place.node["volumes"] = part.pop("volumes")
    return None


@fault("OME120", at=services)
def replicas_beside_the_engine(place: Place, rng: Random) -> bool | None:
    engine = place.spec.get("engine") or {}
    if "minReplicas" not in engine:
        return False
    place.spec["minReplicas"] = engine.pop("minReplicas")
    return None


@fault("OME120", at=runtimes)
def formats_inside_the_engine(place: Place, rng: Random) -> bool | None:
    if "supportedModelFormats" not in place.spec or "engineConfig" not in place.spec:
        return False
    place.spec["engineConfig"]["supportedModelFormats"] = place.spec.pop("supportedModelFormats")
    return None


@fault("OME120", at=everything)
def spec_fields_at_the_top(place: Place, rng: Random) -> bool | None:
    spec = place.object.get("spec") or {}
    names = [name for name in spec if name not in place.object]
    if len(names) < 2:
        return False
    name = rng.choice(names)
    place.object[name] = spec.pop(name)
    return None


@fault("OME120", at=probes)
def port_beside_the_handler(place: Place, rng: Random) -> bool | None:
    handler = place.node.get("httpGet")
    if not handler or "port" not in handler:
        return False
    place.node["port"] = handler.pop("port")
    return None


@fault("OME122", at=fields)
def value_of_a_wrong_type(place: Place, rng: Random) -> bool | None:
    value = place.node[place.name]
    if (
        place.name in OPEN
        or place.name in ("port", "tolerance")
        or "axUnavailable" in place.name
        or "axSurge" in place.name
    ):
        return False
    if place.name in ("minAvailable", "nominal", "borrowingLimit", "lendingLimit", "cpu", "memory", "quantity"):
        return False  # a number or a text
    place.node[place.name] = {
        bool: lambda: "true" if value else "false",
        int: lambda: str(value),
        str: lambda: rng.choice([["a"], {"a": "b"}, 7, True]),
        list: lambda: rng.choice(["a", {"a": "b"}, 3]),
        dict: lambda: rng.choice(["a", ["a"], 3]),
    }[type(value)]()
    return None


REQUIRED = {
    "ports": ("containerPort",),
    "volumeMounts": ("name", "mountPath"),
    "volumes": ("name",),
    "env": ("name",),
}


@fault("OME123", at=runtimes)
def item_without_required_field(place: Place, rng: Random) -> bool | None:
    found = [
        (item, required)
        for mapping in _mappings(place.spec)
        for field, names in REQUIRED.items()
        for item in mapping.get(field) or ()
        for required in names
        if required in item
    ]
    if not found:
        return False
    item, required = rng.choice(found)
    del item[required]
    return None


@fault("OME123", at=probes)
def handler_without_port(place: Place, rng: Random) -> bool | None:
    return None if (place.node.get("httpGet") or {}).pop("port", None) else False


@fault("OME123", at=runners)
def runner_without_name(place: Place, rng: Random) -> bool | None:
    return None if place.node.pop("name", None) else False


@fault("OME123", at=objects("ClusterBaseModel", "BaseModel"))
def model_without_storage(place: Place, rng: Random) -> bool | None:
    if rng.random() < 0.5:
        del place.spec["storage"]
    else:
        del place.spec["storage"]["storageUri"]
    return None


@fault("OME123", at=objects("ClusterServingRuntime", "ServingRuntime"))
def entry_without_format_or_framework(place: Place, rng: Random) -> bool | None:
    entries = place.spec.get("supportedModelFormats")
    return False if not entries else (rng.choice(entries).pop(rng.choice(["modelFormat", "modelFramework"])), None)[1]


@fault("OME123", at=objects("BenchmarkJob"))
def benchmark_without_required_field(place: Place, rng: Random) -> bool | None:
    del place.spec[rng.choice(["endpoint", "task", "outputLocation", "maxTimePerIteration", "maxRequestsPerIteration"])]
    return None


@fault("OME123", at=objects("AcceleratorClass"))
def class_without_required_field(place: Place, rng: Random) -> bool | None:
    del place.spec[rng.choice(["discovery", "capabilities"])]
    return None


ENUMS = {
    "protocol": ("tcp", "HTTP", "http"),
    "operator": ("equal", "Equals", "exist", "exists", ">="),
    "effect": ("noSchedule", "NoScheduled"),
    "deploymentMode": ("Raw", "omenative", "Serverless", "rawDeployment", "MultiNode"),
    "policy": ("cheapest", "LowestCost", "BestFitting"),
    "task": ("chat", "text-to-image", "text_to_text"),
    "role": ("Queue", "clusterQueue"),
    "class": ("hpa", "keda", "none", "VPA"),
    "algorithm": ("leastRequest", "RoundRobbin", "LEAST_REQUEST"),
    "apiFormat": ("OpenAI",),
    "gpuType": ("H200", "h100"),
    "imagePullPolicy": ("ifNotPresent",),
    "scheme": ("http", "https"),
    "whenUnsatisfiable": ("Schedule",),
}


@fault("OME124", "OME590", at=fields)
def value_that_is_no_choice(place: Place, rng: Random) -> bool | None:
    if place.name not in ENUMS or not isinstance(place.node[place.name], str):
        return False
    place.node[place.name] = rng.choice([value for value in ENUMS[place.name] if value != place.node[place.name]])
    return None


@fault("OME124", at=objects("ClusterBaseModel", "BaseModel"))
def download_policy_unknown(place: Place, rng: Random) -> bool | None:
    place.spec["storage"]["downloadPolicy"] = rng.choice(["IfNotPresent", "Always", "reuseIfExists"])
    return None


@fault("OME125", at=runners)
def quantity_in_no_unit(place: Place, rng: Random) -> bool | None:
    resources = place.node.get("resources") or {}
    amounts = resources.get("limits") or resources.get("requests")
    if not amounts:
        return False
    amounts["memory"] = rng.choice(["30GB", "30 Gi", "30gi", "30Gib", "thirty", "30,5Gi", "16 GB"])
    return None


@fault("OME126", "OME415", "OME445", "OME590", at=runtimes)
def number_out_of_bounds(place: Place, rng: Random) -> bool | None:
    choices: list[tuple[Object, str, int]] = []
    for mapping in _mappings(place.spec):
        if isinstance(mapping.get("priority"), int):
            choices.append((mapping, "priority", 0))
        if "containerPort" in mapping:
            choices.append((mapping, "containerPort", rng.choice([0, -1, 80800, 65536])))
        if "failureThreshold" in mapping:
            choices.append((mapping, rng.choice(["failureThreshold", "periodSeconds", "timeoutSeconds"]), -1))
    if not choices:
        return False
    mapping, field, value = rng.choice(choices)
    mapping[field] = value
    return None


@fault("OME127", "OME412", at=runtimes)
def item_twice(place: Place, rng: Random) -> bool | None:
    """The second has the key of the first."""
    lists = [
        mapping[field]
        for mapping in _mappings(place.spec)
        for field in ("volumes", "ports", "volumeMounts", "sidecars", "containers")
        if mapping.get(field)
    ]
    if not lists:
        return False
    items = rng.choice(lists)
    items.append(dict(items[0]))
    return None


@fault("OME121", "OME120", at=services)
def field_of_an_older_release(place: Place, rng: Random) -> bool | None:
    engine = place.spec.get("engine")
    if not isinstance(engine, dict):
        return False
    field, value, target = rng.choice(
        [
            ("scaleTarget", 10, engine),
            ("scaleMetric", "concurrency", engine),
            ("kedaConfig", {"enableKeda": True}, place.spec),
            ("predictor", {"model": {"baseModel": "x"}}, place.spec),
        ]
    )
    target[field] = value
    return None


@fault("OME118", "OME140", "OME141", at=everything)
def without_kind_or_version(place: Place, rng: Random) -> bool | None:
    name = rng.choice(["kind", "apiVersion"])
    if rng.random() < 0.5:
        del place.object[name]
    else:
        _renamed(place.object, name, rng.choice([f"{name}s", name.capitalize(), name[:-1]]))
    return None


@fault("OME140", at=everything)
def other_version(place: Place, rng: Random) -> None:
    place.object["apiVersion"] = rng.choice(["ome.io/v1", "ome.io/v1alpha1", "ome.io/v1beta2"])


@fault("OME141", at=everything)
def kind_misspelt(place: Place, rng: Random) -> None:
    kind = place.object["kind"]
    place.object["kind"] = rng.choice([kind.lower(), f"{kind}s", kind[:-1], "ServingRuntimes", "Predictor"])


@fault("OME142", at=everything)
def without_a_name(place: Place, rng: Random) -> bool | None:
    if rng.random() < 0.5:
        del place.object["metadata"]["name"]
    else:
        place.object["metadata"]["name"] = ""
    return None


@fault("OME143", "OME505", at=everything)
def name_that_kubernetes_refuses(place: Place, rng: Random) -> None:
    name = place.object["metadata"]["name"]
    place.object["metadata"]["name"] = rng.choice(
        [f"{name}_v2", name.capitalize(), f"-{name}", f"{name}-", f"{name} 2"]
    )


@fault("OME144", at=everything)
def label_that_kubernetes_refuses(place: Place, rng: Random) -> None:
    key, value = rng.choice([("team", "a b"), ("te am", "a"), ("team", "a" * 64), ("team", "-a"), ("a/b/c", "x")])
    place.object["metadata"].setdefault("labels", {})[key] = value


@fault("OME122", "OME144", at=everything)
def annotation_that_is_no_text(place: Place, rng: Random) -> None:
    place.object["metadata"].setdefault("annotations", {})["example.com/limit"] = rng.choice([3, True, 1.5])


@fault("OME145", at=objects("ClusterBaseModel", "ClusterServingRuntime", "AcceleratorClass", "AcceleratorQuota"))
def cluster_scoped_in_a_namespace(place: Place, rng: Random) -> None:
    place.object["metadata"]["namespace"] = "search"


@fault("OME181", at=objects("InferenceService", "ServingRuntime", "BaseModel", "BenchmarkJob"))
def without_a_namespace(place: Place, rng: Random) -> None:
    del place.object["metadata"]["namespace"]


@fault("OME180", at=everything)
def defined_twice(place: Place, rng: Random) -> None:
    place.objects.insert(rng.randrange(len(place.objects)), {**place.object})
