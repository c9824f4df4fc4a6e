"""Names of rendered objects, as people who use kubectl write them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from omec.compile.layout import OutputObject, identity
from omec.compile.provenance.objects import find_object
from omec.errors import OmecError
from omec.session import open_repo
from tests.conftest import ROOT


@pytest.fixture(scope="module")
def outputs() -> Sequence[OutputObject]:
    return open_repo(ROOT / "examples" / "selection").compile().outputs


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("Deployment/llama-demo/chat-engine", "Deployment"),
        ("deployment/llama-demo/chat-engine", "Deployment"),
        ("deployments/llama-demo/chat-engine", "Deployment"),
        ("deploy/llama-demo/chat-engine", "Deployment"),
        ("deployment.apps/llama-demo/chat-engine", "Deployment"),
        ("deploy/chat-engine", "Deployment"),
        ("hpa/chat-engine", "HorizontalPodAutoscaler"),
        ("pdb/llama-demo/chat-engine", "PodDisruptionBudget"),
        ("svc/llama-demo/chat", "Service"),
        ("llama-demo/chat", "Service"),
        ("chat", "Service"),
        ("basemodels.ome.io/llama-demo/llama-3-2-3b-instruct", "BaseModel"),
    ],
)
def test_names(outputs: Sequence[OutputObject], name: str, kind: str) -> None:
    assert identity(find_object(outputs, name).body)[1] == kind


@pytest.mark.parametrize(
    ("name", "message", "hint"),
    [
        ("llama-demo/chat-engine", "names 4 rendered objects", "write it as Deployment/llama-demo/chat-engine"),
        (
            "deploy/llama-demo/chat-engin",
            "no rendered object is called",
            "did you mean Deployment/llama-demo/chat-engine",
        ),
        ("deployment.batch/llama-demo/chat-engine", "no rendered object", "did you mean"),
        ("deploy/elsewhere/chat-engine", "no rendered object", "did you mean Deployment/llama-demo/chat-engine"),
        ("zzzzzzzzzz", "no rendered object", "write KIND/NAMESPACE/NAME; rendered are"),
        ("a/b/c/d", "no rendered object", ""),
        ("", "no rendered object", ""),
    ],
)
def test_no_such_object(outputs: Sequence[OutputObject], name: str, message: str, hint: str) -> None:
    with pytest.raises(OmecError) as error:
        find_object(outputs, name)
    assert error.value.code == "OME080"
    assert message in error.value.message
    assert hint in error.value.hint


def test_namespace_narrows(outputs: Sequence[OutputObject]) -> None:
    assert find_object(outputs, "svc/chat", "llama-demo").body["kind"] == "Service"
    with pytest.raises(OmecError):
        find_object(outputs, "svc/chat", "elsewhere")
