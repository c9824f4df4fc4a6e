"""Names that the InferenceReplica controller derives from a replica's own (reference 05 §6.1, §7.1, §11.1)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

import msgspec

from omec.compile.names import LABEL_LIMIT, ComponentName, component_name

NAME_PATTERN = "[a-z]([-a-z0-9]*[a-z0-9])?"
"""What the name of an InferenceService or of a standalone replica matches, as OME's messages quote it."""

LONGEST_NAME = LABEL_LIMIT - len("-decoder-999-default-0")
"""The longest name whose pods all get valid host names; OME itself accepts any length and then creates no pod."""

_HASH_DIGITS = 8


def replica_name(service: str, component: ComponentName) -> str:
    """The InferenceReplica of a component: the name that OME gives its own, so that nothing runs twice unnoticed."""
    return component_name(service, component)


def is_replica_name(name: str) -> bool:
    return re.fullmatch(NAME_PATTERN, name, re.ASCII) is not None


def truncated(text: str, limit: int = LABEL_LIMIT) -> str:
    """``text`` within ``limit`` characters: a hash that begins with a letter, a hyphen, and the end of the text."""
    if len(text) <= limit:
        return text
    digest = sha256(text.encode()).hexdigest()[:_HASH_DIGITS]
    if digest[0].isdigit():
        digest = "a" + digest[1:]
    kept = limit - _HASH_DIGITS - 1
    return f"{digest}-{text[-kept:]}"


class DerivedNames(msgspec.Struct, frozen=True):
    """The names of what a replica's controller creates.

    ``prefix`` is also the value of the pods' label ``ome.io/inferenceservice``. Services and PodGroups get shortened
    names; pods do not, so a long prefix gives pods that the API server refuses.
    """

    prefix: str
    component: str

    @classmethod
    def of(cls, replica: Mapping[str, Any]) -> DerivedNames:
        """The names below ``replica``: the prefix is its InferenceService where it is projected, else its own name."""
        parent = (replica["spec"].get("parentRef") or {}).get("name")
        return cls(parent or replica["metadata"]["name"], replica["spec"]["component"])

    @property
    def headless_service(self) -> str:
        return truncated(f"{self.prefix}-{self.component}-headless")

    def instance(self, index: int) -> str:
        return f"{self.prefix}-{self.component}-{index}"

    def pod(self, index: int, runner: str, ordinal: int) -> str:
        return f"{self.instance(index)}-{runner}-{ordinal}"

    def pod_group(self, index: int) -> str:
        return truncated(self.instance(index))

    def address(self, index: int, runner: str, ordinal: int) -> str:
        """The DNS name of a pod inside its namespace."""
        return f"{self.pod(index, runner, ordinal)}.{self.headless_service}"

    def revision(self, digest: str) -> str:
        """The name of a ControllerRevision."""
        return f"{self.prefix}-{self.component}-{digest}"
