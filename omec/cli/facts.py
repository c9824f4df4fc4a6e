"""``omec facts``: what the files of models say, and the lock file that keeps it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from omec.cli.console import err, out
from omec.cli.facts_update import update
from omec.cli.options import ENV, MODELS_ROOT, open_source, source_options
from omec.cli.values import print_value
from omec.errors import EXIT_CLEAN, EXIT_FINDINGS, OmecError

if TYPE_CHECKING:
    from omec.catalog import Resource
    from omec.facts.facts import Facts
    from omec.finding import Finding
    from omec.repository import Repo
    from omec.resolve.known_facts import KnownFacts

FORMAT = click.option(
    "-o", "--format", "format_", type=click.Choice(["text", "json", "yaml"]), default="text", show_default=True
)


@click.group(name="facts", short_help="Read what the files of models say, and keep it in omec.lock.")
def command() -> None:
    """Read the facts that decide about a model from its files, and keep them in omec.lock.

    OME reads a model's architecture, format, size and quantization from its files after the download. These commands
    read the same without a cluster and without the weights.
    """


command.add_command(update)


@command.command(name="read", short_help="Show what the files of one model say.")
@click.argument("model", metavar="DIR")
@FORMAT
def read(model: str, format_: str) -> int:
    """Show what OME would derive from the model in DIR, which may also be a URI (hf://…, modelpack://…).

    A file stands for a model that it describes, like config.json. The fields have the names of the model's spec; beside
    each stands the file and key it came from.
    """
    facts = _facts_of(model)
    if format_ == "text":
        _print_facts(facts)
    else:
        print_value(facts.to_dict(), format_)
    for warning in facts.warnings:
        err(f"warning: {warning.message}")
    return EXIT_FINDINGS if facts.skipped else EXIT_CLEAN


@command.command(name="check", short_help="Check that omec.lock is complete and current.")
@source_options
@MODELS_ROOT
@click.option("-o", "--format", "format_", type=click.Choice(["text", "json", "jsonl"]), default="text")
def check(src: tuple[str, ...], models_root: Path | None, format_: str, **source: Any) -> int:
    """Check that omec.lock knows every model of SRC whose manifest leaves facts to its files, for CI.

    Nothing is fetched. Exits with 1 where a model is missing, or where the lock is about another URI than the manifest.
    """
    from omec.facts.sources import Sources  # noqa: PLC0415
    from omec.finding import Severity  # noqa: PLC0415
    from omec.resolve import facts_lock  # noqa: PLC0415
    from omec.resolve.locks import read_locks  # noqa: PLC0415

    source.pop("debug")
    repo = open_source(src, **source)
    own, *others = read_locks(repo.config, source["rev"])
    findings = tuple(facts_lock.check(repo.catalog, own, others, Sources(models_root)))
    out(_render(findings, format_))
    if format_ == "text":
        wrong = sum(finding.severity is Severity.ERROR for finding in findings)
        counts = f"{len(own.models)} model{'' if len(own.models) == 1 else 's'}"
        err(f"{own.path}: {counts}, {f'{wrong} to update' if wrong else 'current'}")
    return EXIT_FINDINGS if any(finding.severity is Severity.ERROR for finding in findings) else EXIT_CLEAN


@command.command(name="show", short_help="Show what is known about models, and from where.")
@click.argument("models", nargs=-1, metavar="[MODEL]...")
@click.option("--source", "src", multiple=True, metavar="SRC", help="Read these manifests (repeatable).")
@click.option("--config", type=click.Path(path_type=Path), metavar="FILE", help="Use this file instead of omec.toml.")
@ENV
@MODELS_ROOT
@FORMAT
def show(
    models: tuple[str, ...],
    src: tuple[str, ...],
    config: Path | None,
    env: str | None,
    models_root: Path | None,
    format_: str,
) -> int:
    """Show the facts of every MODEL (default: all) as selection sees them, each with the place that it came from."""
    from omec.resolve.facts_lock import find_models, models_of  # noqa: PLC0415

    repo = open_source(src, config=config, env=env)
    known = known_facts(repo, models_root)
    chosen = find_models(repo.catalog, models) if models else models_of(repo.catalog)
    shown = [_shown(model, known) for model in chosen]
    if format_ != "text":
        print_value({"models": shown}, format_)
        return EXIT_CLEAN
    for number, each in enumerate(shown):
        out("\n" if number else "")
        out(f"{each['model']}\n{_table([(name, _text(value), place) for name, value, place in each['facts']])}")
    return EXIT_CLEAN


@command.command(name="runtime-entry", short_help="Print what a runtime declares to accept a model.")
@click.argument("model", metavar="MODEL")
@source_options
@click.option("-n", "--namespace", metavar="NS", help="The namespace of a BaseModel.")
@MODELS_ROOT
@click.option("-o", "--format", "format_", type=click.Choice(["yaml", "json"]), default="yaml", show_default=True)
def entry(
    model: str, src: tuple[str, ...], namespace: str | None, models_root: Path | None, format_: str, **source: Any
) -> int:
    """Print the supportedModelFormats and the modelSizeRange of a runtime that accepts MODEL.

    MODEL is a model of SRC, a directory, or a URI (hf://…, modelpack://…).
    """
    from omec.cli.subject import is_elsewhere, subject  # noqa: PLC0415
    from omec.facts.runtime_entry import NoEntryError, runtime_entry  # noqa: PLC0415
    from omec.resolve.known_facts import KnownFacts  # noqa: PLC0415

    source.pop("debug")
    repo = None if is_elsewhere(model) else open_source(src, **source)
    known = KnownFacts() if repo is None else known_facts(repo, models_root, source["rev"])
    about = subject(model, repo, known, namespace=namespace)
    try:
        declared = runtime_entry(about.spec)
    except NoEntryError as error:
        remedy = f"set spec.{error.field} on the model"
        raise OmecError(
            f"no runtime can accept {about.name}: {error}",
            hint=remedy if about.knowledge else f"{known.remedy(about.model)}, or {remedy}",
            code="OME045",
        ) from None
    print_value(declared, format_)
    return EXIT_CLEAN


def known_facts(repo: Repo, models_root: Path | None, rev: str | None = None) -> KnownFacts:
    """What the locks of a repository and a models root tell."""
    from omec.resolve.known_facts import KnownFacts  # noqa: PLC0415
    from omec.resolve.locks import read_locks  # noqa: PLC0415

    return KnownFacts(read_locks(repo.config, rev), models_root)


def _facts_of(model: str) -> Facts:
    from omec.facts import read_facts  # noqa: PLC0415
    from omec.facts.sources import ModelSource, Sources, open_directory  # noqa: PLC0415

    if "://" in model:
        return Sources().open(ModelSource(model)).read().facts
    return open_directory(Path(model)).read().facts if Path(model).is_file() else read_facts(model)


def _print_facts(facts: Facts) -> None:
    from omec.facts.manifests import WRITTEN_FIELDS  # noqa: PLC0415

    spec = facts.spec()
    out(_table([(name, _text(spec[name]), facts.origins.get(name, "")) for name in WRITTEN_FIELDS if name in spec]))


def _shown(model: Resource, known: KnownFacts) -> dict[str, Any]:
    """The facts of one model, as rows of name, value and place."""
    from omec.facts.lock import key_of  # noqa: PLC0415
    from omec.facts.manifests import WRITTEN_FIELDS  # noqa: PLC0415
    from omec.resolve.filled_model import FilledModel  # noqa: PLC0415

    filled = known.filled(model)
    places = filled.facts_from if isinstance(filled, FilledModel) else {}
    rows = []
    for name in WRITTEN_FIELDS:
        value = filled.spec.get(name)
        if value is not None:
            position = model.locate(("spec", name), key=True)
            rows.append((name, value, places.get(name) or f"{position.path}:{position.line}"))
    return {"model": key_of(model.ref), "facts": rows}


def _render(findings: tuple[Finding, ...], format_: str) -> str:
    from omec.lint.formats import json, jsonl, text  # noqa: PLC0415
    from omec.lint.result import LintResult  # noqa: PLC0415

    if format_ == "text":
        return text.render(findings, lambda part, _: part)
    result = LintResult(findings)
    return json.render(result) if format_ == "json" else jsonl.render(result)


def _table(rows: list[tuple[str, str, str]]) -> str:
    widths = [max((len(row[column]) for row in rows), default=0) for column in (0, 1)]
    return "".join(
        f"  {name:<{widths[0]}}  {value:<{widths[1]}}  {place}".rstrip() + "\n" for name, value, place in rows
    )


def _text(value: Any) -> str:
    """A value of a spec field on one line."""
    if isinstance(value, dict):
        return (
            " ".join(_text(part) for part in value.values()) if value.keys() <= {"name", "version"} else _parts(value)
        )
    return ", ".join(map(_text, value)) if isinstance(value, list) else str(value) or '""'


def _parts(value: dict[str, Any]) -> str:
    return ", ".join(f"{key}={_text(part)}" for key, part in value.items())
