"""The real kubectl, for tests of what kustomize makes of a folder."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest


def require_kubectl() -> str:
    """The kubectl of ``KUBEBUILDER_ASSETS``, else of the ``PATH``; skips without one.

    Fails instead under ``OMEC_REQUIRE_TESTDATA=1``.
    """
    found = shutil.which("kubectl", path=os.environ.get("KUBEBUILDER_ASSETS") or None) or shutil.which("kubectl")
    if found:
        return found
    reason = "no kubectl: set KUBEBUILDER_ASSETS to a folder that has one, as for envtest"
    if os.environ.get("OMEC_REQUIRE_TESTDATA") == "1":
        pytest.fail(reason)
    pytest.skip(reason)


def kustomize(folder: Path) -> str:
    """What ``kubectl kustomize`` makes of ``folder``."""
    result = subprocess.run([require_kubectl(), "kustomize", folder], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return result.stdout
