"""The secrets of one download: only from the Secret that the model names, its own parameters, or the agent itself.

Source: reference 07 §6.1.
"""

from __future__ import annotations

import base64
import binascii
import os
from collections.abc import Mapping

from omec.runtime_agent.cluster.client import Cluster
from omec.runtime_agent.cluster.errors import ApiError
from omec.runtime_agent.cluster.resources import SECRETS
from omec.runtime_agent.node.model import NodeModel
from omec.runtime_agent.process.logs import logger

log = logger(__name__)

_TOKEN = "token"  # noqa: S105 - the name of a key
_DOCKER = ".dockerconfigjson"


def secrets_for(model: NodeModel, cluster: Cluster, namespace: str) -> dict[str, str]:
    """The secrets that a job for ``model`` gets.

    ``namespace`` has the Secrets of ClusterBaseModels. A Secret that is missing is no error: the next source is asked.
    Raises :class:`omec.runtime_agent.cluster.errors.UnreachableError`, and
    :class:`omec.runtime_agent.cluster.errors.ApiError` where the API server is unwell: going on without the token would
    look like a missing right.
    """
    if model.scheme == "MODELPACK":
        config = _secret(model, cluster, namespace).get(_DOCKER, "")
        return {"dockerconfig": config} if config else {}
    if model.scheme != "HUGGINGFACE":
        return {}
    key = model.parameters.get("secretKey") or _TOKEN
    data = _secret(model, cluster, namespace)
    if data and not data.get(key):
        log.warning("Secret has no such key", model=str(model.key), secret=model.storage.get("key"), key=key)
    token = data.get(key) or model.parameters.get("token") or os.environ.get("HF_TOKEN", "")
    return {"token": token.strip()} if token.strip() else {}


def _secret(model: NodeModel, cluster: Cluster, namespace: str) -> dict[str, str]:
    """The Secret that the model names, decoded; empty where it names none or it cannot be read."""
    name = model.storage.get("key")
    if not name:
        return {}
    where = model.key.namespace or namespace
    try:
        data: Mapping[str, str] = cluster.get(SECRETS, name, where).get("data") or {}
        return {key: base64.b64decode(value, validate=True).decode() for key, value in data.items()}
    except (ApiError, binascii.Error, UnicodeDecodeError) as error:
        if isinstance(error, ApiError) and not (error.not_found or error.forbidden):
            raise
        log.warning("Secret cannot be read", model=str(model.key), secret=name, namespace=where, error=str(error))
        return {}
