"""``image-without-digest``: an image that its reference does not pin."""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault
from omec.lint.rules.policies.images import images
from omec.lint.rules.policies.stated import policy_of, stated

RULE = Rule(
    "OME931",
    "image-without-digest",
    Severity.ERROR,
    "An image is not pinned by its digest, as the policy asks",
    why=(
        "A tag can be moved: the same manifest then runs something else, on some nodes only, depending on "
        "what they have pulled."
    ),
    fix="Append `@sha256:` and the digest to the image; `crane digest IMAGE` tells it.",
    source="docs/linting.md#team-policies",
    bad="""\
runner: {name: ome-container, image: "registry.example.com/llm/sglang:v1"}
""",
    good="""\
runner:
  name: ome-container
  image: registry.example.com/llm/sglang@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef
""",
)


def check(context: Context) -> Iterator[Fault]:
    if policy_of(context).require_digest:
        yield from stated(context, _faults(context), "require-digest")


def _faults(context: Context) -> Iterator[Fault]:
    for container, image in images(context):
        if "@" not in image:
            yield container.fault(("image",), f"image {image} of {container.title} is not pinned by its digest")
