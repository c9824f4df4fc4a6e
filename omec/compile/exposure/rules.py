"""Rules about how services are exposed."""

from __future__ import annotations

from omec.finding import Rule, Severity

DOMAIN_INVALID = Rule(
    code="OME530",
    slug="domain-invalid",
    severity=Severity.ERROR,
    summary="The domain template gives a service no valid host name",
    why=(
        "OME renders the host of every component with the template, with ingress creation on or off. While it fails, "
        "routes and workloads of the service are not updated."
    ),
    fix=(
        "Write a Go template over .Name, .Namespace, .IngressDomain, .Labels and .Annotations that gives a lower-case "
        "DNS name with at least one dot."
    ),
    source="OME docs: guides/networking/configure-ingress; reference 10 §8.3",
    bad='metadata: {annotations: {ome.io/ingress-domain-template: "{{ .Name"}}\n',
    good='metadata: {annotations: {ome.io/ingress-domain-template: "{{ .Name }}.{{ .IngressDomain }}"}}\n',
)

DOMAIN_NOT_EVALUATED = Rule(
    code="OME531",
    slug="domain-template-not-evaluated",
    severity=Severity.ERROR,
    summary="omec does not evaluate what the domain template uses",
    why="The host would be a guess: omec knows fields and index, not the rest of Go's template language.",
    fix="Use only .Name, .Namespace, .IngressDomain, .Labels.KEY, .Annotations.KEY and index in the template.",
    source="reference 10 §8.3",
    bad='metadata: {annotations: {ome.io/ingress-domain-template: "{{ printf `%s` .Name }}.example.com"}}\n',
    good='metadata: {annotations: {ome.io/ingress-domain-template: "{{ .Name }}.example.com"}}\n',
)

GATEWAY_MISSING = Rule(
    code="OME532",
    slug="gateway-missing",
    severity=Severity.ERROR,
    summary="HTTPRoutes have no Gateway to attach to",
    why="Without omeIngressGateway the routes name a Gateway without a name, which the API server refuses.",
    fix="Set omeIngressGateway of the operator's ingress settings to NAMESPACE/NAME, or ome.io/ingress-gateway.",
    source="OME docs: concepts/rollouts-and-traffic/ingress; reference 10 §8.2",
    bad='data:\n  ingress: \'{"ingressGateway": "a/b", "ingressService": "c", "enableGatewayAPI": true}\'\n',
    good=(
        "data:\n"
        "  ingress: >-\n"
        '    {"ingressGateway": "a/b", "ingressService": "c",\n'
        '    "enableGatewayAPI": true, "omeIngressGateway": "eg/ome"}\n'
    ),
)

GATEWAY_REFERENCE = Rule(
    code="OME533",
    slug="gateway-reference",
    severity=Severity.WARNING,
    summary="A Gateway is not named as NAMESPACE/NAME",
    why="OME takes the first part as the namespace and the last as the name, so it looks in an unexpected place.",
    fix="Write the reference as NAMESPACE/NAME.",
    source="OME docs: guides/networking/multiple-gateways; reference 10 §8.2",
    bad="metadata: {annotations: {ome.io/ingress-gateway: shared-gateway}}\n",
    good="metadata: {annotations: {ome.io/ingress-gateway: gateways/shared-gateway}}\n",
)

GATEWAYS_UNREADABLE = Rule(
    code="OME534",
    slug="additional-gateways-unreadable",
    severity=Severity.WARNING,
    summary="OME cannot use an annotation that lists further Gateways",
    why=(
        "A value that is no JSON array of objects is passed over without a word, and the cluster's list is used. Of an "
        "object, OME reads omeIngressGateway and ingressDomain alone: what is called otherwise is empty."
    ),
    fix='Write [{"omeIngressGateway": "NAMESPACE/NAME", "ingressDomain": "DOMAIN"}], or [] for none.',
    source="OME docs: reference/api/labels-and-annotations; reference 10 §8.5",
    bad="metadata: {annotations: {ome.io/ingress-additional-gateways: eg/external}}\n",
    good="metadata: {annotations: {ome.io/ingress-additional-gateways: '[]'}}\n",
)

