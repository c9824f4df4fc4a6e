"""Rules about the objects that stand beside a workload: disruption budgets, monitors, Service ports."""

from __future__ import annotations

from omec.finding import Rule, Severity

BUDGET_INVALID = Rule(
    code="OME520",
    slug="disruption-budget-invalid",
    severity=Severity.ERROR,
    summary="The disruption budget of a component is not one",
    why=(
        "A PodDisruptionBudget takes one of minAvailable and maxUnavailable. OME merges the two fields of service and "
        "runtime one by one, so one from each makes two."
    ),
    fix="Set one of minAvailable and maxUnavailable, to a number or a percentage, and the one that the runtime uses.",
    source="OME docs: guides/deploy-models/configure-pod-disruption-budgets; reference 10 §5",
    bad="engine: {minAvailable: 1, maxUnavailable: 1}\n",
    good="engine: {maxUnavailable: 1}\n",
)

BUDGET_BLOCKS = Rule(
    code="OME521",
    slug="disruption-budget-blocks",
    severity=Severity.WARNING,
    summary="A disruption budget lets no pod be evicted",
    why="As long as the component runs its least number of pods, no node that holds one of them can be drained.",
    fix="Lower minAvailable below the number of pods, or raise maxUnavailable or minReplicas.",
    source="reference 10 §5",
    bad="engine: {minReplicas: 1, minAvailable: 1}\n",
    good="engine: {minReplicas: 2, minAvailable: 1}\n",
)

BUDGET_FIXED = Rule(
    code="OME522",
    slug="disruption-budget-fixed",
    severity=Severity.INFO,
    summary="A disruption budget counts the pods of the least number of replicas",
    why=(
        "For the pods of an InferenceReplica only a number of available pods has an effect. OME keeps it in step with "
        "the autoscaler; in Git it is the number for minReplicas, so more pods may be evicted after scaling up."
    ),
    fix="Set minAvailable to the number of pods that must stay at full scale, or minReplicas to maxReplicas.",
    source="reference 05 §11.2, 10 §5",
    bad="engine: {minReplicas: 2, maxReplicas: 4, maxUnavailable: 1}\n",
    good="engine: {minReplicas: 2, maxReplicas: 2, maxUnavailable: 1}\n",
)

METRICS_PORT_UNNAMED = Rule(
    code="OME550",
    slug="metrics-port-unnamed",
    severity=Severity.WARNING,
    summary="A PodMonitor scrapes a port that no container has",
    why=(
        "It goes by the name of the port. Without a port called metrics and without a name on the first one, OME "
        "writes http, which matches nothing."
    ),
    fix="Name the port of the first container that serves /metrics, metrics for example.",
    source="OME docs: guides/operate-ome/metrics; reference 10 §9",
    bad="runner:\n  ports: [{containerPort: 8080}]\n",
    good="runner:\n  ports: [{name: metrics, containerPort: 8080}]\n",
)

EXTRA_ENDPOINT_MALFORMED = Rule(
    code="OME551",
    slug="extra-endpoint-malformed",
    severity=Severity.WARNING,
    summary="OME skips an entry of prometheus.ome.io/extra-endpoints",
    why="An entry is a port name and a path that begins with a slash, with a colon between them.",
    fix="Write PORT:/PATH, several separated by commas.",
    source="OME docs: guides/operate-ome/metrics; reference 10 §9",
    bad="metadata:\n  annotations: {prometheus.ome.io/extra-endpoints: gpu-metrics}\n",
    good='metadata:\n  annotations: {prometheus.ome.io/extra-endpoints: "gpu:/metrics"}\n',
)

APP_PROTOCOL_UNMATCHED = Rule(
    code="OME552",
    slug="app-protocol-unmatched",
    severity=Severity.WARNING,
    summary="An application protocol is given for a port that the Service does not have",
    why="servicePortAppProtocols goes by port names; an unknown one is passed over without a word.",
    fix="Use the name of a port of the pod's first container.",
    source="OME docs: guides/networking/set-service-app-protocols; reference 10 §7.1",
    bad="runner: {ports: [{name: grpc1, containerPort: 8080}]}\nservicePortAppProtocols: {grpc: kubernetes.io/h2c}\n",
    good="runner: {ports: [{name: grpc1, containerPort: 8080}]}\nservicePortAppProtocols: {grpc1: kubernetes.io/h2c}\n",
)
