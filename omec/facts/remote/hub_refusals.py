"""Why the hub refuses an answer, in the user's words."""

from __future__ import annotations

from omec.facts.display import shown
from omec.facts.remote.errors import HttpError, RemoteError

_UNAUTHORIZED, _FORBIDDEN, _NOT_FOUND, _TOO_MANY = 401, 403, 404, 429


def refusal(error: HttpError, host: str, repository: str, revision: str, *, has_token: bool) -> RemoteError:
    """The error for what ``host`` answered to a question about ``repository``."""
    token = "the token of HF_TOKEN" if has_token else "no token (HF_TOKEN is not set)"
    if error.code == "RevisionNotFound":
        message = f"{repository} has no revision {shown(revision)} on {host}"
        return RemoteError(message, hint="correct what stands after @ in the model's storageUri")
    if error.code == "GatedRepo" or (error.status == _FORBIDDEN and not error.code):
        message = f"{host} gives {repository} only to accounts that it knows, and got {token}"
        return RemoteError(message, hint="accept the model's terms on its page and set HF_TOKEN of that account")
    if error.status == _UNAUTHORIZED and has_token and error.code != "RepoNotFound":
        return RemoteError(f"{host} refuses the token of HF_TOKEN", hint="set HF_TOKEN to a token that is valid")
    if error.status in (_UNAUTHORIZED, _NOT_FOUND):
        message = f"{host} has no model {repository} for {token}"
        return RemoteError(message, hint="check the name; a private model needs HF_TOKEN of an account that sees it")
    if error.status == _TOO_MANY:
        after = f" for {error.wait:.0f} s" if error.wait else ""
        return RemoteError(
            f"{host} takes no more requests{after}",
            hint="wait, then run the command again: what was read is kept; with HF_TOKEN the limit is higher",
        )
    reason = f": {shown(error.reason)}" if error.reason else ""
    return RemoteError(
        f"{host} answers HTTP {error.status} for {repository}{reason}",
        hint="run the command again later; what was read is kept",
    )
