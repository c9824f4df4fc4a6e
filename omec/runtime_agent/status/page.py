"""The page ``/status``: the services whose state is in no object of the cluster, for people and for scripts."""

from __future__ import annotations

import json
from collections.abc import Mapping

from omec.runtime_agent.cluster.resources import Object
from omec.runtime_agent.status.services import is_ready


def status_page(statuses: Mapping[tuple[str, str], Object], *, leading: bool, held_back: str) -> tuple[str, bytes]:
    """Media type and JSON text; ``held_back`` is why the agent writes nothing, empty where it does."""
    services = [
        {"namespace": namespace, "name": name, "ready": is_ready(status), "status": status}
        for (namespace, name), status in sorted(statuses.items())
    ]
    page = {"leading": leading, "heldBack": held_back, "inferenceServices": services}
    return "application/json", json.dumps(page, indent=2).encode() + b"\n"
