"""The whole installation, in an order in which every object finds what it needs."""

from __future__ import annotations

from omec.runtime_agent.manifests.claims import claim_objects
from omec.runtime_agent.manifests.network import network_policies, pod_monitor
from omec.runtime_agent.manifests.node import daemon_set
from omec.runtime_agent.manifests.options import Object, Options, metadata
from omec.runtime_agent.manifests.rbac import accounts, permissions
from omec.runtime_agent.manifests.status import deployment


def install(options: Options) -> list[Object]:
    """The objects of an installation; the same options give the same objects."""
    return [
        _namespace(options),
        *accounts(options),
        *permissions(options),
        *claim_objects(options),
        *network_policies(options),
        daemon_set(options),
        deployment(options),
        *([pod_monitor(options)] if options.monitoring else []),
    ]


def _namespace(options: Options) -> Object:
    described = metadata(options.namespace)
    # Directories of the host are forbidden under the other levels of Pod Security.
    described["labels"] |= {"pod-security.kubernetes.io/enforce": "privileged"}
    # The namespace may be OME's as well: a deleted Application must not take it along.
    described["annotations"] = {"argocd.argoproj.io/sync-options": "Delete=false,Prune=false"}
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": described}
