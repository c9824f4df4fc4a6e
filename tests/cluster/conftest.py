"""The control plane that the tests of this folder share."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from tests.cluster.client import ApiServer
from tests.cluster.control_plane import BINARIES, control_plane
from tests.cluster.ome import install, install_ome

HERE = Path(__file__).parent
NOT_INSTALLED = ("argocd-", "ome-")
"""Definitions of the test data that are not wanted: of kinds that omec does not make, and those of ome.io by omec."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents and "apiserver" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.cluster)
            item.add_marker(pytest.mark.xdist_group("cluster"))  # one control plane, not one for each worker


@pytest.fixture(scope="session")
def apiserver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ApiServer]:
    """A client of a fresh API server; skips (or fails, see ``require_assets``) where there are no binaries for one."""
    with control_plane(require_assets(), tmp_path_factory.mktemp("control-plane")) as endpoint:
        yield ApiServer(endpoint)


@pytest.fixture(scope="session")
def ome_apiserver(apiserver: ApiServer) -> ApiServer:
    """The API server, which knows the kinds of ome.io: a megabyte of definitions, installed once."""
    install_ome(apiserver)
    return apiserver


@pytest.fixture(scope="session")
def full_apiserver(ome_apiserver: ApiServer, testdata: Path) -> ApiServer:
    """The API server, which knows all kinds that omec makes: those of ome.io and of other projects."""
    foreign = sorted(path for path in (testdata / "crds").glob("*.yaml") if not path.name.startswith(NOT_INSTALLED))
    install(
        ome_apiserver,
        [document for path in foreign for document in yaml.load_all(path.read_bytes(), yaml.CSafeLoader)],
    )
    return ome_apiserver


def require_assets() -> Path:
    """The folder with the control plane's binaries; skips without it, or fails under ``OMEC_REQUIRE_TESTDATA=1``."""
    folder = os.environ.get("KUBEBUILDER_ASSETS")
    missing = [name for name in BINARIES if not folder or not shutil.which(name, path=folder)]
    if folder and not missing:
        return Path(folder)
    reason = "no kube-apiserver: set KUBEBUILDER_ASSETS to a folder with kube-apiserver and etcd, as for envtest"
    if os.environ.get("OMEC_REQUIRE_TESTDATA") == "1":
        pytest.fail(reason)
    pytest.skip(reason)
