"""Models: where each is, and what it waits for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from omec.runtime_agent.contract.entry import FAILED, READY, UPDATING, Entry
from omec.runtime_agent.contract.names import ModelKey
from omec.runtime_agent.node.eligibility import NodeIdentity, is_eligible
from omec.runtime_agent.overview.snapshot import Snapshot
from omec.runtime_agent.status.models import IN_TRANSIT, is_on_claim

_NAMED = 3
"""So many nodes are named; of more, the number is told."""
_NOT_DOWNLOADED = ("s3://", "az://", "gs://", "github://")


@dataclass(frozen=True, slots=True)
class ModelRow:
    """One model. ``nodes`` says of each node that belongs to it or reports it what the state there is."""

    kind: str
    namespace: str | None
    name: str
    state: str
    nodes: Mapping[str, str]
    waits_for: str

    @property
    def title(self) -> str:
        return f"{self.kind} {self.namespace}/{self.name}" if self.namespace else f"{self.kind} {self.name}"

    @property
    def ready_count(self) -> int:
        return sum(state == "ready" for state in self.nodes.values())

    def to_dict(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "namespace": self.namespace,
            "name": self.name,
            "state": self.state,
            "nodes": dict(self.nodes),
            "waitsFor": self.waits_for,
        }


def model_rows(snapshot: Snapshot) -> list[ModelRow]:
    """The models, cluster-wide ones first."""
    identities = [NodeIdentity(name, labels) for name, labels in sorted(snapshot.nodes.items())]
    rows = [_row(model, snapshot, identities) for model in snapshot.models]
    return sorted(rows, key=lambda row: (row.namespace is not None, row.namespace or "", row.name))


def _row(model: Mapping[str, Any], snapshot: Snapshot, identities: list[NodeIdentity]) -> ModelRow:
    spec, status, metadata = model.get("spec") or {}, model.get("status") or {}, model["metadata"]
    key = ModelKey.of(model)
    nodes = {node.name: "-" for node in identities if is_eligible(spec.get("storage"), node)}
    for node, data in sorted(snapshot.reports.items()):
        if key.entry in data and (node in snapshot.nodes or "nodes" in snapshot.unread):
            nodes[node] = _state_on_node(data[key.entry])
    nodes = dict(sorted(nodes.items()))
    state = "Deleting" if metadata.get("deletionTimestamp") else status.get("state") or IN_TRANSIT
    return ModelRow(model["kind"], key.namespace, key.name, state, nodes, _waits_for(model, state, nodes, snapshot))


def _state_on_node(text: str) -> str:
    """``ready``, ``failed``, how far a download is, or ``unreadable``."""
    try:
        entry = Entry.parse(text)
    except ValueError:
        return "unreadable"
    if entry.status != UPDATING:
        return {READY: "ready", FAILED: "failed"}.get(entry.status, entry.status.lower())
    progress = entry.progress or {}
    total, done = progress.get("totalBytes") or 0, progress.get("completedBytes") or 0
    return f"{min(100, done * 100 // total)}%" if total > 0 else "updating"


def _waits_for(model: Mapping[str, Any], state: str, nodes: Mapping[str, str], snapshot: Snapshot) -> str:
    """What has to happen until the model is where it belongs; empty where nothing has."""
    spec = model.get("spec") or {}
    if state == "Deleting":
        return f"the files on {_named(list(nodes))}" if nodes else "finalizers of others"
    if spec.get("disabled"):
        return "nothing: it is disabled"
    if is_on_claim(model):
        return _of_claim(model) if state != "Ready" else ""
    uri = str((spec.get("storage") or {}).get("storageUri", ""))
    if uri.startswith(_NOT_DOWNLOADED):
        return f"somebody who downloads {uri.partition('://')[0]}:// (no agent does)"
    if not nodes:
        return "" if "nodes" in snapshot.unread else "a node that it selects"
    return "; ".join(_of_nodes(nodes, snapshot))


def _of_nodes(nodes: Mapping[str, str], snapshot: Snapshot) -> Iterator[str]:
    silent = [name for name, state in nodes.items() if state == "-"]
    without_agent = [name for name in silent if name not in snapshot.reports]
    busy = {name: state for name, state in nodes.items() if state.endswith("%") or state == "updating"}
    failed = [name for name, state in nodes.items() if state in ("failed", "unreadable")]
    if failed:
        yield f"a repair: failed on {_named(failed)}"
    if busy:
        shown = [f"{name} ({state})" if state != "updating" else name for name, state in busy.items()]
        yield f"the download on {_named(shown)}"
    if without_agent:
        yield f"an agent on {_named(without_agent)}"
    waiting = [name for name in silent if name in snapshot.reports]
    if waiting:
        yield f"its turn on {_named(waiting)}"


def _of_claim(model: Mapping[str, Any]) -> str:
    conditions = (model.get("status") or {}).get("conditions") or ()
    messages = [str(each.get("message")) for each in conditions if each.get("status") != "True" and each.get("message")]
    return messages[0] if messages else "the Job that reads its files"


def _named(names: list[str]) -> str:
    return ", ".join(names) if len(names) <= _NAMED else f"{len(names)} nodes ({names[0]}, …)"
