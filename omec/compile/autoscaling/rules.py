"""Rules about what scales the components of a service."""

from __future__ import annotations

from omec.finding import Rule, Severity

AUTOSCALER_INVALID = Rule(
    code="OME510",
    slug="autoscaler-invalid",
    severity=Severity.ERROR,
    summary="The autoscaler of a component is not one",
    why="OME's webhook refuses the InferenceService or runtime that holds it.",
    fix="Set class to HPA, KEDA, External or None, and give the class what it needs.",
    source="OME docs: concepts/serving/component-autoscaling; reference 09 A4.2",
    bad="engine: {autoscaler: {class: KEDA}}\n",
    good="engine: {autoscaler: {class: KEDA, keda: {triggers: [{type: cron, metadata: {}}]}}}\n",
)

LEGACY_ANNOTATION = Rule(
    code="OME511",
    slug="autoscaler-annotation",
    severity=Severity.ERROR,
    summary="An autoscaler annotation has a value that OME refuses, or stands beside an autoscaler block",
    why=(
        "ome.io/autoscalerClass, ome.io/targetUtilizationPercentage and ome.io/metrics are what came before the "
        "autoscaler block of a component. They take few values, and the class cannot be said twice."
    ),
    fix="Remove the annotations and give the component an autoscaler block.",
    source="OME docs: reference/api/labels-and-annotations; reference 09 A4",
    bad="metadata: {annotations: {ome.io/autoscalerClass: HPA}}\n",
    good="spec: {engine: {autoscaler: {class: HPA}}}\n",
)

KEDA_WITHOUT_TRIGGERS = Rule(
    code="OME512",
    slug="keda-without-triggers",
    severity=Severity.ERROR,
    summary="A component is to be scaled by KEDA, and nothing says on what",
    why="The annotation ome.io/autoscalerClass: keda carries no triggers; OME 1.3 fails to render the component.",
    fix="Give the component an autoscaler of class KEDA with at least one trigger.",
    source="OME docs: guides/scale-and-migrate/scale-to-zero-with-keda; reference 10 §3.5",
    bad="metadata: {annotations: {ome.io/autoscalerClass: keda}}\n",
    good="spec: {engine: {autoscaler: {class: KEDA, keda: {triggers: [{type: cron, metadata: {}}]}}}}\n",
)

KEDA_RESERVED_NAME = Rule(
    code="OME513",
    slug="keda-reserved-name",
    severity=Severity.ERROR,
    summary="The HorizontalPodAutoscaler that KEDA makes would bear the name of OME's",
    why="OME keeps the name of the component for an autoscaler of its own, and fails.",
    fix="Remove advanced.horizontalPodAutoscalerConfig.name, or choose another name.",
    source="reference 10 §3.5",
    bad=(
        "engine:\n"
        "  autoscaler:\n"
        "    class: KEDA\n"
        "    keda:\n"
        "      triggers:\n"
        "      - type: cron\n"
        '        metadata: {timezone: UTC, start: 0 8 * * *, end: 0 18 * * *, desiredReplicas: "2"}\n'
        "      advanced: {horizontalPodAutoscalerConfig: {name: example-engine}}\n"
    ),
    good=(
        "engine:\n"
        "  autoscaler:\n"
        "    class: KEDA\n"
        "    keda:\n"
        "      triggers:\n"
        "      - type: cron\n"
        '        metadata: {timezone: UTC, start: 0 8 * * *, end: 0 18 * * *, desiredReplicas: "2"}\n'
        "      advanced: {horizontalPodAutoscalerConfig: {name: example-keda}}\n"
    ),
)

POLICY_UNUSABLE = Rule(
    code="OME514",
    slug="autoscaler-policy-unusable",
    severity=Severity.ERROR,
    summary="A component names an AutoscalerPolicy that gives it no autoscaler",
    why=(
        "OME then keeps the autoscaler that the component had before, and never falls back to the runtime's or to the "
        "default. A compiler knows of none before, so it renders nothing."
    ),
    fix="Add the AutoscalerPolicy to the namespace of the service, correct it, or bind its metric provider.",
    source="OME docs: concepts/serving/autoscaler-policy; reference 10 §4",
    bad="engine: {autoscalerPolicyRef: {name: missing}}\n",
    good="engine: {autoscaler: {class: HPA}}\n",
)

POLICY_REFERENCE = Rule(
    code="OME515",
    slug="autoscaler-policy-reference",
    severity=Severity.ERROR,
    summary="OME's webhook refuses the reference to an AutoscalerPolicy",
    why="The feature is off in the cluster, or the reference is of a kind that does not exist yet.",
    fix="Install the AutoscalerPolicy CRD and name it in the capabilities; leave kind out.",
    source="OME docs: concepts/serving/autoscaler-policy; reference 09 A4",
    bad="engine: {autoscalerPolicyRef: {name: cpu, kind: ClusterAutoscalerPolicy}}\n",
    good="engine: {autoscalerPolicyRef: {name: cpu}}\n",
)

