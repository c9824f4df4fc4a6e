"""Rules about accelerator classes, and how services and runtimes ask for them."""

from __future__ import annotations

from omec.finding import Rule, Severity

_SELECT = "OME docs: guides/deploy-models/select-accelerators"
_CLASSES = "OME docs: concepts/runtimes/accelerator-classes"
_PER_CLASS = "OME docs: concepts/runtimes/serving-runtimes"

CLASS_DROPPED = Rule(
    code="OME603",
    slug="accelerator-class-dropped",
    severity=Severity.WARNING,
    summary="A service asks for an accelerator class, and its runtime lists none",
    why="OME then ignores classes and policies without a word: the pods run wherever they fit.",
    fix="List the classes in spec.acceleratorRequirements.acceleratorClasses of the runtime.",
    source=f"{_SELECT}; reference 03 §4",
    bad="runtime: {name: plain}\nacceleratorSelector: {acceleratorClass: nvidia-h100}\n",
    good="runtime: {name: sglang}\nacceleratorSelector: {acceleratorClass: nvidia-h100}\n",
)

NO_CANDIDATE = Rule(
    code="OME604",
    slug="accelerator-policy-without-candidate",
    severity=Severity.WARNING,
    summary="A policy finds no accelerator class to choose",
    why="The component silently gets no class: no node selector, no resources and no settings of one.",
    fix="Loosen the constraints, list more classes in the runtime, or name one in acceleratorClass.",
    source=f"{_SELECT}; reference 03 §5",
    bad="acceleratorSelector: {policy: FirstAvailable, constraints: {minMemory: 141}}\n",
    good="acceleratorSelector: {policy: FirstAvailable, constraints: {minMemory: 80}}\n",
)

BEST_FIT_CRASH = Rule(
    code="OME605",
    slug="accelerator-best-fit-crash",
    severity=Severity.WARNING,
    summary="OME 1.3 fails over policy BestFit without constraints",
    why=(
        "With two or more classes to choose from, the controller of OME 1.3 panics when the service has no "
        "constraints: the workload is neither created nor updated, and no event says so. omec chooses as later "
        "releases do, as if the constraints were empty."
    ),
    fix="Add constraints to spec.acceleratorSelector, such as minMemory: 80; an empty object is enough.",
    source=f"{_SELECT}#policies; reference 03 §6.3",
    bad="acceleratorSelector: {policy: BestFit}\n",
    good="acceleratorSelector: {policy: BestFit, constraints: {minMemory: 80}}\n",
)

OVERRIDE_WITHOUT_EFFECT = Rule(
    code="OME606",
    slug="accelerator-override-without-effect",
    severity=Severity.WARNING,
    summary="A field of a component's acceleratorOverride has no effect",
    why=(
        "OME reads constraints from spec.acceleratorSelector alone, for every component. And a class that is named, in "
        "the override or in the selector, comes before every policy."
    ),
    fix="Move constraints to spec.acceleratorSelector; where a policy should decide, name no class.",
    source=f"{_SELECT}; reference 03 §5",
    bad="engine:\n  acceleratorOverride: {policy: FirstAvailable, constraints: {minMemory: 80}}\n",
    good=(
        "engine:\n"
        "  acceleratorOverride: {policy: FirstAvailable}\n"
        "acceleratorSelector: {constraints: {minMemory: 80}}\n"
    ),
)

ANNOTATION_ONLY = Rule(
    code="OME607",
    slug="accelerator-annotation-only",
    severity=Severity.INFO,
    summary="The annotation ome.io/accelerator-class alone gives no component a class",
    why="It only excludes runtimes that do not list the class. Nodes, resources and arguments stay as they are.",
    fix="Name the class in spec.acceleratorSelector.acceleratorClass too.",
    source=f"{_SELECT}; reference 03 §2.2",
    bad="metadata:\n  annotations: {ome.io/accelerator-class: nvidia-h100}\n",
    good=(
        "metadata:\n"
        "  annotations: {ome.io/accelerator-class: nvidia-h100}\n"
        "spec:\n"
        "  acceleratorSelector: {acceleratorClass: nvidia-h100}\n"
    ),
)

CLASS_EMPTY = Rule(
    code="OME608",
    slug="accelerator-class-empty",
    severity=Severity.WARNING,
    summary="A service names an accelerator class with an empty name",
    why=(
        "No runtime lists the empty name, so none counts as fit for the service; and in an override it hides the class "
        "that the selector names."
    ),
    fix="Remove the field or the annotation, or name a class.",
    source="reference 03 §4 and §5",
    bad='acceleratorSelector: {acceleratorClass: ""}\n',
    good="acceleratorSelector: {acceleratorClass: nvidia-h100}\n",
)

FLAG_MISSING = Rule(
    code="OME609",
    slug="parallelism-flag-missing",
    severity=Severity.WARNING,
    summary="A runtime overrides a parallelism that the engine is never told",
    why=(
        "OME changes a flag that stands in args or command; it adds none, and looks into no shell command. "
        "PARALLELISM_SIZE is left out as well, so the engine runs with its own default."
    ),
    fix="Give the runner a flag such as --tp-size=1, an element of its own, for OME to change.",
    source=f"{_PER_CLASS}#per-accelerator-configuration; reference 03 §7.4",
    bad="runner: {args: [--port=8080]}\n",
    good="runner: {args: [--port=8080, --tp-size=1]}\n",
)

