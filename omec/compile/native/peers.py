"""How the components of one service reach and find each other (reference 05 §7.1, §7.3).

OME tells the pods of a service where its other components are, and gives all of them one label. Standalone replicas get
neither: omec writes the addresses into the pods, and makes label selectors go by the replica.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from omec.compile.inputs import Object
from omec.compile.metadata import COMPONENT_LABEL, INFERENCE_SERVICE_LABEL
from omec.compile.names import COMPONENTS, ComponentName, component_name, shortened
from omec.compile.native.variables import references, rewritten, texts

PEER_VARIABLES = frozenset(f"OME_{component.upper()}_ENDPOINT" for component in COMPONENTS)
"""By these OME tells the pods of an InferenceService the addresses of its components."""

_REVISION_ENDPOINT = re.compile(r"OME_(?:ENGINE|DECODER|ROUTER)_REVISION_ENDPOINT")
_TERM = re.compile(r"(?<![\w./-])(?P<key>[A-Za-z0-9][\w./-]*)=(?P<value>[^\s,=\"']+)")
"""One ``key=value`` of a label selector, be it an argument of its own or part of a shell command."""
_BETWEEN_TERMS = re.compile(r"[\s,]*")


class Peers(msgspec.Struct, frozen=True):
    """The components of a service: the value of ``ome.io/inferenceservice`` on the pods of each."""

    service: str
    namespace: str
    prefixes: Mapping[ComponentName, str]

    def endpoint(self, component: ComponentName) -> str:
        """The address of a component's Service; OME too knows no other cluster domain."""
        return f"{shortened(component_name(self.service, component))}.{self.namespace}.svc.cluster.local"

    @property
    def endpoint_variables(self) -> dict[str, str]:
        """The variables by which OME tells pods the addresses of their peers."""
        return {f"OME_{component.upper()}_ENDPOINT": self.endpoint(component) for component in self.prefixes}


class SelectorError(ValueError):
    """A selector that would find no pods, and that nothing can be made of; ``text`` is where it stands."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


def with_peers(container: Mapping[str, Any], peers: Peers, own: ComponentName) -> Object:
    """``container`` of the component ``own`` with the addresses of the peers that it refers to, and with selectors that
    find their pods.

    Raises :class:`SelectorError`.
    """
    wanted = {name for _, text in texts(container) for name in references(text)}
    defined = {item["name"] for item in container.get("env") or ()}
    added = [
        {"name": name, "value": value}
        for name, value in peers.endpoint_variables.items()
        if name in wanted and name not in defined
    ]
    changed = rewritten(container, lambda text: with_selectors(text, peers, own))
    if added:
        # In front, because a variable sees only those before it.
        changed["env"] = [*added, *(changed.get("env") or ())]
    return changed


def with_selectors(text: str, peers: Peers, own: ComponentName) -> str:
    """``text`` with every selector by InferenceService turned into one by the label that the pods really have.

    Raises :class:`SelectorError` for a selector by InferenceService alone where the components have different labels.
    """
    if INFERENCE_SERVICE_LABEL not in text:
        return text
    result, end = "", 0
    for terms in selectors(text):
        by_key = {term["key"]: term for term in terms}
        term = by_key.get(INFERENCE_SERVICE_LABEL)
        if term is None or not _means(term["value"], peers.service):
            continue
        prefix = _prefix(text, by_key.get(COMPONENT_LABEL), peers)
        # A variable holds what the label of the pod itself says.
        if prefix == (peers.service if term["value"] == peers.service else peers.prefixes[own]):
            continue
        result += text[end : term.start("value")] + prefix
        end = term.end("value")
    return result + text[end:]


def _prefix(text: str, component: re.Match[str] | None, peers: Peers) -> str:
    if component is None:
        if len(prefixes := set(peers.prefixes.values())) > 1:
            raise SelectorError(text)
        return prefixes.pop()
    named = component["value"]
    return peers.prefixes[named] if named in COMPONENTS and named in peers.prefixes else peers.service


def _means(value: str, service: str) -> bool:
    """Whether a selector asks for ``service``, by name or by a variable that is meant to hold the name."""
    return value == service or value.startswith("$")


def selectors(text: str) -> list[list[re.Match[str]]]:
    """The terms of each selector in ``text``: terms with nothing but space or commas between them are one selector."""
    selectors: list[list[re.Match[str]]] = []
    previous: re.Match[str] | None = None
    for term in _TERM.finditer(text):
        if previous is not None and _BETWEEN_TERMS.fullmatch(text, previous.end(), term.start()):
            selectors[-1].append(term)
        else:
            selectors.append([term])
        previous = term
    return selectors


def revision_endpoints(container: Mapping[str, Any]) -> list[str]:
    """The variables for single revisions of a peer that ``container`` refers to; only OME's own replicas have them."""
    names = {name for _, text in texts(container) for name in references(text)}
    return sorted(name for name in names if _REVISION_ENDPOINT.fullmatch(name))
