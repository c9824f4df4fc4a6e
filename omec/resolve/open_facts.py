"""Which facts a model's manifest leaves to the weights.

OME fills in only what is unset (OME docs: concepts/models/base-models; reference 08 §9).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Final

import msgspec

from omec.catalog import Resource
from omec.resolve.facts import ModelFacts, as_text
from omec.resolve.filled_model import FilledModel

FORMAT, FORMAT_VERSION, FRAMEWORK = "modelFormat", "modelFormat.version", "modelFramework"
ARCHITECTURE, QUANTIZATION = "modelArchitecture", "quantization"
SIZE, PIPELINE = "modelParameterSize", "diffusionPipeline"

FACTS: Final = (FORMAT, FORMAT_VERSION, FRAMEWORK, ARCHITECTURE, QUANTIZATION, SIZE, PIPELINE)
"""Every fact that OME fills in and that choosing a runtime looks at, in the order of messages."""

OPTIONAL: Final = frozenset({QUANTIZATION, PIPELINE})
"""Facts that most models rightly lack."""

QUANTIZATIONS: Final = ("fp8", "fbgemm_fp8", "nvfp4", "mxfp4", "compressed-tensors", "int4")
"""Every quantization that OME derives."""

SKIP_PARSING = "ome.oracle.com/skip-config-parsing"

READ_SCHEMES = ("hf://", "oci://", "local://", "pvc://", "modelpack://")
"""The storage schemes whose weights OME 1.3 reads: not ``vendor://``, and not those it cannot download."""

PVC = "pvc://"


class OpenFacts(msgspec.Struct, frozen=True):
    """The facts of one model that its manifest leaves to the weights; ``pvc`` models are read by a Job.

    Where the manifest gives the architecture, its author has described the weights: a missing quantization then means
    an unquantized model, unless a runtime asks for a value that would fit.
    """

    given: ModelFacts
    fields: frozenset[str]
    pvc: bool = False

    @property
    def described(self) -> bool:
        return ARCHITECTURE not in self.fields

    @property
    def key(self) -> Hashable:
        """What two models share where every question about them has one answer."""
        return self.unsized_key, self.given.size, self.given.size_value

    @property
    def unsized_key(self) -> Hashable:
        """As :attr:`key`, for questions to which a given size makes no difference."""
        return self.fields, self.pvc, self.given.unsized_key

    def is_free(self, field: str) -> bool:
        """Whether ``field`` may also take values that no runtime mentions."""
        return field in self.fields and not (self.described and field in OPTIONAL)


def open_facts(model: Resource) -> OpenFacts:
    """What the manifest of ``model`` gives, and what it leaves to the weights."""
    given = ModelFacts.of(model.spec)
    uri = _storage_uri(model)
    pvc = uri.startswith(PVC)
    skipped = (as_text(model.annotations.get(SKIP_PARSING)) or "").lower() == "true" and not pvc
    if skipped or not uri.startswith(READ_SCHEMES):
        return OpenFacts(given, frozenset(), pvc)
    unset = {
        FORMAT: not given.format.name,
        FORMAT_VERSION: bool(given.format.name) and given.format.version is None,
        FRAMEWORK: given.framework is None,
        ARCHITECTURE: given.architecture is None,
        QUANTIZATION: given.quantization is None,
        SIZE: given.size is None,
        PIPELINE: given.pipeline is None and not pvc,
    }
    fields = frozenset(field for field, is_unset in unset.items() if is_unset)
    if isinstance(model, FilledModel):
        fields = frozenset(field for field in fields if not model.knowledge.tells(field))
    return OpenFacts(given, fields, pvc)


def in_order(fields: Iterable[str]) -> tuple[str, ...]:
    """``fields`` in the order of :data:`FACTS`."""
    chosen = frozenset(fields)
    return tuple(field for field in FACTS if field in chosen)


def _storage_uri(model: Resource) -> str:
    storage = model.spec.get("storage")
    return as_text(storage.get("storageUri")) or "" if isinstance(storage, dict) else ""
