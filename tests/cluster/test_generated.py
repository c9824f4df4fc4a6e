"""A real API server takes what omec compiles of generated repositories, and the templates of rendered replicas."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, Phase, given, settings

import omec
from tests.cluster.client import ApiServer, Object
from tests.generated.repositories import Generated, repositories

EXAMPLES = int(os.environ.get("OMEC_GENERATED", "30"))

profile = settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
)


@pytest.fixture(scope="module")
def installed(full_apiserver: ApiServer) -> ApiServer:
    """An API server with all kinds that omec emits, and the namespace of the generated services."""
    full_apiserver.ensure_namespaces([{"metadata": {"namespace": "llm"}}])
    return full_apiserver


@given(generated=repositories())
@profile
def test_generated_objects_are_accepted(installed: ApiServer, generated: Generated) -> None:
    version = ".".join(installed.version.removeprefix("v").split(".")[:2])
    compilation = omec.from_objects(generated.objects, config={**generated.config, "kubernetes-version": version})
    for body in compilation.compile().objects:
        for sent in (body, *templates(body)):
            answer = installed.apply(sent, dry_run=True)
            assert answer.accepted, answer.message


def templates(body: Object) -> Iterator[Object]:
    """The templates of an InferenceReplica's runners, as objects that the API server looks at strictly."""
    if body["kind"] == "InferenceReplica":
        metadata = {"name": "runner", "namespace": body["metadata"]["namespace"]}
        for runner in body["spec"].get("runners", ()):
            yield {"apiVersion": "v1", "kind": "PodTemplate", "metadata": metadata, "template": runner["template"]}
