"""Finding the cluster: the service account of a pod, or a kubeconfig. The only module that imports kubernetes."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from omec.runtime_agent.cluster.client import Cluster
from omec.runtime_agent.cluster.errors import ClusterError
from omec.runtime_agent.cluster.rules import CLIENT_MISSING, NO_CLUSTER

if TYPE_CHECKING:
    from kubernetes.client import Configuration

_CONNECTIONS = 32
"""A watch takes one for itself, and a role follows some twenty kinds."""


def connect(
    kubeconfig: Path | None = None,
    context: str | None = None,
    *,
    acting_as: str = "",
    acting_groups: tuple[str, ...] = (),
    field_manager: str = "omec-agent",
) -> Cluster:
    """The cluster of ``kubeconfig``, of ``KUBECONFIG``, of this pod, or of ``~/.kube/config``, in this order.

    ``acting_as`` is a user to impersonate (``system:serviceaccount:NS:NAME``). Raises :class:`ClusterError`.
    """
    try:
        from kubernetes.client import Configuration  # noqa: PLC0415
        from kubernetes.client.rest import RESTClientObject  # noqa: PLC0415
        from kubernetes.config import ConfigException  # noqa: PLC0415
        from yaml import YAMLError  # noqa: PLC0415
    except ImportError:
        raise ClusterError(
            "talking to a cluster needs the client for Kubernetes, which is not installed",
            hint="pip install 'omec[agent]'",
            code=CLIENT_MISSING.code,
        ) from None
    configuration = Configuration()
    configuration.connection_pool_maxsize = _CONNECTIONS
    if kubeconfig is not None and not kubeconfig.is_file():
        raise _unconfigured(f"there is no file {kubeconfig}")
    try:
        _load(configuration, kubeconfig, context)
        pool = RESTClientObject(configuration).pool_manager
    except (ConfigException, YAMLError, OSError, ValueError) as error:
        raise _unconfigured(str(error)) from None
    except (TypeError, KeyError, AttributeError):  # the client's library looks into whatever is there
        raise _unconfigured(f"{kubeconfig or 'the file'} is no kubeconfig") from None
    impersonated = _impersonated(acting_as, acting_groups)
    return Cluster(pool, configuration.host, _headers(configuration, impersonated), field_manager)


def _unconfigured(why: str) -> ClusterError:
    return ClusterError(
        f"no cluster is configured: {why}",
        hint="name a kubeconfig with --kubeconfig or KUBECONFIG, and its context with --context",
        code=NO_CLUSTER.code,
    )


def _load(configuration: Configuration, kubeconfig: Path | None, context: str | None) -> None:
    from kubernetes import config  # noqa: PLC0415

    load_in_pod: Callable[..., None] = config.load_incluster_config
    load_file: Callable[..., None] = config.load_kube_config

    in_pod = "KUBERNETES_SERVICE_HOST" in os.environ and not os.environ.get("KUBECONFIG")
    if in_pod and kubeconfig is None and context is None:
        load_in_pod(client_configuration=configuration)
        return
    load_file(
        config_file=str(kubeconfig) if kubeconfig else None,
        context=context,
        client_configuration=configuration,
        persist_config=False,
    )


def _headers(configuration: Configuration, impersonated: Mapping[str, str]) -> Callable[[], dict[str, str]]:
    """The headers of the next request: the token of a service account changes while the process runs."""

    def current() -> dict[str, str]:
        token = configuration.get_api_key_with_prefix("BearerToken", alias="authorization")
        return {**impersonated, **({"Authorization": token} if token else {})}

    return current


def _impersonated(user: str, groups: tuple[str, ...]) -> dict[str, str]:
    if not user:
        return {}
    if not groups and user.startswith("system:serviceaccount:"):
        groups = ("system:serviceaccounts", f"system:serviceaccounts:{user.split(':')[2]}", "system:authenticated")
    headers = {"Impersonate-User": user}
    return headers | ({"Impersonate-Group": ",".join(groups)} if groups else {})
