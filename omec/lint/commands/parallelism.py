"""How many GPUs a server divides a model over, by its options."""

from __future__ import annotations

from typing import NamedTuple

from omec.finding import FieldPath
from omec.lint.commands import engines
from omec.lint.commands.server import Server

_SHORT = {
    engines.TENSOR: "TP",
    engines.PIPELINE: "PP",
    engines.DATA: "DP",
    engines.LOCAL_DATA: "DP",
    engines.CONTEXT: "PCP",
}


class Parallelism(NamedTuple):
    """The GPUs that a server uses: ``gpus`` in total, ``shards`` of them for one copy of the model.

    ``arithmetic`` is how that is worked out (``TP 4 x PP 2``), ``at`` the string with the option that decides.
    """

    gpus: int
    shards: int
    arithmetic: str
    at: FieldPath


def parallelism(server: Server) -> Parallelism | None:
    """The parallelism that ``server`` is told; ``None`` where it is told none, or its value is open."""
    options = server.options
    counted = [engines.TENSOR, engines.PIPELINE, engines.CONTEXT]
    if engines.ATTENTION_DATA not in options:
        # With data-parallel attention the copies of SGLang share the GPUs of tensor parallelism.
        counted.append(engines.LOCAL_DATA if engines.LOCAL_DATA in options else engines.DATA)
    stated = [what for what in counted if what in options]
    # One server of several has only some of the copies that data parallelism asks for.
    is_part = engines.OTHER in options or engines.EXTERNAL in options
    if not stated or (is_part and engines.LOCAL_DATA not in options):
        return None
    gpus, shards, parts = 1, 1, []
    for what in stated:
        number = server.number(what)
        if not number:
            return None
        gpus *= number
        shards *= number if what not in (engines.DATA, engines.LOCAL_DATA) else 1
        parts.append(f"{_SHORT[what]} {number}")
    first = next((what for what in stated if (server.number(what) or 0) > 1), stated[0])
    return Parallelism(gpus, shards, " x ".join(parts), options[first].at)


def is_told(server: Server) -> bool:
    """Whether any option speaks of parallelism, be its value known or not."""
    return any(what in server.options for what in (*_SHORT, engines.OTHER, engines.EXTERNAL, engines.FOREIGN))
