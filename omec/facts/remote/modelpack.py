"""ModelPack artifacts: a model in an OCI registry, with a configuration that describes it.

OME reads the model's own files once they are pulled. Where the artifact lets them be read in place, so does omec; where
it does not (compressed layers), the artifact's configuration tells less, and the rest stays open.

Source: CNCF ModelPack specification (manifest, configuration, annotations of layers).
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from omec.api.storage_uri import ModelPackUri
from omec.facts.errors import FactsError
from omec.facts.facts import Facts, FactWarning, NameAndVersion
from omec.facts.locate import CONFIG, MODEL_INDEX
from omec.facts.quantization import quantization_name
from omec.facts.remote.client import Client
from omec.facts.remote.errors import RemoteError
from omec.facts.remote.layers import LayerTree, find_files
from omec.facts.remote.registry import DIGEST, Reference, Registry
from omec.facts.remote.url_wire import UrlWire
from omec.facts.tree import ModelTree

_MODEL_CONFIG_TYPES = ("vnd.cncf.model.config", "vnd.cnai.model.config")
_LONGEST_CONFIG = 1024 * 1024

_SPEC_FIELDS = (
    "modelType",
    "modelArchitecture",
    "modelParameterSize",
    "modelFormat",
    "modelFramework",
    "maxTokens",
    "modelCapabilities",
    "quantization",
    "modelConfiguration",
    "diffusionPipeline",
)
_SCALES = ("", "K", "M", "B", "T", "Q")
_PARAMETERS = re.compile(r"([0-9]{1,6}(?:\.[0-9]{1,6})?)([KMBTQ]?)", re.IGNORECASE)

_TEXT, _IMAGE, _AUDIO, _VIDEO = "text", "image", "audio", "video"
_CAPABILITIES = (
    ({_TEXT, _IMAGE}, _TEXT, "IMAGE_TEXT_TO_TEXT"),
    ({_TEXT, _AUDIO}, _TEXT, "AUDIO_TEXT_TO_TEXT"),
    ({_TEXT, _VIDEO}, _TEXT, "VIDEO_TEXT_TO_TEXT"),
    ({_TEXT, _IMAGE}, _IMAGE, "IMAGE_TEXT_TO_IMAGE"),
    ({_TEXT}, _TEXT, "TEXT_TO_TEXT"),
    ({_TEXT}, _IMAGE, "TEXT_TO_IMAGE"),
    ({_TEXT}, _VIDEO, "TEXT_TO_VIDEO"),
    ({_TEXT}, _AUDIO, "TEXT_TO_AUDIO"),
    ({_AUDIO}, _TEXT, "AUDIO_TO_TEXT"),
    ({_TEXT}, "embedding", "EMBEDDING"),
)


class Artifact:
    """One artifact: ``digest`` of its manifest, and what can be seen of the model."""

    def __init__(self, uri: ModelPackUri, client: Client | None = None, basic: str | None = None) -> None:
        self._reference = Reference.parse(uri.reference)
        self._registry = Registry(self._reference, client or Client(UrlWire()), basic)
        self.digest, self._manifest = self._model_manifest()

    @property
    def label(self) -> str:
        return f"modelpack://{self._reference}"

    @property
    def registry(self) -> Registry:
        """Where the blobs are."""
        return self._registry

    @property
    def layers(self) -> list[Any]:
        """The layers as the manifest lists them."""
        layers = self._manifest.get("layers")
        return layers if isinstance(layers, list) else []

    def tree(self) -> ModelTree | None:
        """The files of the model, ``None`` where none of those that describe it can be read in place."""
        places = find_files(self.layers, self._registry)
        describes = any(path.rpartition("/")[2] in (CONFIG, MODEL_INDEX) for path in places)
        return LayerTree(self.label, self._registry, places) if describes else None

    def facts(self) -> Facts:
        """What the configuration of the artifact tells; raises :class:`FactsError` where it is none of a model."""
        config = self._manifest.get("config")
        descriptor = config if isinstance(config, dict) else {}
        media_type, digest = str(descriptor.get("mediaType")), str(descriptor.get("digest"))
        if not any(part in media_type for part in _MODEL_CONFIG_TYPES) or not DIGEST.fullmatch(digest):
            raise FactsError(
                f"{self.label} is no model: its configuration is of the type {media_type[:80]}",
                hint="push it with a tool for ModelPack artifacts, such as modctl",
            )
        document = _object(self._registry.blob(digest, _LONGEST_CONFIG), self.label)
        return facts_of_config(document, self.label)

    def _model_manifest(self) -> tuple[str, dict[str, Any]]:
        """The manifest of the artifact; of an index, the first that it names."""
        digest, body = self._registry.manifest(self._reference.version)
        manifest = _object(body, self.label)
        manifests = manifest.get("manifests")
        if isinstance(manifests, list) and manifests and isinstance(manifests[0], dict):
            first = str(manifests[0].get("digest"))
            if not DIGEST.fullmatch(first):
                raise RemoteError(f"{self.label} is an index that names no manifest", hint="push the artifact again")
            return digest, _object(self._registry.manifest(first)[1], self.label)
        return digest, manifest


def facts_of_config(document: Mapping[str, Any], label: str) -> Facts:
    """What a model configuration tells, under OME's names; everything else stays open."""
    config, descriptor = _mapping(document.get("config")), _mapping(document.get("descriptor"))
    count = _count(_text(config, "paramSize"))
    quantization = quantization_name(_text(config, "quantization") or _text(config, "precision"))
    capabilities = _capabilities(_mapping(config.get("capabilities")))
    known = {
        "modelType": _text(descriptor, "family"),
        "modelFormat": _text(config, "format"),
        "modelParameterSize": count,
        "modelCapabilities": capabilities,
        "quantization": quantization,
    }
    places = {
        "modelType": "descriptor.family",
        "modelFormat": "config.format",
        "modelParameterSize": "config.paramSize",
        "modelCapabilities": "config.capabilities",
        "quantization": "config.quantization",
    }
    message = (
        f"{label}: the model's own files cannot be read in place, so its configuration has to do; "
        "push it with layers that are not compressed, or complete the manifest"
    )
    return Facts(
        config_file="the artifact's configuration",
        model_type=_text(descriptor, "family"),
        format=NameAndVersion(_text(config, "format").lower()),
        parameter_count=count,
        capabilities=capabilities,
        quantization=quantization,
        unknown=frozenset(name for name in _SPEC_FIELDS if not known.get(name)),
        origins={name: places[name] for name, value in known.items() if value},
        warnings=(FactWarning(message),),
    )


def _count(text: str) -> int:
    """The parameters that ``paramSize`` writes as ``6.7b``; 0 where it cannot be read."""
    written = _PARAMETERS.fullmatch(text.strip())
    return round(float(written[1]) * 1000 ** _SCALES.index(written[2].upper())) if written else 0


def _capabilities(given: Mapping[str, Any]) -> tuple[str, ...]:
    inputs = set(_texts(given, "inputTypes", "input_types"))
    outputs = set(_texts(given, "outputTypes", "output_types"))
    return tuple(name for needs, makes, name in _CAPABILITIES if needs <= inputs and makes in outputs)


def _texts(mapping: Mapping[str, Any], *keys: str) -> list[str]:
    values: list[Any] = next((mapping[key] for key in keys if isinstance(mapping.get(key), list)), [])
    return [value for value in values if isinstance(value, str)]


def _text(mapping: Mapping[str, Any], key: str) -> str:
    value = mapping.get(key)
    return value if isinstance(value, str) and len(value) <= 200 and value.isprintable() else ""


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _object(data: bytes, label: str) -> dict[str, Any]:
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise FactsError(f"{label}: what the registry holds is no JSON object", hint="push the artifact again")
    return value
