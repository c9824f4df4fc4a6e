"""Finding the cluster: the service account of a pod, or a kubeconfig. The only module that imports kubernetes."""

from __future__ import annotations

import os
import socket
import ssl
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from omec.runtime_agent.cluster.client import Cluster
from omec.runtime_agent.cluster.errors import ClusterError
from omec.runtime_agent.cluster.rules import CLIENT_MISSING, NO_CLUSTER
from omec.runtime_agent.cluster.service_account import ServiceAccount, in_pod

if TYPE_CHECKING:
    from kubernetes.client import Configuration
    from urllib3 import PoolManager

_CONNECTIONS = 32
"""A watch takes one for itself, and a role follows some twenty kinds."""

_TCP_OPTIONS = (
    ("TCP_NODELAY", 1),
    ("TCP_KEEPIDLE", 30),
    ("TCP_KEEPINTVL", 5),
    ("TCP_KEEPCNT", 3),
    ("TCP_USER_TIMEOUT", 20_000),
)
"""What the operating system does about a peer that is silent: probes after 30 seconds, and the end after 15 more.

A packet that nobody acknowledges for 20 seconds (here in milliseconds) ends the connection as well. Without them, a
connection that a firewall has forgotten is found out by the next request, and only after its timeout. The times are
about those of Kubernetes' own clients.
"""

Headers = Callable[[], dict[str, str]]
"""What the next request says of who asks: tokens change while the process runs."""


def connect(
    kubeconfig: Path | None = None,
    context: str | None = None,
    *,
    acting_as: str = "",
    field_manager: str = "omec-agent",
    service_account: Path | None = None,
) -> Cluster:
    """The cluster of ``kubeconfig``, of ``KUBECONFIG``, of this pod, or of ``~/.kube/config``, in this order.

    ``acting_as`` is a user to impersonate (``system:serviceaccount:NS:NAME``); the API server adds the groups of a
    service account. ``service_account`` is where that of this pod is mounted. Raises :class:`ClusterError`.
    """
    named = kubeconfig is not None or context is not None or os.environ.get("KUBECONFIG")
    try:
        if in_pod() and not named:
            pool, host, headers = _of_pod(service_account)
        else:
            pool, host, headers = _of_kubeconfig(kubeconfig, context)
    except ImportError:
        raise ClusterError(
            "talking to a cluster needs the client for Kubernetes, which is not installed",
            hint="pip install 'omec[agent]'",
            code=CLIENT_MISSING.code,
        ) from None
    _verify_as_kubectl(pool)
    pool.connection_pool_kw["socket_options"] = _socket_options()
    impersonated = {"Impersonate-User": acting_as} if acting_as else {}
    return Cluster(pool, host, lambda: headers() | impersonated, field_manager)


def _of_pod(folder: Path | None) -> tuple[PoolManager, str, Headers]:
    try:
        account = ServiceAccount(folder)
        return account.pool(_CONNECTIONS), account.host, account.headers
    except (OSError, KeyError, ValueError) as error:
        raise _not_configured(error) from None


def _of_kubeconfig(kubeconfig: Path | None, context: str | None) -> tuple[PoolManager, str, Headers]:
    from kubernetes import config  # noqa: PLC0415
    from kubernetes.client import Configuration  # noqa: PLC0415
    from kubernetes.client.rest import RESTClientObject  # noqa: PLC0415
    from yaml import YAMLError  # noqa: PLC0415

    configuration = Configuration()
    configuration.connection_pool_maxsize = _CONNECTIONS
    if kubeconfig is not None and not kubeconfig.is_file():
        raise _not_configured(f"there is no file {kubeconfig}")
    load: Callable[..., None] = config.load_kube_config
    try:
        load(
            config_file=str(kubeconfig) if kubeconfig else None,
            context=context,
            client_configuration=configuration,
            persist_config=False,
        )
        pool = RESTClientObject(configuration).pool_manager
    except (config.ConfigException, YAMLError, OSError, ValueError) as error:
        raise _not_configured(error) from None
    except (TypeError, KeyError, AttributeError):  # the client's library looks into whatever is there
        raise _not_configured(f"{kubeconfig or 'the file'} is no kubeconfig") from None
    return pool, configuration.host, lambda: _authorization(configuration)


def _authorization(configuration: Configuration) -> dict[str, str]:
    token = configuration.get_api_key_with_prefix("BearerToken", alias="authorization")
    return {"Authorization": token} if token else {}


def _verify_as_kubectl(pool: PoolManager) -> None:
    """Judge certificates as Kubernetes' own programs do.

    From Python 3.13 on, certificates must have extensions that the authorities of many clusters leave out (EKS, and
    what was set up with Kubernetes 1.18 or earlier): "Missing Authority Key Identifier".
    """
    from urllib3.util.ssl_ import create_urllib3_context  # noqa: PLC0415

    given = pool.connection_pool_kw
    context = create_urllib3_context(cert_reqs=given.get("cert_reqs"))
    context.verify_flags &= ~ssl.VERIFY_X509_STRICT
    if not given.get("ca_certs") and not given.get("ca_cert_data"):
        context.load_default_certs()  # as without a context
    given["ssl_context"] = context


def _socket_options() -> list[tuple[int, int, int]]:
    """:data:`_TCP_OPTIONS`, as far as this operating system has them."""
    known = [(getattr(socket, name), value) for name, value in _TCP_OPTIONS if hasattr(socket, name)]
    return [
        (socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1),
        *((socket.IPPROTO_TCP, option, value) for option, value in known),
    ]


def _not_configured(error: Exception | str) -> ClusterError:
    return ClusterError(
        f"no cluster is configured: {error}",
        hint="name a kubeconfig with --kubeconfig or KUBECONFIG, and its context with --context",
        code=NO_CLUSTER.code,
    )
