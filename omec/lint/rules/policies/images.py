"""References of images, and the containers that have them."""

from __future__ import annotations

from collections.abc import Iterator

from omec.lint.context import Context
from omec.lint.pods.view import Container

_DOCKER = "docker.io"


def images(context: Context) -> Iterator[tuple[Container, str]]:
    """Every container of the repository with its image, where that does not depend on a variable or template."""
    for pod in context.pods:
        for container in (*pod.containers, *pod.init_containers):
            image = container.body.get("image")
            if isinstance(image, str) and image and "$" not in image and "{{" not in image:
                yield container, image


def repository(image: str) -> str:
    """Where an image is, in full: ``vllm/vllm-openai:v1`` is at ``docker.io/vllm/vllm-openai``."""
    name = image.partition("@")[0]
    folder, slash, last = name.rpartition("/")
    name = f"{folder}{slash}{last.partition(':')[0]}"
    first, slash, _ = name.partition("/")
    if not slash:
        return f"{_DOCKER}/library/{name}"
    return name if "." in first or ":" in first or first == "localhost" else f"{_DOCKER}/{name}"
