"""Of any generated repository every rendered field has an origin that agrees with it."""

from __future__ import annotations

import json
import os
from pathlib import Path

from hypothesis import HealthCheck, given, settings

import omec
from omec.compile.layout import identity
from tests.compile.provenance.worlds import answers, consistent
from tests.generated.repositories import Generated, repositories

EXAMPLES = int(os.environ.get("OMEC_GENERATED", "40")) // 10 or 1

few = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))


@given(repositories())
@few
def test_every_field_has_an_origin(testdata: Path, generated: Generated) -> None:
    """``testdata`` is what other tests of generated repositories need: without it none of them runs."""
    del testdata
    repo = omec.from_objects(generated.objects, config=generated.config)
    for item in repo.compile().outputs:
        for answer in repo.asker.leaves(item):
            assert answer.origins or answer.rule
            assert not answer.origins or consistent(answer), (answer.field, answer.value, answer.origins)
            assert all(lost not in answer.origins for lost in answer.overrode)
    compiled = {identity(body): body for service in repo.compile().services for body in service.objects}
    for laboratory in repo.asker.laboratories():
        for body in laboratory.objects:
            assert compiled.get(identity(body), body) == body


@given(repositories())
@settings(few, max_examples=max(EXAMPLES // 4, 1))  # what values overrode takes several times as long to find out
def test_asking_again_gives_the_same_answers(generated: Generated) -> None:
    assert all_answers(generated) == all_answers(generated)


def all_answers(generated: Generated) -> list[str]:
    repo = omec.from_objects(generated.objects, config=generated.config)
    return [json.dumps(answer.to_dict()) for _, answer in answers(repo, overrides=True)]
