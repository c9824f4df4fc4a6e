"""The question of ``omec why``: an object by name or by file, and a field of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from omec.compile.layout import Identity, OutputObject, folder_of, identity, lay_out
from omec.compile.provenance.answer import Answer
from omec.compile.provenance.asker import Asker
from omec.compile.provenance.fields import find_field, parse_field
from omec.compile.provenance.objects import find_object, object_ref
from omec.compile.provenance.rules import NO_RENDERED_OBJECT
from omec.errors import OmecError
from omec.finding import field_text

_SUFFIXES = (".yaml", ".yml", ".json")


def why(asker: Asker, name: str, field: str, namespace: str | None = None) -> Answer:
    """The answer about ``field`` of the object ``name``; raises :class:`OmecError` where there is none."""
    steps = parse_field(field)
    file = Path(name) if is_file_name(name) else None
    outputs = asker.compilation.outputs
    failed = [compiled.service.ref for compiled in asker.compilation.services if compiled.failed]
    item = find_object(outputs, name, namespace, failed) if file is None else _by_identity(asker, file)
    ref = object_ref(item)
    where, content = _output_file(asker, item)
    shown = file if file is not None else where
    stale = None if shown is None or not shown.is_file() else shown.read_bytes() != content
    try:
        path = find_field(item.body, steps, str(ref))
    except OmecError as error:
        if file is not None and stale:
            error.hint += f"; {file} is not what the sources give now"
        raise
    fields = tuple(asker.leaves(item, path))
    return Answer(ref, field_text(path), fields, None if stale is None else str(shown), stale)


def is_file_name(name: str) -> bool:
    """Whether ``name`` is meant as a file: one that exists, or a manifest's by its ending."""
    return name.endswith(_SUFFIXES) or Path(name).is_file()


def identity_in(file: Path) -> Identity:
    """The identity of the one object that ``file`` holds; raises :class:`OmecError` where there is no such thing."""
    from omec.repo.read import read  # noqa: PLC0415

    if not file.is_file():
        raise OmecError(
            f"there is no file {file}",
            hint="name a file that omec compile wrote, or the object as KIND/NAMESPACE/NAME",
            code=NO_RENDERED_OBJECT.code,
        )
    bodies = [document.value for document in read([file]).documents if _is_object(document.value)]
    if len(bodies) != 1:
        raise OmecError(
            f"{file} holds {len(bodies)} Kubernetes objects",
            hint="name a file with one, or the object as KIND/NAMESPACE/NAME",
            code=NO_RENDERED_OBJECT.code,
        )
    return identity(bodies[0])


def _is_object(value: Any) -> bool:
    metadata = value.get("metadata")
    return (
        isinstance(value.get("apiVersion"), str)
        and isinstance(value.get("kind"), str)
        and isinstance(metadata, dict)
        and isinstance(metadata.get("name"), str)
    )


def _by_identity(asker: Asker, file: Path) -> OutputObject:
    wanted = identity_in(file)
    found = _with_identity(asker, wanted)
    if found is None:
        name = "/".join(filter(None, wanted[1:]))
        raise OmecError(
            f"the sources do not give rise to {name}, the object in {file}",
            hint="omec compile says what is wrong, or --platform names the platform that it was rendered for",
            code=NO_RENDERED_OBJECT.code,
        )
    return found


def rendered(asker: Asker, wanted: Identity) -> bytes | None:
    """What the file of the object of that identity would hold now, ``None`` where there is no such object."""
    item = _with_identity(asker, wanted)
    return None if item is None else _output_file(asker, item)[1]


def _with_identity(asker: Asker, wanted: Identity) -> OutputObject | None:
    return next((item for item in asker.compilation.outputs if identity(item.body) == wanted), None)


def _output_file(asker: Asker, item: OutputObject) -> tuple[Path | None, bytes]:
    """The file of ``item`` in the configured output (``None``: there is none), and what it would hold now."""
    folder = folder_of(item.owner)
    beside = [other for other in asker.compilation.outputs if folder_of(other.owner) == folder]
    wanted = str(object_ref(item))
    written = next(file for file in lay_out(beside, _source)[folder] if file.entry.object == wanted)
    out = asker.config.output_path
    below = Path(asker.config.environment or "", folder, written.name)
    return None if out is None else _shown(out / below), written.content


def _source(resource: Any) -> str:
    return str(resource.document.source)


def _shown(path: Path) -> Path:
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path
