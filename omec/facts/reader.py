"""Reading a model: from its files to :class:`omec.facts.facts.Facts`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from omec.facts import diffusion
from omec.facts.capability import UNKNOWN, classify
from omec.facts.describe import LONGEST_CONFIG, Description, describe
from omec.facts.directory import Directory
from omec.facts.display import printable, readable, shown
from omec.facts.errors import FactsError
from omec.facts.facts import Facts, FactWarning
from omec.facts.jsonscan import JsonError
from omec.facts.locate import STANDALONE_QUANTIZATION, find_in_usual_folders
from omec.facts.quantization import Quantization, parse_standalone, quantization_name
from omec.facts.safetensors import NoWeightsError, WeightCount, count_folder
from omec.facts.size import estimate_bytes, format_count
from omec.facts.tensors import TensorCounter
from omec.facts.tree import ModelTree, UnreadableError

SKIP_ANNOTATION = "ome.oracle.com/skip-config-parsing"
"""On a model: OME is not to read its files."""


def read_facts(directory: str | os.PathLike[str], annotations: Mapping[str, str] | None = None) -> Facts:
    """What OME would derive from the model in ``directory``; ``annotations`` are those of the model's manifest.

    The facts are empty, with the reason in ``skipped``, where the directory does not exist or the model is annotated
    with ``ome.oracle.com/skip-config-parsing: "true"``. Raises :class:`omec.facts.FactsError` where no file describes
    the model, or the one that does is corrupt or unsafe to read. Weights are never loaded and nothing is executed.
    """
    if not _exists(directory):
        message = f"the model's directory {printable(os.fspath(directory))} does not exist"
        return Facts(skipped=message, warnings=(FactWarning(message, "model directory does not exist"),))
    if str((annotations or {}).get(SKIP_ANNOTATION)).lower() == "true":
        return Facts(skipped=f"the model's annotation {SKIP_ANNOTATION} says so")
    return read_tree(Directory(directory))


def read_tree(tree: ModelTree, file: str | None = None) -> Facts:
    """What OME would derive from the model whose files ``tree`` holds; raises :class:`omec.facts.FactsError`.

    ``file`` is the one that describes the model, where somebody has said so.
    """
    warnings: list[FactWarning] = []
    standalone = _standalone_quantization(tree, warnings)
    description = describe(tree, file)
    quantization = standalone or description.quantization
    parameters = _count(tree, description, quantization, warnings)
    capabilities, rule = classify(description.names)
    name = quantization_name(quantization.algorithm) if quantization else ""
    origins = {
        **description.origins,
        "modelParameterSize": parameters.origin,
        "modelCapabilities": f"{printable(description.file)}: {rule} rule",
        "quantization": quantization.source if quantization else "",
        "modelConfiguration": printable(description.file),
    }
    warnings += _classification_warnings(description, capabilities, quantization, name)
    return Facts(
        config_file=readable(description.file),
        model_type=description.names.model_type,
        architecture=description.names.architecture,
        format=description.format,
        framework=description.framework,
        parameter_count=parameters.count,
        context_length=description.context_length,
        capabilities=capabilities,
        quantization=name,
        configuration=_configuration(description, parameters.count),
        diffusion_pipeline=description.pipeline.spec() if description.pipeline else None,
        weight_bytes=parameters.stored,
        attention=description.attention,
        origins=origins,
        warnings=tuple(warnings),
    )


def _exists(directory: str | os.PathLike[str]) -> bool:
    """Whether there is something at ``directory``, be it that nobody may look at it."""
    try:
        Path(directory).stat()
    except FileNotFoundError:
        return False
    except OSError:
        return True
    except ValueError:
        name = printable(os.fspath(directory))
        raise FactsError(f"'{name}' cannot be the name of a directory", hint="name the model's directory") from None
    return True


class _Parameters(msgspec.Struct, frozen=True):
    count: int
    origin: str
    stored: Mapping[str, int] = msgspec.field(default_factory=dict)


def _standalone_quantization(tree: ModelTree, warnings: list[FactWarning]) -> Quantization | None:
    """What ``hf_quant_config.json`` says; one that cannot be read counts as absent."""
    path = find_in_usual_folders(tree, STANDALONE_QUANTIZATION)
    if path is None:
        return None
    try:
        return parse_standalone(tree.read(path, LONGEST_CONFIG), path)
    except UnreadableError as error:
        problem, reported = error.reason, "read hf_quant_config.json failed"
    except JsonError as error:
        problem, reported = str(error), "parse hf_quant_config.json failed"
    warnings.append(FactWarning(f"{path} is ignored: {problem}", reported))
    return None


def _count(
    tree: ModelTree, description: Description, quantization: Quantization | None, warnings: list[FactWarning]
) -> _Parameters:
    """The parameter count from the first source that gives one. Source: reference 08 §5."""
    problems: dict[str, None] = {}
    packed = _try_count(tree, description, TensorCounter(quantization), problems) if quantization else None
    parameters = packed or _plain_count(tree, description, problems)
    warnings += [FactWarning(f"{problem}; the size comes from {parameters.origin}") for problem in problems]
    if parameters.count == 0:
        warnings.append(FactWarning("the size is 0, which fits no range of sizes; set modelParameterSize yourself"))
    return parameters


def _plain_count(tree: ModelTree, description: Description, problems: dict[str, None]) -> _Parameters:
    if description.pipeline is not None:
        return _pipeline_count(tree, description, description.pipeline, problems)
    counted = _try_count(tree, description, TensorCounter(None), problems)
    if counted is not None or description.config is None:
        return counted or _Parameters(0, "nowhere")
    origin = f"{printable(description.file)}: estimate from the dimensions"
    return _Parameters(description.config.estimated_parameters(), origin)


def _pipeline_count(
    tree: ModelTree, description: Description, pipeline: diffusion.Pipeline, problems: dict[str, None]
) -> _Parameters:
    try:
        counted = diffusion.count_components(tree, description.folder, pipeline)
    except NoWeightsError:
        return _Parameters(0, "nowhere: a component of the pipeline has no weights")
    except UnreadableError as error:
        problems[printable(str(error))] = None
        return _Parameters(0, "nowhere")
    return _Parameters(counted.parameters, _files(counted), counted.stored)


def _try_count(
    tree: ModelTree, description: Description, counter: TensorCounter, problems: dict[str, None]
) -> _Parameters | None:
    """The count in the files beside the description, ``None`` where there are none, or they cannot be counted."""
    try:
        counted = count_folder(tree, description.folder, counter)
    except NoWeightsError:
        return None
    except UnreadableError as error:
        problems[printable(str(error))] = None
        return None
    return _Parameters(counted.parameters, _files(counted), counted.stored) if counted.parameters > 0 else None


def _files(counted: WeightCount) -> str:
    first, *rest = counted.files
    return printable(first) if not rest else f"{printable(first)} and {len(rest)} more"


def _classification_warnings(
    description: Description, capabilities: tuple[str, ...], quantization: Quantization | None, name: str
) -> list[FactWarning]:
    warnings = []
    names = description.names
    if UNKNOWN in capabilities:
        architecture = shown(names.architecture)
        message = f"OME does not know what the architecture '{architecture}' can do; set modelCapabilities yourself"
        reported = f"model classified as Unknown: model_type={names.model_type} architecture={names.architecture}"
        warnings.append(FactWarning(message, reported))
    if quantization and quantization.algorithm and not name:
        message = f"OME has no name for the quantization '{shown(quantization.algorithm)}'; set quantization yourself"
        reported = f"unrecognized quant_algo; leaving spec.Quantization unset quant_algo={quantization.algorithm}"
        warnings.append(FactWarning(message, reported))
    return warnings


def _configuration(description: Description, count: int) -> dict[str, Any]:
    """``spec.modelConfiguration``, its keys in OME's order. Source: reference 08 §7."""
    return {
        "model_type": description.names.model_type,
        "architecture": description.names.architecture,
        "context_length": description.context_length,
        "parameter_count": format_count(count),
        "has_vision": description.names.has_vision,
        "is_embedding": False,
        "transformers_version": description.transformers_version,
        "torch_dtype": description.torch_dtype,
        "model_size_bytes": estimate_bytes(count, description.torch_dtype) if count else 0,
    }
