"""Volumes, ports, probes, resources, variables and images of runners."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.mutants import command_line
from tests.mutants.fault import fault
from tests.mutants.place import Object, Place, pods, probes, routers, runners, runtimes, services, serving, single

SHM = "/dev/shm"


def _mounts(runner: Object) -> list[Object]:
    mounts: list[Object] = runner.get("volumeMounts") or []
    return mounts


def _shm(part: Object) -> Object | None:
    """The volume at /dev/shm."""
    name = next((m["name"] for m in _mounts(part["runner"]) if m["mountPath"] == SHM), None)
    return next((v for v in part.get("volumes") or () if v["name"] == name), None)


@fault("OME407", "OME408", at=runners)
def mount_of_a_missing_volume(place: Place, rng: Random) -> bool | None:
    if not _mounts(place.node):
        return False
    mount = rng.choice(_mounts(place.node))
    mount["name"] = rng.choice([f"{mount['name']}s", mount["name"][:-1], f"{mount['name']}-volume"])
    return None


@fault("OME407", "OME408", at=pods)
def volumes_deleted(place: Place, rng: Random) -> bool | None:
    if not _mounts(place.node["runner"]) or place.is_child:
        return False
    return None if place.node.pop("volumes", None) else False


@fault("OME407", at=runners)
def mount_added_without_a_volume(place: Place, rng: Random) -> None:
    place.node.setdefault("volumeMounts", []).append({"name": "weights", "mountPath": "/weights"})


@fault("OME409", "OME127", at=pods)
def two_mounts_at_one_path(place: Place, rng: Random) -> bool | None:
    if not _mounts(place.node["runner"]) or "volumes" not in place.node:
        return False
    place.node["volumes"].append({"name": "scratch", "emptyDir": {}})
    path = _mounts(place.node["runner"])[0]["mountPath"]
    place.node["runner"]["volumeMounts"].append({"name": "scratch", "mountPath": rng.choice([path, path + "/"])})
    return None


@fault("OME408", at=runtimes)
def leader_mounts_what_the_worker_declares(place: Place, rng: Random) -> bool | None:
    engine = place.spec.get("engineConfig") or {}
    if not engine.get("volumes") or "worker" not in engine or not _mounts(engine["leader"]["runner"]):
        return False
    engine[rng.choice(["leader", "worker"])]["volumes"] = engine.pop("volumes")
    return None


@fault("OME430", at=pods)
def nothing_at_dev_shm(place: Place, rng: Random) -> bool | None:
    runner = place.node["runner"]
    if (
        place.name in ("leader", "worker")
        or command_line.gpus(runner) < 2
        or not any(m["mountPath"] == SHM for m in _mounts(runner))
    ):
        return False
    runner["volumeMounts"] = [m for m in _mounts(runner) if m["mountPath"] != SHM]
    return None


@fault("OME431", at=pods)
def shared_memory_on_disk(place: Place, rng: Random) -> bool | None:
    volume = _shm(place.node)
    if volume is None:
        return False
    volume["emptyDir"] = rng.choice([{}, {"medium": ""}, {"sizeLimit": "16Gi"}])
    return None


@fault("OME432", at=pods)
def shared_memory_too_small(place: Place, rng: Random) -> bool | None:
    volume = _shm(place.node)
    if volume is None:
        return False
    volume["emptyDir"] = {"medium": "Memory", "sizeLimit": rng.choice(["64Mi", "512Mi", "100M"])}
    return None


@fault("OME410", at=runners)
def gpus_requested_differ_from_the_limit(place: Place, rng: Random) -> bool | None:
    count = command_line.gpus(place.node)
    resources = place.node.get("resources") or {}
    if not count or "requests" not in resources or place.is_parent:
        return False
    resources["requests"]["nvidia.com/gpu"] = rng.choice([count + 1, str(count + 1), count * 2])
    return None


@fault("OME410", at=runners)
def gpus_requested_without_a_limit(place: Place, rng: Random) -> bool | None:
    if not command_line.gpus(place.node) or place.is_child or place.is_parent:
        return False
    resources = place.node["resources"]
    resources.setdefault("requests", {})["nvidia.com/gpu"] = resources["limits"].pop("nvidia.com/gpu")
    return None


@fault("OME410", "OME125", at=runners)
def half_a_gpu(place: Place, rng: Random) -> bool | None:
    if not command_line.gpus(place.node) or place.is_parent:
        return False
    for amounts in place.node["resources"].values():
        amounts["nvidia.com/gpu"] = rng.choice(["0.5", "500m"])
    return None


@fault("OME411", at=runners)
def memory_requested_above_the_limit(place: Place, rng: Random) -> bool | None:
    resources = place.node.get("resources") or {}
    if "memory" not in (resources.get("limits") or {}) or place.is_parent:
        return False
    resources.setdefault("requests", {})["memory"] = rng.choice(["9999Gi", "10Ti"])
    return None


@fault("OME411", at=runners)
def limit_in_the_wrong_unit(place: Place, rng: Random) -> bool | None:
    resources = place.node.get("resources") or {}
    if "memory" not in (resources.get("limits") or {}) or "memory" not in (resources.get("requests") or {}):
        return False
    resources["limits"]["memory"] = rng.choice(["30Mi", "30m", "64M"])
    return None


@fault("OME415", at=probes)
def probe_of_another_port(place: Place, rng: Random) -> bool | None:
    handler = place.node.get("httpGet") or place.node.get("tcpSocket") or place.node.get("grpc")
    if not handler:
        return False
    handler["port"] = rng.choice([30000, 8000, 9090] if "grpc" in place.node else [30000, 8000, 9090, "web", "metrics"])
    return None


@fault("OME415", "OME445", at=serving)
def container_port_changed(place: Place, rng: Random) -> bool | None:
    if not place.node.get("ports") or place.is_child:
        return False
    if not any(p.get("httpGet") for p in (place.node.get(n) or {} for n in ("startupProbe", "readinessProbe"))):
        return False
    if any(isinstance(port.get("hostPort"), int) for port in place.node["ports"]):
        return False
    place.node["ports"][0]["containerPort"] = rng.choice([8000, 30000, 80])
    return None


@fault("OME416", at=serving)
def no_startup_probe(place: Place, rng: Random) -> bool | None:
    if place.name == "router" or "livenessProbe" not in place.node or place.is_parent or place.is_child:
        return False
    return None if place.node.pop("startupProbe", None) else False


@fault("OME417", at=single)
def startup_budget_of_a_minute(place: Place, rng: Random) -> bool | None:
    probe = place.node.get("startupProbe")
    if not probe or not command_line.gpus(place.node):
        return False
    probe.pop("initialDelaySeconds", None)
    probe.update(
        rng.choice([{"failureThreshold": 3, "periodSeconds": 10}, {"failureThreshold": 6, "periodSeconds": 5}])
    )
    return None


@fault("OME418", at=serving)
def liveness_after_one_failure(place: Place, rng: Random) -> bool | None:
    probe = place.node.get("livenessProbe")
    if not probe:
        return False
    probe.update(rng.choice([{"failureThreshold": 1}, {"failureThreshold": 2, "periodSeconds": 5}]))
    return None


@fault("OME419", at=serving)
def no_readiness_probe(place: Place, rng: Random) -> bool | None:
    if place.is_child:
        return False
    return None if place.node.pop("readinessProbe", None) else False


@fault("OME414", "OME415", at=serving)
def no_port(place: Place, rng: Random) -> bool | None:
    """The Service of a container that declares none goes to 8080."""
    if place.is_child or place.is_parent or not command_line.set_option(place.node, command_line.PORT, "30000"):
        return False
    for name in ("startupProbe", "livenessProbe", "readinessProbe"):
        for handler in (place.node.get(name) or {}).values():
            if isinstance(handler, dict):
                handler["port"] = 30000
    return None if place.node.pop("ports", None) else False


@fault("OME412", at=serving)
def second_port_without_a_name(place: Place, rng: Random) -> bool | None:
    if not place.node.get("ports"):
        return False
    port: Object = {"containerPort": 9090}
    if rng.random() < 0.5:
        port["name"] = place.node["ports"][0].get("name", "http1")
        place.node["ports"][0]["name"] = port["name"]
    place.node["ports"].append(port)
    return None


@fault("OME413", at=runners)
def port_name_refused(place: Place, rng: Random) -> bool | None:
    if not place.node.get("ports"):
        return False
    names = ["openai-http-server-1", "HTTP", "http_1", "8080", "http--1", "-http", "http.1"]
    place.node["ports"][0]["name"] = rng.choice(names)
    return None


@fault("OME425", at=serving)
def variable_misspelt(place: Place, rng: Random) -> bool | None:
    for field in ("command", "args"):
        for i, word in enumerate(place.node.get(field) or ()):
            if word.endswith("$(MODEL_PATH)"):
                place.node[field][i] = word.replace("MODEL_PATH", rng.choice(["MODELPATH", "MODEL_DIR", "MODEL_PTH"]))
                return None
    return False


@fault("OME425", at=serving)
def variable_that_nothing_sets(place: Place, rng: Random) -> None:
    command_line.add(place.node, f"--log-level=$({rng.choice(['LOG_LEVEL', 'LEVEL', 'TP'])})")


@fault("OME220", "OME425", at=runners)
def variable_set_too_late(place: Place, rng: Random) -> None:
    env = place.node.setdefault("env", [])
    env[:0] = [{"name": "CACHE_DIR", "value": "$(CACHE_ROOT)/models"}]
    env.append({"name": "CACHE_ROOT", "value": "/cache"})


@fault("OME214", "OME130", at=runners)
def variable_with_value_and_source(place: Place, rng: Random) -> None:
    source = {"secretKeyRef": {"name": "hf", "key": "token"}}
    place.node.setdefault("env", []).append({"name": "ENDPOINT", "value": "x", "valueFrom": source})


@fault("OME212", "OME130", at=probes)
def probe_with_two_handlers(place: Place, rng: Random) -> bool | None:
    if "httpGet" not in place.node:
        return False
    place.node.update(rng.choice([{"tcpSocket": {"port": 8080}}, {"exec": {"command": ["true"]}}]))
    return None


@fault("OME213", "OME130", at=pods)
def volume_with_two_sources(place: Place, rng: Random) -> bool | None:
    if not place.node.get("volumes"):
        return False
    volume = place.node["volumes"][0]
    volume["persistentVolumeClaim"] = {"claimName": "weights"}
    return None if len(volume) > 2 else False


@fault("OME402", at=serving)
def placeholder_malformed(place: Place, rng: Random) -> None:
    bad = ["{{.Labels.app-name}}", "{{.name}}", "{{ .Name | upper }}", "{{.Name", "{{ if .Name }}x"]
    command_line.add(place.node, f"--tag={rng.choice(bad)}")


@fault("OME427", at=serving)
def placeholder_of_a_missing_label(place: Place, rng: Random) -> bool | None:
    name = place.object["metadata"]["name"]
    users = [s for s in place.all("InferenceService") if (s["spec"].get("runtime") or {}).get("name") == name]
    if not users or place.name not in (
        "router",
        *(c for c in ("engine", "decoder") if users[0]["spec"].get(c) is not None),
    ):
        return False
    if place.name not in users[0]["spec"]:
        return False
    command_line.add(place.node, "--tag={{.Labels.costCenter}}")
    return None


@fault("OME403", at=services)
def model_path_without_a_model(place: Place, rng: Random) -> bool | None:
    runtime = place.runtime
    if (
        not runtime
        or "overlays" in (place.spec.get("model") or {})
        or "ome.io/inherit-from" in str(runtime["metadata"])
    ):
        return False
    engine = runtime["spec"].get("engineConfig") or {}
    runner = engine.get("runner") or {}
    if "{{" in command_line.text(runner).replace("{{.Name}}", "") or "$(MODEL_PATH)" not in command_line.text(runner):
        return False
    return None if place.spec.pop("model", None) else False


@fault("OME404", at=pods)
def runner_named_as_a_container(place: Place, rng: Random) -> bool | None:
    if place.name not in ("engine", "decoder") or place.is_child or place.is_parent:
        return False
    place.node.setdefault("containers", []).append(place.node.pop("runner"))
    return None


@fault("OME401", at=pods)
def component_without_a_container(place: Place, rng: Random) -> bool | None:
    if place.name != "engine" or place.is_child or place.is_parent:
        return False
    name = place.object["metadata"]["name"]
    if not any((s["spec"].get("runtime") or {}).get("name") == name for s in place.all("InferenceService")):
        return False
    if "leader" in place.node:
        return False
    del place.node["runner"]
    return None


@fault("OME428", at=services)
def node_selectors_that_contradict(place: Place, rng: Random) -> bool | None:
    if not place.runtime or not place.model or place.model["spec"]["storage"]["storageUri"].startswith("pvc"):
        return False
    key = "node.kubernetes.io/instance-type"
    place.model["spec"]["storage"]["nodeSelector"] = {key: "g6.xlarge"}
    engine = place.spec.get("engine")
    if not isinstance(engine, dict) or "leader" in engine:
        return False
    engine["nodeSelector"] = {key: "p5.48xlarge"}
    return None


@fault("OME428", at=services)
def affinity_for_nodes_without_the_model(place: Place, rng: Random) -> bool | None:
    engine = place.spec.get("engine")
    if (
        not place.model
        or place.model["spec"]["storage"]["storageUri"].startswith("pvc")
        or not isinstance(engine, dict)
    ):
        return False
    if not place.runtime or "affinity" in engine or "leader" in engine:
        return False
    term = {"matchExpressions": [{"key": "pool", "operator": "In", "values": ["a", "b"]}]}
    required = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [term]}}
    storage = place.model["spec"]["storage"]
    if rng.random() < 0.5:
        engine["affinity"], storage["nodeSelector"] = {"nodeAffinity": required}, {"pool": "c"}
    else:
        engine["nodeSelector"], storage["nodeAffinity"] = {"pool": "c"}, required
    return None


@fault("OME429", at=pods)
def image_of_another_architecture(place: Place, rng: Random) -> bool | None:
    runner = place.node["runner"]
    if place.name in ("leader", "worker") or "image" not in runner:
        return False
    runner["image"] = f"registry.example.com/engine:v1-{rng.choice(['amd64', 'x86_64'])}"
    place.node["nodeSelector"] = {"kubernetes.io/arch": "arm64"}
    return None


@fault("OME405", at=pods)
def sidecar_with_the_only_port(place: Place, rng: Random) -> bool | None:
    if place.name not in ("engine", "decoder", "router") or "ports" not in place.node["runner"] or place.is_child:
        return False
    ports = place.node["runner"].pop("ports")
    if place.is_parent:
        return False
    sidecar = {"name": "proxy", "image": "docker.io/envoyproxy/envoy:v1.34.1", "ports": ports}
    place.node.setdefault("containers", []).append(sidecar)
    return None


@fault("OME900", at=runners)
def image_that_moves(place: Place, rng: Random) -> bool | None:
    image = place.node.get("image", "")
    if not image:
        return False
    bare = image.partition("@")[0].rpartition(":")[0] or image
    place.node["image"] = rng.choice([bare, f"{bare}:latest", f"{bare}:main", f"{bare}:nightly", f"{bare}:dev"])
    return None if place.node["image"] != image else False


@fault("OME901", at=single)
def remote_code_trusted(place: Place, rng: Random) -> bool | None:
    if "--trust-remote-code" in command_line.text(place.node) or command_line.is_shell(place.node):
        return False
    if not command_line.engine(place.node):
        return False
    command_line.add(place.node, "--trust-remote-code")
    return None


@fault("OME902", at=pods)
def pod_with_the_rights_of_its_node(place: Place, rng: Random) -> bool | None:
    if "hostNetwork" in place.node or "privileged" in str(place.node):
        return False
    changes: list[tuple[Object, Object]] = [
        (place.node, {"hostNetwork": True}),
        (place.node, {"hostIPC": True}),
        (place.node["runner"], {"securityContext": {"privileged": True}}),
    ]
    part, value = rng.choice(changes)
    part.update(value)
    return None


@fault("OME903", at=pods)
def no_toleration_for_gpus(place: Place, rng: Random) -> bool | None:
    if place.is_child or not command_line.gpus(place.node["runner"]):
        return False
    return None if place.node.pop("tolerations", None) else False


@fault("OME444", at=routers)
def gpus_for_a_router(place: Place, rng: Random) -> None:
    resources = place.node.setdefault("resources", {})
    for part in ("requests", "limits"):
        resources.setdefault(part, {})["nvidia.com/gpu"] = "1"


SECRETS = (
    ("HF_TOKEN", "hf_" + "aBcDeFgHiJkLmNoPqRsTuVwXyZ01234567"),
    ("AWS_ACCESS_KEY_ID", "AKIA" + "QYLPMN5HHHFPZAM2"),
    ("OPENAI_API_KEY", "sk-proj-" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0"),
    ("GITHUB_TOKEN", "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"),
)


@fault("OME800", at=runners)
def token_in_a_variable(place: Place, rng: Random) -> None:
    name, value = rng.choice(SECRETS)
    place.node.setdefault("env", []).append({"name": name, "value": value})


@fault("OME800", at=runners)
def token_in_an_argument(place: Place, rng: Random) -> None:
    command_line.add(place.node, f"--hf-token={SECRETS[0][1]}")


@fault("OME801", at=runners)
def password_in_a_variable(place: Place, rng: Random) -> None:
    name = rng.choice(["DB_PASSWORD", "API_KEY", "REDIS_PASSWORD", "CLIENT_SECRET"])
    place.node.setdefault("env", []).append({"name": name, "value": "correct-horse-battery"})


@fault("OME801", "OME800", at=serving)
def key_in_an_argument(place: Place, rng: Random) -> bool | None:
    if command_line.is_shell(place.node):
        return False
    command_line.add(place.node, "--api-key", "correct-horse-battery")
    return None


@fault("OME802", at=runners)
def address_with_a_password(place: Place, rng: Random) -> None:
    value = "http://prometheus:s3cr3tpass@proxy.example.com:3128"
    place.node.setdefault("env", []).append({"name": "HTTPS_PROXY", "value": value})


@fault("OME221", "OME130", at=runners)
def hook_with_two_handlers(place: Place, rng: Random) -> None:
    hook: dict[str, Any] = {"exec": {"command": ["sleep", "5"]}, "httpGet": {"port": 8080}}
    place.node["lifecycle"] = {"preStop": hook}


@fault("OME434", at=services)
def volume_called_like_the_model(place: Place, rng: Random) -> bool | None:
    engine = place.spec.get("engine")
    if not place.runtime or not place.model or not isinstance(engine, dict) or "leader" in engine:
        return False
    engine.setdefault("volumes", []).append({"name": place.model["metadata"]["name"], "emptyDir": {}})
    return None
