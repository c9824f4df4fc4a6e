"""The ``kustomization.yaml`` beside the objects, with which teams patch them by the tool they know."""

from __future__ import annotations

from collections.abc import Iterable

from omec.compile.index import Entry
from omec.compile.layout import FILE_HEADER, OutputFile

FILE_NAME = "kustomization.yaml"
OTHER_NAMES = ("kustomization.yml", "Kustomization")
"""The other names that kustomize looks for; it refuses a folder with two of them."""


def kustomization(resources: Iterable[str]) -> list[OutputFile]:
    """The file that lists ``resources``, paths from its own folder; none where there are none.

    Kustomize refuses an empty list. The index records no digest: two branches that add a service each would else
    always meet in that line.
    """
    from omec.repo.yaml import dump  # noqa: PLC0415

    paths = sorted(resources)
    if not paths:
        return []
    body = {"apiVersion": "kustomize.config.k8s.io/v1beta1", "kind": "Kustomization", "resources": paths}
    return [OutputFile(FILE_NAME, (FILE_HEADER + dump(body)).encode(), Entry(object="Kustomization"))]
