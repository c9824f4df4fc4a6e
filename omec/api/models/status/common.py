"""What the statuses of several kinds share."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import Field, WithJsonSchema

from omec.api.models.base import Model, list_map
from omec.api.models.scalars import Int32, Int64, StringMap

Time: TypeAlias = Annotated[str, WithJsonSchema({"type": "string", "format": "date-time"})]
"""A time as RFC 3339 text."""

Count: TypeAlias = Annotated[Int32, Field(ge=0)]
Percent: TypeAlias = Annotated[Int32, Field(ge=0, le=100)]

_TYPE_PATTERN = (
    r"^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?"
    r"(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$"
)


class Condition(Model):
    """One observation about an object: what, whether it holds, since when and why."""

    type: Annotated[str, Field(max_length=316, pattern=_TYPE_PATTERN)]
    """What is observed."""
    status: Literal["True", "False", "Unknown"]
    """Whether it holds."""
    observed_generation: Annotated[Int64, Field(ge=0)] | None = None
    """Generation of the object that was looked at."""
    last_transition_time: Time
    """When ``status`` changed last."""
    reason: Annotated[str, Field(min_length=1, max_length=1024, pattern="^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$")]
    """Why, as one word for programs."""
    message: Annotated[str, Field(max_length=32768)]
    """Why, for people."""


Conditions: TypeAlias = Annotated[list[Condition], list_map("type")]


class KnativeCondition(Model):
    """A condition in the older form that the status of an InferenceService has."""

    type: str
    """What is observed."""
    status: str
    """``True``, ``False`` or ``Unknown``."""
    severity: str | None = None
    """How much a ``False`` matters; empty is an error."""
    last_transition_time: str | None = None
    """When ``status`` changed last."""
    reason: str | None = None
    """Why, as one word for programs."""
    message: str | None = None
    """Why, for people."""


class Addressable(Model):
    """An address that can be called."""

    name: str | None = None
    """Class of the address, for example ``external``."""
    url: str | None = None
    """URL."""
    ca_certs: str | None = Field(None, alias="CACerts")
    """Certificates that the address is trusted by."""
    audience: str | None = None
    """Audience that tokens must name."""


class ComponentTrafficTarget(Model):
    """The share of a component's traffic that one revision gets."""

    revision_name: str | None = None
    """Service of the revision."""
    percent: Percent | None = None
    """Share; the shares of a component add up to 100."""
    tag: str | None = None
    """Name under which the revision is reached directly."""
    latest_revision: bool | None = None
    """Whether it is the newest revision."""
    pairing_protocol: str | None = None
    """Wire compatibility between engine and decoder; empty pairs with anything."""


class RolloutHold(Model):
    """Why a rollout does not go on."""

    gate: Literal["Pairing", "Ratio", "Sequential", "Budget", "RetryBlock", "Held", "Plan"]
    """What denied it."""
    reason: str
    """Why."""
    target: str | None = None
    """ControllerRevision that waits."""
    since: Time
    """First time with this gate and target."""


class TargetRef(Model):
    """An object by type and name."""

    api_version: str | None = None
    """API version."""
    kind: str | None = None
    """Kind."""
    name: str | None = None
    """Name."""


class SelectedAccelerator(Model):
    """The accelerator that a component runs on."""

    accelerator_class: str
    """AcceleratorClass."""
    reason: str | None = None
    """Why it was chosen."""
    node_selector: StringMap | None = None
    """Labels that its nodes have."""
    resource_requests: StringMap | None = None
    """Resources that one pod asks for."""


class LifecycleStatus(Model):
    """Counts of instances, and the revisions they are of."""

    observed_generation: Int64 | None = None
    """Generation that the counts belong to."""
    current_revision: str | None = None
    """ControllerRevision that serves."""
    update_revision: str | None = None
    """ControllerRevision that is rolled out."""
    collision_count: Int32 | None = None
    """Hash collisions of revision names."""
    label_selector: str | None = None
    """Selector of the pods, for the scale subresource."""
    replicas: Int32 | None = None
    """Instances in any phase."""
    ready_replicas: Int32 | None = None
    """Instances all of whose pods are ready."""
    serving_replicas: Int32 | None = None
    """Instances in rotation."""
    available_replicas: Int32 | None = None
    """Instances that have been ready long enough."""
    updated_replicas: Int32 | None = None
    """Instances of the new revision."""
    updated_ready_replicas: Int32 | None = None
    """Ready instances of the new revision."""
    conditions: Conditions | None = None
    """Observations."""
    rollout_hold: RolloutHold | None = None
    """Why the rollout does not go on."""
