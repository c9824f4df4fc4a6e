"""The command line for tests of what compile writes."""

from tests.cli.conftest import omec

__all__ = ["omec"]
