"""The Hugging Face hub: which commit a revision is, and the files of that commit.

Of a repository, only the list of its files, the JSON files that the reader asks for and the headers of safetensors
files are fetched; the weights stay where they are.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from omec.api.storage_uri import HuggingFaceUri
from omec.facts.directory import Directory
from omec.facts.display import shown
from omec.facts.remote.client import BeyondEndError, Client
from omec.facts.remote.errors import ConnectionFailedError, HttpError, RemoteError
from omec.facts.remote.hub_file import HubFile
from omec.facts.remote.hub_refusals import refusal
from omec.facts.remote.hub_wire import HubWire
from omec.facts.remote.listing import Listing
from omec.facts.remote.wire import Answer, Request
from omec.facts.tree import Entry, ModelTree, Result, UnreadableError

_MODEL_ID = re.compile(r"[A-Za-z0-9._-]+(?:/[A-Za-z0-9._-]+)?")
_COMMIT = re.compile(r"[0-9a-f]{40}")
_DEFAULT_REVISION = "main"

_NEXT_PAGE = re.compile(r'<([^<>]+)>;\s*rel="next"')
_MOST_PAGES = 200
_LONGEST_LISTING = 32 * 1024 * 1024
_CHECK_NAME = "check the name and the revision in the model's storageUri"
_CHECK_ENDPOINT = "check that HF_ENDPOINT names a Hugging Face hub, and that no proxy answers in its place"
_NOT_FOUND = 404


class Hub:
    """One hub, named by ``HF_ENDPOINT``; reads only the cache where the environment says ``HF_HUB_OFFLINE``."""

    def __init__(self, executor: Executor | None = None, client: Client | None = None) -> None:
        self._wire = HubWire()
        self._client = client or Client(self._wire)
        self._executor = executor

    @property
    def offline(self) -> bool:
        """Whether the environment forbids to ask the hub, so that only the local cache can answer."""
        return self._wire.offline

    def stop(self) -> None:
        """Give up what is under way; see :meth:`Client.stop`."""
        self._client.stop()

    def open(self, uri: HuggingFaceUri) -> tuple[str, ModelTree]:
        """The commit that the revision of ``uri`` is at present, and its files; raises :class:`RemoteError`."""
        repository = _repository(uri)
        revision = uri.revision or _DEFAULT_REVISION
        if self.offline:
            return self._cached(repository, revision)
        about = self._about(repository, revision)
        commit = self._commit(about, repository, revision)
        siblings = about.get("siblings")
        names = _names(siblings, "rfilename") if isinstance(siblings, list) else self._tree(repository, commit)
        return commit, HubTree(self, repository, commit, Listing(names), self._executor)

    def files(self, uri: HuggingFaceUri) -> tuple[str, str, list[HubFile]]:
        """The repository, the commit that the revision of ``uri`` is at present, and its files with their digests.

        Raises :class:`RemoteError`.
        """
        repository = _repository(uri)
        about = self._about(repository, uri.revision or _DEFAULT_REVISION)
        commit = self._commit(about, repository, uri.revision)
        files = [HubFile.of(item) for item in self._tree_items(repository, commit)]
        self._require_all(repository, about, files)
        return repository, commit, files

    def fetch(self, request: Request, repository: str) -> Answer:
        """The whole resource, or the range, that ``request`` names, with the user's token.

        Raises :class:`BeyondEndError` where the file is shorter, else :class:`RemoteError`.
        """
        asked = Request(request.url, request.most, self._wire.headers, request.start)
        return self._told(lambda: self._send(asked), repository)

    def fetch_direct(self, request: Request) -> Answer | None:
        """As :meth:`fetch` for the place that a file was redirected to, without the token; ``None`` if that fails."""
        try:
            return self._send(request)
        except (HttpError, ConnectionFailedError):
            return None

    def url(self, repository: str, commit: str, path: str) -> str:
        return f"{self._wire.endpoint}/{repository}/resolve/{commit}/{quote(path)}"

    def is_elsewhere(self, url: str) -> bool:
        """Whether ``url`` is on another server than the hub."""
        return urlsplit(url)[:2] != urlsplit(self._wire.endpoint)[:2]

    @property
    def headers(self) -> Mapping[str, str]:
        """What every request carries, the token included; for the hub's own host only."""
        return self._wire.headers

    @property
    def _host(self) -> str:
        return urlsplit(self._wire.endpoint).netloc.rpartition("@")[2]

    def _send(self, request: Request) -> Answer:
        return self._client.whole(request) if request.start is None else self._client.part(request)

    def _about(self, repository: str, revision: str) -> dict[str, Any]:
        """What the hub says about a revision: ``sha``, and ``siblings``, the files."""
        url = f"{self._wire.endpoint}/api/models/{repository}/revision/{quote(revision, safe='')}"
        request = Request(f"{url}?expand=sha&expand=siblings", _LONGEST_LISTING, self._wire.headers)
        about = self._json(request, repository, revision)[0]
        return about if isinstance(about, dict) else {}

    def _commit(self, about: Mapping[str, Any], repository: str, revision: str) -> str:
        commit = about.get("sha")
        if not isinstance(commit, str) or not _COMMIT.fullmatch(commit):
            raise RemoteError(
                f"{self._host} does not say which commit revision {shown(revision)} of {repository} is",
                hint=_CHECK_ENDPOINT,
                status=0,
            )
        return commit

    def _require_all(self, repository: str, about: Mapping[str, Any], files: Sequence[HubFile]) -> None:
        """Refuse a list of files that is shorter than the repository."""
        if not files:
            raise RemoteError(f"{repository} has no files on {self._host}", hint=_CHECK_NAME, status=_NOT_FOUND)
        siblings = about.get("siblings")
        named = set(_names(siblings, "rfilename")) if isinstance(siblings, list) else set()
        left_out = named - {file.path for file in files}
        if left_out:
            raise RemoteError(
                f"{self._host} lists {len(files)} files of {repository}, and leaves out {shown(min(left_out))}",
                hint="a mirror or proxy that HF_ENDPOINT names must pass on the header Link of the hub's answers",
                status=0,
            )

    def _tree(self, repository: str, commit: str) -> Iterator[str]:
        """The names of the files of a commit: mirrors of the hub may not list them with the revision."""
        return _names(list(self._tree_items(repository, commit)), "path")

    def _tree_items(self, repository: str, commit: str) -> Iterator[dict[str, Any]]:
        """What the hub tells of each file of a commit, asked for page by page."""
        url = f"{self._wire.endpoint}/api/models/{repository}/tree/{commit}"
        query = "recursive=true"
        for _ in range(_MOST_PAGES):
            request = Request(f"{url}?{query}", _LONGEST_LISTING, self._wire.headers)
            page, answer = self._json(request, repository, commit)
            if not isinstance(page, list) or not all(_is_listed(item) for item in page):
                raise self._no_hub(repository)
            yield from (item for item in page if item.get("type") != "directory")
            following = _NEXT_PAGE.search(answer.headers.get("link", ""))
            if following is None:
                return
            query = urlsplit(following[1]).query  # a mirror may name the hub behind it: the token stays here
        raise RemoteError(
            f"{self._host} lists {repository} on more than {_MOST_PAGES} pages", hint=_CHECK_ENDPOINT, status=0
        )

    def _json(self, request: Request, repository: str, revision: str) -> tuple[Any, Answer]:
        """What the hub answers, a mapping or a list; raises :class:`RemoteError` for anything else."""
        answer = self._told(lambda: self._client.whole(request), repository, revision)
        try:
            value = json.loads(answer.body)
        except (ValueError, RecursionError):
            value = None
        if not isinstance(value, dict | list):
            raise self._no_hub(repository)
        return value, answer

    def _no_hub(self, repository: str) -> RemoteError:
        message = f"{self._host} answers the question about {repository} as no Hugging Face hub does"
        return RemoteError(message, hint=_CHECK_ENDPOINT, status=0)

    def _told(self, ask: Callable[[], Answer], repository: str, revision: str = "") -> Answer:
        """The answer, or why there is none in the user's words."""
        try:
            return ask()
        except HttpError as error:
            refused = refusal(error, self._host, repository, revision, has_token=self._wire.has_token)
            refused.status, refused.wait = error.status, error.wait
            raise refused from None
        except ConnectionFailedError as error:
            raise RemoteError(
                f"{self._host} cannot be reached for {repository}: {error}",
                hint="check the network, HTTPS_PROXY and HF_ENDPOINT; HF_HUB_OFFLINE=1 reads the local cache instead",
                status=0,
            ) from None

    def _cached(self, repository: str, revision: str) -> tuple[str, ModelTree]:
        """What the local cache of the hub's client has."""
        folder = Path(self._wire.cache, f"models--{repository.replace('/', '--')}")
        commit = revision if _COMMIT.fullmatch(revision) else _text_of(folder / "refs" / revision)
        snapshot = folder / "snapshots" / commit
        if not _COMMIT.fullmatch(commit) or not snapshot.is_dir():
            raise RemoteError(
                f"the local cache has no revision {shown(revision)} of {repository}, and HF_HUB_OFFLINE forbids to ask",
                hint="unset HF_HUB_OFFLINE, or download the model on this machine first",
            )
        return commit, Directory(snapshot)


