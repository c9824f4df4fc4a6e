"""What all tests share."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st


@given(st.none())
def test_hypothesis_has_the_time_to_shrink(request: pytest.FixtureRequest, nothing: None) -> None:
    """Five minutes, by Hypothesis' own documentation; no limit (0) where someone waits for many examples."""
    del nothing
    marker = request.node.get_closest_marker("timeout")
    assert marker is not None
    assert marker.args[0] == 0 or marker.args[0] >= 600
