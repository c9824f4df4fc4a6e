"""The index: what it looks like, what it refuses, and that Git merges it."""

from __future__ import annotations

import contextlib
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omec.compile import index
from omec.compile.index import HEADER, Entry, Index
from omec.errors import OmecError

PATH = "out/llm/chat/.omec-index"

names = st.from_regex(r"[a-z0-9][a-z0-9.-]{0,20}\.yaml", fullmatch=True)
values = st.text(max_size=30)
entries = st.builds(Entry, object=values, sha256=st.text(string.hexdigits, min_size=1), source=values, chain=values)


@given(st.dictionaries(names, entries, max_size=6))
def test_round_trip(content: dict[str, Entry]) -> None:
    written = Index.of(content)
    if content:
        read = index.parse(written.text(), PATH)
        assert read == written
        assert read.text() == written.text()
    else:
        assert written.text() == ""


@given(st.dictionaries(names, entries, min_size=1, max_size=6))
def test_lines_are_sorted_and_hold_one_property_each(content: dict[str, Entry]) -> None:
    lines = Index.of(content).text().split("\n")
    assert lines[0] == HEADER
    assert lines[-1] == ""
    assert lines[:-1] == sorted(lines[:-1])
    assert all(line.split(" ")[0] in content for line in lines[1:-1])


@given(st.dictionaries(names, entries, min_size=1, max_size=4), st.data())
def test_order_and_repetition_of_lines_do_not_matter(content: dict[str, Entry], data: st.DataObject) -> None:
    written = Index.of(content)
    lines = data.draw(st.permutations(sorted(written.lines)))
    text = "\n".join((HEADER, *lines, *lines[:2])) + "\n"
    assert index.parse(text, PATH) == written


def test_what_it_looks_like() -> None:
    entry = Entry(
        object="Deployment llm/chat-engine",
        sha256="0" * 8,
        source="teams/llm/chat service.yaml",
        runtime="ServingRuntime llm/child",
        chain="ServingRuntime llm/base > ServingRuntime llm/child",
    )
    other = Entry(object="Service llm/chat", sha256="f" * 8, source="odd\nname.yaml")
    assert Index.of({"service-chat.yaml": other, "deployment-chat-engine.yaml": entry}).text() == (
        f"{HEADER}\n"
        "deployment-chat-engine.yaml chain ServingRuntime llm/base > ServingRuntime llm/child\n"
        "deployment-chat-engine.yaml object Deployment llm/chat-engine\n"
        "deployment-chat-engine.yaml runtime ServingRuntime llm/child\n"
        "deployment-chat-engine.yaml sha256 00000000\n"
        "deployment-chat-engine.yaml source teams/llm/chat service.yaml\n"
        "service-chat.yaml object Service llm/chat\n"
        "service-chat.yaml sha256 ffffffff\n"
        'service-chat.yaml source "odd\\nname.yaml"\n'
    )


GOOD = "a.yaml object X a"


@pytest.mark.parametrize(
    ("lines", "number"),
    [
        (["", GOOD], 1),
        (["# omec index 2: from the future", GOOD], 1),
        ([HEADER + "\r", GOOD + "\r"], 1),
        ([HEADER, GOOD, ""], 3),
        ([HEADER, "a.yaml"], 2),
        ([HEADER, "a.yaml object"], 2),
        ([HEADER, "a.yaml object "], 2),
        ([HEADER, GOOD, "a.yaml colour red"], 3),
        ([HEADER, "../a.yaml object X"], 2),
        ([HEADER, "b/a.yaml object X"], 2),
        ([HEADER, "/etc/a.yaml object X"], 2),
        ([HEADER, "A.yaml object X"], 2),
        ([HEADER, "..yaml object X"], 2),
        ([HEADER, ".omec-index object X"], 2),
        ([HEADER, "a.json object X"], 2),
        ([HEADER, "README.md object X"], 2),
        ([HEADER, 'a.yaml object "open'], 2),
        ([HEADER, 'a.yaml object "a" b'], 2),
        ([HEADER, "a.yaml object 1\x002"], 2),
        ([HEADER, "a.yaml object x "], 2),
        ([HEADER, "a.yaml object \udcff"], 2),
        ([HEADER, "# a comment"], 2),
    ],
)
def test_a_line_that_is_no_entry_is_refused(lines: list[str], number: int) -> None:
    with pytest.raises(OmecError) as caught:
        index.parse("\n".join(lines) + "\n", PATH)
    assert caught.value.code == "OME053"
    assert caught.value.message.startswith(f"{PATH}:{number}:1: ")
    assert "restore the file from Git" in caught.value.hint


@given(st.text(alphabet=string.printable, max_size=60))
def test_anything_else_is_refused_and_never_a_traceback(text: str) -> None:
    read = index.EMPTY
    with contextlib.suppress(OmecError):
        read = index.parse(f"{HEADER}\n{text}\n", PATH)
    assert all(name.endswith(".yaml") and "/" not in name for name in read.entries)


@pytest.mark.parametrize("marker", ["<<<<<<< HEAD", "=======", ">>>>>>> branch", "||||||| base"])
def test_a_conflict_marker_says_what_to_do(marker: str) -> None:
    with pytest.raises(OmecError) as caught:
        index.parse(f"{HEADER}\n{GOOD}\n{marker}\n", PATH)
    assert caught.value.message == f"{PATH}:3:1: the index has an unresolved merge conflict"
    assert "keep the lines of both sides" in caught.value.hint


def test_the_remedy_for_a_conflict_works() -> None:
    """Lines of both sides: everything that either of them wrote is omec's."""
    read = index.parse(f"{HEADER}\na.yaml sha256 1\nb.yaml sha256 2\na.yaml sha256 3\n", PATH)
    assert read.entries == {"a.yaml": Entry(sha256="3"), "b.yaml": Entry(sha256="2")}


def test_a_missing_end_of_line_is_no_damage() -> None:
    assert index.parse(f"{HEADER}\n{GOOD}", PATH).entries == {"a.yaml": Entry(object="X a")}
