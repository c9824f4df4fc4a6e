"""The error that ends the reading of a model."""

from __future__ import annotations

from omec.errors import EXIT_FINDINGS, OmecError

CODE = "OME042"


class FactsError(OmecError):
    """A model whose files do not say what it is: none of them found, corrupt, or not safe to read.

    ``reported`` is the text that OME logs for the same model, empty where OME would have gone on (omec refuses to
    follow a link out of the model's directory; OME does not look).
    """

    def __init__(self, message: str, *, hint: str, reported: str = "") -> None:
        super().__init__(message, hint=hint, code=CODE, exit_code=EXIT_FINDINGS)
        self.reported = reported
