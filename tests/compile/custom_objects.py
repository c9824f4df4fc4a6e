"""Valid custom resources of the kinds that omec renders, with most of the fields that it writes."""

from __future__ import annotations

from typing import Any

Object = dict[str, Any]

BACKEND: Object = {"group": "", "kind": "Service", "name": "chat", "namespace": "team", "port": 80, "weight": 1}


def template() -> Object:
    container = {"name": "main", "image": "registry.example.com/server:1", "ports": [{"containerPort": 80}]}
    return {"metadata": {"labels": {"app": "x"}}, "spec": {"containers": [container]}}


def resource(api_version: str, kind: str, spec: Object, *, namespace: str | None = "team") -> Object:
    metadata: Object = {"name": "chat", "labels": {"app": "chat"}}
    return {
        "apiVersion": api_version,
        "kind": kind,
        "metadata": metadata | ({"namespace": namespace} if namespace else {}),
        "spec": spec,
    }


SCALED_OBJECT = resource(
    "keda.sh/v1alpha1",
    "ScaledObject",
    {
        "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "chat-engine"},
        "minReplicaCount": 1,
        "maxReplicaCount": 4,
        "pollingInterval": 30,
        "fallback": {"failureThreshold": 3, "replicas": 2},
        "advanced": {"horizontalPodAutoscalerConfig": {"behavior": {"scaleDown": {"stabilizationWindowSeconds": 300}}}},
        "triggers": [
            {
                "type": "prometheus",
                "metadata": {"serverAddress": "http://prometheus:9090", "query": "q", "threshold": "10"},
                "authenticationRef": {"name": "auth"},
            }
        ],
    },
)
TRIGGER_AUTHENTICATION = resource(
    "keda.sh/v1alpha1",
    "TriggerAuthentication",
    {"secretTargetRef": [{"parameter": "bearerToken", "name": "token", "key": "token"}]},
)
HTTP_ROUTE = resource(
    "gateway.networking.k8s.io/v1",
    "HTTPRoute",
    {
        "hostnames": ["chat.example.com"],
        "parentRefs": [
            {"group": "gateway.networking.k8s.io", "kind": "Gateway", "name": "gw", "namespace": "gateways"}
        ],
        "rules": [
            {
                "matches": [{"path": {"type": "PathPrefix", "value": "/"}}],
                "filters": [
                    {
                        "type": "RequestHeaderModifier",
                        "requestHeaderModifier": {"set": [{"name": "OME-Name", "value": "chat"}]},
                    }
                ],
                "timeouts": {"request": "60s"},
                "backendRefs": [BACKEND],
            }
        ],
    },
)
BACKEND_TRAFFIC_POLICY = resource(
    "gateway.envoyproxy.io/v1alpha1",
    "BackendTrafficPolicy",
    {
        "targetRefs": [{"group": "gateway.networking.k8s.io", "kind": "HTTPRoute", "name": "chat"}],
        "loadBalancer": {
            "type": "ConsistentHash",
            "consistentHash": {"type": "Cookie", "cookie": {"name": "session", "ttl": "60s"}},
        },
    },
)
DESTINATION_RULE = resource(
    "networking.istio.io/v1beta1",
    "DestinationRule",
    {
        "host": "chat.team.svc.cluster.local",
        "trafficPolicy": {
            "loadBalancer": {"consistentHash": {"httpCookie": {"name": "session", "ttl": "60s"}}},
        },
    },
)
POD_MONITOR = resource(
    "monitoring.coreos.com/v1",
    "PodMonitor",
    {
        "selector": {"matchLabels": {"app": "chat"}},
        "namespaceSelector": {"matchNames": ["team"]},
        "podMetricsEndpoints": [{"port": "http", "path": "/metrics", "interval": "30s", "scheme": "http"}],
    },
)
LEADER_WORKER_SET = resource(
    "leaderworkerset.x-k8s.io/v1",
    "LeaderWorkerSet",
    {
        "replicas": 1,
        "rolloutStrategy": {
            "type": "RollingUpdate",
            "rollingUpdateConfiguration": {"maxSurge": 0, "maxUnavailable": 1},
        },
        "startupPolicy": "LeaderCreated",
        "leaderWorkerTemplate": {
            "size": 2,
            "restartPolicy": "RecreateGroupOnPodRestart",
            "leaderTemplate": template(),
            "workerTemplate": template(),
        },
    },
)
INFERENCE_REPLICA = resource(
    "ome.io/v1beta1",
    "InferenceReplica",
    {"component": "engine", "replicas": 1, "runners": [{"name": "default", "size": 1, "template": template()}]},
)
CLUSTER_QUEUE = resource(
    "kueue.x-k8s.io/v1beta2",
    "ClusterQueue",
    {
        "cohortName": "root",
        "namespaceSelector": {
            "matchExpressions": [{"key": "kubernetes.io/metadata.name", "operator": "In", "values": ["team"]}]
        },
        "resourceGroups": [
            {
                "coveredResources": ["nvidia.com/gpu"],
                "flavors": [
                    {
                        "name": "h100",
                        "resources": [{"name": "nvidia.com/gpu", "nominalQuota": "8", "borrowingLimit": "4"}],
                    }
                ],
            }
        ],
    },
    namespace=None,
)

FILES = {
    "BackendTrafficPolicy": "envoy-gateway-backendtrafficpolicies.yaml",
    "ClusterQueue": "kueue-clusterqueues.yaml",
    "DestinationRule": "istio-destinationrules.yaml",
    "HTTPRoute": "gateway-api-httproutes.yaml",
    "LeaderWorkerSet": "lws-leaderworkersets.yaml",
    "PodMonitor": "prometheus-podmonitors.yaml",
    "ScaledObject": "keda-scaledobjects.yaml",
    "TriggerAuthentication": "keda-triggerauthentications.yaml",
}
"""The definitions of foreign kinds in the external test data."""

FOREIGN = (
    BACKEND_TRAFFIC_POLICY,
    CLUSTER_QUEUE,
    DESTINATION_RULE,
    HTTP_ROUTE,
    LEADER_WORKER_SET,
    POD_MONITOR,
    SCALED_OBJECT,
    TRIGGER_AUTHENTICATION,
)
ALL = (*FOREIGN, INFERENCE_REPLICA)
