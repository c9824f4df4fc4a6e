"""The schemas that omec carries, and the messages it makes of their verdicts."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from omec.compile.schema_messages import messages, schema_at
from omec.compile.validate import SchemaError, Validator, supported_versions
from omec.errors import OmecError
from omec.finding import FieldPath, Severity
from tests.compile.objects import ALL, REMOVED, Object, changed, deployment, service, service_account
from tests.conftest import ROOT

DATA = ROOT / "omec" / "data" / "kubernetes"
CONTAINER = "spec>template>spec>containers>0"
CONTAINER_PATH = ("spec", "template", "spec", "containers", 0)
CONTAINER_TEXT = "spec.template.spec.containers[0]"


def test_committed_schemas_are_current() -> None:
    command = [sys.executable, str(ROOT / "schemas" / "build_kubernetes.py"), "--check"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, f"run python schemas/build_kubernetes.py\n{result.stdout}{result.stderr}"


def test_committed_schemas_are_small() -> None:
    sizes = {path.name: path.stat().st_size for path in DATA.glob("*.json")}
    assert len(sizes) == 4
    assert sum(sizes.values()) < 300_000, sizes


@pytest.mark.parametrize("text", ["1.35", "v1.35", "v1.35.4", "1.35.2+k3s1", "v1.35.0-eks-1234"])
def test_a_version_as_people_write_it(text: str) -> None:
    assert Validator(text).version == "1.35"


def test_the_newest_version_unless_told() -> None:
    assert supported_versions() == ("1.34", "1.35", "1.36", "1.37")
    assert Validator().version == "1.37"


@pytest.mark.parametrize("text", ["1.3", "1.350", "1.20", "2.36", "latest", ""])
def test_an_unknown_version_names_the_known_ones(text: str) -> None:
    with pytest.raises(OmecError) as failure:
        Validator(text)
    assert "1.34, 1.35, 1.36, 1.37" in failure.value.hint
    assert failure.value.exit_code == 2


@pytest.mark.parametrize("version", supported_versions())
@pytest.mark.parametrize("make", ALL, ids=lambda make: make.__name__)
def test_objects_in_order_have_no_errors(version: str, make: Callable[[], Object]) -> None:
    assert Validator(version).errors(make()) == []


def test_versions_differ() -> None:
    """``schedulingGroup`` of a pod came with Kubernetes 1.36."""
    gang = changed(deployment(), {"spec>template>spec>schedulingGroup": {"podGroupName": "g"}})
    found = {version: [error.message for error in Validator(version).errors(gang)] for version in supported_versions()}
    text = "unknown field spec.template.spec.schedulingGroup: it exists from Kubernetes 1.36 on, not in"
    assert found == {"1.34": [f"{text} 1.34"], "1.35": [f"{text} 1.35"], "1.36": [], "1.37": []}


def test_a_kind_without_a_schema_is_an_error() -> None:
    budget = {"apiVersion": "policy/v1beta1", "kind": "PodDisruptionBudget", "metadata": {"name": "x"}}
    assert not Validator().covers(budget)
    assert Validator().covers(service())
    [error] = Validator().errors(budget)
    assert error.message == "omec has no schema for policy/v1beta1 PodDisruptionBudget in Kubernetes 1.37"
    assert Validator().errors({})[0].message == "omec has no schema for None None in Kubernetes 1.37"


MESSAGES: list[tuple[dict[str, Any], tuple[Any, ...], str, str]] = [
    (
        {f"{CONTAINER}>imge": "x"},
        (*CONTAINER_PATH, "imge"),
        "additionalProperties",
        f"unknown field {CONTAINER_TEXT}.imge, did you mean image?",
    ),
    (
        {f"{CONTAINER}>imagepullpolicy": "Always"},
        (*CONTAINER_PATH, "imagepullpolicy"),
        "additionalProperties",
        f"unknown field {CONTAINER_TEXT}.imagepullpolicy, did you mean imagePullPolicy?",
    ),
    ({"spec>runner": {}}, ("spec", "runner"), "additionalProperties", "unknown field spec.runner"),
    (
        {f"{CONTAINER}>name": REMOVED},
        CONTAINER_PATH,
        "required",
        f"missing field {CONTAINER_TEXT}.name",
    ),
    ({"metadata": REMOVED}, (), "required", "missing field metadata"),
    (
        {"spec>replicas": "2"},
        ("spec", "replicas"),
        "type",
        'spec.replicas must be an integer, not the string "2"',
    ),
    ({"spec>paused": 1}, ("spec", "paused"), "type", "spec.paused must be true or false, not 1"),
    ({"spec>paused": None}, ("spec", "paused"), "type", "spec.paused must be true or false, not null"),
    ({"spec>strategy": []}, ("spec", "strategy"), "type", "spec.strategy must be a map, not a list"),
    (
        {f"{CONTAINER}>args": {}},
        (*CONTAINER_PATH, "args"),
        "type",
        f"{CONTAINER_TEXT}.args must be a list, not a map",
    ),
    (
        {"metadata>labels": {"example.com/a": 7}},
        ("metadata", "labels", "example.com/a"),
        "type",
        "metadata.labels[example.com/a] must be a string, not 7",
    ),
    (
        {"spec>strategy>rollingUpdate>maxSurge": 0.5},
        ("spec", "strategy", "rollingUpdate", "maxSurge"),
        "type",
        "spec.strategy.rollingUpdate.maxSurge must be an integer or a string, not 0.5",
    ),
    (
        {f"{CONTAINER}>resources>limits>memory": "80GB"},
        (*CONTAINER_PATH, "resources", "limits", "memory"),
        "pattern",
        f'{CONTAINER_TEXT}.resources.limits.memory must be a quantity such as 500m, 8 or 16Gi, not the string "80GB"',
    ),
    (
        {"spec>minReadySeconds": 2**31},
        ("spec", "minReadySeconds"),
        "maximum",
        "spec.minReadySeconds must be between -2147483648 and 2147483647, not 2147483648",
    ),
    ({"status": {}}, ("status",), "falseSchema", "status is written by the cluster, never by a manifest"),
    (
        {"metadata>managedFields": []},
        ("metadata", "managedFields"),
        "falseSchema",
        "metadata.managedFields is written by the cluster, never by a manifest",
    ),
]


@pytest.mark.parametrize(("changes", "path", "keyword", "message"), MESSAGES, ids=[case[-1][:60] for case in MESSAGES])
def test_messages(changes: dict[str, Any], path: tuple[Any, ...], keyword: str, message: str) -> None:
    assert Validator().errors(changed(deployment(), changes)) == [SchemaError(path, message, keyword)]


def test_long_values_are_cut() -> None:
    [error] = Validator().errors(changed(deployment(), {"spec>paused": "x" * 500}))
    assert len(error.message) < 120
    assert error.message.endswith("xxx…")


def test_every_fault_is_reported_once_and_in_order() -> None:
    faulty = changed(deployment(), {f"{CONTAINER}>imge": "x", f"{CONTAINER}>porst": [], "spec>replicas": "2"})
    errors = Validator().errors(faulty)
    assert [error.path[-1] for error in errors] == ["replicas", "imge", "porst"]


def repeated(path: str, item: Any, *, of: Callable[[], Object] = deployment) -> Object:
    return changed(of(), {path: item})


REPETITIONS = [
    (repeated("spec>template>spec>volumes>1", {"name": "llama", "emptyDir": {}}), "name llama", Severity.ERROR),
    (repeated(f"{CONTAINER}>env>2", {"name": "POD_IP", "value": "::1"}), "name POD_IP", Severity.WARNING),
    (repeated(f"{CONTAINER}>ports>1", {"containerPort": 8080}), "containerPort 8080, protocol TCP", Severity.WARNING),
    (repeated("spec>ports>1", {"name": "b", "port": 8080}, of=service), "port 8080, protocol TCP", Severity.ERROR),
    (
        changed(service_account(), {"metadata>finalizers": ["a.io/b", "a.io/c", "a.io/b"]}),
        "a.io/b",
        Severity.WARNING,
    ),
]


@pytest.mark.parametrize(("obj", "key", "severity"), REPETITIONS, ids=[case[1] for case in REPETITIONS])
def test_repeated_list_keys(obj: Object, key: str, severity: Severity) -> None:
    errors = [error for error in Validator().errors(obj) if error.keyword == "x-kubernetes-list-map-keys"]
    [error] = errors
    assert f" repeats {key} of " in error.message
    assert error.severity is severity


def test_a_protocol_makes_a_port_another_one() -> None:
    udp = repeated(f"{CONTAINER}>ports>1", {"containerPort": 8080, "protocol": "UDP"})
    assert Validator().errors(udp) == []


NOT_SCHEMA = ("admission", "x-kubernetes-list-map-keys")


def faults(obj: Object) -> Iterator[Object]:
    """``obj`` with one fault or harmless change at every place: another type, a null, an extra key, a missing key."""
    for path in places(obj):
        for value in ("text", -1, 2**40, 1.5, True, None, [], {}, {"extra": 1}, REMOVED):
            yield changed(obj, {path: value})


def places(value: Any, path: tuple[str, ...] = ()) -> Iterator[str]:
    if path:
        yield ">".join(path)
    if isinstance(value, dict):
        for key, item in value.items():
            yield from places(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from places(item, (*path, str(index)))


@pytest.mark.parametrize(
    "make", [make for make in ALL if make.__name__ not in ("job", "pod_template")], ids=lambda make: make.__name__
)
def test_agreement_with_the_reference_implementation(make: Callable[[], Object]) -> None:
    """jsonschema-rs and jsonschema give the same messages for the same objects."""
    validator = Validator()
    schema = json.loads((DATA / f"{validator.version}.json").read_text(encoding="utf-8"))
    base = make()
    type_ = f"{base['apiVersion']} {base['kind']}"
    reference = jsonschema.Draft202012Validator(schema)
    for obj in faults(base):
        if not validator.covers(obj):
            continue
        expected: set[tuple[FieldPath, str]] = set()
        for error in reference.iter_errors({type_: obj}):
            path = tuple(error.absolute_path)
            expected.update(messages(schema_at(schema, path), str(error.validator), error.instance, path[1:]))
        found = {(error.path, error.message) for error in validator.errors(obj) if error.keyword not in NOT_SCHEMA}
        assert found == expected


def test_what_ome_renders_has_no_errors(testdata: Path) -> None:
    """No false alarms on what OME's own code renders for the runtimes of the corpus."""
    validators = [Validator(version) for version in supported_versions()]
    checked = 0
    with (testdata / "oracle" / "render" / "runtimes.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            for obj in (row.get("expectedV13") or row["expected"])["objects"]:
                obj["metadata"].pop("ownerReferences", None)  # without uid, as the oracle has them
                if validators[0].covers(obj):
                    checked += 1
                    assert [error for validator in validators for error in validator.errors(obj)] == []
    assert checked > 1000
