"""Findings about a repository's quota tree, each at the field that says it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from omec.catalog.build import build_catalog
from omec.finding import Finding, ObjectRef, Severity
from omec.repo.read import read
from omec.repo.yaml import dump_all
from omec.resolve.quota.amount import amount_of
from omec.resolve.quota.findings import quota_findings
from omec.resolve.quota.node import Pair
from omec.resolve.quota.queue_label import keeps_queue_label
from omec.resolve.quota.repository import RepositoryQuotas
from omec.resolve.quota.settings import quota_settings
from omec.resolve.quota.workloads import workload_findings
from tests.resolve.quota_notation import Manifest, budget, manifests, quota

DOCS = "[ml-research<root:24], team-alpha<ml-research:16, team-beta<ml-research:8"


class Repository:
    """A folder of manifests, one file each, and what is found in it."""

    def __init__(self, folder: Path, bodies: list[Manifest], context: list[Manifest] | None = None) -> None:
        for name, contents in (("own", bodies), ("context", context or [])):
            (folder / name).mkdir()
            for index, body in enumerate(contents):
                text = dump_all([body])
                (folder / name / f"{index:02}-{body['metadata']['name']}.yaml").write_text(text, encoding="utf-8")
        documents = [read([folder / name]).documents for name in ("own", "context")]
        self.catalog = build_catalog(documents[0], context=documents[1]).catalog

    def quotas(self, marks: Any = None, **settings: Any) -> RepositoryQuotas:
        table = {key.replace("_", "-"): value for key, value in settings.items()}
        return RepositoryQuotas.of(self.catalog, quota_settings(table), marks=marks)

    def findings(self, **options: Any) -> list[Finding]:
        return quota_findings(self.quotas(), **options)


@pytest.fixture
def repository(tmp_path: Path) -> Any:
    def make(text: str, *more: Manifest, context: list[Manifest] | None = None) -> Repository:
        return Repository(tmp_path, [*(manifests(text) if text else []), *more], context)

    return make


def at(finding: Finding) -> tuple[str, str]:
    """The file of the finding without its number, and the line without what makes it a list item."""
    lines = Path(finding.position.path).read_text(encoding="utf-8").splitlines()
    return Path(finding.position.path).stem[3:], lines[finding.position.line - 1].strip().removeprefix("- ")


def test_a_tree_without_root_is_in_order(repository: Any) -> None:
    """The quota manager creates root, so that a repository need not have it."""
    assert repository(DOCS).findings() == []


def test_no_quotas(repository: Any) -> None:
    assert repository("").findings() == []


# fmt: off
CONDITIONS = [
    ("t<team-alhpa:1, [team-alpha<root]", "OME650",
     't: parentRef "team-alhpa" does not resolve to an existing AcceleratorQuota (ParentMissing)',
     ("t", "name: team-alhpa"), "did you mean team-alpha?"),
    ("t<elsewhere:1", "OME650",
     't: parentRef "elsewhere" does not resolve to an existing AcceleratorQuota (ParentMissing)',
     ("t", "name: elsewhere"),
     "add the AcceleratorQuota elsewhere, or list it under known-quotas in omec.toml if the cluster has it"),
    ("[x]", "OME650",
     'x: only the reserved root "root" may omit parentRef; every other node must name its parent (ParentMissing)',
     ("x", "role: Cohort"), "add spec.parentRef with the name of a Cohort; root is the top of the tree"),
    ("[a<a]", "OME651", "a: parentRef points at the node itself (ParentCycle)", ("a", "name: a"),
     "let a name a parent outside the circle"),
    ("R, l1<root:1, l2<l1:1", "OME654",
     'l2: parent "l1" is a ClusterQueue node, which takes no children; attach to a Cohort, or add a ClusterQueue '
     "leaf beside it instead (NodeKindInvalid)", ("l2", "name: l1"), "name a Cohort: root"),
    ("R, t<root", "OME654", "t: a ClusterQueue node must carry at least one budget (NodeKindInvalid)",
     ("t", "parentRef:"), "add a budget with resourceName, resourceFlavor and nominal"),
    ("[g<root:8], a<g:4, b<g:5", "OME655",
     "g: budget nvidia.com/gpu on a100 is 8 but its children total 9 (ContainmentViolated)", ("g", 'nominal: "8"'),
     "raise it to 9, or lower what its children have: a 4, b 5"),
]
# fmt: on


@pytest.mark.parametrize(("text", "code", "message", "place", "help_text"), CONDITIONS)
def test_a_condition_is_a_finding(
    repository: Any, text: str, code: str, message: str, place: tuple[str, str], help_text: str
) -> None:
    (finding,) = repository(text).findings()
    assert (finding.rule.code, finding.message) == (code, message)
    assert at(finding) == place
    assert finding.help == help_text
    assert finding.severity is Severity.ERROR


def test_what_hangs_below_is_told_where_the_cause_is(repository: Any) -> None:
    missing, unreachable = repository("[g<nope], t<g:1").findings()
    assert (missing.rule.code, unreachable.rule.code) == ("OME650", "OME652")
    assert unreachable.help == "correct the parent of g"
    (related,) = unreachable.related
    assert Path(related.position.path).stem == "00-g"


def test_a_circle_names_its_members(repository: Any) -> None:
    first, second = repository("[a<b], [b<a]").findings()
    assert first.help == "let one of a, b name a parent outside the circle"
    assert [Path(related.position.path).stem for related in first.related] == ["01-b"]
    assert second.message == 'b: node is inside the parentRef cycle through "a" (ParentCycle)'


def test_the_children_of_an_exceeded_group_are_shown(repository: Any) -> None:
    (finding,) = repository("[g<root:8], a<g:4, b<g:5").findings()
    assert [related.message for related in finding.related] == ["a has 4", "b has 5"]


def test_too_deep(repository: Any) -> None:
    repo = repository("[l1<root], [l2<l1], leaf<l2:1")
    (finding,) = quota_findings(repo.quotas(max_depth=2))
    assert finding.rule.code == "OME653"
    assert finding.message.endswith("exceeding the configured maximum of 2 (DepthExceeded)")


def test_a_node_of_the_cluster_can_be_a_parent(repository: Any) -> None:
    repo = repository("t<shared:1")
    assert quota_findings(repo.quotas(known_quotas=["shared"])) == []


def test_a_node_of_another_catalog_is_part_of_the_tree(repository: Any) -> None:
    repo = repository("t<org:9", context=manifests("[org<root:8]"))
    (finding,) = repo.findings()
    assert finding.object == ObjectRef("AcceleratorQuota", None, "org")
    assert list(repo.quotas().own) == ["t"]


def test_what_the_crd_refuses_is_not_said_twice(repository: Any) -> None:
    repo = repository("R, t<root, l1<root:1, u<l1:1")
    reported = [ObjectRef("AcceleratorQuota", None, name) for name in ("t", "u")]
    assert [finding.object.name for finding in repo.findings(reported=reported)] == ["u"]


def test_two_definitions_are_the_catalogs_finding(repository: Any) -> None:
    repo = repository("[g<root], t<g:1", quota("g", "Cohort", "root"))
    assert repo.findings() == []
    assert set(repo.quotas().judgement.frozen) == {"g", "t"}


@pytest.mark.parametrize(
    ("fields", "message", "line"),
    [
        (
            {"nominal": "-1"},
            "t: nominal of budget nvidia.com/gpu on a100 is -1: must be greater than or equal to 0 (BudgetInvalid)",
            'nominal: "-1"',
        ),
        (
            {"nominal": 8, "lendingLimit": 9},
            "t: lendingLimit of budget nvidia.com/gpu on a100 is 9, its nominal 8: "
            "must be less than or equal to the nominalQuota (BudgetInvalid)",
            "lendingLimit: 9",
        ),
    ],
)
def test_what_kueue_refuses(repository: Any, fields: dict[str, Any], message: str, line: str) -> None:
    leaf = quota("t", "ClusterQueue", "root", budgets=[budget(**fields)])
    (finding,) = repository("R", leaf).findings()
    assert (finding.rule.code, finding.message, at(finding)[1]) == ("OME658", message, line)


def test_a_root_of_the_wrong_role(repository: Any) -> None:
    repo = repository("", quota("root", "ClusterQueue", budgets=[budget(1)]))
    (finding,) = repo.findings()
    assert (finding.rule.code, at(finding)) == ("OME659", ("root", "role: ClusterQueue"))


def test_shares_that_do_not_sum_up(repository: Any) -> None:
    shares = [{"cluster": "east", "nominal": 5}]
    leaf = quota("t", "ClusterQueue", "root", budgets=[budget(8, policy="Explicit", perCluster=shares)])
    (finding,) = repository("R", leaf).findings()
    assert (finding.rule.code, finding.severity) == ("OME657", Severity.WARNING)
    assert finding.message == (
        "t: budget nvidia.com/gpu/a100 is 8 but its per-cluster shares sum to 5 (ShareUnresolved)"
    )


def test_a_flavor_that_the_repository_does_not_have(repository: Any) -> None:
    leaf = quota("t", "ClusterQueue", "root", budgets=[budget(1, "zeta"), budget(1, "a100"), budget(1, "alpha")])
    repo = repository("R", leaf)
    (finding,) = repo.findings(flavors={"a100", "h100"})
    assert (finding.rule.code, finding.severity) == ("OME661", Severity.WARNING)
    assert finding.message == (
        "t: no ResourceFlavor named [alpha zeta] on this cluster; those budgets are not materialized (FlavorMissing)"
    )
    assert at(finding)[1] == "resourceFlavor: alpha"
    assert finding.help == "the repository has a100, h100; correct the name, or add the ResourceFlavor"
    assert len(finding.related) == 1
    assert repo.findings() == []


def test_a_budget_for_what_every_queue_covers(repository: Any) -> None:
    leaf = quota("t", "ClusterQueue", "root", budgets=[budget(100, resource="cpu"), budget(1)])
    (finding,) = repository("R", leaf).findings()
    assert finding.rule.code == "OME660"
    assert finding.message == "t: every queue covers cpu with 16M, so its budget has no effect"


def test_an_inventory_warns_and_freezes_nothing(repository: Any) -> None:
    quotas = repository("t<root:9").quotas({Pair("nvidia.com/gpu", "a100"): amount_of(8)})
    (finding,) = quota_findings(quotas)
    assert (finding.rule.code, finding.severity) == ("OME656", Severity.WARNING)
    excess = "budget nvidia.com/gpu on a100 is 9 but the cluster's peak capacity is 8"
    assert finding.message == f"t: {excess} (CapacityExceeded)"
    assert quotas.judgement.frozen == {}


def service(labels: dict[str, str], **components: Any) -> Manifest:
    return {
        "apiVersion": "ome.io/v1beta1",
        "kind": "InferenceService",
        "metadata": {"name": "chat", "namespace": "ml", "labels": labels},
        "spec": components,
    }


QUEUE = "kueue.x-k8s.io/queue-name"


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (service({QUEUE: "team-alpha"}), []),
        (service({}), []),
        (service({QUEUE: ""}), []),
        (
            service({QUEUE: "team-alfa"}),
            ["InferenceService ml/chat waits in queue team-alfa, but no AcceleratorQuota of that name exists"],
        ),
        (
            service({}, engine={"labels": {QUEUE: "ml-research"}}),
            ["InferenceService ml/chat waits in queue ml-research, but that AcceleratorQuota is no leaf"],
        ),
        (service({QUEUE: "by-hand"}), []),
    ],
)
def test_queue_labels(repository: Any, body: Manifest, told: list[str]) -> None:
    repo = repository(DOCS, body)
    findings = workload_findings(repo.catalog, repo.quotas(), {("ml", "by-hand")})
    assert [finding.message for finding in findings] == told
    assert all(at(finding)[1].startswith(QUEUE) for finding in findings)


def test_a_namespace_without_queues(repository: Any) -> None:
    repo = repository(DOCS, service({QUEUE: "team-alpha"}))
    (finding,) = workload_findings(repo.catalog, repo.quotas(enrolled_namespaces=["ml-batch"]))
    assert finding.rule.code == "OME663"
    assert finding.help == "add ml to enrolled-namespaces, which are ml-batch"


def test_without_a_tree_the_queues_are_somebody_elses(repository: Any) -> None:
    repo = repository("", service({QUEUE: "x"}))
    assert workload_findings(repo.catalog, repo.quotas()) == []


def pod(**resources: Any) -> dict[str, Any]:
    return {"containers": [{"name": "main"}, {"name": "sidecar", "resources": resources}]}


@pytest.mark.parametrize(
    ("pods", "keeps"),
    [
        # Reference 15 §9, vectors 28 to 31
        ([pod(requests={"cpu": "2"})], False),
        ([pod(limits={"nvidia.com/gpu": "4"})], True),
        ([pod(requests={"nvidia.com/gpu": "4"})], True),
        ([{"containers": [{}], "initContainers": [{"resources": {"limits": {"nvidia.com/gpu": 1}}}]}], True),
        ([pod(limits={"nvidia.com/gpu": 0})], True),
        ([pod(limits={"amd.com/gpu": "4"})], False),
        ([pod(limits={"nvidia.com/gpu.shared": "1"})], False),
        ([pod(limits={"nvidia.com/mig-1g.10gb": "1"})], False),
        ([pod(requests={"cpu": "2"}), pod(limits={"nvidia.com/gpu": 8})], True),
        ([pod()], False),
    ],
)
def test_which_components_keep_the_queue_label(pods: list[dict[str, Any]], keeps: bool) -> None:
    assert keeps_queue_label(*pods) is keeps


def test_an_empty_list_keeps_the_label_everywhere() -> None:
    """Vector 32."""
    assert keeps_queue_label(pod(), resources=[])
