"""Pods: scheduling, security and the pod fields of OME's components (core/v1, Kubernetes 1.35)."""

from __future__ import annotations

from omec.api.shapes.container import (
    APP_ARMOR_PROFILE,
    CONTAINER,
    EPHEMERAL_CONTAINER,
    LABEL_SELECTOR,
    LOCAL_OBJECT_REFERENCE,
    RESOURCE_REQUIREMENTS,
    SE_LINUX_OPTIONS,
    SECCOMP_PROFILE,
    WINDOWS_OPTIONS,
)
from omec.api.shapes.meta import OBJECT_META
from omec.api.shapes.model import (
    BOOL,
    INT,
    QUANTITY_MAP,
    STRING,
    STRING_MAP,
    STRINGS,
    ListOf,
    always,
    by_value,
    pointer,
    struct,
)
from omec.api.shapes.volume import VOLUME

# Scheduling

NODE_SELECTOR_REQUIREMENT = struct(
    "NodeSelectorRequirement", key=always(STRING), operator=always(STRING), values=STRINGS
)
NODE_SELECTOR_TERM = struct(
    "NodeSelectorTerm",
    matchExpressions=ListOf(NODE_SELECTOR_REQUIREMENT),
    matchFields=ListOf(NODE_SELECTOR_REQUIREMENT),
)
NODE_AFFINITY = struct(
    "NodeAffinity",
    requiredDuringSchedulingIgnoredDuringExecution=struct(
        "NodeSelector", nodeSelectorTerms=always(ListOf(NODE_SELECTOR_TERM))
    ),
    preferredDuringSchedulingIgnoredDuringExecution=ListOf(
        struct("PreferredSchedulingTerm", weight=always(INT), preference=by_value(NODE_SELECTOR_TERM))
    ),
)
POD_AFFINITY_TERM = struct(
    "PodAffinityTerm",
    labelSelector=LABEL_SELECTOR,
    namespaces=STRINGS,
    topologyKey=always(STRING),
    namespaceSelector=LABEL_SELECTOR,
    matchLabelKeys=STRINGS,
    mismatchLabelKeys=STRINGS,
)
POD_AFFINITY = struct(
    "PodAffinity",
    requiredDuringSchedulingIgnoredDuringExecution=ListOf(POD_AFFINITY_TERM),
    preferredDuringSchedulingIgnoredDuringExecution=ListOf(
        struct("WeightedPodAffinityTerm", weight=always(INT), podAffinityTerm=by_value(POD_AFFINITY_TERM))
    ),
)
AFFINITY = struct("Affinity", nodeAffinity=NODE_AFFINITY, podAffinity=POD_AFFINITY, podAntiAffinity=POD_AFFINITY)
TOLERATION = struct(
    "Toleration", key=STRING, operator=STRING, value=STRING, effect=STRING, tolerationSeconds=pointer(INT)
)
TOPOLOGY_SPREAD_CONSTRAINT = struct(
    "TopologySpreadConstraint",
    maxSkew=always(INT),
    topologyKey=always(STRING),
    whenUnsatisfiable=always(STRING),
    labelSelector=LABEL_SELECTOR,
    minDomains=pointer(INT),
    nodeAffinityPolicy=pointer(STRING),
    nodeTaintsPolicy=pointer(STRING),
    matchLabelKeys=STRINGS,
)

# Security, names and claims

