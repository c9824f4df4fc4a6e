"""Models on claims: a Job for each that reads its files, and what it found out into spec and status.

The Jobs run in the namespaces of the claims, where the role has the right to create them only if the installation was
made for it (``omec agent manifests SRC``): who may create Jobs anywhere may do almost anything.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence

from omec.api.storage_uri import StorageUriError
from omec.facts.filling import fill_as_controller
from omec.runtime_agent.claims.contract import RESULT_LABEL, SCOPE_LABEL, Claim, is_own_result, result_labels, uri_of
from omec.runtime_agent.claims.job import job_for
from omec.runtime_agent.claims.verdict import (
    CONFIG_MISSING,
    EXTRACTING,
    INVALID,
    Verdict,
    before_reading,
    result,
    while_reading,
)
from omec.runtime_agent.cluster.client import Cluster
from omec.runtime_agent.cluster.clock import now
from omec.runtime_agent.cluster.errors import ApiError
from omec.runtime_agent.cluster.resources import (
    BASE_MODELS,
    CLAIMS,
    CLUSTER_BASE_MODELS,
    CONFIG_MAPS,
    JOBS,
    Object,
    Resource,
)
from omec.runtime_agent.cluster.watch import Change, key_of
from omec.runtime_agent.contract.names import ModelKey, metadata_config_map, metadata_job
from omec.runtime_agent.process.logs import logger
from omec.runtime_agent.status import slim
from omec.runtime_agent.status.models import FAILED, IN_TRANSIT, READY, is_on_claim
from omec.runtime_agent.status.reconciler import Key, Source

log = logger(__name__)

_MODEL, _RESULT = "claim-model", "claim-result"
_RESOURCES = {resource.kind: resource for resource in (BASE_MODELS, CLUSTER_BASE_MODELS)}
_BACKGROUND = {"propagationPolicy": "Background"}


class ClaimReconciler:
    """Keeps the status of models on claims. ``image`` is what the Jobs run, ``namespace`` where results go."""

    def __init__(self, cluster: Cluster, namespace: str, image: str) -> None:
        self._cluster = cluster
        self._namespace = namespace
        self._image = image
        self._models: dict[Key, Object] = {}
        self._phases: dict[tuple[str, str], str] = {}
        self._jobs: dict[tuple[str, str], Object] = {}
        self._owners: dict[tuple[str, str], Key] = {}
        self._results: dict[str, Object] = {}
        self._lock = threading.RLock()

    @property
    def sources(self) -> Sequence[Source]:
        return (
            Source(BASE_MODELS, self._model),
            Source(CLUSTER_BASE_MODELS, self._model),
            Source(CLAIMS, self._claim),
            Source(JOBS, self._job, labels=SCOPE_LABEL),
            Source(CONFIG_MAPS, self._result, self._namespace, f"{RESULT_LABEL}=true"),
        )

    def owns(self, key: Key) -> bool:
        return key[0] in (_MODEL, _RESULT)

    def everything(self) -> Iterable[Key]:
        with self._lock:
            return [*self._models, *self._owners.values(), *((_RESULT, name) for name in self._results)]

    def reconcile(self, key: Key) -> None:
        if key[0] == _RESULT:
            self._remove_unused(key[1])
            return
        with self._lock:
            model = self._models.get(key)
        self._remove_jobs(key, model)
        if model is None or model["metadata"].get("deletionTimestamp"):
            return
        verdict = self._judged(model)
        model = self._with_facts(key, model, verdict)
        status = verdict.status(model, now())
        if status is not None:
            self._write_status(key, model, status)

    def _judged(self, model: Object) -> Verdict:
        try:
            claim = Claim.of(model)
        except StorageUriError as error:
            return Verdict(FAILED, INVALID, str(error))
        with self._lock:
            job = self._jobs.get((claim.namespace, metadata_job(model["metadata"]["name"], uri_of(model))))
            found = result(model, self._results.get(metadata_config_map(ModelKey.of(model))))
            unready = before_reading(claim, self._phases.get((claim.namespace, claim.name)))
        if unready:
            return unready
        if found is not None and (job is not None or found.state == READY):
            return found
        # A failure is looked into once more when its Job has been cleaned up.
        return while_reading(job) if job is not None else self._started(model, claim)

    def _started(self, model: Object, claim: Claim) -> Verdict:
        """Create the Job, and before it the ConfigMap, so that the Job needs no right to create any."""
        if not self._image:
            message = "no image for metadata extraction Jobs is configured (start the role with --metadata-image)"
            return Verdict(FAILED, CONFIG_MISSING, message)
        key, job = ModelKey.of(model), job_for(model, claim, self._image, self._namespace)
        empty = {"name": metadata_config_map(key), "namespace": self._namespace, "labels": result_labels(key)}
        title = f"{claim.namespace}/{job['metadata']['name']}"
        try:
            self._create(CONFIG_MAPS, {"metadata": empty}, self._namespace)
            self._create(JOBS, job, claim.namespace)
        except ApiError as error:
            if not error.forbidden and not error.invalid:
                raise
            message = (
                f"metadata extraction Job {title} cannot be created: {error}; print the agent's manifests from a "
                "repository with this model (omec agent manifests SRC)"
            )
            return Verdict(FAILED, CONFIG_MISSING, message)
        log.info("metadata job created", model=str(key), job=title)
        return Verdict(IN_TRANSIT, EXTRACTING, f"metadata extraction Job {title} created")

    def _create(self, resource: Resource, obj: Object, namespace: str) -> None:
        try:
            self._cluster.create(resource, obj, namespace)
        except ApiError as error:
            if not error.already_exists:
                raise

    def _remove_jobs(self, key: Key, model: Object | None) -> None:
        """Delete the Jobs of a model that is gone, or of a claim that it has left."""
        wanted = "" if model is None else metadata_job(model["metadata"]["name"], uri_of(model))
        with self._lock:
            unused = [place for place, owner in self._owners.items() if owner == key and place[1] != wanted]
        for namespace, name in unused:
            self._cluster.delete(JOBS, name, namespace, options=_BACKGROUND)

    def _remove_unused(self, name: str) -> None:
        """Delete a result of no model, if it is the agent's own."""
        with self._lock:
            used = any(metadata_config_map(ModelKey.of(model)) == name for model in self._models.values())
        if used:
            return
        current = self._cluster.find(CONFIG_MAPS, name, self._namespace)
        if current is not None and is_own_result(current):
            self._cluster.delete(CONFIG_MAPS, name, self._namespace)

    def _with_facts(self, key: Key, model: Object, verdict: Verdict) -> Object:
        spec = model.get("spec") or {}
        filled = fill_as_controller(spec, verdict.facts)
        fields = {name: value for name, value in filled.items() if spec.get(name) != value}
        if not fields:
            return model
        log.info("facts filled in", model=str(ModelKey.of(model)), fields=sorted(fields))
        metadata = model["metadata"]
        patch = {"metadata": {"resourceVersion": metadata["resourceVersion"]}, "spec": fields}
        return self._remember(
            key,
            self._cluster.patch(_RESOURCES[model["kind"]], metadata["name"], patch, metadata.get("namespace")),
        )

    def _write_status(self, key: Key, model: Object, status: Object) -> None:
        log.info("model status", model=str(ModelKey.of(model)), state=status["state"])
        metadata = {name: model["metadata"][name] for name in ("name", "namespace") if name in model["metadata"]}
        resource = _RESOURCES[model["kind"]]
        body = {"metadata": metadata, "status": status}
        self._remember(key, self._cluster.apply(resource, body, force=True, subresource="status"))

    def _remember(self, key: Key, model: Object) -> Object:
        kept = slim.whole(model)
        with self._lock:
            if key in self._models:
                self._models[key] = kept
        return kept

    def _model(self, change: Change, model: Object) -> Iterable[Key]:
        key = (_MODEL, model["kind"], *key_of(model))
        with self._lock:
            if change is not Change.DELETED and is_on_claim(model):
                self._models[key] = slim.whole(model)
                return (key,)
            known = self._models.pop(key, None)
        return () if known is None else (key, (_RESULT, metadata_config_map(ModelKey.of(known))))

    def _claim(self, change: Change, claim: Object) -> Iterable[Key]:
        place = key_of(claim)
        phase = None if change is Change.DELETED else str((claim.get("status") or {}).get("phase") or "")
        with self._lock:
            if self._phases.get(place) == phase:
                return ()
            if phase is None:
                del self._phases[place]
            else:
                self._phases[place] = phase
            return [key for key, model in self._models.items() if _place(model) == place]

    def _job(self, change: Change, job: Object) -> Iterable[Key]:
        place = key_of(job)
        with self._lock:
            if change is Change.DELETED:
                self._jobs.pop(place, None)
                owner = self._owners.pop(place, None)
                return () if owner is None else (owner,)
            owner = _owner(job)
            if owner is None:
                return ()
            self._jobs[place] = slim.workload(job)
            self._owners[place] = owner
        return (owner,)

    def _result(self, change: Change, config_map: Object) -> Iterable[Key]:
        name = config_map["metadata"]["name"]
        with self._lock:
            if change is Change.DELETED:
                self._results.pop(name, None)
            else:
                self._results[name] = slim.whole(config_map) | {"data": config_map.get("data") or {}}
            keys = [key for key, model in self._models.items() if metadata_config_map(ModelKey.of(model)) == name]
        return keys or ((_RESULT, name),)


def _place(model: Object) -> tuple[str, str] | None:
    try:
        claim = Claim.of(model)
    except StorageUriError:
        return None
    return claim.namespace, claim.name


def _owner(job: Object) -> Key | None:
    """The model that a Job reads, by the owner that the API server keeps for it."""
    for owner in job["metadata"].get("ownerReferences") or ():
        resource = _RESOURCES.get(owner.get("kind", ""))
        if resource is not None and owner.get("apiVersion") == resource.api_version:
            namespace = job["metadata"]["namespace"] if resource.namespaced else ""
            return (_MODEL, resource.kind, namespace, owner["name"])
    return None
