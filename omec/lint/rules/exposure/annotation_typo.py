"""``annotation-typo``: an annotation that is almost one of OME's.

OME's webhook looks at the annotations about traffic alone, and refuses these; here every documented key counts.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from omec.compile.exposure.annotation_admission import is_refused_key
from omec.compile.exposure.edit_distance import distance
from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault

RULE = Rule(
    "OME164",
    "annotation-typo",
    Severity.ERROR,
    "An annotation of OME's is misspelt",
    why="OME reads annotations by their exact key, so this one has no effect, and nobody says so.",
    fix="Correct the key.",
    source="OME docs: reference/api/labels-and-annotations",
    bad='{ome.io/ingress-disable-creations: "true"}\n',
    good='{ome.io/ingress-disable-creation: "true"}\n',
    fixable=True,
)

_PREFIX = "ome.io/"
_SHORTEST = 5
_NEAR = 2
_KEYS = frozenset(
    [
        "accelerator-class",
        "accelerator-quota",
        "autoscalerClass",
        "base-model-decryption-key-name",
        "base-model-decryption-secret-name",
        "base-model-format",
        "base-model-format-version",
        "base-model-name",
        "base-model-vendor",
        "circuit-breaker-max-connections",
        "circuit-breaker-max-parallel-requests",
        "circuit-breaker-max-parallel-retries",
        "circuit-breaker-max-pending-requests",
        "circuit-breaker-per-endpoint-max-connections",
        "composed-fields",
        "container-name",
        "controller-write",
        "dedicated-ai-cluster",
        "deploymentMode",
        "disable-ingress",
        "disable-model-decryption",
        "enable-metric-aggregation",
        "enable-prometheus-scraping",
        "engine",
        "fine-tuned-serving-with-merged-weights",
        "fine-tuned-weight-ft-strategy",
        "inferenceservice",
        "ingress-additional-gateways",
        "ingress-consistent-hash-headers",
        "ingress-disable-creation",
        "ingress-disable-istio-virtualhost",
        "ingress-domain",
        "ingress-domain-template",
        "ingress-gateway",
        "ingress-per-isvc-subdomain",
        "ingress-shared-host-prefix",
        "ingress-url-scheme",
        "inherit-from",
        "inject-fine-tuned-adapter",
        "inject-model-init",
        "inject-serving-sidecar",
        "load-balancer-ip",
        "managed-by",
        "managed-by-conflict-acked",
        "metrics",
        "observability-port",
        "observability-profile",
        "pairing-protocol",
        "probe-port",
        "probe-profile",
        "release-held-revision",
        "reset-instances",
        "retry-attempts",
        "retry-on",
        "retry-per-try-timeout",
        "revision-history-limit",
        "rollout-paused",
        "rollout-promote",
        "rollout-ready-timeout",
        "rollout-rollback",
        "runtime-profile",
        "service-type",
        "serving-runtime",
        "shm-profile",
        "targetUtilizationPercentage",
        "timeout-idle",
        "timeout-max-connection-duration",
        "timeout-tcp-connect",
        "topology-key",
        "traffic-drain",
        "volcano-queue",
    ]
)


def check(context: Context) -> Iterator[Fault]:
    for found in context.annotated:
        for key in found.annotations:
            if not key.startswith(_PREFIX) or (found.is_own and is_refused_key(key)):
                continue
            meant = _meant(key.removeprefix(_PREFIX))
            if meant:
                message = f"OME reads no annotation {key}"
                yield Fault(found.resource, (*found.path, key), message, f"did you mean {_PREFIX}{meant}?", key=True)


@cache
def _meant(name: str) -> str:
    """The documented key that ``name`` is a misspelling of, ``""`` where it is one itself or like none."""
    if name in _KEYS or len(name) < _SHORTEST:
        return ""
    letters = name.replace("-", "").lower()
    near = [key for key in sorted(_KEYS) if abs(len(key) - len(name)) <= _NEAR and distance(name, key) <= _NEAR]
    same = [key for key in sorted(_KEYS) if key.replace("-", "").lower() == letters]
    return next(iter(same or near), "")