ROUTES_OVERLAP = Rule(
    code="OME535",
    slug="routes-overlap",
    severity=Severity.WARNING,
    summary="The routes of several components match the same requests",
    why=(
        "With a host of its own, every route of a service matches that host and every path. One of them takes all "
        "requests, so they can reach the wrong component."
    ),
    fix="Keep services with a router or decoder on the shared host (perISVCSubdomain: false).",
    source="OME docs: guides/networking/gateway-host-schemes; reference 10 §8.5",
    bad=(
        "data:\n"
        "  ingress: >-\n"
        '    {"ingressGateway": "a/b", "ingressService": "c",\n'
        '    "enableGatewayAPI": true, "omeIngressGateway": "eg/ome", "perISVCSubdomain": true}\n'
    ),
    good=(
        "data:\n"
        "  ingress: >-\n"
        '    {"ingressGateway": "a/b", "ingressService": "c",\n'
        '    "enableGatewayAPI": true, "omeIngressGateway": "eg/ome"}\n'
    ),
)

ROUTE_TIMEOUT = Rule(
    code="OME536",
    slug="route-timeout-invalid",
    severity=Severity.ERROR,
    summary="The request timeout of a route is not one that Gateway API has",
    why="The API server refuses durations below 0 and with more than five digits.",
    fix="Set timeoutSeconds to a number from 0 (no timeout) to 99999.",
    source="reference 10 §8.5",
    bad="engine: {timeoutSeconds: -1}\n",
    good="engine: {timeoutSeconds: 1800}\n",
)

ROUTER_TIMEOUT = Rule(
    code="OME537",
    slug="router-without-timeout",
    severity=Severity.WARNING,
    summary="The timeout of a component does not hold for the requests that pass the router",
    why="Clients reach the service through the router, whose route has a timeout of its own.",
    fix="Set spec.router.timeoutSeconds too.",
    source="OME docs: guides/networking/configure-route-timeouts; reference 10 §8.5",
    bad="engine: {timeoutSeconds: 1800}\nrouter: {}\n",
    good="engine: {timeoutSeconds: 1800}\nrouter: {timeoutSeconds: 1800}\n",
)

ROUTE_WITHOUT_SERVICE = Rule(
    code="OME538",
    slug="route-without-service",
    severity=Severity.ERROR,
    summary="A route leads to a Service that does not exist",
    why=(
        "OME shortens the names of Services to 63 characters, but not the names that Ingress and HTTPRoutes refer to."
    ),
    fix="Give the InferenceService a name of at most 56 characters, 55 with a decoder.",
    source="OME docs: concepts/rollouts-and-traffic/ingress; reference 10 §6",
    bad="metadata: {name: a-model-with-a-name-that-leaves-no-room-for-a-component-in-it}\n",
    good="metadata: {name: a-model-with-a-short-name}\n",
)

CLUSTER_LOCAL_EXPOSED = Rule(
    code="OME539",
    slug="cluster-local-exposed",
    severity=Severity.WARNING,
    summary="A cluster-local service gets an ingress all the same",
    why="The label networking.knative.dev/visibility keeps OME from the external Service only, not from routes.",
    fix='Add the annotation ome.io/ingress-disable-creation: "true".',
    source="OME docs: concepts/rollouts-and-traffic/ingress; reference 10 §10.5",
    bad="metadata: {labels: {networking.knative.dev/visibility: cluster-local}}\n",
    good=(
        "metadata:\n  labels: {networking.knative.dev/visibility: cluster-local}\n"
        '  annotations: {ome.io/ingress-disable-creation: "true"}\n'
    ),
)

TRAFFIC_INVALID = Rule(
    code="OME540",
    slug="traffic-invalid",
    severity=Severity.ERROR,
    summary="OME's webhook refuses the traffic settings of a service",
    why="The settings contradict each other, or a value is not of the kind that the field or annotation takes.",
    fix="Correct the field or annotation that the message names.",
    source="OME docs: reference/api/traffic-annotations; reference 09 A4.3",
    bad='metadata: {annotations: {ome.io/retry-attempts: "3"}}\n',
    good='metadata: {annotations: {ome.io/retry-attempts: "3", ome.io/retry-on: "5xx"}}\n',
)

