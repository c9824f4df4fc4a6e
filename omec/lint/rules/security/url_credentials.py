"""``url-with-credentials``: a URL with a password or a signature in it."""

from __future__ import annotations

from collections.abc import Iterator

from omec.api.secrets import Sort
from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault
from omec.lint.rules.security.faults import faults

RULE = Rule(
    "OME802",
    "url-with-credentials",
    Severity.ERROR,
    "A URL holds a password or a signature",
    why=("Whoever reads the URL can do what its owner can. URLs are printed in logs, events and error messages."),
    fix="Keep it in a Secret, refer to that, and revoke the one that was written here.",
    source="docs/linting.md",
    bad="""\
env:
- {name: PROXY, value: "http://omec:t0p5tack@proxy.example.com:3128"}
""",
    good="""\
env:
- {name: PROXY, value: "http://$(PROXY_USER):$(PROXY_PASSWORD)@proxy.example.com:3128"}
""",
)


def check(context: Context) -> Iterator[Fault]:
    return faults(context, Sort.URL)
