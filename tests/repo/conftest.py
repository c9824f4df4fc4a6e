"""Makes small source trees."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

Tree = Mapping[str, str | bytes]
MakeTree = Callable[[Tree], Path]


def manifest(name: str, kind: str = "ConfigMap") -> str:
    """The text of a small Kubernetes object."""
    return f"apiVersion: v1\nkind: {kind}\nmetadata:\n  name: {name}\n"


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> MakeTree:
    """Writes files (path -> content) below a folder of their own, which becomes the current one."""

    def make(files: Tree) -> Path:
        for path, content in files.items():
            target = tmp_path / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content if isinstance(content, bytes) else content.encode())
        monkeypatch.chdir(tmp_path)
        return tmp_path

    return make
