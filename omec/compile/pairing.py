"""Whether engine, decoder and router of a rendered service find each other and fit (reference 04 §20, 05 §7.1).

Everything is judged by what was rendered: the labels that pods will have, and the flags of SGLang and its router in
their containers. Other servers and routers have other flags; about them nothing is said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import msgspec

from omec.compile import pairing_rules as rules
from omec.compile.components import Component
from omec.compile.inputs import Object
from omec.compile.leaderworkerset import SET_NAME_LABEL, WORKER_INDEX_LABEL
from omec.compile.metadata import COMPONENT_LABEL, INFERENCE_SERVICE_LABEL
from omec.compile.names import ComponentName
from omec.compile.native.labels import MANAGED_BY, MANAGED_BY_LABEL, ORDINAL_LABEL, PAIRING_LABEL, RUNNER_LABEL
from omec.compile.native.peers import selectors
from omec.compile.problems import Problem
from omec.finding import Rule

_MODE = "--disaggregation-mode"
_BACKEND = "--disaggregation-transfer-backend"
_BOOTSTRAP = "--disaggregation-bootstrap-port"
_ROUTER_BOOTSTRAP = "--bootstrap-port"
_ROUTER_PORTS = ("--service-discovery-port", "--k8s-engine-port")
_DEFAULT_BOOTSTRAP = "8998"
_PHASES: dict[ComponentName, str] = {"engine": "prefill", "decoder": "decode"}

_LABEL_FIELD = re.compile(r"metadata\.labels\['(?P<key>[^']+)'\]")
_VARIABLE = re.compile(r"\$(?:\((?P<kubernetes>\w+)\)|\{(?P<braced>\w+)\}|(?P<shell>\w+))")


class Member(msgspec.Struct, frozen=True):
    """A component as it runs: its main container, and the labels of the pods that requests go to."""

    component: Component
    container: Object
    labels: Mapping[str, str]


Members = Mapping[ComponentName, Member]


def serving_labels(workload: Object) -> dict[str, str]:
    """The labels of the pods of a Deployment, LeaderWorkerSet or InferenceReplica, of leaders where there are any.

    Controllers put labels on pods beside those of the template, some in place of them.
    """
    spec, name = workload["spec"], workload["metadata"]["name"]
    match workload["kind"]:
        case "LeaderWorkerSet":
            labels = _labels(spec["leaderWorkerTemplate"]["leaderTemplate"])
            return {**labels, SET_NAME_LABEL: name, WORKER_INDEX_LABEL: "0"}
        case "InferenceReplica":
            runner = spec["runners"][0]
            pairing = spec.get("pairingProtocol")
            return {
                **_labels(runner["template"]),
                INFERENCE_SERVICE_LABEL: name,
                COMPONENT_LABEL: spec["component"],
                MANAGED_BY_LABEL: MANAGED_BY,
                RUNNER_LABEL: runner["name"],
                ORDINAL_LABEL: "0",
                **({PAIRING_LABEL: pairing} if pairing else {}),
            }
        case _:
            return _labels(spec["template"])


def check_pairing(members: Members) -> Iterator[Problem]:
    """What keeps the components of one service from working together."""
    yield from _check_phases(members)
    router = members.get("router")
    if router is not None:
        yield from _check_discovery(router, members)
        yield from _check_ports(router, members)


# --- Phases ------------------------------------------------------------------------------------------------------


def _check_phases(members: Members) -> Iterator[Problem]:
    pair = {name: members[name] for name in _PHASES if name in members}
    modes = {name: flag(member.container, _MODE) for name, member in pair.items()}
    if not any(modes.values()):
        return
    for name, member in pair.items():
        mode = modes[name]
        if mode != _PHASES[name]:
            has = f"runs in mode {mode}" if mode else f"has no {_MODE}"
            message = f"the {name} {has}, where the phase {_PHASES[name]} is its part"
            yield _problem(rules.PHASES_MIXED, message, member)
    if "decoder" not in pair:
        message = f"the engine runs in mode {modes['engine']}, and the service has no decoder"
        yield _problem(rules.PHASES_MIXED, message, pair["engine"])
        return
    backends = {flag(member.container, _BACKEND) for member in pair.values()}
    if len(backends) > 1:
        listed = " and ".join(sorted(backend or "the default" for backend in backends))
        message = f"engine and decoder hand the cache over in two ways: {listed}"
        yield _problem(rules.PHASES_MIXED, message, pair["decoder"])
    if "router" not in members:
        message = "engine and decoder are a pair of prefill and decode, and no router sends requests to both"
        yield _problem(rules.ROUTER_MISSING, message, pair["engine"])


# --- Discovery ---------------------------------------------------------------------------------------------------


def _check_discovery(router: Member, members: Members) -> Iterator[Problem]:
    """Selectors with a component or a service in them must select pods; others may be anything."""
    others = [member for name, member in members.items() if name != "router"]
    for text in _texts(router.container):
        for terms in selectors(text):
            selector = {term["key"]: _resolved(term["value"], router) for term in terms}
            if selector.keys().isdisjoint((COMPONENT_LABEL, INFERENCE_SERVICE_LABEL)) or None in selector.values():
                continue
            if not any(selector.items() <= member.labels.items() for member in others):
                listed = ",".join(f"{key}={value}" for key, value in selector.items())
                message = f"the router looks for pods with {listed}, and no pod of the service has these labels"
                yield _problem(rules.NOTHING_DISCOVERED, message, router)


def _resolved(value: str, router: Member) -> str | None:
    """``value`` with the router's variables filled in, ``None`` where one is not known before the pod runs."""
    known = {item["name"]: _variable(item, router) for item in router.container.get("env") or ()}
    result = value
    for match in _VARIABLE.finditer(value):
        filled = known.get(match["kubernetes"] or match["braced"] or match["shell"])
        if filled is None:
            return None
        result = result.replace(match[0], filled)
    return result


