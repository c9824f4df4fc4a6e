"""Models: from the ConfigMaps of the nodes to status, facts in the spec, and finalizer (reference 07 §12)."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Sequence

from omec.runtime_agent.cluster.client import Cluster
from omec.runtime_agent.cluster.clock import now
from omec.runtime_agent.cluster.resources import (
    BASE_MODELS,
    CLUSTER_BASE_MODELS,
    CONFIG_MAPS,
    NODES,
    Object,
    Resource,
)
from omec.runtime_agent.cluster.watch import Change
from omec.runtime_agent.contract.names import STATUS_LABEL, ModelKey
from omec.runtime_agent.process.logs import logger
from omec.runtime_agent.status import slim
from omec.runtime_agent.status.models import changed_status, filled_fields, is_on_claim, wanted_finalizers
from omec.runtime_agent.status.reconciler import Key, Source
from omec.runtime_agent.status.reports import ModelReport, NodeReports

log = logger(__name__)

_MODEL, _NODE = "model", "node"
_RESOURCES = {resource.kind: resource for resource in (BASE_MODELS, CLUSTER_BASE_MODELS)}


class ModelReconciler:
    """Keeps every model's status at what the nodes report.

    A change of one node costs one request for each model whose status it changes, however many nodes there are. The
    ConfigMap of a node that is gone is deleted.
    """

    def __init__(self, cluster: Cluster, namespace: str) -> None:
        self._cluster = cluster
        self._namespace = namespace
        self._models: dict[Key, Object] = {}
        self._by_data_key: dict[str, Key] = {}
        self._reports = NodeReports()
        self._nodes: set[str] = set()
        self._lock = threading.RLock()

    @property
    def sources(self) -> Sequence[Source]:
        return (
            Source(NODES, self._node),
            Source(CONFIG_MAPS, self._config_map, self._namespace, f"{STATUS_LABEL}=true"),
            Source(BASE_MODELS, self._model),
            Source(CLUSTER_BASE_MODELS, self._model),
        )

    def owns(self, key: Key) -> bool:
        return key[0] in (_MODEL, _NODE)

    def everything(self) -> Iterable[Key]:
        with self._lock:
            self._reports.forget_unused()
            return [*self._models, *((_NODE, name) for name in self._reports.nodes - self._nodes)]

    def reconcile(self, key: Key) -> None:
        if key[0] == _NODE:
            self._clear_node(key[1])
            return
        with self._lock:
            model = self._models.get(key)
            if model is None:
                return
            report = self._reports.report(_data_key_of(model), self._nodes.__contains__)
        model = self._with_finalizers(key, model, report)
        if model is None or model["metadata"].get("deletionTimestamp") or is_on_claim(model):
            return
        model = self._with_facts(key, model, report)
        status = changed_status(model, report, now())
        if status is not None:
            self._write_status(key, model, status)

    def _with_finalizers(self, key: Key, model: Object, report: ModelReport) -> Object | None:
        finalizers = wanted_finalizers(model, report)
        if finalizers is None:
            return model
        if model["metadata"].get("deletionTimestamp"):
            log.info("model is off all nodes", model=_text(key))
        patched = self._patch(model, {"metadata": {"finalizers": finalizers}})
        return self._remember(key, patched) if not _is_gone(patched) else None

    def _with_facts(self, key: Key, model: Object, report: ModelReport) -> Object:
        fields = filled_fields(model, report)
        if not fields:
            return model
        log.info("facts filled in", model=_text(key), fields=sorted(fields))
        return self._remember(key, self._patch(model, {"spec": fields}))

    def _write_status(self, key: Key, model: Object, status: Object) -> None:
        log.info(
            "model status",
            model=_text(key),
            state=status["state"],
            ready=len(status["nodesReady"]),
            failed=len(status["nodesFailed"]),
        )
        metadata = {name: model["metadata"][name] for name in ("name", "namespace") if name in model["metadata"]}
        applied = self._cluster.apply(
            _resource(model), {"metadata": metadata, "status": status}, force=True, subresource="status"
        )
        self._remember(key, applied)

    def _patch(self, model: Object, patch: Object) -> Object:
        """Merge ``patch`` into the model unless it has changed in between (a conflict then)."""
        metadata = model["metadata"]
        patch.setdefault("metadata", {})["resourceVersion"] = metadata["resourceVersion"]
        return self._cluster.patch(_resource(model), metadata["name"], patch, metadata.get("namespace"))

    def _remember(self, key: Key, model: Object) -> Object:
        kept = slim.whole(model)
        with self._lock:
            if key in self._models:
                self._models[key] = kept
        return kept

    def _clear_node(self, name: str) -> None:
        """Delete the ConfigMap of a node that is gone, after asking the API server once more."""
        with self._lock:
            if name in self._nodes or name not in self._reports.nodes:
                return
        if self._cluster.find(NODES, name) is None:
            log.info("node is gone", node=name)
            self._cluster.delete(CONFIG_MAPS, name, self._namespace)

    def _model(self, change: Change, model: Object) -> Iterable[Key]:
        key = (_MODEL, model["kind"], model["metadata"].get("namespace") or "", model["metadata"]["name"])
        with self._lock:
            if change is Change.DELETED:
                if self._models.pop(key, None) is not None:
                    self._by_data_key.pop(_data_key_of(model), None)
                return ()
            self._models[key] = slim.whole(model)
            self._by_data_key[_data_key_of(model)] = key
        return (key,)

    def _config_map(self, change: Change, config_map: Object) -> Iterable[Key]:
        name = config_map["metadata"]["name"]
        with self._lock:
            if change is Change.DELETED:
                return list(self._keys_of(self._reports.remove(name)))
            keys = list(self._keys_of(self._reports.put(name, config_map.get("data") or {})))
            return keys if name in self._nodes else [*keys, (_NODE, name)]

    def _node(self, change: Change, node: Object) -> Iterable[Key]:
        name = node["metadata"]["name"]
        with self._lock:
            # A heartbeat of a node that is known already changes nothing here.
            if (change is Change.DELETED) != (name in self._nodes):
                return ()
            (self._nodes.discard if change is Change.DELETED else self._nodes.add)(name)
            keys = list(self._keys_of(self._reports.keys_of(name)))
            return [*keys, (_NODE, name)] if change is Change.DELETED else keys

    def _keys_of(self, data_keys: Iterable[str]) -> Iterator[Key]:
        return (self._by_data_key[each] for each in sorted(data_keys) if each in self._by_data_key)


def _resource(model: Object) -> Resource:
    return _RESOURCES[model["kind"]]


def _data_key_of(model: Object) -> str:
    return ModelKey.of(model).entry


def _is_gone(patched: Object) -> bool:
    """Whether the removal of the last finalizer has removed the object, which is the answer then for the last time."""
    metadata = patched.get("metadata") or {}
    return bool(metadata.get("deletionTimestamp")) and not metadata.get("finalizers")


def _text(key: Key) -> str:
    return "/".join(filter(None, key[1:]))
