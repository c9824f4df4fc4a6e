"""What the agent may do: each verb is one that the code uses, and a test acts under exactly these rules.

No role of the agent reads Secrets of the cluster at large. Tokens are read from the Secrets that models name, each by
name, in a Role of its namespace.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from omec.runtime_agent.coexistence import MANAGER, MODEL_AGENT
from omec.runtime_agent.manifests.options import NODE_ACCOUNT, STATUS_ACCOUNT, Object, Options, metadata
from omec.runtime_agent.status.leader import LEASE

_RBAC = "rbac.authorization.k8s.io"
_MODELS = ("basemodels", "clusterbasemodels")
_RUNTIMES = ("servingruntimes", "clusterservingruntimes")
_FOLLOW = ("list", "watch")
_COMPONENTS = {NODE_ACCOUNT: "node", STATUS_ACCOUNT: "status"}

Bound = tuple[tuple[str, Sequence[Object]], ...]
"""Rules by the account that they are for."""


def rule(group: str, resources: Sequence[str], verbs: Sequence[str], names: Sequence[str] = ()) -> Object:
    """One rule of a Role; with ``names`` it holds for these objects alone."""
    only = {"resourceNames": list(names)} if names else {}
    return {"apiGroups": [group], "resources": list(resources), **only, "verbs": list(verbs)}


_OME_ITSELF = (
    rule("apps", ("deployments",), _FOLLOW, (MANAGER,)),
    rule("apps", ("daemonsets",), _FOLLOW, (MODEL_AGENT,)),
)
"""To see whether OME's own manager or model agent runs."""

NODE_RULES = (
    rule("", ("nodes",), ("get", *_FOLLOW, "patch")),
    rule("ome.io", _MODELS, ("get", *_FOLLOW, "patch")),
    rule("events.k8s.io", ("events",), ("create",)),
    *_OME_ITSELF,
)
NODE_RULES_IN_NAMESPACE = (rule("", ("configmaps",), ("get", *_FOLLOW, "create", "patch")),)

STATUS_RULES = (
    rule("", ("nodes",), ("get", *_FOLLOW)),
    rule("", ("pods", "services", "persistentvolumeclaims"), _FOLLOW),
    rule("batch", ("jobs",), _FOLLOW),
    rule("apps", ("deployments",), _FOLLOW),
    rule("apps", ("daemonsets",), _FOLLOW, (MODEL_AGENT,)),
    rule("networking.k8s.io", ("ingresses",), _FOLLOW),
    rule("gateway.networking.k8s.io", ("httproutes",), _FOLLOW),
    rule("leaderworkerset.x-k8s.io", ("leaderworkersets",), _FOLLOW),
    rule("events.k8s.io", ("events",), ("create",)),
    rule("ome.io", _MODELS, (*_FOLLOW, "patch")),
    rule("ome.io", (*_RUNTIMES, "inferenceservices", "inferencereplicas"), _FOLLOW),
    rule("ome.io", [f"{each}/status" for each in (*_MODELS, *_RUNTIMES, "inferenceservices")], ("patch",)),
)
STATUS_RULES_IN_NAMESPACE = (
    rule("", ("configmaps",), ("get", *_FOLLOW, "create", "delete")),
    rule("coordination.k8s.io", ("leases",), ("create",)),
    rule("coordination.k8s.io", ("leases",), ("get", "update"), (LEASE,)),
)


def accounts(options: Options) -> Iterator[Object]:
    """A service account for each role."""
    for name, component in _COMPONENTS.items():
        yield {
            "apiVersion": "v1",
            "kind": "ServiceAccount",
            "metadata": metadata(name, options.namespace, component),
            "automountServiceAccountToken": False,
        }


def permissions(options: Options) -> Iterator[Object]:
    """The roles and bindings of both accounts."""
    everywhere: Bound = ((NODE_ACCOUNT, NODE_RULES), (STATUS_ACCOUNT, STATUS_RULES))
    at_home: Bound = ((NODE_ACCOUNT, NODE_RULES_IN_NAMESPACE), (STATUS_ACCOUNT, STATUS_RULES_IN_NAMESPACE))
    for account, rules in everywhere:
        yield from bound("ClusterRole", account, rules, options, account, None)
    for account, rules in at_home:
        yield from bound("Role", account, rules, options, account, options.namespace)
    for namespace in sorted(options.secrets):
        tokens = rule("", ("secrets",), ("get",), options.secrets[namespace])
        yield from bound("Role", f"{NODE_ACCOUNT}-tokens", (tokens,), options, NODE_ACCOUNT, namespace)


def bound(
    kind: str,
    name: str,
    rules: Sequence[Object],
    options: Options,
    account: str,
    namespace: str | None,
    *,
    account_namespace: str = "",
) -> Iterator[Object]:
    """A role with its binding; the account is in the namespace of the agent unless another one is given."""
    described = metadata(name, namespace, _COMPONENTS.get(account, "metadata"))
    yield {"apiVersion": f"{_RBAC}/v1", "kind": kind, "metadata": described, "rules": list(rules)}
    yield {
        "apiVersion": f"{_RBAC}/v1",
        "kind": f"{kind}Binding",
        "metadata": described,
        "roleRef": {"apiGroup": _RBAC, "kind": kind, "name": name},
        "subjects": [{"kind": "ServiceAccount", "name": account, "namespace": account_namespace or options.namespace}],
    }
