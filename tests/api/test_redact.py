"""Secrets stay out of messages, and what is no secret stays readable."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omec.api.redact import REDACTED, is_secret_name, quoted, redact

SECRETS = [
    "hf_" + "aB3" * 12,
    "ghp_" + "a" * 36,
    "github_pat_" + "a" * 40,
    "glpat-" + "a" * 20,
    "sk-proj-" + "a" * 40,
    "AKIA" + "A" * 16,
    "AIza" + "a" * 35,
    "xoxb-1234567890-abc",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
    "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----",
]
HARMLESS = [
    "hf://meta-llama/Llama-3.2-3B-Instruct",
    "hf-token",
    "hf_token",
    "sk-learn",
    "task-text-to-text",
    "registry.example.com/vllm/vllm-openai:v0.9.1",
    "https://prometheus:9090/api",
    "oci://n/ns/b/bucket/o/path@x",
]


@pytest.mark.parametrize("secret", SECRETS)
def test_tokens_are_replaced(secret: str) -> None:
    shown = redact(f"value {secret}")
    assert secret not in shown
    assert shown.startswith(f"value {REDACTED}")


@pytest.mark.parametrize("text", HARMLESS)
def test_other_text_is_kept(text: str) -> None:
    assert redact(text) == text


def test_passwords_in_urls_are_replaced() -> None:
    assert redact("https://user:pw@host/x") == f"https://{REDACTED}@host/x"
    assert redact("a://b:c@d e://f:g@h") == f"a://{REDACTED}@d e://{REDACTED}@h"
    assert redact("az://account/c/blob?sv=1&sig=abc%3D") == f"az://account/c/blob?sv=1&sig={REDACTED}"
    assert redact("x?Token=a&SIG=b") == f"x?Token={REDACTED}&SIG={REDACTED}"


@given(st.lists(st.sampled_from([*SECRETS, *HARMLESS]), max_size=4), st.sampled_from([" ", "\n", "/", "."]))
def test_every_token_is_found_whatever_stands_beside_it(parts: list[str], separator: str) -> None:
    """Texts without the marks of tokens are not searched: no token may be without one."""
    shown = redact(separator.join(parts))
    assert not [secret for secret in SECRETS if secret in shown]


@pytest.mark.parametrize("kind", ["hf_", "api_org_", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "sk-", "ASIA"])
def test_every_kind_of_token(kind: str) -> None:
    assert redact(f"a={kind}{'A1' * 8}") == f"a={REDACTED}"


@pytest.mark.parametrize("name", ["HF_TOKEN", "token", "db-password", "API_KEY", "apiKey", "client_secret"])
def test_secret_names(name: str) -> None:
    assert is_secret_name(name)
    assert quoted("whatever", name) == REDACTED


@pytest.mark.parametrize("name", ["name", "maxTokens", "tokenizer", "secretRef", "key", "monkey"])
def test_other_names(name: str) -> None:
    assert not is_secret_name(name)
    assert quoted("whatever", name) == '"whatever"'


def test_long_values_are_cut() -> None:
    assert len(quoted("a" * 1000)) == 80