POLICY_INVALID = Rule(
    code="OME516",
    slug="autoscaler-policy-invalid",
    severity=Severity.ERROR,
    summary="OME's webhook refuses an AutoscalerPolicy",
    why="A policy that names addresses itself, or whose templates or queries cannot be read, breaks every consumer.",
    fix="Correct the field that the message names.",
    source="OME docs: concepts/serving/autoscaler-policy; reference 10 §4.1",
    bad="spec: {class: KEDA, keda: {triggers: [{type: prometheus, metadata: {query: up}}]}}\n",
    good=(
        "spec: {class: KEDA, keda: {triggers: [{type: prometheus, providerRef: {name: cluster}, "
        'metadata: {query: up, ignoreNullValues: "false"}}]}}\n'
    ),
)

KEDA_MISSING = Rule(
    code="OME517",
    slug="keda-missing",
    severity=Severity.ERROR,
    summary="A component is to be scaled by KEDA, which the cluster does not have",
    why="Objects of an API that the cluster lacks make the whole application fail to sync.",
    fix="Install KEDA and name it in the capabilities, or use class HPA.",
    source="OME docs: concepts/serving/component-autoscaling",
    bad=(
        "engine:\n"
        "  autoscaler:\n"
        "    class: KEDA\n"
        "    keda:\n"
        "      triggers:\n"
        "      - type: cron\n"
        '        metadata: {timezone: UTC, start: 0 8 * * *, end: 0 18 * * *, desiredReplicas: "2"}\n'
    ),
    good="engine:\n  autoscaler: {class: HPA}\n",
)

KEDA_IDLE = Rule(
    code="OME518",
    slug="keda-idle-not-below-minimum",
    severity=Severity.ERROR,
    summary="The idle replicas of a component are not fewer than its least number of replicas",
    why="KEDA refuses a ScaledObject whose idleReplicaCount is not below minReplicaCount.",
    fix="Set idleReplicaCount to 0 and minReplicas to 1 or more.",
    source="KEDA docs: reference/scaledobject-spec; reference 10 §3.5",
    bad="engine: {autoscaler: {class: KEDA, keda: {idleReplicaCount: 1, triggers: [{type: cron, metadata: {}}]}}}\n",
    good="engine: {autoscaler: {class: KEDA, keda: {idleReplicaCount: 0, triggers: [{type: cron, metadata: {}}]}}}\n",
)

KEDA_REFUSES = Rule(
    code="OME523",
    slug="keda-refuses",
    severity=Severity.ERROR,
    summary="A value of an autoscaler block is one that KEDA's ScaledObject does not take",
    why="OME passes the block on unseen; the API server refuses the ScaledObject, and nothing scales the component.",
    fix="Correct the field that the message names.",
    source="KEDA docs: reference/scaledobject-spec",
    bad="engine: {autoscaler: {class: KEDA, keda: {pollingInterval: 0, triggers: [{type: cron, metadata: {}}]}}}\n",
    good="engine: {autoscaler: {class: KEDA, keda: {pollingInterval: 30, triggers: [{type: cron, metadata: {}}]}}}\n",
)

NATIVE_NEVER_ZERO = Rule(
    code="OME519",
    slug="omenative-never-zero",
    severity=Severity.WARNING,
    summary="An OMENative component never runs fewer than one Instance",
    why="OME raises the least number of Instances to 1, so the component does not scale to zero.",
    fix="Set minReplicas to 1, or run the component as RawDeployment.",
    source="OME docs: guides/scale-and-migrate/scale-to-zero-with-keda; reference 05 §11.6",
    bad=(
        "engine:\n"
        "  minReplicas: 0\n"
        "  autoscaler:\n"
        "    class: KEDA\n"
        "    keda:\n"
        '      triggers: [{type: cpu, metricType: Utilization, metadata: {value: "60"}}]\n'
    ),
    good="engine: {minReplicas: 1}\n",
)

SCALE_BOUNDS = Rule(
    code="OME507",
    slug="scale-bounds-refused",
    severity=Severity.ERROR,
    summary="OME's webhook refuses the replica bounds of a component",
    why="The bounds of the InferenceService itself contradict each other, or ask for zero without KEDA.",
    fix="Set minReplicas to at least 0 and maxReplicas to at least minReplicas; 0 needs an autoscaler of class KEDA.",
    source="OME docs: guides/operate-ome/set-replica-defaults; reference 09 A4, rules 13 and 14",
    bad="engine: {minReplicas: 4, maxReplicas: 3}\n",
    good="engine: {minReplicas: 3, maxReplicas: 4}\n",
)
