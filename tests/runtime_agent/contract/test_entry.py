"""Entries as Go reads and writes them; the vectors beyond the oracle's."""

from __future__ import annotations

import pytest

from omec.facts.jsonscan import parse
from omec.runtime_agent.contract.entry import Change, Entry, Progress, config_of
from omec.runtime_agent.contract.gotext import encode, number, untyped
from omec.runtime_agent.contract.names import ModelKey, entry_key, is_true, parse_entry_key


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (-0.0, "-0"),
        (1e-6, "0.000001"),
        (1.5e-7, "1.5e-7"),
        (1e20, "100000000000000000000"),
        (1e21, "1e+21"),
        (-1.25e22, "-1.25e+22"),
        (9007199254740993.0, "9007199254740992"),
        (104857600.5, "104857600.5"),
        (100.0, "100"),
        (5e-324, "5e-324"),
    ],
)
def test_numbers(value: float, text: str) -> None:
    assert number(value) == text


def test_maps_are_sorted_and_the_last_of_duplicates_wins() -> None:
    assert encode(untyped(parse(b'{"b":1,"a":[true,null,"<"],"b":{"z":1,"y":2}}'))) == (
        '{"a":[true,null,"\\u003c"],"b":{"y":2,"z":1}}'
    )


@pytest.mark.parametrize(
    "text",
    ["", "Ready", "[]", '"x"', '{"name":1}', '{"config":[]}', '{"progress":{"totalFiles":1.5}}', '{"name":"a"} x'],
)
def test_what_is_no_entry(text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        Entry.parse(text)


def test_an_entry_that_omec_wrote_is_read_as_it_was() -> None:
    facts = {"modelType": "llama", "modelConfiguration": {"b": 1, "a": 2.5}, "modelCapabilities": [""]}
    progress = Progress("downloading", 10, 5, 2, 1, 1.5, "2026-05-06T07:00:00Z")
    text = Change("m", config=config_of(facts), progress=progress).applied(None)
    assert text is not None
    assert Entry.parse(text).text() == text
    assert Entry.parse(text).config == {
        "modelType": "llama",
        "modelCapabilities": [""],
        "decodedModelConfiguration": {"a": 2.5, "b": 1.0},
        "artifact": {"sha": "", "parentPath": None, "childrenPaths": None},
    }


def test_a_change_that_changes_nothing_leaves_no_entry() -> None:
    assert Change("m", clears_progress=True).applied(None) is None


@pytest.mark.parametrize("name", ["m", "a.b", "x" * 236])
@pytest.mark.parametrize("namespace", [None, "ns"])
def test_keys_come_back(name: str, namespace: str | None) -> None:
    assert parse_entry_key(entry_key(name, namespace)) == ModelKey(namespace, name)


@pytest.mark.parametrize(
    ("value", "true"),
    [("true", True), ("True", True), ("TRUE", True), ("1", False), ("yes", False), ("", False), (None, False)],
)
def test_reserve_label(value: str | None, true: bool) -> None:
    assert is_true(value) is true
