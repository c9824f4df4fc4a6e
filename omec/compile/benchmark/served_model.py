"""The name under which an engine serves its model, read from its command line (reference 16 §3.3).

OME reads the running pods; the pods that omec renders have the same command lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

_NAME_FLAG = "--served-model-name"
_LOCATION_FLAGS = ("--model", "--model-path")


def served_model_name(pods: Iterable[Mapping[str, Any]]) -> str | None:
    """The name in the command lines of ``pods`` (pod specs), ``None`` where no container tells.

    The first container that is told a name decides; without one, the first that is told where its model is. Init
    containers and text inside a shell command do not count.
    """
    location = None
    for pod in pods:
        for container in pod.get("containers") or ():
            words = [*(container.get("command") or ()), *(container.get("args") or ())]
            name = _flag(words, _NAME_FLAG)
            if name:
                return _expanded(name, container)
            if location is None:
                found = next(filter(None, (_flag(words, flag) for flag in _LOCATION_FLAGS)), None)
                location = None if found is None else _expanded(found, container)
    return location


def _flag(words: Sequence[str], flag: str) -> str | None:
    """The first value of ``flag``, be it ``flag=value`` or a word of its own that begins with no dash."""
    for index, word in enumerate(words):
        if word.startswith(f"{flag}="):
            return word.removeprefix(f"{flag}=")
        following = words[index + 1] if index + 1 < len(words) else "-"
        if word == flag and not following.startswith("-"):
            return following
    return None


def _expanded(value: str, container: Mapping[str, Any]) -> str:
    """``$(NAME)`` replaced by plain values of the container's environment, each variable once, in order."""
    for variable in container.get("env") or ():
        if variable.get("value"):
            value = value.replace(f"$({variable['name']})", variable["value"])
    return value
