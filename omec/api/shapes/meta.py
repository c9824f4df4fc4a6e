"""Object metadata (meta/v1, Kubernetes 1.35)."""

from __future__ import annotations

from omec.api.shapes.model import (
    BOOL,
    INT,
    RAW,
    STRING,
    STRING_MAP,
    ListOf,
    always,
    pointer,
    struct,
)

OWNER_REFERENCE = struct(
    "OwnerReference",
    apiVersion=always(STRING),
    kind=always(STRING),
    name=always(STRING),
    uid=always(STRING),
    controller=pointer(BOOL),
    blockOwnerDeletion=pointer(BOOL),
)
OBJECT_META = struct(
    "ObjectMeta",
    name=STRING,
    generateName=STRING,
    namespace=STRING,
    selfLink=STRING,
    uid=STRING,
    resourceVersion=STRING,
    generation=INT,
    creationTimestamp=STRING,
    deletionTimestamp=STRING,
    deletionGracePeriodSeconds=pointer(INT),
    labels=STRING_MAP,
    annotations=STRING_MAP,
    ownerReferences=ListOf(OWNER_REFERENCE, key="uid"),
    finalizers=ListOf(STRING, union=True),
    managedFields=ListOf(
        struct(
            "ManagedFieldsEntry",
            manager=STRING,
            operation=STRING,
            apiVersion=STRING,
            time=STRING,
            fieldsType=STRING,
            fieldsV1=RAW,
            subresource=STRING,
        )
    ),
)
