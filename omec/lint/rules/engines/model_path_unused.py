"""``model-path-unused``: a runtime for several models whose engine always fetches the same one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from omec.compile.weights_pod import MODEL_PATH
from omec.finding import FieldPath, Rule, Severity
from omec.lint.commands import engines
from omec.lint.commands.server import Server
from omec.lint.context import Context, Fault, judged
from omec.lint.pods.view import Container, Pod
from omec.lint.rules.models.storage import Stored

RULE = Rule(
    "OME448",
    "model-path-unused",
    Severity.WARNING,
    "A runtime declares model formats, and its engine loads a model of its own choice",
    why=(
        "OME downloads the model of the InferenceService to the node and gives the pod its path as MODEL_PATH. An "
        "engine that is told the name of a model downloads that one at each start, whatever the service asks for; one "
        "that is told a path finds only what the image has there."
    ),
    fix="Use `--model-path=$(MODEL_PATH)` (vLLM: `--model=$(MODEL_PATH)`).",
    source="OME docs: concepts/runtimes/serving-runtimes; reference 09 C3",
    bad="""\
runner:
  command: [python3, -m, sglang.launch_server, --model-path=Qwen/Qwen3-8B, --host=0.0.0.0, --port=8080]
""",
    good="""\
runner:
  command: [python3, -m, sglang.launch_server, --model-path=$(MODEL_PATH), --host=0.0.0.0, --port=8080]
""",
)


def check(context: Context) -> Iterator[Fault]:
    return judged(context.concrete_pods, partial(_judge, context))


def _judge(context: Context, pod: Pod) -> Iterator[Fault]:
    main = pod.main
    if main is None or not pod.is_engine or not pod.origin.spec.get("supportedModelFormats"):
        return
    server = main.line.server
    if server is None or server.open or MODEL_PATH in main.line.text:
        return
    if any(MODEL_PATH in str(item.get("value")) for item in main.environment.values()):
        return
    model = _model(server)
    if model is not None and not _may_be_mounted(model[0], main, context.stored_models):
        message = f"{main.title} always loads {model[0]}: neither its arguments nor its env mention {MODEL_PATH}"
        yield main.fault(model[1], message)


def _may_be_mounted(model: str, main: Container, models: Iterable[Stored]) -> bool:
    """Whether an engine may find at ``model`` what somebody has put there: the files of one of ``models``, a volume."""
    if model.startswith(("$", ".")):
        return True
    mounts = (str(mount.get("mountPath")) for mount in main.body.get("volumeMounts") or ())
    above = (path for path in (*mounts, *(stored.path for stored in models)) if path.startswith("/"))
    return any(f"{model}/".startswith(f"{path.rstrip('/')}/") for path in above)


def _model(server: Server) -> tuple[str, FieldPath] | None:
    option = server.options.get(engines.MODEL)
    if option is not None and option.value:
        return option.value, option.at
    return None if server.model is None else (server.model.text, server.model.at)
