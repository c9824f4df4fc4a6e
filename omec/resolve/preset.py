"""Presets that OME's webhook fills runtimes in from, before anything else sees them (reference 04 §20, 02 §6).

The preset stands below the runtime's own spec, as a parent would. What it fills in is stored as the runtime's own: it
comes before what a child inherits, and a child of the runtime inherits it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from omec.api.defaults import admitted
from omec.api.gotext import quoted
from omec.api.kinds import RUNTIME_KINDS
from omec.api.shapes import SERVING_RUNTIME_SPEC
from omec.catalog import Catalog, Resource
from omec.finding import FieldPath, Finding, Rule, field_text
from omec.resolve.merge import strategic_merge
from omec.resolve.preset_rules import PRESET_IMAGE, PRESET_REFUSED

ANNOTATION = "ome.io/engine"
SGLANG_PD = "sglang-pd"

_PATH: FieldPath = ("metadata", "annotations", ANNOTATION)
_CONFIGS = ("engineConfig", "decoderConfig", "routerConfig")
_PORT = 30000
_BOOTSTRAP_PORT = 8998
_ROUTER_PORT = 30080


class FilledRuntime(Resource):
    """A runtime with what its preset fills in: ``stored`` and ``spec`` have it, ``body`` is as written."""

    def __init__(self, runtime: Resource, spec: dict[str, Any]) -> None:
        super().__init__(runtime.kind, runtime.namespace, runtime.name, runtime.document, context=runtime.context)
        self.stored = admitted(runtime.kind, {**runtime.body, "spec": spec})


def with_presets(catalog: Catalog) -> Catalog:
    """``catalog`` with every annotated runtime filled in; ``catalog`` itself where there is none.

    A runtime that asks for another preset stays as it is: :func:`preset_findings` refuses it.
    """
    filled = {
        runtime.ref: FilledRuntime(runtime, _filled_spec(runtime))
        for kind in RUNTIME_KINDS
        for runtime in catalog.of_kind(kind)
        if runtime.annotations.get(ANNOTATION) == SGLANG_PD
    }
    if not filled:
        return catalog
    copies = [copy for resources in catalog.ambiguous.values() for copy in resources]
    return Catalog([*(filled.get(resource.ref, resource) for resource in catalog), *copies])


def preset_findings(catalog: Catalog) -> Iterator[Finding]:
    """What is wrong about the presets that runtimes of the repository itself ask for."""
    for kind in RUNTIME_KINDS:
        for runtime in catalog.of_kind(kind):
            preset = runtime.annotations.get(ANNOTATION)
            if runtime.context or not isinstance(preset, str) or not preset:
                continue
            if preset != SGLANG_PD:
                message = f"unknown {ANNOTATION} value {quoted(preset)} (known: {SGLANG_PD})"
                yield _finding(PRESET_REFUSED, message, runtime, PRESET_REFUSED.remedy)
            elif _own(runtime).get("disabled") is not True and (configs := _without_image(runtime)):
                yield _image_finding(runtime, configs)


def _filled_spec(runtime: Resource) -> dict[str, Any]:
    """The merge cannot fail: the preset has neither maps nor items that could be without their key."""
    spec: dict[str, Any] = strategic_merge(SERVING_RUNTIME_SPEC, sglang_pd(), _own(runtime))
    return spec


def _own(runtime: Resource) -> dict[str, Any]:
    """What the runtime says itself, whether it has been filled in or not."""
    return _mapping(admitted(runtime.kind, runtime.body).get("spec"))


def _without_image(runtime: Resource) -> list[str]:
    """The configurations whose image is the preset's."""
    own = _own(runtime)
    return [config for config in _CONFIGS if not _mapping(_mapping(own.get(config)).get("runner")).get("image")]


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _image_finding(runtime: Resource, configs: list[str]) -> Finding:
    listed = " and ".join(filter(None, (", ".join(configs[:-1]), configs[-1])))
    message = f"{runtime.ref} takes the image of {listed} from the preset {SGLANG_PD}, with the tag latest"
    return _finding(PRESET_IMAGE, message, runtime, f"set runner.image in {listed}")


def _finding(rule: Rule, message: str, runtime: Resource, help_: str) -> Finding:
    return Finding(rule, message, runtime.locate(_PATH), object=runtime.ref, field=field_text(_PATH), help=help_)


# --- The preset --------------------------------------------------------------------------------------------------


def sglang_pd() -> dict[str, Any]:
    """The preset ``sglang-pd``: an SGLang server for each phase, and a router that finds both by their labels."""
    http = {"containerPort": _PORT, "name": "http", "protocol": "TCP"}
    bootstrap = {"containerPort": _BOOTSTRAP_PORT, "name": "bootstrap", "protocol": "TCP"}
    prefill = _server("prefill", "--disaggregation-bootstrap-port", str(_BOOTSTRAP_PORT))
    return {
        "engineConfig": {"runner": {**prefill, "ports": [http, bootstrap]}},
        "decoderConfig": {"runner": {**_server("decode"), "ports": [dict(http)]}},
        "routerConfig": {"runner": _router()},
    }


def _server(mode: str, *flags: str) -> dict[str, Any]:
    listen = ["--host", "0.0.0.0", "--port", str(_PORT)]  # noqa: S104 - in a pod
    disaggregation = ["--disaggregation-mode", mode, "--disaggregation-transfer-backend", "nixl", *flags]
    return {
        "name": "ome-container",
        "image": "lmsysorg/sglang:latest",
        "command": [
            *("python3", "-m", "sglang.launch_server"),
            *listen,
            *("--model-path", "$(MODEL_PATH)"),
            *disaggregation,
        ],
        "env": [{"name": "PYTHONUNBUFFERED", "value": "1"}, _field("SGLANG_HOST_IP", "status.podIP")],
        "readinessProbe": _probe("/health", _PORT, period=30),
        "livenessProbe": _probe("/health", _PORT, period=60),
    }


def _router() -> dict[str, Any]:
    service = "ome.io/inferenceservice"
    args = ["--port", str(_ROUTER_PORT), "--k8s-namespace", "$(NAMESPACE)"]
    for phase, component in (("prefill", "engine"), ("decode", "decoder")):
        args += [f"--{phase}-label-selector", f"component={component},{service}=$(INFERENCESERVICE_NAME)"]
    args += ["--k8s-engine-port", str(_PORT), "--bootstrap-port", str(_BOOTSTRAP_PORT)]
    return {
        "name": "router",
        "image": "lmsysorg/sglang-router:latest",
        "args": args,
        "env": [
            _field("NAMESPACE", "metadata.namespace"),
            _field("INFERENCESERVICE_NAME", f"metadata.labels['{service}']"),
        ],
        "ports": [{"containerPort": _ROUTER_PORT, "name": "http", "protocol": "TCP"}],
        "readinessProbe": _probe("/readiness", _ROUTER_PORT, period=30),
        "livenessProbe": _probe("/liveness", _ROUTER_PORT, period=30),
    }


def _field(name: str, path: str) -> dict[str, Any]:
    return {"name": name, "valueFrom": {"fieldRef": {"fieldPath": path}}}


def _probe(path: str, port: int, *, period: int) -> dict[str, Any]:
    return {
        "httpGet": {"path": path, "port": port},
        "failureThreshold": 5,
        "periodSeconds": period,
        "timeoutSeconds": 10,
    }
