"""Containers and what hangs below them (core/v1, Kubernetes 1.35)."""

from __future__ import annotations

from omec.api.shapes.model import (
    BOOL,
    INT,
    INT_OR_STRING,
    QUANTITY,
    QUANTITY_MAP,
    STRING,
    STRING_MAP,
    STRINGS,
    ListOf,
    always,
    always_pointer,
    by_value,
    default,
    pointer,
    struct,
)

LABEL_SELECTOR_REQUIREMENT = struct(
    "LabelSelectorRequirement", key=always(STRING), operator=always(STRING), values=STRINGS
)
LABEL_SELECTOR = struct("LabelSelector", matchLabels=STRING_MAP, matchExpressions=ListOf(LABEL_SELECTOR_REQUIREMENT))

LOCAL_OBJECT_REFERENCE = struct("LocalObjectReference", name=default(STRING, ""))

# Environment

OBJECT_FIELD_SELECTOR = struct("ObjectFieldSelector", apiVersion=STRING, fieldPath=always(STRING))
# The divisor is a quantity held by value, which omitempty never leaves out.
RESOURCE_FIELD_SELECTOR = struct(
    "ResourceFieldSelector", containerName=STRING, resource=always(STRING), divisor=always(QUANTITY)
)
KEY_SELECTOR = struct("ConfigMapKeySelector", name=default(STRING, ""), key=always(STRING), optional=pointer(BOOL))
FILE_KEY_SELECTOR = struct(
    "FileKeySelector",
    volumeName=always(STRING),
    path=always(STRING),
    key=always(STRING),
    optional=pointer(BOOL, default=False),
)
ENV_VAR_SOURCE = struct(
    "EnvVarSource",
    fieldRef=OBJECT_FIELD_SELECTOR,
    resourceFieldRef=RESOURCE_FIELD_SELECTOR,
    configMapKeyRef=KEY_SELECTOR,
    secretKeyRef=KEY_SELECTOR,
    fileKeyRef=FILE_KEY_SELECTOR,
)
ENV_VAR = struct("EnvVar", name=always(STRING), value=STRING, valueFrom=ENV_VAR_SOURCE)
ENV_SOURCE = struct("ConfigMapEnvSource", name=default(STRING, ""), optional=pointer(BOOL))
ENV_FROM_SOURCE = struct("EnvFromSource", prefix=STRING, configMapRef=ENV_SOURCE, secretRef=ENV_SOURCE)

# Ports, mounts and resources

CONTAINER_PORT = struct(
    "ContainerPort",
    name=STRING,
    hostPort=INT,
    containerPort=always(INT),
    protocol=default(STRING, "TCP"),
    hostIP=STRING,
)
VOLUME_MOUNT = struct(
    "VolumeMount",
    name=always(STRING),
    readOnly=BOOL,
    recursiveReadOnly=pointer(STRING),
    mountPath=always(STRING),
    subPath=STRING,
    mountPropagation=pointer(STRING),
    subPathExpr=STRING,
)
VOLUME_DEVICE = struct("VolumeDevice", name=always(STRING), devicePath=always(STRING))
RESOURCE_REQUIREMENTS = struct(
    "ResourceRequirements",
    limits=QUANTITY_MAP,
    requests=QUANTITY_MAP,
    claims=ListOf(struct("ResourceClaim", name=always(STRING), request=STRING)),
)

# Probes and lifecycle

