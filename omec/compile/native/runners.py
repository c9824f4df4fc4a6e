"""The runners of a replica: one pod template for each role (reference 05 §3.2, §7.3)."""

from __future__ import annotations

from omec.compile.inputs import Object
from omec.compile.native.projection import Projection


def runners(projection: Projection) -> list[Object]:
    """``spec.runners``: the leader before the workers, because ranks are counted in this order.

    Every template carries the same metadata; the controller reads that of the first.
    """
    metadata: Object = {"labels": dict(projection.template_labels)}
    if projection.template_annotations:
        metadata["annotations"] = dict(projection.template_annotations)
    return [
        {
            "name": role,
            "size": projection.worker_size if role == "worker" else 1,
            "template": {"metadata": metadata, "spec": pod.spec},
        }
        for role, pod in projection.pods.items()
    ]
