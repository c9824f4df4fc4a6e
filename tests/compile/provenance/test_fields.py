"""Paths of fields: how people write them, and what they mean in an object."""

from __future__ import annotations

from typing import Any

import pytest

from omec.compile.provenance.fields import find_field, parse_field
from omec.errors import OmecError
from omec.finding import FieldPath

BODY: dict[str, Any] = {
    "metadata": {"annotations": {"ome.io/serving-runtime": "r", "plain": "p"}, "labels": {"a.b": "1"}},
    "spec": {
        "containers": [{"name": "main", "image": "i", "env": [{"name": "A", "value": "1"}]}, {"name": "side-car"}],
        "ports": [{"containerPort": 8080}],
        "args": ["--x"],
    },
}


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("", ()),
        (".", ()),
        ("spec.args[0]", ("spec", "args", 0)),
        (".spec.args[-1]", ("spec", "args", 0)),
        ("{.spec.containers[1].name}", ("spec", "containers", 1, "name")),
        ("$.spec.containers[0].image", ("spec", "containers", 0, "image")),
        ("spec.containers[name=main].image", ("spec", "containers", 0, "image")),
        ('spec.containers[name="side-car"]', ("spec", "containers", 1)),
        ('{.spec.containers[?(@.name=="side-car")].name}', ("spec", "containers", 1, "name")),
        ("spec.containers.main.env.A.value", ("spec", "containers", 0, "env", 0, "value")),
        ("spec.ports[containerPort=8080]", ("spec", "ports", 0)),
        ("metadata.annotations[ome.io/serving-runtime]", ("metadata", "annotations", "ome.io/serving-runtime")),
        ("metadata.annotations['ome.io/serving-runtime']", ("metadata", "annotations", "ome.io/serving-runtime")),
        (r"metadata.annotations.ome\.io/serving-runtime", ("metadata", "annotations", "ome.io/serving-runtime")),
        ("metadata.annotations.ome.io/serving-runtime", ("metadata", "annotations", "ome.io/serving-runtime")),
        ("metadata.annotations.plain", ("metadata", "annotations", "plain")),
        ("metadata.labels.a.b", ("metadata", "labels", "a.b")),
    ],
)
def test_every_way_of_writing_a_path(text: str, path: FieldPath) -> None:
    assert find_field(BODY, parse_field(text), "Pod a/b") == path


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("spec.argz", "Pod a/b has no field spec.argz", "did you mean spec.args?"),
        ("spec.containers[0].imag", "spec.containers[0].imag", "did you mean spec.containers[0].image?"),
        ("spec.zzz", "spec.zzz", "spec has containers, ports, args"),
        ("spec.containers[4]", "spec.containers[4]", "spec.containers has 2 items (main, side-car), counted from 0"),
        ("spec.containers[name=mian]", "spec.containers[name=mian]", "spec.containers has 2 items"),
        ("spec.args[0].x", "spec.args[0].x", "spec.args[0] is '--x', with nothing below it"),
        ("x", "has no field x", "the object has metadata, spec"),
    ],
)
def test_a_field_that_is_not_there(text: str, message: str, hint: str) -> None:
    with pytest.raises(OmecError) as error:
        find_field(BODY, parse_field(text), "Pod a/b")
    assert error.value.code == "OME081"
    assert message in error.value.message
    assert hint in error.value.hint


@pytest.mark.parametrize("text", ["spec.[", "spec..args", "]", "spec[0"])
def test_no_path(text: str) -> None:
    with pytest.raises(OmecError, match="is no path of a field"):
        parse_field(text)
