"""What errors in other manifests leave open about a service.

A runtime that cannot be read, or whose manifest the API server would refuse, is none in the cluster today; once it is
corrected it may be the one that OME chooses. Rendering a service with the second best for as long as somebody else's
file is broken would move its pods to and fro, so such a service keeps the output that it has.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

from omec.api import rules as api_rules
from omec.api.kinds import RUNTIME_KINDS
from omec.catalog import Resource
from omec.catalog.build import OPERATOR_CONFIGMAP
from omec.compile.repository_rules import BROKEN_INPUT, OPERATOR_CONFIG_OPEN, RUNTIME_OPEN
from omec.finding import FieldPath, Finding, ObjectRef, Position, Related, Rule, Severity, field_text
from omec.repo.lost import Lost
from omec.resolve.decide import Decision

_NOT_COMPARED = ("engineConfig", "decoderConfig", "routerConfig", "containers", "volumes", "affinity", "tolerations")
"""Parts of a runtime's spec that no selection looks at, but for the annotations of components."""

_MALFORMED = frozenset(rule for rule in vars(api_rules).values() if isinstance(rule, Rule))
"""Rules about a manifest that the API server would refuse. Of other errors selection knows itself what they mean: that
a runtime has two definitions, or that its chain is broken."""


class Certainty:
    """The errors of a repository, as far as they matter to services other than the one they are in.

    ``errors`` are all errors about manifests, those of other catalogs included; ``lost`` is what could not be read.
    """

    def __init__(self, errors: Iterable[Finding], lost: Sequence[Lost]) -> None:
        self.broken: dict[ObjectRef, Finding] = {}
        self._open_runtimes: dict[ObjectRef, Finding] = {}
        for error in errors:
            if error.object is None:
                continue
            self.broken.setdefault(error.object, error)
            if error.object.kind in RUNTIME_KINDS and error.rule in _MALFORMED and _is_compared(error.field):
                self._open_runtimes.setdefault(error.object, error)
        self._lost_runtimes = [each.position for each in lost if each.may_hold(RUNTIME_KINDS)]
        self._lost_settings = [
            each.position for each in lost if each.may_hold(["ConfigMap"]) and each.may_name(OPERATOR_CONFIGMAP)
        ]
        self.is_complete = not lost

    def doubts(self, decision: Decision, runtimes: Sequence[Resource]) -> Iterator[Finding]:
        """Errors of the decision's service that come from other manifests; ``runtimes`` is the chain that it uses."""
        assert decision.service is not None
        yield from self._broken_inputs(decision, runtimes)
        if self._lost_runtimes and _hangs_on_all(decision, runtimes):
            position = self._lost_runtimes[0]
            yield _open(decision, "a file that may hold a runtime cannot be read", [(position, "cannot be read")])
        if decision.named is None and decision.model_reference is not None:
            for ref, error in sorted(self._open_runtimes.items()):
                if ref.namespace in (None, decision.namespace):
                    yield _open(decision, f"{ref} has an error of its own", [(error.position, error.message)])

    def _broken_inputs(self, decision: Decision, runtimes: Sequence[Resource]) -> Iterator[Finding]:
        inputs: list[tuple[ObjectRef, FieldPath]] = [(runtime.ref, ("spec", "runtime")) for runtime in runtimes]
        if decision.model is not None:
            inputs.append((decision.model.ref, ("spec", "model")))
        classes = sorted(decision.demands.classes)
        inputs += [(ObjectRef("AcceleratorClass", None, name), ("spec", "acceleratorSelector")) for name in classes]
        service = decision.service
        assert service is not None
        for ref, path in inputs:
            if (error := self.broken.get(ref)) is not None:
                yield Finding(
                    BROKEN_INPUT,
                    f"{service.ref} uses {ref}, which has an error of its own",
                    service.locate(path),
                    object=service.ref,
                    field=field_text(path),
                    help=f"correct {ref} first",
                    related=(Related(error.position, error.message),),
                )

    def settings_doubt(self, decision: Decision, invalid: Sequence[Finding], *, found: bool) -> Finding | None:
        """Why no service can be rendered: the operator's settings are ``invalid``, or perhaps not ``found``.

        A file that cannot be read hides them only where they are not elsewhere.
        """
        assert decision.service is not None
        service = decision.service
        places = [(error.position, error.message) for error in invalid]
        if not places and not found:
            places = [(position, "cannot be read") for position in self._lost_settings]
        if not places:
            return None
        return Finding(
            OPERATOR_CONFIG_OPEN,
            f"{service.ref} cannot be rendered, because what {OPERATOR_CONFIGMAP} says is not known",
            service.locate(("metadata", "name")),
            object=service.ref,
            help="correct that first",
            related=tuple(Related(position, message) for position, message in places[:1]),
        )


def sources_with_errors(findings: Iterable[Finding], sources: Mapping[str, str]) -> set[str]:
    """The manifests that an error is in, by their path from the configuration's folder."""
    return {sources[f.position.path] for f in findings if f.severity is Severity.ERROR and f.position.path in sources}


class Everything(Container[str]):
    """The set of all texts."""

    def __contains__(self, _: object) -> bool:
        return True


def _hangs_on_all(decision: Decision, runtimes: Sequence[Resource]) -> bool:
    """Whether a runtime that is not known could take the place of one that the service uses.

    One that is named is looked up by scope, and so are its parents; only where a look-up went on to another scope
    could an unknown one have come first.
    """
    if decision.named is None:
        return decision.model_reference is not None
    kinds = {runtime.kind for runtime in runtimes} | {decision.named.reference.kind}
    return len(kinds) > 1


def _is_compared(field: str | None) -> bool:
    """Whether selection may look at the field that an error is about."""
    if field is None or "annotations" in field:
        return True
    parts = field.replace("[", ".").split(".")
    return not (len(parts) > 2 and parts[0] == "spec" and parts[1] in _NOT_COMPARED)


def _open(decision: Decision, why: str, places: Sequence[tuple[Position, str]]) -> Finding:
    service = decision.service
    assert service is not None
    path: FieldPath = ("spec", "runtime") if decision.named is not None else ("spec", "model")
    return Finding(
        RUNTIME_OPEN,
        f"which runtime {service.ref} gets is open: {why}",
        service.locate(path),
        object=service.ref,
        field=field_text(path),
        help="correct that first, or name the runtime in spec.runtime",
        related=tuple(Related(position, message) for position, message in places),
    )
