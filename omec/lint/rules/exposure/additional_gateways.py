"""``additional-gateways-unreadable``: a list of Gateways that OME cannot read, where no routes are rendered."""

from __future__ import annotations

from collections.abc import Iterator

from omec.compile.exposure import rules
from omec.compile.exposure.effective import ADDITIONAL_GATEWAYS
from omec.lint.context import Context, Fault
from omec.lint.rules.exposure.unrouted import unrouted

RULE = rules.GATEWAYS_UNREADABLE


def check(context: Context) -> Iterator[Fault]:
    for each in unrouted(context, lambda service: ADDITIONAL_GATEWAYS in service.annotations):
        from omec.compile.exposure.checks import check_additional_gateways  # noqa: PLC0415 - few services have one

        yield from each.faults(check_additional_gateways(each.service))
