"""The command groups; each command's module is imported only when the command runs."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import ClassVar

import click

from omec.version import __version__

COMMANDS = {
    "agent": "Run the agent in a cluster: weights on nodes, labels, status.",
    "compile": "Render the InferenceServices of a repository into Kubernetes objects.",
    "doctor": "Check that a cluster is as omec's output and agent need it.",
    "effective": "Show a runtime with everything that it inherits.",
    "explain": "Show which runtimes serve a model, and why the others do not.",
    "facts": "Read what the files of models say, and keep it in omec.lock.",
    "fit": "Show whether a model fits into the memory of accelerators.",
    "lint": "Check ome.io manifests.",
    "rule": "Show the documentation of one rule.",
    "rules": "List all rules.",
    "schema": "Print JSON Schemas for editors, or CustomResourceDefinitions.",
    "status": "Show models, InferenceServices and what waits for what, from the cluster.",
    "tree": "Show a runtime's chain, its children and the services that use it.",
    "why": "Show what set a field of a rendered object, and what that overrode.",
}


class LazyGroup(click.Group):
    """A group whose ``commands_by_name`` (with their help) live in ``<package>.<name>``, each as ``command``."""

    package = "omec.cli"
    commands_by_name: ClassVar[Mapping[str, str]] = COMMANDS

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's interface
        return sorted(self.commands_by_name)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in self.commands_by_name:
            return None
        module = importlib.import_module(f"{self.package}.{cmd_name.replace('-', '_')}")
        command: click.Command = module.command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in self.commands_by_name:
            import difflib  # noqa: PLC0415

            close = difflib.get_close_matches(args[0], self.commands_by_name, n=1)
            hint = f" Did you mean {close[0]}?" if close else ""
            raise click.UsageError(f"No such command {args[0]!r}.{hint}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        if not self.commands_by_name:
            return
        with formatter.section("Commands"):
            formatter.write_dl(sorted(self.commands_by_name.items()))


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit codes: 0 clean, 1 findings or stale output, 2 wrong usage or internal error, 130 interrupted.",
)
@click.version_option(__version__, message="omec %(version)s")
def application() -> None:
    """Lint, explain and compile Open Model Engine (ome.io) manifests before they reach the cluster."""
