"""The objects that a user's question names."""

from __future__ import annotations

from omec.catalog import Catalog, Resource
from omec.errors import OmecError
from omec.finding import ObjectRef


def named_service(catalog: Catalog, name: str) -> Resource:
    """The InferenceService ``NS/NAME``; raises :class:`OmecError` where there is not exactly one."""
    namespace, _, service = name.rpartition("/")
    found = catalog.get("InferenceService", service, namespace)
    if found is None:
        raise OmecError(_no_service(catalog, namespace, service), hint=_similar(catalog, name), code="OME040")
    return found


def namespace_of_model(catalog: Catalog, model: str, namespace: str | None, default: str | None) -> str:
    """The namespace to look for ``model`` from: the given one, else that of the only BaseModel of that name."""
    if namespace is not None:
        return namespace
    if catalog.get("ClusterBaseModel", model) is None:
        found = {resource.namespace for resource in catalog.of_kind("BaseModel") if resource.name == model}
        if len(found) == 1:
            return found.pop() or ""
    return default or ""


def _no_service(catalog: Catalog, namespace: str, name: str) -> str:
    copies = catalog.ambiguous.get(ObjectRef("InferenceService", namespace, name))
    if copies:
        places = " and ".join(str(copy.locate(("metadata", "name"))) for copy in copies)
        return f"InferenceService {namespace}/{name} is defined more than once: {places}"
    return f'inferenceservices.ome.io "{name}" not found in namespace {namespace or "(none given)"}'


def _similar(catalog: Catalog, name: str) -> str:
    import difflib  # noqa: PLC0415

    names = [f"{service.namespace}/{service.name}" for service in catalog.of_kind("InferenceService")]
    close = difflib.get_close_matches(name, names, n=3, cutoff=0.5)
    return f"did you mean {' or '.join(close)}?" if close else "name it as NAMESPACE/NAME"
