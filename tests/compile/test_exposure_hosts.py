"""Host names (reference 10 §8.3) and the templates that they come from."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omec.compile.exposure.hosts import domain_fault, host_name
from omec.compile.exposure.settings import IngressSettings
from omec.compile.gotemplate import TemplateError, Unsupported, parse
from omec.compile.inputs import Service
from omec.compile.problems import RenderError

Object = dict[str, Any]

DEFAULT = "{{ .Name }}.{{ .Namespace }}.{{ .IngressDomain }}"


def host(
    name: str, template: str = DEFAULT, *, namespace: str = "any", domain: str = "example.com", **more: Any
) -> str:
    service = Service(name, namespace, more.get("labels", {}), more.get("annotations", {}), {})
    return host_name(name, service, IngressSettings(domain=domain, domain_template=template))


@pytest.mark.parametrize(
    ("name", "given", "expected"),
    [
        ("test-service", {"namespace": "default"}, "test-service.default.example.com"),
        (
            "ml-model",
            {"domain": "ml.company.com", "template": "{{.Name}}-service.{{.IngressDomain}}"},
            "ml-model-service.ml.company.com",
        ),
        (
            "annotated-service",
            {
                "template": "{{.Annotations.environment}}-{{.Name}}.{{.IngressDomain}}",
                "annotations": {"environment": "production"},
            },
            "production-annotated-service.example.com",
        ),
        (
            "labeled-service",
            {
                "template": "{{.Labels.type}}-{{.Name}}-{{.Labels.version}}.{{.IngressDomain}}",
                "labels": {"type": "classifier", "version": "v2"},
            },
            "classifier-labeled-service-v2.example.com",
        ),
        (
            "any",
            {"namespace": "special-ns", "template": "{{.Namespace}}.{{.IngressDomain}}"},
            "special-ns.example.com",
        ),
        (
            "x",
            {"template": '{{ index .Labels "a/b" }}.{{- /* c */ -}} {{ .IngressDomain }}', "labels": {"a/b": "y"}},
            "y.example.com",
        ),
        ("a" * 57 + "-engine", {}, "f1fbf2e0-" + "a" * 47 + "-engine.any.example.com"),
    ],
)
def test_host(name: str, given: Object, expected: str) -> None:
    assert host(name, **given) == expected


_SUBDOMAIN = "url: Invalid value: {}: a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters"


@pytest.mark.parametrize(
    ("name", "given", "message"),
    [
        (
            "any",
            {"template": "{{.Name}.{{.Namespace}}.{{.IngressDomain}}"},
            "template: domain-template:1: bad character U+007D '}'",
        ),
        ("any", {"template": "{{ .Name"}, "template: domain-template:1: unclosed action"),
        ("any", {"template": "{{ nope }}"}, 'template: domain-template:1: function "nope" not defined'),
        (
            "",
            {"namespace": "default"},
            'invalid domain name ".default.example.com": ' + _SUBDOMAIN.format('".default.example.com"'),
        ),
        (
            "any",
            {"template": "{{ .Labels.none }}.{{ .IngressDomain }}"},
            'invalid domain name "<no value>.example.com": ' + _SUBDOMAIN.format('"<no value>.example.com"'),
        ),
        (
            "any",
            {"template": "{{ .Foo }}"},
            "error rendering the domain template: template: domain-template:1:3: executing "
            '"domain-template" at <.Foo>: can\'t evaluate field Foo in type services.DomainTemplateValues',
        ),
        (
            "any",
            {"template": "{{ .Name }}"},
            'invalid domain name "any": url: Invalid value: "any": should be a domain with at least two segments '
            "separated by dots",
        ),
        ("any", {"template": ""}, 'invalid domain name "": url: Required value'),
        (
            "any",
            {"template": "{{ if .Name }}x{{ end }}.{{ .IngressDomain }}"},
            "omec does not evaluate {{ if .Name }} in the domain template",
        ),
    ],
)
def test_refused(name: str, given: Object, message: str) -> None:
    with pytest.raises(RenderError) as caught:
        host(name, **given)
    assert caught.value.problem.message.startswith(message)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("a.b", None),
        ("a.b.", None),
        ("A.b", "must consist of lower case"),
        ("a" * 64 + ".b", "must be no more than 63 characters"),
        (".".join(["a" * 60] * 5), "must be no more than 253 characters"),
    ],
)
def test_domain(text: str, fault: str | None) -> None:
    found = domain_fault(text)
    assert (found is None) == (fault is None)
    assert fault is None or fault in (found or "")


def test_place_of_an_own_template() -> None:
    annotations = {"ome.io/ingress-domain-template": "{{"}
    with pytest.raises(RenderError) as caught:
        host("x", "{{", annotations=annotations)
    assert caught.value.problem.place.steps == ("metadata", "annotations", "ome.io/ingress-domain-template")


# --- Templates ---------------------------------------------------------------------------------------------------

FIELDS: Object = {"Name": "a", "Labels": {"x": "1", "y/z": "2"}}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        ("a {{- .Name -}}\n b", "aab"),
        ("{{ .Labels }}", "map[x:1 y/z:2]"),
        ("{{ index .Labels `y/z` }}{{ index .Labels `none` }}", "2"),
        ('{{ "q\\"" }}{{ `r` }}', 'q"r'),
        ("{{/* {{ */}}-", "-"),
        ("{{ .Labels.none.deeper }}", "<no value>"),
    ],
)
def test_template(text: str, expected: str) -> None:
    assert parse(text, "t").execute(FIELDS) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{{}}", "template: t:1: missing value for command"),
        ("\n{{ .Name", "template: t:2: unclosed action"),
        ("{{/* x", "template: t:1: unclosed comment"),
        ("{{/* x */ y}}", "template: t:1: comment ends before closing delimiter"),
        ('{{ "x }}', "template: t:1: unterminated quoted string"),
        ("{{ `x }}", "template: t:1: unterminated raw quoted string"),
        ("{{ # }}", 'template: t:1: unexpected "#" in command'),
    ],
)
def test_template_that_go_cannot_parse(text: str, message: str) -> None:
    with pytest.raises(TemplateError) as caught:
        parse(text, "t")
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{{ .Foo }}", 't:1:3: executing "t" at <.Foo>: can\'t evaluate field Foo in type '),
        # Go takes a chain of fields to begin at its second.
        ("x\n{{ .Name.x }}", 't:2:8: executing "t" at <.Name.x>: can\'t evaluate field x in type string'),
        ("{{ .Name.x.y.z }}", 't:1:8: executing "t" at <.Name.x.y.z>: can\'t evaluate field x in type string'),
        ("{{ index }}", "wrong number of args for index: want at least 1 got 0"),
        ("{{ index .Labels.none `x` }}", "error calling index: index of untyped nil"),
        ("{{ index .Name `x` }}", "error calling index: cannot index slice/array with type string"),
    ],
)
def test_template_that_go_cannot_execute(text: str, message: str) -> None:
    with pytest.raises(TemplateError) as caught:
        parse(text, "t").execute(FIELDS)
    assert str(caught.value).endswith(message)


@pytest.mark.parametrize(
    "text",
    ["{{ .Name | printf `%s` }}", "{{ printf `%s` .Name }}", "{{ . }}", "{{ $x := 1 }}", '{{ "\\x41" }}', "{{ 1 }}"],
)
def test_template_that_is_not_evaluated(text: str) -> None:
    assert any(isinstance(node, Unsupported) for node in parse(text, "t").nodes)


@given(st.text(alphabet='{}- .`"/*\nNamx$|(', max_size=30))
def test_any_template_is_parsed_or_refused(text: str) -> None:
    try:
        template = parse(text, "t")
    except TemplateError:
        return
    if "{{" not in text:
        assert template.execute({}) == text
