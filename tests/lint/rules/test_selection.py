"""The algorithms of reference 09 §C6 about selection, table by table, and rivals among many runtimes."""

from __future__ import annotations

import time
from typing import Any

import pytest

from omec.lint.rules.selection.range_and_name import sizes_in
from omec.lint.rules.selection.version_operator_unknown import RULE
from omec.session import from_objects

LLAMA = {
    "modelFormat": {"name": "safetensors"},
    "modelFramework": {"name": "transformers"},
    "modelArchitecture": "LlamaForCausalLM",
    "autoSelect": True,
}


def runtime(name: str, sizes: dict[str, str] | None = None, namespace: str = "", **entry: Any) -> dict[str, Any]:
    return {
        "apiVersion": "ome.io/v1beta1",
        "kind": "ServingRuntime" if namespace else "ClusterServingRuntime",
        "metadata": {"name": name, **({"namespace": namespace} if namespace else {})},
        "spec": {"supportedModelFormats": [{**LLAMA, **entry}], **({"modelSizeRange": sizes} if sizes else {})},
    }


def found(*objects: dict[str, Any], rules: tuple[str, ...]) -> list[tuple[str, str]]:
    """The name of the object and the rule of each finding of ``rules``."""
    config = {"lint": {"select": list(rules)}}
    findings = from_objects(objects, config=config).lint().findings
    return sorted((f.object.name, f.rule.slug) for f in findings if f.object is not None)


@pytest.mark.parametrize("size", ["4B", "500M", "1.5T", "999", ""])
def test_clean_sizes(size: str) -> None:
    assert found(runtime("r", {"max": size}), rules=("OME331",)) == []


@pytest.mark.parametrize("size", ["4b", "4 B", "4GB", "-4B", "3,2B"])
def test_bad_sizes(size: str) -> None:
    assert found(runtime("r", {"max": size}), rules=("OME331",)) == [("r", "size-bad-suffix")]


RIVALS = ("OME340", "OME341", "OME342")
TIE, RANGELESS, SHADOW = "ambiguous-autoselect", "rangeless-wins-tie", "shadowed-runtime"
SMALL, WIDE = {"min": "2B", "max": "4B"}, {"min": "1B", "max": "70B"}


@pytest.mark.parametrize(
    ("objects", "expected"),
    [
        pytest.param([runtime("a", SMALL), runtime("b", SMALL)], [("b", TIE)], id="identical ranges"),
        pytest.param([runtime("a"), runtime("b")], [("b", TIE)], id="both without a range"),
        pytest.param([runtime("a", SMALL), runtime("b")], [("a", RANGELESS)], id="one without a range"),
        pytest.param([runtime("a", SMALL), runtime("b", WIDE)], [], id="the narrower one wins"),
        pytest.param(
            [runtime("a", {"min": "28B", "max": "32B"}), runtime("b", {"min": "30B", "max": "34B"})],
            [("b", TIE)],
            id="equal widths, so that the distance is equal for every size in common",
        ),
        pytest.param(
            [runtime("a", {"min": "1B", "max": "4B"}), runtime("b", {"min": "5B", "max": "8B"})], [], id="no overlap"
        ),
        pytest.param([runtime("a", SMALL), runtime("b", SMALL, priority=2)], [("a", SHADOW)], id="higher score"),
        pytest.param([runtime("a", WIDE), runtime("b", SMALL, priority=2)], [], id="higher score, fewer sizes"),
        pytest.param([runtime("a", SMALL), runtime("b", priority=2)], [("a", SHADOW)], id="higher score, every size"),
        pytest.param(
            [runtime("a"), runtime("b", priority=2, namespace="demo")], [], id="a ServingRuntime hides in its namespace"
        ),
        pytest.param([runtime("a"), runtime("b", modelArchitecture="Other")], [], id="other architectures"),
        pytest.param([runtime("a"), runtime("b", quantization="fp8")], [], id="other quantizations"),
        pytest.param([runtime("a"), runtime("b", autoSelect=False)], [], id="one is never selected"),
    ],
)
def test_rivals(objects: list[dict[str, Any]], expected: list[tuple[str, str]]) -> None:
    assert found(*objects, rules=RIVALS) == expected
    assert found(*reversed(objects), rules=RIVALS) == expected


@pytest.mark.parametrize(
    ("sizes", "priority"), [((None, None), 1), ((SMALL, None), 1), ((SMALL, SMALL), 2)], ids=[TIE, RANGELESS, SHADOW]
)
def test_rivals_for_models_without_an_architecture(sizes: tuple[Any, Any], priority: int) -> None:
    first = runtime("a", sizes[0], modelArchitecture=None)
    second = runtime("b", sizes[1], modelArchitecture=None, priority=priority)
    (finding,) = from_objects([first, second], config={"lint": {"select": list(RIVALS)}}).lint().findings
    assert finding.message.endswith("for models without an architecture")


def test_a_leak_of_models_without_an_architecture() -> None:
    leaking = runtime("a")
    leaking["spec"]["supportedModelFormats"].append({**LLAMA, "modelArchitecture": None, "autoSelect": False})
    (finding,) = from_objects([leaking], config={"lint": {"select": ["OME338"]}}).lint().findings
    assert finding.message.endswith(": models without an architecture get the runtime all the same")


def test_thousands_of_rivals_take_no_time() -> None:
    """Comparing each with each would take minutes; what reading and resolving them takes is left out."""
    runtimes = [runtime(f"r{number:04}", {"min": f"{number}M", "max": f"{number + 9}M"}) for number in range(2000)]
    repo = from_objects(runtimes, config={"lint": {"select": ["OME339"]}})
    repo.lint()
    start = time.process_time()
    ties = found(*runtimes, rules=RIVALS)
    assert len(ties) == 1999
    assert time.process_time() - start < 20


@pytest.mark.parametrize(
    ("name", "sizes"),
    [
        ("srt-gpt-oss-20b", [2e10]),
        ("qwen2-5-1-5b-instruct", [1.5e9, 5e9]),
        ("llama-4-scout-17b-16e-instruct", []),
        ("qwen3-30b-a3b", [3e10]),
        ("llama-3-3-70b", [7e10]),
        ("exaone-0-35b", [3.5e8, 3.5e10]),
        ("mixtral-8x7b", []),
        ("bert-110m", [1.1e8]),
        ("glm-4v", []),
    ],
)
def test_sizes_in_names(name: str, sizes: list[float]) -> None:
    assert [size for _, size in sizes_in(name)] == sizes


@pytest.mark.parametrize(
    ("operator", "help_"),
    [
        ("Equal", None),
        ("GreaterThanOrEqual", None),
        ("greaterThan", "did you mean GreaterThan?"),
        ("==", ""),
        ("LessThan", ""),
    ],
)
def test_operators(operator: str, help_: str | None) -> None:
    made = runtime("r")
    made["spec"]["supportedModelFormats"][0]["modelFramework"] = {"name": "transformers", "operator": operator}
    told = from_objects([made], config={"lint": {"select": ["OME350"]}}).lint().findings
    assert [finding.help for finding in told] == ([] if help_ is None else [help_ or RULE.remedy])
