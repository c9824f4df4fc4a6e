"""What Kueue itself would refuse about a ClusterQueue made from a valid tree (reference 15 §4).

Neither the schema of AcceleratorQuotas nor their webhook looks at these numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from omec.finding import FieldPath, field_text
from omec.resolve.quota.amount import ZERO, amount_of

_NEGATIVE = "must be greater than or equal to 0"
_NO_COHORT = "must be nil when cohort is empty"
_LENDS_TOO_MUCH = "must be less than or equal to the nominalQuota"


class QueueRefusal(NamedTuple):
    """Kueue refuses the quota at ``path`` of the ClusterQueue."""

    path: FieldPath
    value: str
    detail: str

    @property
    def message(self) -> str:
        return f'{field_text(self.path)}: Invalid value: "{self.value}": {self.detail}'


def queue_refusals(queue: Mapping[str, Any]) -> Iterator[QueueRefusal]:
    """The refusals of Kueue's webhook, in its order."""
    in_cohort = bool(queue["spec"].get("cohortName"))
    for group_index, group in enumerate(queue["spec"].get("resourceGroups", ())):
        for flavor_index, flavor in enumerate(group["flavors"]):
            for index, quota in enumerate(flavor["resources"]):
                path = ("spec", "resourceGroups", group_index, "flavors", flavor_index, "resources", index)
                yield from _quota_refusals(path, quota, in_cohort=in_cohort)


def schema_refusal(queue: Mapping[str, Any]) -> str | None:
    """The message of the API server's own check of the ClusterQueue, ``None`` where it takes it."""
    if queue["spec"].get("cohortName"):
        return None
    borrows = any(
        "borrowingLimit" in quota
        for group in queue["spec"].get("resourceGroups", ())
        for flavor in group["flavors"]
        for quota in flavor["resources"]
    )
    if not borrows:
        return None
    name = queue["metadata"]["name"]
    problem = "spec: Invalid value: borrowingLimit must be nil when cohort is empty"
    return f'ClusterQueue.kueue.x-k8s.io "{name}" is invalid: {problem}'


def _quota_refusals(path: FieldPath, quota: Mapping[str, str], *, in_cohort: bool) -> Iterator[QueueRefusal]:
    for field in ("nominalQuota", "borrowingLimit", "lendingLimit"):
        if field not in quota:
            continue
        at, value = (*path, field), quota[field]
        if amount_of(value) < ZERO:
            yield QueueRefusal(at, value, _NEGATIVE)
        if field != "nominalQuota" and not in_cohort:
            yield QueueRefusal(at, value, _NO_COHORT)
        if field == "lendingLimit" and amount_of(value) > amount_of(quota["nominalQuota"]):
            yield QueueRefusal(at, value, _LENDS_TOO_MUCH)
