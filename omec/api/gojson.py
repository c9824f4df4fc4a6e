"""JSON text as Go's encoder writes it: the text that revision hashes are taken of.

Source: Go documentation, encoding/json; reference 02 §8.3.
"""

from __future__ import annotations

import json

from omec.api.shapes import Json, Shape

_ESCAPES = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"})


def encode(shape: Shape, value: Json) -> str:
    """``value`` through the Go type of ``shape``: compact, fields as declared, map keys in byte order, HTML escaped."""
    return dumps(shape.normalise(value))


def digest(normalised: Json) -> str:
    """The SHA-256 of :func:`dumps`, in 64 hex digits."""
    from hashlib import sha256  # noqa: PLC0415 - few commands need a hash, and the module loads OpenSSL

    return sha256(dumps(normalised).encode()).hexdigest()


def dumps(normalised: Json) -> str:
    """The text of a value that has the fields and order of its Go type already."""
    # The escaped characters occur in strings only, so the whole text can be translated at once.
    return json.dumps(normalised, ensure_ascii=False, separators=(",", ":")).translate(_ESCAPES)
