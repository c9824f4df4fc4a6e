"""Rules about deployment modes and the shapes that go with them."""

from __future__ import annotations

from omec.finding import Rule, Severity

READY_POLICY = Rule(
    code="OME571",
    slug="ready-policy-multi-pod",
    severity=Severity.ERROR,
    summary="A component of several pods asks for readyPolicy None",
    why="OME does not report the readiness of single pods of an Instance yet, and refuses the policy.",
    fix="Set readyPolicy to AllPodReady, or remove the field.",
    source="reference 05 §1.3",
    bad="engine: {leader: {}, worker: {}, lifecycle: {readyPolicy: None}}\n",
    good="engine: {leader: {}, worker: {}}\n",
)

LEADER_WORKER_PAIR = Rule(
    code="OME572",
    slug="leader-worker-pair",
    severity=Severity.ERROR,
    summary="A component has a leader without workers, or workers without a leader",
    why="Pods that span nodes are a leader and at least one worker. OME's webhook refuses half of a pair.",
    fix="Give the component both; empty blocks keep the runtime's settings.",
    source="OME docs: guides/omenative/serve-a-multi-node-model; reference 05 §1.3",
    bad="engine: {worker: {size: 1}}\n",
    good="engine: {leader: {}, worker: {size: 1}}\n",
)

MODES_DIFFER = Rule(
    code="OME573",
    slug="modes-differ",
    severity=Severity.ERROR,
    summary="Engine and decoder are to run in different modes, one of them OMENative",
    why="OME's webhook refuses it: prefill and decode could not be rolled out together.",
    fix="Set spec.deploymentMode, or the same annotation on both components.",
    source="OME docs: concepts/architecture/deployment-modes; reference 05 §1.3",
    bad="engine: {annotations: {ome.io/deploymentMode: OMENative}}\ndecoder: {}\n",
    good="deploymentMode: OMENative\nengine: {}\ndecoder: {}\n",
)

STRATEGY_IGNORED = Rule(
    code="OME574",
    slug="deployment-strategy-ignored",
    severity=Severity.WARNING,
    summary="A component that runs as no Deployment has a deploymentStrategy",
    why="Only Deployments read the field; how Instances are replaced is said in lifecycle.updateStrategy.",
    fix="Move the pace to lifecycle.updateStrategy.rollingUpdate.",
    source="OME docs: concepts/architecture/deployment-modes; reference 05 §1.3",
    bad="deploymentMode: OMENative\nengine: {deploymentStrategy: {type: Recreate}}\n",
    good="deploymentMode: OMENative\nengine: {lifecycle: {updateStrategy: {type: RecreatePod}}}\n",
)

MODE_SKIPPED = Rule(
    code="OME575",
    slug="mode-skipped",
    severity=Severity.WARNING,
    summary="A component's annotation names a deployment mode that OME 1.3 does not know",
    why="OME skips the value, and the next rule decides; a value in the InferenceService hides the runtime's as well.",
    fix="Write RawDeployment, OMENative or MultiNode, exactly so, or remove the annotation.",
    source="OME docs: reference/matching/runtime-deployment-mode-matching; reference 05 §1.1",
    bad="engine: {annotations: {ome.io/deploymentMode: omenative}}\n",
    good="engine: {annotations: {ome.io/deploymentMode: OMENative}}\n",
)

WORKERS_IGNORED = Rule(
    code="OME576",
    slug="workers-ignored",
    severity=Severity.WARNING,
    summary="The leader or the workers of a component are never started",
    why="A Deployment gets the leader's pod alone, and half a pair of leader and workers makes single pods.",
    fix="Remove the mode RawDeployment, and give the component both leader and worker, or neither.",
    source="reference 05 §1.2 and §1.3",
    bad="deploymentMode: RawDeployment\nengine: {leader: {}, worker: {}}\n",
    good="engine: {leader: {}, worker: {}}\n",
)

VIRTUAL_SERVICE = Rule(
    code="OME586",
    slug="virtual-service",
    severity=Severity.INFO,
    summary="An InferenceService is virtual: it has an address and no workload",
    why="OME creates nothing for it and reports it as ready; so there is nothing to render.",
    fix="Remove the annotation ome.io/deploymentMode: VirtualDeployment if the service is to run.",
    source="reference 05 §15",
    bad="metadata:\n  annotations: {ome.io/deploymentMode: VirtualDeployment}\n",
    good="metadata:\n  annotations: {}\n",
)

MULTI_NODE_DEPRECATED = Rule(
    code="OME587",
    slug="multi-node-deprecated",
    severity=Severity.WARNING,
    summary="A component runs in the deprecated mode MultiNode",
    why=(
        "OME 1.3 keeps LeaderWorkerSets for old services only: no autoscaler, no disruption budget, no update strategy."
    ),
    fix="Remove the annotation ome.io/deploymentMode: MultiNode; a leader and workers then run on OMENative.",
    source="OME docs: guides/omenative/move-from-leaderworkerset; reference 05 §14",
    bad="engine: {annotations: {ome.io/deploymentMode: MultiNode}}\n",
    good="engine: {leader: {}, worker: {}}\n",
)

SHARED_LEADERS = Rule(
    code="OME588",
    slug="leaders-shared",
    severity=Severity.WARNING,
    summary="Several LeaderWorkerSets of one namespace share the selector of their Services",
    why="OME selects leaders by ray.io/node-type: head alone, so each Service sends requests to the leaders of all.",
    fix="Set metadata to true in omec.toml, run the components on OMENative, or give them namespaces of their own.",
    source="reference 05 §14.3",
    bad="metadata: {name: chat}\n",
    good="metadata: {name: chat, namespace: other}\n",
)
