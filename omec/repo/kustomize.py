"""Building a kustomize overlay with the tool that is on the PATH."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

from omec.errors import OmecError
from omec.repo import source_rules

_PREFIX = re.compile(r'^(?:[EF]\d{4} \S+ +\d+ \S+\] (?:"command failed" err=)?|[eE]rror: )')
"""What stands before the message: kubectl's log line has the time and the number of its process."""


def build(overlay: str) -> bytes:
    """The YAML that ``kustomize build`` (else ``kubectl kustomize``) makes of the folder ``overlay``.

    Raises :class:`OmecError` where the folder or the tool is missing, or the build fails.
    """
    if not Path(overlay).is_dir():
        raise OmecError(
            f"overlay {overlay} is not a folder",
            hint="name the folder that holds kustomization.yaml",
            code=source_rules.MISSING.code,
        )
    command = [*_tool(), str(Path(overlay).absolute())]
    result = subprocess.run(command, capture_output=True, check=False)  # noqa: S603  (no shell; the user's own tool)
    if result.returncode:
        lines = result.stderr.decode("utf-8", "replace").strip().splitlines() or ["no message"]
        raise OmecError(
            f"overlay {overlay} cannot be built: {_PREFIX.sub('', lines[-1])}",
            hint=f"run {command[0].rpartition('/')[2]} {command[1]} {overlay} and correct what it reports",
            code=source_rules.KUSTOMIZE_FAILED.code,
        )
    return result.stdout


def _tool() -> list[str]:
    if kustomize := shutil.which("kustomize"):
        return [kustomize, "build"]
    if kubectl := shutil.which("kubectl"):
        return [kubectl, "kustomize"]
    raise OmecError(
        "an overlay is built with kustomize or kubectl, and neither is on the PATH",
        hint="install one of them, or pipe the output of a build into omec with - as the source",
        code=source_rules.KUSTOMIZE_MISSING.code,
    )
