"""``omec schema``: JSON Schemas for editors, and CustomResourceDefinitions."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from omec.api.kinds import KINDS
from omec.cli.console import err, out, out_manifests
from omec.errors import OmecError

ALL = "all"
CONFIG = "omec.toml"
_MODELINE = "# yaml-language-server: $schema="
_HELP = f"""\
JSON Schemas (draft-07) of the kinds of ome.io, and of {CONFIG}:

{{kinds}}

omec schema --write schemas    writes them all to a folder

Editors with the YAML language server check a file whose first line is

  {_MODELINE}schemas/ome.io/inferenceservice_v1beta1.json

with the path from that file to the schema, or all files that their settings name:

  "yaml.schemas": {{{{"schemas/all.json": ["manifests/**/*.yaml"]}}}}

all.json judges an object by its kind and lets the kinds of other groups pass. For {CONFIG}, the first line is

  #:schema schemas/omec.toml.json

omec schema --crd all          prints the CustomResourceDefinitions of OME 1.3
"""


def editor_files() -> dict[str, str]:
    """The text of every schema by its path in a folder of schemas."""
    from omec.api.editor import file_name  # noqa: PLC0415 - loads pydantic

    names = {kind: file_name(kind) for kind in KINDS} | {ALL: "all.json", CONFIG: "omec.toml.json"}
    return {name: _json(_schema(subject)) for subject, name in names.items()}


def _json(value: Any) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n"


@click.command(name="schema", short_help="Print JSON Schemas for editors, or CustomResourceDefinitions.")
@click.argument("kind", required=False, metavar="[KIND|all|omec.toml]")
@click.option("--crd", is_flag=False, metavar="KIND|all", help="Print the CustomResourceDefinition of this kind.")
@click.option("--write", type=click.Path(path_type=Path, file_okay=False), metavar="DIR", help="Write all schemas.")
@click.option("-o", "--format", "format_", type=click.Choice(["json", "yaml"]), help="Default: json; yaml with --crd.")
def command(kind: str | None, crd: str | None, write: Path | None, format_: str | None) -> int:
    """Print the JSON Schema of KIND for editors; of every kind in one schema with all.

    Without KIND, say which there are and how editors use them.
    """
    if sum(given is not None for given in (kind, crd, write)) > 1:
        raise OmecError("KIND, --crd and --write exclude each other", hint="give one of them", code="OME002")
    if crd is not None:
        _print_definitions(list(KINDS) if crd == ALL else [_known(crd, [*KINDS, ALL])], format_ or "yaml")
    elif write is not None:
        _write(write)
    elif kind is not None:
        _print([_schema(_known(kind, [*KINDS, ALL, CONFIG]))], format_ or "json")
    else:
        out(_HELP.format(kinds="\n".join(f"  {kind}" for kind in KINDS)))
    return 0


def _known(name: str, names: Iterable[str]) -> str:
    """The one of ``names`` that ``name`` is, in any letter case."""
    by_lower_case = {known.lower(): known for known in names}
    if name.lower() in by_lower_case:
        return by_lower_case[name.lower()]
    close = difflib.get_close_matches(name.lower(), by_lower_case, n=1)
    hint = f"did you mean {by_lower_case[close[0]]}?" if close else f"known: {', '.join(by_lower_case.values())}"
    raise OmecError(f"there is no schema of {name}", hint=hint, code="OME002")


def _schema(subject: str) -> dict[str, Any]:
    from omec.api.editor import editor_schema, schema_of_all_kinds  # noqa: PLC0415 - loads pydantic
    from omec.repo.config_schema import config_schema  # noqa: PLC0415

    if subject == CONFIG:
        return config_schema()
    return schema_of_all_kinds() if subject == ALL else editor_schema(subject)


def _print_definitions(kinds: list[str], format_: str) -> None:
    from omec.api.crd import custom_resource_definition  # noqa: PLC0415 - loads pydantic

    _print([custom_resource_definition(kind) for kind in kinds], format_)


def _print(values: list[dict[str, Any]], format_: str) -> None:
    """Print one value, or several as YAML documents or as the items of a List."""
    from omec.repo.yaml import dump_all  # noqa: PLC0415

    if format_ == "yaml":
        out_manifests(dump_all(values))
    else:
        out_manifests(_json(values[0] if len(values) == 1 else {"apiVersion": "v1", "kind": "List", "items": values}))


def _write(folder: Path) -> None:
    from omec.api.editor import file_name  # noqa: PLC0415 - loads pydantic
    from omec.facts.atomic import replace_file  # noqa: PLC0415

    files = editor_files()
    for name, text in files.items():
        path = folder / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            replace_file(path, text.encode())
        except OSError as error:
            raise OmecError(f"cannot write {path}: {error.strerror}", hint="name another folder") from error
    err(f"Wrote {len(files)} schemas. For editors, the first line of an InferenceService in this folder would be")
    err(f"{_MODELINE}{folder}/{file_name('InferenceService')}")
