"""The version of omec, as package metadata and ``required-version`` see it."""

__version__ = "0.1.0"
