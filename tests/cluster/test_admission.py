"""A real API server gives the verdicts that omec predicts: the same refusals, and none of omec's are false alarms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from omec.compile.validate import Validator
from omec.finding import Severity
from tests.cluster.client import ApiServer
from tests.compile import objects
from tests.compile.admission_cases import CASES, Case, same_place
from tests.compile.objects import ALL, Object
from tests.compile.test_admission import WARNED, warned
from tests.compile.test_validate import REPETITIONS, faults

IN_THE_URL = ("no name", "role name with a slash")
"""Faulty names that would make another URL for an apply; a create has the name in the object alone."""


@pytest.fixture(scope="module", autouse=True)
def namespace(apiserver: ApiServer) -> None:
    apiserver.ensure_namespaces([objects.deployment()])


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_the_api_server_refuses_it_in_these_words(apiserver: ApiServer, case: Case) -> None:
    send = apiserver.create if case.name in IN_THE_URL else apiserver.apply
    answer = send(case.refused, dry_run=True)
    assert not answer.accepted
    expected = case.field if case.server_field is None else case.server_field
    causes = answer.body["details"]["causes"]
    assert any(same_place(cause["field"], expected) and case.text in cause["message"] for cause in causes), causes


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_the_api_server_accepts_it_when_corrected(apiserver: ApiServer, case: Case) -> None:
    answer = apiserver.apply(case.accepted, dry_run=True)
    assert answer.accepted, answer.message


@pytest.mark.parametrize(("place", "value", "text"), WARNED.values(), ids=WARNED)
def test_the_api_server_warns_in_these_words(apiserver: ApiServer, place: str, value: Any, text: str) -> None:
    answer = apiserver.create(warned({place: value}), dry_run=True)
    assert answer.accepted, answer.message
    assert any(text in warning.replace('\\"', '"') for warning in answer.warnings), answer.warnings


@pytest.mark.parametrize(("obj", "key", "severity"), REPETITIONS, ids=[case[1] for case in REPETITIONS])
def test_repeated_list_keys(apiserver: ApiServer, obj: Object, key: str, severity: Severity) -> None:
    """Server-side apply refuses all of them, a create those that are errors."""
    refused = apiserver.apply(obj, dry_run=True)
    assert "duplicate entries for key" in refused.message or "duplicate entries" in refused.message
    created = apiserver.create(obj, dry_run=True)
    assert created.accepted is (severity is Severity.WARNING), created.message


@pytest.mark.parametrize("make", ALL, ids=lambda make: make.__name__)
def test_no_false_alarms(apiserver: ApiServer, make: Callable[[], Object]) -> None:
    """Whatever value stands at whatever place: what omec refuses, the API server refuses too.

    But for nulls, which the API server drops and omec never emits.
    """
    validator = Validator(apiserver.version)
    for obj in faults(make()):
        errors = [error for error in validator.errors(obj) if error.severity is Severity.ERROR]
        if not errors or any(error.message.endswith("not null") for error in errors) or not has_url(validator, obj):
            continue
        assert not apiserver.create(obj, dry_run=True).accepted, errors


def has_url(validator: Validator, obj: Object) -> bool:
    """Whether there is a place to send ``obj`` to."""
    metadata = obj.get("metadata")
    return validator.covers(obj) and isinstance(metadata, dict) and isinstance(metadata.get("namespace", ""), str)
