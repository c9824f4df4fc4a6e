"""The DestinationRule of a service: how Istio treats the pods behind it (reference 10 §8.6).

Source of the fields: OME docs, reference/api/traffic-annotations.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from omec.compile.exposure import traffic
from omec.compile.exposure.traffic import Intent, Path, set_field
from omec.compile.inputs import Object, Service

_POLICY = "trafficPolicy"
_POOL = (_POLICY, "connectionPool")

_INTEGERS: dict[str, Path] = {
    traffic.MAX_CONNECTIONS: (*_POOL, "tcp", "maxConnections"),
    traffic.MAX_PARALLEL_REQUESTS: (*_POOL, "http", "http2MaxRequests"),
    traffic.MAX_PENDING_REQUESTS: (*_POOL, "http", "http1MaxPendingRequests"),
}
_DURATIONS: dict[str, Path] = {
    traffic.IDLE_TIMEOUT: (*_POOL, "http", "idleTimeout"),
    traffic.CONNECT_TIMEOUT: (*_POOL, "tcp", "connectTimeout"),
}
_ALGORITHMS = {"RoundRobin": "ROUND_ROBIN", "LeastRequest": "LEAST_REQUEST", "Random": "RANDOM"}


def destination_rule(service: Service, intent: Intent) -> Object:
    """The rule for the Service that bears the service's name.

    Raises :class:`omec.compile.exposure.traffic.PassthroughError`.
    """
    spec: Object = {"host": f"{service.name}.{service.namespace}.svc.cluster.local"}
    balancing: Path = (_POLICY, "loadBalancer")
    algorithm = intent.traffic.get("algorithm")
    if algorithm in _ALGORITHMS:
        set_field(spec, (*balancing, "simple"), _ALGORITHMS[algorithm])
    if intent.traffic.get("consistentHash") is not None:
        set_field(spec, (*balancing, "consistentHash"), _consistent_hash(intent.traffic["consistentHash"]))
    intent.set_limits(spec, _INTEGERS, _DURATIONS)
    intent.pass_through(traffic.ISTIO_PREFIX, spec, _POLICY)
    return {
        "apiVersion": "networking.istio.io/v1",
        "kind": "DestinationRule",
        "metadata": {"name": service.name, "namespace": service.namespace},
        "spec": spec,
    }


def not_honoured(intent: Intent) -> list[str]:
    """What of ``intent`` a DestinationRule cannot say, in OME's words, one sentence for fields and annotations each."""
    annotations = sorted(
        key
        for key in intent.annotations
        if key.startswith(traffic.ENVOY_PREFIX)
        or (key in traffic.ANNOTATIONS and key not in _INTEGERS and key not in _DURATIONS)
    )
    override = (intent.traffic.get("endpointOverride") or {}).get("type")
    fields = [f"spec.traffic.endpointOverride.type={override}"] if override else []
    return [
        f'translator "istio" does not honor {len(items)} {what} [{" ".join(items)}]'
        for what, items in (("typed spec.traffic field(s)", fields), ("operator-declared annotation(s)", annotations))
        if items
    ]


def _consistent_hash(wanted: Mapping[str, Any]) -> Object:
    if wanted.get("type") == "Header":
        return {"httpHeaderName": wanted["headers"][0]["name"]}
    if wanted.get("type") == "Cookie":
        cookie: Object = {"name": wanted["cookie"]["name"]}
        if (wanted["cookie"].get("ttlSeconds") or 0) > 0:
            cookie["ttl"] = f"{wanted['cookie']['ttlSeconds']}s"
        return {"httpCookie": cookie}
    return {"useSourceIp": True}
