"""``placeholder-invalid``: a placeholder in a runner that OME cannot fill in.

Compiling reports the same of every rendered service; here it is said of runtimes, whether a service uses them or not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from omec.compile import rules
from omec.compile.placeholders import PlaceholderError, Subject, fill_placeholders
from omec.compile.problems import steps_to_text
from omec.lint.context import Context, Fault, judged
from omec.lint.pods.view import Pod

RULE = rules.PLACEHOLDER

_HELP = "write a literal {{ as {{`{{`}}, and read a label with {{.Labels.KEY}} or {{index .Labels `KEY`}}"
_NOBODY = Subject("name", "namespace", {}, {})


def check(context: Context) -> Iterator[Fault]:
    return judged(context.pods, _judge)


def _judge(pod: Pod) -> Iterator[Fault]:
    main = pod.main
    if main is None or not has_placeholders(main.body):
        return
    try:
        fill_placeholders(dict(main.body), _NOBODY)
    except PlaceholderError as error:
        steps = steps_to_text(main.body, error.text) if error.text else ()
        yield main.fault(steps or (), f"{main.title} has a placeholder that OME refuses: {error.message}", help_=_HELP)


def has_placeholders(value: Any) -> bool:
    """Whether a text in ``value`` has what Go's templates begin with."""
    if isinstance(value, str):
        return "{{" in value
    items = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    return any(has_placeholders(item) for item in items)
