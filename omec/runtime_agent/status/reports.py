"""What all nodes say about all models, kept small: thousands of nodes, each with an entry for many models.

Of a ConfigMap only the status and a reference to the facts are kept. The facts of a model are one text on every node,
so that they are stored once a model, not once a node.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from omec.runtime_agent.contract.entry import FAILED, READY
from omec.runtime_agent.status.entries import NodeEntry, parse_entry


@dataclass(frozen=True, slots=True)
class ModelReport:
    """One model over all nodes: names of nodes, sorted; ``config`` are the facts as JSON text, where a node has any.

    ``holding`` are the nodes that have an entry which is not ``Deleted``.
    """

    ready: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    holding: tuple[str, ...] = ()
    config: str | None = None


class NodeReports:
    """The entries of all nodes, by the key that a model has in ConfigMaps (reference 07 §11.2)."""

    def __init__(self) -> None:
        self._by_model: dict[str, dict[str, NodeEntry]] = {}
        self._keys_of: dict[str, frozenset[str]] = {}
        self._shared: dict[NodeEntry, NodeEntry] = {}

    @property
    def nodes(self) -> frozenset[str]:
        """The nodes that report anything."""
        return frozenset(self._keys_of)

    def keys_of(self, node: str) -> frozenset[str]:
        """The keys of the models that a node reports."""
        return self._keys_of.get(node, frozenset())

    def put(self, node: str, data: Mapping[str, str]) -> set[str]:
        """Take the ``data`` of a node's ConfigMap; the keys of the models whose entry is another one now."""
        changed = {key for key, text in data.items() if self._put_entry(node, key, parse_entry(text))}
        gone = self._keys_of.get(node, frozenset()) - data.keys()
        for key in gone:
            self._drop_entry(node, key)
        self._keys_of[node] = frozenset(data)
        return changed | gone

    def remove(self, node: str) -> set[str]:
        """Forget a node; the keys of the models that it had."""
        keys = self._keys_of.pop(node, frozenset())
        for key in keys:
            self._drop_entry(node, key)
        return set(keys)

    def report(self, key: str, exists: Callable[[str], bool]) -> ModelReport:
        """What the nodes say about the model of ``key``; ``exists`` tells which nodes there are (§12.1)."""
        entries = {node: entry for node, entry in self._by_model.get(key, {}).items() if exists(node)}
        ordered = sorted(entries)
        return ModelReport(
            tuple(node for node in ordered if entries[node].status == READY),
            tuple(node for node in ordered if entries[node].status == FAILED),
            tuple(node for node in ordered if entries[node].holds),
            next((entries[node].config for node in ordered if entries[node].config), None),
        )

    def _put_entry(self, node: str, key: str, entry: NodeEntry) -> bool:
        nodes = self._by_model.setdefault(key, {})
        if nodes.get(node) == entry:
            return False
        nodes[node] = self._shared.setdefault(entry, entry)
        return True

    def _drop_entry(self, node: str, key: str) -> None:
        nodes = self._by_model[key]
        del nodes[node]
        if not nodes:
            del self._by_model[key]

    def forget_unused(self) -> None:
        """Let go of facts that no node has any more; called now and then, not on every change."""
        used = {entry for nodes in self._by_model.values() for entry in nodes.values()}
        self._shared = {entry: entry for entry in used}
