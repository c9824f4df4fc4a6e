"""The ``OME_*`` variables of pods that OME's controller does not make (reference 05 §6.4, §12.1)."""

from __future__ import annotations

from collections.abc import Mapping

from omec.compile.inputs import Object
from omec.compile.leaderworkerset import GROUP_INDEX_LABEL
from omec.compile.native.projection import Projection
from omec.compile.native.variables import LEADER_WORKER_SET_VARIABLES, renamed, rewritten
from omec.compile.pod import Role


def counterparts(projection: Projection, role: Role, replicas: int | None) -> dict[str, Object]:
    """What stands for each variable in the pods of ``role``: its entry in ``env`` without the name.

    ``replicas`` is ``None`` where the count changes while pods run, so that none can be told. A variable without an
    entry has no counterpart.
    """
    size = projection.worker_size if role == "worker" else 1
    texts = {
        "OME_INFERENCESERVICE_NAME": projection.service.name,
        "OME_COMPONENT": projection.component.name,
        "OME_COMPONENT_REPLICAS": None if replicas is None else str(replicas),
        "OME_RUNNER": role,
        "OME_RUNNER_SIZE": str(size),
        "OME_RUNNER_INDEX": "0" if size == 1 else None,
    }
    found: dict[str, Object] = {name: {"value": text} for name, text in texts.items() if text is not None}
    if role != "default":
        field = f"metadata.labels['{GROUP_INDEX_LABEL}']"
        found["OME_INSTANCE_INDEX"] = {"valueFrom": {"fieldRef": {"apiVersion": "v1", "fieldPath": field}}}
        found |= {name: {"value": f"$({lws})"} for name, lws in LEADER_WORKER_SET_VARIABLES.items()}
    return found


def with_variables(container: Mapping[str, object], provided: Mapping[str, Object]) -> Object:
    """``container`` with the variables ``provided`` in front of its own, and with references that go straight to what
    a LeaderWorkerSet sets.

    The program in the container finds the same names as under OME; arguments do not depend on what comes first.
    """
    direct = {ome: lws for ome, lws in LEADER_WORKER_SET_VARIABLES.items() if ome in provided}
    changed = rewritten(container, lambda text: renamed(text, direct))
    own = [item for item in changed.get("env") or () if item["name"] not in provided]
    changed["env"] = [*({"name": name, **entry} for name, entry in provided.items()), *own]
    return changed
