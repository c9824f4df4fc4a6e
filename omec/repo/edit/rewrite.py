"""Edits by writing the file anew with ruamel.yaml, which keeps comments, quotes, anchors and order."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable

from omec.repo.edit.model import Change, apply

_INDENTED_ITEMS = re.compile(r"^( *)[^\s#-][^\n]*:[ \t]*\n\1 +- ", re.MULTILINE)


class CannotRewriteError(Exception):
    """A file that ruamel.yaml cannot read or change."""


def rewritten(text: str, changes: Iterable[Change]) -> str:
    """``text`` with the edits made; raises :class:`CannotRewriteError`.

    A byte order mark, CR LF and the end of the last line are as they were.
    """
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    new = _round_trip(text.removeprefix(mark).replace("\r\n", "\n"), changes)
    if not text.endswith("\n"):
        new = new.removesuffix("\n")
    return mark + (new.replace("\n", "\r\n") if "\r\n" in text else new)


def _round_trip(text: str, changes: Iterable[Change]) -> str:
    from ruamel.yaml import YAML  # noqa: PLC0415 - only a few manifests need it
    from ruamel.yaml.error import YAMLError  # noqa: PLC0415

    yaml = YAML(typ="rt")
    yaml.preserve_quotes = True
    yaml.width = 2**16
    yaml.explicit_start = text.lstrip().startswith("---")
    if _INDENTED_ITEMS.search(text):
        yaml.indent(mapping=2, sequence=4, offset=2)
    try:
        documents = list(yaml.load_all(text))
        for change in changes:
            apply(documents[change.document.index], change.edits)
        stream = io.StringIO()
        yaml.dump_all(documents, stream)
    except (YAMLError, LookupError, TypeError, AttributeError, ValueError) as error:
        raise CannotRewriteError from error
    return stream.getvalue()
