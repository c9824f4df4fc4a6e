"""``python -m tests.lint.cache.mutants``: break manifests and mend them again, and lint from the record each time.

Every answer must be that of a run over all files, places included; edits that are judged as a whole are counted.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache

import yaml

from omec.errors import OmecError
from omec.lint.cache.edit import NotLocalError
from omec.repo.config import Config
from tests.lint.cache.repository import Files, config_of, linted, linted_again, told
from tests.mutants.fault import Mutant, mutants
from tests.mutants.faults import all_faults
from tests.mutants.place import Object
from tests.mutants.world import World, worlds

SETTINGS = {"select": ["ALL"], "ignore": ["OME934"]}


def files_of(objects: Sequence[Object]) -> dict[str, bytes]:
    """A file for each object."""
    dumper = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
    return {
        f"{number:03}.yaml": yaml.dump(body, Dumper=dumper, sort_keys=False, allow_unicode=True).encode()
        for number, body in enumerate(objects)
    }


def config_for(world: World) -> Config:
    return config_of({**world.config, "lint": {**SETTINGS, **world.config.get("lint", {})}})


@lru_cache(maxsize=4)
def _sound(world_name: str) -> tuple[Files, bytes | None]:
    """The files of a world, and the record of a run over them."""
    world = next(world for world in worlds() if world.name == world_name)
    files = files_of(world.objects)
    return files, linted(files, config_for(world))[1]


def outcome(mutant: Mutant) -> str:
    """What became of a mutant: ``same``, or why it is judged as a whole. Raises where the answers differ."""
    config = config_for(mutant.world)
    sound, record = _sound(mutant.world.name)
    if record is None:
        return "no record"
    broken = files_of(mutant.objects)
    try:
        result, broken_record = linted(broken, config)
    except OmecError as error:
        return f"{error.code}"
    try:
        found = told(linted_again(record, broken, config))
    except NotLocalError as reason:
        return str(reason)
    assert found == told(result), mutant.name
    if broken_record is None:
        return "same, but not on record"
    try:
        mended = told(linted_again(broken_record, sound, config))
    except NotLocalError as reason:
        return f"same, but mended: {reason}"
    assert mended == told(linted(sound, config)[0]), f"{mutant.name}, mended"
    return "same"


def outcomes(seed: int, limit: int | None) -> Iterator[tuple[Mutant, str]]:
    for mutant in mutants(all_faults(), worlds(), seed, limit):
        try:
            yield mutant, outcome(mutant)
        except AssertionError as error:
            yield mutant, f"DIFFERENT {error}".splitlines()[0]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.lint.cache.mutants", description=__doc__)
    parser.add_argument("--seed", type=int, default=0, help="which places and values are drawn (default 0)")
    parser.add_argument("--limit", type=int, default=25, help="mutants of each fault (default 25)")
    options = parser.parse_args()
    count: Counter[str] = Counter()
    for _, what in outcomes(options.seed, options.limit):
        count[what] += 1
        if what.startswith("DIFFERENT"):
            print(what, flush=True)
    for what, number in count.most_common():
        print(f"{number:>6}  {what}")
    return int(any(what.startswith("DIFFERENT") for what in count))


if __name__ == "__main__":
    sys.exit(main())