TRAFFIC_WITHOUT_EFFECT = Rule(
    code="OME541",
    slug="traffic-without-effect",
    severity=Severity.WARNING,
    summary="The traffic settings of a service change nothing",
    why=(
        "OME writes them into a policy of Envoy Gateway, which acts on HTTPRoutes, or of Istio, which acts on the "
        "Service in front of the components. Neither is there, so no policy is rendered."
    ),
    fix="Turn Gateway API ingress on, name Istio in the cluster's capabilities, or remove the settings.",
    source="OME docs: concepts/rollouts-and-traffic/traffic-policy; reference 10 §8.6",
    bad="traffic: {algorithm: LeastRequest}\n",
    good="engine: {minReplicas: 2}\n",
)

TRAFFIC_UNSUPPORTED = Rule(
    code="OME542",
    slug="traffic-unsupported",
    severity=Severity.WARNING,
    summary="The cluster's gateway has no counterpart for some of the traffic settings",
    why="OME leaves out what a DestinationRule cannot say, and writes the rest.",
    fix="Remove the settings that the message lists, or run Envoy Gateway.",
    source="OME docs: reference/api/traffic-annotations",
    bad='metadata:\n  annotations: {ome.io/retry-attempts: "2", ome.io/retry-on: reset}\n',
    good="metadata:\n  annotations: {ome.io/timeout-tcp-connect: 5s}\n",
)

STICKY_ENDPOINT_LIMIT = Rule(
    code="OME543",
    slug="sticky-endpoint-limit",
    severity=Severity.WARNING,
    summary="A limit of connections per pod works against consistent hashing",
    why="Requests that should stay on one pod spill over to others as soon as it has its connections.",
    fix='Set ome.io/circuit-breaker-per-endpoint-max-connections to "1", or use another algorithm.',
    source="OME docs: reference/api/traffic-annotations; reference 09 A4.3",
    bad='metadata:\n  annotations: {ome.io/circuit-breaker-per-endpoint-max-connections: "8"}\n',
    good='metadata:\n  annotations: {ome.io/circuit-breaker-per-endpoint-max-connections: "1"}\n',
)

GATEWAY_API_MISSING = Rule(
    code="OME544",
    slug="gateway-api-missing",
    severity=Severity.ERROR,
    summary="The operator's settings ask for HTTPRoutes, and the cluster does not have them",
    why="Objects of an API that the cluster lacks make the whole application fail to sync.",
    fix="Install the Gateway API and name it in the capabilities, or set enableGatewayAPI to false.",
    source="OME docs: guides/networking/configure-ingress",
    bad=(
        "data:\n"
        "  ingress: >-\n"
        '    {"ingressGateway": "a/b", "ingressService": "c",\n'
        '    "enableGatewayAPI": true, "omeIngressGateway": "eg/ome"}\n'
    ),
    good='data:\n  ingress: \'{"ingressGateway": "a/b", "ingressService": "c", "enableGatewayAPI": false}\'\n',
)

TRAFFIC_REFUSED = Rule(
    code="OME545",
    slug="traffic-value-refused",
    severity=Severity.ERROR,
    summary="The API server refuses the policy that OME makes of the traffic settings",
    why=(
        "OME's webhook looks at the form of a value only. The schema of the gateway's policy is stricter, so the "
        "policy is never written, and the service runs without it."
    ),
    fix="Use a value that the gateway takes.",
    source="Envoy Gateway: BackendTrafficPolicy v1alpha1; Istio: DestinationRule v1; reference 10 §8.6",
    bad='metadata: {annotations: {ome.io/timeout-idle: "1500ms"}}\n',
    good='metadata: {annotations: {ome.io/timeout-idle: "2s"}}\n',
)

ROLLOUT_TIMEOUT_SHORT = Rule(
    code="OME546",
    slug="rollout-timeout-short",
    severity=Severity.WARNING,
    summary="A rollout has less than a minute to become ready",
    why="Most runtimes load their weights for minutes, so the rollout fails while all is well.",
    fix="Allow for the longest start of the runtime, 10m for example.",
    source="OME docs: reference/api/labels-and-annotations; reference 09 A4.3",
    bad='metadata: {annotations: {ome.io/rollout-ready-timeout: "30s"}}\n',
    good='metadata: {annotations: {ome.io/rollout-ready-timeout: "10m"}}\n',
)
