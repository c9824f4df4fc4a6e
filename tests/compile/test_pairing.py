"""Whether the components of a prefill-decode service find each other and fit (reference 04 §20, 05 §7.1, §12.2)."""

from __future__ import annotations

from typing import Any

import pytest

from omec.compile.components import Component
from omec.compile.names import ComponentName
from omec.compile.pairing import Member, check_pairing, flag, serving_labels
from omec.resolve.preset import sglang_pd

Object = dict[str, Any]

LABELS = {"ome.io/inferenceservice": "pd"}
CONFIGS: dict[ComponentName, str] = {"engine": "engineConfig", "decoder": "decoderConfig", "router": "routerConfig"}


def member(name: ComponentName, container: Object, **labels: str) -> Member:
    component = Component(name, {"runner": container}, {}, {"runner": container})
    return Member(component, container, {**LABELS, "component": name, **labels})


def preset(**changes: Object | None) -> dict[ComponentName, Member]:
    """The members of a service on the preset, containers changed as given; ``None`` for one that is not there."""
    members: dict[ComponentName, Member] = {}
    for name, config in CONFIGS.items():
        change = changes.get(name, {})
        if change is not None:
            members[name] = member(name, {**sglang_pd()[config]["runner"], **change})
    return members


def problems(members: dict[ComponentName, Member]) -> list[tuple[str, str]]:
    return [(problem.rule.slug, problem.message) for problem in check_pairing(members)]


def serve(*flags: str) -> Object:
    return {"command": ["python3", "-m", "sglang.launch_server", "--port", "30000", *flags]}


def test_preset_fits() -> None:
    assert problems(preset()) == []


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        (
            {"engine": serve("--disaggregation-mode", "decode", "--disaggregation-transfer-backend", "nixl")},
            [("prefill-decode-mismatch", "the engine runs in mode decode, where the phase prefill is its part")],
        ),
        (
            {"decoder": serve("--disaggregation-transfer-backend=nixl")},
            [
                (
                    "prefill-decode-mismatch",
                    "the decoder has no --disaggregation-mode, where the phase decode is its part",
                )
            ],
        ),
        (
            {"decoder": serve("--disaggregation-mode=decode", "--disaggregation-transfer-backend=mooncake")},
            [("prefill-decode-mismatch", "engine and decoder hand the cache over in two ways: mooncake and nixl")],
        ),
        (
            {"decoder": serve("--disaggregation-mode=decode")},
            [("prefill-decode-mismatch", "engine and decoder hand the cache over in two ways: nixl and the default")],
        ),
        (
            {"router": None},
            [
                (
                    "prefill-decode-without-router",
                    "engine and decoder are a pair of prefill and decode, and no router sends requests to both",
                )
            ],
        ),
        (
            {"decoder": None, "router": None},
            [("prefill-decode-mismatch", "the engine runs in mode prefill, and the service has no decoder")],
        ),
        ({"engine": serve(), "decoder": serve(), "router": None}, []),
        ({"engine": serve(), "decoder": None, "router": None}, []),
    ],
)
def test_phases(changes: dict[str, Object | None], expected: list[tuple[str, str]]) -> None:
    assert problems(preset(**changes)) == expected


# --- Discovery ---------------------------------------------------------------------------------------------------

CATALOG_ROUTER = {
    "command": [
        "--prefill-selector",
        "component=engine ome.io/inferenceservice=$(INFERENCESERVICE_NAME)",
        "--decode-selector",
        "component=decoder ome.io/inferenceservice=$(INFERENCESERVICE_NAME)",
    ],
    "args": [],
}
SHELL_ROUTER = {
    "command": [
        "sh",
        "-c",
        "launch --prefill-selector component=engine ome.io/inferenceservice=${INFERENCESERVICE_NAME} "
        "--decode-selector component=decoder ome.io/inferenceservice=$INFERENCESERVICE_NAME --x",
    ],
    "args": [],
}


@pytest.mark.parametrize("router", [{}, CATALOG_ROUTER, SHELL_ROUTER])
def test_pods_are_found_by_labels(router: Object) -> None:
    assert problems(preset(router=router)) == []


