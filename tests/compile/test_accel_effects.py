"""What the class of a component changes on its pods: the tables of reference 03 §7.3, §7.5, §7.6 and §7.7.

Those of the arguments (§7.4) and the environment (§7.2) are in ``test_arguments`` and ``test_runner``.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.compile.rendering import RUNNER, engine_pod, inputs

Object = dict[str, Any]

RAW = {"ome.io/deploymentMode": "RawDeployment"}
GPU = "nvidia.com/gpu"


def pod(of_class: Object, own: Object | None = None, config: Object | None = None, **runtime: Any) -> Object:
    """The engine's pod of a service that names class ``h100``; its runtime has ``config`` for the engine."""
    spec = {
        "engineConfig": {"runner": RUNNER, **(config or {})},
        "acceleratorRequirements": {"acceleratorClasses": ["h100"]},
        **runtime,
    }
    service = {"engine": own or {}, "acceleratorSelector": {"acceleratorClass": "h100"}}
    return engine_pod(inputs(service, spec, accelerator_classes={"h100": of_class}))


def amounts(**kinds: Object) -> Object:
    """``limits`` and ``requests``; ``gpu`` stands for the name of the resource."""
    named = {"gpu": GPU}
    return {kind: {named.get(name, name): str(n) for name, n in given.items()} for kind, given in kinds.items()}


def gives(*resources: tuple[str, str | None]) -> Object:
    listed = [{"name": name, **({} if amount is None else {"quantity": amount})} for name, amount in resources]
    return {"resources": listed}


@pytest.mark.parametrize(
    ("own", "runner", "of_class", "resources"),
    [
        (
            None,
            amounts(limits={"cpu": 16, "gpu": 8}, requests={"cpu": 16, "gpu": 8}),
            gives((GPU, "4")),
            amounts(limits={"cpu": 16, "gpu": 4}, requests={"cpu": 16, "gpu": 4}),
        ),
        (None, amounts(limits={"cpu": 16, "gpu": 8}), {}, amounts(limits={"cpu": 16, "gpu": 8})),
        ({}, amounts(limits={"gpu": 8}), gives((GPU, "4")), amounts(limits={"gpu": 4}, requests={"gpu": 4})),
        (
            amounts(requests={"cpu": 2}),
            amounts(limits={"gpu": 8}),
            gives((GPU, "4")),
            amounts(limits={"gpu": 8}, requests={"cpu": 2}),
        ),
        ({"limits": {}}, amounts(limits={"gpu": 8}), gives((GPU, "4")), amounts(limits={"gpu": 8})),
        (
            None,
            amounts(limits={"gpu": 8}, requests={"gpu": 8}),
            gives(("amd.com/gpu", "8")),
            amounts(limits={"gpu": 8, "amd.com/gpu": 8}, requests={"gpu": 8, "amd.com/gpu": 8}),
        ),
        (None, amounts(requests={"gpu": 8}), gives((GPU, None)), amounts(limits={"gpu": 1}, requests={"gpu": 1})),
    ],
)
def test_resources(own: Object | None, runner: Object, of_class: Object, resources: Object) -> None:
    """§7.3."""
    engine = {} if own is None else {"runner": {"resources": own}}
    rendered = pod(of_class, engine, {"runner": {**RUNNER, "resources": runner}})
    assert rendered["containers"][0]["resources"] == resources


def test_resources_of_the_leader_alone() -> None:
    """§7.3: what only the leader's runner states is overwritten."""
    part = {"runner": {**RUNNER, "resources": amounts(limits={"gpu": 8})}}
    own = {"annotations": RAW, "leader": {"runner": {"resources": amounts(limits={"gpu": 2})}}}
    rendered = pod(gives((GPU, "4")), own, {"leader": part, "worker": part})
    assert rendered["containers"][0]["resources"]["limits"] == {GPU: "4"}


@pytest.mark.parametrize(
    ("config", "variables"),
    [
        (None, ["PARALLELISM_SIZE=8"]),
        ({"tensorParallelismOverride": {}}, []),
        ({"tensorParallelismOverride": {"tensorParallelSize": 8}}, []),
        ({"environmentOverride": {"PARALLELISM_SIZE": "3"}}, ["PARALLELISM_SIZE=8"]),
    ],
)
def test_parallelism_size(config: Object | None, variables: list[str]) -> None:
    """§7.5."""
    formats = [{"acceleratorConfig": {} if config is None else {"h100": config}}]
    env = pod(gives((GPU, "8")), supportedModelFormats=formats)["containers"][0].get("env", [])
    assert [f"{item['name']}={item['value']}" for item in env] == variables


@pytest.mark.parametrize(
    ("config", "runtime", "of_class", "own", "result"),
    [
        ({"a": "1"}, {}, {"a": "2"}, {}, {"a": "2"}),
        ({"a": "1"}, {"a": "2"}, {}, {}, {"a": "2"}),
        ({}, {"a": "1"}, {"a": "2"}, {"a": "3"}, {"a": "3"}),
        ({"a": "1"}, {"b": "1"}, {"c": "1"}, {"d": "1"}, {"a": "1", "b": "1", "c": "1", "d": "1"}),
    ],
)
def test_node_selector(config: Object, runtime: Object, of_class: Object, own: Object, result: Object) -> None:
    """§7.6."""
    rendered = pod(
        {"discovery": {"nodeSelector": of_class}}, {"nodeSelector": own}, {"nodeSelector": config}, nodeSelector=runtime
    )
    assert rendered["nodeSelector"] == result


def test_class_wins_over_the_selector_of_the_leader() -> None:
    """§7.6: only the service's selector for the whole component comes after the class."""
    own = {"annotations": RAW, "leader": {"nodeSelector": {"a": "service"}}}
    config = {"leader": {"runner": RUNNER}, "worker": {"runner": RUNNER}}
    assert pod({"discovery": {"nodeSelector": {"a": "class"}}}, own, config)["nodeSelector"] == {"a": "class"}


def on_nodes_with(key: str) -> Object:
    terms = [{"matchExpressions": [{"key": key, "operator": "Exists"}]}]
    return {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}


N, R = on_nodes_with("n"), on_nodes_with("r")
P = {"requiredDuringSchedulingIgnoredDuringExecution": [{"topologyKey": "p"}]}


@pytest.mark.parametrize(
    ("own", "config", "of_class", "result"),
    [
        (None, None, {"nodeAffinity": N}, {"nodeAffinity": N}),
        (None, {"podAntiAffinity": P}, {"nodeAffinity": N}, {"nodeAffinity": N, "podAntiAffinity": P}),
        (None, {"nodeAffinity": R}, {"nodeAffinity": N}, {"nodeAffinity": R}),
        ({}, None, {"nodeAffinity": N}, {}),
        ({"podAntiAffinity": P}, None, {"nodeAffinity": N}, {"podAntiAffinity": P}),
        (None, None, {"podAffinity": P}, {}),
    ],
)
def test_affinity(own: Object | None, config: Object | None, of_class: Object, result: Object) -> None:
    """§7.7."""
    rendered = pod(
        {"discovery": {"affinity": of_class}},
        {} if own is None else {"affinity": own},
        {} if config is None else {"affinity": config},
    )
    assert rendered.get("affinity", {}) == result
