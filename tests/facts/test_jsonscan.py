"""The JSON scanner: what it accepts, against :mod:`json` made strict, and what it survives."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from omec.facts.jsonscan import MAX_DEPTH, JsonError, Value, parse, stream

scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
documents = st.recursive(
    scalars, lambda child: st.lists(child, max_size=12) | st.dictionaries(st.text(), child, max_size=12), max_leaves=40
)
encoded = st.builds(
    lambda value, ascii_only, indent: json.dumps(value, ensure_ascii=ascii_only, indent=indent).encode(),
    documents,
    st.booleans(),
    st.sampled_from([None, 0, 2]),
)
PIECES = [
    b"[",
    b"]",
    b"{",
    b"}",
    b",",
    b":",
    b'"',
    b"\\",
    b"\\u12",
    b"\\ud800",
    b" ",
    b"\n",
    b"\x00",
    b"\xff",
    b"\xe2\x82",
]
PIECES += [
    b"0",
    b"-",
    b".",
    b"e",
    b"1.5",
    b"01",
    b"null",
    b"nul",
    b"true",
    b"NaN",
    b'"a":',
    b"[]",
    b"{}",
    b"\xef\xbb\xbf",
]


def reference(data: bytes) -> Any:
    """What :mod:`json` makes of ``data``, taught to read invalid UTF-8 and to refuse what is not JSON."""

    def refuse(constant: str) -> Any:
        raise ValueError(constant)

    text = clean(data.decode("utf-8", "surrogateescape"))
    value = json.loads(text, parse_int=str, parse_float=str, parse_constant=refuse, object_pairs_hook=list)
    return clean_all(value)


def clean(text: str) -> str:
    return "".join("\ufffd" if "\ud800" <= char <= "\udfff" else char for char in text)


def clean_all(value: Any) -> Any:
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, (list, tuple)):
        return [clean_all(item) for item in value]
    return value


def built(value: Value) -> Any:
    match value.kind:
        case "a text":
            return value.text()
        case "a number":
            return value.literal.decode()
        case "a list":
            return [built(item) for item in value.items()]
        case "an object":
            return [[key, built(member)] for key, member in value.members()]
    return {"null": None, "true": True, "false": False}[value.kind]


@given(encoded)
@example(b'{"a":"\\ud83d\\ude00\\ud83d"}')
@example(json.dumps(["\n" * 1000, "x" * 1000, list(range(1000))]).encode())
def test_reads_what_json_reads(data: bytes) -> None:
    assert built(parse(data)) == reference(data)


@given(encoded, st.lists(st.tuples(st.floats(0, 1), st.sampled_from(PIECES), st.booleans()), min_size=1, max_size=3))
def test_refuses_what_json_refuses(data: bytes, edits: list[tuple[float, bytes, bool]]) -> None:
    for where, piece, replaces in edits:
        at = int(where * len(data))
        data = data[:at] + piece + data[at + (len(piece) if replaces else 0) :]
    try:
        expected = reference(data)
    except ValueError:
        with pytest.raises(JsonError, match=r"\(line \d+, column \d+\)"):
            parse(data)
    else:
        assert built(parse(data)) == expected


MALFORMED = ["", " ", "nul", "+1", "01", "1.", "-", ".5", "1e", "'a'", "[1,]", '{"a":1,}', "{1:2}", '{"a"}', "[1 2]"]
MALFORMED += ["[1}", '"a', '"\n"', '"\\x"', '"\\u12"', "NaN", "Infinity", "[]]", "{} x", "// c\n1", "\ufeff1", "[", "{"]
MALFORMED += ['{"a":', "tru e"]


@pytest.mark.parametrize("text", MALFORMED)
def test_refuses(text: str) -> None:
    with pytest.raises(JsonError):
        parse(text.encode())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a":\n  x}', "expected a value, found 'x' (line 2, column 3)"),
        ('{"a" 1}', "expected a colon, found '1' (line 1, column 6)"),
        ("[1 2]", "expected a comma or ], found '2' (line 1, column 4)"),
        ('{"a": 1', "the file ends where a comma or } should stand (line 1, column 8)"),
        ('"a\nb"', "expected a valid character or the end of the text, found byte 0x0a (line 1, column 3)"),
        ("1 2", "expected the end of the file, found '2' (line 1, column 3)"),
        ("\xff", "expected a value, found byte 0xc3 (line 1, column 1)"),
    ],
)
def test_messages_say_where(text: str, message: str) -> None:
    with pytest.raises(JsonError) as caught:
        parse(text.encode())
    assert str(caught.value) == message


def test_depth_is_limited_as_in_go() -> None:
    assert parse(b"[" * MAX_DEPTH + b"]" * MAX_DEPTH).kind == "a list"
    assert parse(b'{"a":' * (MAX_DEPTH - 1) + b"[]" + b"}" * (MAX_DEPTH - 1)).kind == "an object"
    for innermost in (b"[]", b"{}", b"[1]", b'{"a":1}'):
        deep = b"[" * MAX_DEPTH + innermost + b"]" * MAX_DEPTH
        with pytest.raises(JsonError, match="more than 10000 levels"):
            parse(deep)
        assert parse(deep[1:-1]).kind == "a list"


def test_stream_checks_to_the_end() -> None:
    assert [key for key, _ in stream(b' {"a": 1, "b": [2]} ')] == ["a", "b"]
    assert list(stream(b"null")) == []
    for text in (b'{"a": 1} x', b'{"a": 1,}', b"[]", b"1", b"null null"):
        with pytest.raises(JsonError):
            list(stream(text))
