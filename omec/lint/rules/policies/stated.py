"""The policy of a repository, and where it says what."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase

from msgspec.structs import replace

from omec.catalog import Resource
from omec.errors import OmecError
from omec.finding import FieldPath, Related
from omec.lint.context import Context, Fault
from omec.repo import settings_file
from omec.repo.settings_policy import Policy


def policy_of(context: Context) -> Policy:
    """The policy; one that says nothing where there is none."""
    return context.config.policy or Policy()


def stated(context: Context, faults: Iterable[Fault], *steps: str | int) -> Iterator[Fault]:
    """``faults``, each with the place of the policy at ``steps`` in the configuration file."""
    place: tuple[Related, ...] | None = None
    for fault in faults:
        if place is None:
            place = _place(context, ("policy", *steps))
        yield replace(fault, related=(*fault.related, *place))


def _place(context: Context, path: FieldPath) -> tuple[Related, ...]:
    """Nothing where the policy is in no file, or in one that has gone (an old revision)."""
    if context.config.path is None:
        return ()
    try:
        file = settings_file.read(context.config.path)
    except OmecError:
        return ()
    return (Related(file.position(path), "the policy"),)


def resources(context: Context, *kinds: str) -> Iterator[Resource]:
    """The objects of these kinds, those with errors of their own included: what they say is read as it stands."""
    for kind in kinds:
        yield from (resource for resource in context.catalog.of_kind(kind) if not resource.context)


def any_fits(globs: Iterable[str], name: str) -> bool:
    """Whether ``name`` matches one of ``globs``."""
    return any(fnmatchcase(name, glob) for glob in globs)
