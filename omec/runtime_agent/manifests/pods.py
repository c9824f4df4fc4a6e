"""What the pods of both roles have in common: probes, and as few rights as a process can have."""

from __future__ import annotations

from omec.runtime_agent.manifests.options import GRACE_SECONDS, PORT, PORT_NAME, Object, Options

_SCRATCH = "scratch"
_SCRATCH_DIRECTORY = "/tmp"  # noqa: S108 - a volume of the pod's own


def container(name: str, options: Options, arguments: list[str], resources: Object) -> Object:
    """The container of a role; ``arguments`` follow ``omec agent``."""
    return {
        "name": name,
        "image": options.image,
        "command": ["omec"],
        "args": ["agent", *arguments, f"--port={PORT}", *(["--takeover"] if options.takeover else [])],
        "ports": [{"name": PORT_NAME, "containerPort": PORT, "protocol": "TCP"}],
        "resources": resources,
        "securityContext": {
            "allowPrivilegeEscalation": False,
            "capabilities": {"drop": ["ALL"]},
            "privileged": False,
            "readOnlyRootFilesystem": True,
        },
        "startupProbe": _probe("/livez", period=2, failures=30),
        "livenessProbe": _probe("/healthz", period=20, failures=3),
        "readinessProbe": _probe("/readyz", period=10, failures=1),
        "volumeMounts": [{"name": _SCRATCH, "mountPath": _SCRATCH_DIRECTORY}],
    }


def pod(account: str, options: Options, main: Object, security: Object) -> Object:
    """The pod around ``main``; ``security`` says as whom it runs."""
    pull_secrets = [{"name": name} for name in options.pull_secrets]
    return {
        "serviceAccountName": account,
        "automountServiceAccountToken": True,
        "enableServiceLinks": False,
        **({"imagePullSecrets": pull_secrets} if pull_secrets else {}),
        "securityContext": {**security, "seccompProfile": {"type": "RuntimeDefault"}},
        "terminationGracePeriodSeconds": GRACE_SECONDS,
        "containers": [main],
        "volumes": [{"name": _SCRATCH, "emptyDir": {}}],
    }


def scratch_home() -> Object:
    """A home directory that can be written to, for caches of libraries."""
    return {"name": "HOME", "value": _SCRATCH_DIRECTORY}


def from_field(name: str, path: str) -> Object:
    """An environment variable with a field of the pod."""
    return {"name": name, "valueFrom": {"fieldRef": {"apiVersion": "v1", "fieldPath": path}}}


def _probe(path: str, *, period: int, failures: int) -> Object:
    return {
        "httpGet": {"path": path, "port": PORT_NAME},
        "periodSeconds": period,
        "timeoutSeconds": 5,
        "failureThreshold": failures,
    }
