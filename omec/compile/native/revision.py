"""Which changes of a replica start a new revision and replace its pods (reference 05 §6.6).

The hash of a revision depends on the UID of the replica's owner, so only equality can be told from manifests.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from omec.api.shapes import POD_SPEC

_LABELS_LEFT_OUT = frozenset({"kueue.x-k8s.io/queue-name", "kueue.x-k8s.io/priority-class"})
_ACTIONS = frozenset(
    {
        "ome.io/release-held-revision",
        "ome.io/reset-instances",
        "ome.io/rollout-paused",
        "ome.io/rollout-promote",
        "ome.io/rollout-rollback",
    }
)
_MIGRATION_PREFIX = "ome.io/migration-request-v1-"

Revision = tuple[Any, ...]


def revision_of(spec: Mapping[str, Any], excluded: Collection[str] = ()) -> Revision:
    """What the revision of a replica with ``spec`` depends on, comparable with ``==``.

    ``excluded`` are annotations that a projected replica keeps out of it. Not part of it: counts, the order of runners,
    how Instances are updated and spread, and the worker template's metadata.
    """
    main: Any = None
    worker: Any = None
    metadata: Mapping[str, Any] = {}
    for runner in spec.get("runners") or ():
        template = runner["template"]
        pod = POD_SPEC.normalise(template.get("spec") or {})
        if runner["name"] == "worker":
            worker = pod
        else:
            main, metadata = pod, template.get("metadata") or {}
    topology = spec.get("topologyKey") if worker is not None else None
    return (
        main,
        worker,
        _kept(metadata.get("labels"), _LABELS_LEFT_OUT),
        _kept(metadata.get("annotations"), {*_ACTIONS, *excluded}),
        topology or None,
        spec.get("pairingProtocol") or None,
    )


def rolls(old: Mapping[str, Any], new: Mapping[str, Any], excluded: Collection[str] = ()) -> bool:
    """Whether a change of a replica's spec from ``old`` to ``new`` replaces its pods."""
    return revision_of(old, excluded) != revision_of(new, excluded)


def _kept(values: Mapping[str, str] | None, left_out: Collection[str]) -> dict[str, str]:
    return {
        key: value
        for key, value in (values or {}).items()
        if key not in left_out and not key.startswith(_MIGRATION_PREFIX)
    }
