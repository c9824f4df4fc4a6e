"""From secrets to faults: what the three rules of this package share."""

from __future__ import annotations

from collections.abc import Iterator

from omec.api.secrets import Secret, Sort
from omec.finding import FieldPath
from omec.lint.context import Context, Fault


def faults(context: Context, sort: Sort) -> Iterator[Fault]:
    """A fault for every secret of one sort; none shows the secret."""
    for resource, secret in context.secrets:
        if secret.sort is sort:
            yield Fault(resource, secret.path, _message(secret), _help(secret.path))


def _message(secret: Secret) -> str:
    match secret.sort:
        case Sort.NAME:
            return f"{secret.what} has its value in plain text"
        case Sort.URL:
            return f"the URL holds {secret.what}"
        case Sort.FORM:
            return f"this is {secret.what} in plain text"


def _help(path: FieldPath) -> str:
    """Where the secret goes instead: OME and Kubernetes have a place for each use."""
    if "parameters" in path and "storage" in path:
        place = "keep it in a Secret and name that in storage.key"
    elif "env" in path:
        place = "keep it in a Secret and take it with valueFrom.secretKeyRef"
    elif "args" in path or "command" in path:
        place = "keep it in a Secret, take it into a variable with valueFrom.secretKeyRef, and pass $(VARIABLE)"
    else:
        place = "keep it in a Secret"
    return f"{place}; revoke this one, since Git keeps it"
