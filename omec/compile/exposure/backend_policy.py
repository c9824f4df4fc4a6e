"""The BackendTrafficPolicy of a service: how Envoy Gateway treats the pods behind its routes (reference 10 §8.6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from omec.compile.exposure import traffic
from omec.compile.exposure.routes import GROUP
from omec.compile.exposure.traffic import Intent, Path, set_field
from omec.compile.inputs import Object, Service

_INTEGERS: dict[str, Path] = {
    traffic.MAX_CONNECTIONS: ("circuitBreaker", "maxConnections"),
    traffic.MAX_PARALLEL_REQUESTS: ("circuitBreaker", "maxParallelRequests"),
    traffic.MAX_PENDING_REQUESTS: ("circuitBreaker", "maxPendingRequests"),
    traffic.MAX_PARALLEL_RETRIES: ("circuitBreaker", "maxParallelRetries"),
    traffic.MAX_CONNECTIONS_PER_ENDPOINT: ("circuitBreaker", "perEndpoint", "maxConnections"),
    traffic.RETRY_ATTEMPTS: ("retry", "numRetries"),
}
_DURATIONS: dict[str, Path] = {
    traffic.RETRY_TIMEOUT: ("retry", "perRetry", "timeout"),
    traffic.IDLE_TIMEOUT: ("timeout", "http", "connectionIdleTimeout"),
    traffic.CONNECTION_DURATION: ("timeout", "http", "maxConnectionDuration"),
    traffic.CONNECT_TIMEOUT: ("timeout", "tcp", "connectTimeout"),
}


def default_policy(service: Service, headers: Sequence[str]) -> Object:
    """The policy of a service that wants nothing: requests with equal ``headers`` stay on one pod.

    It covers the route of the service as a whole, and is merged into the policy of the Gateway.
    """
    spec = {
        "mergeType": "StrategicMerge",
        "targetRefs": [_target(service.name)],
        "loadBalancer": {
            "type": "ConsistentHash",
            "consistentHash": {"type": "Headers", "headers": [{"name": header} for header in headers]},
        },
    }
    labels = {"app.kubernetes.io/part-of": service.name, "app.kubernetes.io/managed-by": "ome-controller"}
    policy = _policy(service, spec)
    policy["metadata"]["labels"] = labels
    return policy


def traffic_policy(service: Service, intent: Intent, routes: Sequence[str]) -> Object:
    """The policy that does what ``intent`` says, for the routes of these names.

    Raises :class:`omec.compile.exposure.traffic.PassthroughError`.
    """
    spec: Object = {"targetRefs": [_target(route) for route in routes]}
    if balancing := _load_balancer(intent.traffic):
        spec["loadBalancer"] = balancing
    intent.set_limits(spec, _INTEGERS, _DURATIONS)
    if conditions := intent.retry_conditions:
        set_field(spec, ("retry", "retryOn", "triggers"), conditions)
    intent.pass_through(traffic.ENVOY_PREFIX, spec)
    return _policy(service, spec)


def _load_balancer(wanted: Mapping[str, Any]) -> Object:
    balancing: Object = {}
    if wanted.get("algorithm") is not None:
        balancing["type"] = wanted["algorithm"]
    if wanted.get("consistentHash") is not None:
        balancing["consistentHash"] = _consistent_hash(wanted["consistentHash"])
    override = wanted.get("endpointOverride") or {}
    if override.get("type") == "Header":
        headers = [{"header": header["name"]} for header in override.get("headers") or ()]
        balancing["endpointOverride"] = {"extractFrom": headers}
    return balancing


def _consistent_hash(wanted: Mapping[str, Any]) -> Object:
    """The hash; one header is told in the older form, which every release of the gateway knows."""
    headers = [{"name": header["name"]} for header in wanted.get("headers") or ()]
    if wanted.get("type") == "Header":
        return (
            {"type": "Header", "header": headers[0]} if len(headers) == 1 else {"type": "Headers", "headers": headers}
        )
    hashed: Object = {"type": wanted.get("type")}
    if wanted.get("type") == "Cookie":
        cookie = wanted["cookie"]
        hashed["cookie"] = {"name": cookie["name"]}
        if (cookie.get("ttlSeconds") or 0) > 0:
            hashed["cookie"]["ttl"] = f"{cookie['ttlSeconds']}s"
    return hashed


def _target(route: str) -> Object:
    return {"group": GROUP, "kind": "HTTPRoute", "name": route}


def _policy(service: Service, spec: Object) -> Object:
    return {
        "apiVersion": "gateway.envoyproxy.io/v1alpha1",
        "kind": "BackendTrafficPolicy",
        "metadata": {"name": service.name, "namespace": service.namespace},
        "spec": spec,
    }
