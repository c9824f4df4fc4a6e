"""Complete examples: ``tests/golden/<case>/input.yaml`` renders to ``output.yaml``, byte for byte.

The cases are the examples of reference 04 §23, as far as omec renders their kinds. After a change that is meant, write
the outputs anew and review their difference:

    pytest tests/compile/test_golden.py --update-golden
"""

from __future__ import annotations

from pathlib import Path

import pytest

from omec.repo.yaml import dump_all, load
from tests.compile.rendering import rendered

GOLDEN = Path(__file__).resolve().parent.parent / "golden"
CASES = sorted(folder.name for folder in GOLDEN.iterdir() if (folder / "input.yaml").is_file())


@pytest.mark.parametrize("case", CASES)
def test_golden(case: str, request: pytest.FixtureRequest) -> None:
    documents = (GOLDEN / case / "input.yaml").read_text(encoding="utf-8").split("\n---\n")
    result = rendered([load(document) for document in documents])
    assert result.problems == ()
    output = GOLDEN / case / "output.yaml"
    text = dump_all(result.objects)
    if request.config.getoption("--update-golden"):
        output.write_text(text, encoding="utf-8")
    assert text == output.read_text(encoding="utf-8")
