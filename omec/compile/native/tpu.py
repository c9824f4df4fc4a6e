"""The variables by which the hosts of a TPU slice find each other (reference 05 §13)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from omec.compile.native.names import DerivedNames

TPU = "google.com/tpu"
_PORT = 8476


def requests_tpu(pod: Mapping[str, Any]) -> bool:
    """Whether any container of the pod has TPU chips."""
    return any(
        TPU in ((container.get("resources") or {}).get(kind) or {})
        for container in pod.get("containers") or ()
        for kind in ("limits", "requests")
    )


def tpu_variables(names: DerivedNames, runners: Sequence[Mapping[str, Any]], index: int, rank: int) -> dict[str, str]:
    """The variables of the pod with ``rank`` in Instance ``index``; none where the Instance is a single pod."""
    hosts = [names.address(index, runner["name"], ordinal) for runner in runners for ordinal in range(runner["size"])]
    if len(hosts) < 2:
        return {}
    return {
        "TPU_WORKER_HOSTNAMES": ",".join(hosts),
        "TPU_WORKER_ID": str(rank),
        "TPU_PROCESS_ADDRESSES": ",".join(f"{host}:{_PORT}" for host in hosts),
        "TPU_PROCESS_PORT": str(_PORT),
        "TPU_NAME": names.instance(index),
    }
