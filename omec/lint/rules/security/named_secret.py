"""``secret-in-plain-text``: a value behind a name that announces a secret."""

from __future__ import annotations

from collections.abc import Iterator

from omec.api.secrets import Sort
from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault
from omec.lint.rules.security.faults import faults

RULE = Rule(
    "OME801",
    "secret-in-plain-text",
    Severity.WARNING,
    "A variable, argument, parameter or annotation whose name announces a secret has its value in plain text",
    why=(
        "Everybody who can read the repository, the object in the cluster or the command line of the process "
        "has the secret. Git keeps it after it was deleted."
    ),
    fix="Keep it in a Secret, refer to that, and revoke the one that was written here.",
    source="docs/linting.md",
    bad="""\
env:
- {name: DB_PASSWORD, value: t0p-5tack-99}
""",
    good="""\
env:
- {name: DB_PASSWORD, valueFrom: {secretKeyRef: {name: db, key: password}}}
""",
)


def check(context: Context) -> Iterator[Fault]:
    return faults(context, Sort.NAME)
