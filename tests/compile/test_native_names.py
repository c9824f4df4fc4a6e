"""Names that OME's controller derives: the vectors of reference 05 §6.1, §11.1 and §14.1."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omec.compile.leaderworkerset import set_name
from omec.compile.native.names import LONGEST_NAME, DerivedNames, is_replica_name, truncated

LONG = "deepseek-r1-0528-with-a-very-long-inferenceservice-name-v2"


@pytest.mark.parametrize(
    ("text", "limit", "result"),
    [
        ("x" * 63, 63, "x" * 63),
        (f"{LONG}-engine", 63, "aa0eb413--0528-with-a-very-long-inferenceservice-name-v2-engine"),
        ("deepseek-r1-engine", 31, "deepseek-r1-engine"),
    ],
)
def test_truncated(text: str, limit: int, result: str) -> None:
    assert truncated(text, limit) == result


@given(st.text("abc-0", min_size=1, max_size=200), st.integers(12, 63))
def test_truncated_fits_and_keeps_the_end(text: str, limit: int) -> None:
    result = truncated(text, limit)
    assert len(result) == min(len(text), limit)
    assert result == text or (result[0].isalpha() and text.endswith(result[9:]))


def test_names_of_a_standalone_replica() -> None:
    names = DerivedNames.of({"metadata": {"name": "llama-pool"}, "spec": {"component": "engine"}})
    assert names.pod(0, "default", 0) == "llama-pool-engine-0-default-0"
    assert names.headless_service == "llama-pool-engine-headless"
    assert names.revision("5d8f9c7a") == "llama-pool-engine-5d8f9c7a"
    assert names.pod_group(0) == "llama-pool-engine-0"
    assert names.instance(0) == "llama-pool-engine-0"
    assert names.address(0, "leader", 0) == "llama-pool-engine-0-leader-0.llama-pool-engine-headless"


def test_longest_name() -> None:
    names = DerivedNames("a" * LONGEST_NAME, "decoder")
    assert LONGEST_NAME == 41
    assert len(names.pod(999, "default", 0)) == 63


@pytest.mark.parametrize(
    ("name", "valid"),
    [
        ("chat-pool", True),
        ("chatengine", True),
        ("c", True),
        ("1chat", False),
        ("Chat", False),
        ("chat-", False),
        ("chat.pool", False),
        ("", False),
        ("chat\n", False),
    ],
)
def test_replica_name(name: str, valid: bool) -> None:
    assert is_replica_name(name) is valid


@pytest.mark.parametrize(
    ("service", "version", "name"),
    [
        ("deepseek-r1", "1.3", "lws-deepseek-r1-engine"),
        ("deepseek-r1", "1.2", "lws-deepseek-r1-engine"),
        ("a" * 44, "1.2", f"lws-{'a' * 43}-engine"),
        (LONG, "1.2", "lws-8-with-a-very-long-inferenceservice-name-v2-engine"),
        (LONG, "1.3", "lws-aa0eb413-service-name-v2-engine"),
    ],
)
def test_set_name(service: str, version: str, name: str) -> None:
    assert set_name(service, "engine", ome_version=version) == name
