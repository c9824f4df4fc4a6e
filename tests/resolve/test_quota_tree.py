"""The rules of the quota tree, by the vectors of the reference (reference 15 §1.3, §1.4, §3.5, §9)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omec.resolve.quota.amount import Amount, amount_of
from omec.resolve.quota.judgement import Judgement, judge
from omec.resolve.quota.node import Pair, QuotaNode
from omec.resolve.quota.violation import Reason, denial, primary
from tests.resolve.quota_notation import budget, nodes, quota

GPU = Pair("nvidia.com/gpu", "a100")


def judged(text: str, **options: int) -> Judgement:
    return judge(nodes(text), **options)


def told(judgement: Judgement) -> list[str]:
    return [f"{found.node}: {found.reason}" for found in judgement.violations]


# fmt: off
VECTORS = [
    # Reference 15 §9: nodes, violations (node: reason), frozen nodes
    (1, "R, [g<root:8], a<g:4, b<g:4", [], []),
    (2, "R, [g<root:8], a<g:4, b<g:5", ["g: ContainmentViolated"], ["a", "b", "g"]),
    (3, "R, [g<root:8], [h<g], a<h:100", [], []),
    (4, "R, [g<root:0], a<g:1", ["g: ContainmentViolated"], ["a", "g"]),
    (5, "[root:4], [g<root:4], a<g:5", ["g: ContainmentViolated"], ["a", "g"]),
    (6, "R, t<root:4, u<t:500", ["u: NodeKindInvalid"], ["u"]),
    (7, "R, t<nope:1", ["t: ParentMissing"], ["t"]),
    (8, "R, [g<nope], a<g:1, [h<g], c<h:1",
     ["a: Unreachable", "c: Unreachable", "g: ParentMissing", "h: Unreachable"], ["a", "c", "g", "h"]),
    (9, "R, [a<b], [b<a], [c<b], d<c:1",
     ["a: ParentCycle", "b: ParentCycle", "c: ParentCycle", "d: ParentCycle"], ["a", "b", "c", "d"]),
    (10, "R, [a<a], t<a:1", ["a: ParentCycle", "t: Unreachable"], ["a", "t"]),
    (11, "R, [x], a<x:1", ["a: Unreachable", "x: ParentMissing"], ["a", "x"]),
    (12, "[a<root], t<a:1", ["a: ParentMissing", "t: Unreachable"], ["a", "t"]),
    (13, "[root<top], [top<root], a<root:1",
     ["a: ParentCycle", "root: ParentCycle", "top: ParentCycle"], ["a", "root", "top"]),
    (14, "R, [l1<root], [l2<l1], [l3<l2], [l4<l3], [l5<l4], leaf<l5:1", ["leaf: DepthExceeded"], ["leaf"]),
    (15, "R, t<root", ["t: NodeKindInvalid"], ["t"]),
]
# fmt: on


@pytest.mark.parametrize(("text", "violations", "frozen"), [pytest.param(*row[1:], id=str(row[0])) for row in VECTORS])
def test_vectors_of_the_tree(text: str, violations: list[str], frozen: list[str]) -> None:
    judgement = judged(text)
    assert told(judgement) == violations
    assert list(judgement.frozen) == frozen


@pytest.mark.parametrize(
    ("text", "node", "subject", "message"),
    [
        (
            "R, [g<root:8], a<g:4, b<g:5",
            "g",
            "nvidia.com/gpu on a100",
            "budget nvidia.com/gpu on a100 is 8 but its children total 9",
        ),
        (
            "R, t<root:4, u<t:500",
            "u",
            "t",
            'parent "t" is a ClusterQueue node, which takes no children; attach to a Cohort, or add a ClusterQueue '
            "leaf beside it instead",
        ),
        ("R, t<nope:1", "t", "nope", 'parentRef "nope" does not resolve to an existing AcceleratorQuota'),
        ("R, [g<nope], [h<g], c<h:1", "c", "g", 'node has no position in the tree because ancestor "g" is unresolved'),
        ("R, [a<b], [b<a]", "a", "a", "parentRef forms a cycle: a -> b -> a"),
        ("R, [a<b], [b<a], [c<b]", "c", "a", 'node is inside the parentRef cycle through "a"'),
        ("R, [a<a]", "a", "a", "parentRef points at the node itself"),
        (
            "R, [x]",
            "x",
            "root",
            'only the reserved root "root" may omit parentRef; every other node must name its parent',
        ),
        (
            "R, [l1<root], [l2<l1], [l3<l2], [l4<l3], [l5<l4], leaf<l5:1",
            "leaf",
            "",
            "node is 6 levels below the root, exceeding the configured maximum of 5",
        ),
        ("R, t<root", "t", "", "a ClusterQueue node must carry at least one budget"),
    ],
)
def test_texts(text: str, node: str, subject: str, message: str) -> None:
    (found,) = (violation for violation in judged(text).violations if violation.node == node)
    assert (found.subject, found.message) == (subject, message)


def test_a_cohort_with_tier_and_distribution() -> None:
    """Vector 16; an empty distribution counts as set."""
    group = quota("g", "Cohort", "root", priorityTier="high", distribution={})
    (found,) = judge([*nodes("R"), QuotaNode.of(group)]).violations
    assert (found.reason, found.subject) == (Reason.NODE_KIND_INVALID, "priorityTier,distribution")
    assert found.message == "a Cohort node must not set priorityTier, distribution; no workload binds to a grouping"
    assert found.field == ("spec", "priorityTier")


@pytest.mark.parametrize(
    ("fields", "violated"),
    [
        ({"policy": "Explicit"}, True),
        ({"borrowingLimit": "0"}, True),
        ({"lendingLimit": "0"}, True),
        ({"perCluster": [{"cluster": "c", "nominal": "1"}]}, True),
        ({"perCluster": []}, False),
        ({}, False),
    ],
)
def test_budgets_of_a_cohort_hold_three_fields(fields: dict[str, object], violated: bool) -> None:
    group = quota("g", "Cohort", "root", budgets=[budget(4, **fields)])
    found = judge([*nodes("R"), QuotaNode.of(group)]).violations
    assert bool(found) is violated
    if violated:
        assert found[0].field == ("spec", "budgets", 0, next(iter(fields)))


@pytest.mark.parametrize("role", ["Team", "cohort", ""])
def test_an_unknown_role(role: str) -> None:
    (found,) = judge([*nodes("R"), QuotaNode.of(quota("g", role, "root"))]).violations
    assert found.message == f'unknown role "{role}"'


def test_a_node_without_spec_passes_the_schema_and_fails_here() -> None:
    found = judge([*nodes("R"), QuotaNode.of({"metadata": {"name": "bare"}})]).violations
    assert [violation.reason for violation in found] == [Reason.PARENT_MISSING, Reason.NODE_KIND_INVALID]


MARKS = {GPU: amount_of(3)}


def test_capacity_comes_last() -> None:
    """Vector 17: the group reports containment, its leaves their own excess."""
    judgement = judge(nodes("R, [g<root:8], a<g:4, b<g:5"), marks=MARKS)
    assert told(judgement) == ["g: ContainmentViolated", *(f"{name}: CapacityExceeded" for name in ("a", "b", "g"))]
    assert [judgement.frozen[name].reason for name in "abg"] == [
        Reason.CAPACITY_EXCEEDED,
        Reason.CAPACITY_EXCEEDED,
        Reason.CONTAINMENT_VIOLATED,
    ]


@pytest.mark.parametrize(
    ("text", "marks", "messages"),
    [
        ("R, a<root:30, b<root:30", {GPU: amount_of(32)}, []),  # vector 18: budgets are not added up
        (
            "R, t<root:0@amd.com/gpu",  # vector 19
            {GPU: amount_of(32)},
            ["budget amd.com/gpu on a100 is 0 but no capacity is measured for that pair"],
        ),
        (
            "R, t<root:33",
            {GPU: amount_of(32)},
            ["budget nvidia.com/gpu on a100 is 33 but the cluster's peak capacity is 32"],
        ),
        ("R, t<root:33", {}, []),
        ("t<root:33", {GPU: amount_of(32)}, ['parentRef "root" does not resolve to an existing AcceleratorQuota']),
    ],
)
def test_capacity(text: str, marks: dict[Pair, Amount], messages: list[str]) -> None:
    """The marks stand in the status of root: without a root there are none."""
    assert [found.message for found in judge(nodes(text), marks=marks).violations] == messages


@pytest.mark.parametrize(("length", "shown", "end"), [(7, 7, "n0"), (8, 8, "... (1 more)"), (9, 8, "... (2 more)")])
def test_the_way_round_a_cycle_is_cut_after_eight_names(length: int, shown: int, end: str) -> None:
    names = [f"n{index}" for index in range(length)]
    text = ", ".join(f"[{name}<{names[(index + 1) % length]}]" for index, name in enumerate(names))
    found = judged(f"R, {text}").violations[0]
    assert found.message == f"parentRef forms a cycle: {' -> '.join(names[:shown])} -> {end}"


def test_the_walk_of_a_cycle_starts_where_it_enters() -> None:
    """The first node by name hangs below the cycle: the members are listed from where its way enters."""
    found = judged("R, [a<z], [z<m], [m<z]").violations
    assert found[0].message == "parentRef forms a cycle: z -> m -> z"
    assert {violation.subject for violation in found} == {"m"}


def test_two_definitions_of_one_name() -> None:
    first, second = quota("g", "Cohort", "root"), quota("g", "Cohort", "elsewhere")
    judgement = judge([*nodes("R"), QuotaNode.of(first), QuotaNode.of(second), *nodes("t<g:1")])
    assert told(judgement) == ["g: DuplicateNode"]
    assert list(judgement.frozen) == ["g", "t"]


def test_depth_has_no_limit_where_it_is_zero() -> None:
    text = "R, [l1<root], [l2<l1], [l3<l2], [l4<l3], [l5<l4], leaf<l5:1"
    assert judged(text, max_depth=0).violations == ()
    assert told(judged(text, max_depth=4)) == ["l5: DepthExceeded", "leaf: DepthExceeded"]


@pytest.mark.parametrize(
    ("children", "message"),
    [
        (["1000m", "8"], "budget nvidia.com/gpu on a100 is 1 but its children total 9"),
        (["0.6k", "500"], "budget nvidia.com/gpu on a100 is 1 but its children total 1100"),
        (["1536Mi", "1Gi"], "budget nvidia.com/gpu on a100 is 1 but its children total 2560Mi"),
        (["0", "1Ki", "1Ki"], "budget nvidia.com/gpu on a100 is 1 but its children total 2Ki"),
        (["-1", "2500m"], "budget nvidia.com/gpu on a100 is 1 but its children total 1500m"),
    ],
)
def test_sums_print_in_the_form_of_their_first_term_that_is_not_zero(children: list[str], message: str) -> None:
    leaves = [quota(f"c{index}", "ClusterQueue", "g", budgets=[budget(text)]) for index, text in enumerate(children)]
    group = quota("g", "Cohort", "root", budgets=[budget("1000m")])
    (found,) = judge([*nodes("R"), *map(QuotaNode.of, [group, *leaves])]).violations
    assert found.message == message


def test_limits_play_no_part_in_containment() -> None:
    leaf = quota("a", "ClusterQueue", "g", budgets=[budget(4, borrowingLimit=100, lendingLimit=100)])
    assert judge([*nodes("R, [g<root:4]"), QuotaNode.of(leaf)]).violations == ()


def test_the_first_violating_ancestor_by_name_hands_its_cause_down() -> None:
    """Reference 15 §3.5: of two violating ancestors the alphabetically first one is reported, not the nearest."""
    judgement = judged("R, [a<root:1], [z<a:2], t<z:3")
    assert told(judgement) == ["a: ContainmentViolated", "z: ContainmentViolated"]
    assert judgement.frozen["t"].node == "a"
    assert judged("R, [z<root:1], [a<z:2], t<a:3").frozen["t"].node == "a"


def test_conditions() -> None:
    judgement = judged("R, [g<root:1], t<g:2")
    ready, degraded = judgement.conditions("root")
    assert (ready.type, ready.status, ready.reason) == ("Ready", True, "Admitted")
    assert ready.message == "node is a valid member of the quota tree"
    assert (degraded.type, degraded.status, degraded.message) == ("Degraded", False, "no invariant violated")
    ready, degraded = judgement.conditions("t")
    assert (ready.status, degraded.status) == (False, True)
    assert ready.message == degraded.message == "budget nvidia.com/gpu on a100 is 1 but its children total 2"
    assert ready.reason == "ContainmentViolated"


def test_a_denial_lists_all() -> None:
    found = judged("R, [g<nope], t<g:1").violations
    assert denial(found[:1]) == 'g: parentRef "nope" does not resolve to an existing AcceleratorQuota'
    assert denial(found) == (
        '2 invariants violated: g: parentRef "nope" does not resolve to an existing AcceleratorQuota; '
        't: node has no position in the tree because ancestor "g" is unresolved'
    )


names = st.sampled_from(["root", "a", "b", "c", "d", "e"])
parents = st.one_of(st.none(), names, st.just("ghost"))
roles = st.sampled_from(["Cohort", "ClusterQueue", "Team"])
amounts = st.sampled_from(["0", "1", "2", "500m", "1k", "-1"])


@st.composite
def quotas(draw: st.DrawFn) -> list[QuotaNode]:
    found = draw(st.lists(st.tuples(names, roles, parents, st.lists(amounts, max_size=2)), max_size=8))
    return [
        QuotaNode.of(quota(name, role, parent, budgets=[budget(text) for text in texts]))
        for name, role, parent, texts in found
    ]


@given(quotas())
def test_every_tree_is_judged(found: list[QuotaNode]) -> None:
    """Whatever the nodes are: frozen nodes have a cause, all others a place, and nothing below a frozen one is free."""
    judgement = judge(found)
    tree = judgement.tree
    assert set(primary(judgement.violations)) <= set(judgement.frozen)
    for name in tree.nodes:
        if name in judgement.frozen:
            assert all(node.name in judgement.frozen for node in tree.subtree(name))
        else:
            assert tree.depth(name) is not None
            assert tree.root is not None


@given(quotas().filter(lambda found: len({node.name for node in found}) == len(found)), st.randoms())
def test_the_order_of_manifests_decides_nothing(found: list[QuotaNode], random: object) -> None:
    shuffled = list(found)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert judge(shuffled).violations == judge(found).violations
