"""Rules about inheritance between runtimes."""

from __future__ import annotations

from omec.finding import Rule, Severity

_SOURCE = "OME docs: concepts/runtimes/runtime-inheritance"

PARENT_NOT_FOUND = Rule(
    code="OME201",
    slug="inherit-parent-not-found",
    severity=Severity.ERROR,
    summary="A runtime inherits from a runtime that does not exist",
    why=(
        "OME's webhook refuses the runtime, and every InferenceService that names it. A ServingRuntime inherits from a "
        "ServingRuntime of its own namespace, else from a ClusterServingRuntime; a ClusterServingRuntime inherits from "
        "ClusterServingRuntimes only."
    ),
    fix=(
        "Correct the name, or add the parent to the repository or to one of its [[sources]]. If it exists in the "
        "cluster only, list it under external-runtimes in omec.toml."
    ),
    source=_SOURCE,
    bad="kind: ClusterServingRuntime\nmetadata:\n  annotations:\n    ome.io/inherit-from: sglang-profle\n",
    good="kind: ClusterServingRuntime\nmetadata:\n  annotations:\n    ome.io/inherit-from: sglang-profile\n",
)

CYCLE = Rule(
    code="OME202",
    slug="inherit-cycle",
    severity=Severity.ERROR,
    summary="Runtimes inherit from each other in a circle",
    why=(
        "OME's webhook refuses the runtime, and every InferenceService that names it. OME compares names alone: a "
        "ServingRuntime that inherits from a ClusterServingRuntime of its own name is a circle too."
    ),
    fix="Remove ome.io/inherit-from from one of the runtimes, or rename one of two runtimes of the same name.",
    source=_SOURCE,
    bad="metadata:\n  name: base\n  annotations:\n    ome.io/inherit-from: child\n",
    good="metadata:\n  name: base\n",
)

MAX_DEPTH = Rule(
    code="OME203",
    slug="inherit-max-depth",
    severity=Severity.ERROR,
    summary="An inheritance chain has more than five runtimes",
    why="OME's webhook refuses the runtime, and every InferenceService that names it.",
    fix="Move what one of the runtimes sets into its parent or its child, and take it out of the chain.",
    source=_SOURCE,
    bad="metadata:\n  annotations:\n    ome.io/inherit-from: fifth\n",
    good="metadata:\n  annotations:\n    ome.io/inherit-from: fourth\n",
)

MERGE_FAILED = Rule(
    code="OME204",
    slug="inherit-merge-failed",
    severity=Severity.ERROR,
    summary="A runtime cannot be merged onto its parent",
    why=(
        "OME's webhook refuses the runtime, and every InferenceService that names it. Lists that are merged item by "
        "item need the key of every item: an image pull secret without a name cannot be merged. Nor can labels, "
        "annotations and other maps with a key that a Kubernetes strategic merge takes for an order, such as $patch."
    ),
    fix="Give every item of imagePullSecrets a name, and rename keys such as $patch.",
    source=_SOURCE,
    bad=(
        "metadata:\n"
        "  annotations:\n"
        "    ome.io/inherit-from: sglang\n"
        "spec:\n"
        "  engineConfig:\n"
        "    imagePullSecrets: [{}]\n"
    ),
    good=(
        "metadata:\n"
        "  annotations:\n"
        "    ome.io/inherit-from: sglang\n"
        "spec:\n"
        "  engineConfig:\n"
        "    imagePullSecrets: [{name: registry}]\n"
    ),
)

PARENT_AMBIGUOUS = Rule(
    code="OME205",
    slug="inherit-parent-ambiguous",
    severity=Severity.ERROR,
    summary="A runtime inherits from a runtime that is defined more than once",
    why="Which of the definitions the cluster holds depends on the order of application; omec chooses none of them.",
    fix="Keep one of the definitions.",
    source="reference 06 §1.1",
    bad="metadata:\n  annotations:\n    ome.io/inherit-from: twice\n",
    good="metadata:\n  annotations:\n    ome.io/inherit-from: once\n",
)

PROFILE_NOT_DISABLED = Rule(
    code="OME206",
    slug="profile-not-disabled",
    severity=Severity.ERROR,
    summary="A runtime profile is not disabled",
    why=(
        "A profile is a parent and nothing else: OME's webhook refuses one that could be selected. It looks at the "
        "runtime's own spec.disabled; an inherited true does not count."
    ),
    fix='Set spec.disabled: true, or remove the annotation ome.io/runtime-profile: "true".',
    source=_SOURCE,
    bad='metadata:\n  annotations:\n    ome.io/runtime-profile: "true"\nspec: {}\n',
    good='metadata:\n  annotations:\n    ome.io/runtime-profile: "true"\nspec:\n  disabled: true\n',
    fixable=True,
)

INHERIT_AUTOSELECT = Rule(
    code="OME207",
    slug="inherit-autoselect",
    severity=Severity.WARNING,
    summary="A runtime that inherits can be selected automatically",
    why=(
        "Automatic selection looks at a runtime's own spec and renders from it, without anything inherited: a service "
        "that gets this runtime runs without the image, command and volumes of its parents."
    ),
    fix="Set autoSelect: false and name the runtime in the InferenceServices that should use it.",
    source=_SOURCE,
    bad="spec:\n  supportedModelFormats:\n    - modelFormat: {name: safetensors}\n      autoSelect: true\n",
    good="spec:\n  supportedModelFormats:\n    - modelFormat: {name: safetensors}\n      autoSelect: false\n",
)
