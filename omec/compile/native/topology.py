"""Where the pods of Instances are placed relative to each other (reference 05 §11.3 to §11.5).

The controller makes the constraints, because they name Instances: a worker follows the leader of its own Instance. omec
writes the three fields that ask for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from omec.compile.inputs import Object

FIELDS = ("topologyKey", "topologySpread", "topologySpreadKey")


def topology(spec: Mapping[str, Any]) -> Object:
    """The topology fields of a component with merged ``spec``; a router has none."""
    return {field: spec[field] for field in FIELDS if spec.get(field) is not None}


def spread_key(fields: Mapping[str, Any]) -> str:
    """The node label that Instances are spread over, ``""`` for no spreading."""
    if not fields.get("topologySpread"):
        return ""
    return fields.get("topologySpreadKey") or fields.get("topologyKey") or ""
