"""A real API server accepts what omec compiles, by server-side apply, and keeps it value for value."""

from __future__ import annotations

from pathlib import Path

import pytest

import omec
from omec.compile.validate import Validator
from omec.session import open_repo
from tests.cluster.applied import assert_kept
from tests.cluster.client import ApiServer
from tests.conftest import EXAMPLES, ROOT

WORKLOADS = ("Deployment", "InferenceReplica", "LeaderWorkerSet")
CORPUS_FOLDERS = ("models", "runtimes", "samples")


@pytest.fixture(scope="module")
def config(full_apiserver: ApiServer, testdata: Path) -> Path:
    """The ``config`` folder of the corpus; the API server knows all kinds that are compiled."""
    return testdata / "corpus" / "ome-v0.1.5" / "config"


@pytest.mark.parametrize("platform", ["ome", "kubernetes"])
@pytest.mark.parametrize("example", EXAMPLES)
def test_examples_are_kept(apiserver: ApiServer, config: Path, example: str, platform: str) -> None:
    folder = ROOT / "examples" / example
    for env in omec.environments(folder) or [None]:
        compilation = open_repo(folder, env=env, overrides={"platform": platform}).compile()
        assert not compilation.failed, compilation.findings
        assert any(obj["kind"] in WORKLOADS for obj in compilation.objects)
        assert_kept(apiserver, compilation.objects)


@pytest.mark.parametrize("platform", ["ome", "kubernetes"])
def test_the_corpus_is_kept(apiserver: ApiServer, config: Path, platform: str) -> None:
    """All that compiles of the corpus, at the version of the API server that is asked."""
    folders = [config / name for name in CORPUS_FOLDERS]
    objects = (
        open_repo(folders, config={"kubernetes-version": apiserver.version, "platform": platform}).compile().objects
    )
    assert len(objects) > 700
    validator = Validator(apiserver.version)
    assert [error for obj in objects if validator.covers(obj) for error in validator.errors(obj)] == []
    assert_kept(apiserver, objects)
