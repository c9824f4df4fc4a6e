"""Rules about an InferenceService as a whole."""

from __future__ import annotations

from omec.finding import Rule, Severity

SERVICE_NAME = Rule(
    code="OME505",
    slug="service-name-refused",
    severity=Severity.ERROR,
    summary="The name of an InferenceService does not begin with a letter, or has a dot",
    why="OME's webhook refuses the InferenceService: Services are named after it, whose names are stricter.",
    fix="Use lower-case letters, digits and hyphens, with a letter first and no hyphen last.",
    source="reference 09 §A4, row 1",
    bad="""\
apiVersion: ome.io/v1beta1
kind: InferenceService
metadata: {name: 1llama, namespace: demo}
spec: {model: {name: llama}, engine: {}}
""",
    good="""\
apiVersion: ome.io/v1beta1
kind: InferenceService
metadata: {name: llama-1, namespace: demo}
spec: {model: {name: llama}, engine: {}}
""",
)

DECODER_ALONE = Rule(
    code="OME506",
    slug="decoder-without-engine",
    severity=Severity.ERROR,
    summary="An InferenceService has a decoder and no engine",
    why="OME's webhook refuses it: a decoder decodes what an engine has prefilled.",
    fix="Add `engine: {}`, or make the decoder the engine.",
    source="reference 09 §A4, row 8",
    bad="runtime: {name: prefill-decode}\ndecoder: {}\n",
    good="runtime: {name: prefill-decode}\nengine: {}\ndecoder: {}\n",
)

NO_IMAGE = Rule(
    code="OME508",
    slug="lean-multi-pod-without-image",
    severity=Severity.ERROR,
    summary="A component of several pods has no image, and the service names neither a model nor a runtime",
    why="OME's webhook refuses the service: nothing else could say what leader and workers run.",
    fix="Name a runtime, or give leader and worker a runner with an image.",
    source="reference 09 §A4, row 11",
    bad="""\
engine:
  leader: {runner: {name: ome-container, image: "example.com/engine:v1"}}
  worker: {}
""",
    good="""\
runtime: {name: two-nodes}
engine:
  leader: {}
  worker: {}
""",
)

SCALING_MODE = Rule(
    code="OME525",
    slug="scaling-mode-not-implemented",
    severity=Severity.ERROR,
    summary="An InferenceService asks for a coordination of replicas that OME does not have yet",
    why="The modes Proportional and Pinned are reserved: OME's webhook refuses the InferenceService.",
    fix="Remove scalingPolicy, or set its mode to Independent.",
    source="OME docs: reference/api/ome.v1beta1 (ScalingPolicy); reference 09 §A4, row 0b",
    bad="scalingPolicy: {mode: Proportional}\n",
    good="scalingPolicy: {mode: Independent}\n",
)
