"""Rules about prefill-decode services: engine, decoder and router that have to fit each other."""

from __future__ import annotations

from omec.finding import Rule, Severity

_SOURCE = "OME docs: guides/omenative/serve-a-prefill-decode-model"

PHASES_MIXED = Rule(
    code="OME420",
    slug="prefill-decode-mismatch",
    severity=Severity.WARNING,
    summary="Engine and decoder of a service do not make a pair of prefill and decode",
    why=(
        "The engine computes prompts and hands its cache over to the decoder. With the same phase twice, a phase "
        "missing, or two ways of handing over, requests fail at the first token."
    ),
    fix="Give the engine --disaggregation-mode prefill, the decoder decode, and both the same transfer backend.",
    source=f"{_SOURCE}; reference 04 §20",
    bad="decoderConfig:\n  runner: {args: [--disaggregation-transfer-backend=nixl]}\n",
    good=(
        "engineConfig:\n"
        "  runner: {args: [--disaggregation-transfer-backend=nixl]}\n"
        "decoderConfig:\n"
        "  runner: {args: [--disaggregation-transfer-backend=nixl]}\n"
    ),
)

ROUTER_MISSING = Rule(
    code="OME421",
    slug="prefill-decode-without-router",
    severity=Severity.WARNING,
    summary="A pair of prefill and decode has no router",
    why=(
        "Without a router the service sends requests to the engine alone, which only computes prompts; nothing brings "
        "them together with a decoder. A runtime's routerConfig makes no router by itself."
    ),
    fix="Add router: {} to the InferenceService.",
    source=f"{_SOURCE}; reference 04 §5.1",
    bad="engine: {}\ndecoder: {}\n",
    good="engine: {}\ndecoder: {}\nrouter: {}\n",
)

NOTHING_DISCOVERED = Rule(
    code="OME422",
    slug="router-discovers-nothing",
    severity=Severity.WARNING,
    summary="A router looks for pods by labels that no pod of the service has",
    why="The router starts, finds no engine, and answers every request with an error.",
    fix="Select by the labels component and ome.io/inferenceservice; omec adapts their values to the platform.",
    source=f"{_SOURCE}; reference 05 §7.1",
    bad="routerConfig:\n  runner: {args: [--selector, component=prefill]}\n",
    good="routerConfig:\n  runner: {args: [--selector, component=engine]}\n",
)

PORT_MISMATCH = Rule(
    code="OME423",
    slug="router-port-mismatch",
    severity=Severity.WARNING,
    summary="A router reaches out for a port that the pods do not serve",
    why="Pods are found by their labels, but called at the port that the router is told.",
    fix="Make the router's flag the port that the servers of engine and decoder listen on.",
    source=f"{_SOURCE}; reference 04 §20",
    bad="routerConfig:\n  runner: {args: [--service-discovery-port=30000]}\n",
    good="routerConfig:\n  runner: {args: [--service-discovery-port=8080]}\n",
)
