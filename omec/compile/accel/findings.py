"""What is wrong or doubtful about AcceleratorClasses and what runtimes say about them, on their own manifests."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping
from typing import Any

from omec.api import quantity
from omec.api.kinds import RUNTIME_KINDS
from omec.api.suggestions import closest
from omec.catalog import Catalog, Resource
from omec.compile.accel import rules
from omec.compile.accel.choice import listed_classes
from omec.compile.accel.versions import is_compared_wrongly
from omec.finding import FieldPath, Finding, ObjectRef, Rule, field_text
from omec.resolve.inherit import ChainResolver

_KIND = "AcceleratorClass"
_REQUIREMENTS: FieldPath = ("spec", "acceleratorRequirements")
_LISTED: FieldPath = (*_REQUIREMENTS, "acceleratorClasses")
_CONFIGS = ("engineConfig", "decoderConfig")
_BINARY = re.compile(r".*[KMGTPE]i")


def accelerator_findings(
    catalog: Catalog, chains: ChainResolver, broken: Container[ObjectRef] = frozenset()
) -> Iterator[Finding]:
    """The findings about the classes and runtimes of the repository itself.

    Objects with an error in their structure, the ``broken`` ones, are passed over.
    """
    classes = [resource for resource in catalog.of_kind(_KIND) if resource.ref not in broken]
    runtimes = [resource for kind in RUNTIME_KINDS for resource in catalog.of_kind(kind) if resource.ref not in broken]
    for resource in classes:
        if not resource.context:
            yield from _class_findings(resource)
            yield from _quantity_findings(resource, runtimes, chains)
    for runtime in runtimes:
        if not runtime.context:
            yield from _runtime_findings(catalog, chains, runtime)


# --- Classes -----------------------------------------------------------------------------------------------------


def _class_findings(resource: Resource) -> Iterator[Finding]:
    capabilities = resource.spec.get("capabilities") or {}
    memory, version = capabilities.get("memoryGB"), capabilities.get("computeCapability") or ""
    if memory is not None and not _BINARY.fullmatch(str(memory)):
        gibibytes = quantity.parse(str(memory)).units // 2**30
        message = f"the memory of {resource.ref} is {memory} bytes, which OME counts as {gibibytes} GiB"
        yield _finding(rules.MEMORY_UNIT, message, resource, ("spec", "capabilities", "memoryGB"))
    if is_compared_wrongly(version):
        message = f"the compute capability {version} of {resource.ref} is compared as a text: it is less than 9.0"
        yield _finding(rules.VERSION_AS_TEXT, message, resource, ("spec", "capabilities", "computeCapability"))
    if "-" in (family := resource.spec.get("family") or ""):
        message = f"no constraint on families matches {family} of {resource.ref} without its vendor"
        yield _finding(rules.FAMILY_HYPHEN, message, resource, ("spec", "family"))


def _quantity_findings(resource: Resource, runtimes: list[Resource], chains: ChainResolver) -> Iterator[Finding]:
    """Resources of a class that give one of what the runners of a runtime that lists the class have more of."""
    for index, item in enumerate(resource.body["spec"].get("resources") or ()):
        if item.get("quantity") is not None:
            continue
        for runtime in runtimes:
            spec = chains.chain(runtime).spec or {}
            asked = max(_asked(spec, item["name"]), default=0) if resource.name in listed_classes(spec) else 0
            if asked > 1:
                message = f"{resource.ref} gives each pod 1 {item['name']}, where {runtime.ref} asks for {asked}"
                yield _finding(rules.QUANTITY_DEFAULT, message, resource, ("spec", "resources", index))
                break


def _asked(spec: Mapping[str, Any], resource: str) -> Iterator[int]:
    """How much of ``resource`` the runners of a runtime ask for."""
    for config in (spec.get(field) or {} for field in _CONFIGS):
        for part in (config, config.get("leader") or {}, config.get("worker") or {}):
            resources = (part.get("runner") or {}).get("resources") or {}
            for kind in ("limits", "requests"):
                if (amount := (resources.get(kind) or {}).get(resource)) is not None:
                    yield quantity.parse(str(amount)).units


# --- Runtimes ----------------------------------------------------------------------------------------------------


def _runtime_findings(catalog: Catalog, chains: ChainResolver, runtime: Resource) -> Iterator[Finding]:
    requirements = runtime.spec.get("acceleratorRequirements") or {}
    for field in requirements:
        if field != _LISTED[-1]:
            message = f"{field} in the accelerator requirements of {runtime.ref} has no effect"
            yield _finding(rules.REQUIREMENT_WITHOUT_EFFECT, message, runtime, (*_REQUIREMENTS, field))
    for config in _CONFIGS:
        if (runtime.spec.get(config) or {}).get("acceleratorOverride"):
            message = f"the acceleratorOverride in {config} of {runtime.ref} has no effect"
            yield _finding(rules.RUNTIME_OVERRIDE, message, runtime, ("spec", config, "acceleratorOverride"))
    if runtime.spec.get("disabled") is not True:
        yield from _unknown_classes(catalog, runtime)
        yield from _unused_settings(catalog, chains, runtime)


def _unknown_classes(catalog: Catalog, runtime: Resource) -> Iterator[Finding]:
    """The webhook looks at what the runtime lists itself, and names every missing class as often as it is listed."""
    listed = (runtime.spec.get("acceleratorRequirements") or {}).get("acceleratorClasses") or []
    missing = [index for index, name in enumerate(listed) if not _exists(catalog, name)]
    if missing:
        names = " ".join(listed[index] for index in missing)
        message = f"unknown accelerator classes referenced in AcceleratorRequirements: [{names}]"
        help_ = _did_you_mean(catalog, listed[missing[0]]) or rules.RUNTIME_CLASS_UNKNOWN.remedy
        yield _finding(rules.RUNTIME_CLASS_UNKNOWN, message, runtime, (*_LISTED, missing[0]), help_)


def _unused_settings(catalog: Catalog, chains: ChainResolver, runtime: Resource) -> Iterator[Finding]:
    effective = chains.chain(runtime).spec
    if effective is None:
        return
    listed = listed_classes(effective)
    for index, entry in enumerate(runtime.spec.get("supportedModelFormats") or ()):
        for name in entry.get("acceleratorConfig") or {}:
            path: FieldPath = ("spec", "supportedModelFormats", index, "acceleratorConfig", name)
            if not _exists(catalog, name):
                message = f"{runtime.ref} has settings for accelerator class {name}, which does not exist"
                help_ = _did_you_mean(catalog, name) or rules.CONFIG_KEY_UNUSED.remedy
                yield _finding(rules.CONFIG_KEY_UNUSED, message, runtime, path, help_)
            elif name not in listed:
                message = f"{runtime.ref} has settings for accelerator class {name}, which it does not list"
                yield _finding(rules.CONFIG_KEY_UNUSED, message, runtime, path)


def _exists(catalog: Catalog, name: str) -> bool:
    return catalog.get(_KIND, name) is not None or catalog.is_ambiguous(_KIND, name)


def _did_you_mean(catalog: Catalog, name: str) -> str:
    close = closest(name, [resource.name for resource in catalog.of_kind(_KIND)])
    return f"did you mean {close}?" if close is not None else ""


def _finding(rule: Rule, message: str, resource: Resource, path: FieldPath, help_: str = "") -> Finding:
    return Finding(
        rule,
        message,
        resource.locate(path),
        object=resource.ref,
        field=field_text(path),
        help=help_ or rule.remedy,
    )
