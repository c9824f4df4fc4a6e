"""AcceleratorClasses and what runtimes say about them, on their own manifests (reference 03 §2.1, §10)."""

from __future__ import annotations

from typing import Any

import pytest

from omec.compile.accel.findings import accelerator_findings
from omec.finding import ObjectRef
from omec.resolve.inherit import ChainResolver
from tests.compile.accel_classes import spec
from tests.oracle.objects import catalog_of

Object = dict[str, Any]

H100 = spec(memory="80Gi", capability="9.0", resources=[{"name": "nvidia.com/gpu", "quantity": "8"}])


def of_class(name: str = "h100", body: Object = H100) -> Object:
    return {"apiVersion": "ome.io/v1beta1", "kind": "AcceleratorClass", "metadata": {"name": name}, "spec": body}


def runtime(body: Object, name: str = "rt", parent: str | None = None) -> Object:
    annotations = {} if parent is None else {"ome.io/inherit-from": parent}
    metadata = {"name": name, "annotations": annotations}
    return {"apiVersion": "ome.io/v1beta1", "kind": "ClusterServingRuntime", "metadata": metadata, "spec": body}


def listing(*names: str, **more: Any) -> Object:
    return {"acceleratorRequirements": {"acceleratorClasses": list(names)}, **more}


def found(*objects: Object) -> list[tuple[str, str | None, str]]:
    catalog = catalog_of(objects)
    findings = accelerator_findings(catalog, ChainResolver(catalog))
    return [(finding.rule.slug, finding.field, finding.message) for finding in findings]


@pytest.mark.parametrize(
    ("spec_", "existing", "missing"),
    [
        ({}, ["h100"], None),
        (listing(), ["h100"], None),
        (listing("h100", "l40s"), ["h100", "l40s"], None),
        (listing("h100", "nope"), ["h100"], "[nope]"),
        (listing("x", "y"), [], "[x y]"),
        (listing("x", "h100", "x"), ["h100"], "[x x]"),
        (listing("H100"), ["h100"], "[H100]"),
        (listing("x", disabled=True), [], None),
    ],
)
def test_classes_that_a_runtime_lists(spec_: Object, existing: list[str], missing: str | None) -> None:
    """The admission table of §2.1."""
    findings = found(runtime(spec_), *(of_class(name) for name in existing))
    assert [message for _, _, message in findings] == (
        [] if missing is None else [f"unknown accelerator classes referenced in AcceleratorRequirements: {missing}"]
    )


def test_help_names_the_class_that_was_meant() -> None:
    catalog = catalog_of([runtime(listing("H100")), of_class()])
    (finding,) = accelerator_findings(catalog, ChainResolver(catalog))
    assert (finding.field, finding.help) == ("spec.acceleratorRequirements.acceleratorClasses[0]", "did you mean h100?")


@pytest.mark.parametrize(
    ("body", "finding"),
    [
        (
            spec(memory="80"),
            (
                "accelerator-memory-unit",
                "spec.capabilities.memoryGB",
                "the memory of AcceleratorClass h100 is 80 bytes, which OME counts as 0 GiB",
            ),
        ),
        (
            spec(memory="80G"),
            (
                "accelerator-memory-unit",
                "spec.capabilities.memoryGB",
                "the memory of AcceleratorClass h100 is 80G bytes, which OME counts as 74 GiB",
            ),
        ),
        (
            spec(capability="10.0"),
            (
                "accelerator-version-as-text",
                "spec.capabilities.computeCapability",
                "the compute capability 10.0 of AcceleratorClass h100 is compared as a text: it is less than 9.0",
            ),
        ),
        (
            spec(vendor="amd", family="cdna-3"),
            (
                "accelerator-family-hyphen",
                "spec.family",
                "no constraint on families matches cdna-3 of AcceleratorClass h100 without its vendor",
            ),
        ),
        (H100, None),
        (spec(memory="0.5Ti", capability="gfx942", family="hopper"), None),
    ],
)
def test_classes(body: Object, finding: tuple[str, str, str] | None) -> None:
    assert found(of_class(body=body)) == ([] if finding is None else [finding])


def test_quantity_left_to_its_default() -> None:
    gpus = {"limits": {"nvidia.com/gpu": 8}}
    engine = {"runner": {"name": "ome-container", "resources": gpus}}
    one_gpu = of_class(body=spec(resources=[{"name": "nvidia.com/gpu"}]))
    message = "AcceleratorClass h100 gives each pod 1 nvidia.com/gpu, where ClusterServingRuntime rt asks for 8"
    assert found(one_gpu, runtime(listing("h100", engineConfig=engine))) == [
        ("accelerator-quantity-default", "spec.resources[0]", message)
    ]
    assert found(one_gpu, runtime({"engineConfig": engine})) == []
    assert found(of_class(), runtime(listing("h100", engineConfig=engine))) == []
    leader = {"leader": engine, "worker": engine}
    assert len(found(one_gpu, runtime(listing("h100", engineConfig=leader)))) == 1


def formats(*names: str) -> list[Object]:
    return [{"modelFormat": {"name": "f"}, "acceleratorConfig": {name: {} for name in names}}]


def test_settings_that_are_never_used() -> None:
    field = "spec.supportedModelFormats[0].acceleratorConfig"
    body = listing("h100", supportedModelFormats=formats("h100", "h1000", "l40s"))
    assert found(runtime(body), of_class(), of_class("l40s")) == [
        (
            "accelerator-config-key-unused",
            f"{field}.h1000",
            "ClusterServingRuntime rt has settings for accelerator class h1000, which does not exist",
        ),
        (
            "accelerator-config-key-unused",
            f"{field}.l40s",
            "ClusterServingRuntime rt has settings for accelerator class l40s, which it does not list",
        ),
    ]


def test_settings_for_a_class_that_the_parent_lists() -> None:
    parent, child = (
        runtime(listing("h100"), "parent"),
        runtime({"supportedModelFormats": formats("h100")}, "rt", "parent"),
    )
    assert found(parent, child, of_class()) == []


def test_fields_without_effect() -> None:
    body = {"acceleratorRequirements": {"minMemory": 80, "acceleratorClasses": ["h100"]}}
    body["engineConfig"] = {"acceleratorOverride": {"policy": "Cheapest"}}
    assert [(slug, field) for slug, field, _ in found(runtime(body), of_class())] == [
        ("accelerator-requirement-without-effect", "spec.acceleratorRequirements.minMemory"),
        ("runtime-accelerator-override", "spec.engineConfig.acceleratorOverride"),
    ]


def test_broken_objects_are_passed_over() -> None:
    catalog = catalog_of([runtime(listing("x")), of_class(body=spec(memory="80"))])
    broken = {ObjectRef("ClusterServingRuntime", None, "rt"), ObjectRef("AcceleratorClass", None, "h100")}
    assert list(accelerator_findings(catalog, ChainResolver(catalog), broken)) == []
