"""The Go types of OME's and Kubernetes' APIs, as tables: what decoding and encoding makes of a value."""

from omec.api.shapes.component import DECODER_SPEC, ENGINE_SPEC, LEADER_SPEC, ROUTER_SPEC, WORKER_SPEC
from omec.api.shapes.container import CONTAINER
from omec.api.shapes.model import Json, ListOf, MapOf, Scalar, Shape, Struct
from omec.api.shapes.pod import POD_FIELDS, POD_SPEC, POD_TEMPLATE_SPEC
from omec.api.shapes.runtime import SERVING_RUNTIME_SPEC

__all__ = [
    "CONTAINER",
    "DECODER_SPEC",
    "ENGINE_SPEC",
    "LEADER_SPEC",
    "POD_FIELDS",
    "POD_SPEC",
    "POD_TEMPLATE_SPEC",
    "ROUTER_SPEC",
    "SERVING_RUNTIME_SPEC",
    "WORKER_SPEC",
    "Json",
    "ListOf",
    "MapOf",
    "Scalar",
    "Shape",
    "Struct",
    "normalise",
]


def normalise(shape: Shape, value: Json) -> Json:
    """``value`` as Go encodes it after decoding it into the type of ``shape``.

    Drops what Go drops (unknown fields, unset fields, values of the wrong type), orders fields as declared, and prints
    quantities and durations in their canonical form. ``None`` where the type cannot hold ``value``. The result is new.
    """
    return shape.normalise(value)
