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

_TOKENS = re.compile(
    r"(?<![A-Za-z0-9_-])(?:"  # no part of a longer name: disk-… is none
    r"hf_[A-Za-z0-9]{16,}"  # Hugging Face
    r"|api_org_[A-Za-z0-9]{16,}"  # Hugging Face, organisations
    r"|gh[pousr]_[A-Za-z0-9]{16,}|github_pat_[A-Za-z0-9_]{16,}"  # GitHub
    r"|glpat-[A-Za-z0-9_-]{16,}"  # GitLab
    r"|sk-[A-Za-z0-9_-]{16,}"  # OpenAI and others
    r"|(?:AKIA|ASIA)[A-Z0-9]{16}"  # AWS key id
    r"|AIza[A-Za-z0-9_-]{30,}"  # Google
    r"|xox[abprs]-[A-Za-z0-9-]{10,}"  # Slack
    r"|eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*"  # JSON Web Token
    r")"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*"
)
_TOKEN_MARKS = (
    *("hf_", "api_org_", "github_pat_", "glpat-", "sk-", "AKIA", "ASIA", "AIza", "xox", "eyJ", "-----BEGIN"),
    *(f"gh{kind}_" for kind in "pousr"),
)
"""What every token holds as it stands: these are found a hundred times faster than the pattern, and the answers about a
large repository are hundreds of megabytes without a token."""
_URL_PASSWORD = re.compile(r"://[^/\s:@]+:[^/\s@]+(?=@)")
_SIGNATURE = re.compile(r"(?i)([?&](?:sig|signature|token|x-amz-signature|access_token))=[^&\s]+")
_SECRET_KEY = re.compile(
    r"(?i)(?:^|[^a-z])(?:token|password|passwd|secret|api[-_.]?key|access[-_.]?key|private[-_.]?key|credentials?)$"
)
_LONGEST = 80


def redact(text: str) -> str:
    """``text`` with everything that looks like a token or password replaced by ``[redacted]``."""
    if any(mark in text for mark in _TOKEN_MARKS):
        text = _TOKENS.sub(REDACTED, text)
    if "@" in text:
        text = _URL_PASSWORD.sub(f"://{REDACTED}", text)
    if "&" in text or "?" in text:
        text = _SIGNATURE.sub(rf"\1={REDACTED}", text)
    return text


def masked(line: str) -> str:
    """As :func:`redact`, but of the same length, so that columns stay what they are."""
    for pattern in (_TOKENS, _URL_PASSWORD, _SIGNATURE):
        line = pattern.sub(lambda match: "*" * len(match[0]), line)
    return line


def is_secret_name(name: str) -> bool:
    """Whether a key of this name (``HF_TOKEN``, ``password``) announces a secret value."""
    return bool(_SECRET_KEY.search(name))


def quoted(value: Any, key: str | int | None = None) -> str:
    """``value`` as a message quotes it: JSON, secrets replaced, cut to a readable length.

    ``key`` is the field that holds the value; where its name announces a secret, the value is not shown at all.
    """
    if isinstance(key, str) and is_secret_name(key) and isinstance(value, str):
        return REDACTED
    text = redact(json.dumps(value, ensure_ascii=False, default=str))
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
