"""``accelerator-env-value-from``: a variable that an accelerator class cannot override."""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault

RULE = Rule(
    "OME601",
    "accelerator-env-value-from",
    Severity.ERROR,
    "A runtime overrides a variable for an accelerator class that gets its value from elsewhere",
    why=(
        "OME sets the value and leaves valueFrom where it is. The API server refuses a container whose variable has "
        "both, so that services on that class get no pods."
    ),
    fix="Give the variable a plain value in the runner, or leave it out of environmentOverride.",
    source="reference 03 §7.2 and §10",
    bad="""\
runner:
  env: [{name: NODE, valueFrom: {fieldRef: {fieldPath: spec.nodeName}}}]
""",
    good="""\
runner:
  env: [{name: NODE, value: any}]
""",
)


def check(context: Context) -> Iterator[Fault]:
    for runtime, index, entry in context.entries:
        for class_name, settings in (entry.get("acceleratorConfig") or {}).items():
            for name in (settings or {}).get("environmentOverride") or ():
                for pod in context.runtime_pods.get(runtime, ()):
                    if pod.main is not None and (pod.main.environment.get(name) or {}).get("valueFrom"):
                        path = ("spec", "supportedModelFormats", index, "acceleratorConfig", class_name)
                        message = f"{pod.main.title} takes {name} from elsewhere, and {class_name} overrides its value"
                        yield Fault(runtime, (*path, "environmentOverride", name), message, key=True)
