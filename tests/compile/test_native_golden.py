"""Complete examples: ``tests/golden/native/<case>/input.yaml`` renders to ``output.yaml``, byte for byte.

``single-pod`` and ``two-nodes`` are the examples of reference 05 §8, ``leader-worker-set`` is that of §14.4. After a
change that is meant, write the outputs anew and review their difference:

    pytest tests/compile/test_native_golden.py --update-golden
"""

from __future__ import annotations

from pathlib import Path

import pytest

from omec.compile.cluster import Cluster
from omec.compile.disruption import available_pods, component_budget, pod_disruption_budget
from omec.compile.disruption_settings import Budget
from omec.compile.gather import gather
from omec.compile.inputs import ServiceInputs
from omec.compile.modes import Mode, component_mode
from omec.compile.names import COMPONENTS, ComponentName, component_name
from omec.compile.native.admission import Write, refusal
from omec.compile.native.templates import set_template_errors, template_errors
from omec.compile.validate import Validator
from omec.repo.yaml import dump_all, load
from omec.resolve.decide import Decider
from omec.resolve.inherit import ChainResolver
from tests.compile.crd_schemas import crd_errors
from tests.compile.native_cases import component_of, set_workload, workload
from tests.compile.rendering import Object
from tests.oracle.objects import catalog_of

GOLDEN = Path(__file__).resolve().parent.parent / "golden" / "native"
BUDGETS = {Mode.OME_NATIVE: Budget("maxUnavailable", 1)}


@pytest.mark.parametrize(
    ("case", "platform"),
    [
        ("single-pod", "ome"),
        ("two-nodes", "ome"),
        ("prefill-decode", "ome"),
        ("leader-worker-set", "ome"),
        ("two-nodes-on-kubernetes", "kubernetes"),
        ("single-pod-on-kubernetes", "kubernetes"),
    ],
)
def test_golden(case: str, platform: str, request: pytest.FixtureRequest) -> None:
    documents = (GOLDEN / case / "input.yaml").read_text(encoding="utf-8").split("\n---\n")
    text = dump_all(rendered([load(document) for document in documents], platform))
    output = GOLDEN / case / "output.yaml"
    if request.config.getoption("--update-golden"):
        output.write_text(text, encoding="utf-8")
    assert text == output.read_text(encoding="utf-8")


@pytest.mark.parametrize("case", sorted(folder.name for folder in GOLDEN.iterdir()))
def test_api_server_takes_it(case: str, testdata: Path) -> None:
    validator = Validator()
    for document in (GOLDEN / case / "output.yaml").read_text(encoding="utf-8").split("\n---\n"):
        obj = load(document)
        errors = validator.errors(obj) if validator.covers(obj) else crd_errors(obj, testdata)
        assert list(errors) == []
        if obj["kind"] == "InferenceReplica":
            assert list(template_errors(obj, validator)) == []
            assert refusal(Write(obj)) is None
        if obj["kind"] == "LeaderWorkerSet":
            assert list(set_template_errors(obj, validator)) == []


def rendered(objects: list[Object], platform: str) -> list[Object]:
    """The workloads of the one InferenceService among ``objects``, each with its Service and disruption budget."""
    catalog = catalog_of(objects)
    (service,) = catalog.of_kind("InferenceService")
    decision = Decider(catalog, ChainResolver(catalog)).service(service)
    assert decision.error is None
    given = gather(decision, catalog, Cluster())
    return [
        obj for name in COMPONENTS if name in given.service.spec for obj in component_objects(given, name, platform)
    ]


def component_objects(given: ServiceInputs, name: ComponentName, platform: str) -> list[Object]:
    component = component_of(given, name)
    mode = component_mode(given.service.spec, component.spec)
    multi_node = mode is Mode.MULTI_NODE
    found = set_workload(given) if multi_node else workload(given, component.name, platform=platform)
    objects = [*found.access, found.body, found.service]
    if (budget := component_budget(component, mode, BUDGETS)) is not None:
        pods = available_pods(budget, found.bounds.minimum * found.pods_per_replica)
        objects.append(
            pod_disruption_budget(
                component_name(given.service.name, component.name),
                given.service.namespace,
                Budget("minAvailable", pods),
                selector=found.selector,
                labels=found.labels,
                annotations=found.annotations,
            )
        )
    return objects
