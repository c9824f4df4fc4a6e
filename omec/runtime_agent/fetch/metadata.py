"""What the files of a model on a claim say, into the ConfigMap that is kept for it (reference 07 §9.3)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from omec.facts import FactsError, read_facts
from omec.runtime_agent.claims.contract import LAST_ERROR, STORAGE_URI, result_labels
from omec.runtime_agent.cluster.client import Cluster, modify
from omec.runtime_agent.cluster.errors import ApiError, UnreachableError
from omec.runtime_agent.cluster.resources import CONFIG_MAPS
from omec.runtime_agent.contract.entry import FAILED, READY, Change, config_of
from omec.runtime_agent.contract.names import ModelKey, metadata_config_map
from omec.runtime_agent.download.errors import DownloadError, Kind

_LONGEST_ERROR = 2000


@dataclass(frozen=True, slots=True)
class MetadataTask:
    """Read the model ``key`` at ``directory`` and tell so in ``namespace``; ``uri`` says of which volume it is."""

    key: ModelKey
    directory: Path
    namespace: str
    uri: str = ""


def extract(cluster: Cluster, task: MetadataTask) -> str:
    """Write what the files say, or why they cannot be read; the latter is raised as :class:`DownloadError`, too."""
    try:
        facts = _facts(task.directory)
    except DownloadError as error:
        _write(cluster, task, Change(task.key.name, status=FAILED), str(error)[:_LONGEST_ERROR])
        raise
    _write(cluster, task, Change(task.key.name, status=READY, config=config_of(facts)), None)
    name = metadata_config_map(task.key)
    return f"what the files of model {task.key} say is in ConfigMap {task.namespace}/{name}"


def _facts(directory: Path) -> dict[str, Any]:
    if not directory.is_dir():
        raise DownloadError(Kind.LOCAL_MISSING, f"there is no directory {directory}; is the path in the claim right?")
    try:
        return read_facts(directory).spec()
    except FactsError as error:
        raise DownloadError(Kind.UNSAFE, error.message) from None


def _write(cluster: Cluster, task: MetadataTask, change: Change, problem: str | None) -> None:
    """Put the entry into the ConfigMap; raises :class:`DownloadError` where the API server does not take it."""
    name, namespace = metadata_config_map(task.key), task.namespace
    notes = {LAST_ERROR: problem, **({STORAGE_URI: task.uri} if task.uri else {})}
    data = {task.key.entry: change.applied(None)}

    def write() -> None:
        current = cluster.find(CONFIG_MAPS, name, namespace)
        metadata: dict[str, Any] = {"labels": result_labels(task.key)}
        if current is None:
            metadata |= {"name": name, "namespace": namespace}
            metadata["annotations"] = {key: text for key, text in notes.items() if text is not None}
            cluster.create(CONFIG_MAPS, {"metadata": metadata, "data": data}, namespace)
        else:
            metadata |= {"annotations": notes, "resourceVersion": current["metadata"]["resourceVersion"]}
            cluster.patch(CONFIG_MAPS, name, {"metadata": metadata, "data": data}, namespace)

    try:
        modify(write)
    except ApiError as error:
        raise DownloadError(Kind.REFUSED, f"the API server refuses ConfigMap {namespace}/{name}: {error}") from None
    except UnreachableError as error:
        raise DownloadError(Kind.NETWORK, str(error)) from None
