"""``router-without-timeout``: timeouts that the router does not have, where no routes are rendered that would tell."""

from __future__ import annotations

from collections.abc import Iterator

from omec.compile.exposure import rules
from omec.lint.context import Context, Fault
from omec.lint.rules.exposure.unrouted import has_timeout, unrouted

RULE = rules.ROUTER_TIMEOUT


def check(context: Context) -> Iterator[Fault]:
    for each in unrouted(context, has_timeout):
        from omec.compile.exposure.checks import check_router_timeout  # noqa: PLC0415 - few services have one

        yield from each.faults(check_router_timeout(each.service, each.components))
