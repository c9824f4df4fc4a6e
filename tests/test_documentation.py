"""What the documentation shows is what the commands print.

``pytest tests/test_documentation.py --update-golden`` writes the present output into the documents.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.console import rewritten

DOCUMENTS = ["README.md", "docs/why.md"]


@pytest.mark.parametrize("name", DOCUMENTS)
def test_documents_show_real_output(name: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    shown = (ROOT / name).read_text(encoding="utf-8")
    real = rewritten(shown, tmp_path)
    if request.config.getoption("--update-golden"):
        (ROOT / name).write_text(real, encoding="utf-8")
    assert shown == real
