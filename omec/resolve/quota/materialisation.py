"""The settings without which the quota manager writes nothing to Kueue (reference 15 §3.1)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from omec.api.gotext import quoted
from omec.api.quantity import QuantityError
from omec.resolve.quota.amount import ZERO, Amount, amount_of

CHART_COVER = {"cpu": "16M", "memory": "16Pi", "ephemeral-storage": "16Pi"}
"""The cover resources of OME's chart: high enough to limit nothing, so that a pod that asks for them is admitted."""

_LABEL = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?")
_LABEL_LENGTH = 63
_NO_LABEL = (
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with "
    "an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is "
    "'[a-z0-9]([-a-z0-9]*[a-z0-9])?')"
)
_NO_QUANTITY = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"


class MaterialisationError(ValueError):
    """Settings with which the quota manager would not start; the text is its own."""


class Materialisation(msgspec.Struct, frozen=True):
    """What every queue covers beside its budgets, and the namespaces that get a queue of every leaf.

    ``manager`` is the value of the managed-by label: who may change the objects.
    """

    manager: str = ""
    cover: Mapping[str, Amount] = msgspec.field(default_factory=dict)
    namespaces: tuple[str, ...] = ()

    @property
    def enabled(self) -> bool:
        """Whether anything is written: not while one of the three is missing."""
        return bool(self.manager and self.cover and self.namespaces)

    def check(self) -> None:
        """Raise :class:`MaterialisationError` for settings that are there in part or make no queue."""
        if not (self.manager or self.cover or self.namespaces):
            return
        problem = next(self._problems(), None)
        if problem is not None:
            raise MaterialisationError(f"invalid materialization configuration: {problem}")

    def _problems(self) -> Iterator[str]:
        if not self.manager:
            yield "field manager is required when materialization is configured"
        if not self.cover:
            yield "at least one cover resource is required when a field manager is set"
        if not self.namespaces:
            yield "at least one enrolled namespace is required when a field manager is set"
        for name, amount in sorted(self.cover.items()):
            if not name:
                yield "cover resource name must not be empty"
            if amount <= ZERO:
                yield f"cover resource {quoted(name)} must be positive, got {amount}"
        yield from _namespace_problems(self.namespaces)


def cover_of_flag(text: str) -> dict[str, Amount]:
    """The cover resources in the form of the flag, ``cpu=16M,memory=16Pi``.

    Raises :class:`MaterialisationError` with the quota manager's text.
    """
    written = {}
    for pair in listed(text):
        name, found, amount = pair.partition("=")
        if not found:
            raise MaterialisationError(f"invalid --cover-resources: cover resource {quoted(pair)} is not name=quantity")
        written[name.strip()] = amount.strip()
    return cover_of(written)


def cover_of(written: Mapping[str, str | int]) -> dict[str, Amount]:
    """The cover resources by name; raises :class:`MaterialisationError` for one that is no quantity."""
    cover = {}
    for name, value in written.items():
        try:
            cover[name] = amount_of(value)
        except QuantityError:
            problem = f"cover resource {quoted(name)}: {_NO_QUANTITY}"
            raise MaterialisationError(f"invalid --cover-resources: {problem}") from None
    return cover


def listed(text: str) -> list[str]:
    """The items of a comma-separated text, without blanks."""
    return [item.strip() for item in text.split(",") if item.strip()]


def enrolled(names: Iterable[str]) -> tuple[str, ...]:
    """Namespaces as OME's chart passes them on: without blanks and repetitions, sorted."""
    return tuple(sorted({name.strip() for name in names} - {""}))


def _namespace_problems(namespaces: Sequence[str]) -> Iterator[str]:
    for index, namespace in enumerate(namespaces):
        problems = []
        if len(namespace) > _LABEL_LENGTH:
            problems.append(f"must be no more than {_LABEL_LENGTH} characters")
        if not _LABEL.fullmatch(namespace):
            problems.append(_NO_LABEL)
        if problems:
            yield f"enrolled namespace {quoted(namespace)} is not a valid namespace name: {'; '.join(problems)}"
        if namespace in namespaces[:index]:
            yield f"enrolled namespace {quoted(namespace)} is listed more than once"
