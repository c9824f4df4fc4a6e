"""One component as it runs, and how the objects beside it refer to its pods."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from omec.compile.autoscaling.objects import ScaleTarget
from omec.compile.components import Component
from omec.compile.inputs import Object
from omec.compile.modes import Mode
from omec.compile.pod import Pod, Role
from omec.compile.problems import Problem
from omec.compile.replicas import Bounds


class Workload(msgspec.Struct, frozen=True):
    """A rendered workload, by the ``mode`` of its component, and its Service.

    ``access`` are the objects that have to be there before: what a router needs to see pods, the settings of a proxy.
    ``selector`` selects all pods, for disruption budgets and monitors; ``external_selector`` those that requests from
    outside the service go to. ``labels`` and ``annotations`` are for the objects beside the workload, those of the
    ``scaler`` for what scales the ``scale_target``, which is ``None`` for a workload that OME does not scale.
    """

    component: Component
    mode: Mode
    body: Object
    service: Object
    pods: Mapping[Role, Pod]
    pods_per_replica: int
    bounds: Bounds
    selector: Mapping[str, str]
    external_selector: Mapping[str, str]
    labels: Mapping[str, str]
    annotations: Mapping[str, str]
    scaler_labels: Mapping[str, str]
    scaler_annotations: Mapping[str, str]
    scale_target: ScaleTarget | None = None
    access: tuple[Object, ...] = ()
    problems: tuple[Problem, ...] = ()
