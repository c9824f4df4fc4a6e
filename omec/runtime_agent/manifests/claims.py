"""What reading models on claims takes: where the claims are, an account for the Jobs and the right to start them.

Who may create Jobs can run anything under any account of the namespace. So the status role gets that right only where a
model of the repository has its claim, and the Jobs may write nothing but the results of their own models.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from omec.api.storage_uri import StorageUriError
from omec.catalog import Resource
from omec.runtime_agent.claims.contract import ACCOUNT, Claim
from omec.runtime_agent.contract.names import ModelKey, metadata_config_map
from omec.runtime_agent.manifests.options import STATUS_ACCOUNT, Object, Options, metadata
from omec.runtime_agent.manifests.rbac import bound, rule

_COMPONENT = "metadata"


def results_of_claims(models: Iterable[Resource]) -> dict[str, tuple[str, ...]]:
    """The ConfigMaps of results by the namespace of the claim; models with a wrong URI have none."""
    found: dict[str, set[str]] = {}
    for model in models:
        storage = model.spec.get("storage")
        if not isinstance(storage, dict) or not str(storage.get("storageUri", "")).startswith("pvc://"):
            continue
        body = {"metadata": {"name": model.name, "namespace": model.namespace}, "spec": model.spec}
        try:
            claim = Claim.of(body)
        except StorageUriError:
            continue
        name = metadata_config_map(ModelKey(model.namespace or None, model.name))
        found.setdefault(claim.namespace, set()).add(name)
    return {where: tuple(sorted(names)) for where, names in found.items()}


def claim_objects(options: Options) -> Iterator[Object]:
    """Accounts, Roles and bindings, namespace by namespace."""
    pull_secrets = [{"name": name} for name in options.pull_secrets]
    for namespace in sorted(options.claims):
        yield {
            "apiVersion": "v1",
            "kind": "ServiceAccount",
            "metadata": metadata(ACCOUNT, namespace, _COMPONENT),
            "automountServiceAccountToken": False,
            **({"imagePullSecrets": pull_secrets} if pull_secrets else {}),
        }
        start = rule("batch", ("jobs",), ("create", "delete"))
        yield from bound("Role", f"{STATUS_ACCOUNT}-claims", (start,), options, STATUS_ACCOUNT, namespace)
        tell = rule("", ("configmaps",), ("get", "patch"), options.claims[namespace])
        yield from bound(
            "Role", f"{ACCOUNT}-{namespace}", (tell,), options, ACCOUNT, options.namespace, account_namespace=namespace
        )
