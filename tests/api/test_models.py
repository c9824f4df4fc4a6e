"""The models as Python users meet them."""

from __future__ import annotations

import subprocess
import sys

import pydantic
import pytest

from omec.api import models
from omec.api.checks import CHECKS
from omec.api.kinds import KINDS
from omec.api.models.base import Model
from tests.api.manifests import body


def _all_models(model: type[Model] = Model) -> set[type[Model]]:
    return {model}.union(*map(_all_models, model.__subclasses__()))


def test_every_kind_has_a_model() -> None:
    assert models.MODELS.keys() == KINDS.keys()


def test_parse_gives_typed_objects() -> None:
    service = models.parse(body("InferenceService", "{model: {name: m}, engine: {minReplicas: 2}}"))
    assert isinstance(service, models.InferenceService)
    assert service.spec is not None
    assert service.spec.model is not None
    assert service.spec.model.kind == "ClusterBaseModel"
    assert service.spec.engine is not None
    assert service.spec.engine.min_replicas == 2


def test_parse_refuses_other_kinds() -> None:
    with pytest.raises(LookupError, match="'Deployment' is not a kind"):
        models.parse({"apiVersion": "apps/v1", "kind": "Deployment"})


def test_python_names_and_wire_names_are_both_accepted() -> None:
    by_name = models.model.StorageSpec(storage_uri="hf://a/b", node_selector={"a": "b"})
    by_alias = models.model.StorageSpec.model_validate({"storageUri": "hf://a/b", "nodeSelector": {"a": "b"}})
    assert by_name == by_alias
    assert by_name.to_dict() == {"storageUri": "hf://a/b", "nodeSelector": {"a": "b"}}


def test_objects_are_immutable() -> None:
    storage = models.model.StorageSpec(storage_uri="hf://a/b")
    with pytest.raises(pydantic.ValidationError):
        storage.storage_uri = "hf://a/c"


def test_conditions_hold_for_objects_made_in_python() -> None:
    with pytest.raises(pydantic.ValidationError, match="exactly one of value or fromComponent must be set"):
        models.policy.ReplicaValueSource(value=1, from_component="MinReplicas")


def test_every_field_is_described() -> None:
    undescribed = [
        f"{model.__name__}.{name}"
        for model in _all_models()
        for name, field in model.model_fields.items()
        if not field.description
    ]
    assert undescribed == []


def test_every_check_belongs_to_a_model() -> None:
    assert {check.name for model in _all_models() for check in model.checks} == CHECKS.keys()


def test_the_linter_does_not_load_pydantic() -> None:
    code = (
        "import sys, omec.api.structure as s; from omec.repo.document import Document; "
        "s.structural_findings('RolloutPolicy', Document('x', 0, "
        "{'apiVersion': 'ome.io/v1beta1', 'kind': 'RolloutPolicy', 'metadata': {'name': 'x'}, 'spec': {}})); "
        "print('pydantic' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
