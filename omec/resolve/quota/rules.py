"""Rules about accelerator quotas: the tree, its budgets, and the workloads that charge them."""

from __future__ import annotations

from omec.finding import Rule, Severity

_DOCS = "OME docs: guides/operate-ome/accelerator-quota"
_FREEZE = (
    "The webhook of the quota manager refuses the node. Where it is in the cluster already, the node and everything "
    "below it are frozen: their Kueue queues stay as they are, whatever the budgets say."
)

PARENT_MISSING = Rule(
    code="OME650",
    slug="quota-parent-missing",
    severity=Severity.ERROR,
    summary="A node of the quota tree names no parent that exists",
    why=_FREEZE,
    fix="Name an AcceleratorQuota of role Cohort in spec.parentRef; root is the top of the tree.",
    source=f"{_DOCS}; reference 15 §1.3",
    bad=(
        "apiVersion: ome.io/v1beta1\n"
        "kind: AcceleratorQuota\n"
        "metadata: {name: team-alpha}\n"
        "spec:\n"
        "  role: ClusterQueue\n"
        "  parentRef: {name: ml-reserch}\n"
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
    ),
)

CYCLE = Rule(
    code="OME651",
    slug="quota-cycle",
    severity=Severity.ERROR,
    summary="Nodes of the quota tree are each other's parents",
    why=f"{_FREEZE} Kueue switches off all members of a circle of Cohorts.",
    fix="Let one of the nodes name a parent outside the circle.",
    source=f"{_DOCS}; reference 15 §1.3",
    bad=(
        "apiVersion: ome.io/v1beta1\n"
        "kind: AcceleratorQuota\n"
        "metadata: {name: ml}\n"
        "spec:\n"
        "  role: Cohort\n"
        "  parentRef: {name: ml}\n"
    ),
    good=(
        "apiVersion: ome.io/v1beta1\n"
        "kind: AcceleratorQuota\n"
        "metadata: {name: ml}\n"
        "spec:\n"
        "  role: Cohort\n"
        "  parentRef: {name: root}\n"
    ),
)

UNREACHABLE = Rule(
    code="OME652",
    slug="quota-unreachable",
    severity=Severity.ERROR,
    summary="A node of the quota tree stands below one that has no place in it",
    why=_FREEZE,
    fix="Correct the parent of the node that the message names.",
    source=f"{_DOCS}; reference 15 §1.3",
    bad="parentRef: {name: orphans}\n",
    good="parentRef: {name: root}\n",
)

TOO_DEEP = Rule(
    code="OME653",
    slug="quota-too-deep",
    severity=Severity.ERROR,
    summary="A node of the quota tree is too far below root",
    why=_FREEZE,
    fix="Move the node up, or raise max-depth in omec.toml if the quota manager runs with a higher maxTreeDepth.",
    source=f"{_DOCS}; reference 15 §1.3",
    bad="parentRef: {name: research}\n",
    good="parentRef: {name: root}\n",
)

NODE_KIND = Rule(
    code="OME654",
    slug="quota-node-kind",
    severity=Severity.ERROR,
    summary="A node of the quota tree carries what its role does not allow, or hangs below a leaf",
    why=_FREEZE,
    fix="Let groups (Cohort) hold nothing but plain budgets, and teams (ClusterQueue) have budgets and no children.",
    source=f"{_DOCS}; reference 15 §1.3",
    bad=(
        "apiVersion: ome.io/v1beta1\n"
        "kind: AcceleratorQuota\n"
        "metadata: {name: team-alpha}\n"
        "spec:\n"
        "  role: ClusterQueue\n"
        "  parentRef: {name: root}\n"
        "  budgets:\n"
        "  - {resourceName: nvidia.com/gpu, resourceFlavor: a100, nominal: 8}\n"
        "---\n"
        "apiVersion: ome.io/v1beta1\n"
        "kind: AcceleratorQuota\n"
        "metadata: {name: interns}\n"
        "spec:\n"
        "  role: ClusterQueue\n"
        "  parentRef: {name: team-alpha}\n"
        "  budgets:\n"
        "  - {resourceName: nvidia.com/gpu, resourceFlavor: a100, nominal: 2}\n"
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
        "apiVersion: ome.io/v1beta1\n"
        "kind: AcceleratorQuota\n"
        "metadata: {name: interns}\n"
        "spec:\n"
        "  role: ClusterQueue\n"
        "  parentRef: {name: root}\n"
        "  budgets:\n"
        "  - {resourceName: nvidia.com/gpu, resourceFlavor: a100, nominal: 2}\n"
    ),
)

