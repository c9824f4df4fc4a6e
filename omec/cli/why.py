"""``omec why``: what set a field of a rendered object, and what that overrode."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from omec.cli.console import err, out
from omec.cli.options import MODELS_ROOT, source_options, warn_of_lost
from omec.cli.values import print_value
from omec.errors import EXIT_CLEAN

if TYPE_CHECKING:
    from omec.compile.provenance.answer import Answer, FieldAnswer, Origin


@click.command(name="why", short_help="Show what set a field of a rendered object, and what that overrode.")
@click.argument("object_", metavar="OBJECT")
@click.argument("field", metavar="FIELD")
@source_options
@MODELS_ROOT
@click.option("-n", "--namespace", metavar="NS", help="The namespace of the object.")
@click.option("--platform", type=click.Choice(["ome", "kubernetes"]), help="Whether OME's manager runs in the cluster.")
@click.option("-o", "--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True)
def command(
    object_: str,
    field: str,
    src: tuple[str, ...],
    namespace: str | None,
    format_: str,
    **source: Any,
) -> int:
    """Say where FIELD of OBJECT comes from: file, line and column, or the rule of OME; then what it overrode.

    OBJECT is a file that omec compile wrote, or KIND[.group]/NS/NAME, KIND/NAME or NS/NAME. FIELD is a path such as
    spec.template.spec.containers[0].image, containers[name=main] or metadata.annotations[a.b/c], JSONPath, or . for all
    of the object; a mapping or list answers for everything below it. Without SRC, the sources of a file are those that
    render it, at or below the current folder.
    """
    source.pop("debug")
    from omec.cli.why_sources import repository  # noqa: PLC0415

    repo = repository(object_, src, **source)
    warn_of_lost(repo)
    answer = repo.why(object_, field, namespace=namespace)
    if answer.stale:
        err(f"warning: {answer.file} is not what the sources give now (omec compile writes it anew); this is about now")
    if format_ == "json":
        print_value(answer.to_dict(), "json")
    else:
        out(_text(answer))
    return EXIT_CLEAN


def _text(answer: Answer) -> str:
    lines = [str(answer.object)]
    for item in answer.fields:
        lines += (f"  {line}" for line in _lines(item))
    return "".join(f"{line}\n" for line in lines)


def _lines(answer: FieldAnswer) -> list[str]:
    lines = [f"{answer.field or '(all)'}: {_value(answer.value)}"]
    rule = "" if answer.rule is None else f"{answer.rule.text} ({answer.rule.source})"
    if not answer.origins:
        lines.append(f"  set by   {rule if rule.lower().startswith('ome') else f'OME: {rule}'}")
    for number, origin in enumerate(answer.origins):
        held = "" if origin.value == answer.value else f": {_value(origin.value)}"
        lines.append(f"  {'and    ' if number else 'set by '}  {_place(origin)}{held}")
    if answer.origins and rule:
        lines.append(f"  rule     {rule}")
    lines += (f"  because  {_place(origin)}: {_value(origin.value)}" for origin in answer.conditions)
    lines += (f"  over     {_place(origin)}: {_value(origin.value)}" for origin in answer.overrode)
    return lines


def _place(origin: Origin) -> str:
    from omec.compile.provenance.source import Role  # noqa: PLC0415

    if origin.role is Role.OME:
        return "OME's own default"
    if origin.role is Role.CHART:
        return f"{origin.source} (omec.toml can set it) {origin.field}"
    what = f"{origin.source} {origin.field}"
    if origin.role in (Role.PARENT, Role.API_DEFAULT, Role.FACTS, Role.PRESET):
        what += f" ({origin.role.value})"
    return what if origin.position is None else f"{origin.position} {what}"


def _value(value: Any) -> str:
    """A value on one line; a text that would read as something else is quoted."""
    if isinstance(value, str) and value and value == value.strip() and value.isprintable() and not _misread(value):
        return value
    return json.dumps(value, ensure_ascii=False)


def _misread(text: str) -> bool:
    try:
        return not isinstance(json.loads(text), str)
    except ValueError:
        return False
