"""The objects that install the agent in a cluster, as plain Kubernetes objects."""

from omec.runtime_agent.manifests.install import install
from omec.runtime_agent.manifests.options import Options

__all__ = ["Options", "install"]
