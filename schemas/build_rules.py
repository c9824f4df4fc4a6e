"""Generate ``docs/rules``, one page a rule and a list of all, from the rules themselves.

    python -m schemas.build_rules            writes the pages and deletes those of rules that are gone
    python -m schemas.build_rules --check    fails when the folder is not what would be written

The texts stand in the rules, next to the code that reports them; this folder is for readers and for links.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from omec.lint.catalogue import all_rules
from omec.lint.documentation import pages

OUTPUT = Path(__file__).resolve().parent.parent / "docs" / "rules"


def outdated(folder: Path = OUTPUT) -> list[str]:
    """The names of the files in ``folder`` that are missing, different or superfluous."""
    wanted = pages(all_rules())
    present = {path.name: path.read_text(encoding="utf-8") for path in folder.glob("*.md")}
    return sorted(name for name in wanted.keys() | present.keys() if wanted.get(name) != present.get(name))


def write(folder: Path = OUTPUT) -> None:
    """Make ``folder`` what it should be; files other than Markdown are left alone."""
    folder.mkdir(parents=True, exist_ok=True)
    wanted = pages(all_rules())
    for path in folder.glob("*.md"):
        if path.name not in wanted:
            path.unlink()
    for name, text in wanted.items():
        (folder / name).write_text(text, encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="fail when the pages are not current")
    if not parser.parse_args().check:
        write()
        return 0
    names = outdated()
    if names:
        print(f"docs/rules is not current ({', '.join(names)}): run python -m schemas.build_rules", file=sys.stderr)
    return 1 if names else 0


if __name__ == "__main__":
    sys.exit(main())
