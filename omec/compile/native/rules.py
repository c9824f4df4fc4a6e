"""Rules about components that run as InferenceReplicas, and about replicas that stand alone."""

from __future__ import annotations

from omec.finding import Rule, Severity

REPLICA_WITHOUT_CONTROLLER = Rule(
    code="OME558",
    slug="replica-without-controller",
    severity=Severity.ERROR,
    summary="The repository has an InferenceReplica, but the platform no OME",
    why="On platform kubernetes nobody acts on the object, and its CustomResourceDefinition is not there.",
    fix="Write an InferenceService instead, or set platform to ome.",
    source="omec docs: platforms",
    bad=(
        "apiVersion: ome.io/v1beta1\n"
        "kind: InferenceReplica\n"
        "metadata: {name: pool-a, namespace: demo}\n"
        "spec:\n"
        "  component: engine\n"
        "  runners:\n"
        "  - name: default\n"
        "    size: 1\n"
        '    template: {spec: {containers: [{name: ome-container, image: "registry.example.com/sglang:v1"}]}}\n'
    ),
    good=(
        "apiVersion: ome.io/v1beta1\n"
        "kind: InferenceService\n"
        "metadata: {name: pool-a, namespace: demo}\n"
        "spec:\n"
        '  engine: {runner: {name: ome-container, image: "registry.example.com/sglang:v1"}}\n'
        "  runtime: {name: sglang}\n"
    ),
)

REPLICA_REFERENCE_MISSING = Rule(
    code="OME559",
    slug="replica-reference-missing",
    severity=Severity.WARNING,
    summary="An InferenceReplica renders from a model or runtime that the repository does not have",
    why="OME accepts the replica and waits; until the object exists, no pod is created.",
    fix="Add the object to the repository, or make sure that the cluster has it.",
    source="OME docs: guides/omenative/run-a-standalone-inferencereplica; reference 05 §4",
    bad="spec: {component: engine, runtimeRef: {name: srt-smal}}\n",
    good="spec: {component: engine, runtimeRef: {name: srt-small}}\n",
)

REPLICA_REFUSED = Rule(
    code="OME560",
    slug="replica-refused",
    severity=Severity.ERROR,
    summary="OME's webhook refuses an InferenceReplica",
    why="The replica is never created, or its last valid state stays.",
    fix="Correct the field that the message names.",
    source="OME docs: guides/omenative/run-a-standalone-inferencereplica; reference 05 §4",
    bad="spec: {component: engine, autoscaler: {class: HPA}, runtimeRef: {name: srt-small}}\n",
    good="spec: {component: engine, runtimeRef: {name: srt-small}}\n",
)

REPLICA_NAME = Rule(
    code="OME561",
    slug="replica-name-unusable",
    severity=Severity.ERROR,
    summary="The name of an InferenceReplica gives its pods names that Kubernetes refuses",
    why=(
        "The name is the start of the pods' host names, which end in -decoder-999-default-0 and have at most 63 "
        "characters. OME accepts a longer one, and its pods are then never created."
    ),
    fix="Shorten the name of the InferenceService or the replica.",
    source="reference 05 §6.1 and §7.1",
    bad="metadata: {name: deepseek-r1-0528-with-a-very-long-inferenceservice-name-v2}\n",
    good="metadata: {name: deepseek-r1-0528}\n",
)

REPLICA_SHAPE = Rule(
    code="OME562",
    slug="replica-shape-unusable",
    severity=Severity.ERROR,
    summary="The runners of an InferenceReplica are neither one default nor a leader before its workers",
    why=(
        "No admission checks this. Ranks are counted in the order of the runners, and pods of a shape that OME does "
        "not know never come up together."
    ),
    fix="Give the replica one runner default of size 1, or leader of size 1 and then worker.",
    source="reference 05 §3.2",
    bad=(
        "runners:\n"
        "- {name: worker, size: 2, template: {spec: &pod {containers: [{name: ome-container, image: engine:1}]}}}\n"
        "- {name: leader, size: 1, template: {spec: *pod}}\n"
    ),
    good=(
        "runners:\n"
        "- {name: leader, size: 1, template: {spec: &pod {containers: [{name: ome-container, image: engine:1}]}}}\n"
        "- {name: worker, size: 2, template: {spec: *pod}}\n"
    ),
)