GPUS_DIFFER = Rule(
    code="OME610",
    slug="parallelism-gpus-differ",
    severity=Severity.INFO,
    summary="The parallelism for an accelerator class is not the number of GPUs of a replica",
    why="With fewer the rest sit idle; with more the engine does not start.",
    fix="Make tensorParallelSize x pipelineParallelSize the GPUs of a pod times its pods.",
    source="reference 03 §7.4",
    bad=(
        "supportedModelFormats:\n"
        "- modelFormat: {name: safetensors}\n"
        "  modelFramework: {name: transformers}\n"
        "  acceleratorConfig:\n"
        "    nvidia-h100: {tensorParallelismOverride: {tensorParallelSize: 4}}\n"
    ),
    good=(
        "supportedModelFormats:\n"
        "- modelFormat: {name: safetensors}\n"
        "  modelFramework: {name: transformers}\n"
        "  acceleratorConfig:\n"
        "    nvidia-h100: {tensorParallelismOverride: {tensorParallelSize: 8}}\n"
    ),
)

VENDORS_MIXED = Rule(
    code="OME611",
    slug="accelerator-vendors-mixed",
    severity=Severity.WARNING,
    summary="A container asks for GPUs of two vendors",
    why=(
        "The resources of a class replace those of the same name and leave others. No node has both, so the pods stay "
        "Pending."
    ),
    fix="State the GPUs of the runtime's runner in the resource that the class has, or leave them to the class.",
    source="reference 03 §7.3",
    bad="runner:\n  resources: {limits: {amd.com/gpu: 8}}\n",
    good="runner:\n  resources: {limits: {nvidia.com/gpu: 8}}\n",
)

ARGUMENTS_LOST = Rule(
    code="OME612",
    slug="accelerator-arguments-lost",
    severity=Severity.WARNING,
    summary="Overriding arguments for an accelerator class loses others",
    why=(
        "OME keeps only the last of a flag that is given more than once, and takes whatever follows a parallelism flag "
        "for its value, even the next flag."
    ),
    fix="Write --flag=value in one element; where a flag has to be repeated, put all arguments into command.",
    source="reference 03 §7.4",
    bad="runner: {args: [--tp-size, --trust-remote-code]}\n",
    good="runner: {args: [--tp-size=1, --trust-remote-code]}\n",
)

NO_NODES = Rule(
    code="OME613",
    slug="accelerator-class-without-nodes",
    severity=Severity.WARNING,
    summary="No node of the inventory suits the accelerator class of a component",
    why="The pods stay Pending: their node selector or what they ask for fits no node. OME does not look.",
    fix="Correct the class or [[nodes]] in omec.toml, or choose a class whose nodes exist.",
    source=f"{_CLASSES}#how-ome-finds-matching-nodes; reference 03 §3",
    bad="discovery: {nodeSelector: {gpu: h1000}}\n",
    good="discovery: {nodeSelector: {gpu: h100}}\n",
)

FACT_MISSING = Rule(
    code="OME614",
    slug="accelerator-fact-missing",
    severity=Severity.WARNING,
    summary="A policy passes over a class that does not say what a constraint asks",
    why="A class without memoryGB meets no bound on memory, one without computeCapability no least version.",
    fix="State the figure in the class.",
    source=f"{_SELECT}#constraints; reference 03 §5.1",
    bad="capabilities: {}\n",
    good="capabilities: {memoryGB: 80Gi}\n",
)

RUNTIME_CLASS_UNKNOWN = Rule(
    code="OME620",
    slug="runtime-accelerator-class-unknown",
    severity=Severity.ERROR,
    summary="A runtime lists an accelerator class that does not exist",
    why="OME's webhook refuses the runtime.",
    fix="Add the AcceleratorClass to the repository or to one of its [[sources]], or correct the name.",
    source="OME docs: reference/matching/runtime-accelerator-class-matching; reference 03 §2.1",
    bad=(
        "apiVersion: ome.io/v1beta1\nkind: ClusterServingRuntime\nmetadata: {name: sglang}\n"
        "spec: {acceleratorRequirements: {acceleratorClasses: [nvidia-h100]}}\n"
    ),
    good=(
        "apiVersion: ome.io/v1beta1\nkind: ClusterServingRuntime\nmetadata: {name: sglang}\n"
        "spec: {acceleratorRequirements: {acceleratorClasses: [nvidia-h100]}}\n---\n"
        "apiVersion: ome.io/v1beta1\nkind: AcceleratorClass\nmetadata: {name: nvidia-h100}\n"
        "spec: {discovery: {}, capabilities: {}}\n"
    ),
)


def _class(spec: str) -> str:
    return f"apiVersion: ome.io/v1beta1\nkind: AcceleratorClass\nmetadata: {{name: nvidia-h100}}\nspec: {spec}\n"


