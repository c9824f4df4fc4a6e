"""Problems of the connection in the words of a command, for people."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from omec.runtime_agent.cluster.errors import ApiError, ClusterError, UnreachableError
from omec.runtime_agent.cluster.rules import CLUSTER_REFUSES


@contextmanager
def cluster_problems_end_the_command() -> Iterator[None]:
    """Raise :class:`ClusterError` in the place of a refusal or a lost connection."""
    try:
        yield
    except ApiError as error:
        hint = "check the identity with kubectl auth can-i" if error.forbidden else "see the API server's own words"
        raise ClusterError(f"the API server refuses: {error}", hint=hint, code=CLUSTER_REFUSES.code) from None
    except UnreachableError as error:
        raise ClusterError(str(error), hint="check the network and the kubeconfig", code=CLUSTER_REFUSES.code) from None
