"""What the node says about its models: labels on the Node and entries in the ConfigMap of its name.

The reporter holds what is to be said and says it until the API server has taken it, in one server-side apply each:
labels first, then entries, as OME does. Whatever else writes there in between is not touched, and what somebody
removes by hand comes back.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass

from omec.runtime_agent.cluster.backoff import Backoff
from omec.runtime_agent.cluster.client import Cluster
from omec.runtime_agent.cluster.errors import ApiError, UnreachableError
from omec.runtime_agent.cluster.resources import CONFIG_MAPS, NODES, Object
from omec.runtime_agent.contract.entry import DELETED, Change, Entry
from omec.runtime_agent.contract.names import (
    MANAGED_BY,
    MANAGED_BY_ANNOTATION,
    MODEL_LABEL_DOMAIN,
    NODE_LABEL,
    NODE_NAME_ANNOTATION,
    STATUS_LABEL,
    ModelKey,
    parse_entry_key,
    uid_label,
)
from omec.runtime_agent.node.labels import label_patch
from omec.runtime_agent.process.logs import logger

log = logger(__name__)

_POLL_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class _Live:
    """What was last seen of an object: ``None`` where it does not exist."""

    values: Mapping[str, str]
    uid: str


class Reporter:
    """Reports for one node. All methods may be called by any thread; :meth:`run` needs one of its own."""

    def __init__(self, cluster: Cluster, node: str, namespace: str) -> None:
        self._cluster = cluster
        self._node = node
        self._namespace = namespace
        self._labels: dict[str, str] = {}
        self._entries: dict[str, str] = {}
        self._gone_labels: set[str] = set()
        self._gone_entries: set[str] = set()
        self._live_node: _Live | None = None
        self._live_entries: Mapping[str, str] = {}
        self._changed = threading.Condition()
        self._dirty = False
        self.problem = ""

    def adopt(self, node: Object, config_map: Object | None) -> None:
        """Start from what is reported already, by whichever agent."""
        self.saw_node(node)
        with self._changed:
            self._live_entries = dict((config_map or {}).get("data") or {})
            self._entries = {key: text for key, text in self._live_entries.items() if parse_entry_key(key)}
            self._labels = {key: value for key, value in self._node_labels.items() if _is_model_label(key)}
            self._dirty = False  # what was seen first is no news

    def status(self, key: ModelKey) -> str:
        """What is reported of a model; empty where nothing is, or where label and entry say different things."""
        with self._changed:
            label, entry = self._labels.get(key.label, ""), self._entries.get(key.entry)
            return label if entry is not None and _status_of(entry) == label else ""

    def tells_of(self, key: ModelKey) -> bool:
        """Whether anything is reported of a model."""
        with self._changed:
            return key.label in self._labels or key.entry in self._entries

    def report(self, key: ModelKey, change: Change) -> None:
        """Say something about a model; the label follows the status."""
        with self._changed:
            text = change.applied(self._entries.get(key.entry))
            if text is None or change.status == DELETED:
                self._forget(key)
            else:
                self._entries[key.entry] = text
                self._gone_entries.discard(key.entry)
                if change.status is not None:
                    self._labels[key.label] = change.status
                    self._gone_labels.discard(key.label)
            self._touch()

    def forget(self, key: ModelKey, uid: str = "") -> None:
        """Say nothing about a model any more."""
        with self._changed:
            self._forget(key)
            if uid_label(uid) in self._node_labels:
                self._gone_labels.add(uid_label(uid))
            self._touch()

    def reported(self) -> list[ModelKey]:
        """The models with an entry; names that are too long come back shortened."""
        with self._changed:
            return [key for text in self._entries if (key := parse_entry_key(text))]

    def forget_all_but(self, known: set[ModelKey]) -> list[str]:
        """Withdraw labels and entries of models that do not exist; what was withdrawn."""
        labels, entries = {key.label for key in known}, {key.entry for key in known}
        with self._changed:
            stale_labels = {key for key in self._node_labels if _is_model_label(key)} - labels
            stale_entries = {key for key in self._live_entries if parse_entry_key(key)} - entries
            self._gone_labels |= stale_labels
            self._gone_entries |= stale_entries
            for label in stale_labels:
                self._labels.pop(label, None)
            for entry in {*stale_entries, *self._entries} - entries:
                self._entries.pop(entry, None)
            if stale_labels or stale_entries:
                self._touch()
        return sorted(stale_labels | stale_entries)

    def saw_node(self, node: Object | None) -> None:
        """The Node as it is now; what it does not say is said again, and all of it where it is another Node."""
        with self._changed:
            if node is None:
                self._live_node = None
                return
            metadata, before = node["metadata"], self._live_node
            self._live_node = _Live(metadata.get("labels") or {}, metadata.get("uid", ""))
            is_new = before is None or before.uid != self._live_node.uid
            if is_new or any(self._live_node.values.get(key) != value for key, value in self._labels.items()):
                self._touch()

    def saw_config_map(self, config_map: Object | None) -> None:
        """The ConfigMap as it is now, ``None`` where it is gone."""
        with self._changed:
            self._live_entries = dict((config_map or {}).get("data") or {})
            if any(self._live_entries.get(key) != text for key, text in self._entries.items()):
                self._touch()

    def run(self, stop: threading.Event, may_write: threading.Event) -> None:
        """Say what is to be said, until ``stop`` is set; nothing as long as ``may_write`` is not."""
        backoff = Backoff(0.2, 30.0)
        while not stop.is_set():
            with self._changed:
                if not (self._dirty and may_write.is_set()):
                    self._changed.wait(_POLL_SECONDS)
                    continue
                self._dirty = False
            try:
                self.flush()
                backoff.reset()
                self.problem = ""
            except (ApiError, UnreachableError) as error:
                wait = backoff.next()
                self.problem = str(error)
                log.warning("not reported", error=str(error), wait=round(wait, 1))
                with self._changed:
                    self._touch()
                stop.wait(wait)

    def flush(self) -> None:
        """Say everything once; raises :class:`ApiError` or :class:`UnreachableError`."""
        with self._changed:
            live, labels, entries = self._live_node, dict(self._labels), dict(self._entries)
            gone_labels = sorted(self._gone_labels & set(self._node_labels))
            gone_entries = sorted(self._gone_entries & set(self._live_entries))
        if live is None:
            return  # a node that is gone has nothing to say, and must not come back by an apply
        self._say_labels(live, labels, gone_labels)
        self._say_entries(entries, gone_entries)
        with self._changed:
            self._gone_labels -= set(gone_labels)
            self._gone_entries -= set(gone_entries)

    def _say_labels(self, live: _Live, labels: Mapping[str, str], gone: list[str]) -> None:
        # The UID keeps an apply from creating a Node that was deleted in between.
        metadata = {"name": self._node, "uid": live.uid, "labels": dict(labels)}
        self.saw_node(self._cluster.apply(NODES, {"metadata": metadata}, force=True))
        for key in gone:
            with self._changed:
                present = key in self._node_labels
            if present:  # somebody else's field, which an apply leaves alone
                self.saw_node(self._cluster.patch(NODES, self._node, label_patch(key, None)))

    def _say_entries(self, entries: Mapping[str, str], gone: list[str]) -> None:
        body = {
            "metadata": {
                "name": self._node,
                "namespace": self._namespace,
                "labels": {STATUS_LABEL: "true", NODE_LABEL: self._node},
                "annotations": {NODE_NAME_ANNOTATION: self._node, MANAGED_BY_ANNOTATION: MANAGED_BY},
            },
            "data": dict(entries),
        }
        stored = self._cluster.apply(CONFIG_MAPS, body, force=True)
        rest = {key: None for key in gone if key in (stored.get("data") or {})}
        if rest:
            stored = self._cluster.patch(CONFIG_MAPS, self._node, {"data": rest}, self._namespace)
        with self._changed:
            self._live_entries = dict(stored.get("data") or {})

    def _forget(self, key: ModelKey) -> None:
        self._labels.pop(key.label, None)
        self._entries.pop(key.entry, None)
        self._gone_labels.add(key.label)
        self._gone_entries.add(key.entry)

    @property
    def _node_labels(self) -> Mapping[str, str]:
        return self._live_node.values if self._live_node else {}

    def _touch(self) -> None:
        self._dirty = True
        self._changed.notify_all()


def _is_model_label(key: str) -> bool:
    """Whether a node label tells of a model, and not of something else under the same domain."""
    name = key.removeprefix(MODEL_LABEL_DOMAIN)
    return name != key and parse_entry_key(name) is not None


def _status_of(text: str) -> str:
    try:
        return Entry.parse(text).status
    except ValueError:
        return ""
