"""The tasks of ``omec agent fetch``, from settings to a sentence that says what was done.

Each raises :class:`omec.runtime_agent.download.errors.DownloadError`.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from omec.api.storage_uri import storage_type
from omec.facts.display import shown
from omec.facts.size import format_bytes
from omec.runtime_agent.download.errors import DownloadError, Kind
from omec.runtime_agent.download.job import Job, Report
from omec.runtime_agent.download.runner import Supervision, run
from omec.runtime_agent.download.tally import Tally
from omec.runtime_agent.fetch.variables import Variables
from omec.runtime_agent.fetch.weight_object import WeightObject
from omec.runtime_agent.fetch.weights import fetch_weights
from omec.runtime_agent.process.logs import logger

log = logger(__name__)

SUPERVISION = Supervision(attempts=3)
"""A container that fails is started again by the kubelet; a Job, as often as it says."""

_TELL_SECONDS = 15.0
_OBJECT = ("MODEL_NAMESPACE", "MODEL_BUCKET_NAME", "MODEL_OBJECT_NAME")
_NO_DECRYPTION = "true"
_DOWNLOADED = ("HUGGINGFACE", "OCI", "MODELPACK")


def fine_tuned_weights(variables: Variables) -> str:
    """Fetch the archive that the variables name, and unpack it."""
    variables.require("AUTH_TYPE", *_OBJECT)
    archives = variables.directory("ZIPPED_FINE_TUNED_WEIGHT_DIRECTORY")
    target = variables.directory("UNZIPPED_FINE_TUNED_WEIGHT_DIRECTORY")
    namespace, bucket, name = map(variables.get, _OBJECT)
    source = WeightObject(namespace, bucket, name, _storage_parameters(variables))
    log.info("fetching weights", source=source.name, bytes=source.items[0].size, revision=source.revision)
    tally = Tally()
    with _telling(tally.report):
        weights = fetch_weights(source, archives, target, tally)
    if not weights.changed:
        return f"the weights of {source.name} are complete in {target} already"
    return f"{weights.files} files ({format_bytes(weights.size)}) of {source.name} are in {target}"


def model(
    uri: str, directory: Path, variables: Variables, *, token: str = "", bandwidth: int = 0, endpoint: str = ""
) -> str:
    """Bring the model that ``uri`` names to ``directory``, whole and verified."""
    target = directory.absolute()
    if storage_type(uri) not in _DOWNLOADED:
        raise DownloadError(Kind.UNSUPPORTED, f"{shown(uri)} is nothing to download: hf://, oci:// or modelpack:// is")
    if os.path.ismount(target):
        raise DownloadError(Kind.PATH, f"{target} is where a volume is mounted; name a directory below it")
    job = Job(
        uri,
        str(target),
        roots=(str(target.parent),),
        endpoint=endpoint,
        bandwidth=bandwidth,
        reserve=0,
        reads_facts=False,
        parameters=_storage_parameters(variables),
        secrets={"token": token} if token else {},
    )
    log.info("fetching a model", uri=uri, path=str(target))
    reports: deque[Report] = deque(maxlen=1)
    with _telling(lambda: reports[0] if reports else None):
        result = run(job, threading.Event(), reports.append, SUPERVISION)
    if not result.changed:
        return f"{uri} is complete in {target} already"
    return f"{uri} at {result.revision} is in {target}: {result.files} files, {format_bytes(result.size)}"


def unencrypted_model(variables: Variables) -> str:
    """See that the model is there. Decrypting one is the work of OME's own image, which has the keys' client."""
    if variables.get("DISABLE_MODEL_DECRYPTION").lower() != _NO_DECRYPTION:
        raise DownloadError(
            Kind.UNSUPPORTED,
            "omec decrypts no models: name OME's own image in modelInit.image, or annotate the service with "
            'ome.io/disable-model-decryption: "true"',
        )
    directory = variables.directory("LOCAL_PATH")
    try:
        found = any(directory.iterdir())
    except OSError as error:
        raise DownloadError(
            Kind.LOCAL_MISSING, f"the model's directory {directory}: {(error.strerror or str(error)).lower()}"
        ) from None
    if not found:
        raise DownloadError(Kind.LOCAL_MISSING, f"the model's directory {directory} is empty")
    return f"the model in {directory} is there, and needs no decryption"


def _storage_parameters(variables: Variables) -> dict[str, str]:
    """Who to act as towards object storage, and where it is."""
    names = {"auth": "AUTH_TYPE", "region": "REGION", "endpoint": "ENDPOINT"}
    return {key: variables.get(name) for key, name in names.items() if variables.get(name)}


@contextmanager
def _telling(state: Callable[[], Report | None]) -> Iterator[None]:
    """Log how far a download is, every few seconds."""
    done = threading.Event()

    def tell() -> None:
        while not done.wait(_TELL_SECONDS):
            report = state()
            if report is not None:
                log.info("progress", phase=report.phase, bytes=report.completed_bytes, of=report.total_bytes)

    thread = threading.Thread(target=tell, name="progress", daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
