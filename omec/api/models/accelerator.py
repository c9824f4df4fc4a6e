"""AcceleratorClass, and how services and runtimes ask for accelerators."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from omec.api.models import kubernetes as k8s
from omec.api.models.base import Model
from omec.api.models.meta import KubernetesObject
from omec.api.models.scalars import Int32, Int64, Quantity, StringMap

AtLeastZero = Annotated[Int64, Field(ge=0)]


class AcceleratorConstraints(Model):
    """What an AcceleratorClass must meet to be chosen."""

    min_memory: Int64 | None = None
    """Least memory, in GB."""
    max_memory: Int64 | None = None
    """Most memory, in GB."""
    min_compute_performance_tflops: Int64 | None = Field(None, alias="minComputePerformanceTFLOPS")
    """Least computing power."""
    min_architecture_version: str | None = None
    """Least compute capability, as text."""
    required_features: list[str] | None = None
    """Features that must be there."""
    excluded_classes: list[str] | None = None
    """AcceleratorClasses that are out of the question."""
    architecture_families: list[str] | None = None
    """Families that are allowed."""
    preferred_precisions: list[str] | None = None
    """Numeric precisions, most wanted first."""


class AcceleratorSelector(Model):
    """The choice of an AcceleratorClass."""

    accelerator_class: str | None = None
    """Name of the class; outranks the other fields."""
    constraints: AcceleratorConstraints | None = None
    """What a class must meet."""
    policy: Literal["BestFit", "Cheapest", "MostCapable", "FirstAvailable"] | None = None
    """How to choose among the classes that meet it."""


class AcceleratorRequirements(Model):
    """The accelerators that a runtime supports."""

    accelerator_classes: list[str] | None = None
    """Names of AcceleratorClasses."""
    min_memory: AtLeastZero | None = None
    """Least memory, in GB."""
    min_compute_performance_tflops: AtLeastZero | None = Field(None, alias="minComputePerformanceTFLOPS")
    """Least computing power."""
    min_architecture_version: str | None = None
    """Least compute capability, as text."""
    required_features: list[str] | None = None
    """Features that must be there."""
    preferred_precisions: list[str] | None = None
    """Numeric precisions, most wanted first."""


class AcceleratorDiscovery(Model):
    """How the nodes of a class are found."""

    node_selector: StringMap | None = None
    """Labels of the nodes."""
    affinity: k8s.Affinity | None = None
    """Finer selection."""
    pci_vendor_id: str | None = Field(None, alias="pciVendorID")
    """PCI vendor, for example ``10de``."""
    device_ids: list[str] | None = Field(None, alias="deviceIDs")
    """PCI devices."""


class AcceleratorLatency(Model):
    """How long the accelerator takes to answer."""

    average_millis: Int64 | None = None
    """On average, in milliseconds."""
    maximum_millis: Int64 | None = None
    """At most, in milliseconds."""


class AcceleratorPerformance(Model):
    """Computing power, by precision."""

    fp32_tflops: Int64 | None = None
    """At 32-bit floating point."""
    fp16_tflops: Int64 | None = None
    """At 16-bit floating point."""
    int8_tops: Int64 | None = None
    """At 8-bit integers."""
    int4_tops: Int64 | None = None
    """At 4-bit integers."""
    latency: AcceleratorLatency | None = None
    """Answer times."""


class AcceleratorCapabilities(Model):
    """What the accelerator can do."""

    memory_gb: Quantity | None = Field(None, alias="memoryGB")
    """Memory; a quantity such as ``80Gi`` in spite of its name."""
    compute_capability: str | None = None
    """For example ``9.0``; quote it."""
    level_zero_version: str | None = None
    """Version of oneAPI Level Zero."""
    clock_speed_mhz: Int32 | None = Field(None, alias="clockSpeedMHz")
    """Clock."""
    memory_bandwidth_gbps: Quantity | None = Field(None, alias="memoryBandwidthGBps")
    """Memory bandwidth."""
    features: list[str] | None = None
    """Features by name."""
    performance: AcceleratorPerformance | None = None
    """Computing power."""


class AcceleratorResource(Model):
    """An extended resource that stands for the accelerator."""

    name: str
    """For example ``nvidia.com/gpu``."""
    quantity: Quantity = "1"
    """Amount for one accelerator."""
    divisible: bool | None = None
    """Whether it may be subdivided."""


class AcceleratorIntegration(Model):
    """Names of the accelerator in other systems."""

    kueue_resource_flavor: str | None = None
    """ResourceFlavor of Kueue."""
    volcano_gpu_type: str | None = Field(None, alias="volcanoGPUType")
    """GPU type of Volcano."""


class AcceleratorCost(Model):
    """What the accelerator costs."""

    per_hour: Quantity | None = None
    """Dollars an hour."""
    per_million_tokens: Quantity | None = None
    """Dollars per million tokens."""
    spot_per_hour: Quantity | None = None
    """Dollars an hour on the spot market."""
    tier: str | None = None
    """For example ``low``, ``medium``, ``high``."""


class AcceleratorClassSpec(Model):
    """One sort of accelerator."""

    vendor: str | None = None
    """For example ``nvidia``."""
    family: str | None = None
    """For example ``hopper``."""
    model: str | None = None
    """For example ``h100``."""
    discovery: AcceleratorDiscovery
    """How its nodes are found; may be empty."""
    capabilities: AcceleratorCapabilities
    """What it can do; may be empty."""
    resources: list[AcceleratorResource] | None = None
    """Resources that stand for it."""
    integration: AcceleratorIntegration | None = None
    """Its names in Kueue and Volcano."""
    cost: AcceleratorCost | None = None
    """Its price."""


class AcceleratorClass(KubernetesObject):
    """A sort of accelerator that the cluster has."""

    kind: Literal["AcceleratorClass"]
    """Always ``AcceleratorClass``."""
    spec: AcceleratorClassSpec | None = None
    """What the accelerator is."""
