"""Write the JSON Schemas for editors, and the descriptions of Kubernetes' fields that they show.

    python -m schemas.build_editor            writes the files
    python -m schemas.build_editor --check    exit 1 if a committed file is not what would be written

``schemas/ome.io/<kind>_v1beta1.json``, ``schemas/all.json`` and ``schemas/omec.toml.json`` are what
``omec schema --write schemas`` writes. The descriptions come from the development-only package kubernetes-validate and
are kept in ``omec/data/ome/kubernetes-texts.json``, so that the command has them, too.
"""

from __future__ import annotations

import argparse
import json
import sys
from importlib import resources
from pathlib import Path
from typing import Any

from omec.api import schema
from omec.api.editor import texts
from omec.api.models.kubernetes import KUBERNETES_VERSION
from omec.cli.schema import editor_files

FOLDER = Path(__file__).resolve().parent
_PREFIXES = ("io.k8s.api.", "io.k8s.apimachinery.pkg.")


def kubernetes_texts() -> str:
    """The text of the file of descriptions: by type and field, of the types that ome.io kinds embed."""
    folder = f"kubernetes-json-schema/v{KUBERNETES_VERSION}.0-local-strict"
    published = json.loads(resources.files("kubernetes_validate").joinpath(folder, "_definitions.json").read_text())
    # An edited type is called after the original: core.v1.Container.ServiceRunner.
    needed = {known for name in schema.document()["$defs"] for known in (name, name.rpartition(".")[0])}
    found: dict[str, dict[str, str]] = {}
    for full_name, definition in published["$defs"].items():
        name = full_name.removeprefix(_PREFIXES[0]).removeprefix(_PREFIXES[1])
        if name in needed and "properties" in definition:
            found[name] = _texts(definition)
    return json.dumps(found, indent=0, ensure_ascii=False, sort_keys=True) + "\n"


def _texts(definition: dict[str, Any]) -> dict[str, str]:
    fields = {name: field.get("description", "") for name, field in definition["properties"].items()}
    return {name: text for name, text in {"": definition.get("description", ""), **fields}.items() if text}


def main() -> int:
    parser = argparse.ArgumentParser(description="Write the JSON Schemas for editors.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a committed file is not current")
    check: bool = parser.parse_args().check
    stale = [] if check and _is(texts.FILE, kubernetes_texts()) else [texts.FILE]
    if not check:
        texts.FILE.write_text(kubernetes_texts(), encoding="utf-8")
    for name, text in editor_files().items():
        path = FOLDER / name
        if check:
            stale += [] if _is(path, text) else [path]
        else:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
    for path in stale if check else ():
        print(f"not current: {path.name}; run python -m schemas.build_editor", file=sys.stderr)
    return 1 if check and stale else 0


def _is(path: Path, text: str) -> bool:
    return path.is_file() and path.read_text(encoding="utf-8") == text


if __name__ == "__main__":
    sys.exit(main())
