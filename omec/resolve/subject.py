"""The service that findings are about."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from omec.catalog import Resource
from omec.catalog.copies import related
from omec.finding import FieldPath, Finding, ObjectRef, Related, Rule, field_text
from omec.resolve import reasons
from omec.resolve.decide import Decider, Decision

RUNTIME_NAME: FieldPath = ("spec", "runtime", "name")
RUNTIME_KIND: FieldPath = ("spec", "runtime", "kind")
REVISION: FieldPath = ("spec", "runtime", "revision")
AUTO_SYNC: FieldPath = ("spec", "runtime", "autoSync")
MODEL_NAME: FieldPath = ("spec", "model", "name")
MODEL_KIND: FieldPath = ("spec", "model", "kind")


class ServiceSubject(msgspec.Struct, frozen=True):
    """A service with the decision about it."""

    service: Resource
    decision: Decision
    decider: Decider

    @classmethod
    def of(cls, decision: Decision, decider: Decider) -> ServiceSubject:
        assert decision.service is not None
        return cls(decision.service, decision, decider)

    def finding(
        self, rule: Rule, path: FieldPath, message: str, *, remedy: str = "", related: tuple[Related, ...] = ()
    ) -> Finding:
        """A finding at ``path`` of the service; ``remedy`` is the rule's fix unless it is given."""
        return Finding(
            rule,
            message,
            self.service.locate(path),
            object=self.service.ref,
            field=field_text(path),
            help=remedy or rule.remedy,
            related=related,
        )

    def gives(self, path: FieldPath) -> bool:
        """Whether the manifest itself gives the field, and not a default."""
        value: object = self.service.body
        for step in path:
            value = value.get(step) if isinstance(value, dict) else None
        return value is not None

    def refusal(self, error: str) -> str:
        """``error`` as the webhook says it for a service with a model."""
        model, named = self.decision.model, self.decision.named
        if model is None:
            return error
        if named is None:
            return reasons.no_supporting_runtime(model.name, error)
        return reasons.incompatible(named.reference.name, model.name, error)

    def copies(self, ref: ObjectRef) -> tuple[Related, ...]:
        """Where the definitions of an ambiguous object stand, or some of many."""
        return related(self.decider.catalog.ambiguous[ref], "defined here")

    def similar(self, name: str, kinds: Iterable[str]) -> str:
        """A "did you mean" among the objects of ``kinds`` that the service can use."""
        import difflib  # noqa: PLC0415

        resources = [resource for kind in kinds for resource in self.decider.catalog.of_kind(kind)]
        visible = {r.name for r in resources if r.namespace in (None, self.service.namespace)}
        if close := difflib.get_close_matches(name, sorted(visible - {name}), n=3, cutoff=0.7):
            return f"did you mean {' or '.join(close)}?"
        if elsewhere := sorted(str(resource.ref) for resource in resources if resource.name == name):
            return f"{elsewhere[0]} exists, but a service of namespace {self.service.namespace} cannot use it"
        return ""
