"""Rules on ``metadata``: of every object, and of the pods that a template makes."""

from __future__ import annotations

import re
from functools import lru_cache

from omec.compile.admission.fielderror import Object, Refusal, Refusals, invalid, required
from omec.compile.admission.names import DNS_LABEL, DNS_SUBDOMAIN, SERVICE_NAME, Grammar, label_keys, labels
from omec.finding import FieldPath

_NAME_GRAMMARS: dict[str, Grammar] = {"Namespace": DNS_LABEL, "Service": SERVICE_NAME}
_PATH_SEGMENT_KINDS = ("Role", "RoleBinding")
_ANNOTATIONS_LIMIT = 256 * 1024


def object_metadata(obj: Object) -> Refusals:
    """Name, namespace, labels and annotations of ``obj``."""
    metadata, path = obj["metadata"], ("metadata",)
    name = metadata.get("name", "")
    if not name:
        yield required((*path, "name"), "name or generateName is required")
    elif obj["kind"] in _PATH_SEGMENT_KINDS:
        yield from _path_segment(name, (*path, "name"))
    else:
        yield from _NAME_GRAMMARS.get(obj["kind"], DNS_SUBDOMAIN).check(name, (*path, "name"))
    if namespace := metadata.get("namespace"):
        yield from DNS_LABEL.check(namespace, (*path, "namespace"))
    yield from labels_and_annotations(metadata, path)


def labels_and_annotations(metadata: Object, path: FieldPath) -> Refusals:
    found, annotations = metadata.get("labels", {}), metadata.get("annotations", {})
    # The objects of a component have the same labels and annotations.
    if not _in_order(tuple(found.items()), tuple(annotations)):
        yield from labels(found, (*path, "labels"))
        yield from label_keys((key.lower() for key in annotations), (*path, "annotations"))
    if sum(len(key.encode()) + len(value.encode()) for key, value in annotations.items()) > _ANNOTATIONS_LIMIT:
        yield Refusal((*path, "annotations"), f"Too long: may not be more than {_ANNOTATIONS_LIMIT} bytes")


@lru_cache(maxsize=1024)
def _in_order(found: tuple[tuple[str, str], ...], annotation_keys: tuple[str, ...]) -> bool:
    refused = (*labels(dict(found), ()), *label_keys((key.lower() for key in annotation_keys), ()))
    return not refused


def _path_segment(name: str, path: FieldPath) -> Refusals:
    if name in (".", ".."):
        yield invalid(path, name, f"may not be '{name}'")
    for character in re.findall(r"[/%]", name)[:1]:
        yield invalid(path, name, f"may not contain '{character}'")
