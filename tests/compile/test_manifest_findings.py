"""Findings about the manifests of a repository: when it looks for those about accelerator classes."""

from __future__ import annotations

from typing import Any

import pytest

from omec.compile.manifest_findings import manifest_findings
from omec.resolve.inherit import ChainResolver
from tests.compile.test_accel_findings import listing, of_class, runtime, spec
from tests.oracle.objects import catalog_of

BARE = {key: value for key, value in runtime({}).items() if key != "spec"}


@pytest.mark.parametrize(
    ("body", "slugs"),
    [
        # Where nothing speaks of classes there is nothing to find, whatever stands in place of a spec.
        (BARE, []),
        (runtime({}), []),
        ({**BARE, "spec": None}, []),
        ({**BARE, "spec": ["x"]}, []),
        (runtime({"engineConfig": "x", "supportedModelFormats": "x"}), []),
        (runtime({"supportedModelFormats": ["x"]}), []),
        # The places where a runtime may speak of them.
        (runtime(listing("x")), ["runtime-accelerator-class-unknown"]),
        (runtime({"engineConfig": {"acceleratorOverride": {"x": "y"}}}), ["runtime-accelerator-override"]),
        (runtime({"decoderConfig": {"acceleratorOverride": {"x": "y"}}}), ["runtime-accelerator-override"]),
        (runtime({"supportedModelFormats": [{"acceleratorConfig": {"x": {}}}]}), ["accelerator-config-key-unused"]),
        (of_class("a", spec(memory="80G")), ["accelerator-memory-unit"]),
    ],
)
def test_findings_about_classes(body: dict[str, Any], slugs: list[str]) -> None:
    catalog = catalog_of([body])
    broken = [resource.ref for resource in catalog.of_kind("ClusterServingRuntime") if "spec" in body and not slugs]
    assert [finding.rule.slug for finding in manifest_findings(catalog, ChainResolver(catalog), broken)] == slugs
