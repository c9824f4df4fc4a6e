"""What holds for the rendering of any service."""

from __future__ import annotations

import copy
from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from omec.api.shapes import POD_SPEC, normalise
from omec.compile.inputs import ServiceInputs
from omec.compile.marks import MANAGED_BY_LABEL
from omec.compile.native.labels import SERVICE_LABEL
from omec.compile.problems import RenderError
from omec.compile.render import render
from omec.repo.yaml import dump_all
from tests.compile.rendering import inputs

Object = dict[str, Any]

NAMES = st.sampled_from(["ome-container", "main", "sidecar", "a", "{{.Name}}", "{{"])
TEXTS = st.sampled_from(["", "x", "{{.Labels.team}}", "{{.Nope}}", "$(MODEL_PATH)", "--tp-size=1", "line \\\n--tp 2"])
KEYS = st.sampled_from(["team", "prometheus.io/port", "ome.io/deploymentMode", "ome.io/service-type", "kueue-enabled"])
MAPS = st.dictionaries(KEYS, st.sampled_from(["", "x", "RawDeployment", "OMENative", "LoadBalancer"]), max_size=3)
AMOUNTS = st.dictionaries(
    st.sampled_from(["cpu", "memory", "nvidia.com/gpu"]), st.sampled_from(["0", "1", "500m", "1024Mi", 2]), max_size=3
)


def objects(**fields: st.SearchStrategy[Any]) -> st.SearchStrategy[Object]:
    return st.fixed_dictionaries({}, optional=fields)


def named(**fields: st.SearchStrategy[Any]) -> st.SearchStrategy[Object]:
    return st.fixed_dictionaries({"name": NAMES}, optional=fields)


CONTAINERS = named(
    image=st.just("x:1"),
    args=st.lists(TEXTS, max_size=3),
    command=st.lists(TEXTS, max_size=2),
    env=st.lists(st.fixed_dictionaries({"name": st.sampled_from(["A", "MODEL_PATH"]), "value": TEXTS}), max_size=2),
    ports=st.lists(st.fixed_dictionaries({"containerPort": st.sampled_from([80, 8080])}), max_size=2),
    resources=objects(limits=AMOUNTS, requests=AMOUNTS),
)
POD_FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "containers": st.lists(CONTAINERS, max_size=2),
    "nodeSelector": MAPS,
    "volumes": st.lists(st.fixed_dictionaries({"name": NAMES, "emptyDir": st.just({})}), max_size=2),
    "terminationGracePeriodSeconds": st.sampled_from([0, 5]),
}
PARTS = objects(runner=CONTAINERS, **POD_FIELDS)
COMPONENTS = objects(
    runner=CONTAINERS,
    leader=PARTS,
    worker=PARTS,
    minReplicas=st.integers(0, 3),
    maxReplicas=st.integers(0, 3),
    labels=MAPS,
    annotations=MAPS,
    config=MAPS,
    deploymentStrategy=objects(type=st.sampled_from(["Recreate", "RollingUpdate"])),
    **POD_FIELDS,
)
MODELS = objects(
    vendor=st.just("meta"),
    storage=objects(path=st.sampled_from(["", "/m"]), storageUri=st.sampled_from(["hf://a/b", "pvc://c/d", "pvc://"])),
)
SERVICES = st.builds(
    inputs,
    spec=objects(engine=COMPONENTS, decoder=COMPONENTS, router=COMPONENTS),
    runtime=objects(engineConfig=COMPONENTS, decoderConfig=COMPONENTS, routerConfig=COMPONENTS, nodeSelector=MAPS),
    model=st.none() | MODELS,
    labels=MAPS,
    annotations=MAPS,
)


@given(SERVICES)
@settings(max_examples=150, deadline=None)
def test_rendering_is_a_function_of_its_inputs(service: ServiceInputs) -> None:
    """The same bytes each time, and inputs left as they were; the only exception is the one that is announced."""
    before = copy.deepcopy(service)
    try:
        first = render(service)
    except RenderError:
        assert service == before
        return
    assert service == before
    assert dump_all(first.objects) == dump_all(render(service).objects)


@given(SERVICES)
@settings(max_examples=100, deadline=None)
def test_pods_are_as_go_encodes_them(service: ServiceInputs) -> None:
    """Encoding a pod again changes nothing, but for the nulls and empty resources that are left out."""
    try:
        rendered = render(service)
    except RenderError:
        return
    for obj in rendered.objects:
        if obj["kind"] == "Deployment":
            pod = obj["spec"]["template"]["spec"]
            again = normalise(POD_SPEC, pod)
            for container in (*again["containers"], *again.get("initContainers", ())):
                if container["resources"] == {}:
                    del container["resources"]
            assert again == pod


@given(SERVICES)
@settings(max_examples=50, deadline=None)
def test_marks_stand_on_objects_alone(service: ServiceInputs) -> None:
    marked = msgspec.structs.replace(service, metadata=True)
    try:
        plain, with_marks = render(service), render(marked)
    except RenderError:
        return
    assert len(plain.objects) == len(with_marks.objects)
    for bare, obj in zip(plain.objects, with_marks.objects, strict=True):
        assert obj["metadata"]["labels"].pop(MANAGED_BY_LABEL) == "omec"
        if obj["kind"] not in ("InferenceReplica", "LeaderWorkerSet") and bare["kind"] != "Service":
            assert {**obj, "metadata": None} == {**bare, "metadata": None}
            assert obj["metadata"]["labels"].items() - bare["metadata"]["labels"].items() <= {(SERVICE_LABEL, "chat")}
