"""Secrets in manifests: what is one, and what only looks like one."""

from __future__ import annotations

from typing import Any

import pytest

from omec.api.secrets import Sort, may_hold_secret, secrets_in
from omec.repo.yaml import dump

TOKEN = "hf_" + "aB3" * 8
AWS = "AKIA" + "A1" * 8
PASSWORD = "t0p-5tack-99"


def env(name: str, value: Any) -> dict[str, Any]:
    return {"env": [{"name": name, "value": value}]}


SECRETS: list[tuple[dict[str, Any], Sort, str]] = [
    (env("ANYTHING", TOKEN), Sort.FORM, TOKEN),
    (env("HF_TOKEN", TOKEN), Sort.FORM, TOKEN),
    (env("DB_PASSWORD", PASSWORD), Sort.NAME, PASSWORD),
    (env("OPENAI_API_KEY", "b2c4d6e8f0"), Sort.NAME, "b2c4d6e8f0"),
    ({"storage": {"parameters": {"secretAccessKey": PASSWORD}}}, Sort.NAME, PASSWORD),
    ({"storage": {"parameters": {"any": AWS}}}, Sort.FORM, AWS),
    ({"metadata": {"annotations": {"example.com/api-key": PASSWORD}}}, Sort.NAME, PASSWORD),
    ({"args": ["--port=8080", f"--api-key={PASSWORD}"]}, Sort.NAME, PASSWORD),
    ({"args": ["--api-key", PASSWORD]}, Sort.NAME, PASSWORD),
    ({"command": ["sh", "-c", f"vllm serve m --api-key {PASSWORD} --port 80"]}, Sort.NAME, PASSWORD),
    ({"command": ["sh", "-c", f"export DB_PASSWORD='{PASSWORD}'; run"]}, Sort.NAME, PASSWORD),
    ({"command": ["sh", "-c", f"curl -H 'Authorization: Bearer {TOKEN}'"]}, Sort.FORM, TOKEN),
    ({"storageUri": f"https://omec:{PASSWORD}@host/m"}, Sort.URL, PASSWORD),
    (env("BLOB", "https://x.example.com/b?sv=1&sig=aGVsbG8"), Sort.URL, "aGVsbG8"),
]
HARMLESS: list[dict[str, Any]] = [
    {"env": [{"name": "HF_TOKEN", "valueFrom": {"secretKeyRef": {"name": "hf-token", "key": "token"}}}]},
    env("HF_TOKEN", "$(TOKEN)"),
    env("HF_TOKEN", "${TOKEN}"),
    env("HF_TOKEN", "{{ .Values.token }}"),
    env("HF_TOKEN", "<your token>"),
    env("HF_TOKEN", "hf_xxxxxxxxxxxxxxxxxxxxxxxx"),
    env("HF_TOKEN", "REPLACE_ME"),
    env("HF_TOKEN", ""),
    env("HF_TOKEN", "ENC[AES256_GCM,data:abc]"),
    env("HF_TOKEN_PATH", "/var/run/token"),
    env("GOOGLE_APPLICATION_CREDENTIALS", "/var/secrets/gcp.json"),
    env("EOS_TOKEN", "end-of-text"),
    env("MAX_TOKEN", "131072"),
    env("TOKENIZER", "meta-llama/Llama-3"),
    env("DB_SECRET", "team-db-secret"),
    env("TOKEN", 12345678),
    {"args": ["--api-key", "EMPTY", "--max-total-tokens", "131072"]},
    {"args": ["--api-key=$(API_KEY)", "--tokenizer", "some-tokenizer-name"]},
    {"args": ["--api-key", "$(API_KEY)"]},
    {"command": ["sh", "-c", "vllm serve --api-key $API_KEY --token-file /etc/token"]},
    {"storage": {"key": "hf-token", "parameters": {"region": "eu-frankfurt-1", "auth": "instance_principal"}}},
    {"storage": {"key": "hub", "parameters": {"secretKey": "llama_download"}}},
    {"volumes": [{"secret": {"secretName": "certificates"}}]},
    {"image": "registry.example.com/team:5000/x@sha256:abc", "url": "http://prometheus:9090"},
    {"storageUri": "https://$(USER):$(PASS)@host/m"},
]


@pytest.mark.parametrize(("manifest", "sort", "value"), SECRETS, ids=str)
def test_a_secret_is_found(manifest: dict[str, Any], sort: Sort, value: str) -> None:
    (secret,) = secrets_in(manifest)
    assert (secret.sort, secret.value) == (sort, value)
    assert value not in secret.what


@pytest.mark.parametrize("manifest", HARMLESS, ids=str)
def test_what_is_no_secret(manifest: dict[str, Any]) -> None:
    assert list(secrets_in(manifest)) == []


@pytest.mark.parametrize("manifest", [manifest for manifest, _, _ in SECRETS], ids=str)
def test_a_file_with_a_secret_is_looked_at(manifest: dict[str, Any]) -> None:
    assert may_hold_secret(dump(manifest))


def test_most_files_are_passed_over() -> None:
    assert not may_hold_secret("args: [--max-total-tokens, 8, --tokenizer, x]\nkey: hf-token\nsecretName: x\n")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("password:\n  hunter22hunter\n", True),
        ("password: |\n  hunter22hunter\n", True),
        ('"password":\n  "hunter22hunter"\n', True),
        ("passphrase: hunter22hunter\n", True),
        ("password:\r\n  other: hunter22hunter\r\n", False),
        ("secret:\n  properties:\n    items:\n", False),
        ("url: https://host/x?sig=abcdefgh\n", True),
        ("url: https://host/x?Token=abcdefgh\n", True),
        ("url: https://host/x?size=3\n", False),
    ],
)
def test_which_texts_are_looked_at(text: str, told: bool) -> None:
    assert may_hold_secret(text) is told
