"""``no-readiness-probe``: a container that gets requests before it can answer them.

OME gives the container ``ome-container`` of a Deployment a probe that asks whether the port is open; that is soon true
of servers which open it before the model is loaded, and no other container gets any.
"""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault, judged
from omec.lint.pods.injected import gets_probes
from omec.lint.pods.view import Pod

RULE = Rule(
    "OME419",
    "no-readiness-probe",
    Severity.WARNING,
    "A component's container has no readiness probe",
    why=(
        "Kubernetes counts a container without one as ready when it has started, minutes before the model can answer. "
        "The Service sends it requests, which fail, and an update takes the old pods away too early."
    ),
    fix="Add a readinessProbe that asks the server over HTTP, such as `httpGet: {path: /health, port: 8080}`.",
    source="Kubernetes docs: concepts/configuration/liveness-readiness-startup-probes; reference 04 §12.2",
    bad="""\
ports: [{name: http1, containerPort: 8080}]
""",
    good="""\
ports: [{name: http1, containerPort: 8080}]
readinessProbe: {httpGet: {path: /health, port: 8080}}
""",
)


def check(context: Context) -> Iterator[Fault]:
    return judged(context.concrete_pods, _judge)


def _judge(pod: Pod) -> Iterator[Fault]:
    main = pod.main
    if main is not None and pod.serves and not main.body.get("readinessProbe") and not gets_probes(main):
        yield main.fault((), f"{main.title} has no readinessProbe", key=True)
