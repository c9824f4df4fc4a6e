"""omec's own marks on what it renders.

They stand on the metadata of objects only: a mark in a pod template or a selector would restart pods whenever omec
changes its mind about marks. A label that the user has set stays.
"""

from __future__ import annotations

from omec.compile.inputs import Object

MANAGED_BY_LABEL = "app.kubernetes.io/managed-by"
MANAGED_BY = "omec"


def mark(obj: Object) -> None:
    """Say on ``obj`` that omec manages it, so that ``kubectl get -l`` finds everything that it made."""
    obj["metadata"].setdefault("labels", {}).setdefault(MANAGED_BY_LABEL, MANAGED_BY)
