"""``env-ref-undefined``: a reference to a variable that nothing sets."""

from __future__ import annotations

import re
from collections.abc import Iterator

from omec.compile.native.peers import PEER_VARIABLES
from omec.compile.native.variables import INSTANCE_VARIABLES, LEADER_WORKER_SET_VARIABLES, REPLICA_VARIABLES
from omec.compile.problems import Steps
from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault, judged
from omec.lint.pods.view import Container, Pod

RULE = Rule(
    "OME425",
    "env-ref-undefined",
    Severity.WARNING,
    "A container refers to a variable that nothing sets",
    why=(
        "Kubernetes leaves a reference to an unknown variable as it is, so the program starts with the text `$(NAME)` "
        "as its argument."
    ),
    fix="Set the variable in `env`, correct its name, or write `$$(NAME)` where the text itself is meant.",
    source="Kubernetes docs: tasks/inject-data-application/define-interdependent-environment-variables",
    bad="""\
args: [--tp-size=$(TP)]
""",
    good="""\
args: [--tp-size=$(TP)]
env: [{name: TP, value: "4"}]
""",
)

_REFERENCE = re.compile(r"\$(?:\$|\(([A-Za-z_][A-Za-z0-9_.-]*)\))")
_OF_SERVICES = re.compile(r"[A-Z0-9_]+_(?:SERVICE_(?:HOST|PORT\w*)|PORT\w*)")
"""Variables that the kubelet sets for every Service of the namespace."""
_OF_WEIGHTS = re.compile(r"OVERLAY_\w+_MODEL_PATH")
_SET_BY_OME = frozenset(
    {
        "MODEL_PATH",
        "PARALLELISM_SIZE",
        "SERVED_MODEL_NAME",
        "TFEW_PATH",
        *REPLICA_VARIABLES,
        *INSTANCE_VARIABLES,
        *LEADER_WORKER_SET_VARIABLES.values(),
        *PEER_VARIABLES,
    }
)
"""Variables that OME or a controller sets, if not in every pod: whether they are here is said by other rules."""


def check(context: Context) -> Iterator[Fault]:
    return judged(context.concrete_pods, _judge)


def _judge(pod: Pod) -> Iterator[Fault]:
    for container in (*pod.containers, *pod.init_containers):
        if container.body.get("envFrom"):
            continue
        for steps, text in _texts(container):
            for name in _REFERENCE.findall(text):
                # In a script $(name) is also how a shell runs a command, which is hardly ever in capitals.
                if name and not _is_set(container, name) and not (name != name.upper() and container.line.shell):
                    message = f"{container.title} uses $({name}), which nothing sets"
                    yield container.fault(steps, message, help_=_help(container, name))


def _texts(container: Container) -> Iterator[tuple[Steps, str]]:
    """The texts with references; those in ``env`` see only what stands before them."""
    for field in ("command", "args"):
        for index, word in enumerate(container.body.get(field) or ()):
            if isinstance(word, str) and "$(" in word:
                yield (field, index), word
    for item in container.body.get("env") or ():
        value = item.get("value")
        if isinstance(value, str) and "$(" in value:
            yield ("env", ("name", item.get("name")), "value"), value


def _is_set(container: Container, name: str) -> bool:
    if name in container.environment or name in _SET_BY_OME:
        return True
    pod = container.pod
    if name in (pod.whole.get("config") or {}) or _OF_WEIGHTS.fullmatch(name) or _OF_SERVICES.fullmatch(name):
        return True
    formats = pod.origin.spec.get("supportedModelFormats") or ()
    configs = (config for entry in formats for config in (entry.get("acceleratorConfig") or {}).values())
    return any(name in (config.get("environmentOverride") or {}) for config in configs if isinstance(config, dict))


def _help(container: Container, name: str) -> str:
    from omec.api.suggestions import closest  # noqa: PLC0415 - only for a finding

    close = closest(name, [*container.environment, *_SET_BY_OME])
    return f"did you mean $({close})?" if close else ""
