"""``image-unpinned``: an image whose content changes under its name."""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault, judged
from omec.lint.pods.view import Pod

RULE = Rule(
    "OME900",
    "image-unpinned",
    Severity.WARNING,
    "A container's image has no tag, or one that moves",
    why=(
        "What runs depends on the day on which a node pulled the image. Two pods of one service may run different "
        "engines, and a new release can break a service that nobody changed."
    ),
    fix="Name a release, such as `:v0.5.5`, best with its digest.",
    source="Kubernetes docs: concepts/containers/images; reference 09 C6",
    bad="""\
image: docker.io/lmsysorg/sglang:latest
""",
    good="""\
image: docker.io/lmsysorg/sglang:v0.5.5.post3-cu129-amd64
""",
)

_MOVING = frozenset({"dev", "edge", "head", "latest", "main", "master", "nightly", "rolling", "stable", "trunk"})


def check(context: Context) -> Iterator[Fault]:
    return judged(context.pods, _judge)


def _judge(pod: Pod) -> Iterator[Fault]:
    for container in (*pod.containers, *pod.init_containers):
        image = container.body.get("image")
        problem = unpinned(image) if isinstance(image, str) and image else None
        if problem is not None:
            yield container.fault(("image",), f"image {image} of {container.title} {problem}")


def unpinned(image: str) -> str | None:
    """What leaves the content of ``image`` open, ``None`` for nothing: a digest, or a tag that stays."""
    if "@" in image or "$" in image or "{{" in image:
        return None
    _, colon, tag = image.rpartition("/")[2].partition(":")
    if not colon or not tag:
        return "has no tag, so it is latest"
    return f"has the tag {tag}, which moves" if tag in _MOVING else None
