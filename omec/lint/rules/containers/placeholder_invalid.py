"""``placeholder-invalid``: a placeholder in a runner that OME cannot fill in.

Rendering says the same of the services of the repository; here it is said of runtimes that none of them uses.
"""

from __future__ import annotations

from collections.abc import Iterator

from omec.compile import rules
from omec.compile.placeholders import PlaceholderError, Subject, fill_placeholders
from omec.compile.problems import steps_to_text
from omec.lint.context import Context, Fault, judged
from omec.lint.pods.view import Pod

RULE = rules.PLACEHOLDER

_HELP = "write a literal {{ as {{`{{`}}, and read a label with {{.Labels.KEY}} or {{index .Labels `KEY`}}"
_NOBODY = Subject("name", "namespace", {}, {})


def check(context: Context) -> Iterator[Fault]:
    return judged(context.unrendered_pods, _judge)


def _judge(pod: Pod) -> Iterator[Fault]:
    main = pod.main
    if main is None or not main.has_placeholders:
        return
    try:
        fill_placeholders(dict(main.body), _NOBODY)
    except PlaceholderError as error:
        steps = steps_to_text(main.body, error.text) if error.text else ()
        yield main.fault(steps or (), f"{main.title} has a placeholder that OME refuses: {error.message}", help_=_HELP)