REPLICA_COMPONENT = Rule(
    code="OME563",
    slug="replica-component-unknown",
    severity=Severity.ERROR,
    summary="The component of an InferenceReplica is none of engine, decoder and router",
    why="No admission checks this, and no Service or runtime piece exists for another component.",
    fix="Set spec.component to engine, decoder or router; it cannot be changed later.",
    source="reference 05 §3.1",
    bad="spec: {component: prefill}\n",
    good="spec: {component: engine}\n",
)

REPLICA_REFS = Rule(
    code="OME564",
    slug="replica-refs-refused",
    severity=Severity.ERROR,
    summary="OME's webhook refuses spec.replicaRefs",
    why="An InferenceService stands in front of existing standalone replicas, one for each role, and renders nothing.",
    fix="Correct the field that the message names.",
    source="OME docs: concepts/serving/inference-services#referenced-replicas; reference 05 §9.2",
    bad="spec: {replicaRefs: {engine: [pool-a]}, engine: {}}\n",
    good="spec: {replicaRefs: {engine: [pool-a]}}\n",
)

STANDALONE_LOSES = Rule(
    code="OME565",
    slug="standalone-replica-loses",
    severity=Severity.INFO,
    summary="A component runs as a standalone InferenceReplica, which OME gives less than an InferenceService",
    why=(
        "omec cannot write replicas that an InferenceService owns. Standalone ones roll out on their own: no groups, "
        "canaries or pairing between components, no Service for each revision, no manual migration; and there is no "
        "InferenceService whose status tells whether the service is ready. Every annotation of a pod template counts "
        "for its revision, those of the InferenceService too."
    ),
    fix="Nothing, where the service uses none of it; else leave the InferenceService to OME.",
    source="OME docs: guides/omenative/run-a-standalone-inferencereplica; reference 05 §7.5",
    bad="deploymentMode: OMENative\n",
    good="deploymentMode: RawDeployment\n",
)

FOREIGN_VARIABLES = Rule(
    code="OME577",
    slug="controller-variable-foreign",
    severity=Severity.ERROR,
    summary="A container uses a variable or label that the controller of its pods does not set",
    why=(
        "LWS_* variables and leaderworkerset.sigs.k8s.io labels exist under a LeaderWorkerSet only, OME_* variables "
        "under an InferenceReplica only. Elsewhere the text stays as it is, and the engine starts with it."
    ),
    fix=(
        "For OMENative write OME_LEADER_ADDRESS for LWS_LEADER_ADDRESS, OME_INSTANCE_POD_COUNT for LWS_GROUP_SIZE, "
        "OME_INSTANCE_POD_RANK for LWS_WORKER_INDEX, and select leaders by ome.io/runner=leader."
    ),
    source="OME docs: guides/omenative/move-from-leaderworkerset; reference 05 §6.4 and §12.1",
    bad="args: [--node-rank=$(LWS_WORKER_INDEX)]\n",
    good="args: [--node-rank=$(OME_INSTANCE_POD_RANK)]\n",
)

EARLY_VARIABLES = Rule(
    code="OME578",
    slug="replica-variable-too-early",
    severity=Severity.WARNING,
    summary="A container refers to one of OME's variables where it has no value yet",
    why=(
        "The replica controller adds OME_* at the end of a container's env, and to no init container. What refers to "
        "them before keeps the text as it is."
    ),
    fix="Use the variable in command or args of a container, or in a script that these run.",
    source="reference 05 §6.2, §6.4 and §7.3",
    bad="env: [{name: MASTER_ADDR, value: $(OME_LEADER_ADDRESS)}]\n",
    good="args: [--master-addr=$(OME_LEADER_ADDRESS)]\n",
)

SERVICE_NAME_VARIABLE = Rule(
    code="OME579",
    slug="service-name-is-replica-name",
    severity=Severity.WARNING,
    summary="A container uses OME_INFERENCESERVICE_NAME, which is the replica's name here",
    why=(
        "In the pods of a standalone replica the variable, like the label ome.io/inferenceservice, holds the name of "
        "the replica, such as chat-engine, not that of the InferenceService."
    ),
    fix="Use OME_ENGINE_ENDPOINT, OME_DECODER_ENDPOINT or OME_ROUTER_ENDPOINT to reach another component.",
    source="reference 05 §7.1",
    bad="args: [--peer=$(OME_INFERENCESERVICE_NAME)-decoder]\n",
    good="args: [--peer=$(OME_DECODER_ENDPOINT)]\n",
)

