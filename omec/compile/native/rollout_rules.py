"""Rules about how the components of a service are updated."""

from __future__ import annotations

from omec.finding import Rule, Severity

RATIO_TOLERANCE = Rule(
    code="OME556",
    slug="ratio-tolerance-too-high",
    severity=Severity.WARNING,
    summary="A rollout group tolerates so much imbalance that nothing is guarded",
    why="With more than 50 percent, engine and decoder may drift apart as if maintainRatio were not there.",
    fix="Set maintainRatio.tolerance to 50 or less, or remove maintainRatio.",
    source="reference 05 §12.3",
    bad="rollout: {groups: [{components: [engine], maintainRatio: {tolerance: 80}}]}\n",
    good="rollout: {groups: [{components: [engine], maintainRatio: {tolerance: 20}}]}\n",
)

ROLLOUT_REFUSED = Rule(
    code="OME557",
    slug="rollout-refused",
    severity=Severity.ERROR,
    summary="OME's webhook refuses the rollout groups or update budgets of an InferenceService",
    why="The service is not created, or keeps its last valid state.",
    fix="Correct the field that the message names; the reason in parentheses is explained in OME's documentation.",
    source="OME docs: concepts/rollouts-and-traffic/rollout-groups; reference 05 §12.3, 09 A4",
    bad="deploymentMode: RawDeployment\nengine: {}\nrollout: {groups: [{components: [engine]}]}\n",
    good="deploymentMode: OMENative\nengine: {}\nrollout: {groups: [{components: [engine]}]}\n",
)

ROLLOUT_IGNORED = Rule(
    code="OME566",
    slug="rollout-groups-ignored",
    severity=Severity.WARNING,
    summary="An InferenceService asks for a coordinated rollout, which standalone replicas do not have",
    why="Each replica rolls out on its own as soon as its template changes: no canary, no blue-green, no common pace.",
    fix="Set lifecycle.updateStrategy.rollingUpdate on the components, or leave the InferenceService to OME.",
    source="reference 05 §7.5 and §12.3",
    bad="spec: {rollout: {groups: [{components: [engine, decoder]}]}}\n",
    good="spec: {engine: {lifecycle: {updateStrategy: {rollingUpdate: {maxSurge: 1}}}}}\n",
)

ZERO_BUDGET = Rule(
    code="OME568",
    slug="rollout-without-budget",
    severity=Severity.ERROR,
    summary="The update strategy of a component leaves no Instance that may be replaced",
    why="A rollout needs one Instance more (maxSurge) or one less (maxUnavailable). With none of both it never starts.",
    fix="Raise the budget that the strategy reads: maxSurge for SurgeThenDrain, maxUnavailable for the others.",
    source="OME docs: concepts/architecture/omenative-update-strategies; reference 05 §10.1",
    bad="lifecycle: {updateStrategy: {rollingUpdate: {maxSurge: 0}}}\n",
    good="lifecycle: {updateStrategy: {rollingUpdate: {maxSurge: 1}}}\n",
)

STALLED_BUDGET = Rule(
    code="OME569",
    slug="rollout-stalls",
    severity=Severity.WARNING,
    summary="The update strategy of a component reads a budget of 0",
    why="OME accepts it, and no changed Instance is ever replaced.",
    fix="Raise the budget that the strategy reads: maxSurge for SurgeThenDrain, maxUnavailable for the others.",
    source="reference 05 §10.1",
    bad="lifecycle: {updateStrategy: {type: RecreatePod, rollingUpdate: {maxUnavailable: 0}}}\n",
    good="lifecycle: {updateStrategy: {type: RecreatePod, rollingUpdate: {maxUnavailable: 1}}}\n",
)

UNBOUNDED_RECREATION = Rule(
    code="OME570",
    slug="recreation-unbounded",
    severity=Severity.WARNING,
    summary="An update replaces all Instances of a component at once",
    why="Strategies that delete before they create have no limit of their own: the component is down during a rollout.",
    fix="Set lifecycle.updateStrategy.rollingUpdate.maxUnavailable.",
    source="reference 05 §10.1",
    bad="lifecycle: {updateStrategy: {type: RecreatePod}}\n",
    good="lifecycle: {updateStrategy: {type: RecreatePod, rollingUpdate: {maxUnavailable: 1}}}\n",
)
