"""What ``omec doctor`` says of a cluster that shows it less than all."""

from __future__ import annotations

from typing import Any, cast

from omec.runtime_agent.cluster.client import Cluster
from omec.runtime_agent.cluster.errors import ApiError
from omec.runtime_agent.cluster.resources import Resource
from omec.runtime_agent.doctor.examination import examine


class Guarded:
    """A cluster with nothing in it, whose DaemonSets this identity may not list."""

    def request(self, method: str, path: str) -> dict[str, str]:
        assert (method, path) == ("GET", "/version")
        return {"gitVersion": "v1.35.0"}

    def pages(self, resource: Resource, **_: Any) -> list[Any]:
        if resource.plural == "daemonsets":
            raise ApiError(403, "Forbidden", "daemonsets.apps is forbidden")
        return []


def test_what_may_not_be_listed_is_named() -> None:
    lines = [line for line in examine(cast(Cluster, Guarded())) if line.rule and line.rule.code == "OME772"]
    assert [line.text for line in lines] == ["not allowed to list daemonsets: not judged"]
