"""The rendered object that is asked about: how people name it."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Sequence

from omec.compile.layout import OutputObject, identity
from omec.compile.provenance.fields import listed
from omec.compile.provenance.rules import NO_RENDERED_OBJECT
from omec.errors import OmecError
from omec.finding import ObjectRef

_SHORT = {
    "cm": "ConfigMap",
    "deploy": "Deployment",
    "hpa": "HorizontalPodAutoscaler",
    "ing": "Ingress",
    "ir": "InferenceReplica",
    "lws": "LeaderWorkerSet",
    "pdb": "PodDisruptionBudget",
    "sa": "ServiceAccount",
    "so": "ScaledObject",
    "svc": "Service",
}
"""kubectl's short names of the kinds that omec renders."""


def find_object(
    outputs: Sequence[OutputObject], name: str, namespace: str | None = None, failed: Sequence[ObjectRef] = ()
) -> OutputObject:
    """The object of ``outputs`` that ``name`` means: ``KIND[.group]/NS/NAME``, ``KIND/NAME``, ``NS/NAME`` or ``NAME``.

    Kinds are named as kubectl takes them: in any case, in the plural, or by their short names. Raises
    :class:`OmecError` where there is no such object, or more than one; ``failed`` services have none.
    """
    found = [item for item in outputs if _means(name.split("/"), item) and _in(namespace, item)]
    if len(found) == 1:
        return found[0]
    if found:
        raise OmecError(
            f"{name} names {len(found)} rendered objects: {_listed(found)}",
            hint=f"write it as {_text(found[0])}",
            code=NO_RENDERED_OBJECT.code,
        )
    hint = _hint(outputs, name) if not failed else f"{_failed(failed)} not rendered: omec compile says why"
    raise OmecError(f"no rendered object is called {name}", hint=hint, code=NO_RENDERED_OBJECT.code)


def _failed(services: Sequence[ObjectRef]) -> str:
    return f"{services[0]} is" if len(services) == 1 else f"{services[0]} and {len(services) - 1} more services are"


def _means(parts: list[str], item: OutputObject) -> bool:
    group, kind, namespace, name = identity(item.body)
    if parts[-1] != name or not all(parts):
        return False
    match parts[:-1]:
        case []:
            return True
        case [first]:
            return first == namespace or _is_kind(first, kind, group)
        case [first, second]:
            return second == namespace and _is_kind(first, kind, group)
    return False


def _in(namespace: str | None, item: OutputObject) -> bool:
    return namespace is None or identity(item.body)[2] == namespace


def _is_kind(text: str, kind: str, group: str) -> bool:
    """Whether ``text`` means the kind, as in ``kubectl get TEXT``."""
    name, _, wanted_group = text.partition(".")
    name = _SHORT.get(name.lower(), name).lower()
    singular = kind.lower()
    plurals = (singular, f"{singular}s", f"{singular}es", f"{singular[:-1]}ies")
    return name in plurals and (not wanted_group or group.startswith(wanted_group) or wanted_group.endswith(group))


def _listed(items: Iterable[OutputObject]) -> str:
    return listed([_text(item) for item in items], most=6)


def _text(item: OutputObject) -> str:
    _, kind, namespace, name = identity(item.body)
    return "/".join(filter(None, (kind, namespace, name)))


def object_ref(item: OutputObject) -> ObjectRef:
    _, kind, namespace, name = identity(item.body)
    return ObjectRef(kind, namespace, name)


def _hint(outputs: Sequence[OutputObject], name: str) -> str:
    if not outputs:
        return "nothing is rendered: omec compile says why"
    first = name.partition("/")[0]
    of_kind = [item for item in outputs if _is_kind(first, item.body["kind"], identity(item.body)[0])]
    spelled = {spelling.lower(): _text(item) for item in of_kind or outputs for spelling in _spellings(item)}
    close = difflib.get_close_matches(name.lower(), spelled, n=3, cutoff=0.6)
    if close:
        return f"did you mean {' or '.join(dict.fromkeys(spelled[text] for text in close))}?"
    return f"write KIND/NAMESPACE/NAME; rendered are {_listed(outputs)}"


def _spellings(item: OutputObject) -> Iterator[str]:
    _, kind, namespace, name = identity(item.body)
    yield from (_text(item), f"{kind}/{name}", name)
    if namespace:
        yield f"{namespace}/{name}"
