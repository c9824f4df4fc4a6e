"""Versions: the tables of reference 01 §5, and what holds for every version."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omec.api.version import (
    OPERATORS,
    Version,
    VersionError,
    compare_versions,
    parse_version,
    try_parse_version,
    version_matches,
)


def _version(numbers: str, **suffixes: Any) -> dict[str, Any]:
    major, minor, patch = map(int, numbers.split("."))
    plain = {"prefix": "", "pre": (), "build": (), "dev": (), "precision": 3}
    return {"major": major, "minor": minor, "patch": patch, **plain, **suffixes}


# Reference 01 §5.3.
PARSED = [
    ("1", _version("1.0.0", precision=1)),
    ("v1", _version("1.0.0", prefix="v", precision=1)),
    ("1.12", _version("1.12.0", precision=2)),
    ("v1.12", _version("1.12.0", prefix="v", precision=2)),
    ("0.6.0", _version("0.6.0")),
    ("v0.8.0", _version("0.8.0", prefix="v")),
    ("0", _version("0.0.0", precision=1)),
    ("0.0.0", _version("0.0.0")),
    ("4.51.3-SAM-HQ-preview", _version("4.51.3", pre=("SAM-HQ-preview",))),
    ("4.43.0+build", _version("4.43.0", build=("build",))),
    ("4.45.0.dev0", _version("4.45.0", dev=("dev0",))),
    ("1.2.3.4", _version("1.2.3", dev=("4",))),
    ("1.2.3.4.5", _version("1.2.3", dev=("4", "5"))),
    ("1.0.0.dev0-rc1", _version("1.0.0", dev=("dev0",), pre=("rc1",))),
    ("1.0.0-rc1.dev0", _version("1.0.0", pre=("rc1", "dev0"))),
    ("1.0.0-rc1+b1", _version("1.0.0", pre=("rc1",), build=("b1",))),
    ("1.0.0+b1-rc1", _version("1.0.0", build=("b1-rc1",))),
    ("1.0.0.dev0+cu121", _version("1.0.0", dev=("dev0",), build=("cu121",))),
    ("1.0.0+a+b", _version("1.0.0", build=("a+b",))),
    ("1.0.0--", _version("1.0.0", pre=("-",))),
    ("1.0.0-01", _version("1.0.0", pre=("01",))),
    ("1.2.3.04", _version("1.2.3", dev=("04",))),
    ("1.0.0-é", _version("1.0.0", pre=("é",))),
    ("1.0.0.dev 0", _version("1.0.0", dev=("dev 0",))),
    (
        "v1.0.0-rc.1+exp.sha.5114f85",
        _version("1.0.0", prefix="v", pre=("rc", "1"), build=("exp", "sha", "5114f85")),
    ),
    ("18446744073709551615.0.0", _version("18446744073709551615.0.0")),
]

EMPTY = 'strconv.ParseUint: parsing "": invalid syntax'

# Reference 01 §5.3, the rows with errors, and the texts of §5.2.
REFUSED = [
    ("", "Version string empty"),
    ("18446744073709551616.0.0", 'strconv.ParseUint: parsing "18446744073709551616": value out of range'),
    ("1.08.0", 'minor must not have leading zeroes: "08"'),
    ("01.0.0", 'major must not have leading zeroes: "01"'),
    ("1.0.00", 'patch must not have leading zeroes: "00"'),
    ("00", 'major must not have leading zeroes: "00"'),
    ("V1.0.0", 'invalid character(s) in major number "V1"'),
    ("vv1.0.0", 'invalid character(s) in major number "v1"'),
    ("a.b.c", 'invalid character(s) in major number "a"'),
    ("latest", 'invalid character(s) in major number "latest"'),
    ("1.0.x", 'invalid character(s) in patch number "x"'),
    ("1-beta", 'invalid character(s) in major number "1-beta"'),
    ("1+b", 'invalid character(s) in major number "1+b"'),
    ("1.2-beta", 'invalid character(s) in minor number "2-beta"'),
    ("1.2+b", 'invalid character(s) in minor number "2+b"'),
    ("1.0.0rc1", 'invalid character(s) in patch number "0rc1"'),
    ("4.46.0rc1", 'invalid character(s) in patch number "0rc1"'),
    ("1.0.0-", "prerelease meta data is empty"),
    ("1.0.0+", "build meta data is empty"),
    ("1.0.0.", "dev meta data is empty"),
    ("1.0.0-a.", "prerelease meta data is empty"),
    ("1.0.0-a..b", "prerelease meta data is empty"),
    ("1.0.0+a..b", "build meta data is empty"),
    ("1.0.0-+b", "prerelease meta data is empty"),
    ("1.0.0.-rc", "dev meta data is empty"),
    ("1.0.0..dev", "dev meta data is empty"),
    *((text, EMPTY) for text in ("v", "v.1", "1.", "1..", "1..0", ".1.2", "1.2.", ".", "..")),
    (" 1.0.0", 'invalid character(s) in major number " 1"'),
    ("1.0.0 ", 'invalid character(s) in patch number "0 "'),
    ("-1.0.0", 'invalid character(s) in major number "-1"'),
    ("+1.0.0", 'invalid character(s) in major number "+1"'),
    ("1_0.0.0", 'invalid character(s) in major number "1_0"'),
    ("0x1.0.0", 'invalid character(s) in major number "0x1"'),
    ("\uff11.0.0", 'invalid character(s) in major number "\uff11"'),
    ("1.0\n", 'invalid character(s) in minor number "0\\n"'),
]

# Reference 01 §5.4.
COMPARED = [
    ("1.8.0", "1.8.0", 0),
    ("1", "1.0.0", 0),
    ("v2", "1.9.9", 1),
    ("1.10.0", "1.9.0", 1),
    ("1.8.0-beta", "1.8.0-alpha", 1),
    ("1.8.0", "1.8.0-alpha", -1),
    ("1.8.0-alpha", "1.8.0-alpha.1", -1),
    ("1.8.0+20240708", "1.8.0+20240707", 1),
    ("1.0.0-rc10", "1.0.0-rc9", -1),
    ("1.0.0.dev1", "1.0.0", 1),
]

ANY = (*OPERATORS, None, "LessThan", "equal", "")

# Reference 01 §5.5: entry, operators, model, match.
MATCHED = [
    ("1.0.0", ["Equal"], "1.0.0", True),
    ("1.0.0", [None], "1.0", True),
    ("1.0.0", [None], "1", True),
    ("v1.0.0", ["Equal"], "1.0.0", True),
    ("v1", ["Equal"], "1.0.0", True),
    ("1.8.0", ["GreaterThan"], "1.7.0", True),
    ("1.7.0", ["GreaterThan"], "1.8.0", False),
    ("1.8.0", ["GreaterThan"], "1.8.0", False),
    ("1.10.0", ["GreaterThan"], "1.9.0", True),
    ("1.8.0", ["GreaterThanOrEqual"], "1.8.0", True),
    ("1.7.0", ["GreaterThanOrEqual"], "1.8.0", False),
    ("4.50.0", ["GreaterThanOrEqual"], "4.36.2", True),
    ("4.50.0", ["GreaterThanOrEqual"], "4.51.0", False),
    ("1.8", ["GreaterThan"], "1.7", True),
    ("2", ["GreaterThan"], "1", True),
    ("1.8", ["GreaterThan"], "1.7.0", False),
    ("1.0", ["GreaterThanOrEqual"], "1.0.0", False),
    ("v1.0.0", ["GreaterThan", "GreaterThanOrEqual"], "1.0.0", False),
    ("v1.1.0", ["GreaterThan"], "v1.0.0", True),
    ("1.8.0-dev", ["GreaterThan"], "1.8.0-dev", True),
    ("1.8.0-dev", ["GreaterThan"], "1.8.0-alpha", False),
    ("1.8.0-alpha", ["GreaterThan"], "1.8.0-dev", False),
    ("1.2.3.4", ["GreaterThan"], "1.2.3.3", False),
    ("4.45.0.dev0", ["GreaterThanOrEqual"], "4.44.0", False),
    ("4.50.0", ["GreaterThanOrEqual"], "4.45.0.dev0", False),
    ("v1.0.0.dev0", ANY, "1.0.0.dev0", True),
    ("1.0.0.dev0", ["Equal"], "1.0.0-dev0", False),
    ("1.0.0-dev0", ["Equal"], "1.0.0+dev0", False),
    ("1.0.0+b1", ["Equal"], "1.0.0+b2", False),
    ("1.0.0+b1", ["Equal"], "1.0.0", False),
    ("1.0.0-RC1", ["Equal"], "1.0.0-rc1", False),
    ("1.2.3.04", ["Equal"], "1.2.3.4", False),
    ("1.0.0", ["LessThan"], "1.0.0", True),
    ("1.0.0", ["LessThan"], "1.0", False),
    ("1.0.0", ["equal"], "v1.0.0", False),
    ("1.0.0", [""], "v1.0.0", False),
    ("1.0.0.dev0", ["LessThan"], "v1.0.0.dev0", True),
    ("", ANY, "", False),
    ("01.0.0", ["Equal"], "01.0.0", False),
    ("4.46.0rc1", ["Equal"], "4.46.0rc1", False),
    ("1.0.0", ["GreaterThan"], "bad", False),
]


@pytest.mark.parametrize(("text", "expected"), PARSED)
def test_parse(text: str, expected: dict[str, Any]) -> None:
    version = parse_version(text)
    assert {name: getattr(version, name) for name in expected} == expected
    assert version.unofficial is bool(version.pre or version.build or version.dev)


@pytest.mark.parametrize(("text", "error"), REFUSED)
def test_refuse(text: str, error: str) -> None:
    with pytest.raises(VersionError, match=f"^{re.escape(error)}$"):
        parse_version(text)
    assert try_parse_version(text) is None


@pytest.mark.parametrize(("a", "b", "result"), COMPARED)
def test_compare(a: str, b: str, result: int) -> None:
    assert compare_versions(parse_version(a), parse_version(b)) == result
    assert compare_versions(parse_version(b), parse_version(a)) == -result


@pytest.mark.parametrize(("entry", "operators", "model", "match"), MATCHED)
def test_operators(entry: str, operators: list[str | None], model: str, match: bool) -> None:
    for operator in operators:
        assert version_matches(try_parse_version(entry), operator, try_parse_version(model)) is match, operator


pieces = st.lists(st.sampled_from(["0", "1", "9", "10", "a", "rc1", "é"]), max_size=2)
numbers = st.integers(0, 12)


@st.composite
def versions(draw: st.DrawFn) -> Version:
    text = draw(st.sampled_from(["", "v"])) + ".".join(map(str, draw(st.lists(numbers, min_size=1, max_size=3))))
    if text.count(".") == 2:
        for separator in ".-+":
            suffix = draw(pieces)
            text += separator + ".".join(suffix) if suffix else ""
    return parse_version(text)


@given(st.lists(versions(), min_size=2, max_size=6))
def test_comparison_is_a_total_order(found: list[Version]) -> None:
    ordered = sorted(found, key=lambda version: version.order)
    assert all(compare_versions(a, b) <= 0 for a, b in pairwise(ordered))
    assert all(compare_versions(a, b) == -compare_versions(b, a) for a in found for b in found)
    a, b, c = ordered[0], ordered[len(ordered) // 2], ordered[-1]
    assert compare_versions(a, c) == max(compare_versions(a, b), compare_versions(b, c), key=abs)


@given(versions(), versions(), st.sampled_from(ANY))
def test_operators_narrow_equality_or_order(entry: Version, model: Version, operator: str | None) -> None:
    order = compare_versions(entry, model)
    allowed = {"GreaterThan": order > 0, "GreaterThanOrEqual": order >= 0}.get(operator or "", order == 0)
    unofficial = entry.unofficial or model.unofficial
    assert not version_matches(entry, operator, model) or (order == 0 if unofficial else allowed)


@given(st.text(max_size=12))
def test_every_text_is_a_version_or_refused(text: str) -> None:
    version = try_parse_version(text)
    assert version is None or version.precision == 1 + min(text.count("."), 2)
