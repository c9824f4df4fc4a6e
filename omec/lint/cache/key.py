"""The key of an entry: a digest of everything that the findings of a run depend on."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import msgspec

from omec.errors import OmecError
from omec.lint.cache.program import program
from omec.lint.cache.snapshot import Snapshot
from omec.repo.config import Config
from omec.repo.request import Request

_LOCK = "omec.lock"
_SCHEMA_SUFFIXES = (".yaml", ".yml", ".json")

_AT_ONCE = 3000
"""Most parts are short: hashing them one by one takes longer than putting them together."""

Part = bytes | str


def key_of(configs: Sequence[Config], snapshots: Iterable[tuple[Request, Snapshot]], beside: str) -> str:
    """The key of a run with ``configs``, one for each environment, over what ``snapshots`` hold.

    ``beside`` is the digest of the other files, see :func:`beside_of`.
    """
    return digest_of(_parts(configs, snapshots, beside))


def record_key_of(config: Config, request: Request, beside: str) -> str:
    """The key of what is remembered about a repository whatever its manifests say: all of :func:`key_of` but those."""
    return f"{digest_of((*_parts([config], [], beside), *_of_request(request)))}.record"


def beside_of(configs: Sequence[Config]) -> str | None:
    """The digest of the files that are read beside the manifests: configuration, locks, baseline, schemas.

    ``None`` where a run would not get to an answer.
    """
    try:
        return digest_of(part for config in configs for part in _beside(config))
    except OmecError:
        return None


def _parts(configs: Sequence[Config], snapshots: Iterable[tuple[Request, Snapshot]], beside: str) -> Iterator[Part]:
    yield from program()
    yield os.getcwd()  # noqa: PTH109
    for config in configs:
        yield _encoded(config)
    for request, snapshot in snapshots:
        yield from _of_request(request)
        yield from snapshot.parts()
        yield "end of request"
    yield beside


def _encoded(config: Config) -> Part:
    try:
        return msgspec.json.encode(config, enc_hook=str)
    except UnicodeEncodeError:  # a path whose name is not UTF-8
        return repr(msgspec.to_builtins(config, enc_hook=str))


def _of_request(request: Request) -> Iterator[Part]:
    # Links decide whether an output folder lies in a source.
    yield from (os.path.realpath(path) for path in (*request.skip, *request.roots))


def _beside(config: Config) -> Iterator[Part]:
    files = [*_locks(config), *_schemas(config)]
    if config.path is not None:
        files.append(config.path)
    for path in files:
        yield str(path)
        yield _content(path)
    if config.lint.baseline is not None:
        from omec.lint.baseline import Baseline  # noqa: PLC0415 - few repositories have one

        path = config.root / config.lint.baseline
        yield _content(path)
        yield from (f"{named} {found}" for named, found in Baseline.read(path).present(config.root))


def _locks(config: Config) -> Iterator[Path]:
    for folder in (config.root, *config.catalog_paths):
        yield (folder if folder.is_dir() else folder.parent) / _LOCK


def _schemas(config: Config) -> Iterator[Path]:
    if config.schema_path is not None:
        yield from sorted(path for path in config.schema_path.rglob("*") if path.suffix.lower() in _SCHEMA_SUFFIXES)


def _content(path: Path) -> Part:
    try:
        return path.read_bytes()
    except OSError as error:
        return str(error)


def digest_of(parts: Iterable[Part]) -> str:
    """64 hexadecimal digits of ``parts``, each with its length and its type, so that no two rows of parts are alike."""
    digest = hashlib.sha256()
    pending: list[bytes] = []
    for part in parts:
        data = part if isinstance(part, bytes) else part.encode("utf-8", "surrogatepass")
        pending += (b"b" if isinstance(part, bytes) else b"t", b"%d:" % len(data), data)
        if len(pending) >= _AT_ONCE:
            digest.update(b"".join(pending))
            pending.clear()
    digest.update(b"".join(pending))
    return digest.hexdigest()
