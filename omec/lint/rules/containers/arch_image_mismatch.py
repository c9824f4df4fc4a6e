"""``arch-image-mismatch``: an image for one processor architecture on nodes of another."""

from __future__ import annotations

import re
from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault, judged
from omec.lint.pods.view import Pod

RULE = Rule(
    "OME429",
    "arch-image-mismatch",
    Severity.INFO,
    "An image is tagged for another architecture than its nodes have",
    why="The container ends with `exec format error` at each start, unless the tag says something else than it seems.",
    fix="Use the image of the nodes' architecture, or one for several.",
    source="Kubernetes docs: reference/labels-annotations-taints#kubernetes-io-arch; reference 09 C3",
    bad="""\
nodeSelector: {kubernetes.io/arch: arm64}
runner:
  image: docker.io/lmsysorg/sglang:v0.5.5.post3-cu129-amd64
""",
    good="""\
nodeSelector: {kubernetes.io/arch: amd64}
runner:
  image: docker.io/lmsysorg/sglang:v0.5.5.post3-cu129-amd64
""",
)

_LABEL = "kubernetes.io/arch"
_IN_TAG = re.compile(r"(?:^|[-_.])(amd64|x86_64|arm64|aarch64)(?:[-_.]|$)")
_SAME = {"x86_64": "amd64", "aarch64": "arm64"}


def check(context: Context) -> Iterator[Fault]:
    return judged(context.concrete_pods, _judge)


def _judge(pod: Pod) -> Iterator[Fault]:
    wanted = (pod.part.get("nodeSelector") or {}).get(_LABEL)
    for container in pod.containers if wanted else ():
        tag = str(container.body.get("image") or "").partition("@")[0].rpartition("/")[2].partition(":")[2]
        found = _IN_TAG.search(tag)
        if found is not None and _SAME.get(found[1], found[1]) != wanted:
            message = f"the image of {container.title} is tagged {found[1]}, and its nodes are {wanted}"
            yield container.fault(("image",), message, causes=[pod.written("nodeSelector", _LABEL)])
