"""The roles of the pods of one Instance (reference 05 §7.3, 04 §5.5)."""

from __future__ import annotations

from omec.compile.components import Component
from omec.compile.pod import Role


def roles(component: Component) -> tuple[Role, ...]:
    """The roles of an Instance in the order of their ranks; half a pair of leader and worker makes a single pod."""
    pair = (component.spec.get(part) is not None for part in ("leader", "worker"))
    return ("leader", "worker") if all(pair) else ("default",)


def worker_size(component: Component) -> int:
    """How many workers an Instance has."""
    return 0 if roles(component) == ("default",) else (component.spec["worker"].get("size") or 0)
