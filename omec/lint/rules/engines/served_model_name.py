"""``served-model-name``: a server that calls its model by a path, or every model by one name."""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.commands import engines
from omec.lint.context import Context, Fault, judged
from omec.lint.pods.view import Pod

RULE = Rule(
    "OME449",
    "served-model-name",
    Severity.INFO,
    "A server serves its model under a path, or under a name that the runtime fixes",
    why=(
        "Clients name the model in each request. Without `--served-model-name` its name is the path on the node; with "
        "a literal one every model of the runtime has the same name."
    ),
    fix="Use `--served-model-name={{.Name}}`, the name of the InferenceService.",
    source="OME docs: concepts/runtimes/serving-runtimes; reference 09 C3",
    bad="""\
command: [python3, -m, sglang.launch_server, --model-path=$(MODEL_PATH), --host=0.0.0.0, --port=8080]
""",
    good="""\
command: [python3, -m, sglang.launch_server, --model-path=$(MODEL_PATH), --host=0.0.0.0, --port=8080,
  "--served-model-name={{.Name}}"]
""",
    default=False,
)


def check(context: Context) -> Iterator[Fault]:
    return judged(context.concrete_pods, _judge)


def _judge(pod: Pod) -> Iterator[Fault]:
    main = pod.main
    server = main.line.server if main is not None and pod.serves and pod.is_engine else None
    if main is None or server is None or server.engine not in (engines.SGLANG, engines.VLLM):
        return
    name = server.value(engines.SERVED_NAME)
    if name is None and not server.open:
        message = f"{main.title} has no --served-model-name, so clients have to name the model by its path"
        yield main.fault(("command",) if main.body.get("command") else ("args",), message, key=True)
    elif name is not None and pod.origin.use is None and "$" not in name and "{{" not in name:
        message = f"{main.title} serves every model under the name {name}"
        yield main.fault(server.options[engines.SERVED_NAME].at, message)
