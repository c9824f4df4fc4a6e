"""``gated-model-without-token``: a model behind a licence, without a token to download it."""

from __future__ import annotations

from collections.abc import Iterator

from omec.api.storage_uri import HuggingFaceUri, StorageUriError, parse_storage_uri
from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault
from omec.lint.rules.policies.stated import any_fits, policy_of, stated

RULE = Rule(
    "OME939",
    "gated-model-without-token",
    Severity.ERROR,
    "A model that the policy lists as gated names no Secret with a token",
    why=(
        "The hub answers 401 to a download without the token of an account that has accepted the licence: "
        "the model stays Failed."
    ),
    fix="Name a Secret with the token in spec.storage.key.",
    source="docs/linting.md#team-policies",
    bad="""\
storage: {storageUri: "hf://meta-llama/Llama-3.2-1B-Instruct", path: /raid/models/llama}
""",
    good="""\
storage: {storageUri: "hf://meta-llama/Llama-3.2-1B-Instruct", path: /raid/models/llama, key: hub-token}
""",
)


def check(context: Context) -> Iterator[Fault]:
    gated = policy_of(context).gated_models
    if gated:
        yield from stated(context, _faults(context, gated), "gated-models")


def _faults(context: Context, gated: tuple[str, ...]) -> Iterator[Fault]:
    for model in context.models:
        storage = model.spec.get("storage") or {}
        if storage.get("key") or (storage.get("parameters") or {}).get("token"):
            continue
        uri = _hub_uri(storage.get("storageUri"))
        if uri is not None and any_fits(gated, uri.model_id):
            message = f"{uri.model_id} is gated, and the model names no Secret with a token"
            yield Fault(model, ("spec", "storage", "storageUri"), message)


def _hub_uri(text: object) -> HuggingFaceUri | None:
    try:
        uri = parse_storage_uri(text) if isinstance(text, str) else None
    except StorageUriError:
        return None
    return uri if isinstance(uri, HuggingFaceUri) else None
