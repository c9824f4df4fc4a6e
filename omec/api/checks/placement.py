"""Conditions on the placement of services, and on the clusters that they are placed on."""

from __future__ import annotations

from omec.api.checks.check import Check, count, has, paths, positive
from omec.api.rules import EXCLUSIVE_FIELDS, INCOMPLETE_FIELDS, INCONSISTENT_VALUES

CAPACITY_FACTORS_ONCE = Check(
    "capacity-factors-once",
    EXCLUSIVE_FIELDS,
    "spec.routing.capacityFactors and deprecated spec.placement.capacityFactors must not both be set",
    lambda spec: not (has(spec, "routing", "capacityFactors") and has(spec, "placement", "capacityFactors")),
    "delete spec.placement.capacityFactors",
    (("placement", "capacityFactors"),),
)
AFFINITY_NEEDS_MODE = Check(
    "affinity-needs-mode",
    INCOMPLETE_FIELDS,
    "ClusterAffinity requires an explicit mode",
    lambda placement: placement.get("policy") != "ClusterAffinity" or has(placement, "mode"),
    "add mode: Single, All, Split or SplitByCapacity",
    paths("policy"),
)
TIMEOUT_NEEDS_SINGLE = Check(
    "timeout-needs-single",
    INCOMPLETE_FIELDS,
    "replacementTimeout requires ClusterAffinity Single placement",
    lambda placement: (
        not has(placement, "replacementTimeout")
        or (placement.get("policy") == "ClusterAffinity" and placement.get("mode") == "Single")
    ),
    "delete replacementTimeout, or set policy: ClusterAffinity and mode: Single",
    paths("replacementTimeout"),
)
TIMEOUT_POSITIVE = Check(
    "timeout-positive",
    INCONSISTENT_VALUES,
    "replacementTimeout must be a positive duration",
    positive("replacementTimeout"),
    "write a duration above zero, or delete the field",
    paths("replacementTimeout"),
)
TERM_NOT_EMPTY = Check(
    "term-not-empty",
    INCOMPLETE_FIELDS,
    "a cluster affinity term must contain a requirement",
    lambda term: bool(term.get("matchExpressions") or term.get("matchFields")),
    "add a requirement to matchExpressions or matchFields, or delete the term",
)
CLUSTER_ONE_SOURCE = Check(
    "cluster-one-source",
    EXCLUSIVE_FIELDS,
    "exactly one of kubeConfig or clusterProfileRef must be set",
    lambda source: count(source, "kubeConfig", "clusterProfileRef") == 1,
    "set one of the two",
    paths("clusterProfileRef"),
)
