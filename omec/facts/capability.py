"""What a model can do, judged by the names it goes by.

The rules are tried in order; the first that applies decides. Source: reference 08 §4.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator

import msgspec

UNKNOWN = ""
"""OME's word for a model that no rule knows; it stands in ``modelCapabilities`` as an empty entry."""


class Names(msgspec.Struct, frozen=True):
    """What the rules look at. ``pipeline_class`` is ``None`` for a model that is no diffusion pipeline.

    ``sound_is_null`` says that ``config.json`` has ``sound_config: null``.
    """

    model_type: str
    architecture: str
    has_vision: bool = False
    sound_is_null: bool = False
    pipeline_class: str | None = None

    @property
    def lower_type(self) -> str:
        return self.model_type.lower()

    def has_token(self, *tokens: str) -> bool:
        """Whether the architecture has one of ``tokens`` as a whole word of its camel case."""
        return not set(tokens).isdisjoint(words(self.architecture))


class Rule(msgspec.Struct, frozen=True):
    """One rule: its name, when it applies, and the capabilities in OME's order."""

    name: str
    applies: Callable[[Names], bool]
    capabilities: tuple[str, ...]


def classify(names: Names) -> tuple[tuple[str, ...], str]:
    """The capabilities of a model and the name of the rule that gave them."""
    rules = _TRANSFORMERS if names.pipeline_class is None else _PIPELINES
    rule = next(rule for rule in rules if rule.applies(names))
    return rule.capabilities, rule.name


def words(architecture: str) -> Iterator[str]:
    """The parts of a camel-case name: cut at ``_`` and before a capital that does not follow a capital."""
    word = ""
    previous_is_capital = True
    for character in architecture:
        capital = unicodedata.category(character) == "Lu"
        if word and (character == "_" or (capital and not previous_is_capital)):
            yield word
            word = ""
        if character != "_":
            word += character
        previous_is_capital = capital
    if word:
        yield word


def _class_contains(*parts: str) -> Callable[[Names], bool]:
    return lambda names: any(part in (names.pipeline_class or "") for part in parts)


def _type_contains(part: str) -> Callable[[Names], bool]:
    return lambda names: part in names.lower_type


def _has_token(*tokens: str) -> Callable[[Names], bool]:
    return lambda names: names.has_token(*tokens)


def _ends_with(*suffixes: str) -> Callable[[Names], bool]:
    return lambda names: names.architecture.endswith(suffixes)


def _is_super_vl(names: Names) -> bool:
    return names.architecture == "NemotronH_Omni_Reasoning_V3" and names.has_vision and names.sound_is_null


def _is_speech(names: Names) -> bool:
    return names.architecture.endswith(("ForCTC", "ForSpeechToText")) or (
        names.architecture == "WhisperForConditionalGeneration"
    )


def _is_mistral_embedding(names: Names) -> bool:
    return names.lower_type == "mistral" and names.architecture == "MistralModel"


_NONE = Rule("none", lambda _: True, (UNKNOWN,))

_PIPELINES = (
    Rule("image editing", _class_contains("ImageEdit", "Pix2Pix", "Img2Img", "Inpaint"), ("IMAGE_TEXT_TO_IMAGE",)),
    Rule("text to video", _class_contains("TextToVideo", "T2V"), ("TEXT_TO_VIDEO",)),
    Rule("video", _class_contains("Video"), ("IMAGE_TEXT_TO_VIDEO",)),
    Rule("image", _class_contains("Image", "Pix", "StableDiffusion", "Flux"), ("TEXT_TO_IMAGE",)),
    _NONE,
)

# Which of two revisions of the Nemotron rules v1.3 has is not documented; these are those of the later one.
_TRANSFORMERS = (
    Rule(
        "Nemotron-H Nano Omni",
        _type_contains("nemotronh_nano_omni"),
        ("IMAGE_TEXT_TO_TEXT", "TEXT_TO_TEXT", "AUDIO_TEXT_TO_TEXT", "VIDEO_TEXT_TO_TEXT"),
    ),
    Rule("Nemotron-H Nano", _type_contains("nemotronh_nano"), ("IMAGE_TEXT_TO_TEXT", "TEXT_TO_TEXT")),
    Rule("Nemotron Super VL", _is_super_vl, ("TEXT_TO_TEXT", "IMAGE_TEXT_TO_TEXT", "VIDEO_TEXT_TO_TEXT")),
    Rule(
        "omni",
        _has_token("Omni"),
        ("TEXT_TO_AUDIO", "IMAGE_TEXT_TO_AUDIO", "VIDEO_TEXT_TO_AUDIO", "AUDIO_TO_TEXT", "AUDIO_TO_AUDIO"),
    ),
    Rule("Inkling", _type_contains("inkling_mm_model"), ("TEXT_TO_TEXT", "AUDIO_TEXT_TO_TEXT")),
    Rule("vision", lambda names: names.has_vision, ("IMAGE_TEXT_TO_TEXT",)),
    Rule("speech", _is_speech, ("AUDIO_TO_TEXT",)),
    Rule("embedding", _has_token("Bert", "Embedding", "Sentence"), ("EMBEDDING",)),
    Rule("Mistral embedding", _is_mistral_embedding, ("EMBEDDING",)),
    Rule("text", _ends_with("ForCausalLM", "ForConditionalGeneration", "LMHeadModel"), ("TEXT_TO_TEXT",)),
    _NONE,
)
