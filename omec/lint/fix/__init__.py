"""Mend what rules find (``omec lint --fix``)."""

from omec.lint.fix.run import Fixed, Fixes

__all__ = ["Fixed", "Fixes"]