@pytest.mark.parametrize("router", [{}, CATALOG_ROUTER, SHELL_ROUTER])
def test_standalone_replicas_have_other_labels(router: Object) -> None:
    """The trap of 05 §7.1: the router's own label is never that of the engine, unless the selector is rewritten."""
    members = preset(router=router)
    for name, own in members.items():
        members[name] = member(name, own.container, **{"ome.io/inferenceservice": f"pd-{name}"})
    assert [message for slug, message in problems(members) if slug == "router-discovers-nothing"] == [
        f"the router looks for pods with component={name},ome.io/inferenceservice=pd-router, and no pod of the service "
        "has these labels"
        for name in ("engine", "decoder")
    ]


@pytest.mark.parametrize(
    ("args", "found"),
    [
        (["--selector", "component=engine"], True),
        (["--selector", "component=prefill"], False),
        (["--selector", "component=engine,ome.io/inferenceservice=other"], False),
        (["--selector", "component=engine,ome.io/inferenceservice=$(UNKNOWN)"], True),
        (["--selector", "component=engine,ome.io/inferenceservice=$(FROM_SECRET)"], True),
        (["--selector", "component=engine,ome.io/inferenceservice=$(TEXT)"], True),
        (["--selector", "app=llama"], True),
        (["--config", "a=b"], True),
    ],
)
def test_selectors(args: list[str], found: bool) -> None:
    """What is not known before the pod runs, and what is not about components, is not judged."""
    env = [
        {"name": "TEXT", "value": "pd"},
        {"name": "FROM_SECRET", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}},
    ]
    slugs = [slug for slug, _ in problems(preset(router={"args": args, "env": env}))]
    assert ("router-discovers-nothing" not in slugs) is found


# --- Ports -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"router": {"args": ["--service-discovery-port", "8080"]}},
            "the router calls pods at port 8080 (--service-discovery-port), and the engine listens on 30000",
        ),
        (
            {"decoder": {"args": ["--port=31000"], "command": ["--disaggregation-mode=decode"]}},
            "the router calls pods at port 30000 (--k8s-engine-port), and the decoder listens on 31000",
        ),
        (
            {"router": {"args": ["--bootstrap-port=9000"]}},
            "the router expects the bootstrap port 9000, and the engine opens 8998",
        ),
        (
            {"engine": serve("--disaggregation-mode", "prefill"), "router": {"args": ["--bootstrap-port=9000"]}},
            "the router expects the bootstrap port 9000, and the engine opens 8998",
        ),
    ],
)
def test_ports(changes: dict[str, Object], message: str) -> None:
    told = [text for slug, text in problems(preset(**changes)) if slug == "router-port-mismatch"]
    assert told[0] == message


# --- Parts -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("container", "value"),
    [
        ({"command": ["--mode", "a"]}, "a"),
        ({"args": ["--mode=a"]}, "a"),
        ({"command": ["serve"], "args": ["--mode", "a"]}, "a"),
        ({"command": ["sh", "-c", 'serve \\\n  --mode "a" \\\n  --x']}, "a"),
        ({"command": ["--mode"]}, None),
        ({"command": ["--mode", "--x"]}, None),
        ({"command": ["--model", "a"]}, None),
        ({}, None),
    ],
)
def test_flag(container: Object, value: str | None) -> None:
    assert flag(container, "--mode") == value


TEMPLATE = {"metadata": {"labels": {"component": "engine", "ome.io/inferenceservice": "pd"}}, "spec": {}}


@pytest.mark.parametrize(
    ("workload", "labels"),
    [
        ({"kind": "Deployment", "spec": {"template": TEMPLATE}}, {"ome.io/inferenceservice": "pd"}),
        (
            {"kind": "LeaderWorkerSet", "spec": {"leaderWorkerTemplate": {"leaderTemplate": TEMPLATE}}},
            {
                "ome.io/inferenceservice": "pd",
                "leaderworkerset.sigs.k8s.io/name": "pd-engine",
                "leaderworkerset.sigs.k8s.io/worker-index": "0",
            },
        ),
        (
            {
                "kind": "InferenceReplica",
                "spec": {
                    "component": "engine",
                    "runners": [{"name": "leader", "template": TEMPLATE}, {"name": "worker"}],
                    "pairingProtocol": "v2",
                },
            },
            {
                "ome.io/inferenceservice": "pd-engine",
                "ome.io/managed-by": "OMENative",
                "ome.io/runner": "leader",
                "ome.io/pod-ordinal": "0",
                "ome.io/pairing-protocol": "v2",
            },
        ),
    ],
)
def test_labels_of_pods(workload: Object, labels: dict[str, str]) -> None:
    body = {**workload, "metadata": {"name": "pd-engine"}}
    assert serving_labels(body) == {"component": "engine", **labels}
