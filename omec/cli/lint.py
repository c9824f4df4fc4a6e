"""``omec lint``: check ome.io manifests."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from omec.cli.console import err, out, out_file, paint, wants_color
from omec.cli.lint_run import LintRun
from omec.cli.options import FAIL_ON, MODELS_ROOT, all_source_options, threshold
from omec.errors import EXIT_CLEAN, EXIT_FINDINGS, EXIT_USAGE, OmecError
from omec.lint.result import LintResult

if TYPE_CHECKING:
    from omec.repo.config import Config
    from omec.repo.settings_lint import LintConfig

FORMATS = ("text", "full", "concise", "json", "jsonl", "sarif", "github", "gitlab", "junit")
_FOR_PEOPLE = ("text", "full", "concise")


def _listed(_context: click.Context, _parameter: click.Parameter, given: tuple[str, ...]) -> tuple[str, ...]:
    """``--select A,B --select C`` as one tuple."""
    return tuple(name.strip() for text in given for name in text.split(",") if name.strip())


@click.command(name="lint", short_help="Check ome.io manifests.")
@all_source_options
@MODELS_ROOT
@click.option("--select", multiple=True, callback=_listed, metavar="RULES", help="Only these rules report.")
@click.option("--extend-select", multiple=True, callback=_listed, metavar="RULES", help="These rules report, too.")
@click.option("--ignore", multiple=True, callback=_listed, metavar="RULES", help="These rules do not report.")
@click.option("--skip-kind", multiple=True, callback=_listed, metavar="KINDS", help="Nothing about objects of a kind.")
@click.option("--preview", is_flag=True, help="Rules in preview report, too.")
@click.option("--format", "format_", type=click.Choice(FORMATS), default="text", show_default=True)
@click.option("--statistics", is_flag=True, help="How often each rule reports, instead of the findings.")
@click.option("--output", type=click.Path(path_type=Path), metavar="FILE", help="Write to FILE, not to stdout.")
@click.option("--fail-on", type=FAIL_ON, help="The lowest severity that fails the run (default: error).")
@click.option("--exit-zero", is_flag=True, help="Exit with 0 whatever is found.")
@click.option("--baseline", type=click.Path(), metavar="FILE", help="Accept the findings that FILE lists.")
@click.option("--write-baseline", is_flag=True, help="Accept all present findings: write them to the baseline.")
@click.option("--add-ignore", is_flag=True, help="Suppress all present findings by comments in the manifests.")
@click.option("--reason", default="", metavar="TEXT", help="What these comments say.")
@click.option("--files", is_flag=True, help="SRC are files to report about; the whole repository is read.")
@click.option("--staged", is_flag=True, help="Read what is staged in Git, not the files on disk.")
@click.option("--fix", is_flag=True, help="Mend what can be mended safely, and report the rest.")
@click.option("--unsafe-fixes", is_flag=True, help="With --fix: also guess misspelt names, and change what runs.")
@click.option("--diff", is_flag=True, help="Show what --fix would change, and write nothing.")
@click.option("--no-cache", is_flag=True, help="Do not answer from what an earlier run has found.")
@click.option("-q", "--quiet", is_flag=True, help="No summary and no notes.")
def command(
    src: tuple[str, ...],
    format_: str,
    fail_on: str | None,
    quiet: bool,
    statistics: bool,
    output: Path | None,
    exit_zero: bool,
    write_baseline: bool,
    add_ignore: bool,
    reason: str,
    files: bool,
    staged: bool,
    fix: bool,
    unsafe_fixes: bool,
    diff: bool,
    no_cache: bool,
    **options: Any,
) -> int:
    """Check the ome.io manifests below SRC (default: source of omec.toml, or the current directory).

    Prints one finding a line as path:line:column, with the reason and how to fix it; on a terminal with the lines that
    it is about. A SRC of - reads standard input. RULES are codes (OME301), beginnings of codes (OME3), names, or ALL,
    with commas between them.
    """
    options.pop("debug")
    chosen = {name: options.pop(name) for name in ("select", "extend_select", "ignore", "preview")}
    skip_kinds, baseline = options.pop("skip_kind"), options.pop("baseline")
    _require_one_change(options["rev"] is not None or staged, fix or unsafe_fixes, diff, add_ignore, write_baseline)
    if staged:
        options["rev"] = _index(options["rev"])
    named, src = (src, ()) if files else ((), src)
    run = LintRun(src, cache=not no_cache, **options, fail_on=fail_on)
    settings = run.config.lint.overridden(**chosen, skip_kinds=skip_kinds)
    if baseline is not None:
        settings = settings.with_baseline(str(Path(baseline).absolute()))
    if write_baseline:
        return _write_baseline(run, settings)
    result = _about(run.lint(settings), run.config, named, files=files)
    if diff:
        from omec.cli.lint_fix import show  # noqa: PLC0415

        return show(result, unsafe=unsafe_fixes, quiet=quiet)
    if fix or unsafe_fixes:
        from omec.cli.lint_fix import mend  # noqa: PLC0415

        def again() -> LintResult:
            return _about(run.lint(settings), run.config, named, files=files)

        result = mend(result, again, unsafe=unsafe_fixes, quiet=quiet)
    if add_ignore:
        return _add_ignores(result, reason)
    _write(_statistics(result, format_) if statistics else _rendered(result, format_, output), output)
    if not quiet and format_ in _FOR_PEOPLE:
        for note in result.notes:
            err(f"note: {note}")
        err(_summary(result))
    return _exit_code(result, run.config.fail_on, exit_zero)


def _exit_code(result: LintResult, fail_on: str, exit_zero: bool) -> int:
    if result.incomplete:
        return EXIT_USAGE
    limit = threshold(fail_on)
    failed = limit is not None and any(finding.severity >= limit for finding in result.findings)
    return EXIT_FINDINGS if failed and not exit_zero else EXIT_CLEAN


def _require_one_change(of_git: bool, fix: bool, diff: bool, add_ignore: bool, write_baseline: bool) -> None:
    """Refuse options of which one would silently do nothing."""
    changes = {"--fix": fix, "--diff": diff, "--add-ignore": add_ignore, "--write-baseline": write_baseline}
    given = [name for name, chosen in changes.items() if chosen]
    if of_git and set(given) - {"--write-baseline"}:
        message = f"{given[0]} is about the files on disk, and --rev and --staged read others"
        raise OmecError(message, hint="leave out one of the two options", code="OME002")
    if len(given) > 1 and given not in (["--fix", "--diff"], ["--fix", "--add-ignore"]):
        raise OmecError(f"{given[-2]} and {given[-1]} exclude each other", hint="run omec twice", code="OME002")


def _index(rev: str | None) -> str:
    from omec.repo.revision import INDEX  # noqa: PLC0415

    if rev is not None:
        raise OmecError("--staged and --rev name two sources", hint="leave out one of the two options", code="OME002")
    return INDEX


def _about(result: LintResult, config: Config, named: tuple[str, ...], *, files: bool) -> LintResult:
    """What the named files have to do with, where only that is asked for."""
    if not files:
        return result
    from omec.lint.touched import touching  # noqa: PLC0415

    return touching(result, named, config)


def _write(text: str, output: Path | None) -> None:
    if output is None:
        out(text)
    else:
        out_file(output, text)


def _rendered(result: LintResult, format_: str, output: Path | None) -> str:
    if format_ not in _FOR_PEOPLE:
        rendered: str = import_module(f"omec.lint.formats.{format_}").render(result)
        return rendered
    from omec.lint.formats import concise, full, text  # noqa: PLC0415

    color = output is None and wants_color(sys.stdout)

    def painter(part: str, name: str) -> str:
        return paint(part, name, on=color)

    if format_ == "concise":
        return concise.render(result, painter)
    if format_ == "full" or (output is None and sys.stdout.isatty()):
        return full.render(result, painter)
    return text.render(result.findings, painter)


def _statistics(result: LintResult, format_: str) -> str:
    from omec.lint.formats.json import dumps  # noqa: PLC0415
    from omec.lint.statistics import statistics, table  # noqa: PLC0415

    rows = statistics(result.findings)
    if format_ in _FOR_PEOPLE:
        return table(rows)
    if format_ == "json":
        return dumps({"statistics": rows})
    raise OmecError(f"there are no statistics in format {format_}", hint="use --format text or json", code="OME002")


def _write_baseline(run: LintRun, settings: LintConfig) -> int:
    from omec.lint.baseline import written  # noqa: PLC0415
    from omec.repo.settings_file import shown  # noqa: PLC0415

    if settings.baseline is None:
        raise OmecError(
            "there is no baseline to write", hint="name it with --baseline, or as baseline of [lint]", code="OME002"
        )
    path = run.config.root / settings.baseline
    result = run.lint(settings.with_baseline(None))
    out_file(path, written(result.findings, result.sources))
    err(f"{_count(len(result.findings), 'finding')} accepted in {shown(path)}")
    return EXIT_USAGE if result.incomplete else EXIT_CLEAN


def _add_ignores(result: LintResult, reason: str) -> int:
    from omec.lint.suppress.write import add_ignores  # noqa: PLC0415

    done = add_ignores(result.findings, result.texts, reason)
    err(f"{_count(done.comments, 'comment')} added in {_count(done.files, 'file')}")
    for finding in done.left:
        err(f"note: no comment can suppress {finding.rule.code} at {finding.position}: use {_ANNOTATION}")
    return EXIT_USAGE if result.incomplete else EXIT_CLEAN


_ANNOTATION = "the annotation omec.io/ignore, or per-file-ignores"


def _summary(result: LintResult) -> str:
    counts = [_count(count, severity.label) for severity, count in result.counts.items() if count]
    return f"{_count(result.files, 'file')}: {', '.join(counts) if counts else 'no findings'}"


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
