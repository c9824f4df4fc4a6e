"""``duplicate-mount-path``: two mounts of one container at one path."""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault, judged
from omec.lint.pods.view import Pod

RULE = Rule(
    "OME409",
    "duplicate-mount-path",
    Severity.ERROR,
    "Two mounts of a container are at one path",
    why=(
        "The API server refuses the pods. Manifests of one object are checked for that already, but not paths that "
        "differ in a slash at the end, nor the mount of the model, which OME adds at the model's path."
    ),
    fix="Remove one of the mounts, or give it another path.",
    source="reference 04 §22",
    bad="""\
volumes: [{name: dshm, emptyDir: {medium: Memory}}, {name: cache, emptyDir: {}}]
runner:
  volumeMounts: [{name: dshm, mountPath: /dev/shm}, {name: cache, mountPath: /dev/shm/}]
""",
    good="""\
volumes: [{name: dshm, emptyDir: {medium: Memory}}, {name: cache, emptyDir: {}}]
runner:
  volumeMounts: [{name: dshm, mountPath: /dev/shm}, {name: cache, mountPath: /root/.cache}]
""",
)


def check(context: Context) -> Iterator[Fault]:
    yield from judged(context.pods, _judge)
    for use in context.uses:
        path = None if use.model is None else (use.model.spec.get("storage") or {}).get("path")
        if isinstance(path, str) and path:
            for pod in context.pods_of(use):
                yield from _at_model(pod, path)


def _judge(pod: Pod) -> Iterator[Fault]:
    for container in (*pod.containers, *pod.init_containers):
        seen: dict[str, str] = {}
        for mount in container.body.get("volumeMounts") or ():
            path = str(mount.get("mountPath"))
            first = seen.setdefault(path.rstrip("/"), str(mount.get("name")))
            if first != mount.get("name") and first is not mount.get("name"):
                message = f"{container.title} mounts {first} and {mount.get('name')} at {path}"
                yield container.fault(("volumeMounts", ("mountPath", path), "mountPath"), message)


def _at_model(pod: Pod, path: str) -> Iterator[Fault]:
    main = pod.main
    for mount in () if main is None or not pod.is_engine else main.body.get("volumeMounts") or ():
        at = str(mount.get("mountPath"))
        if main is not None and at.rstrip("/") == path.rstrip("/"):
            message = f"{main.title} mounts {mount.get('name')} at {at}, where OME mounts the model"
            yield main.fault(("volumeMounts", ("mountPath", at), "mountPath"), message)
