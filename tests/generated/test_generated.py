"""Any repository that satisfies the schemas compiles into objects that a cluster accepts, or ends in findings.

A run takes a hundred examples, the same ones each time; ``OMEC_GENERATED=5000`` takes that many new ones:

    OMEC_GENERATED=5000 pytest tests/generated
"""

from __future__ import annotations

import copy
import json
import os
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import omec
from omec.compile.result import Compilation
from omec.repo.yaml import dump_all
from tests.generated.repositories import Generated, Object, repositories
from tests.generated.validity import faults

EXAMPLES = int(os.environ.get("OMEC_GENERATED", "100"))

profile = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
few = settings(max_examples=max(EXAMPLES // 4, 1), deadline=None, suppress_health_check=list(HealthCheck))


def compiled(generated: Generated) -> Compilation:
    return omec.from_objects(generated.objects, config=generated.config).compile()


@given(repositories())
@profile
def test_objects_are_valid_or_findings_say_why_not(testdata: Path, generated: Generated) -> None:
    before = copy.deepcopy(generated.objects)
    compilation = compiled(generated)
    assert generated.objects == before
    assert compilation.objects or compilation.failed or is_virtual(generated)
    for body in compilation.objects:
        assert faults(body, generated.config["kubernetes-version"], testdata) == []


@given(repositories())
@few
def test_a_second_run_gives_the_same_bytes(generated: Generated) -> None:
    assert outcome(compiled(generated)) == outcome(compiled(generated))


@given(repositories())
@few
def test_lint_and_explain_answer(generated: Generated) -> None:
    repo = omec.from_objects(generated.objects, config=generated.config)
    json.dumps(repo.lint().to_dict())
    json.dumps([answer.to_dict() for answer in repo.explain_all()])


@given(generated=repositories(), data=st.data())
@few
def test_neither_order_nor_files_of_the_source_matter(
    tmp_path_factory: Any, generated: Generated, data: st.DataObject
) -> None:
    expected = outcome(compiled(generated))
    objects = data.draw(st.permutations(generated.objects))
    folders = data.draw(st.lists(st.sampled_from(["a.yaml", "b/c.yaml", "b/z.yml", "d.json"]), min_size=len(objects)))
    root = tmp_path_factory.mktemp("layout")
    write(root, list(zip(folders, objects, strict=False)))
    assert outcome(omec.open(root, config=generated.config).compile()) == expected


def write(root: Path, placed: list[tuple[str, Object]]) -> None:
    """The objects in files below ``root``, several documents in one file or a ``List`` in a JSON file."""
    for name in sorted({name for name, _ in placed}):
        path, items = root / name, [body for where, body in placed if where == name]
        path.parent.mkdir(exist_ok=True)
        listed = {"apiVersion": "v1", "kind": "List", "items": items}
        text = json.dumps(listed) if path.suffix == ".json" else dump_all(items)
        path.write_text(text, encoding="utf-8")


def outcome(compilation: Compilation) -> tuple[str, list[str]]:
    """The objects as written, and the findings without their places."""
    findings = [f"{finding.rule.code} {finding.object} {finding.field}" for finding in compilation.findings]
    return dump_all(compilation.objects), sorted(findings)


def is_virtual(generated: Generated) -> bool:
    """Whether OME makes nothing of the service."""
    (service,) = (body for body in generated.objects if body["kind"] == "InferenceService")
    annotations = service["metadata"].get("annotations", {})
    return annotations.get("ome.io/deploymentMode") == "VirtualDeployment"