MEMORY_UNIT = Rule(
    code="OME621",
    slug="accelerator-memory-unit",
    severity=Severity.WARNING,
    summary="The memory of an accelerator class is not written in binary units",
    why="memoryGB counts bytes, whatever its name says: 80 is 80 bytes, which is 0 GiB, and 80G is 74 GiB.",
    fix="Write it with Gi, such as 80Gi.",
    source="reference 03 §1",
    bad=_class('{discovery: {}, capabilities: {memoryGB: "80"}}'),
    good=_class("{discovery: {}, capabilities: {memoryGB: 80Gi}}"),
    fixable=True,
)

VERSION_AS_TEXT = Rule(
    code="OME622",
    slug="accelerator-version-as-text",
    severity=Severity.WARNING,
    summary="A compute capability has a major version of two digits",
    why="OME compares the versions as texts, so that 10.0 is less than 9.0.",
    fix="Leave minArchitectureVersion out, and tell the classes apart by requiredFeatures or architectureFamilies.",
    source=f"{_SELECT}#constraints; reference 03 §5.1",
    bad=_class('{discovery: {}, capabilities: {computeCapability: "10.0"}}'),
    good=_class('{discovery: {}, capabilities: {computeCapability: "9.0"}}'),
)

QUANTITY_DEFAULT = Rule(
    code="OME623",
    slug="accelerator-quantity-default",
    severity=Severity.WARNING,
    summary="An accelerator class gives each pod one GPU, because it states no quantity",
    why="The class replaces what the runner asks for, and a runtime that lists it asks for more.",
    fix="State quantity: the amount for one pod.",
    source="reference 03 §1 and §7.3",
    bad="resources:\n- {name: nvidia.com/gpu}\n",
    good="resources:\n- {name: nvidia.com/gpu, quantity: 8}\n",
)

CONFIG_KEY_UNUSED = Rule(
    code="OME624",
    slug="accelerator-config-key-unused",
    severity=Severity.WARNING,
    summary="A runtime has settings for an accelerator class that it does not list or that does not exist",
    why="Nothing checks the keys of acceleratorConfig. Settings under a misspelled name are never used.",
    fix="Write the key as metadata.name of a class that acceleratorRequirements lists.",
    source="reference 03 §2.1",
    bad=(
        "supportedModelFormats:\n"
        "- modelFormat: {name: safetensors}\n"
        "  modelFramework: {name: transformers}\n"
        "  acceleratorConfig: {nvidia-h1000: {}}\n"
    ),
    good=(
        "supportedModelFormats:\n"
        "- modelFormat: {name: safetensors}\n"
        "  modelFramework: {name: transformers}\n"
        "  acceleratorConfig: {nvidia-h100: {}}\n"
    ),
)

REQUIREMENT_WITHOUT_EFFECT = Rule(
    code="OME625",
    slug="accelerator-requirement-without-effect",
    severity=Severity.INFO,
    summary="OME reads nothing of acceleratorRequirements but the list of classes",
    why="The other fields of a runtime's requirements neither exclude classes nor weigh them.",
    fix="Remove the field; constraints belong into spec.acceleratorSelector of the InferenceService.",
    source="reference 03 §2.1",
    bad=(
        "apiVersion: ome.io/v1beta1\nkind: ClusterServingRuntime\nmetadata: {name: sglang}\n"
        "spec: {acceleratorRequirements: {minMemory: 80}}\n"
    ),
    good="apiVersion: ome.io/v1beta1\nkind: ClusterServingRuntime\nmetadata: {name: sglang}\nspec: {}\n",
    fixable=True,
)

RUNTIME_OVERRIDE = Rule(
    code="OME626",
    slug="runtime-accelerator-override",
    severity=Severity.WARNING,
    summary="An acceleratorOverride in a runtime has no effect",
    why="Only the InferenceService chooses classes; OME drops what a runtime says.",
    fix="Move it to the component of the InferenceService.",
    source="reference 03 §2.1",
    bad=(
        "apiVersion: ome.io/v1beta1\nkind: ClusterServingRuntime\nmetadata: {name: sglang}\n"
        "spec: {engineConfig: {acceleratorOverride: {policy: Cheapest}}}\n"
    ),
    good=(
        "apiVersion: ome.io/v1beta1\nkind: ClusterServingRuntime\nmetadata: {name: sglang}\nspec: {engineConfig: {}}\n"
    ),
    fixable=True,
)

FAMILY_HYPHEN = Rule(
    code="OME627",
    slug="accelerator-family-hyphen",
    severity=Severity.WARNING,
    summary="The family of an accelerator class has a hyphen",
    why=(
        "architectureFamilies takes an entry with a hyphen for vendor and family, so that the family alone never "
        "matches."
    ),
    fix="Write the family without a hyphen, or constrain services by vendor-family.",
    source="reference 03 §1 and §5.1",
    bad=_class("{discovery: {}, capabilities: {}, vendor: amd, family: cdna-3}"),
    good=_class("{discovery: {}, capabilities: {}, vendor: amd, family: cdna3}"),
)
