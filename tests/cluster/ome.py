"""The kinds of ome.io on a test's API server, as omec defines them."""

from __future__ import annotations

import time
from collections.abc import Iterable

from omec.api.crd import custom_resource_definition
from omec.api.kinds import GROUP, KINDS
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
    install(apiserver, map(custom_resource_definition, KINDS))


def install(apiserver: ApiServer, definitions: Iterable[Object]) -> None:
    """Install ``definitions``, and wait until the API server goes by them."""
    installed = list(definitions)
    for definition in installed:
        answer = apiserver.apply(definition)
        assert answer.accepted, answer.message
    for definition in installed:
        _wait_until_served(apiserver, definition["spec"])


def _wait_until_served(apiserver: ApiServer, spec: Object) -> None:
    kind, group, version = spec["names"]["kind"], spec["group"], spec["versions"][0]["name"]
    new_fields = _NEW_FIELDS.get(kind) if group == GROUP else None
    probe = {"apiVersion": f"{group}/{version}", "kind": kind, "metadata": {"name": "probe"}, "spec": new_fields}
    scope = "namespaces/default/" if spec["scope"] == "Namespaced" else ""
    url = f"/apis/{group}/{version}/{scope}{spec['names']['plural']}?dryRun=All&fieldValidation=Strict"
    deadline = time.monotonic() + 60
    while True:
        answer = apiserver.request("POST", url, probe)
        served = answer.accepted or (answer.status != 404 and new_fields is None)
        resources = apiserver.request("GET", f"/apis/{group}/{version}").body.get("resources", ())
        if served and any(entry["name"] == spec["names"]["plural"] for entry in resources):
            return
        assert time.monotonic() < deadline, f"{kind} is not served in 60 s"
        time.sleep(0.1)
