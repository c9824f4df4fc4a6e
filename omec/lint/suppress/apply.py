"""Take out of the findings what is suppressed, and find the suppressions that are of no use."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence

from omec.finding import Finding, Position, Rule
from omec.lint import control_rules as rules
from omec.lint.suppress.suppression import Scope, Suppression


def unsuppressed(findings: Iterable[Finding], suppressions: Sequence[Suppression]) -> Iterator[Finding]:
    """The findings that no suppression silences; each suppression remembers what it was used for."""
    by_scope: defaultdict[Scope, list[Suppression]] = defaultdict(list)
    for suppression in suppressions:
        by_scope[suppression.scope].append(suppression)
    for finding in findings:
        place = finding.position
        scopes: tuple[Scope, ...] = (finding.object, (place.path, place.line), (place.path, None))
        asked = [suppression for scope in scopes for suppression in by_scope.get(scope, ())]
        # All are asked: two suppressions of one finding are both of use.
        if not [suppression for suppression in asked if suppression.silences(finding)]:
            yield finding


def judged(suppressions: Iterable[Suppression], enabled: Callable[[Rule], bool]) -> Iterator[Finding]:
    """What is wrong with suppressions that have been applied: unknown rules, no use, no reason.

    Where none of the rules meant is ``enabled``, nothing can be told of their use.
    """
    from omec.lint.selectors import matching, suggested  # noqa: PLC0415 - imports every module that defines rules

    for suppression in suppressions:
        for name, position in suppression.selectors:
            meant = matching(name)
            if not meant:
                message = f"no rule is called {name}, so that nothing is suppressed"
                yield _finding(suppression, rules.UNKNOWN_SUPPRESSED, message, position, suggested(name))
            elif name not in suppression.used and any(map(enabled, meant)):
                yield _finding(
                    suppression, rules.UNUSED_SUPPRESSION, f"{name} is suppressed here, but not found", position
                )
        if not suppression.reason:
            message = "the suppression does not say why"
            yield _finding(suppression, rules.UNEXPLAINED_SUPPRESSION, message, suppression.position)


def _finding(suppression: Suppression, rule: Rule, message: str, position: Position, help_: str = "") -> Finding:
    return Finding(rule, message, position, object=suppression.ref, help=help_ or rule.remedy)
