"""Random values of a shape, for properties of encoding and merging."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from omec.api.shapes.model import ListOf, MapOf, Scalar, Shape, Struct

_SCALARS: dict[str, st.SearchStrategy[Any]] = {
    "string": st.sampled_from(["", "a", "b", "x<y"]),
    "bool": st.booleans(),
    "int": st.sampled_from([0, 1, 8080]),
    "IntOrString": st.sampled_from([0, 1, "25%"]),
    "Quantity": st.sampled_from(["1", "0.5", "1024Mi", "4.0", 2]),
    "Duration": st.sampled_from(["90s", "1h"]),
    "RawExtension": st.just({"any": None}),
}
_NAMES = ("name", "containerPort", "mountPath", "devicePath", "topologyKey", "ip", "uid")


@st.composite
def values(draw: st.DrawFn, shape: Shape) -> Any:
    """A value that the type of ``shape`` can hold; few fields of each struct, merge keys nearly always."""
    if isinstance(shape, Scalar):
        return draw(_SCALARS[shape.name])
    if isinstance(shape, ListOf):
        return [draw(values(shape.item)) for _ in range(draw(st.integers(0, 3)))]
    if isinstance(shape, MapOf):
        return {key: draw(values(shape.value)) for key in draw(st.sets(st.sampled_from("abc"), max_size=2))}
    assert isinstance(shape, Struct)
    names = draw(st.sets(st.sampled_from(sorted(shape.fields)), max_size=3))
    names |= {name for name in _NAMES if name in shape.fields}
    return {name: draw(values(shape.fields[name].shape)) for name in sorted(names)}
