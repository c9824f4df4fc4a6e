"""The kinds of ome.io on a test's API server, as omec defines them."""

from __future__ import annotations

import time

from omec.api.crd import custom_resource_definition
from omec.api.kinds import API_VERSION, KINDS
from tests.cluster.client import ApiServer, Object

_MODEL = {"storage": {"storageUri": "hf://a/b"}, "distribution": "PerNode"}
_NEW_FIELDS: dict[str, Object] = {
    "InferenceService": {"deploymentMode": "RawDeployment"},
    "BaseModel": _MODEL,
    "ClusterBaseModel": _MODEL,
    "ServingRuntime": {"scalingPolicy": {}},
    "ClusterServingRuntime": {"scalingPolicy": {}},
}
"""What an API server refuses as long as it has older definitions of the same kinds."""


def install_ome(apiserver: ApiServer) -> None:
    """Install the definitions of all kinds of ome.io, and wait until the API server goes by them."""
    for kind in KINDS:
        answer = apiserver.apply(custom_resource_definition(kind))
        assert answer.accepted, answer.message
    for kind in KINDS:
        probe = {"apiVersion": API_VERSION, "kind": kind, "metadata": {"name": "probe"}, "spec": _NEW_FIELDS.get(kind)}
        _wait_until_served(apiserver, probe)


def _wait_until_served(apiserver: ApiServer, probe: Object) -> None:
    url = f"/apis/{API_VERSION}/{'namespaces/default/' if KINDS[probe['kind']].namespaced else ''}"
    url += f"{KINDS[probe['kind']].plural}?dryRun=All&fieldValidation=Strict"
    deadline = time.monotonic() + 60
    while True:
        answer = apiserver.request("POST", url, probe)
        if answer.accepted or (answer.status != 404 and probe["kind"] not in _NEW_FIELDS):
            return
        assert time.monotonic() < deadline, answer.message
        time.sleep(0.1)
