"""Every text of OME about matching, selection and references, word for word (reference 01 §3, §4.2, §7, §11-§14).

Only this module writes them, so that a text that OME changes is changed in one place.
"""

from __future__ import annotations

from collections.abc import Iterable

# Why a whole runtime does not serve a model.

DISABLED = "runtime is disabled"
ACCELERATOR_CLASS = "runtime does not support the required accelerator class"
NO_FORMATS = "no supported formats defined"
UNKNOWN_MISMATCH = "unknown mismatch"


def deployment_mode(component: str, runtime_mode: str, requested: str) -> str:
    return (
        f"runtime {component} deployment mode {runtime_mode} does not match requested "
        f"{component} deployment mode {requested}"
    )


def unsupported_format(label: str, entry_reasons: Iterable[str]) -> str:
    """``label`` is the model's; without any reason the runtime has no entries at all."""
    return f"model format '{label}' not in supported formats: {'; '.join(entry_reasons) or NO_FORMATS}"


def size_outside(size: str, range_label: str) -> str:
    return f"model size {size} is outside supported range {range_label}"


# Why one entry of supportedModelFormats does not match.

PIPELINE_MISSING = "diffusion pipeline required by runtime but not specified in model"
PIPELINE_COMPONENTS_MISSING = "diffusion pipeline missing required additional components"
NO_CACHE_PROVIDER = "no model cache provider is configured for sharded model loading"


def differs(what: str, model: str, runtime: str) -> str:
    return f"{what} mismatch (model={model}, runtime={runtime})"


def model_lacks(what: str, required: str) -> str:
    return f"model has no {what} but runtime requires {required}"


def runtime_lacks(what: str, value: str) -> str:
    return f"model has {what} {value} but runtime has no {what} requirement"


def runtime_lacks_version(what: str) -> str:
    return f"model has {what} version but runtime has no version requirement"


def component_missing(name: str) -> str:
    return f"component {name} required by runtime but not specified in model"


def additional_component_missing(name: str) -> str:
    return f"diffusion component {name} missing in model"


# Why automatic selection skips a runtime that does serve the model.

NOT_AUTO_SELECT = (
    "supports the model but has no supportedModelFormats[].autoSelect=true entry, so automatic selection skips it "
    "(pin it explicitly via spec.runtime.name instead)"
)
SCORE_ZERO = "auto-select score is 0"
SCORE_ZERO_PRIORITY = "auto-select score is 0 (format priority 0)"


def entry_not_auto_select(format_name: str) -> str:
    return (
        f"matching format {format_name} is not autoSelect-enabled (a different supportedModelFormats entry on this "
        "runtime has autoSelect=true, but not the one that matches this model)"
    )


# Warnings of the compatibility report.

WARN_NOT_AUTO_SELECT = "runtime does not have auto-select enabled for any supported format"
WARN_NO_SIZE = "model does not specify size, but runtime has size constraints"


# Errors.

FORMAT_REQUIRED = "invalid model specification: modelFormat.name: model format name is required"
NOTHING_NAMED = "at least one of spec.model or spec.runtime must be set"
REVISION_NEEDS_PIN = (
    "spec.runtime.revision requires spec.runtime.autoSync=false; AutoSync=true would silently ignore the pin"
)


def no_runtime_found(
    format_name: str, namespace: str, namespaced: int, cluster: int, excluded: Iterable[tuple[str, str]]
) -> str:
    """``excluded`` are names with their reasons, in the order in which they are to be listed."""
    text = f"no runtime found to support model {format_name} with format {format_name} in namespace {namespace}"
    if namespaced + cluster:
        text += f". Checked {namespaced + cluster} runtimes ({namespaced} namespace-scoped, {cluster} cluster-scoped)"
    listed = "; ".join(f"{name} ({reason})" for name, reason in excluded)
    return f"{text}. Excluded runtimes: {listed}" if listed else text


def incompatible(runtime: str, model: str, reason: str) -> str:
    """``model`` is the format's name, or nothing where the reason is an accelerator class or a deployment mode."""
    return f"runtime {runtime} does not support model {model}: {reason}"


def runtime_not_found(runtime: str, namespace: str) -> str:
    return f"runtime {runtime} not found in namespace {namespace} or at cluster scope"


def serving_runtime_not_found(runtime: str, namespace: str) -> str:
    return f"ServingRuntime {runtime} not found in namespace {namespace}"


def runtime_disabled(runtime: str, *, cluster: bool) -> str:
    return f"{'cluster' if cluster else 'namespace'}-scoped runtime {runtime} is disabled"


def model_not_found(model: str, namespace: str) -> str:
    return (
        f'referenced model "{model}" not found in namespace "{namespace}": ensure a BaseModel exists in this namespace '
        "or a ClusterBaseModel exists cluster-wide with this name"
    )


def claim_elsewhere(model: str, claim_namespace: str, namespace: str) -> str:
    return (
        f'ClusterBaseModel "{model}" references PVC in namespace "{claim_namespace}", but InferenceService is in '
        f'namespace "{namespace}"; Kubernetes does not allow pods to mount PVCs from another namespace. Either move '
        f'the InferenceService to namespace "{claim_namespace}" or replicate the PVC into namespace "{namespace}".'
    )


def revision_form(revision: str, runtime: str, prefix: str, *, local: bool) -> str:
    """``prefix`` is what the revision's name has to begin with; the rest of the form stands in the message as it is."""
    kind = "ServingRuntime" if local else "ClusterServingRuntime"
    return (
        f'spec.runtime.revision "{revision}" does not match the expected naming convention for runtime "{runtime}" '
        f"({kind}); expected the form {prefix}-<8 lowercase hex chars>"
    )


def model_disabled(model: str) -> str:
    return f"model {model} is disabled"


def unsupported_model_kind(kind: str) -> str:
    return f'unsupported Model kind "{kind}"'


def api_not_found(plural: str, name: str) -> str:
    return f'{plural}.ome.io "{name}" not found'


def service_without_model(service: str) -> str:
    return f'InferenceService "{service}" has no spec.model; pass --model instead'


NO_RUNTIMES = "No serving runtimes found in the selected namespace or at cluster scope."


# What the webhook and the controller say.


def no_supporting_runtime(model: str, error: str) -> str:
    return (
        f"no supporting runtime found for model {model} and engine does not have complete runner configuration: {error}"
    )


def will_be_selected(runtime: str, model: str) -> str:
    return f"Runtime {runtime} will be auto-selected for model {model}"


def undeclared_support_warning(runtime: str, model: str, error: str) -> str:
    return (
        f'runtime "{runtime}" does not declare support for model "{model}" ({error}); '
        "proceeding because the runtime was named explicitly"
    )


def undeclared_support_event(runtime: str, model: str, error: str) -> str:
    return (
        f"Runtime {runtime} does not declare support for model {model} ({error}); "
        "proceeding because the runtime was named explicitly"
    )