class HubTree:
    """A :class:`omec.facts.tree.ModelTree` over one commit of a repository.

    ``where`` large files have been redirected to is remembered, so that the second request for a file asks the storage
    behind the hub only, which does not count requests.
    """

    def __init__(self, hub: Hub, repository: str, commit: str, files: Listing, executor: Executor | None) -> None:
        self.label = f"hf://{repository}"
        self._hub = hub
        self._repository = repository
        self._commit = commit
        self._files = files
        self._executor = executor
        self._where: dict[str, str] = {}

    def exists(self, path: str) -> bool:
        return self._files.exists(path)

    def entries(self, folder: str) -> list[Entry]:
        return self._files.entries(folder)

    def read(self, path: str, limit: int) -> bytes:
        self._files.require_file(path)
        return self._hub.fetch(Request(self._url(path), limit), self._repository).body

    def read_range(self, path: str, start: int, length: int) -> bytes:
        self._files.require_file(path)
        if length == 0:
            return b""
        try:
            return self._range(path, start, length).body
        except BeyondEndError:
            raise UnreadableError(path, f"the file has less than the {start + length} bytes it should have") from None

    def map(self, function: Callable[[str], Result], paths: Iterable[str]) -> Iterator[Result]:
        return map(function, paths) if self._executor is None else self._executor.map(function, paths)

    def _range(self, path: str, start: int, length: int) -> Answer:
        known = self._where.get(path)
        if known is not None:
            answer = self._hub.fetch_direct(Request(known, length, start=start))
            if answer is not None:
                return answer
        answer = self._hub.fetch(Request(self._url(path), length, start=start), self._repository)
        if self._hub.is_elsewhere(answer.url):
            self._where[path] = answer.url
        return answer

    def _url(self, path: str) -> str:
        return self._hub.url(self._repository, self._commit, path)


def _repository(uri: HuggingFaceUri) -> str:
    name = uri.model_id.strip()
    if not _MODEL_ID.fullmatch(name) or ".." in name or "--" in name:
        raise RemoteError(
            f"{shown(uri.model_id)} is not the name of a model on the hub",
            hint="write hf://ORGANISATION/NAME[@REVISION]",
        )
    return name


def _names(items: list[Any], key: str) -> Iterator[str]:
    for item in items:
        if isinstance(item, dict) and isinstance(name := item.get(key), str):
            yield name


def _is_listed(item: Any) -> bool:
    return isinstance(item, dict) and isinstance(item.get("path"), str)


def _text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii", errors="replace").strip()
    except (OSError, ValueError):
        return ""
