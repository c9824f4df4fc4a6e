"""What must hold for objects that omec emits: a real API server takes them, and keeps every field as it was emitted."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable

from tests.cluster.client import FIELD_MANAGER, ApiServer, Object
from tests.cluster.managed import managed_part, without_identity


def assert_kept(apiserver: ApiServer, objects: Iterable[Object]) -> None:
    """Server-side apply ``objects``; fails with everything that is refused, warned about, or not kept as emitted.

    What is compared is the object as stored, with which the API server answers.
    """
    emitted = list(objects)
    apiserver.ensure_namespaces(emitted)
    faults = [fault for obj in emitted if (fault := _apply(apiserver, obj))]
    assert not faults, "\n".join(faults)


def _apply(apiserver: ApiServer, obj: Object) -> str:
    name = f"{obj['kind']} {obj['metadata'].get('namespace', '')}/{obj['metadata']['name']}"
    answer = apiserver.apply(obj)
    if not answer.accepted:
        return f"{name} is refused: {answer.message}"
    if answer.warnings:
        return f"{name} is warned about: {'; '.join(answer.warnings)}"
    expected, kept = without_identity(obj), managed_part(answer.body, obj, FIELD_MANAGER)
    # Through JSON, because Python holds 1, 1.0 and True for equal.
    lines = difflib.unified_diff(_lines(expected), _lines(kept), "emitted", "kept by the API server", lineterm="", n=4)
    difference = "\n".join(lines)
    return f"{name} is not kept as emitted:\n{difference}" if difference else ""


def _lines(value: Object) -> list[str]:
    return json.dumps(value, indent=1, sort_keys=True).splitlines()
