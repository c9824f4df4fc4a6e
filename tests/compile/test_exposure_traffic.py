"""Traffic settings: the BackendTrafficPolicy or DestinationRule of a service, and what the webhook says (10 §8.6)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from omec.compile.capabilities import ASSUMED, Capabilities
from omec.compile.exposure.annotation_admission import annotation_warnings
from omec.compile.exposure.edit_distance import distance
from omec.compile.exposure.expose import Exposure, expose
from omec.compile.exposure.settings import IngressSettings
from omec.compile.exposure.traffic import ANNOTATIONS, scalar
from omec.compile.exposure.traffic_admission import traffic_refusals
from omec.compile.inputs import Service
from omec.compile.names import ComponentName
from omec.compile.problems import Origin, Place, Problem, RenderError
from tests.compile.crd_schemas import crd_errors

Object = dict[str, Any]

ROUTES = IngressSettings(gateway_api=True, gateway="eg/ome")
NO_INGRESS = IngressSettings(disabled=True)
ISTIO = Capabilities(istio=True, envoy_gateway=False)
NO_GATEWAY = Capabilities(envoy_gateway=False)
ENGINE: dict[ComponentName, int] = {"engine": 8080}
ALL: dict[ComponentName, int] = {"engine": 8080, "decoder": 8080, "router": 8080}

HEADER: Object = {"algorithm": "ConsistentHash", "consistentHash": {"type": "Header", "headers": [{"name": "x-id"}]}}


def service(
    traffic: Object | None = None, annotations: dict[str, str] | None = None, labels: dict[str, str] | None = None
) -> Service:
    return Service("chat", "prod", labels or {}, annotations or {}, {"traffic": traffic} if traffic is not None else {})


def exposed(
    of: Service,
    settings: IngressSettings = ROUTES,
    capabilities: Capabilities = ASSUMED,
    ports: dict[ComponentName, int] = ENGINE,
) -> Exposure:
    return expose(of, settings, ports, capabilities)


def policies(found: Exposure) -> list[Object]:
    return [body for body in found.objects if body["kind"] in ("BackendTrafficPolicy", "DestinationRule")]


def envoy(traffic: Object | None = None, annotations: dict[str, str] | None = None) -> Object:
    """The spec of the BackendTrafficPolicy, without its targets."""
    (body,) = policies(exposed(service(traffic, annotations)))
    assert body["kind"] == "BackendTrafficPolicy"
    return {key: value for key, value in body["spec"].items() if key != "targetRefs"}


def istio(traffic: Object | None = None, annotations: dict[str, str] | None = None) -> Object:
    """The trafficPolicy of the DestinationRule."""
    (body,) = policies(exposed(service(traffic, annotations), NO_INGRESS, ISTIO))
    assert body["kind"] == "DestinationRule"
    policy: Object = body["spec"].get("trafficPolicy", {})
    return policy


def at(spec: Object, path: str) -> Any:
    value: Any = spec
    for step in path.split("."):
        value = value[step]
    return value


def annotated(**values: str) -> dict[str, str]:
    return {f"ome.io/{key.replace('_', '-')}": value for key, value in values.items()}


def hashing(**hashed: Any) -> Object:
    return {"algorithm": "ConsistentHash", "consistentHash": hashed}


def overriding(**override: Any) -> Object:
    return {"endpointOverride": override}


# --- Which policy ------------------------------------------------------------------------------------------------


def test_default_policy(testdata: Path) -> None:
    (body,) = policies(exposed(service(), replace(ROUTES, hash_headers=("x-session", "x-user")), ports=ALL))
    assert body == {
        "apiVersion": "gateway.envoyproxy.io/v1alpha1",
        "kind": "BackendTrafficPolicy",
        "metadata": {
            "name": "chat",
            "namespace": "prod",
            "labels": {"app.kubernetes.io/part-of": "chat", "app.kubernetes.io/managed-by": "ome-controller"},
        },
        "spec": {
            "mergeType": "StrategicMerge",
            "targetRefs": [{"group": "gateway.networking.k8s.io", "kind": "HTTPRoute", "name": "chat"}],
            "loadBalancer": {
                "type": "ConsistentHash",
                "consistentHash": {"type": "Headers", "headers": [{"name": "x-session"}, {"name": "x-user"}]},
            },
        },
    }
    assert crd_errors(body, testdata) == []


def test_hash_headers_of_the_service_itself() -> None:
    of = service(annotations={"ome.io/ingress-consistent-hash-headers": "x-a"})
    (body,) = policies(exposed(of))
    assert at(body, "spec.loadBalancer.consistentHash.headers") == [{"name": "x-a"}]


def test_own_policy_targets_all_routes_and_does_not_hash() -> None:
    (body,) = policies(exposed(service(annotations=annotated(timeout_idle="30s")), ports=ALL))
    assert [target["name"] for target in body["spec"]["targetRefs"]] == [
        "chat",
        "chat-engine",
        "chat-decoder",
        "chat-router",
    ]
    assert {key: value for key, value in body["spec"].items() if key != "targetRefs"} == {
        "timeout": {"http": {"connectionIdleTimeout": "30s"}}
    }


BOTH = Capabilities(istio=True)
INGRESS = IngressSettings(class_name="nginx")


@pytest.mark.parametrize(
    ("settings", "capabilities", "labels", "kinds"),
    [
        (ROUTES, ASSUMED, {}, ["BackendTrafficPolicy"]),
        (ROUTES, BOTH, {}, ["BackendTrafficPolicy"]),
        (ROUTES, ISTIO, {}, []),
        (ROUTES, NO_GATEWAY, {}, []),
        (NO_INGRESS, ISTIO, {}, ["DestinationRule"]),
        (NO_INGRESS, BOTH, {}, []),
        (NO_INGRESS, ASSUMED, {}, []),
        (NO_INGRESS, ISTIO, {"networking.knative.dev/visibility": "cluster-local"}, []),
        (INGRESS, ASSUMED, {}, []),
        (INGRESS, ISTIO, {}, []),
    ],
)
def test_which_policy(
    settings: IngressSettings, capabilities: Capabilities, labels: dict[str, str], kinds: list[str]
) -> None:
    found = exposed(service({"algorithm": "Random"}, labels=labels), settings, capabilities)
    assert [body["kind"] for body in policies(found)] == kinds
    without_effect = [p for p in found.problems if p.rule.slug == "traffic-without-effect"]
    assert bool(without_effect) is (not kinds)
    for problem in without_effect:
        assert problem.place == Place(Origin.SERVICE, ("spec", "traffic"))


def test_annotations_without_effect_are_told_at_the_first() -> None:
    of = service(annotations=annotated(timeout_idle="30s", retry_on="5xx"))
    (problem,) = exposed(of, NO_INGRESS).problems
    assert problem.place == Place(Origin.SERVICE, ("metadata", "annotations", "ome.io/retry-on"))


@pytest.mark.parametrize("traffic", [None, {}])
def test_nothing_wanted_and_nothing_there(traffic: Object | None) -> None:
    assert exposed(service(traffic), NO_INGRESS, ISTIO) == Exposure()
    assert policies(exposed(service(traffic), ROUTES, NO_GATEWAY)) == []


# --- The annotations, table of §8.6 ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("annotation", "path", "written", "value"),
    [
        ("circuit-breaker-max-connections", "circuitBreaker.maxConnections", "1000", 1000),
        ("circuit-breaker-max-parallel-requests", "circuitBreaker.maxParallelRequests", "0", 0),
        ("circuit-breaker-max-pending-requests", "circuitBreaker.maxPendingRequests", "+7", 7),
        ("circuit-breaker-max-parallel-retries", "circuitBreaker.maxParallelRetries", "3", 3),
        ("circuit-breaker-per-endpoint-max-connections", "circuitBreaker.perEndpoint.maxConnections", "1", 1),
        ("retry-attempts", "retry.numRetries", "3", 3),
        ("retry-on", "retry.retryOn.triggers", "5xx, reset", ["5xx", "reset"]),
        ("retry-per-try-timeout", "retry.perRetry.timeout", "500ms", "500ms"),
        ("timeout-idle", "timeout.http.connectionIdleTimeout", "90s", "1m30s"),
        ("timeout-max-connection-duration", "timeout.http.maxConnectionDuration", "1h", "1h0m0s"),
        ("timeout-tcp-connect", "timeout.tcp.connectTimeout", "5s", "5s"),
        ("btp.circuitBreaker.maxConnections", "circuitBreaker.maxConnections", "5", 5),
    ],
)
def test_annotations(annotation: str, path: str, written: str, value: Any) -> None:
    spec = envoy(annotations={f"ome.io/{annotation}": written})
    assert at(spec, path) == value
    assert len(spec) == 1


@pytest.mark.parametrize(
    ("written", "normal"),
    [("5m", "5m0s"), ("90s", "1m30s"), ("30s", "30s"), ("1h", "1h0m0s"), ("1500ms", "1.5s")],
)
def test_durations(written: str, normal: str) -> None:
    assert envoy(annotations=annotated(timeout_idle=written)) == {
        "timeout": {"http": {"connectionIdleTimeout": normal}}
    }


@pytest.mark.parametrize("annotation", ANNOTATIONS)
def test_unreadable_values_are_passed_over(annotation: str) -> None:
    """The webhook has refused them; where it is off, OME writes a policy without the field."""
    assert envoy(annotations={annotation: ","}) == {}


def test_everything_at_once(testdata: Path) -> None:
    wanted = annotated(
        circuit_breaker_max_connections="1000",
        circuit_breaker_max_parallel_requests="100",
        circuit_breaker_max_pending_requests="10",
        circuit_breaker_max_parallel_retries="5",
        circuit_breaker_per_endpoint_max_connections="1",
        retry_attempts="3",
        retry_on="5xx,reset",
        retry_per_try_timeout="30s",
        timeout_idle="5m",
        timeout_max_connection_duration="1h",
        timeout_tcp_connect="5s",
    )
    wanted |= {"ome.io/btp.tcpKeepalive.probes": "3", "ome.io/btp.useClientProtocol": "true"}
    (body,) = policies(exposed(service(HEADER, wanted)))
    assert {key: value for key, value in body["spec"].items() if key != "targetRefs"} == {
        "loadBalancer": {
            "type": "ConsistentHash",
            "consistentHash": {"type": "Header", "header": {"name": "x-id"}},
        },
        "circuitBreaker": {
            "maxConnections": 1000,
            "maxParallelRequests": 100,
            "maxPendingRequests": 10,
            "maxParallelRetries": 5,
            "perEndpoint": {"maxConnections": 1},
        },
        "retry": {
            "numRetries": 3,
            "perRetry": {"timeout": "30s"},
            "retryOn": {"triggers": ["5xx", "reset"]},
        },
        "timeout": {
            "http": {"connectionIdleTimeout": "5m0s", "maxConnectionDuration": "1h0m0s"},
            "tcp": {"connectTimeout": "5s"},
        },
        "tcpKeepalive": {"probes": 3},
        "useClientProtocol": True,
    }
    assert "labels" not in body["metadata"]
    assert crd_errors(body, testdata) == []


# --- Pass-through ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3", 3),
        ("-3", -3),
        ("1", 1),
        ("0", 0),
        ("true", True),
        ("T", True),
        ("False", False),
        ("0.5", 0.5),
        ("1e3", 1000.0),
        ("9223372036854775807", 9223372036854775807),
        ("9223372036854775808", 9.223372036854775808e18),
        ("5s", "5s"),
        ("yes", "yes"),
        ("", ""),
        ("\u0661", "\u0661"),
    ],
)
def test_scalars(text: str, value: Any) -> None:
    found = scalar(text)
    assert (type(found), found) == (type(value), value)


def test_pass_through_comes_last() -> None:
    wanted = {"ome.io/timeout-idle": "30s", "ome.io/btp.timeout.http.connectionIdleTimeout": "60s"}
    assert envoy(annotations=wanted) == {"timeout": {"http": {"connectionIdleTimeout": "60s"}}}


def test_pass_through_into_a_value() -> None:
    wanted = {"ome.io/btp.timeout": "30s", "ome.io/btp.timeout.http": "60s"}
    with pytest.raises(RenderError) as caught:
        envoy(annotations=wanted)
    assert caught.value.problem.message == (
        'set passthrough "timeout.http": value cannot be set because .spec.timeout is not a map[string]interface{}'
    )
    assert caught.value.problem.place.steps == ("metadata", "annotations", "ome.io/btp.timeout.http")


def test_pass_through_on_istio() -> None:
    assert istio(annotations={"ome.io/dr.outlierDetection.consecutive5xxErrors": "7"}) == {
        "outlierDetection": {"consecutive5xxErrors": 7}
    }


# --- spec.traffic on Envoy Gateway -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("traffic", "balancing"),
    [
        ({"algorithm": "RoundRobin"}, {"type": "RoundRobin"}),
        ({"algorithm": "LeastRequest"}, {"type": "LeastRequest"}),
        ({"algorithm": "Random"}, {"type": "Random"}),
        (HEADER, {"type": "ConsistentHash", "consistentHash": {"type": "Header", "header": {"name": "x-id"}}}),
        (
            {
                "algorithm": "ConsistentHash",
                "consistentHash": {"type": "Header", "headers": [{"name": "a"}, {"name": "b"}]},
            },
            {
                "type": "ConsistentHash",
                "consistentHash": {"type": "Headers", "headers": [{"name": "a"}, {"name": "b"}]},
            },
        ),
        (
            {"algorithm": "ConsistentHash", "consistentHash": {"type": "Cookie", "cookie": {"name": "c"}}},
            {"type": "ConsistentHash", "consistentHash": {"type": "Cookie", "cookie": {"name": "c"}}},
        ),
        (
            {
                "algorithm": "ConsistentHash",
                "consistentHash": {"type": "Cookie", "cookie": {"name": "c", "ttlSeconds": 60}},
            },
            {"type": "ConsistentHash", "consistentHash": {"type": "Cookie", "cookie": {"name": "c", "ttl": "60s"}}},
        ),
        (
            {"algorithm": "ConsistentHash", "consistentHash": {"type": "SourceIP"}},
            {"type": "ConsistentHash", "consistentHash": {"type": "SourceIP"}},
        ),
        (
            {"algorithm": "Random", "endpointOverride": {"type": "Header", "headers": [{"name": "x-pod"}]}},
            {"type": "Random", "endpointOverride": {"extractFrom": [{"header": "x-pod"}]}},
        ),
    ],
)
def test_load_balancer(traffic: Object, balancing: Object, testdata: Path) -> None:
    (body,) = policies(exposed(service(traffic)))
    assert body["spec"]["loadBalancer"] == balancing
    assert crd_errors(body, testdata) == []


@pytest.mark.parametrize(
    ("traffic", "annotations", "message"),
    [
        (
            None,
            annotated(timeout_idle="1500ms"),
            "OME writes ome.io/timeout-idle as 1.5s, which Envoy Gateway does not take for a duration",
        ),
        (
            None,
            annotated(timeout_tcp_connect="-5s"),
            "OME writes ome.io/timeout-tcp-connect as -5s, which Envoy Gateway does not take for a duration",
        ),
        (
            None,
            annotated(retry_attempts="-1"),
            "ome.io/retry-attempts is -1: a number from 0 to 2147483647 is expected",
        ),
        (
            None,
            annotated(circuit_breaker_max_connections="4294967297"),
            "ome.io/circuit-breaker-max-connections is 4294967297, and OME writes 1: a number from 0 to 2147483647 is "
            "expected",
        ),
        (
            overriding(type="Header", headers=[{"name": "x-pod"}]),
            {},
            "spec.traffic.endpointOverride without spec.traffic.algorithm makes a load balancer without a type",
        ),
    ],
)
def test_values_that_the_gateway_refuses(
    traffic: Object | None, annotations: dict[str, str], message: str, testdata: Path
) -> None:
    found = exposed(service(traffic, annotations))
    assert [(problem.rule.slug, problem.message) for problem in found.problems] == [("traffic-value-refused", message)]
    (body,) = policies(found)
    assert crd_errors(body, testdata) or "and OME writes 1" in message


# --- Istio -------------------------------------------------------------------------------------------------------


def test_destination_rule(testdata: Path) -> None:
    wanted = annotated(
        circuit_breaker_max_connections="1000",
        circuit_breaker_max_parallel_requests="100",
        circuit_breaker_max_pending_requests="10",
        timeout_idle="5m",
        timeout_tcp_connect="5s",
    )
    (body,) = policies(exposed(service({"algorithm": "LeastRequest"}, wanted), NO_INGRESS, ISTIO))
    assert body == {
        "apiVersion": "networking.istio.io/v1",
        "kind": "DestinationRule",
        "metadata": {"name": "chat", "namespace": "prod"},
        "spec": {
            "host": "chat.prod.svc.cluster.local",
            "trafficPolicy": {
                "loadBalancer": {"simple": "LEAST_REQUEST"},
                "connectionPool": {
                    "tcp": {"maxConnections": 1000, "connectTimeout": "5s"},
                    "http": {"http2MaxRequests": 100, "http1MaxPendingRequests": 10, "idleTimeout": "5m0s"},
                },
            },
        },
    }
    assert crd_errors(body, testdata) == []


@pytest.mark.parametrize(
    ("hashed", "expected"),
    [
        (HEADER["consistentHash"], {"httpHeaderName": "x-id"}),
        ({"type": "Cookie", "cookie": {"name": "c", "ttlSeconds": 60}}, {"httpCookie": {"name": "c", "ttl": "60s"}}),
        ({"type": "Cookie", "cookie": {"name": "c"}}, {"httpCookie": {"name": "c"}}),
        ({"type": "SourceIP"}, {"useSourceIp": True}),
    ],
)
def test_hash_on_istio(hashed: Object, expected: Object) -> None:
    found = istio({"algorithm": "ConsistentHash", "consistentHash": hashed})
    assert found == {"loadBalancer": {"consistentHash": expected}}


@pytest.mark.parametrize(("timeout", "refused"), [("0s", True), ("999us", True), ("1ms", False), ("5s", False)])
def test_durations_that_istio_refuses(timeout: str, refused: bool) -> None:
    found = exposed(service(annotations=annotated(timeout_idle=timeout)), NO_INGRESS, ISTIO)
    assert [problem.rule.slug for problem in found.problems] == (["traffic-value-refused"] if refused else [])


def test_what_istio_cannot_say() -> None:
    wanted = annotated(retry_attempts="3", retry_on="5xx", timeout_idle="30s")
    override = {"endpointOverride": {"type": "Header", "headers": [{"name": "x-pod"}]}}
    found = exposed(service(override, wanted), NO_INGRESS, ISTIO)
    assert [(problem.rule.slug, problem.message) for problem in found.problems] == [
        (
            "traffic-unsupported",
            'translator "istio" does not honor 1 typed spec.traffic field(s) '
            "[spec.traffic.endpointOverride.type=Header]",
        ),
        (
            "traffic-unsupported",
            'translator "istio" does not honor 2 operator-declared annotation(s) '
            "[ome.io/retry-attempts ome.io/retry-on]",
        ),
    ]


# --- Admission: spec.traffic -------------------------------------------------------------------------------------


def refused(of: Service, capabilities: Capabilities = ASSUMED) -> list[Problem]:
    return list(traffic_refusals(of, capabilities))


HASH = "spec.traffic.consistentHash"
OVERRIDE = "spec.traffic.endpointOverride"


@pytest.mark.parametrize(
    ("traffic", "message"),
    [
        (
            {"algorithm": "ConsistentHash"},
            f"{HASH} is required when spec.traffic.algorithm=ConsistentHash (MissingConsistentHashSpec)",
        ),
        (
            {"algorithm": "Random", "consistentHash": {"type": "SourceIP"}},
            f"{HASH} is only valid when spec.traffic.algorithm=ConsistentHash (UnexpectedConsistentHashSpec)",
        ),
        (hashing(type="Query"), f'{HASH}.type="Query" is not a valid HashType'),
        (hashing(type="Header"), f"{HASH}.headers must be non-empty when type=Header (MissingHashKey)"),
        (hashing(type="Header", headers=[{"name": ""}]), f"{HASH}.headers[0].name is empty (MissingHashKey)"),
        (hashing(type="Cookie"), f"{HASH}.cookie is required when type=Cookie (MissingHashKey)"),
        (hashing(type="Cookie", cookie={"name": ""}), f"{HASH}.cookie.name is empty (MissingHashKey)"),
        (
            hashing(type="SourceIP", cookie={"name": "c"}),
            f"{HASH}.cookie must not be set when type=SourceIP (MultipleHashKeys)",
        ),
        (
            hashing(type="SourceIP", headers=[{"name": "h"}]),
            f"{HASH}.headers must not be set when type=SourceIP (MultipleHashKeys)",
        ),
        (
            overriding(type="Metadata"),
            f"{OVERRIDE}.type=Metadata is reserved and not implemented by the active translator "
            "(ReservedEndpointOverrideType)",
        ),
        (overriding(type="Path"), f'{OVERRIDE}.type="Path" is not a valid EndpointOverrideType'),
        (
            overriding(type="Header"),
            f"{OVERRIDE}.headers must be non-empty when type=Header (MissingEndpointOverrideKey)",
        ),
        (
            overriding(type="Header", headers=[{"name": "a"}, {"name": ""}]),
            f"{OVERRIDE}.headers[1].name is empty (MissingEndpointOverrideKey)",
        ),
    ],
)
def test_refused_fields(traffic: Object, message: str) -> None:
    """The webhook refuses them, and without it no policy could be written."""
    of = service(traffic)
    (problem,) = refused(of)
    assert (problem.rule.slug, problem.message) == ("traffic-invalid", message)
    assert problem.place.steps[:2] == ("spec", "traffic")
    with pytest.raises(RenderError) as caught:
        exposed(of)
    assert caught.value.problem == problem


def test_several_headers_on_istio() -> None:
    of = service(hashing(type="Header", headers=[{"name": "a"}, {"name": "b"}]))
    assert refused(of) == refused(of, Capabilities(istio=True)) == []
    (problem,) = refused(of, ISTIO)
    assert problem.message == (
        "spec.traffic.consistentHash declares 2 headers but the active translator hashes on a single header only; "
        "declare exactly one header (UnsupportedMultiHeaderHash)"
    )
    with pytest.raises(RenderError):
        exposed(of, NO_INGRESS, ISTIO)


@pytest.mark.parametrize("traffic", [{}, HEADER, {"algorithm": "Random"}, hashing(type="SourceIP")])
def test_admitted_fields(traffic: Object) -> None:
    assert refused(service(traffic)) == []


# --- Admission: annotations, table A4.3 of reference 09 ----------------------------------------------------------


@pytest.mark.parametrize(
    ("annotations", "message"),
    [
        (
            annotated(retry_attempts="3"),
            'annotation "ome.io/retry-attempts" set to 3 requires "ome.io/retry-on" to specify retry conditions '
            "(MissingRetryOn)",
        ),
        (
            annotated(circuit_breaker_max_connections="many"),
            'annotation "ome.io/circuit-breaker-max-connections" value "many" is not a valid integer '
            '(InvalidIntValue): strconv.Atoi: parsing "many": invalid syntax',
        ),
        (
            annotated(retry_attempts="1.5", retry_on="5xx"),
            'annotation "ome.io/retry-attempts" value "1.5" is not a valid integer (InvalidIntValue): '
            'strconv.Atoi: parsing "1.5": invalid syntax',
        ),
        (
            annotated(timeout_idle="30"),
            'annotation "ome.io/timeout-idle" value "30" is not a valid duration (InvalidDuration): '
            'time: missing unit in duration "30"',
        ),
        (
            annotated(retry_per_try_timeout="1d"),
            'annotation "ome.io/retry-per-try-timeout" value "1d" is not a valid duration (InvalidDuration): '
            'time: unknown unit "d" in duration "1d"',
        ),
        (
            annotated(retry_attempts="99999999999999999999", retry_on="5xx"),
            'annotation "ome.io/retry-attempts" value "99999999999999999999" is not a valid integer (InvalidIntValue): '
            'strconv.Atoi: parsing "99999999999999999999": value out of range',
        ),
        (
            annotated(retry_attempts="18446744073709551616x", retry_on="5xx"),
            'annotation "ome.io/retry-attempts" value "18446744073709551616x" is not a valid integer '
            '(InvalidIntValue): strconv.Atoi: parsing "18446744073709551616x": value out of range',
        ),
        (
            annotated(timeout_tcp_connect="soon"),
            'annotation "ome.io/timeout-tcp-connect" value "soon" is not a valid duration (InvalidDuration): '
            'time: invalid duration "soon"',
        ),
        (
            annotated(rollout_ready_timeout="-1.5h30"),
            'annotation "ome.io/rollout-ready-timeout" value "-1.5h30" is not a valid duration (InvalidDuration): '
            'time: missing unit in duration "-1.5h30"',
        ),
        (
            annotated(revision_history_limit="0"),
            'annotation "ome.io/revision-history-limit" value "0" must be a positive integer (>= 1) '
            "(InvalidPositiveIntValue)",
        ),
        (
            annotated(rollout_rollback="yes"),
            'annotation "ome.io/rollout-rollback" value "yes" must be "true" or "false" (InvalidBoolValue)',
        ),
        (
            annotated(rollout_promote="full"),
            'annotation "ome.io/rollout-promote" value "full" must be the canary revision hash to promote, copied from '
            "status.canary.canaryRevisionHash (lowercase alphanumeric, at least 6 chars); "
            '"full" is not a supported promotion target (InvalidRolloutPromoteTarget)',
        ),
        (
            annotated(retry_on=""),
            'annotation "ome.io/retry-on" must be a non-empty comma-separated list (InvalidRetryOn)',
        ),
        (annotated(retry_on="5xx,,reset"), 'annotation "ome.io/retry-on" has an empty token (InvalidRetryOn)'),
        (
            annotated(retry_on="5XX"),
            'annotation "ome.io/retry-on" token "5XX" is not a supported retry condition (InvalidRetryOn)',
        ),
        (
            annotated(managed_by_conflict_acked="yes"),
            'annotation "ome.io/managed-by-conflict-acked" value "yes" must be "true" or "false" (InvalidBoolValue)',
        ),
        (
            {"ome.io/dr.outlierDetection.interval": "5s"},
            'annotation "ome.io/dr.outlierDetection.interval" uses a pass-through prefix the active '
            "Gateway-implementation translator does not honor; supported prefixes: [ome.io/btp.] "
            "(UnsupportedPassthrough)",
        ),
        (
            annotated(retry_attempt="3"),
            'unknown traffic annotation "ome.io/retry-attempt". Did you mean "ome.io/retry-attempts"? '
            "(UnknownTrafficAnnotation)",
        ),
    ],
)
def test_refused_annotations(annotations: dict[str, str], message: str) -> None:
    (problem,) = refused(service(annotations=annotations))
    assert (problem.rule.slug, problem.message) == ("traffic-invalid", message)
    assert problem.place.steps[:2] == ("metadata", "annotations")
    assert problem.place.steps[2] in annotations


@pytest.mark.parametrize(
    "annotations",
    [
        annotated(retry_attempts="0"),
        annotated(retry_attempts="3", retry_on="5xx, gateway-error,connect-failure,retriable-status-codes,reset"),
        annotated(timeout_idle="1h30m", timeout_tcp_connect="100us"),
        annotated(managed_by_conflict_acked="true"),
        annotated(service_type="NodePort", traffic_drain="true", rollout_promote="abc123"),
        {"example.com/retry-attempt": "3", "ome.io/btp.retry.numRetries": "3"},
    ],
)
def test_admitted_annotations(annotations: dict[str, str]) -> None:
    assert refused(service(annotations=annotations)) == []


@pytest.mark.parametrize(
    ("capabilities", "own", "other"),
    [(ASSUMED, "ome.io/btp.", "ome.io/dr."), (ISTIO, "ome.io/dr.", "ome.io/btp.")],
)
def test_prefix_of_the_other_gateway(capabilities: Capabilities, own: str, other: str) -> None:
    assert refused(service(annotations={f"{own}a": "1"}), capabilities) == []
    assert len(refused(service(annotations={f"{other}a": "1"}), capabilities)) == 1
    assert refused(service(annotations={f"{other}a": "1"}), NO_GATEWAY) == []


def test_sticky_endpoint_limit() -> None:
    limit = annotated(circuit_breaker_per_endpoint_max_connections="4")
    (problem,) = annotation_warnings(service(HEADER, limit))
    assert problem.message == (
        'annotation "ome.io/circuit-breaker-per-endpoint-max-connections"=4 combined with '
        "traffic.algorithm=ConsistentHash usually defeats sticky routing; set to 1 to keep sessions on a single pod"
    )
    assert list(annotation_warnings(service({"algorithm": "Random"}, limit))) == []
    one = annotated(circuit_breaker_per_endpoint_max_connections="1")
    assert list(annotation_warnings(service(HEADER, one))) == []


@pytest.mark.parametrize(
    ("timeout", "warned"), [("59s", True), ("1m", False), ("0s", False), ("-5s", False), ("soon", False), ("", False)]
)
def test_short_rollout(timeout: str, warned: bool) -> None:
    found = [p.rule.slug for p in annotation_warnings(service(annotations=annotated(rollout_ready_timeout=timeout)))]
    assert found == (["rollout-timeout-short"] if warned else [])


@pytest.mark.parametrize(
    ("a", "b", "steps"), [("", "", 0), ("abc", "abc", 0), ("abc", "acb", 2), ("kitten", "sitting", 3), ("", "ab", 2)]
)
def test_edit_distance(a: str, b: str, steps: int) -> None:
    assert distance(a, b) == distance(b, a) == steps


# --- Properties --------------------------------------------------------------------------------------------------

_HEADERS = st.lists(st.fixed_dictionaries({"name": st.sampled_from(["", "x-a", "x-b"])}), max_size=2)
_TRAFFIC = st.fixed_dictionaries(
    {},
    optional={
        "algorithm": st.sampled_from(["RoundRobin", "LeastRequest", "Random", "ConsistentHash"]),
        "consistentHash": st.fixed_dictionaries(
            {"type": st.sampled_from(["Header", "Cookie", "SourceIP", "Other"])},
            optional={
                "headers": _HEADERS,
                "cookie": st.fixed_dictionaries(
                    {"name": st.sampled_from(["", "c"])}, optional={"ttlSeconds": st.integers(0, 9)}
                ),
            },
        ),
        "endpointOverride": st.fixed_dictionaries(
            {"type": st.sampled_from(["Header", "Metadata", "Other"])}, optional={"headers": _HEADERS}
        ),
    },
)
_ANNOTATIONS = st.dictionaries(
    st.sampled_from([*ANNOTATIONS, "ome.io/btp.a", "ome.io/btp.a.b", "ome.io/dr.a", "ome.io/dr.a.b"]),
    st.sampled_from(["1", "30s", "5xx", "true", ""]),
    max_size=4,
)
_SETTINGS = st.sampled_from([ROUTES, NO_INGRESS, INGRESS])
_CAPABILITIES = st.builds(Capabilities, envoy_gateway=st.booleans(), istio=st.booleans())


@given(_TRAFFIC, _ANNOTATIONS, _SETTINGS, _CAPABILITIES)
def test_admitted_settings_render(
    traffic: Object, annotations: dict[str, str], settings: IngressSettings, capabilities: Capabilities
) -> None:
    """What is refused fails at the same field; what is admitted renders, twice the same, or collides with itself."""
    of = service(traffic, annotations)
    fields = [p for p in refused(of, capabilities) if p.place.steps[0] == "spec"]
    try:
        found = exposed(of, settings, capabilities)
    except RenderError as error:
        problem = error.problem
        assert problem == fields[0] if fields else "set passthrough" in problem.message
    else:
        assert not fields
        assert found == exposed(of, settings, capabilities)
        assert len(policies(found)) <= 1
