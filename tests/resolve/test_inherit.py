"""Chains: the vectors of reference 02 §2.4, scopes, what omec adds to OME's rules, and the documented example."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from omec.catalog import Catalog, Resource
from omec.repo.document import Document
from omec.repo.read import read
from omec.resolve.inherit import Chain, ChainResolver, Reason, revision_name
from tests.oracle.objects import catalog_of

EXAMPLE = Path(__file__).parents[2] / "examples" / "inheritance" / "runtimes"

Body = dict[str, Any]


def runtime(text: str, **spec: Any) -> Body:
    """A runtime in the notation of the reference: ``name``, ``name -> parent``, ``namespace/name -> parent``."""
    name, _, parent = text.partition(" -> ")
    namespace, _, name = name.rpartition("/")
    metadata: Body = {"name": name}
    if namespace:
        metadata["namespace"] = namespace
    if parent:
        metadata["annotations"] = {"ome.io/inherit-from": parent}
    kind = "ServingRuntime" if namespace else "ClusterServingRuntime"
    return {"apiVersion": "ome.io/v1beta1", "kind": kind, "metadata": metadata, "spec": spec}


def with_env(text: str) -> Body:
    """A runtime that sets one variable named after itself."""
    variable = text.partition(" -> ")[0].replace("/", "_")
    return runtime(text, engineConfig={"runner": {"name": "ome-container", "env": [{"name": variable}]}})


def find(catalog: Catalog, text: str) -> Resource:
    namespace, _, name = text.rpartition("/")
    kind = "ServingRuntime" if namespace else "ClusterServingRuntime"
    found = catalog.get(kind, name, namespace or None)
    assert found is not None
    return found


def chain_of(objects: list[str], head: str, **options: Any) -> Chain:
    catalog = catalog_of([with_env(text) for text in objects])
    return ChainResolver(catalog, **options).chain(find(catalog, head))


SIX = ["n0", "n1 -> n0", "n2 -> n1", "n3 -> n2", "n4 -> n3", "n5 -> n4"]
FIVE_LOOP = ["a -> b", "b -> c", "c -> d", "d -> e", "e -> a"]
BASES = ["base", "team/base", "mid -> base", "team/leaf -> mid"]

# The chain, root first, and the variables that every member contributes.
RESOLVED = [
    ("C1", ["solo"], "solo", "solo", "solo"),
    ("C2", ["profile", "rt -> profile"], "rt", "profile rt", "rt profile"),
    (
        "C3",
        ["root", "mid -> root", "near -> mid", "leaf -> near"],
        "leaf",
        "root mid near leaf",
        "leaf near mid root",
    ),
    ("C4", SIX[:5], "n4", "n0 n1 n2 n3 n4", "n4 n3 n2 n1 n0"),
    ("C6", SIX, "n4", "n0 n1 n2 n3 n4", "n4 n3 n2 n1 n0"),
    ("C15", ["infra", "team/rt -> infra"], "team/rt", "infra rt", "team_rt infra"),
    ("C16", ["infra", "team/infra", "team/rt -> infra"], "team/rt", "infra rt", "team_rt team_infra"),
    ("C20", BASES, "team/leaf", "base mid leaf", "team_leaf mid team_base"),
    ("C21", BASES, "mid", "base mid", "mid base"),
]

BROKEN = [
    ("C5", SIX, "n5", Reason.MAX_DEPTH, "inheritance chain exceeds max depth 5 (chain: [n5 n4 n3 n2 n1])"),
    (
        "C7",
        ["rt -> ghost"],
        "rt",
        Reason.PARENT_NOT_FOUND,
        'inherit-from parent "ghost" not found (chain so far: [rt])',
    ),
    (
        "C8",
        ["a -> b", "b -> ghost"],
        "a",
        Reason.PARENT_NOT_FOUND,
        'inherit-from parent "ghost" not found (chain so far: [a b])',
    ),
    ("C9", ["a -> a"], "a", Reason.CYCLE, "inheritance cycle detected: [a a]"),
    ("C10", ["a -> b", "b -> a"], "a", Reason.CYCLE, "inheritance cycle detected: [a b a]"),
    ("C11", ["a -> b", "b -> a", "x -> a"], "x", Reason.CYCLE, "inheritance cycle detected: [x a b a]"),
    (
        "C12",
        ["a -> b", "b -> c", "c -> d", "d -> a"],
        "a",
        Reason.CYCLE,
        "inheritance cycle detected: [a b c d a]",
    ),
    ("C13", FIVE_LOOP, "a", Reason.MAX_DEPTH, "inheritance chain exceeds max depth 5 (chain: [a b c d e])"),
    (
        "C14",
        ["n0 -> ghost", *SIX[1:5]],
        "n4",
        Reason.MAX_DEPTH,
        "inheritance chain exceeds max depth 5 (chain: [n4 n3 n2 n1 n0])",
    ),
    (
        "C17",
        ["other/shared", "team/rt -> shared"],
        "team/rt",
        Reason.PARENT_NOT_FOUND,
        'inherit-from parent "shared" not found (chain so far: [rt])',
    ),
    (
        "C18",
        ["team/p", "rt -> p"],
        "rt",
        Reason.PARENT_NOT_FOUND,
        'inherit-from parent "p" not found (chain so far: [rt])',
    ),
    ("C19", ["rt", "team/rt -> rt"], "team/rt", Reason.CYCLE, "inheritance cycle detected: [rt rt]"),
    ("C22", ["team/a -> b", "b -> a", "a"], "team/a", Reason.CYCLE, "inheritance cycle detected: [a b a]"),
    (
        "C24",
        ["profile", "rt ->  profile"],
        "rt",
        Reason.PARENT_NOT_FOUND,
        'inherit-from parent " profile" not found (chain so far: [rt])',
    ),
]


@pytest.mark.parametrize(
    ("objects", "head", "members", "variables"), [v[1:] for v in RESOLVED], ids=[v[0] for v in RESOLVED]
)
def test_resolved(objects: list[str], head: str, members: str, variables: str) -> None:
    chain = chain_of(objects, head)
    assert (chain.error, chain.reason) == (None, None)
    assert " ".join(member.name for member in chain.runtimes) == members
    assert chain.spec is not None
    env = chain.spec["engineConfig"]["runner"]["env"]
    assert " ".join(variable["name"] for variable in env) == variables


@pytest.mark.parametrize(("objects", "head", "reason", "error"), [v[1:] for v in BROKEN], ids=[v[0] for v in BROKEN])
def test_broken(objects: list[str], head: str, reason: Reason, error: str) -> None:
    chain = chain_of(objects, head)
    assert (chain.error, chain.reason) == (error, reason)
    assert (chain.spec, chain.hash, chain.disabled) == (None, None, False)
    assert chain.head.name == head.rpartition("/")[2]


def test_c23_an_empty_annotation_is_none() -> None:
    body = runtime("rt")
    body["metadata"]["annotations"] = {"ome.io/inherit-from": ""}
    catalog = catalog_of([body])
    assert len(ChainResolver(catalog).chain(find(catalog, "rt")).runtimes) == 1


@pytest.mark.parametrize("value", [3, ["profile"], None])
def test_an_annotation_that_is_no_text_is_none(value: Any) -> None:
    body = runtime("rt")
    body["metadata"]["annotations"] = {"ome.io/inherit-from": value}
    catalog = catalog_of([body])
    assert ChainResolver(catalog).chain(find(catalog, "rt")).error is None


def test_a_merge_that_fails() -> None:
    catalog = catalog_of(
        [runtime("p", imagePullSecrets=[{"name": "a"}]), runtime("c -> p", imagePullSecrets=[{}]), runtime("d -> c")]
    )
    text = "merge c onto effective: strategic merge: map: map[] does not contain declared merge key: name"
    for head in ("c", "d"):
        chain = ChainResolver(catalog).chain(find(catalog, head))
        assert (chain.error, chain.reason, chain.spec) == (text, Reason.RESOLVER_ERROR, None)


# Reference 02 §5
@pytest.mark.parametrize(
    ("parent", "child", "disabled"),
    [
        ({"disabled": True}, {}, True),  # S1
        ({"disabled": True}, {"disabled": False}, False),  # S2
        ({}, {"disabled": True}, True),
    ],
)
def test_disabled_is_inherited(parent: Body, child: Body, disabled: bool) -> None:
    catalog = catalog_of([runtime("p", **parent), runtime("c -> p", **child)])
    assert ChainResolver(catalog).chain(find(catalog, "c")).disabled is disabled


def test_a_parent_that_exists_in_the_cluster_only() -> None:
    chain = chain_of(["c -> p"], "c", external=["p"])
    assert (chain.external, chain.reason, chain.spec) == ("p", Reason.EXTERNAL_PARENT, None)
    assert chain.error == 'inherit-from parent "p" is in the cluster only (external-runtimes), not in this repository'
    assert chain_of(["p", "c -> p"], "c", external=["p"]).external is None


def test_a_parent_that_is_defined_twice() -> None:
    def document(index: int, body: Body) -> Resource:
        metadata = body["metadata"]
        return Resource(body["kind"], None, metadata["name"], Document(f"{index}.yaml", 0, body))

    catalog = Catalog([document(i, runtime(text)) for i, text in enumerate(["p", "p", "c -> p"])])
    chain = ChainResolver(catalog).chain(find(catalog, "c"))
    assert chain.error == 'inherit-from parent "p" is defined more than once: 0.yaml and 1.yaml'
    assert chain.reason is Reason.AMBIGUOUS_PARENT


def test_a_twice_defined_runtime_shadows_all_the_same() -> None:
    """omec does not fall through to the cluster scope, where the cluster would find one of the two."""
    namespaced = runtime("team/p")
    resources = [
        Resource("ServingRuntime", "team", "p", Document("a.yaml", 0, namespaced)),
        Resource("ServingRuntime", "team", "p", Document("b.yaml", 0, namespaced)),
        Resource("ClusterServingRuntime", None, "p", Document("c.yaml", 0, runtime("p"))),
        Resource("ServingRuntime", "team", "c", Document("d.yaml", 0, runtime("team/c -> p"))),
    ]
    catalog = Catalog(resources)
    assert ChainResolver(catalog).chain(find(catalog, "team/c")).reason is Reason.AMBIGUOUS_PARENT


def test_without_inheritance_every_runtime_stands_alone() -> None:
    chain = chain_of(["p", "c -> p"], "c", inheritance=False)
    assert [member.name for member in chain.runtimes] == ["c"]


def test_children() -> None:
    """Reference 02 §7: a namespaced runtime is below the parent that it finds itself."""
    catalog = catalog_of(
        [with_env(text) for text in ["root", "b -> root", "a -> root", "team/x -> root", "dev/root", "dev/y -> root"]]
    )
    chains = ChainResolver(catalog)
    assert [str(child.ref) for child in chains.children(find(catalog, "root"))] == [
        "ClusterServingRuntime a",
        "ClusterServingRuntime b",
        "ServingRuntime team/x",
    ]
    assert [str(child.ref) for child in chains.children(find(catalog, "dev/root"))] == ["ServingRuntime dev/y"]
    assert chains.children(find(catalog, "a")) == []


def test_a_chain_is_resolved_once() -> None:
    catalog = catalog_of([with_env("p"), with_env("c -> p")])
    chains = ChainResolver(catalog)
    assert chains.chain(find(catalog, "c")) is chains.chain(find(catalog, "c"))


def test_names_of_revisions() -> None:
    digest = "590753e8" + "0" * 56
    assert revision_name("ClusterServingRuntime", None, "rt", digest) == "cr-rt-590753e8"
    assert revision_name("ServingRuntime", "team-a", "rt", digest) == "r-team-a-rt-590753e8"
    # The kind of the reference decides: a service that reaches a ServingRuntime by fallback gets a cr- name.
    assert revision_name("ClusterServingRuntime", "team-a", "rt", digest) == "cr-rt-590753e8"


def test_the_documented_example() -> None:
    """OME docs: concepts/runtimes/runtime-inheritance; its hash by reference 02 §8.3."""
    bodies = [document.value for document in read([EXAMPLE]).documents]
    catalog = catalog_of(bodies)
    (head,) = catalog.of_kind("ServingRuntime")
    chain = ChainResolver(catalog).chain(head)
    assert [member.name for member in chain.runtimes] == ["sglang-profile", "sglang-llama-3-2-3b"]
    assert chain.hash is not None
    assert chain.hash.startswith("96645246")
    assert chain.spec is not None
    container = chain.spec["engineConfig"]["runner"]
    assert container["command"][-1] == "--served-model-name={{.Name}}"
    assert container["args"] == ["--tp-size=1", "--mem-frac=0.9"]
    assert chain.spec["disabled"] is False
