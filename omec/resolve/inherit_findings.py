"""What is wrong with the inheritance of a repository's runtimes.

OME's webhook judges the runtime that is written; here every runtime is judged, because a change of one can break
another.
"""

from __future__ import annotations

from collections.abc import Iterator

from omec.api.kinds import RUNTIME_KINDS
from omec.api.shapes import SERVING_RUNTIME_SPEC, normalise
from omec.catalog import Catalog, Resource, copies
from omec.finding import FieldPath, Finding, ObjectRef, Related, Rule, field_text
from omec.resolve import inherit_rules as rules
from omec.resolve.inherit import (
    CLUSTER_SERVING_RUNTIME,
    INHERIT_FROM,
    PROFILE_NOT_DISABLED,
    RUNTIME_PROFILE,
    SERVING_RUNTIME,
    Chain,
    ChainResolver,
    Reason,
)
from omec.resolve.merge import DIRECTIVES

_PARENT: FieldPath = ("metadata", "annotations", INHERIT_FROM)
_PROFILE: FieldPath = ("metadata", "annotations", RUNTIME_PROFILE)
_DISABLED: FieldPath = ("spec", "disabled")
_RULES: dict[Reason | None, Rule] = {
    Reason.PARENT_NOT_FOUND: rules.PARENT_NOT_FOUND,
    Reason.CYCLE: rules.CYCLE,
    Reason.MAX_DEPTH: rules.MAX_DEPTH,
    Reason.RESOLVER_ERROR: rules.MERGE_FAILED,
    Reason.AMBIGUOUS_PARENT: rules.PARENT_AMBIGUOUS,
}
"""A parent that exists in the cluster only is no finding."""


def inherit_findings(catalog: Catalog, chains: ChainResolver) -> list[Finding]:
    """Broken chains, profiles that are not disabled, and children that can be selected automatically."""
    if not chains.inheritance:
        return []
    runtimes = (runtime for kind in RUNTIME_KINDS for runtime in catalog.of_kind(kind) if not runtime.context)
    return [finding for runtime in runtimes for finding in _judge(runtime, chains)]


def _judge(runtime: Resource, chains: ChainResolver) -> Iterator[Finding]:
    if runtime.annotations.get(RUNTIME_PROFILE) == "true" and runtime.spec.get("disabled") is not True:
        yield _profile_not_disabled(runtime)
    if not chains.parent_name(runtime):
        return
    chain = chains.chain(runtime)
    rule = _RULES.get(chain.reason)
    if rule is not None:
        yield _broken(rule, chain, chains.catalog)
    entry = _selectable_entry(runtime)
    if entry is not None:
        yield _autoselect(runtime, chains.parent_name(runtime), entry)


def _broken(rule: Rule, chain: Chain, catalog: Catalog) -> Finding:
    return Finding(
        rule,
        chain.error or "",
        chain.head.locate(_PARENT),
        object=chain.head.ref,
        field=field_text(_PARENT),
        help=_help(chain, catalog),
        related=tuple(_related(chain, catalog)),
    )


def _related(chain: Chain, catalog: Catalog) -> Iterator[Related]:
    """Where the cause stands, if that is not the head's own annotation."""
    last = chain.runtimes[0]
    if chain.reason is Reason.RESOLVER_ERROR:
        for runtime in chain.runtimes:
            for path in _nameless_secrets(runtime.spec, ("spec",)):
                yield Related(runtime.locate(path), "this item has no name")
            for path in _directives(runtime):
                yield Related(runtime.locate(path, key=True), "this key is read as a directive")
    elif last is not chain.head:
        yield Related(last.locate(_PARENT), f"{last.ref} inherits from {chain.parent} here")
    if chain.reason is Reason.AMBIGUOUS_PARENT:
        yield from copies.related(_definitions(chain, catalog), "defined here")


def _definitions(chain: Chain, catalog: Catalog) -> tuple[Resource, ...]:
    name, namespace = chain.parent or "", chain.head.namespace
    local = catalog.ambiguous.get(ObjectRef(SERVING_RUNTIME, namespace, name), ())
    return local or catalog.ambiguous.get(ObjectRef(CLUSTER_SERVING_RUNTIME, None, name), ())


def _nameless_secrets(value: object, path: FieldPath) -> Iterator[FieldPath]:
    """The items of image pull secrets that have no name: the only ones that cannot be merged."""
    if isinstance(value, dict):
        for key, item in value.items():
            if key == "imagePullSecrets" and isinstance(item, list):
                yield from ((*path, key, i) for i, secret in enumerate(item) if secret in ({}, {"name": ""}))
            else:
                yield from _nameless_secrets(item, (*path, key))


