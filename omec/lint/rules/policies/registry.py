"""``image-registry-not-allowed``: an image from a registry that the policy does not list."""

from __future__ import annotations

from collections.abc import Iterator

from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault
from omec.lint.rules.policies.images import images, repository
from omec.lint.rules.policies.stated import any_fits, policy_of, stated

RULE = Rule(
    "OME930",
    "image-registry-not-allowed",
    Severity.ERROR,
    "An image comes from a registry that the policy does not allow",
    why="Images from elsewhere are not scanned, not mirrored, and gone when their owner deletes them.",
    fix="Take the image from one of `allowed-registries`, or add its registry there.",
    source="docs/linting.md#team-policies",
    bad="""\
runner: {name: ome-container, image: "quay.io/team/sglang:v1"}
""",
    good="""\
runner: {name: ome-container, image: "registry.example.com/llm/sglang:v1"}
""",
)


def check(context: Context) -> Iterator[Fault]:
    allowed = policy_of(context).allowed_registries
    if allowed:
        yield from stated(context, _faults(context, allowed), "allowed-registries")


def _faults(context: Context, allowed: tuple[str, ...]) -> Iterator[Fault]:
    for container, image in images(context):
        place = repository(image)
        if not any(place.startswith(f"{folder.rstrip('/')}/") for folder in allowed) and not any_fits(allowed, place):
            message = f"{container.title} has an image of {place}, which is in none of {', '.join(allowed)}"
            yield container.fault(("image",), message)
