"""``omec tree``: a runtime's chain, its children and the services that use it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from omec.cli.console import err, out
from omec.cli.effective import short_name
from omec.cli.options import open_source, source_options, warn_of_lost
from omec.cli.values import print_value
from omec.errors import EXIT_CLEAN, EXIT_FINDINGS

if TYPE_CHECKING:
    from omec.resolve.tree import Branch, Tree


@click.command(name="tree", short_help="Show a runtime's chain, its children and the services that use it.")
@click.argument("runtime", metavar="RUNTIME")
@source_options
@click.option("-n", "--namespace", metavar="NS", help="The namespace of a ServingRuntime.")
@click.option(
    "-o", "--format", "format_", type=click.Choice(["text", "json", "yaml"]), default="text", show_default=True
)
def command(runtime: str, src: tuple[str, ...], namespace: str | None, format_: str, **source: Any) -> int:
    """Show what RUNTIME inherits from, what inherits from it, and which InferenceServices each of them serves."""
    source.pop("debug")
    repo = open_source(src, **source)
    warn_of_lost(repo)
    answer = repo.tree(runtime, namespace)
    if format_ == "text":
        out("".join(f"{line}\n" for line in lines(answer)))
    else:
        print_value(answer.to_dict(), format_)
    if answer.error:
        err(f"error: {answer.error}")
        return EXIT_FINDINGS
    return EXIT_CLEAN


def lines(tree: Tree) -> Iterator[str]:
    """The tree with the chain above it: ancestors from the root down, then everything below the runtime."""
    for depth, ancestor in enumerate(tree.ancestors):
        yield f"{_indent(depth)}{short_name(ancestor)}"
    yield from _branch(tree.branch, len(tree.ancestors), chosen=True)


def _branch(branch: Branch, depth: int, *, chosen: bool = False) -> Iterator[str]:
    yield f"{_indent(depth)}{short_name(branch.runtime)}{'  <' if chosen else ''}"
    for service in branch.services:
        yield f"{_indent(depth + 1)}InferenceService {service.namespace}/{service.name}"
    for child in branch.children:
        yield from _branch(child, depth + 1)


def _indent(depth: int) -> str:
    return "   " * (depth - 1) + "└─ " if depth else ""
