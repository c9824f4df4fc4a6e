"""``python -m tests.mutants``: make mutants and say which of them lint finds."""

from __future__ import annotations

import argparse
from collections import Counter

from tests.mutants.faults import all_faults
from tests.mutants.judge import Verdict, judged
from tests.mutants.world import worlds

LIMIT = 25
"""Mutants of each fault in the full set."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("--seed", type=int, default=0, help="which places and values are drawn (default 0)")
    parser.add_argument("--limit", type=int, default=LIMIT, help=f"mutants of each fault (default {LIMIT})")
    parser.add_argument("--all", action="store_true", help="every fault in every place of every world")
    parser.add_argument("--fault", action="append", help="only the faults whose name contains this")
    parser.add_argument("--verbose", action="store_true", help="every miss, with what was found instead")
    options = parser.parse_args()
    faults = [f for f in all_faults() if not options.fault or any(part in f.name for part in options.fault)]
    verdicts = list(judged(faults, worlds(), options.seed, None if options.all else options.limit))
    _report(verdicts, [fault.name for fault in faults], verbose=options.verbose)


def _report(verdicts: list[Verdict], names: list[str], *, verbose: bool) -> None:
    made = Counter(verdict.mutant.fault.name for verdict in verdicts)
    missed = Counter(verdict.mutant.fault.name for verdict in verdicts if not verdict.found)
    rules = {verdict.mutant.fault.name: "/".join(verdict.mutant.fault.rules) for verdict in verdicts}
    print(f"{'rule':<24} {'found':>11}  fault")
    for name in sorted(names, key=lambda name: (rules.get(name, ""), name)):
        print(f"{rules.get(name, '-'):<24} {made[name] - missed[name]:>5}/{made[name]:<5}  {name}")
    for verdict in verdicts if verbose else ():
        if not verdict.found:
            print(f"miss: {verdict.mutant.name}: {' '.join(sorted(verdict.instead)) or 'nothing new'}")
    found = len(verdicts) - sum(missed.values())
    codes = {rule for verdict in verdicts for rule in verdict.reported if rule in verdict.mutant.fault.rules}
    print(f"{found} of {len(verdicts)} mutants found ({found / max(len(verdicts), 1):.2%}), by {len(codes)} rules")


if __name__ == "__main__":
    main()
