"""Where the fields of merged pods are written, and for whom pods are judged."""

from __future__ import annotations

from omec.finding import Finding
from tests.lint.lint_cases import SGLANG, engine, findings, places, runner, runtime, service

GPUS = {"limits": {"nvidia.com/gpu": 4}}
TWO = {"limits": {"nvidia.com/gpu": 2}}


def told(found: list[Finding]) -> list[str]:
    return [finding.message for finding in found]


def test_a_fault_of_a_parent_is_reported_there_and_once() -> None:
    base = runtime(**engine(command=[*SGLANG, "--tp-size=8"], resources=GPUS))
    children = [runtime(f"child-{n}", parent="base", modelSizeRange={"max": "8B"}) for n in range(2)]
    assert places(findings([base, *children], "OME440")) == [("base", "spec.engineConfig.runner.command[5]")]


def test_a_fault_that_only_children_have_names_one_of_them() -> None:
    profile = runtime("base", disabled=True, **engine(command=[*SGLANG, "--tp-size=8"], resources=GPUS))
    child = runtime("child", parent="base", disabled=False)
    (found,) = findings([profile, child], "OME440")
    assert places([found]) == [("base", "spec.engineConfig.runner.command[5]")]
    assert [related.message for related in found.related] == ["via child ClusterServingRuntime child"]


def test_a_profile_alone_is_not_judged_for_what_a_child_may_change() -> None:
    assert not findings([runtime(disabled=True, **engine(command=[*SGLANG, "--tp-size=8"], resources=GPUS))], "OME440")


def test_a_child_that_spoils_a_value_of_its_parent_is_at_fault() -> None:
    base = runtime(**engine(command=[*SGLANG, "--tp-size=4"], resources=GPUS))
    child = runtime("child", parent="base", **engine(resources=TWO))
    place = ("child", "spec.engineConfig.runner.resources.limits[nvidia.com/gpu]")
    assert places(findings([base, child], "OME440")) == [place]


def test_a_service_is_judged_for_what_it_changes() -> None:
    base = runtime(**engine(command=[*SGLANG, "--tp-size=4"], resources=GPUS))
    changed = service(engine={"runner": {"name": "ome-container", "resources": TWO}})
    place = ("chat", "spec.engine.runner.resources.limits[nvidia.com/gpu]")
    assert places(findings([base, changed], "OME440")) == [place]


def test_a_service_is_not_judged_for_what_its_runtime_does() -> None:
    base = runtime(**engine(command=[*SGLANG, "--tp-size=8"], resources=GPUS))
    changed = service(engine={"runner": {"name": "ome-container", "env": [{"name": "A", "value": "1"}]}})
    assert places(findings([base, changed], "OME440")) == [("base", "spec.engineConfig.runner.command[5]")]


def test_a_service_that_repairs_its_runtime_has_no_fault() -> None:
    base = runtime(**engine(command=[*SGLANG, "--tp-size=8"], resources=GPUS))
    repaired = service(engine={"runner": {"name": "ome-container", "resources": {"limits": {"nvidia.com/gpu": 8}}}})
    assert [name for name, _ in places(findings([base, repaired], "OME440"))] == ["base"]


def test_leader_and_workers_share_the_pod_fields_of_their_component() -> None:
    mount = runner(volumeMounts=[{"name": "dshm", "mountPath": "/dev/shm"}])
    shared = {"volumes": [{"name": "dshm", "emptyDir": {}}], "leader": {"runner": mount}, "worker": {"runner": mount}}
    found = findings([runtime(engineConfig=shared)], "OME407", "OME408", "OME431")
    assert places(found) == [("base", "spec.engineConfig.volumes[0].emptyDir")]


def test_a_replica_has_the_gpus_of_all_its_pods() -> None:
    command = [*SGLANG, "--tp-size=8", "--nnodes=2"]
    nodes = {"leader": {"runner": runner(command=command, resources=GPUS)}}
    nodes["worker"] = {"size": 1, "runner": runner(command=command, resources=GPUS)}
    assert not findings([runtime(engineConfig=nodes)], "OME440", "OME441", "OME442")
    nodes["worker"]["size"] = 2
    nodes["leader"]["runner"]["command"] = nodes["worker"]["runner"]["command"] = [*SGLANG, "--tp-size=8", "--nnodes=3"]
    assert told(findings([runtime(engineConfig=nodes)], "OME440", "OME441")) == [
        "the engine leader runs SGLang with TP 8 on 12 GPUs (3 pods with 4 each): 4 are idle"
    ]


def test_a_broken_chain_is_left_to_the_rules_about_it() -> None:
    orphan = runtime("child", parent="gone", **engine(command=[*SGLANG, "--tp-size=8"], resources=GPUS))
    assert not findings([orphan], "OME440")


def test_a_faulty_parent_is_not_judged_through_its_children() -> None:
    base = runtime(**engine(command="sglang", resources=GPUS))
    assert not findings([base, runtime("child", parent="base", **engine(resources=TWO))], "OME440", "OME442")


def test_a_container_of_the_runners_name_is_the_runner() -> None:
    config = {"runner": runner(command=SGLANG), "containers": [runner(args=["--tp-size=8"], resources=GPUS)]}
    (found,) = findings([runtime(engineConfig=config)], "OME440")
    assert found.message == "the engine runs SGLang with TP 8 on 4 GPUs"
