"""Rules about presets that fill runtimes in."""

from __future__ import annotations

from omec.finding import Rule, Severity

_SOURCE = "OME docs: reference/api/labels-and-annotations (ServingRuntime and ClusterServingRuntime)"


def _runtime(value: str, spec: str) -> str:
    return (
        "apiVersion: ome.io/v1beta1\nkind: ClusterServingRuntime\n"
        f"metadata: {{name: sglang-pd, annotations: {{ome.io/engine: {value}}}}}\nspec: {spec}\n"
    )


_IMAGES = (
    "{engineConfig: {runner: {name: ome-container, image: 'lmsysorg/sglang:v0.5.5'}}, "
    "decoderConfig: {runner: {name: ome-container, image: 'lmsysorg/sglang:v0.5.5'}}, "
    "routerConfig: {runner: {name: router, image: 'lmsysorg/sglang-router:v0.2.2'}}}"
)

PRESET_REFUSED = Rule(
    code="OME208",
    slug="engine-preset-refused",
    severity=Severity.ERROR,
    summary="A runtime asks for a preset that OME does not have",
    why="OME's webhook refuses the runtime.",
    fix="Write ome.io/engine: sglang-pd, or remove the annotation and spell the configuration out.",
    source=f"{_SOURCE}; reference 04 §20",
    bad=_runtime("vllm-pd", _IMAGES),
    good=_runtime("sglang-pd", _IMAGES),
)

PRESET_IMAGE = Rule(
    code="OME209",
    slug="preset-image-latest",
    severity=Severity.WARNING,
    summary="A runtime leaves its images to a preset, which has the tag latest",
    why="What the pods run then depends on the day each node pulled the image, and no commit says when it changed.",
    fix="Set the image of the runner in engineConfig, decoderConfig and routerConfig.",
    source=f"{_SOURCE}; reference 09 §C3",
    bad=_runtime("sglang-pd", "{}"),
    good=_runtime("sglang-pd", _IMAGES),
)
