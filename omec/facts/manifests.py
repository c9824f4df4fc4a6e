"""Writing facts into manifests: lines are added, and everything else in the file stays as it is.

Where a fact has to go between things that stand on one line, ruamel.yaml writes the file anew, comments included.
Whatever the way, the new text is read again and must say the old values and the new ones, nothing else.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

import msgspec

from omec.finding import FieldPath
from omec.repo.document import Document
from omec.repo.objects import read_text
from omec.repo.walk import SourceFile
from omec.repo.yaml import dump

WRITTEN_FIELDS = (
    "modelType",
    "modelArchitecture",
    "modelFormat",
    "modelFramework",
    "modelParameterSize",
    "maxTokens",
    "modelCapabilities",
    "quantization",
    "diffusionPipeline",
)
"""In the order in which they are written. ``modelConfiguration`` is not among them: OME's agent replaces it whenever a
byte differs, which a GitOps tool would take for drift, and no decision rests on it."""

_SAYS_NOTHING: tuple[Any, ...] = (None, "", [], [""], {})
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")


class CannotWriteError(Exception):
    """A manifest that facts cannot be written into; the text says why."""


class Addition(msgspec.Struct, frozen=True):
    """A fact for one document: where it goes, and what is to stand there."""

    path: FieldPath
    value: Any


class Change(msgspec.Struct, frozen=True):
    """What one document of a file lacks."""

    document: Document
    additions: Sequence[Addition]

    def applied(self) -> dict[str, Any]:
        """The document's value as it will be; what an alias repeats in it stays as it was."""
        value: dict[str, Any] = json.loads(json.dumps(self.document.value))
        _apply(value, self.additions)
        return value


def additions(spec: Mapping[str, Any], filled: Mapping[str, Any]) -> list[Addition]:
    """What ``filled`` has and the manifest's ``spec`` lacks."""
    added: list[Addition] = []
    for name in WRITTEN_FIELDS:
        given, value = spec.get(name), filled.get(name)
        if value in _SAYS_NOTHING or value == given:
            continue
        if given in _SAYS_NOTHING:
            added.append(Addition(("spec", name), value))
        elif isinstance(given, dict) and isinstance(value, dict):
            added += [Addition(("spec", name, key), value[key]) for key in value if given.get(key) in _SAYS_NOTHING]
    return added


def with_facts(path: str, text: str, changes: Sequence[Change]) -> str:
    """``text``, the content of the file ``path``, with ``changes`` to its documents.

    Raises :class:`CannotWriteError` where that is not possible without touching what else it says.
    """
    if path.lower().endswith(".json"):
        raise CannotWriteError("it is a JSON file")
    try:
        new = _with_lines(text, changes)
    except CannotWriteError:
        new = _rewritten(text, changes)
    if not _says(path, text, new, changes):
        new = _rewritten(text, changes)
        if not _says(path, text, new, changes):
            raise CannotWriteError("its YAML is written in a way that leaves no place for them")
    return new


def _with_lines(text: str, changes: Sequence[Change]) -> str:
    lines = _LINE.findall(text)
    line_end = "\r\n" if "\r\n" in text else "\n"
    blocks: dict[int, str] = {}
    for change in changes:
        for addition in change.additions:
            line, block = _insertion(change.document, addition)
            blocks[line] = blocks.get(line, "") + block.replace("\n", line_end)
    for line in sorted(blocks, reverse=True):
        lines.insert(line, blocks[line])
    return "".join(lines)


def _insertion(document: Document, addition: Addition) -> tuple[int, str]:
    """The line after which an addition goes, and its text: it stands first in its mapping."""
    *parent, name = addition.path
    mapping: Any = document.value
    for step in parent:
        mapping = mapping[step]
    head = document.locate(tuple(parent), key=True)
    first = document.locate((*parent, next(iter(mapping), "")), key=True)
    if name in mapping or first.line <= head.line or first.column <= head.column:
        raise CannotWriteError
    indent = " " * (first.column - 1)
    return head.line, "".join(f"{indent}{line}\n" for line in dump({name: addition.value}).splitlines())


def _rewritten(text: str, changes: Sequence[Change]) -> str:
    from ruamel.yaml import YAML  # noqa: PLC0415 - only a few manifests need it
    from ruamel.yaml.error import YAMLError  # noqa: PLC0415

    yaml = YAML(typ="rt")
    yaml.preserve_quotes = True
    yaml.width = 2**16
    yaml.explicit_start = text.lstrip().startswith("---")
    if re.search(r"^( *)[^\s#-][^\n]*:[ \t]*\n\1 +- ", text, re.MULTILINE):  # items stand further in than their key
        yaml.indent(mapping=2, sequence=4, offset=2)
    try:
        documents = list(yaml.load_all(text))
        for change in changes:
            _apply(documents[change.document.index], change.additions)
    except (YAMLError, LookupError, TypeError):
        raise CannotWriteError("its YAML cannot be written again as it is") from None
    stream = io.StringIO()
    yaml.dump_all(documents, stream)
    return stream.getvalue()


def _apply(value: Any, added: Sequence[Addition]) -> None:
    for addition in added:
        *parent, name = addition.path
        mapping = value
        for step in parent:
            mapping = mapping[step]
        mapping[name] = deepcopy(addition.value)


def _says(path: str, before: str, after: str, changes: Sequence[Change]) -> bool:
    """Whether ``after`` says all that ``before`` says, and the ``changes``."""
    changed = {change.document.index: change.applied() for change in changes}
    expected = [changed.get(document.index, document.value) for document in _documents(path, before)]
    return [document.value for document in _documents(path, after)] == expected


def _documents(path: str, text: str) -> list[Document]:
    return read_text(SourceFile(path, path, lambda _: text.encode()), text).documents