CONTAINMENT = Rule(
    code="OME655",
    slug="quota-containment",
    severity=Severity.ERROR,
    summary="A group gives its children more than its own budget",
    why=f"{_FREEZE} Kueue itself does not know the group's number, so nothing else would notice.",
    fix="Raise the budget of the group, or lower those of its direct children.",
    source=f"{_DOCS}; reference 15 §1.4",
    bad=(
        "apiVersion: ome.io/v1beta1\n"
        "kind: AcceleratorQuota\n"
        "metadata: {name: ml}\n"
        "spec:\n"
        "  role: Cohort\n"
        "  parentRef: {name: root}\n"
        "  budgets:\n"
        "  - {resourceName: nvidia.com/gpu, resourceFlavor: a100, nominal: 8}\n"
        "---\n"
        "apiVersion: ome.io/v1beta1\n"
        "kind: AcceleratorQuota\n"
        "metadata: {name: team-alpha}\n"
        "spec:\n"
        "  role: ClusterQueue\n"
        "  parentRef: {name: ml}\n"
        "  budgets:\n"
        "  - {resourceName: nvidia.com/gpu, resourceFlavor: a100, nominal: 9}\n"
    ),
    good=(
        "apiVersion: ome.io/v1beta1\n"
        "kind: AcceleratorQuota\n"
        "metadata: {name: ml}\n"
        "spec:\n"
        "  role: Cohort\n"
        "  parentRef: {name: root}\n"
        "  budgets:\n"
        "  - {resourceName: nvidia.com/gpu, resourceFlavor: a100, nominal: 8}\n"
        "---\n"
        "apiVersion: ome.io/v1beta1\n"
        "kind: AcceleratorQuota\n"
        "metadata: {name: team-alpha}\n"
        "spec:\n"
        "  role: ClusterQueue\n"
        "  parentRef: {name: ml}\n"
        "  budgets:\n"
        "  - {resourceName: nvidia.com/gpu, resourceFlavor: a100, nominal: 8}\n"
    ),
)

CAPACITY = Rule(
    code="OME656",
    slug="quota-capacity",
    severity=Severity.WARNING,
    summary="A budget exceeds the hardware that the configuration declares",
    why=(
        "The quota manager compares every budget with the most that its nodes ever had, and freezes nodes that exceed "
        "it. The cluster may have other nodes than those of the configuration."
    ),
    fix="Lower the budget, or correct the inventory of nodes.",
    source=f"{_DOCS}#lower-the-high-water-mark; reference 15 §2",
    bad="budgets:\n- {resourceName: nvidia.com/gpu, resourceFlavor: a100, nominal: 16}\n",
    good="budgets:\n- {resourceName: nvidia.com/gpu, resourceFlavor: a100, nominal: 8}\n",
)

SHARE_UNRESOLVED = Rule(
    code="OME657",
    slug="quota-shares",
    severity=Severity.WARNING,
    summary="The written shares of a budget do not make the budget",
    why=(
        "On a management cluster the quota manager splits such a budget over no cluster, so the leaf keeps its last "
        "copies. On a workload cluster the shares have no effect."
    ),
    fix="Let the shares of perCluster sum to nominal, one for each cluster.",
    source=f"{_DOCS}; reference 15 §6",
    bad=(
        "budgets:\n"
        "- resourceName: nvidia.com/gpu\n"
        "  resourceFlavor: a100\n"
        "  nominal: 8\n"
        "  policy: Explicit\n"
        "  perCluster: [{cluster: east, nominal: 5}]\n"
    ),
    good=(
        "budgets:\n"
        "- resourceName: nvidia.com/gpu\n"
        "  resourceFlavor: a100\n"
        "  nominal: 8\n"
        "  policy: Explicit\n"
        "  perCluster: [{cluster: east, nominal: 5}, {cluster: west, nominal: 3}]\n"
    ),
)

