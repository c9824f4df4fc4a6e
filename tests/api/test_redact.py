"""Secrets stay out of messages, and what is no secret stays readable."""

from __future__ import annotations

import pytest

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
    assert redact("az://account/c/blob?sv=1&sig=abc%3D") == f"az://account/c/blob?sv=1&sig={REDACTED}"


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
