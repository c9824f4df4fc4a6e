"""What of a component in mode OMENative a LeaderWorkerSet or Deployment cannot do (reference 05 §3.3, §10)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from omec.compile.inputs import ServiceInputs
from omec.compile.names import ComponentName
from omec.compile.native import rules
from omec.compile.native.kubernetes.rollout import strategy_type
from omec.compile.native.projection import HISTORY_LIMIT_ANNOTATION, PAUSED_ANNOTATION, Projection
from omec.compile.native.wording import listed
from omec.compile.problems import Origin, Place, Problem

_IN_PLACE = ("InPlaceIfPossible", "InPlaceOnly")


def platform_note(inputs: ServiceInputs, kinds: Mapping[ComponentName, str]) -> Problem:
    """What a service loses without OME, said once; ``kinds`` are the workloads of its OMENative components."""
    forms = listed([f"{name} as a {kind}" for name, kind in kinds.items()])
    message = f"{inputs.service.name} runs {forms}: without OME no Instance is updated in place, moved or timed"
    return Problem(rules.PLATFORM_LOSES, message, Place(Origin.SERVICE, ("metadata", "name")))


def losses(projection: Projection, kind: str) -> Iterator[Problem]:
    """The settings of a component that have no effect in the workload of this ``kind``."""
    component, lifecycle = projection.component, projection.lifecycle or {}
    grouped = kind == "LeaderWorkerSet"

    def lost(*steps: str, help_: str = "") -> Problem:
        message = f"the {component.name} runs as a {kind}, where {'.'.join(steps)} has no effect"
        return Problem(rules.SETTING_IGNORED, message, component.place(*steps), help_ or rules.SETTING_IGNORED.remedy)

    if lifecycle.get("instanceReadyTimeout"):
        yield lost("lifecycle", "instanceReadyTimeout")
    if lifecycle.get("minReadySeconds") and grouped:
        yield lost("lifecycle", "minReadySeconds")
    if lifecycle.get("restartPolicy") == "RecreateInstanceOnPodRestart" and not grouped:
        yield lost("lifecycle", "restartPolicy")
    if (lifecycle.get("migrationPolicy") or {}).get("mode") not in (None, "Never"):
        yield lost("lifecycle", "migrationPolicy")
    if strategy_type(lifecycle) in _IN_PLACE:
        yield lost("lifecycle", "updateStrategy", "type", help_="pods are deleted and created: write RecreatePod")
    budgets = (lifecycle.get("updateStrategy") or {}).get("rollingUpdate") or {}
    if budgets.get("partition") and not grouped:
        yield lost("lifecycle", "updateStrategy", "rollingUpdate", "partition")
    yield from _lost_annotations(projection, kind)


def _lost_annotations(projection: Projection, kind: str) -> Iterator[Problem]:
    name = projection.component.name
    if projection.pause and kind == "LeaderWorkerSet":
        message = f"the {name} runs as a LeaderWorkerSet, whose updates cannot be paused"
        yield _at_annotation(PAUSED_ANNOTATION, message)
    elif projection.pause.get("pauseMode"):
        message = (
            f"the {name} runs as a Deployment, whose updates pause, but whose pods are still replaced when they fail"
        )
        yield _at_annotation(PAUSED_ANNOTATION, message)
    if projection.revision_history_limit is not None and kind == "LeaderWorkerSet":
        message = f"the {name} runs as a LeaderWorkerSet, which has no limit for its old revisions"
        yield _at_annotation(HISTORY_LIMIT_ANNOTATION, message)


def _at_annotation(key: str, message: str) -> Problem:
    place = Place(Origin.SERVICE, ("metadata", "annotations", key))
    return Problem(rules.SETTING_IGNORED, message, place, rules.SETTING_IGNORED.remedy)