BUDGET_INVALID = Rule(
    code="OME658",
    slug="quota-budget-invalid",
    severity=Severity.ERROR,
    summary="A budget is negative, or lends more than it is",
    why=(
        "Neither the schema nor OME's webhook looks at this, but Kueue refuses the ClusterQueue: the leaf reports "
        "MaterializationFailed and keeps its old quota."
    ),
    fix="Write amounts of 0 or more, and a lendingLimit that is not above nominal.",
    source="OME docs: reference/kubectl-ome/quota; reference 15 §4 and §7",
    bad=(
        "apiVersion: ome.io/v1beta1\n"
        "kind: AcceleratorQuota\n"
        "metadata: {name: team-alpha}\n"
        "spec:\n"
        "  role: ClusterQueue\n"
        "  parentRef: {name: root}\n"
        "  budgets:\n"
        "  - {resourceName: nvidia.com/gpu, resourceFlavor: a100, nominal: 8, lendingLimit: 9}\n"
    ),
    good=(
        "apiVersion: ome.io/v1beta1\n"
        "kind: AcceleratorQuota\n"
        "metadata: {name: team-alpha}\n"
        "spec:\n"
        "  role: ClusterQueue\n"
        "  parentRef: {name: root}\n"
        "  budgets:\n"
        "  - {resourceName: nvidia.com/gpu, resourceFlavor: a100, nominal: 8, lendingLimit: 8}\n"
    ),
)

ROOT_ROLE = Rule(
    code="OME659",
    slug="quota-root-role",
    severity=Severity.ERROR,
    summary="The root of the quota tree is no Cohort",
    why="A root of role ClusterQueue takes no children, and Kueue refuses its queue: it has no cohort to borrow from.",
    fix="Give root the role Cohort, or leave it out: the quota manager creates it.",
    source="OME docs: reference/kubectl-ome/quota; reference 15 §4 and §7",
    bad="role: ClusterQueue\nbudgets:\n- {resourceName: nvidia.com/gpu, resourceFlavor: a100, nominal: 8}\n",
    good="role: Cohort\n",
)

BUDGET_COVERED = Rule(
    code="OME660",
    slug="quota-budget-covered",
    severity=Severity.WARNING,
    summary="A budget is for a resource that every queue covers anyway",
    why="The quota manager gives each queue its cover resources (cpu, memory, …) in full and ignores a budget for one.",
    fix="Delete the budget, or take the resource out of cover-resources.",
    source=f"{_DOCS}; reference 15 §3.3",
    bad=(
        "budgets:\n"
        "- {resourceName: cpu, resourceFlavor: a100, nominal: 64}\n"
        "- {resourceName: nvidia.com/gpu, resourceFlavor: a100, nominal: 8}\n"
    ),
    good="budgets:\n- {resourceName: nvidia.com/gpu, resourceFlavor: a100, nominal: 8}\n",
)

FLAVOR_MISSING = Rule(
    code="OME661",
    slug="quota-flavor-missing",
    severity=Severity.WARNING,
    summary="A budget names a ResourceFlavor that the repository does not have",
    why="The quota manager leaves such a budget out of the queue, so the team gets nothing of it.",
    fix="Correct resourceFlavor, or add the ResourceFlavor to the repository.",
    source=f"{_DOCS}; reference 15 §3.3",
    bad="budgets:\n- {resourceName: nvidia.com/gpu, resourceFlavor: a1000, nominal: 8}\n",
    good="budgets:\n- {resourceName: nvidia.com/gpu, resourceFlavor: a100, nominal: 8}\n",
)

UNKNOWN_QUEUE = Rule(
    code="OME662",
    slug="queue-unknown",
    severity=Severity.WARNING,
    summary="A workload names a queue that no leaf of the quota tree stands for",
    why="Kueue holds pods whose queue does not exist for ever (SchedulingGated).",
    fix="Name a leaf of the quota tree, or add the LocalQueue to the repository.",
    source=f"{_DOCS}; reference 15 §5",
    bad="metadata:\n  labels:\n    kueue.x-k8s.io/queue-name: team-alfa\n",
    good="metadata:\n  labels:\n    kueue.x-k8s.io/queue-name: team-alpha\n",
)

NOT_ENROLLED = Rule(
    code="OME663",
    slug="queue-namespace-not-enrolled",
    severity=Severity.WARNING,
    summary="A workload names a queue from a namespace that has none",
    why="Leaves have a LocalQueue in enrolled namespaces only. Elsewhere Kueue holds the pods for ever.",
    fix="Enroll the namespace, or move the workload.",
    source=f"{_DOCS}; reference 15 §5",
    bad="metadata:\n  namespace: demo\n  labels:\n    kueue.x-k8s.io/queue-name: team-alpha\n",
    good="metadata:\n  namespace: ml\n  labels:\n    kueue.x-k8s.io/queue-name: team-alpha\n",
)