EXEC_ACTION = struct("ExecAction", command=STRINGS)
HTTP_GET_ACTION = struct(
    "HTTPGetAction",
    path=STRING,
    port=always(INT_OR_STRING),
    host=STRING,
    scheme=STRING,
    httpHeaders=ListOf(struct("HTTPHeader", name=always(STRING), value=always(STRING))),
)
TCP_SOCKET_ACTION = struct("TCPSocketAction", port=always(INT_OR_STRING), host=STRING)
GRPC_ACTION = struct("GRPCAction", port=always(INT), service=always_pointer(STRING, default=""))
PROBE = struct(
    "Probe",
    exec=EXEC_ACTION,
    httpGet=HTTP_GET_ACTION,
    tcpSocket=TCP_SOCKET_ACTION,
    grpc=GRPC_ACTION,
    initialDelaySeconds=INT,
    timeoutSeconds=INT,
    periodSeconds=INT,
    successThreshold=INT,
    failureThreshold=INT,
    terminationGracePeriodSeconds=pointer(INT),
)
LIFECYCLE_HANDLER = struct(
    "LifecycleHandler",
    exec=EXEC_ACTION,
    httpGet=HTTP_GET_ACTION,
    tcpSocket=TCP_SOCKET_ACTION,
    sleep=struct("SleepAction", seconds=always(INT)),
)
LIFECYCLE = struct("Lifecycle", postStart=LIFECYCLE_HANDLER, preStop=LIFECYCLE_HANDLER, stopSignal=pointer(STRING))

# Security

SE_LINUX_OPTIONS = struct("SELinuxOptions", user=STRING, role=STRING, type=STRING, level=STRING)
WINDOWS_OPTIONS = struct(
    "WindowsSecurityContextOptions",
    gmsaCredentialSpecName=pointer(STRING),
    gmsaCredentialSpec=pointer(STRING),
    runAsUserName=pointer(STRING),
    hostProcess=pointer(BOOL),
)
SECCOMP_PROFILE = struct("SeccompProfile", type=always(STRING), localhostProfile=pointer(STRING))
APP_ARMOR_PROFILE = struct("AppArmorProfile", type=always(STRING), localhostProfile=pointer(STRING))
SECURITY_CONTEXT = struct(
    "SecurityContext",
    capabilities=struct("Capabilities", add=STRINGS, drop=STRINGS),
    privileged=pointer(BOOL),
    seLinuxOptions=SE_LINUX_OPTIONS,
    windowsOptions=WINDOWS_OPTIONS,
    runAsUser=pointer(INT),
    runAsGroup=pointer(INT),
    runAsNonRoot=pointer(BOOL),
    readOnlyRootFilesystem=pointer(BOOL),
    allowPrivilegeEscalation=pointer(BOOL),
    procMount=pointer(STRING),
    seccompProfile=SECCOMP_PROFILE,
    appArmorProfile=APP_ARMOR_PROFILE,
)

# Containers

CONTAINER_RESTART_RULE = struct(
    "ContainerRestartRule",
    action=STRING,
    exitCodes=struct("ContainerRestartRuleOnExitCodes", operator=STRING, values=ListOf(INT)),
)
CONTAINER = struct(
    "Container",
    name=always(STRING),
    image=STRING,
    command=STRINGS,
    args=STRINGS,
    workingDir=STRING,
    ports=ListOf(CONTAINER_PORT, key="containerPort"),
    envFrom=ListOf(ENV_FROM_SOURCE),
    env=ListOf(ENV_VAR, key="name"),
    resources=by_value(RESOURCE_REQUIREMENTS),
    resizePolicy=ListOf(struct("ContainerResizePolicy", resourceName=always(STRING), restartPolicy=always(STRING))),
    restartPolicy=pointer(STRING),
    restartPolicyRules=ListOf(CONTAINER_RESTART_RULE),
    volumeMounts=ListOf(VOLUME_MOUNT, key="mountPath"),
    volumeDevices=ListOf(VOLUME_DEVICE, key="devicePath"),
    livenessProbe=PROBE,
    readinessProbe=PROBE,
    startupProbe=PROBE,
    lifecycle=LIFECYCLE,
    terminationMessagePath=STRING,
    terminationMessagePolicy=STRING,
    imagePullPolicy=STRING,
    securityContext=SECURITY_CONTEXT,
    stdin=BOOL,
    stdinOnce=BOOL,
    tty=BOOL,
)
EPHEMERAL_CONTAINER = struct("EphemeralContainer", CONTAINER, targetContainerName=STRING)
