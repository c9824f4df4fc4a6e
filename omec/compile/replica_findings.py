"""What is wrong with the InferenceReplicas that a repository itself holds."""

from __future__ import annotations

from collections.abc import Container, Iterator

from omec.compile.native.surroundings import Surroundings
from omec.finding import Finding, ObjectRef
from omec.repo.config import Config


def replica_findings(
    surroundings: Surroundings,
    config: Config,
    faulty: Container[ObjectRef | None],
) -> Iterator[Finding]:
    """The findings about the replicas, but for the ``faulty`` ones, which have an error already."""
    replicas = [replica for replica in surroundings.catalog.of_kind("InferenceReplica") if not replica.context]
    if not replicas:
        return
    from omec.compile.native import standalone  # noqa: PLC0415 - few repositories have replicas
    from omec.compile.validate import Validator  # noqa: PLC0415

    validator = Validator(config.kubernetes_version)
    for replica in replicas:
        if replica.ref in faulty:
            continue
        yield from standalone.replica_findings(replica, surroundings, validator)
        if config.platform == "kubernetes":
            yield standalone.without_controller(replica)
