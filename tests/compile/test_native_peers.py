"""How components of one service find each other: reference 05 §7.1 and §7.3."""

from __future__ import annotations

import pytest

from omec.compile.native.peers import Peers, SelectorError, revision_endpoints, with_peers, with_selectors
from omec.compile.native.render import connected_pod
from omec.compile.pod import Pod
from omec.compile.problems import RenderError
from tests.compile.native_cases import component_of, environment, native, only, peers_of, workload
from tests.compile.rendering import RUNNER, Object

ALL = Peers("pd", "prod", {"engine": "pd-engine", "decoder": "pd-decoder", "router": "pd"})
"""A Deployment as router, in front of replicas."""
ENGINE_ONLY = Peers("pd", "prod", {"engine": "pd-engine"})


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        (
            "component=engine ome.io/inferenceservice=$(INFERENCESERVICE_NAME)",
            "component=engine ome.io/inferenceservice=pd-engine",
        ),
        ("component=decoder,ome.io/inferenceservice=pd", "component=decoder,ome.io/inferenceservice=pd-decoder"),
        ("ome.io/inferenceservice=pd,component=engine", "ome.io/inferenceservice=pd-engine,component=engine"),
        (
            "--a 'component=engine ome.io/inferenceservice=pd' --b \"component=decoder ome.io/inferenceservice=pd\"",
            "--a 'component=engine ome.io/inferenceservice=pd-engine' "
            '--b "component=decoder ome.io/inferenceservice=pd-decoder"',
        ),
        (
            "--selector=component=engine,ome.io/inferenceservice=${NAME}",
            "--selector=component=engine,ome.io/inferenceservice=pd-engine",
        ),
        # The router's own pods have the service's name in the label.
        (
            "component=router ome.io/inferenceservice=$(INFERENCESERVICE_NAME)",
            "component=router ome.io/inferenceservice=$(INFERENCESERVICE_NAME)",
        ),
        ("component=engine ome.io/inferenceservice=other", "component=engine ome.io/inferenceservice=other"),
        ("--name=ome.io/inferenceservice", "--name=ome.io/inferenceservice"),
        ("my.ome.io/inferenceservice=pd", "my.ome.io/inferenceservice=pd"),
        ("", ""),
    ],
)
def test_selectors(text: str, changed: str) -> None:
    assert with_selectors(text, ALL, "router") == changed
    assert with_selectors(changed, ALL, "router") == changed


def test_selector_without_component() -> None:
    with pytest.raises(SelectorError):
        with_selectors("ome.io/inferenceservice=pd", ALL, "router")
    assert with_selectors("ome.io/inferenceservice=pd", ENGINE_ONLY, "engine") == "ome.io/inferenceservice=pd-engine"


@pytest.mark.parametrize("variable", ["$(OME_DECODER_ENDPOINT)", "${OME_DECODER_ENDPOINT}", "$OME_DECODER_ENDPOINT"])
def test_addresses_of_peers(variable: str) -> None:
    found = with_peers({"name": "c", "args": [variable], "env": [{"name": "A", "value": "1"}]}, ALL, "engine")
    assert list(environment(found).items()) == [
        ("OME_DECODER_ENDPOINT", "pd-decoder.prod.svc.cluster.local"),
        ("A", "1"),
    ]


@pytest.mark.parametrize(
    "container",
    [
        {"name": "c", "args": ["$$(OME_DECODER_ENDPOINT)"]},
        {"name": "c", "args": ["$(OME_DECODER_ENDPOINTS)"]},
        {"name": "c", "args": ["$(OME_DECODER_ENDPOINT)"], "env": [{"name": "OME_DECODER_ENDPOINT", "value": "x"}]},
    ],
)
def test_addresses_that_are_not_asked_for(container: Object) -> None:
    assert with_peers(container, ALL, "engine") == container


def test_address_of_a_component_that_is_not_there() -> None:
    container = {"name": "c", "args": ["$(OME_DECODER_ENDPOINT)"]}
    assert with_peers(container, ENGINE_ONLY, "engine") == container


def test_address_of_a_long_name_is_that_of_the_service() -> None:
    peers = Peers("d" * 60, "prod", {"engine": "x"})
    host = peers.endpoint("engine").partition(".")[0]
    assert len(host) == 63
    assert host.endswith("-engine")


def test_revision_endpoints() -> None:
    container = {"name": "c", "command": ["$(OME_DECODER_REVISION_ENDPOINT)", "$(OME_ENGINE_ENDPOINT)"]}
    assert revision_endpoints(container) == ["OME_DECODER_REVISION_ENDPOINT"]


RUNTIME = {f"{name}Config": {"runner": RUNNER} for name in ("engine", "decoder", "router")}
SELECTOR = "component=engine ome.io/inferenceservice=chat"


@pytest.mark.parametrize(
    ("platform", "selector"),
    [("ome", "component=engine ome.io/inferenceservice=chat-engine"), ("kubernetes", SELECTOR)],
)
def test_router_finds_engines(platform: str, selector: str) -> None:
    """The pods carry the label of the selector, on either platform."""
    runtime = {**RUNTIME, "routerConfig": {"runner": {**RUNNER, "args": [SELECTOR]}}}
    given = native({"engine": {}, "router": {}}, runtime)
    router = workload(given, "router", platform=platform)
    assert router.pods["default"].spec["containers"][0]["args"] == [selector]
    engine = workload(given, platform=platform)
    labels = engine.service["spec"]["selector"] if platform == "ome" else engine.labels
    wanted = dict(term.split("=") for term in selector.split())
    assert wanted.items() <= labels.items()
    rewritten = [problem for problem in router.problems if problem.rule.slug == "selector-rewritten"]
    assert bool(rewritten) is (platform == "ome")


def test_router_as_deployment_finds_replicas() -> None:
    runtime = {**RUNTIME, "routerConfig": {"runner": {**RUNNER, "args": [SELECTOR]}}}
    spec = {"engine": {}, "router": {"annotations": {"ome.io/deploymentMode": "RawDeployment"}}}
    given = native(spec, runtime)
    router = component_of(given, "router")
    pod = Pod({"containers": [{**RUNNER, "args": [SELECTOR]}]}, router.spec, 0, None)
    changed, problems = connected_pod(router, pod, peers_of(given))
    assert changed.spec["containers"][0]["args"] == ["component=engine ome.io/inferenceservice=chat-engine"]
    assert only(problems, "selector-rewritten").place.steps == ("spec", "routerConfig", "runner")


def test_selector_that_finds_nothing() -> None:
    runtime = {**RUNTIME, "routerConfig": {"runner": {**RUNNER, "args": ["ome.io/inferenceservice=chat"]}}}
    with pytest.raises(RenderError) as caught:
        workload(native({"engine": {}, "router": {}}, runtime), "router")
    assert caught.value.problem.rule.slug == "selector-finds-no-pods"
    assert caught.value.problem.message == (
        "container ome-container of the router looks for pods by 'ome.io/inferenceservice=chat'"
    )