def _variable(item: Object, router: Member) -> str | None:
    path = ((item.get("valueFrom") or {}).get("fieldRef") or {}).get("fieldPath")
    if path is None:
        return item.get("value", "") if "valueFrom" not in item else None
    label = _LABEL_FIELD.fullmatch(path)
    return None if label is None else router.labels.get(label["key"], "")


# --- Ports -------------------------------------------------------------------------------------------------------


def _check_ports(router: Member, members: Members) -> Iterator[Problem]:
    for name in _ROUTER_PORTS:
        port = flag(router.container, name)
        for component in _PHASES:
            member = members.get(component)
            listens = None if member is None else flag(member.container, "--port")
            if port is not None and listens is not None and port != listens:
                message = f"the router calls pods at port {port} ({name}), and the {component} listens on {listens}"
                yield _problem(rules.PORT_MISMATCH, message, router)
    engine, bootstrap = members.get("engine"), flag(router.container, _ROUTER_BOOTSTRAP)
    if engine is None or bootstrap is None or flag(engine.container, _MODE) != "prefill":
        return
    listens = flag(engine.container, _BOOTSTRAP) or _DEFAULT_BOOTSTRAP
    if bootstrap != listens:
        message = f"the router expects the bootstrap port {bootstrap}, and the engine opens {listens}"
        yield _problem(rules.PORT_MISMATCH, message, router)


# --- Containers --------------------------------------------------------------------------------------------------


def flag(container: Object, name: str) -> str | None:
    """The value of a flag in command or arguments, be they words or a shell command; ``None`` where it has none."""
    texts = _texts(container)
    if not any(name in text for text in texts):
        return None
    words = [word for text in texts for word in text.split() if word != "\\"]
    for index, word in enumerate(words):
        if word.startswith(f"{name}="):
            return word.partition("=")[2].strip("\"'")
        if word == name and index + 1 < len(words) and not words[index + 1].startswith("-"):
            return words[index + 1].strip("\"'")
    return None


def _texts(container: Object) -> list[str]:
    return [*(container.get("command") or ()), *(container.get("args") or ())]


def _labels(template: Object) -> dict[str, str]:
    return dict(template["metadata"].get("labels") or {})


def _problem(rule: Rule, message: str, member: Member) -> Problem:
    return Problem(rule, message, member.component.place("runner"), rule.remedy)
