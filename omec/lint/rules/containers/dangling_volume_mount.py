"""``dangling-volume-mount``: a mount of a volume that its pod does not have."""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault, judged
from omec.lint.pods.mounts import dangling, declared_elsewhere
from omec.lint.pods.view import Pod

RULE = Rule(
    "OME407",
    "dangling-volume-mount",
    Severity.ERROR,
    "A container mounts a volume that its pod does not have",
    why="The API server refuses the pods of the component, so the service never starts.",
    fix="Declare the volume under the component's `volumes`, or correct the name of the mount.",
    source="reference 05 §10; reference 09 C3",
    bad="""\
runner:
  volumeMounts: [{name: dshm, mountPath: /dev/shm}]
""",
    good="""\
volumes: [{name: dshm, emptyDir: {medium: Memory}}]
runner:
  volumeMounts: [{name: dshm, mountPath: /dev/shm}]
""",
)


def check(context: Context) -> Iterator[Fault]:
    return judged(context.concrete_pods, _judge)


def _judge(pod: Pod) -> Iterator[Fault]:
    for container, mount in dangling(pod):
        if declared_elsewhere(pod, mount["name"]) is None:
            message = f"{container.title} mounts volume {mount['name']}, which its pod does not have"
            help_ = _help(pod, mount["name"])
            yield container.fault(
                ("volumeMounts", ("mountPath", str(mount.get("mountPath"))), "name"), message, help_=help_
            )


def _help(pod: Pod, name: str) -> str:
    from omec.api.suggestions import closest  # noqa: PLC0415 - only for a finding

    close = closest(name, pod.volumes)
    return f"did you mean {close}?" if close else ""
