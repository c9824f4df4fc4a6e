"""Whether the engine has loaded its model: ``status.modelStatus`` (reference 09 B3).

OME looks at the first pod only. That is kept, because dashboards and scripts read these states.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

Object = dict[str, Any]

_INITIALIZER, _MAIN = "storage-initializer", "ome-container"
_IN_PROGRESS, _BLOCKED, _UP_TO_DATE = "InProgress", "BlockedByFailedLoad", "UpToDate"


def model_status(pods: Sequence[Mapping[str, Any]], *, ready: bool) -> Object:
    """``modelStatus`` from the pods of the engine; ``ready`` is whether the service's condition ``Ready`` is True."""
    if not pods:
        return _states("Pending", _IN_PROGRESS)
    copies: Object = {"modelCopies": {"totalCopies": len(pods)}}
    if ready:
        states = {"activeModelState": "Loaded", "targetModelState": "Loaded"}
        return copies | {"modelRevisionStates": states, "transitionStatus": _UP_TO_DATE}
    status = min(pods, key=lambda pod: str(pod["metadata"]["name"])).get("status") or {}
    return _of_pod(status)


def _of_pod(status: Mapping[str, Any]) -> Object:
    initializer = _container(status.get("initContainerStatuses"), _INITIALIZER)
    if initializer is not None:
        failed = _failure(initializer)
        if failed is not None:
            return failed
        if "running" in _state(initializer):
            return _states("Loading", _IN_PROGRESS)
    main = _container(status.get("containerStatuses"), _MAIN)
    failed = None if main is None else _failure(main)
    return _states("Pending", _IN_PROGRESS) if failed is None else failed


def _failure(container: Mapping[str, Any]) -> Object | None:
    """``FailedToLoad``, where the container ended with an error or keeps ending."""
    state = _state(container)
    ended = state.get("terminated")
    if (state.get("waiting") or {}).get("reason") == "CrashLoopBackOff":
        ended = (container.get("lastState") or {}).get("terminated")
    elif ended is not None and ended.get("reason") != "Error":
        ended = None
    if ended is None:
        return None
    info = {"reason": "ModelLoadFailed", "message": ended.get("message"), "exitCode": ended.get("exitCode")}
    found = {key: value for key, value in info.items() if value is not None}
    return _states("FailedToLoad", _BLOCKED) | {"lastFailureInfo": found}


def _states(target: str, transition: str) -> Object:
    return {"modelRevisionStates": {"targetModelState": target}, "transitionStatus": transition}


def _container(statuses: Iterable[Mapping[str, Any]] | None, name: str) -> Mapping[str, Any] | None:
    return next((each for each in statuses or () if each.get("name") == name), None)


def _state(container: Mapping[str, Any]) -> Mapping[str, Any]:
    state = container.get("state")
    return state if isinstance(state, dict) else {}
