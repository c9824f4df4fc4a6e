"""Kubernetes events about objects, for ``kubectl describe`` and ``kubectl get events``."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from omec.runtime_agent.cluster.client import Cluster
from omec.runtime_agent.cluster.errors import ApiError, UnreachableError
from omec.runtime_agent.cluster.resources import EVENTS
from omec.runtime_agent.process.logs import logger

log = logger(__name__)

NORMAL, WARNING = "Normal", "Warning"

_REPORTER = "omec-agent"
_LONGEST_NOTE = 1024


def record(
    cluster: Cluster, about: Mapping[str, Any], type_: str, reason: str, note: str, *, action: str, instance: str
) -> None:
    """Record an event about an object. A failure is logged only: an event is a service, not a duty."""
    metadata = about["metadata"]
    # Events of cluster-scoped objects are kept in the namespace default, where kubectl looks for them.
    namespace = metadata.get("namespace") or "default"
    event = {
        "apiVersion": EVENTS.api_version,
        "kind": EVENTS.kind,
        "metadata": {"name": f"{metadata['name'][:200].rstrip('.-')}.{uuid.uuid4().hex[:16]}", "namespace": namespace},
        "eventTime": datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z"),
        "type": type_,
        "reason": reason,
        "note": note if len(note.encode()) <= _LONGEST_NOTE else f"{note.encode()[:1000].decode(errors='ignore')} …",
        "action": action,
        "reportingController": _REPORTER,
        "reportingInstance": instance[:128],
        "regarding": {
            "apiVersion": about["apiVersion"],
            "kind": about["kind"],
            "name": metadata["name"],
            **{key: metadata[key] for key in ("namespace", "uid", "resourceVersion") if metadata.get(key)},
        },
    }
    try:
        cluster.create(EVENTS, event, namespace)
    except (ApiError, UnreachableError) as error:
        log.warning("event not recorded", reason=reason, about=metadata["name"], error=str(error))
