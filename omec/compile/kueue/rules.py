"""Rules about the Kueue objects that a quota tree becomes."""

from __future__ import annotations

from omec.finding import Rule, Severity

_DOCS = "OME docs: guides/operate-ome/accelerator-quota"

QUEUE_CONFLICT = Rule(
    code="OME670",
    slug="queue-conflict",
    severity=Severity.ERROR,
    summary="A Kueue object of the name that the quota tree needs is written by hand",
    why="Two owners of one queue undo each other's changes, so the quota manager never adopts what it did not make.",
    fix="Rename the node or the object, or delete the object: the quota tree makes one.",
    source=f"{_DOCS}; reference 15 §3.4",
    bad="apiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata: {name: team-alpha}\n",
    good="apiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata: {name: team-alpha-by-hand}\n",
)

QUOTA_NOT_RENDERED = Rule(
    code="OME671",
    slug="quota-not-rendered",
    severity=Severity.WARNING,
    summary="No namespace is enrolled, so the quota tree becomes no Kueue objects",
    why=(
        "Every leaf has a queue in each enrolled namespace, and nowhere else. Without namespaces a queue admits no "
        "workload, so OME's quota manager and omec write none."
    ),
    fix="List the namespaces of the workloads under enrolled-namespaces in the table quota of omec.toml.",
    source=f"{_DOCS}; reference 15 §3.1",
)

QUEUE_REFUSED = Rule(
    code="OME672",
    slug="queue-refused",
    severity=Severity.ERROR,
    summary="Kueue would refuse the ClusterQueue of a leaf",
    why="The queue would keep its old quota, or never exist. omec checks every queue before it writes any.",
    fix="Correct the budget that the message names.",
    source="Kueue v0.19: ClusterQueue webhook; reference 15 §4",
)

QUEUE_SWEPT = Rule(
    code="OME673",
    slug="queue-swept",
    severity=Severity.WARNING,
    summary="A Kueue object claims to be of OME's quota manager, which would delete it",
    why=(
        "The quota manager deletes every object that carries its label and names no node of the tree. Argo CD would "
        "create it again, without end."
    ),
    fix="Remove the label ome.io/quota-managed-by from the object, or add the node that it names.",
    source=f"{_DOCS}; reference 15 §3.4",
    bad=(
        "apiVersion: kueue.x-k8s.io/v1beta2\n"
        "kind: ClusterQueue\n"
        "metadata:\n"
        "  name: by-hand\n"
        "  labels: {ome.io/quota-managed-by: ome-quota-manager, ome.io/accelerator-quota: by-hand}\n"
    ),
    good="apiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata:\n  name: by-hand\n",
)

FLAVORS_UNKNOWN = Rule(
    code="OME674",
    slug="quota-flavors-unknown",
    severity=Severity.INFO,
    summary="The repository has no ResourceFlavor, so nothing is known about those of the quota tree",
    why="A budget whose flavor does not exist in the cluster gives a team nothing. omec renders all budgets here.",
    fix="Keep the cluster's ResourceFlavors in the repository, so that omec can check the names.",
    source=f"{_DOCS}; reference 15 §3.3",
    bad=(
        "apiVersion: ome.io/v1beta1\n"
        "kind: AcceleratorQuota\n"
        "metadata: {name: team-alpha}\n"
        "spec:\n"
        "  role: ClusterQueue\n"
        "  parentRef: {name: root}\n"
        "  budgets:\n"
        "  - {resourceName: nvidia.com/gpu, resourceFlavor: a100, nominal: 8}\n"
    ),
    good=(
        "apiVersion: ome.io/v1beta1\n"
        "kind: AcceleratorQuota\n"
        "metadata: {name: team-alpha}\n"
        "spec:\n"
        "  role: ClusterQueue\n"
        "  parentRef: {name: root}\n"
        "  budgets:\n"
        "  - {resourceName: nvidia.com/gpu, resourceFlavor: a100, nominal: 8}\n"
        "---\n"
        "apiVersion: kueue.x-k8s.io/v1beta2\n"
        "kind: ResourceFlavor\n"
        "metadata: {name: a100}\n"
    ),
)