POD_SECURITY_CONTEXT = struct(
    "PodSecurityContext",
    seLinuxOptions=SE_LINUX_OPTIONS,
    windowsOptions=WINDOWS_OPTIONS,
    runAsUser=pointer(INT),
    runAsGroup=pointer(INT),
    runAsNonRoot=pointer(BOOL),
    supplementalGroups=ListOf(INT),
    supplementalGroupsPolicy=pointer(STRING),
    fsGroup=pointer(INT),
    sysctls=ListOf(struct("Sysctl", name=always(STRING), value=always(STRING))),
    fsGroupChangePolicy=pointer(STRING),
    seccompProfile=SECCOMP_PROFILE,
    appArmorProfile=APP_ARMOR_PROFILE,
    seLinuxChangePolicy=pointer(STRING),
)
HOST_ALIAS = struct("HostAlias", ip=always(STRING), hostnames=STRINGS)
POD_DNS_CONFIG = struct(
    "PodDNSConfig",
    nameservers=STRINGS,
    searches=STRINGS,
    options=ListOf(struct("PodDNSConfigOption", name=STRING, value=pointer(STRING))),
)
POD_RESOURCE_CLAIM = struct(
    "PodResourceClaim",
    name=always(STRING),
    resourceClaimName=pointer(STRING),
    resourceClaimTemplateName=pointer(STRING),
)

CONTAINERS = ListOf(CONTAINER, key="name")
VOLUMES = ListOf(VOLUME, key="name")
IMAGE_PULL_SECRETS = ListOf(LOCAL_OBJECT_REFERENCE, key="name")
TOLERATIONS = ListOf(TOLERATION)

POD_FIELDS = struct(
    "PodSpec",
    volumes=VOLUMES,
    initContainers=CONTAINERS,
    containers=CONTAINERS,
    ephemeralContainers=ListOf(EPHEMERAL_CONTAINER, key="name"),
    restartPolicy=STRING,
    terminationGracePeriodSeconds=pointer(INT),
    activeDeadlineSeconds=pointer(INT),
    dnsPolicy=STRING,
    nodeSelector=STRING_MAP,
    serviceAccountName=STRING,
    serviceAccount=STRING,
    automountServiceAccountToken=pointer(BOOL),
    nodeName=STRING,
    hostNetwork=BOOL,
    hostPID=BOOL,
    hostIPC=BOOL,
    shareProcessNamespace=pointer(BOOL),
    securityContext=POD_SECURITY_CONTEXT,
    imagePullSecrets=IMAGE_PULL_SECRETS,
    hostname=STRING,
    subdomain=STRING,
    affinity=AFFINITY,
    schedulerName=STRING,
    tolerations=TOLERATIONS,
    hostAliases=ListOf(HOST_ALIAS, key="ip"),
    priorityClassName=STRING,
    priority=pointer(INT),
    dnsConfig=POD_DNS_CONFIG,
    readinessGates=ListOf(struct("PodReadinessGate", conditionType=always(STRING))),
    runtimeClassName=pointer(STRING),
    enableServiceLinks=pointer(BOOL),
    preemptionPolicy=pointer(STRING),
    overhead=QUANTITY_MAP,
    topologySpreadConstraints=ListOf(TOPOLOGY_SPREAD_CONSTRAINT, key="topologyKey"),
    setHostnameAsFQDN=pointer(BOOL),
    os=struct("PodOS", name=always(STRING)),
    hostUsers=pointer(BOOL),
    schedulingGates=ListOf(struct("PodSchedulingGate", name=always(STRING)), key="name"),
    resourceClaims=ListOf(POD_RESOURCE_CLAIM, key="name"),
)
"""The pod fields that OME's components inline: core/v1 PodSpec with optional ``containers``, without the fields that
Kubernetes added later (``resources``, ``hostnameOverride``, ``workloadRef``)."""

POD_SPEC = struct(
    "core/v1 PodSpec",
    POD_FIELDS,
    containers=always(CONTAINERS),
    resources=RESOURCE_REQUIREMENTS,
    hostnameOverride=pointer(STRING),
    workloadRef=struct("WorkloadReference", name=always(STRING), podGroup=always(STRING), podGroupReplicaKey=STRING),
)
"""A rendered pod: Kubernetes' own PodSpec."""

POD_TEMPLATE_SPEC = struct("PodTemplateSpec", metadata=by_value(OBJECT_META), spec=by_value(POD_SPEC))
