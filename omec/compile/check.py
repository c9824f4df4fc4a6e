"""What ``compile --check`` shows: a stale output as a unified diff."""

from __future__ import annotations

from collections.abc import Iterator

_NO_FILE = "/dev/null"
_NO_NEWLINE = "\\ No newline at end of file\n"


def unified_diff(path: str, before: bytes | None, after: bytes | None) -> str:
    """The change of one file as ``diff -u`` prints it; ``None`` stands for no file, equal contents give nothing."""
    import difflib  # noqa: PLC0415 - an output that is up to date does not need it

    if before == after:
        return ""
    lines = difflib.unified_diff(
        _lines(before),
        _lines(after),
        fromfile=_NO_FILE if before is None else path,
        tofile=_NO_FILE if after is None else path,
    )
    return "".join(_terminated(lines)) or _empty_file(path, created=before is None)


def _lines(content: bytes | None) -> list[str]:
    """The lines with their ends; only a line feed ends one, and bytes that are no UTF-8 stay visible."""
    text = (content or b"").decode("utf-8", "backslashreplace")
    lines = text.split("\n")
    return [f"{line}\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])


def _terminated(lines: Iterator[str]) -> Iterator[str]:
    for line in lines:
        yield line if line.endswith("\n") else f"{line}\n{_NO_NEWLINE}"


def _empty_file(path: str, *, created: bool) -> str:
    """difflib says nothing about files without a line that come or go."""
    return f"--- {_NO_FILE if created else path}\n+++ {path if created else _NO_FILE}\n"
