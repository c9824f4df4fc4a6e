"""Placeholders in a runner (reference 04 §9.2)."""

from __future__ import annotations

import pytest

from omec.compile.placeholders import PlaceholderError, Subject, fill_placeholders

SUBJECT = Subject(
    name="llama",
    namespace="llama-demo",
    labels={"team": "search", "app.kubernetes.io/name": "an"},
    annotations={"owner": "me", "html": "<a>&b", "quote": 'a"b', "escape": "a\\nb", "line": "a\nb"},
)


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ("plain", "plain"),
        ("{{.Name}}", "llama"),
        ("{{ .Namespace }}/{{.Name}}", "llama-demo/llama"),
        ("{{.Labels.team}}", "search"),
        ("{{.Labels.nope}}", "<no value>"),
        ("{{.Labels.nope.deeper}}", "<no value>"),
        ("{{.Annotations.owner}}", "me"),
        ("{{.Annotations.html}}", "<a>&b"),
        ("{{index .Labels `app.kubernetes.io/name`}}", "an"),
        ("{{index .Labels `nope`}}", ""),
        ("{{`{{`}} messages }}", "{{ messages }}"),
        ("a {{- .Name -}} b", "allamab"),
        ("{{/* why */}}x", "x"),
        ("{{.Labels}}", "map[app.kubernetes.io/name:an team:search]"),
        ("$(MODEL_PATH) {% if x %}", "$(MODEL_PATH) {% if x %}"),
        ("<&> {{.Name}}", "<&> llama"),
        ("{{.Annotations.escape}}", "a\nb"),
    ],
)
def test_filled(text: str, filled: str) -> None:
    assert fill_placeholders({"name": "c", "args": [text]}, SUBJECT) == {"name": "c", "args": [filled]}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{{index .Labels "a"}}', 'unexpected "\\\\" in operand'),
        ("{{.Labels.a-b}}", "bad character U+002D '-'"),
        ("{{.Foo}}", "can't evaluate field Foo in type v1.ObjectMeta"),
        ("{{.Name.x}}", "can't evaluate field x in type string"),
        ("{{ messages }}", 'function "messages" not defined'),
        ("{{ messages[0] }}", "bad character U+005B '['"),
        ("{{", "unclosed action"),
        ("{{}}", "missing value for command"),
        ("{{end}}", "unexpected {{end}}"),
        ("{{/* open", "unclosed comment"),
        ("{{`open}}", "unterminated raw quoted string"),
        ("{{.Annotations.quote}}", "failed to replace placeholders in container"),
        ("{{.Annotations.line}}", "failed to replace placeholders in container"),
        ("{{.UID}}", "omec does not evaluate '.UID'"),
        ("{{if .Name}}x{{end}}", "omec does not evaluate 'if'"),
        ("{{printf `%s` .Name}}", "omec does not evaluate the function 'printf'"),
        ("{{.Name | len}}", "omec does not evaluate '|'"),
        ("{{.Name .Namespace}}", "has arguments, but is not a function"),
        ("{{index .Labels.nope `a`}}", "index of untyped nil"),
    ],
)
def test_refused(text: str, message: str) -> None:
    container = {"name": "c", "image": "{{.Name}}", "env": [{"name": "A", "value": text}]}
    with pytest.raises(PlaceholderError) as caught:
        fill_placeholders(container, SUBJECT)
    assert message in caught.value.message
    assert caught.value.text == text


def test_container_without_placeholders_is_not_copied() -> None:
    container = {"name": "c"}
    assert fill_placeholders(container, SUBJECT) is container
