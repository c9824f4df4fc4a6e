"""``oci-auth``: a way to sign in to OCI Object Storage that the agent does not know."""

from __future__ import annotations

from collections.abc import Iterator

from omec.api.suggestions import closest
from omec.finding import Rule, Severity
from omec.lint.context import Context, Fault

RULE = Rule(
    "OME372",
    "oci-auth",
    Severity.ERROR,
    "The parameter auth of an oci:// model is none of those that the agent knows",
    why="The agent compares the text exactly, cannot sign in, and the model fails on every node.",
    fix="Write `InstancePrincipal`, `UserPrincipal`, `ResourcePrincipal` or `OkeWorkloadIdentity`.",
    source="reference 07 §17, oci-auth",
    bad="""\
storage:
  storageUri: oci://n/acme/b/models/o/qwen3-8b
  path: /mnt/data/models/qwen3-8b
  parameters: {auth: instance_principal}
""",
    good="""\
storage:
  storageUri: oci://n/acme/b/models/o/qwen3-8b
  path: /mnt/data/models/qwen3-8b
  parameters: {auth: InstancePrincipal}
""",
)

_KINDS = ("InstancePrincipal", "UserPrincipal", "ResourcePrincipal", "OkeWorkloadIdentity")


def check(context: Context) -> Iterator[Fault]:
    for stored in context.stored_models:
        auth = (stored.storage.get("parameters") or {}).get("auth") if stored.scheme == "oci" else None
        if auth and auth not in _KINDS:
            meant = closest(auth, _KINDS)
            message = f'the agent knows no auth "{auth}"'
            path = ("spec", "storage", "parameters", "auth")
            yield Fault(stored.model, path, message, f"did you mean {meant}?" if meant else "")
