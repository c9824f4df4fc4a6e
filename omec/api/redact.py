"""Keep secrets out of messages.

A finding may quote a value of a manifest; somebody may have put a token there. What looks like one is replaced before
it reaches a terminal or a CI log. The patterns are the published forms of well-known tokens, and keys whose names say
that their value is secret.
"""

from __future__ import annotations

import json
import re
from typing import Any

REDACTED = "[redacted]"

TOKEN_FORMS = {
    "a Hugging Face token": r"hf_[A-Za-z0-9]{16,}",
    "a Hugging Face token of an organisation": r"api_org_[A-Za-z0-9]{16,}",
    "a GitHub token": r"gh[pousr]_[A-Za-z0-9]{16,}|github_pat_[A-Za-z0-9_]{16,}",
    "a GitLab token": r"glpat-[A-Za-z0-9_-]{16,}",
    "an API key (sk-…)": r"sk-[A-Za-z0-9_-]{16,}",
    "an AWS access key": r"(?:AKIA|ASIA)[A-Z0-9]{16}",
    "a Google API key": r"AIza[A-Za-z0-9_-]{30,}",
    "a Slack token": r"xox[abprs]-[A-Za-z0-9-]{10,}",
    "a JSON Web Token": r"eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*",
}
"""The published forms of tokens, by what they are."""

_PRIVATE_KEY = (
    r"-----BEGIN [A-Z ]*PRIVATE KEY-----"
    r"(?:(?:(?!-----)[\s\S])*-----END [A-Z ]*PRIVATE KEY-----|(?:[A-Za-z0-9+/=\s]|\\[nr])*)"
)
_NO_PART_OF_A_NAME = r"(?<![A-Za-z0-9_-])"  # disk-… is no sk-…
TOKENS = re.compile(rf"{_NO_PART_OF_A_NAME}(?:{'|'.join(TOKEN_FORMS.values())})|{_PRIVATE_KEY}")
"""Every well-known token, and private keys."""

_MARKS = ("glpat-", "sk-", "AKIA", "ASIA", "AIza", "xox", "eyJ", "-----BEGIN")
_MARKS_WITH_LOW_LINE = ("hf_", "api_org_", "github_pat_", *(f"gh{kind}_" for kind in "pousr"))
"""One of these is in every token as it stands: they are found a hundred times faster than the pattern, and the answers
about a large repository are hundreds of megabytes without a token."""

URL_PASSWORD = re.compile(r"://[^/\s:@]+:(?P<secret>[^/\s@]+)(?=@)")
"""User and password in a URL."""

SIGNATURE = re.compile(r"(?i)([?&](?:sig|signature|token|x-amz-signature|access_token))=(?P<secret>[^&\s]+)")
"""The part of a URL that makes it one which anybody may use."""

_SECRET_KEY = re.compile(
    r"(?i)(?:^|[^a-z])(?:token|password|passwd|passphrase|secret|credentials?"
    r"|(?:api|access|private|secret|signing|encryption)[-_.]?key)$"
)
_TOKEN_OF_TEXT = re.compile(
    r"(?i)(?:^|[^a-z])(?:eos|bos|pad|unk|sep|cls|mask|stop|special|image|audio|video|start|end|min|max|num|next|per)[-_.]?token$"
)
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_LONGEST = 80


def may_hold_token(text: str) -> bool:
    """Whether ``text`` is worth the pattern :data:`TOKENS`; ``True`` for every text with a token."""
    return any(mark in text for mark in _MARKS) or ("_" in text and any(mark in text for mark in _MARKS_WITH_LOW_LINE))


def redact(text: str) -> str:
    """``text`` with everything that looks like a token or password replaced by ``[redacted]``."""
    if may_hold_token(text):
        text = TOKENS.sub(REDACTED, text)
    if "@" in text:
        text = URL_PASSWORD.sub(f"://{REDACTED}", text)
    if "&" in text or "?" in text:
        text = SIGNATURE.sub(rf"\1={REDACTED}", text)
    return text


def masked(line: str) -> str:
    """As :func:`redact`, but of the same length, so that columns stay what they are."""
    for pattern in (TOKENS, URL_PASSWORD, SIGNATURE):
        line = pattern.sub(lambda match: "*" * len(match[0]), line)
    return line


def is_secret_name(name: str) -> bool:
    """Whether a key of this name (``HF_TOKEN``, ``password``) announces a secret value; ``eos_token`` does not."""
    if not _SECRET_KEY.search(name) and not _SECRET_KEY.search(name := _CAMEL.sub("_", name)):
        return False
    return not _TOKEN_OF_TEXT.search(name)


def quoted(value: Any, key: str | int | None = None) -> str:
    """``value`` as a message quotes it: JSON, secrets replaced, cut to a readable length.

    ``key`` is the field that holds the value; where its name announces a secret, the value is not shown at all.
    """
    if isinstance(key, str) and is_secret_name(key) and isinstance(value, str):
        return REDACTED
    text = redact(json.dumps(value, ensure_ascii=False, default=str))
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
