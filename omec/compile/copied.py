"""Which objects of the source stand in the output as they are (docs/output.md)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from omec.api.kinds import API_VERSION, KINDS, Kind
from omec.catalog.build import namespace_of
from omec.catalog.resource import Resource
from omec.catalog.rules import MISSING_NAMESPACE
from omec.compile.layout import Object, OutputObject
from omec.compile.output_rules import INCLUDE_REFUSED, INCLUDED_WITHOUT_NAME
from omec.errors import OmecError
from omec.finding import Finding, ObjectRef
from omec.repo.document import Document

ALWAYS = ("basemodels", "clusterbasemodels", "finetunedweights", "acceleratorclasses")
"""What every workload needs beside it, used or not: an Argo CD Application then has one source."""

FOR_OME = ("acceleratorquotas", "inferencereplicas")
"""What OME's controllers act on beside workloads."""

ALIASES = {"runtimes": ("servingruntimes", "clusterservingruntimes")}

NEVER = {
    "secrets": "Secret",
    "customresourcedefinitions": "CustomResourceDefinition",
    "kustomizations": "Kustomization",
    "applications": "Application",
    "applicationsets": "ApplicationSet",
    "appprojects": "AppProject",
}
_ARGO_GROUP = "argoproj.io/"
_ARGO_KINDS = ("Application", "ApplicationSet", "AppProject")

_BUILT_IN = {
    kind.name: kind
    for kind in (
        Kind("ClusterRole", "clusterroles", namespaced=False),
        Kind("ClusterRoleBinding", "clusterrolebindings", namespaced=False),
        Kind("ConfigMap", "configmaps", namespaced=True),
        Kind("CronJob", "cronjobs", namespaced=True),
        Kind("DaemonSet", "daemonsets", namespaced=True),
        Kind("Deployment", "deployments", namespaced=True),
        Kind("HorizontalPodAutoscaler", "horizontalpodautoscalers", namespaced=True),
        Kind("Ingress", "ingresses", namespaced=True),
        Kind("Job", "jobs", namespaced=True),
        Kind("LimitRange", "limitranges", namespaced=True),
        Kind("Namespace", "namespaces", namespaced=False),
        Kind("NetworkPolicy", "networkpolicies", namespaced=True),
        Kind("PersistentVolume", "persistentvolumes", namespaced=False),
        Kind("PersistentVolumeClaim", "persistentvolumeclaims", namespaced=True),
        Kind("PodDisruptionBudget", "poddisruptionbudgets", namespaced=True),
        Kind("PriorityClass", "priorityclasses", namespaced=False),
        Kind("ResourceQuota", "resourcequotas", namespaced=True),
        Kind("Role", "roles", namespaced=True),
        Kind("RoleBinding", "rolebindings", namespaced=True),
        Kind("Service", "services", namespaced=True),
        Kind("ServiceAccount", "serviceaccounts", namespaced=True),
        Kind("StatefulSet", "statefulsets", namespaced=True),
        Kind("StorageClass", "storageclasses", namespaced=False),
    )
}


class Copied(msgspec.Struct, frozen=True):
    """The objects to copy, ordered by kind, namespace and name, and those that cannot be."""

    objects: tuple[OutputObject, ...]
    findings: tuple[Finding, ...]


def copied_resources(
    resources: Iterable[Resource],
    others: Iterable[Document],
    *,
    platform: str,
    include: Sequence[str] = (),
    default_namespace: str | None = None,
) -> Copied:
    """The objects of the source that the output holds value for value, without ``status``.

    ``resources`` are the ome.io objects (those of other catalogs are passed over), ``others`` the remaining documents
    of the source. ``include`` names further kinds in the plural. Raises :class:`OmecError` for a name that is refused.
    """
    own = [resource for resource in resources if not resource.context]
    rest = [document for document in others if not _never(document.value)]
    present = {resource.kind for resource in own} | {document.value["kind"] for document in rest}
    plurals = _requested(include, platform, {_plural(kind) for kind in present})
    objects = [copy_of(resource) for resource in own if _plural(resource.kind) in plurals]
    findings: list[Finding] = []
    for document in rest:
        if _plural(document.value["kind"]) in plurals:
            placed = _placed(document, default_namespace)
            if isinstance(placed, Finding):
                findings.append(placed)
            else:
                objects.append(copy_of(placed))
    objects.sort(key=lambda item: (item.owner.kind, item.owner.namespace or "", item.owner.name))
    return Copied(tuple(objects), tuple(findings))


