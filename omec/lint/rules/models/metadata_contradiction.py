"""``model-metadata-contradiction``: facts about a model that cannot all be true."""

from __future__ import annotations

from collections.abc import Iterator

from omec.api.size import is_clean_size, parse_size
from omec.catalog import Resource
from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault, spec_of
from omec.lint.rules.selection.range_and_name import sizes_in

RULE = Rule(
    "OME360",
    "model-metadata-contradiction",
    Severity.WARNING,
    "A model's type is of another family than its architecture, or its size far from the one in its name",
    why=(
        "OME believes what the manifest says and chooses a runtime by it; the engine then loads something else. Such "
        "facts are mostly left over from the model that the manifest was copied from."
    ),
    fix="Leave the fields out: OME reads them from the files.",
    source="reference 09 §C4, candidate 95",
    bad="""\
modelType: qwen2
modelArchitecture: DeepseekV3ForCausalLM
storage: {storageUri: "hf://deepseek-ai/DeepSeek-V3", path: /mnt/data/models/deepseek-v3}
""",
    good="""\
modelType: deepseek_v3
modelArchitecture: DeepseekV3ForCausalLM
storage: {storageUri: "hf://deepseek-ai/DeepSeek-V3", path: /mnt/data/models/deepseek-v3}
""",
)

_FAMILIES = (
    *("baichuan", "bloom", "chatglm", "cohere", "dbrx", "deepseek", "exaone", "falcon", "gemma", "gptneox"),
    *("gptoss", "granite", "internlm", "jamba", "llama", "mamba", "minicpm", "mistral", "mixtral", "mpt", "nemotron"),
    *("olmo", "phi", "qwen", "stablelm", "starcoder", "whisper", "xverse"),
)
"""Families of which an architecture and a model type both bear the name; other names say nothing."""
_FACTOR = 2.0


def check(context: Context) -> Iterator[Fault]:
    for model in context.models:
        spec = spec_of(model)
        kind, architecture, size = (spec.get(key) for key in ("modelType", "modelArchitecture", "modelParameterSize"))
        if isinstance(kind, str) and isinstance(architecture, str):
            families = _family(kind), _family(architecture)
            if all(families) and families[0] != families[1]:
                message = f"modelType {kind} is of the family {families[0]}, and {architecture} of {families[1]}"
                yield Fault(model, ("spec", "modelType"), message)
        if isinstance(size, str) and is_clean_size(size):
            yield from _size_faults(model, size)


def _size_faults(model: Resource, size: str) -> Iterator[Fault]:
    value, named = parse_size(size), sizes_in(model.name)
    if named and value > 0 and not any(1 / _FACTOR <= value / each <= _FACTOR for _, each in named if each > 0):
        message = f"modelParameterSize {size} is far from the {named[0][0].upper()} in the model's name"
        yield Fault(model, ("spec", "modelParameterSize"), message)


def _family(name: str) -> str:
    plain = name.lower().replace("_", "").replace("-", "")
    return next((family for family in _FAMILIES if plain.startswith(family)), "")
