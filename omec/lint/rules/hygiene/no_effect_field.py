"""``no-effect-field``: fields that OME takes and never reads."""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault, spec_of

RULE = Rule(
    "OME971",
    "no-effect-field",
    Severity.INFO,
    "A runtime sets a field that OME never reads",
    why="What stands there does nothing, although it looks like a part of every pod.",
    fix="Move it into `engineConfig`, `decoderConfig` or `routerConfig`, or remove it.",
    source="OME docs: concepts/runtimes/serving-runtimes",
    bad="tolerations: [{key: nvidia.com/gpu, operator: Exists}]\n",
    good="""\
engineConfig:
  tolerations: [{key: nvidia.com/gpu, operator: Exists}]
  runner: {name: ome-container, image: "example.com/engine:v1"}
""",
    default=False,
    fixable=True,
)

_RUNTIME = ("affinity", "imagePullSecrets", "nodeSelector", "protocolVersions", "tolerations", "volumes")


def check(context: Context) -> Iterator[Fault]:
    for runtime in context.runtimes:
        spec = spec_of(runtime)
        for field in _RUNTIME:
            if spec.get(field):
                yield Fault(runtime, ("spec", field), f"OME never reads spec.{field} of a runtime", key=True)
    for runtime, index, entry in context.entries:
        if entry.get("version"):
            path = ("spec", "supportedModelFormats", index, "version")
            message = "OME never reads the version of an entry, but those of its format and framework"
            yield Fault(runtime, path, message, "remove it", key=True)