SELECTOR_UNUSABLE = Rule(
    code="OME580",
    slug="selector-finds-no-pods",
    severity=Severity.ERROR,
    summary="A container looks for pods by InferenceService alone, which standalone replicas do not share",
    why="The label ome.io/inferenceservice names the replica, and every component is a replica of its own.",
    fix="Add component=engine, component=decoder or component=router to the selector.",
    source="reference 05 §7.1",
    bad="args: [--selector, ome.io/inferenceservice=$(INFERENCESERVICE_NAME)]\n",
    good="args: [--selector, component=engine ome.io/inferenceservice=$(INFERENCESERVICE_NAME)]\n",
)

SELECTOR_REWRITTEN = Rule(
    code="OME581",
    slug="selector-rewritten",
    severity=Severity.INFO,
    summary="A selector in a container's arguments now names a replica",
    why=(
        "The label ome.io/inferenceservice of a standalone replica's pods is the replica's name, so that a selector by "
        "the service's name would find nothing."
    ),
    fix="Nothing: the output has the selector that finds the pods.",
    source="reference 05 §7.1",
    bad=(
        "router:\n  runner: {args: [--selector, component=engine ome.io/inferenceservice=$(INFERENCESERVICE_NAME)]}\n"
    ),
    good="router:\n  runner: {args: [--engine=$(OME_ENGINE_ENDPOINT)]}\n",
)

PEER_ENDPOINT = Rule(
    code="OME582",
    slug="peer-endpoint-missing",
    severity=Severity.ERROR,
    summary="A container uses the address of a peer that nothing sets in a standalone replica",
    why=(
        "OME tells addresses only to the pods of an InferenceService, and makes a Service for each revision only where "
        "one owns the replicas. Elsewhere the text stays as it is."
    ),
    fix="Use OME_ENGINE_ENDPOINT, OME_DECODER_ENDPOINT or OME_ROUTER_ENDPOINT in an InferenceService: omec sets them.",
    source="reference 05 §7.3 and §7.5",
    bad="args: [--decoder=$(OME_DECODER_REVISION_ENDPOINT)]\n",
    good="args: [--decoder=$(OME_DECODER_ENDPOINT)]\n",
)

MULTI_POD_ADVICE = Rule(
    code="OME583",
    slug="multi-pod-advice",
    severity=Severity.WARNING,
    summary="A component of several pods lacks something that Instances rely on",
    why=(
        "Restarts are seen by the container ome-container, pods of an Instance are placed together only by a scheduler "
        "that knows gangs, and requests reach leaders alone only where the InferenceService itself names workers."
    ),
    fix="Do what the message says.",
    source="reference 05 §10.3, §11.1 and §11.3",
    bad="engine: {}\n",
    good="engine: {leader: {}, worker: {}}\n",
)

SETTING_IGNORED = Rule(
    code="OME584",
    slug="component-setting-ignored",
    severity=Severity.WARNING,
    summary="A setting of a component has no effect in the form in which it runs",
    why="Nothing refuses it: OME accepts it in mode OMENative, and on platform kubernetes nobody reads it.",
    fix="Remove the setting, or do what the message says.",
    source="reference 05 §11.3 and §11.4",
    bad="engine: {topologySpread: Preferred}\n",
    good="engine: {topologySpread: Preferred, topologySpreadKey: topology.kubernetes.io/zone}\n",
)

BOUNDS_RAISED = Rule(
    code="OME585",
    slug="replica-bounds-raised",
    severity=Severity.WARNING,
    summary="The least number of Instances of a component exceeds the most",
    why="The bounds come from different places, and OME raises the most to the least without a word.",
    fix="Set minReplicas and maxReplicas in the InferenceService, the first not above the second.",
    source="reference 10 §2",
    bad="engine: {maxReplicas: 2}\n",
    good="engine: {minReplicas: 1, maxReplicas: 2}\n",
)

PLATFORM_LOSES = Rule(
    code="OME589",
    slug="kubernetes-platform-loses",
    severity=Severity.INFO,
    summary="A component of mode OMENative runs without OME's workload controller",
    why=(
        "On platform kubernetes single pods run as Deployments and pods that span nodes as LeaderWorkerSets. These "
        "know no in-place updates, no deadline by which an Instance must be ready, no migration, and a gang scheduler "
        "gets no PodGroups from them. The variables OME_* are set from what a LeaderWorkerSet knows."
    ),
    fix="Nothing, where the service uses none of it; else use platform ome.",
    source="OME docs: concepts/architecture/deployment-modes; omec docs: platforms",
    bad="deploymentMode: OMENative\n",
    good="deploymentMode: RawDeployment\n",
)
