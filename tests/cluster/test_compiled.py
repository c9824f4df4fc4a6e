"""A real API server accepts what omec compiles, by server-side apply, and keeps it value for value."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

import omec
from omec.compile.validate import Validator
from omec.session import open_repo
from tests.cluster.applied import assert_kept
from tests.cluster.client import ApiServer
from tests.cluster.ome import install, install_ome
from tests.conftest import EXAMPLES, ROOT

NOT_INSTALLED = ("argocd-", "ome-")
WORKLOADS = ("Deployment", "InferenceReplica", "LeaderWorkerSet")
CORPUS_FOLDERS = ("models", "runtimes", "samples")


@pytest.fixture(scope="module")
def config(apiserver: ApiServer, testdata: Path) -> Path:
    """The ``config`` folder of the corpus; the API server has omec's definitions of the kinds of ome.io, and those of
    other projects whose objects OME makes.
    """
    install_ome(apiserver)
    foreign = sorted(path for path in (testdata / "crds").glob("*.yaml") if not path.name.startswith(NOT_INSTALLED))
    install(apiserver, [document for path in foreign for document in yaml.safe_load_all(path.read_text("utf-8"))])
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
