"""Shared fixtures: where the test data outside the repository is."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "omec",
    deadline=None,  # a loaded machine is no fault
    suppress_health_check=[HealthCheck.too_slow],
    derandomize="OMEC_GENERATED" not in os.environ,  # a run can be repeated; one that asks for examples gets new ones
)
settings.load_profile("omec")

os.environ.setdefault("OMEC_NO_CACHE", "1")
"""Tests leave the user's cache alone; set it to nothing to run all of them with the cache."""

ROOT = Path(__file__).resolve().parent.parent
SHRINKING_LIMIT = 900
"""Seconds for a test of Hypothesis."""

EXAMPLES = sorted(path.parent.name for path in (ROOT / "examples").glob("*/rendered"))
"""The examples that are sound: those with an output. ``examples/broken`` has none."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="write the golden files of tests/golden anew")


@pytest.hookimpl(trylast=True)  # after Hypothesis has marked its tests
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give Hypothesis the time to shrink a failure, which may take it five minutes.

    A limit that strikes meanwhile counts as one more failure, which no second run shows: a flaky test.
    """
    for item in items:
        if item.get_closest_marker("hypothesis"):
            item.add_marker(pytest.mark.timeout(0 if "OMEC_GENERATED" in os.environ else SHRINKING_LIMIT))


def external_data_path() -> Path | None:
    """The folder of external test data (``OMEC_TESTDATA``, default ``../shared``), or ``None`` where it is absent."""
    path = Path(os.environ.get("OMEC_TESTDATA") or ROOT.parent / "shared")
    return path if path.is_dir() else None


def require_external_data() -> Path:
    """The folder of external test data; skips the test without it, or fails it under ``OMEC_REQUIRE_TESTDATA=1``."""
    path = external_data_path()
    if path is None:
        reason = "external test data not found: set OMEC_TESTDATA to its folder"
        if os.environ.get("OMEC_REQUIRE_TESTDATA") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    return path


@pytest.fixture(scope="session")
def testdata() -> Path:
    return require_external_data()
