"""The folder of the cache: whatever happens to it, a run gets the entry that was kept, or none."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from omec.lint.cache.folder import CacheFolder, default_folder

KEY = "0123456789abcdef" * 4
OTHER = "f" * 64
ENTRY = b'{"findings":["caf\xc3\xa9"]}'


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cache"


@pytest.fixture
def file(path: Path) -> Path:
    """The file of a kept entry."""
    CacheFolder(path).put(KEY, ENTRY)
    return path / "lint" / KEY


def test_what_was_kept_is_there(path: Path, file: Path) -> None:
    assert CacheFolder(path).get(KEY) == ENTRY
    assert CacheFolder(path).get(OTHER) is None
    assert (path / "CACHEDIR.TAG").read_text(encoding="utf-8").startswith("Signature: 8a477f597d28d172789f06886806bc55")


def test_only_the_user_may_read_it(file: Path) -> None:
    assert file.stat().st_mode & 0o077 == 0
    assert file.parent.stat().st_mode & 0o077 == 0


def test_a_cut_entry_is_none(path: Path, file: Path) -> None:
    whole = file.read_bytes()
    for length in range(len(whole)):
        file.write_bytes(whole[:length])
        assert CacheFolder(path).get(KEY) is None


def test_a_damaged_entry_is_none_or_the_same(path: Path, file: Path) -> None:
    whole = file.read_bytes()
    for place in range(len(whole)):
        for flipped in (0x01, 0x20, 0x80):
            damaged = bytearray(whole)
            damaged[place] ^= flipped
            file.write_bytes(damaged)
            assert CacheFolder(path).get(KEY) in (None, ENTRY)


@pytest.mark.parametrize(
    "content", [b"", b"null", b"[]", b"{}", b"\x80\x04", b"[" * 100_000, b'{"digest":1,"content":2}']
)
def test_what_is_no_entry_is_none(path: Path, file: Path, content: bytes) -> None:
    file.write_bytes(content)
    assert CacheFolder(path).get(KEY) is None


def test_an_entry_under_another_name_is_none(path: Path, file: Path) -> None:
    file.rename(file.with_name(OTHER))
    assert CacheFolder(path).get(OTHER) is None


def test_a_folder_that_cannot_be_used_is_as_good_as_none(tmp_path: Path, path: Path) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.touch()
    for place in (in_the_way, in_the_way / "below", Path("/proc/nowhere")):
        CacheFolder(place).put(KEY, ENTRY)
        assert CacheFolder(place).get(KEY) is None
    (path / "lint" / KEY).mkdir(parents=True)
    CacheFolder(path).put(KEY, ENTRY)
    assert CacheFolder(path).get(KEY) is None
    assert [entry.name for entry in (path / "lint").iterdir()] == [KEY], "nothing is left behind"


def test_a_full_disk_leaves_no_part_of_an_entry(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    CacheFolder(path).put(KEY, ENTRY)
    assert [*(path / "lint").iterdir()] == []


def test_the_entry_that_was_not_used_for_longest_goes_first(path: Path) -> None:
    entry = b'"' + b"x" * 998 + b'"'
    folder = CacheFolder(path, max_bytes=4500)
    keys = [f"{number:064}" for number in range(4)]
    for age, key in enumerate(keys):
        folder.put(key, entry)
        os.utime(path / "lint" / key, (age, age))
    assert folder.get(keys[0]) == entry
    folder.put(OTHER, entry)
    assert [key for key in (*keys, OTHER) if folder.get(key)] == [keys[0], keys[2], keys[3], OTHER]


def test_an_entry_that_would_drive_out_all_others_is_not_kept(path: Path) -> None:
    folder = CacheFolder(path, max_bytes=100)
    folder.put(KEY, b"1" * 26)
    assert folder.get(KEY) is None


def test_what_a_run_left_behind_that_was_ended_goes(path: Path, file: Path) -> None:
    left, busy = file.with_name(".new-left"), file.with_name(".new-busy")
    left.touch()
    os.utime(left, (0, 0))
    busy.touch()
    CacheFolder(path).put(OTHER, ENTRY)
    assert not left.exists()
    assert busy.exists()


def test_many_at_a_time(path: Path) -> None:
    """Runs that write, read and prune at once see whole entries only, each its own."""
    keys = [f"{number:064}" for number in range(8)]

    def work(number: int) -> list[bytes | None]:
        folder = CacheFolder(path, max_bytes=20_000)
        key = keys[number % len(keys)]
        folder.put(key, b'"%s"' % (key.encode() * 50))
        return [folder.get(other) for other in keys]

    with ThreadPoolExecutor(8) as pool:
        for found in pool.map(work, range(80)):
            for key, entry in zip(keys, found, strict=True):
                assert entry in (None, b'"%s"' % (key.encode() * 50))


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({"HOME": "/"}, "/.cache/omec"),
        ({"HOME": "/no/such/home"}, None),
        ({"HOME": "/", "XDG_CACHE_HOME": ""}, "/.cache/omec"),
        ({"HOME": "/", "XDG_CACHE_HOME": "relative"}, "/.cache/omec"),
        ({"HOME": "/", "XDG_CACHE_HOME": "/caches"}, "/caches/omec"),
        ({"XDG_CACHE_HOME": "/caches", "OMEC_CACHE_DIR": "/mine"}, "/mine"),
        ({"XDG_CACHE_HOME": "/caches", "OMEC_CACHE_DIR": "/mine", "OMEC_NO_CACHE": "1"}, None),
    ],
)
def test_default_folder(monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], expected: str | None) -> None:
    for name in ("XDG_CACHE_HOME", "OMEC_CACHE_DIR", "OMEC_NO_CACHE"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert default_folder() == (None if expected is None else Path(expected))


def test_a_named_folder_is_meant_from_the_current_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("OMEC_NO_CACHE", raising=False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OMEC_CACHE_DIR", "cache")
    assert default_folder() == tmp_path / "cache"
