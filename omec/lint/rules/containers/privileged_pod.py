"""``privileged-pod``: a pod that can reach beyond its own walls."""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault, judged
from omec.lint.pods.view import Pod

RULE = Rule(
    "OME902",
    "privileged-pod",
    Severity.INFO,
    "A pod is privileged, or shares its node's network, processes or files",
    why=(
        "Such a pod can do to its node and to every other pod there what it likes. RDMA needs some of it; most "
        "engines need none, and namespaces that enforce Pod Security refuse the pod."
    ),
    fix="Remove what the engine does not need; for RDMA prefer the capability `IPC_LOCK` to `privileged`.",
    source="Kubernetes docs: concepts/security/pod-security-standards; reference 09 C3",
    bad="""\
hostNetwork: true
runner:
  securityContext: {privileged: true}
""",
    good="""\
runner:
  securityContext: {capabilities: {add: [IPC_LOCK]}}
""",
    default=False,
)


def check(context: Context) -> Iterator[Fault]:
    return judged(context.pods, _judge)


def _judge(pod: Pod) -> Iterator[Fault]:
    for field in ("hostNetwork", "hostIPC", "hostPID"):
        if pod.part.get(field) is True:
            message = f"the {pod.name} shares its node's {field[4:].lower()}: {field}"
            yield pod.fault(pod.written(field), message, key=True)
    for name, volume in pod.volumes.items():
        path = (volume.get("hostPath") or {}).get("path")
        if path is not None:
            message = f"the {pod.name} has {path} of its node as volume {name}"
            yield pod.fault(pod.written("volumes", ("name", name), "hostPath", "path"), message)
    for container in (*pod.containers, *pod.init_containers):
        if (container.body.get("securityContext") or {}).get("privileged") is True:
            yield container.fault(("securityContext", "privileged"), f"{container.title} is privileged", key=True)
