"""Names that OME gives to objects, labels and files of a component (reference 04 §10.3, §12.3; 10 §6).

All functions are byte-exact: the node label that the model agent sets and the selector that the renderer writes must be
the same text.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Literal

ComponentName = Literal["engine", "decoder", "router"]
COMPONENTS: tuple[ComponentName, ...] = ("engine", "decoder", "router")
"""In the order in which OME renders them."""

RUNTIME_CONFIG: dict[ComponentName, str] = {c: f"{c}Config" for c in COMPONENTS}
"""The field of a runtime's spec that configures each component."""

DEFAULT_CONTAINER = "ome-container"
DEFAULT_PORT = 8080

LABEL_LIMIT = 63
MODEL_LABEL_PREFIX = "models.ome.io/"
MODEL_READY = "Ready"

_HASH_DIGITS = 8
_CLUSTER_MODEL_LIMIT = 32
_NAMESPACED_MODEL_LIMIT = 38
_MODEL_NAMESPACE_LIMIT = 8


def component_name(service: str, component: ComponentName) -> str:
    """The name of a component's Deployment, autoscaler, disruption budget and access rules; never shortened."""
    return f"{service}-{component}"


def shortened(name: str) -> str:
    """``name`` as a label value and Service name: at most 63 characters, the start replaced by a hash.

    The hash begins with a letter, because a Service name must.
    """
    if len(name) <= LABEL_LIMIT:
        return name
    digest = _digest(name)
    if digest[0].isdigit():
        digest = "a" + digest[1:]
    return f"{digest}-{name[-(LABEL_LIMIT - _HASH_DIGITS - 1) :]}"


def model_label_key(name: str, namespace: str | None) -> str:
    """The node label that says whether a node has the model; ``namespace`` is ``None`` for a ClusterBaseModel."""
    if namespace is None:
        return f"{MODEL_LABEL_PREFIX}clusterbasemodel.{clipped(name, _CLUSTER_MODEL_LIMIT)}"
    if len(namespace) + len(name) > _NAMESPACED_MODEL_LIMIT:
        namespace_limit = min(len(namespace), _MODEL_NAMESPACE_LIMIT)
        namespace = clipped(namespace, namespace_limit)
        name = clipped(name, _NAMESPACED_MODEL_LIMIT - namespace_limit)
    return f"{MODEL_LABEL_PREFIX}{namespace}.basemodel.{name}"


def clipped(text: str, limit: int) -> str:
    """``text`` within ``limit`` characters: its hash and its end, or only the hash where there is no room for more."""
    if len(text) <= limit:
        return text
    kept = limit - _HASH_DIGITS - 1
    return f"{_digest(text)}-{text[-kept:]}" if kept > 0 else _digest(text)[:limit]


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:_HASH_DIGITS]
