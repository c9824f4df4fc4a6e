"""Custom resources against the schemas that users give: what is found, how it is said, and where schemas come from."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from omec.compile.custom_schemas import CustomSchemas
from omec.compile.validate import SchemaError
from omec.errors import OmecError
from omec.repo.document import Document
from omec.repo.yaml import dump
from omec.session import open_repo
from tests.compile.custom_objects import (
    ALL,
    FOREIGN,
    INFERENCE_REPLICA,
    LEADER_WORKER_SET,
    SCALED_OBJECT,
    Object,
    resource,
)
from tests.compile.objects import changed

KEYED = {"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name", "protocol"]}
PORT = {
    "type": "object",
    "required": ["name", "protocol"],
    "properties": {"name": {"type": "string"}, "protocol": {"type": "string", "default": "TCP"}},
}
FIELDS: dict[str, Any] = {
    "size": {"type": "string", "enum": ["small", "large", ""]},
    "code": {"type": "string", "pattern": "^[a-z]+$", "minLength": 2, "maxLength": 4},
    "cpu": {
        "x-kubernetes-int-or-string": True,
        "anyOf": [{"type": "integer"}, {"type": "string"}],
        "pattern": r"^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))$",
    },
    "share": {"type": "integer", "format": "int32", "minimum": 0, "maximum": 10, "exclusiveMaximum": True},
    "step": {"type": "number", "minimum": 2, "exclusiveMinimum": True, "multipleOf": 2},
    "ports": {"type": "array", "items": PORT, "maxItems": 3, "minItems": 1, **KEYED},
    "tags": {"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set"},
    "free": {"type": "object", "x-kubernetes-preserve-unknown-fields": True, "properties": {"known": PORT}},
    "object": {"type": "object", "x-kubernetes-embedded-resource": True, "properties": {"spec": {"type": "object"}}},
    "labels": {"type": "object", "additionalProperties": {"type": "string"}, "maxProperties": 2, "minProperties": 1},
    "maybe": {"type": "string", "nullable": True},
    "one": {
        "type": "object",
        "properties": {"a": {"type": "string"}, "b": {"type": "string"}, "c": {"type": "string"}},
        "oneOf": [{"required": ["a"]}, {"required": ["b"]}],
        "not": {"required": ["b", "c"]},
    },
    "any": {
        "type": "object",
        "properties": {"a": {"type": "string"}, "b": {"type": "string"}},
        "anyOf": [{"required": ["a"]}, {"required": ["b"]}],
    },
    "odd": {
        "type": "object",
        "properties": {"a": {"type": "string"}},
        "allOf": [{"not": {"properties": {"a": {"enum": ["x"]}}, "required": ["a"]}}],
    },
}
WIDGETS: Object = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": "widgets.example.com"},
    "spec": {
        "group": "example.com",
        "names": {"kind": "Widget", "plural": "widgets"},
        "scope": "Namespaced",
        "versions": [
            {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": {"type": "object"}}},
            {"name": "v0", "served": False, "schema": {"openAPIV3Schema": {"type": "object"}}},
        ],
    },
}
WIDGETS["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"] = {
    "spec": {"type": "object", "properties": FIELDS},
    "status": {"type": "object", "x-kubernetes-preserve-unknown-fields": True},
}


def documents(*definitions: Object) -> list[Document]:
    return [Document("crds.yaml", index, definition) for index, definition in enumerate(definitions)]


def widget(**spec: Any) -> Object:
    return resource("example.com/v1", "Widget", spec)


@pytest.fixture(scope="module")
def widgets() -> CustomSchemas:
    return CustomSchemas(documents(WIDGETS))


ACCEPTED: list[dict[str, Any]] = [
    {},
    {"size": "small", "code": "abc", "cpu": 1, "share": 9, "step": 4},
    {"cpu": "1.5"},
    {"ports": [{"name": "a"}, {"name": "a", "protocol": "UDP"}]},
    {"tags": ["a", "b"]},
    {"free": {"anything": [1, None]}},
    {"object": {"apiVersion": "v1", "kind": "X", "metadata": {"name": "x"}, "spec": {}}},
    {"labels": {"a": "b", "c": None}},
    {"maybe": None, "size": None},
    {"one": {"a": "x"}},
    {"any": {"a": "x", "b": "y"}},
]

REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"colour": "red"}, "unknown field spec.colour"),
    ({"cods": "abc"}, "unknown field spec.cods, did you mean code?"),
    ({"size": "medium"}, 'spec.size must be one of small, large, "", not "medium"'),
    ({"code": "ABC"}, 'spec.code must be like ^[a-z]+$, not "ABC"'),
    ({"code": "a"}, "spec.code must have at least 2 characters, not 1"),
    ({"code": "abcde"}, "spec.code must have at most 4 characters, not 5"),
    ({"cpu": "lots"}, 'spec.cpu must be a quantity such as 500m, 8 or 16Gi, not "lots"'),
    ({"cpu": 1.5}, "spec.cpu must be an integer or a string, not 1.5"),
    ({"share": "1"}, 'spec.share must be an integer, not the string "1"'),
    ({"share": -1}, "spec.share must be at least 0, not -1"),
    ({"share": 10}, "spec.share must be less than 10, not 10"),
    ({"step": 2}, "spec.step must be more than 2, not 2"),
    ({"step": 3}, "spec.step must be a multiple of 2, not 3"),
    ({"ports": []}, "spec.ports must have at least 1 items, not 0"),
    ({"ports": [{}]}, "missing field spec.ports[0].name"),
    ({"ports": [None]}, "spec.ports[0] must be a map, not null"),
    (
        {"ports": [{"name": "a"}, {"name": "a", "protocol": "TCP"}]},
        "spec.ports[1] repeats name a, protocol TCP of spec.ports[0]",
    ),
    ({"tags": ["a", "a"]}, "spec.tags[1] repeats a of spec.tags[0]"),
    ({"free": {"known": {"name": "a", "colour": 1}}}, "unknown field spec.free.known.colour"),
    ({"object": {"colour": 1}}, "unknown field spec.object.colour"),
    ({"labels": {"a": 1}}, "spec.labels.a must be a string, not 1"),
    ({"labels": {"a": "b", "c": "d", "e": "f"}}, "spec.labels must have at most 2 entries, not 3"),
    ({"labels": {"a": None}}, "spec.labels must have at least 1 entries, not 0"),
    ({"one": {}}, "spec.one must have one of a, b"),
    ({"one": {"b": "x", "c": "y"}}, "spec.one must not have b and c together"),
    ({"any": {}}, "spec.any must have at least one of a, b"),
    ({"odd": {"a": "x"}}, "spec.odd breaks the rule not of the schema of its kind"),
]


@pytest.mark.parametrize("spec", ACCEPTED, ids=str)
def test_accepted(widgets: CustomSchemas, spec: dict[str, Any]) -> None:
    assert widgets.errors(widget(**spec)) == []


@pytest.mark.parametrize(("spec", "message"), REFUSED, ids=[row[1] for row in REFUSED])
def test_refused(widgets: CustomSchemas, spec: dict[str, Any], message: str) -> None:
    [error] = widgets.errors(widget(**spec))
    assert error.message == message
    assert error.path[0] == "spec"


def test_errors_are_at_the_value(widgets: CustomSchemas) -> None:
    assert widgets.errors(widget(ports=[{"name": "a"}, {"name": 1, "port": 2}])) == [
        SchemaError(("spec", "ports", 1, "name"), "spec.ports[1].name must be a string, not 1", "type"),
        SchemaError(("spec", "ports", 1, "port"), "unknown field spec.ports[1].port", "additionalProperties"),
    ]


def test_secrets_stay_out_of_messages(widgets: CustomSchemas) -> None:
    [error] = widgets.errors(widget(size="hf_" + "a" * 30))
    assert "aaa" not in error.message


def test_a_version_that_is_not_served(widgets: CustomSchemas) -> None:
    old = resource("example.com/v0", "Widget", {})
    assert widgets.covers(old)
    assert [error.message for error in widgets.errors(old)] == [
        "the definition of Widget does not serve example.com/v0, only v1"
    ]


def test_kinds_without_a_schema_are_checked_in_part() -> None:
    schemas = CustomSchemas()
    assert not schemas.covers(SCALED_OBJECT)
    assert schemas.errors(SCALED_OBJECT) == []
    nameless = changed(SCALED_OBJECT, {"metadata>name": "Chat", "metadata>labels>app": "not a value"})
    assert [error.path for error in schemas.errors(nameless)] == [("metadata", "labels"), ("metadata", "name")]


def test_objects_that_are_none(widgets: CustomSchemas) -> None:
    messages = [error.message for error in widgets.errors({"apiVersion": "example.com/v1", "kind": "Widget"})]
    assert "missing field metadata" in messages


@pytest.mark.parametrize("field", ["leaderTemplate", "workerTemplate"])
def test_pods_of_leader_worker_sets(field: str) -> None:
    """Without any definition, as strictly as those of a Deployment."""
    schemas = CustomSchemas()
    assert schemas.errors(LEADER_WORKER_SET) == []
    path = f"spec>leaderWorkerTemplate>{field}>spec>containers>0"
    faulty = changed(LEADER_WORKER_SET, {f"{path}>imge": "x", f"{path}>ports>0>containerPort": -1})
    where = f"spec.leaderWorkerTemplate.{field}.spec.containers[0]"
    assert [error.message for error in schemas.errors(faulty)] == [f"unknown field {where}.imge, did you mean image?"]
    faulty = changed(LEADER_WORKER_SET, {f"{path}>ports>0>containerPort": -1})
    assert [error.message for error in schemas.errors(faulty)] == [
        f"{where}.ports[0].containerPort: Invalid value: -1: must be between 1 and 65535, inclusive"
    ]


REPLICA_FAULTS: list[tuple[dict[str, Any], str]] = [
    ({"spec>paussed": True}, "unknown field spec.paussed, did you mean paused?"),
    ({"spec>runners>0>name": "main"}, 'spec.runners[0].name must be one of default, leader, worker, not "main"'),
    ({"spec>runners>0>template>metadata>name": "x"}, "unknown field spec.runners[0].template.metadata.name"),
    ({"spec>replicas": -1}, "spec.replicas must be at least 0, not -1"),
    (
        {"spec>runners>0>template>spec>containers>0>image": ""},
        "spec.runners[0].template.spec.containers[0].image: Required value",
    ),
]


@pytest.mark.parametrize(("changes", "message"), REPLICA_FAULTS, ids=[row[1] for row in REPLICA_FAULTS])
def test_replicas_always_have_a_schema(changes: dict[str, Any], message: str) -> None:
    schemas = CustomSchemas()
    assert schemas.covers(INFERENCE_REPLICA)
    assert schemas.errors(INFERENCE_REPLICA) == []
    assert [error.message for error in schemas.errors(changed(INFERENCE_REPLICA, changes))] == [message]


def test_replicas_with_repeated_keys() -> None:
    runner = INFERENCE_REPLICA["spec"]["runners"][0]
    twice = changed(INFERENCE_REPLICA, {"spec>runners": [runner, runner]})
    assert CustomSchemas().errors(twice) == [
        SchemaError(
            ("spec", "runners", 1),
            "spec.runners[1] repeats name default of spec.runners[0]",
            "x-kubernetes-list-map-keys",
        )
    ]


def test_conditions_of_own_kinds() -> None:
    quota = resource("ome.io/v1beta1", "AcceleratorQuota", {"role": "ClusterQueue"}, namespace=None)
    assert [error.message for error in CustomSchemas().errors(quota)] == [
        "spec: a ClusterQueue node must carry at least one budget",
        "spec: a ClusterQueue node must set parentRef; only the reserved root node is parent-less",
    ]


# Where schemas come from


def test_definitions_of_the_repository(tmp_path: Path) -> None:
    (tmp_path / "crd.yaml").write_text(dump(WIDGETS), encoding="utf-8")
    schemas = CustomSchemas(open_repo(tmp_path, config={}).others)
    assert schemas.covers(widget())
    assert schemas.errors(widget(colour=1)) != []


def test_what_is_no_usable_definition_is_none() -> None:
    broken: list[Any] = [
        {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition"},
        {**WIDGETS, "apiVersion": "apiextensions.k8s.io/v1beta1"},
        {**WIDGETS, "spec": {**WIDGETS["spec"], "versions": [{"name": "v1"}, None]}},
        {**WIDGETS, "spec": {**WIDGETS["spec"], "versions": {"name": "v1"}}},
        {**WIDGETS, "spec": None},
    ]
    assert not CustomSchemas(documents(*broken)).covers(widget())


@pytest.mark.parametrize("obj", FOREIGN, ids=lambda obj: obj["kind"])
def test_a_folder_of_definitions(testdata: Path, obj: Object) -> None:
    schemas = CustomSchemas(schema_dir=testdata / "crds")
    assert schemas.covers(obj)
    assert schemas.errors(obj) == []


def test_the_folder_comes_first(tmp_path: Path) -> None:
    newer = json.loads(json.dumps(WIDGETS))
    newer["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"]["properties"] = {
        "new": {"type": "string"}
    }
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "widgets.yml").write_text(dump(newer), encoding="utf-8")
    schemas = CustomSchemas(documents(WIDGETS), tmp_path)
    assert schemas.errors(widget(new="x")) == []


JSON_SCHEMA = {
    "type": "object",
    "properties": {"spec": {"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": False}},
}


@pytest.mark.parametrize(
    "name",
    ["example.com/widget_v1.json", "master/example.com/Widget_v1.json", "widget-example-v1.json", "widget_v1.json"],
)
def test_json_schemas_as_kubeconform_has_them(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(JSON_SCHEMA), encoding="utf-8")
    schemas = CustomSchemas(schema_dir=tmp_path)
    assert schemas.covers(widget())
    assert not schemas.covers(resource("example.com/v2", "Widget", {}))
    assert schemas.errors(widget(a="x")) == []
    assert [error.message for error in schemas.errors(widget(b="x"))] == ["unknown field spec.b"]


def definition_with(**field: Any) -> Callable[[Path], None]:
    changed_one = json.loads(json.dumps(WIDGETS))
    schema = changed_one["spec"]["versions"][0]["schema"]["openAPIV3Schema"]
    schema["properties"]["spec"]["properties"] = {"a": field}
    return lambda folder: _write(folder / "widgets.yaml", dump(changed_one))


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")


@pytest.mark.parametrize(
    ("fill", "message"),
    [
        (lambda folder: _write(folder / "widget_v1.json", "{"), "widget_v1.json cannot be read: it is not JSON"),
        (
            lambda folder: _write(folder / "widget_v1.json", "[]"),
            "widget_v1.json cannot be read: it is not a JSON Schema",
        ),
        (
            lambda folder: _write(folder / "x.yaml", "CustomResourceDefinition: [example.com, Widget"),
            "x.yaml cannot be read: ",
        ),
        (definition_with(type="string", pattern="["), "the schema of Widget cannot be used: "),
        (definition_with(type="text"), "the schema of Widget cannot be used: "),
        (
            lambda folder: _write(folder / "widget_v1.json", '{"$ref": "https://example.com/schema.json"}'),
            "the schema of Widget cannot be used: ",
        ),
    ],
)
def test_a_schema_that_cannot_be_used(tmp_path: Path, fill: Callable[[Path], None], message: str) -> None:
    fill(tmp_path)
    with pytest.raises(OmecError) as caught:
        CustomSchemas(schema_dir=tmp_path).errors(widget(a="x"))
    assert message in caught.value.message
    assert caught.value.code == "OME070"


def test_no_folder(tmp_path: Path) -> None:
    with pytest.raises(OmecError, match="is not a folder"):
        CustomSchemas(schema_dir=tmp_path / "absent")


def test_what_is_not_asked_for_is_not_parsed(tmp_path: Path) -> None:
    _write(tmp_path / "broken.yaml", "a: [")
    _write(tmp_path / "widgets.yaml", dump(WIDGETS))
    assert CustomSchemas(schema_dir=tmp_path).covers(widget())
    assert not CustomSchemas(schema_dir=tmp_path).covers(SCALED_OBJECT)


@pytest.mark.parametrize("obj", ALL, ids=lambda obj: obj["kind"])
def test_objects_are_left_alone(testdata: Path, obj: Object) -> None:
    before = json.dumps(obj)
    CustomSchemas(schema_dir=testdata / "crds").errors(obj)
    assert json.dumps(obj) == before