def _requested(include: Sequence[str], platform: str, present: set[str]) -> set[str]:
    requested = {*ALWAYS, *(FOR_OME if platform == "ome" else ())}
    for name in include:
        if name in NEVER:
            raise _refused(f"{NEVER[name]} objects are never copied to the output", f"remove {name!r}")
        if name == "inferenceservices" and platform == "ome":
            raise _refused(
                "an InferenceService is not copied on platform ome, where OME would render it a second time",
                "remove 'inferenceservices', or set platform to kubernetes",
            )
        known = {*ALIASES, *present, *(kind.plural for kind in (*KINDS.values(), *_BUILT_IN.values()))}
        if name not in known:
            raise _refused(f"{name!r} is no kind of the source", _suggestion(name, known))
        requested.update(ALIASES.get(name, (name,)))
    return requested


def _placed(document: Document, default_namespace: str | None) -> Resource | Finding:
    """The document as an object of the output, or what it lacks."""
    kind, metadata = document.value["kind"], document.value.get("metadata")
    name = metadata.get("name") if isinstance(metadata, dict) else None
    if not isinstance(metadata, dict) or not isinstance(name, str) or not name:
        return Finding(
            INCLUDED_WITHOUT_NAME,
            f"this {kind} has no metadata.name",
            document.locate(("metadata",), key=True),
            field="metadata.name",
            help="write metadata.name, or leave the file out with exclude",
        )
    namespace = namespace_of(metadata)
    scope = _BUILT_IN.get(kind)
    if scope is not None:
        namespace = (namespace or default_namespace) if scope.namespaced else None
    if scope is not None and scope.namespaced and namespace is None:
        return Finding(
            MISSING_NAMESPACE,
            f"{kind} {name} has no metadata.namespace",
            document.locate(("metadata",), key=True),
            object=ObjectRef(kind, None, name),
            field="metadata.namespace",
            help="add metadata.namespace to the object, or set default-namespace in omec.toml",
        )
    return Resource(kind, namespace, name, document)


def copy_of(resource: Resource) -> OutputObject:
    """The object as written, with the namespace that it is in (reference 11 §4.1) and without its status."""
    metadata: Object = {key: value for key, value in resource.body["metadata"].items() if key != "namespace"}
    if resource.namespace is not None:
        metadata["namespace"] = resource.namespace
    body = {key: value for key, value in resource.body.items() if key != "status"}
    return OutputObject({**body, "metadata": metadata}, resource)


def _never(value: Object) -> bool:
    """Whether a document that is no ome.io object is of a kind that is never copied, or of none at all."""
    kind, version = value.get("kind"), value.get("apiVersion")
    if not isinstance(kind, str) or not kind or not isinstance(version, str) or version == API_VERSION:
        return True
    if kind in _ARGO_KINDS:
        return version.startswith(_ARGO_GROUP)
    return kind in NEVER.values()


def _plural(kind: str) -> str:
    """The resource name of a kind; by the rule of the Kubernetes code generators for kinds that are not known here."""
    known = KINDS.get(kind) or _BUILT_IN.get(kind)
    if known is not None:
        return known.plural
    name = kind.lower()
    if name.endswith(("s", "x", "ch", "sh")):
        return f"{name}es"
    if name.endswith("y") and name[-2:-1] not in "aeiou":
        return f"{name[:-1]}ies"
    return f"{name}s"


def _suggestion(name: str, known: Iterable[str]) -> str:
    import difflib  # noqa: PLC0415 - needed for errors only

    close = difflib.get_close_matches(name.lower(), sorted(known), n=1)
    return f"did you mean {close[0]!r}?" if close else "use the plural name of a kind, such as 'configmaps'"


def _refused(message: str, hint: str) -> OmecError:
    return OmecError(f"include: {message}", hint=hint, code=INCLUDE_REFUSED.code)
