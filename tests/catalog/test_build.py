"""From documents to a catalog: identities, duplicates, and catalogs of others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from omec.catalog.build import build_catalog
from omec.catalog.rules import DUPLICATE_OBJECT
from omec.finding import FieldPath, Position
from omec.repo.document import Document

RUNTIME: dict[str, Any] = {
    "apiVersion": "ome.io/v1beta1",
    "kind": "ClusterServingRuntime",
    "metadata": {"name": "rt"},
    "spec": {},
}


def documents(paths: Sequence[str], located: list[str] | None = None) -> list[Document]:
    """The same runtime in each of the files; ``located`` gets the paths of those whose places are asked for."""

    def document(path: str) -> Document:
        def locate(_: FieldPath, key: bool) -> Position:
            if located is not None:
                located.append(path)
            return Position(path, 3, 9)

        return Document(path, 0, RUNTIME, locate)

    return [document(path) for path in paths]


COPIES = [
    (1, "b0.yaml:3:9"),
    (2, "b0.yaml:3:9 and b1.yaml:3:9"),
    (3, "b0.yaml:3:9, b1.yaml:3:9 and b2.yaml:3:9"),
    (4, "b0.yaml:3:9, b1.yaml:3:9, b2.yaml:3:9 and 1 more"),
    (9, "b0.yaml:3:9, b1.yaml:3:9, b2.yaml:3:9 and 6 more"),
]


@pytest.mark.parametrize(("others", "places"), COPIES)
def test_a_duplicate_names_a_few_of_the_others(others: int, places: str) -> None:
    found = build_catalog(documents(["a.yaml", *(f"b{number}.yaml" for number in range(others))]))
    first = found.findings[0]
    assert first.rule is DUPLICATE_OBJECT
    assert first.message == f"ClusterServingRuntime rt is also defined in {places}"
    assert [str(each.position) for each in first.related] == [f"b{number}.yaml:3:9" for number in range(min(others, 3))]
    assert len(found.findings) == others + 1
    assert not list(found.catalog)


def test_the_places_of_many_copies_are_not_all_looked_for() -> None:
    """Each copy has a finding with its own place; beside it there are three of the others, however many there are."""
    located: list[str] = []
    build_catalog(documents([f"cluster-{number:03}.yaml" for number in range(200)], located))
    assert len(located) <= 200 * (1 + 2 * 3)  # once for the message, once beside it


def test_a_file_of_the_source_and_of_a_catalog_is_no_duplicate() -> None:
    found = build_catalog(documents(["a.yaml"]), context=documents(["a.yaml"]))
    assert found.findings == ()
    assert [resource.context for resource in found.catalog] == [False]


def test_a_catalog_may_define_what_the_source_defines_elsewhere() -> None:
    found = build_catalog(documents(["a.yaml"]), context=documents(["b.yaml"]))
    assert [finding.position.path for finding in found.findings] == ["a.yaml"]
    assert found.findings[0].message.endswith("is also defined in b.yaml:3:9")
