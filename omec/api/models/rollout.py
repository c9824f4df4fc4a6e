"""Rollout groups of a service, and RolloutPolicy."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal, TypeAlias

from pydantic import Field

from omec.api import checks
from omec.api.models import kubernetes as k8s
from omec.api.models.base import Model, list_map
from omec.api.models.meta import KubernetesObject
from omec.api.models.scalars import Duration, Int32, IntOrString, StringMap

PairingProtocol: TypeAlias = Annotated[str, Field(max_length=63, pattern=r"^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$")]
"""A token for wire compatibility between engine and decoder."""


class MetricProviderRef(Model):
    """A metrics source by the name that the operator's configuration gives it."""

    name: Annotated[str, Field(min_length=1)]
    """Name of the provider."""


class AnalysisPrometheus(Model):
    """The Prometheus that analysis steps ask."""

    checks: ClassVar = (checks.PROMETHEUS_ONE_SOURCE,)

    provider_ref: MetricProviderRef | None = None
    """Provider by name; the only form that a RolloutPolicy may use."""
    server_address: str | None = None
    """Base URL; not beside ``providerRef``."""
    auth_ref: k8s.SecretKeySelector | None = None
    """Secret key with a bearer token, in the namespace of the service."""
    headers: StringMap | None = None
    """Further HTTP headers."""


class AnalysisMetric(Model):
    """One metric that must be healthy."""

    name: str
    """Name, unique in the list."""
    query: str
    """PromQL; may hold template variables such as ``{{.Namespace}}``."""
    operator: Literal["LT", "LTE", "GT", "GTE"]
    """``result operator threshold`` means healthy."""
    threshold: str
    """A number as text."""


class RolloutAnalysis(Model):
    """A gate of metrics."""

    interval: Duration
    """Time between samples."""
    initial_delay: Duration | None = None
    """Wait before the first sample."""
    failure_limit: Annotated[Int32, Field(ge=1)]
    """Failing samples that roll the step back."""
    on_inconclusive: Literal["Hold", "Rollback", "RollbackOnStall"] | None = None
    """What to do when no sample can be read (``Hold`` unless set)."""
    metrics: Annotated[list[AnalysisMetric], list_map("name"), Field(min_length=1, max_length=10)]
    """All must pass."""


class RolloutPause(Model):
    """A stop: for a time, or until somebody promotes."""

    duration: Duration | None = None
    """Length; without it the pause waits for ``ome.io/rollout-promote``."""


class RolloutGroupStep(Model):
    """One step of a canary."""

    capacity: IntOrString
    """Share of replicas on the new revision."""
    traffic: Annotated[Int32, Field(ge=0, le=100)]
    """Percent of requests on the new revision."""
    pause: RolloutPause | None = None
    """Stop at this step."""
    analysis: RolloutAnalysis | None = None
    """Metrics that must be healthy to go on."""


class GroupCanary(Model):
    """A progression in steps."""

    steps: Annotated[list[RolloutGroupStep], Field(max_length=20)] | None = None
    """Ordered steps; the last must reach 100 percent of the traffic."""
    prometheus: AnalysisPrometheus | None = None
    """Metrics source of all analysis steps."""
    scale_down_delay_seconds: Int32 | None = None
    """Wait before the old revision is scaled down."""
    ready_timeout: Duration | None = None
    """Longest wait for capacity."""


class GroupBlueGreen(Model):
    """A flip from the old to the new revision as a whole; has no fields."""


class GroupRollingUpdate(Model):
    """A gradual replacement."""

    max_surge: IntOrString | None = None
    """Pods above the desired count (25% unless set)."""
    max_unavailable: IntOrString | None = None
    """Pods that may be not ready (25% unless set)."""


class MaintainRatio(Model):
    """A guard of the replica ratio between the components of a group."""

    tolerance: Annotated[Int32, Field(ge=0, le=100)] | None = None
    """Percent of drift that is allowed; 0 means none."""


class RolloutPolicyRef(Model):
    """The RolloutPolicy that supplies the progression."""

    name: Annotated[str, Field(min_length=1)]
    """RolloutPolicy in the namespace of the service."""
    progression: Literal["canary", "blueGreen", "rollingUpdate"]
    """Progression that the policy must have."""
    kind: str = "RolloutPolicy"
    """The webhook accepts only ``RolloutPolicy``."""


class RolloutGroup(Model):
    """Components that roll together."""

    checks: ClassVar = (checks.GROUP_ONE_PROGRESSION, checks.GROUP_ORDER_MEMBERS)

    components: Annotated[list[str], Field(min_length=1, max_length=3)]
    """``router``, ``engine``, ``decoder``."""
    order: Annotated[list[str], Field(max_length=3)] | None = None
    """Reserved: the webhook refuses a non-empty order."""
    canary: GroupCanary | None = None
    """Stepped progression."""
    blue_green: GroupBlueGreen | None = None
    """All-or-nothing flip; used when no progression is set."""
    rolling_update: GroupRollingUpdate | None = None
    """Gradual replacement."""
    policy_ref: RolloutPolicyRef | None = None
    """Policy with the progression; an inline progression wins over it."""
    soak: Duration | None = None
    """Wait after this group."""
    maintain_ratio: MaintainRatio | None = None
    """Guard of the replica ratio."""


class RolloutSpec(Model):
    """How changes of a service roll out."""

    groups: Annotated[list[RolloutGroup], Field(max_length=3)] | None = None
    """Ordered groups; components in none roll on their own."""
    group_ordering: Literal["Sequential", "Concurrent"] | None = None
    """Whether groups wait for each other (``Sequential`` unless set)."""
    pairing_protocol: PairingProtocol | None = None
    """Engine and decoder of different protocols are never paired."""


class RolloutPolicySpec(Model):
    """A progression that services refer to."""

    checks: ClassVar = (checks.POLICY_ONE_PROGRESSION,)

    canary: GroupCanary | None = None
    """Stepped progression."""
    blue_green: GroupBlueGreen | None = None
    """All-or-nothing flip."""
    rolling_update: GroupRollingUpdate | None = None
    """Gradual replacement."""


class RolloutPolicy(KubernetesObject):
    """A rollout progression for several services."""

    kind: Literal["RolloutPolicy"]
    """Always ``RolloutPolicy``."""
    spec: RolloutPolicySpec | None = None
    """The progression."""
