"""What ``omec compile`` says: findings, what became of every service, what changed in the output."""

from __future__ import annotations

import sys
from collections import Counter
from typing import TYPE_CHECKING, Any

import msgspec

from omec.cli.console import err, out, out_manifests, paint, wants_color
from omec.finding import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from omec.by_environment import CompiledEnvironments
    from omec.compile.output import OutputPlan
    from omec.compile.repository import CompiledService
    from omec.compile.result import Compilation

_LISTED = 25
"""Up to so many services are listed; with more only those that were refused, and with ``--verbose`` all."""

_ACTIONS = ("created", "updated", "deleted", "unchanged")


class Report(msgspec.Struct, frozen=True):
    """The outcome of a compile in text, or in JSON: then stdout holds one JSON value and nothing else."""

    compiled: Compilation | CompiledEnvironments
    json: bool
    quiet: bool
    verbose: bool

    def findings(self, *, to_stderr: bool = False) -> None:
        """The findings; to stderr where stdout is to hold the objects."""
        if self.json or not self.compiled.findings:
            return
        from omec.lint.formats.text import render  # noqa: PLC0415

        color = wants_color(sys.stderr if to_stderr else sys.stdout)
        text = render(self.compiled.findings, lambda part, name: paint(part, name, on=color))
        if to_stderr:
            err(text.removesuffix("\n"))
        else:
            out(text)

    def print_objects(self, *, blocked: bool) -> None:
        """The objects on stdout; none if an error keeps them back."""
        if self.json:
            self._print_json(blocked=blocked)
        elif not blocked:
            from omec.compile.layout import stream  # noqa: PLC0415

            out_manifests(stream(output for _, part in self.compiled.parts for output in part.outputs))
        self._services()

    def blocked(self) -> None:
        """Nothing is written, because something is wrong."""
        self.findings()
        if self.json:
            self._print_json(blocked=True)
        self._services()
        err("nothing was written: correct the errors, or use --keep-going for the other services")

    def written(self, plan: OutputPlan, *, check: bool) -> None:
        """What was written, or with ``check`` what would be."""
        self.findings()
        if self.json:
            self._print_json(
                stale=plan.is_stale if check else False,
                changes=[{"path": change.path, "action": change.action.value} for change in plan.changes],
            )
        elif check and plan.is_stale:
            out(plan.diff())
        self._services()
        if self.quiet:
            return
        for change in plan.changes:
            if change.action.value == "deleted" or (self.verbose and change.action.value != "unchanged"):
                err(f"{'would be ' if check else ''}{change.action.value}: {plan.out}/{change.path}")
        for name in plan.removed:
            err(f"{plan.out}/{name}: no environment of omec.toml; {'would be' if check else 'was'} deleted")
        for path in plan.strangers:
            err(f"warning: {plan.out}/{path} was not written by omec and is no source, but Argo CD would apply it")
        if check:
            err(f"{plan.out} is {'stale: run omec compile and commit the result' if plan.is_stale else 'up to date'}")
        else:
            for line in self._summaries(plan):
                err(line)

    def _print_json(self, *, blocked: bool = False, **more: Any) -> None:
        from omec.lint.formats.json import dumps  # noqa: PLC0415

        value = self.compiled.to_dict()
        if blocked:
            for part in value.get("environments", {"": value}).values():
                part["objects"] = []
        out_manifests(dumps({**value, **more}))

    def _services(self) -> None:
        """One line a service: what it gets, and why. Notes about what was skipped stand before."""
        if self.quiet:
            return
        for note in self.compiled.notes:
            err(f"note: {note}")
        services = [
            (f"{name}: " if name else "", compiled) for name, part in self.compiled.parts for compiled in part.services
        ]
        all_of_them = self.verbose or len(services) <= _LISTED
        listed = [(label, compiled) for label, compiled in services if all_of_them or compiled.failed]
        names = [f"{label}{compiled.service.namespace}/{compiled.service.name}" for label, compiled in listed]
        width = max(map(len, names), default=0)
        for name, (_, compiled) in zip(names, listed, strict=True):
            err(f"{name:<{width}}  {_outcome(compiled)}")

    def _summaries(self, plan: OutputPlan) -> Iterator[str]:
        """One line for the whole output, or for the folder of each environment."""
        for name, part in self.compiled.parts:
            inside = [change for change in plan.changes if change.path.startswith(f"{name}/" if name else "")]
            counts = Counter(change.action.value for change in inside)
            states = ", ".join(f"{counts[state]} {state}" for state in _ACTIONS)
            done = sum(not compiled.failed for compiled in part.services)
            errors = sum(finding.severity is Severity.ERROR for finding in part.findings)
            failures = f"; {errors} error{'s' if errors != 1 else ''}" if errors else ""
            folder = f"{plan.out}/{name}" if name else str(plan.out)
            yield f"{folder}: {done} of {len(part.services)} services; files: {states}{failures}"


def _outcome(compiled: CompiledService) -> str:
    decision = compiled.decision
    count = len(compiled.objects)
    objects = f"{count} object{'s' if count != 1 else ''}"
    if compiled.failed:
        return "refused; files written before stay as they are"
    if decision.selected is None:
        return f"stands in front of InferenceReplicas: {objects}"
    chain = compiled.chain
    if decision.named is not None:
        why = "named by the service"
    else:
        assert decision.selection is not None
        others = len(decision.selection.ranking) - 1
        why = f"selected before {others} other{'s' if others != 1 else ''}" if others else "the only one that matches"
    inherited = f", inherits from {' < '.join(ref.name for ref in reversed(chain[:-1]))}" if len(chain) > 1 else ""
    return f"{decision.selected.ref} ({why}{inherited}): {objects}"
