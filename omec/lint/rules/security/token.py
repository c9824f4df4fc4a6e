"""``token-in-plain-text``: the published form of a token."""

from __future__ import annotations

from collections.abc import Iterator

from omec.api.secrets import Sort
from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault
from omec.lint.rules.security.faults import faults

RULE = Rule(
    "OME800",
    "token-in-plain-text",
    Severity.ERROR,
    "A manifest holds a token in plain text: Hugging Face, GitHub, AWS, OpenAI and the like, or a private key",
    why=(
        "Everybody who can read the repository, the object in the cluster or the command line of the process "
        "has the token. Git keeps it after it was deleted."
    ),
    fix="Keep it in a Secret, refer to that, and revoke the one that was written here.",
    source="docs/linting.md",
    bad="""\
env:
- {name: HF_TOKEN, value: hf_QkvWzTuNcRsYdLmJpXbG}
""",
    good="""\
env:
- {name: HF_TOKEN, valueFrom: {secretKeyRef: {name: hf, key: token}}}
""",
)


def check(context: Context) -> Iterator[Fault]:
    return faults(context, Sort.FORM)
