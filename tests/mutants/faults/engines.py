"""The command lines of engines."""

from __future__ import annotations

from random import Random

from tests.mutants.command_line import (
    HOST,
    MODEL,
    PORT,
    TENSOR,
    add,
    drop_option,
    engine,
    gpus,
    is_shell,
    option,
    set_option,
    text,
)
from tests.mutants.fault import fault
from tests.mutants.place import Place, routers, services, single


def _one_node(place: Place) -> bool:
    words = text(place.node)
    return "nnodes" not in words and "dp-size" not in words and "data-parallel" not in words and "--dp" not in words


def _given_by_class(place: Place) -> bool:
    """Whether an accelerator class replaces what the command line says of parallelism."""
    return "tensorParallelismOverride" in str(place.spec)


@fault("OME440", at=single)
def more_parallel_than_gpus(place: Place, rng: Random) -> bool | None:
    count = gpus(place.node)
    if not count or not _one_node(place) or _given_by_class(place) or place.is_parent:
        return False
    return None if set_option(place.node, TENSOR, str(count * rng.choice([2, 4]))) else False


@fault("OME441", at=single)
def less_parallel_than_gpus(place: Place, rng: Random) -> bool | None:
    count = gpus(place.node)
    if count < 2 or not _one_node(place) or _given_by_class(place) or place.is_parent:
        return False
    return None if set_option(place.node, TENSOR, str(count // 2)) else False


@fault("OME440", "OME441", "OME442", at=single)
def gpus_changed_alone(place: Place, rng: Random) -> bool | None:
    """The resources are changed, and the command line is forgotten."""
    count, parallel = gpus(place.node), option(place.node, TENSOR)
    if not count or not _one_node(place) or _given_by_class(place) or place.is_parent or not (parallel or "").isdigit():
        return False
    new = count // 2 if count > 1 and rng.random() < 0.5 else count * 2
    for part in ("requests", "limits"):
        if "nvidia.com/gpu" in (place.node["resources"].get(part) or {}):
            place.node["resources"][part]["nvidia.com/gpu"] = str(new)
    return None


@fault("OME442", at=single)
def several_gpus_and_no_word_of_them(place: Place, rng: Random) -> bool | None:
    if gpus(place.node) < 2 or not _one_node(place) or not engine(place.node) or is_shell(place.node):
        return False
    return None if drop_option(place.node, TENSOR) else False


@fault("OME443", at=single)
def parallelism_set_by_hand(place: Place, rng: Random) -> bool | None:
    if not gpus(place.node):
        return False
    place.node.setdefault("env", []).append(
        {"name": "PARALLELISM_SIZE", "value": str(gpus(place.node) * rng.choice([1, 2]))}
    )
    return None


@fault("OME451", at=single)
def option_of_the_other_engine(place: Place, rng: Random) -> bool | None:
    count, kind = gpus(place.node), engine(place.node)
    if count < 1 or not kind or not drop_option(place.node, TENSOR):
        return False
    add(place.node, f"--tp-size={count}" if kind == "vllm" else f"--tp_size={count}")
    return None


@fault("OME445", at=single)
def server_on_another_port(place: Place, rng: Random) -> bool | None:
    if not engine(place.node) or place.is_parent:
        return False
    return None if set_option(place.node, PORT, rng.choice(["30000", "8000", "8081"])) else False


@fault("OME446", "OME445", at=single)
def port_left_to_the_server(place: Place, rng: Random) -> bool | None:
    if not engine(place.node):
        return False
    return None if drop_option(place.node, PORT) else False


@fault("OME447", at=single)
def server_for_itself(place: Place, rng: Random) -> bool | None:
    if not engine(place.node):
        return False
    if option(place.node, HOST) is None:
        return False
    set_option(place.node, HOST, rng.choice(["127.0.0.1", "localhost"]))
    return None


@fault("OME447", at=single)
def host_left_to_sglang(place: Place, rng: Random) -> bool | None:
    if engine(place.node) != "sglang":
        return False
    return None if drop_option(place.node, HOST) else False


@fault("OME448", at=single)
def model_of_its_own_choice(place: Place, rng: Random) -> bool | None:
    if not engine(place.node) or place.is_parent or not place.spec.get("supportedModelFormats"):
        return False
    if text(place.node).count("$(MODEL_PATH)") != 1:
        return False
    other = rng.choice(["meta-llama/Llama-3.1-8B-Instruct", "Qwen/Qwen3-8B", "/models/llama"])
    return None if set_option(place.node, MODEL, other) else False


@fault("OME449", at=single)
def name_left_out(place: Place, rng: Random) -> bool | None:
    if place.is_parent or not engine(place.node) or option(place.node, ("--served-model-name",)) != "{{.Name}}":
        return False
    return None if drop_option(place.node, ("--served-model-name",)) else False


@fault("OME450", at=services)
def weights_of_a_giant(place: Place, rng: Random) -> bool | None:
    """A model of 1.4 TB on the GPUs of a smaller one."""
    runtime, model = place.runtime, place.model
    if not runtime or not model or "annotations" in runtime["metadata"]:
        return False
    runner = (runtime["spec"].get("engineConfig") or {}).get("runner") or {}
    classes = place.all("AcceleratorClass")
    if not classes or not 0 < gpus(runner) <= 4 or "acceleratorSelector" not in place.spec:
        return False
    model["spec"]["modelParameterSize"] = "700B"
    runtime["spec"].pop("modelSizeRange", None)
    return None


@fault("OME422", at=routers)
def router_looks_for_other_labels(place: Place, rng: Random) -> bool | None:
    users = [s for s in place.all("InferenceService") if s["spec"].get("router") is not None]
    for words in (place.node.get("command") or [], place.node.get("args") or []):
        for i, word in enumerate(words):
            if "component=engine" in word and users:
                words[i] = word.replace("component=engine", rng.choice(["component=prefill", "component=predictor"]))
                return None
    return False


@fault("OME423", at=routers)
def router_reaches_for_another_port(place: Place, rng: Random) -> bool | None:
    if not any(s["spec"].get("router") is not None for s in place.all("InferenceService")):
        return False
    return None if set_option(place.node, ("--service-discovery-port",), rng.choice(["30000", "8000"])) else False


@fault("OME420", at=single)
def decoder_that_prefills(place: Place, rng: Random) -> bool | None:
    if not any(s["spec"].get("decoder") is not None for s in place.all("InferenceService")):
        return False
    mode = option(place.node, ("--disaggregation-mode",))
    if mode is None:
        return False
    set_option(place.node, ("--disaggregation-mode",), "prefill" if mode == "decode" else "decode")
    return None


@fault("OME420", at=single)
def half_a_pair_without_its_mode(place: Place, rng: Random) -> bool | None:
    if not any(s["spec"].get("decoder") is not None for s in place.all("InferenceService")):
        return False
    return None if drop_option(place.node, ("--disaggregation-mode",)) else False


@fault("OME421", at=services)
def pair_without_a_router(place: Place, rng: Random) -> bool | None:
    if "decoder" not in place.spec:
        return False
    return None if place.spec.pop("router", None) else False


@fault("OME577", at=single)
def variable_of_a_leader_worker_set(place: Place, rng: Random) -> bool | None:
    name = place.object["metadata"]["name"]
    if not any((s["spec"].get("runtime") or {}).get("name") == name for s in place.all("InferenceService")):
        return False
    if not any(s["spec"].get(place.name) is not None for s in place.all("InferenceService")):
        return False
    add(
        place.node,
        f"--dist-init-addr=$({rng.choice(['LWS_LEADER_ADDRESS', 'LWS_GROUP_SIZE', 'LWS_WORKER_INDEX'])}):5000",
    )
    return None
