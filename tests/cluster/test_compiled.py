"""A real API server accepts what omec compiles, by server-side apply, and keeps it value for value."""

from __future__ import annotations

from pathlib import Path

import pytest

from omec.compile.validate import Validator
from omec.session import open_repo
from tests.cluster.applied import assert_kept
from tests.cluster.client import ApiServer
from tests.cluster.ome import install_ome
from tests.conftest import ROOT

EXAMPLES = sorted(path.name for path in (ROOT / "examples").iterdir() if path.is_dir())
CORPUS_FOLDERS = ("models", "runtimes", "samples")


@pytest.fixture(scope="module")
def config(apiserver: ApiServer, testdata: Path) -> Path:
    """The ``config`` folder of the corpus; the API server has omec's definitions of the kinds of ome.io."""
    install_ome(apiserver)
    return testdata / "corpus" / "ome-v0.1.5" / "config"


@pytest.mark.parametrize("example", EXAMPLES)
def test_examples_are_kept(apiserver: ApiServer, config: Path, example: str) -> None:
    compilation = open_repo(ROOT / "examples" / example).compile()
    assert not compilation.failed, compilation.findings
    assert any(obj["kind"] == "Deployment" for obj in compilation.objects)
    assert_kept(apiserver, compilation.objects)


def test_the_corpus_is_kept(apiserver: ApiServer, config: Path) -> None:
    """All that compiles of the corpus, at the version of the API server that is asked."""
    folders = [config / name for name in CORPUS_FOLDERS]
    objects = open_repo(folders, config={"kubernetes-version": apiserver.version}).compile().objects
    assert len(objects) > 700
    validator = Validator(apiserver.version)
    assert [error for obj in objects if validator.covers(obj) for error in validator.errors(obj)] == []
    assert_kept(apiserver, objects)
