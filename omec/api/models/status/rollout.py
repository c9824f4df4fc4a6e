"""How far a service's rollouts are."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from omec.api.models.base import Model
from omec.api.models.rollout import RolloutGroup
from omec.api.models.scalars import Int32, Int64, IntOrString
from omec.api.models.status.common import Time


class CanaryMetricResult(Model):
    """The last sample of one metric."""

    name: str | None = None
    """Metric."""
    value: str | None = None
    """Value that was read."""
    threshold: str | None = None
    """Bound."""
    operator: str | None = None
    """How they are compared."""
    passed: bool | None = None
    """Whether it is healthy."""
    message: str | None = None
    """Details."""
    time: Time | None = None
    """When."""


class CanaryFailure(Model):
    """Why a canary was given up."""

    reason: Literal["CapacityTimeout", "AnalysisStalled", "StableRevisionMissing"] | None = None
    """Why."""
    time: Time | None = None
    """When."""


class CanaryStatus(Model):
    """How far a canary is."""

    target_id: str | None = Field(None, alias="targetID")
    """What is rolled out."""
    canary_revision_hash: str | None = None
    """New revision."""
    stable_revision_hash: str | None = None
    """Old revision."""
    rolled_back_revision_hash: str | None = None
    """Revision that was given up."""
    current_step: Int32 | None = None
    """Step, counted from 0."""
    step_entered_time: Time | None = None
    """When the step began."""
    observed_traffic_weight: Int32 | None = None
    """Percent of requests on the new revision."""
    promoted_through: str | None = None
    """Last applied value of ``ome.io/rollout-promote``."""
    pre_step_hold: bool | None = None
    """Whether it waits before the step."""
    analysis_failed_checks: Int32 | None = None
    """Failed samples of the step."""
    last_evaluation_time: Time | None = None
    """Last sample."""
    last_conclusive_evaluation_time: Time | None = None
    """Last sample that could be read."""
    capacity_wait_since: Time | None = None
    """Since when it waits for capacity."""
    metric_results: list[CanaryMetricResult] | None = None
    """Last samples."""
    failed: CanaryFailure | None = None
    """Why it was given up."""


class PolicyReference(Model):
    """A RolloutPolicy by name."""

    name: str | None = None
    """Name."""


class ShadowedRolloutPolicy(PolicyReference):
    """A RolloutPolicy that an inline progression outranks."""

    would_pin_digest: str | None = None
    """Digest that it would give."""


class TargetRevision(Model):
    """The revisions of one component in a rollout."""

    component: str | None = None
    """Component."""
    revision: str | None = None
    """New revision."""
    stable_revision: str | None = None
    """Old revision."""


class PlannedGroup(Model):
    """A rollout group as a run holds it."""

    source: Literal["Inline", "Policy"] | None = None
    """Where the progression comes from."""
    policy_ref: PolicyReference | None = None
    """RolloutPolicy."""
    policy_generation: Int64 | None = None
    """Its generation."""
    portable_digest: str | None = None
    """Its digest."""
    group: RolloutGroup | None = None
    """The group."""


class RolloutPlan(Model):
    """The groups of a run."""

    groups: list[PlannedGroup] | None = None
    """In order."""


class ActiveRun(Model):
    """The rollout that is going on."""

    run_id: str | None = Field(None, alias="runID")
    """Identity."""
    opened_at: Time | None = None
    """When it began."""
    pinned_at: Time | None = None
    """When its plan was fixed."""
    target_revisions: list[TargetRevision] | None = None
    """Revisions by component."""
    plan: RolloutPlan | None = None
    """Its plan."""


class FinishedGroup(Model):
    """A rollout group of a run that ended."""

    source: Literal["Inline", "Policy"] | None = None
    """Where the progression came from."""
    policy_ref: PolicyReference | None = None
    """RolloutPolicy."""
    portable_digest: str | None = None
    """Its digest."""


class LastRun(Model):
    """The rollout that ended last."""

    outcome: Literal["Completed", "RolledBack", "Superseded"] | None = None
    """How."""
    opened_at: Time | None = None
    """When it began."""
    closed_at: Time | None = None
    """When it ended."""
    target_revisions: list[TargetRevision] | None = None
    """Revisions by component."""
    groups: list[FinishedGroup] | None = None
    """Its groups."""


class RolloutGroupStatus(Model):
    """Where the progression of a group comes from now."""

    index: Int32 | None = None
    """Index of the group."""
    source: Literal["Inline", "Policy"] | None = None
    """Where the progression comes from."""
    policy_ref: PolicyReference | None = None
    """RolloutPolicy."""
    observed_digest: str | None = None
    """Its digest."""
    shadowed_policy_ref: ShadowedRolloutPolicy | None = None
    """A policy that an inline progression outranks."""


class RolloutStatus(Model):
    """The rollouts of a service."""

    active_run: ActiveRun | None = None
    """The rollout that is going on."""
    last_run: LastRun | None = None
    """The rollout that ended last."""
    groups: list[RolloutGroupStatus] | None = None
    """Where progressions come from now."""


class ObservedRatio(Model):
    """Replica counts of the components of a group."""

    original: dict[str, Int32] | None = None
    """Before the rollout."""
    current: dict[str, Int32] | None = None
    """Now."""
    new_pods: dict[str, Int32] | None = None
    """Of the new revision."""


class RolloutCoordinationGroupStatus(Model):
    """How far a rollout group is."""

    name: str | None = None
    """Index of the group, as text."""
    components: list[str] | None = None
    """Its components."""
    order: list[str] | None = None
    """Their order."""
    policy: Literal["BlueGreen", "RollingUpdate", "Independent", "Sequential"] | None = None
    """Progression."""
    phase: (
        Literal[
            "Idle",
            "Surging",
            "Waiting",
            "Shifting",
            "Draining",
            "ScalingDown",
            "Staged",
            "Failed",
            "RollingBack",
            "Paused",
        ]
        | None
    ) = None
    """How far it is."""
    composite_phase: str | None = None
    """How far its components are."""
    current_component: str | None = None
    """Component whose turn it is."""
    previous_component: str | None = None
    """Component before that."""
    message: str | None = None
    """Details."""
    observed_surge: IntOrString | None = None
    """Pods above the desired count."""
    observed_ratio: ObservedRatio | None = None
    """Replica counts."""
    last_transition_time: Time | None = None
    """When the phase changed last."""


class RolloutCoordination(Model):
    """The rollout groups of a service."""

    groups: list[RolloutCoordinationGroupStatus] | None = None
    """By index."""
