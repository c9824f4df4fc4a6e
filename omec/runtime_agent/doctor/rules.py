"""What ``omec doctor`` finds."""

from __future__ import annotations

from omec.finding import Rule, Severity

DEFINITION_MISSING = Rule(
    code="OME765",
    slug="definition-missing",
    severity=Severity.ERROR,
    summary="The cluster has no definition of a kind of ome.io",
    why="The API server refuses objects of a kind that it does not know, and a sync stops at the first of them.",
    fix="Install the definitions: `omec schema --crd all | kubectl apply --server-side -f -`.",
    source="OME docs, getting-started/install",
)

DEFINITION_TOO_OLD = Rule(
    code="OME766",
    slug="definition-too-old",
    severity=Severity.WARNING,
    summary="The definition of a kind of ome.io is older than the release that omec renders for",
    why="The API server drops fields that a definition does not have, without a word unless the client asks for strict "
    "validation.",
    fix="Update the definitions with OME, or set `ome-version` in omec.toml to the release that runs.",
    source="OME docs, getting-started/upgrade",
)

TWO_WRITERS = Rule(
    code="OME767",
    slug="two-agents",
    severity=Severity.WARNING,
    summary="OME's own parts and omec's agent run in one cluster",
    why="Both write the same labels, ConfigMaps and status. omec's agent holds back and is not ready as long as OME's "
    "manager or model agent is available, unless it was started with --takeover.",
    fix="Remove one of the two.",
    source="omec",
)

NO_AGENT = Rule(
    code="OME768",
    slug="no-model-agent",
    severity=Severity.ERROR,
    summary="There are models to download, and no agent that would",
    why="Such models stay In_Transit, and pods that serve them stay Pending, because no node gets the model's label.",
    fix="Install an agent: `omec agent manifests | kubectl apply --server-side -f -`, or OME's with "
    "modelAgent.enabled: true.",
    source="OME docs, guides/operate-ome/model-agent; reference 07 §13.1",
)

RENDERED_TWICE = Rule(
    code="OME769",
    slug="service-rendered-twice",
    severity=Severity.ERROR,
    summary="OME's manager renders an InferenceService whose compiled objects are in the cluster, too",
    why="The manager creates objects of the same names: it takes over the compiled ones or fights with Argo CD about "
    "them, and pods restart again and again.",
    fix="Delete the InferenceService, because its compiled output takes its place, or the compiled output.",
    source="omec",
)

NOT_RENDERED = Rule(
    code="OME770",
    slug="service-without-workload",
    severity=Severity.WARNING,
    summary="An InferenceService is in a cluster where nobody renders it",
    why="Without OME's manager an InferenceService is only a text: its workload is what omec compiles from it.",
    fix="Compile it and sync the output, or install OME's manager.",
    source="omec",
)

AGENT_UNAVAILABLE = Rule(
    code="OME771",
    slug="agent-unavailable",
    severity=Severity.WARNING,
    summary="A part of the agent is not available everywhere it should be",
    why="A node without a working agent gets no new model; without the status role, states of models stand still.",
    fix="Look at its pods with `kubectl describe` and `kubectl logs`; /readyz says what a pod waits for.",
    source="omec",
)

NOT_ALLOWED = Rule(
    code="OME772",
    slug="check-not-allowed",
    severity=Severity.WARNING,
    summary="The identity may not read what a check needs",
    why="What was not read cannot be judged: the cluster may be fine or not.",
    fix="Run the command as somebody who may list these objects in all namespaces.",
    source="omec",
)