def _directives(runtime: Resource) -> list[FieldPath]:
    """The keys of labels and other maps that the merge takes for directives; elsewhere OME drops such a key before."""
    return list(_directives_in(normalise(SERVING_RUNTIME_SPEC, runtime.spec), ("spec",)))


def _directives_in(value: object, path: FieldPath) -> Iterator[FieldPath]:
    if isinstance(value, dict):
        for key, item in value.items():
            if key.startswith(DIRECTIVES):
                yield (*path, key)
            yield from _directives_in(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _directives_in(item, (*path, index))


def _help(chain: Chain, catalog: Catalog) -> str:
    last = chain.runtimes[0].ref
    match chain.reason:
        case Reason.PARENT_NOT_FOUND:
            return _missing_help(chain.parent or "", chain.head.namespace, catalog)
        case Reason.CYCLE:
            return f"remove {INHERIT_FROM} from {last}, or let it inherit from another runtime"
        case Reason.MAX_DEPTH:
            return f"remove {INHERIT_FROM} from {last}, or make one runtime of two in the chain"
        case Reason.AMBIGUOUS_PARENT:
            return f"keep one definition of {chain.parent}"
        case _:
            return _merge_help(chain)


def _merge_help(chain: Chain) -> str:
    """How to make the members mergeable: the merge stops at the first fault, and there may be more."""
    keys = dict.fromkeys(field_text(path) for runtime in chain.runtimes for path in _directives(runtime))
    secrets = [path for runtime in chain.runtimes for path in _nameless_secrets(runtime.spec, ("spec",))]
    remedies = [f"rename {', '.join(keys)}"] if keys else []
    if secrets or not keys:
        remedies.append("give every item of imagePullSecrets a name")
    return f"{' and '.join(remedies)}, here and in all runtimes that this one inherits from"


def _missing_help(name: str, namespace: str | None, catalog: Catalog) -> str:
    elsewhere = next((runtime for runtime in catalog.of_kind(SERVING_RUNTIME) if runtime.name == name), None)
    if elsewhere is not None and namespace is None:
        return f"{elsewhere.ref} has that name, but a ClusterServingRuntime inherits from ClusterServingRuntimes only"
    if elsewhere is not None:
        return f"{elsewhere.ref} has that name; inherit from a runtime of namespace {namespace} or of the cluster scope"
    close = _closest(name, namespace, catalog)
    if close is not None:
        return f"did you mean {close}?"
    return f"add the runtime {name}, or list it under external-runtimes in omec.toml if the cluster has it"


def _closest(name: str, namespace: str | None, catalog: Catalog) -> str | None:
    import difflib  # noqa: PLC0415 - only for a wrong name

    names = {runtime.name for runtime in catalog.of_kind(CLUSTER_SERVING_RUNTIME)}
    if namespace is not None:
        names |= {runtime.name for runtime in catalog.of_kind(SERVING_RUNTIME, namespace)}
    return next(iter(difflib.get_close_matches(name, sorted(names), n=1)), None)


def _profile_not_disabled(runtime: Resource) -> Finding:
    written = "disabled" in runtime.spec
    return Finding(
        rules.PROFILE_NOT_DISABLED,
        PROFILE_NOT_DISABLED,
        runtime.locate(_DISABLED if written else _PROFILE),
        object=runtime.ref,
        field=field_text(_DISABLED),
        help="set spec.disabled: true; runtimes that inherit from the profile then need spec.disabled: false",
    )


def _selectable_entry(runtime: Resource) -> int | None:
    """The index of the first own entry that automatic selection may use."""
    entries = runtime.spec.get("supportedModelFormats")
    if not isinstance(entries, list):
        return None
    selectable = (i for i, entry in enumerate(entries) if isinstance(entry, dict) and entry.get("autoSelect") is True)
    return next(selectable, None)


def _autoselect(runtime: Resource, parent: str, entry: int) -> Finding:
    path: FieldPath = ("spec", "supportedModelFormats", entry, "autoSelect")
    return Finding(
        rules.INHERIT_AUTOSELECT,
        f"{runtime.ref} can be selected automatically, and would then run without what it inherits from {parent}",
        runtime.locate(path),
        object=runtime.ref,
        field=field_text(path),
        help="set autoSelect: false, and name the runtime in the InferenceServices that should use it",
    )
