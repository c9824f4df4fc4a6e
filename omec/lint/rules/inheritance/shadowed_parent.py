"""``shadowed-parent``: a parent of the namespace in front of one of the cluster."""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Related, Rule, Severity
from omec.lint.context import Context, Fault
from omec.resolve.inherit import CLUSTER_SERVING_RUNTIME, INHERIT_FROM, SERVING_RUNTIME

RULE = Rule(
    "OME224",
    "shadowed-parent",
    Severity.INFO,
    "The parent of a runtime exists in its namespace and in the cluster",
    why=(
        "A ServingRuntime inherits from the ServingRuntime of its own namespace first. A runtime of that name which is "
        "added to the namespace takes the place of the cluster's for every child there, without a word."
    ),
    fix="Rename one of the two, unless the namespace is meant to have its own.",
    source="reference 02 §2.1 and §10",
    bad="""\
metadata: {name: child, namespace: demo, annotations: {ome.io/inherit-from: base}}
""",
    good="""\
metadata: {name: child, namespace: demo, annotations: {ome.io/inherit-from: shared-base}}
""",
)


def check(context: Context) -> Iterator[Fault]:
    for runtime in context.runtimes:
        parent = context.chains.parent(runtime) if runtime.kind == SERVING_RUNTIME else None
        if parent is not None and parent.kind == SERVING_RUNTIME:
            hidden = context.catalog.get(CLUSTER_SERVING_RUNTIME, parent.name)
            if hidden is not None:
                message = f"{parent.ref} is the parent, and hides {hidden.ref}"
                related = Related(hidden.locate(("metadata", "name")), "hidden for this namespace")
                yield Fault(runtime, ("metadata", "annotations", INHERIT_FROM), message, related=(related,))
