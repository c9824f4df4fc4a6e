"""What is to be said about a part of an object, before it is known where that part was written."""

from __future__ import annotations

import msgspec

from omec.compile.problems import Steps
from omec.finding import Rule


class Remark(msgspec.Struct, frozen=True):
    """``steps`` lead from the part to the field at fault."""

    rule: Rule
    message: str
    steps: Steps = ()
    help: str = ""
