"""Origins of objects that no service with a runtime is rendered into."""

from __future__ import annotations

from pathlib import Path

from omec.repo.read import read
from omec.session import Repo, from_objects, open_repo

FRONT = """\
apiVersion: ome.io/v1beta1
kind: InferenceReplica
metadata: {name: eng, namespace: llm}
spec:
  component: engine
  replicas: 1
  runners:
  - name: default
    size: 1
    template:
      spec:
        containers:
        - name: ome-container
          image: registry.example/x:1
          ports: [{containerPort: 8123, name: http, protocol: TCP}]
---
apiVersion: ome.io/v1beta1
kind: InferenceService
metadata: {name: front, namespace: llm}
spec:
  replicaRefs: {engine: [eng]}
"""
KUEUE = Path(__file__).resolve().parents[1] / "kueue_example" / "input.yaml"


def origins(repo: Repo, name: str, field: str) -> list[tuple[str, str]]:
    """The sources of the one field, with the field there."""
    (answer,) = repo.why(name, field).fields
    return [(origin.source, origin.field) for origin in answer.origins]


def test_services_in_front_of_replicas(tmp_path: Path) -> None:
    (tmp_path / "all.yaml").write_text(FRONT, encoding="utf-8")
    repo = open_repo(tmp_path, config={})
    port = "spec.runners[0].template.spec.containers[0].ports[0].containerPort"
    assert origins(repo, "svc/llm/front-engine", "spec.ports[0].port") == [("InferenceReplica llm/eng", port)]
    assert origins(repo, "svc/llm/front-engine", "spec.selector[ome.io/inferenceservice]") == [
        ("InferenceService llm/front", "spec.replicaRefs.engine[0]")
    ]
    assert origins(repo, "ir/llm/eng", "spec.runners[0].size") == [("InferenceReplica llm/eng", "spec.runners[0].size")]
    assert origins(repo, "ir/llm/eng", "kind") == [("InferenceReplica llm/eng", "kind")]


def test_queues_of_quotas() -> None:
    objects = [document.value for document in read([KUEUE]).documents]
    config = {
        "platform": "kubernetes",
        "capabilities": ["kueue.x-k8s.io"],
        "quota": {"enrolled-namespaces": ["ml"]},
    }
    repo = from_objects(objects, config=config)
    resource = "spec.resourceGroups[0].flavors[0].resources[3]"
    assert origins(repo, "clusterqueue/team-beta", f"{resource}.lendingLimit") == [
        ("AcceleratorQuota team-beta", "spec.budgets[0].lendingLimit")
    ]
    assert origins(repo, "clusterqueue/team-beta", "spec.cohortName") == [
        ("AcceleratorQuota team-beta", "spec.parentRef.name")
    ]
    assert origins(repo, "localqueue/ml/team-beta", "metadata.namespace") == [
        ("omec.toml", "quota.enrolled-namespaces[0]")
    ]
    assert ("AcceleratorQuota team-beta", "spec.budgets[0].resourceFlavor") in origins(
        repo, "clusterqueue/team-beta", "spec.resourceGroups[0].flavors[0].name"
    )
