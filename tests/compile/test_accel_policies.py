"""The policies by which a class is chosen, and their scores (reference 03 §6)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omec.compile.accel.classes import AcceleratorClass
from omec.compile.accel.constraints import Constraints
from omec.compile.accel.policies import Policy, pick
from omec.compile.accel.scores import best_fit, most_capable
from tests.compile.accel_classes import accelerator, named, spec

Object = dict[str, Any]

ALL = ("H100", "A100", "T4")


def costs(*given: Object) -> list[AcceleratorClass]:
    return [AcceleratorClass.of(str(index), spec(cost=cost)) for index, cost in enumerate(given)]


def picked(policy: str, classes: list[AcceleratorClass], constraints: Object | None = None) -> str | None:
    wanted = Constraints.of(constraints)
    found = pick(Policy(policy), [item for item in classes if wanted.exclusion(item) is None], wanted)
    return None if found is None else found.name


@pytest.mark.parametrize(
    ("classes", "expected"),
    [
        (named("nvidia-h100", "nvidia-l40s"), "nvidia-l40s"),
        (costs({"perHour": 10}, {"perHour": 12}), "0"),
        (costs({"spotPerHour": 5}, {"perHour": 3}), "1"),
        (costs({"perMillionTokens": 1}, {"perHour": 10}), "1"),
        (costs({"perMillionTokens": 50}, {"perMillionTokens": 10}), "1"),
        (costs({"tier": "high"}, {"tier": "low"}), "1"),
        (costs({"tier": "HIGH"}, {"tier": "gold"}), "1"),
        (costs({"tier": "medium"}, {"tier": "gold"}), "0"),
        (costs({"perHour": 3}, {"perHour": 3}), "0"),
        (costs({"perHour": 3, "spotPerHour": 0}, {"perHour": 1}), "0"),
        (costs({}, {}), None),
        (costs({}), "0"),
        (costs({}, {"perHour": 9}), "1"),
        (costs({"perHour": "1"}, {"perHour": "0.8"}), "1"),
        (costs({"perHour": "500m"}, {"perHour": "0.5"}), "0"),
    ],
)
def test_cheapest(classes: list[AcceleratorClass], expected: str | None) -> None:
    """§6.2."""
    assert picked("Cheapest", classes) == expected


FP16_100 = {"performance": {"fp16Tflops": 100}}


@pytest.mark.parametrize(
    ("fields", "constraints", "score"),
    [
        ({"memory": "40Gi", **FP16_100}, {"minMemory": 40, "preferredPrecisions": ["fp16"]}, 1.0),
        ({"memory": "80Gi", **FP16_100}, {"minMemory": 40, "preferredPrecisions": ["fp16"]}, 0.65),
        ({"memory": "40Gi", **FP16_100}, {"minMemory": 40, "preferredPrecisions": ["fp8", "fp16"]}, 0.85),
        ({"memory": "50Gi"}, {"minMemory": 40}, 0.7 * 0.8),
        ({"memory": "400Gi"}, {"minMemory": 40}, 0.7 * 0.1),
        ({"memory": "40Gi"}, {"minMemory": 0}, 0),
        ({"memory": "0"}, {"minMemory": 0}, 0.7),
        ({"memory": "80Gi"}, {"minMemory": -8}, 0.7 * -0.1),
        ({}, {"minMemory": 40}, 0),
        ({"memory": "39Gi"}, {"minMemory": 40}, 0),
    ],
)
def test_score_of_best_fit(fields: Object, constraints: Object, score: float) -> None:
    """§6.3, whole scores; a class without ``performance`` has nothing for its throughput."""
    assert best_fit(accelerator("x", **fields), Constraints.of(constraints)) == pytest.approx(score)


@pytest.mark.parametrize(
    ("performance", "least", "precisions", "throughput"),
    [
        ({"fp16Tflops": 50}, 100, ["fp16"], 0.5),
        ({"fp16Tflops": 200}, 100, ["fp16"], 1),
        ({"fp16Tflops": 100}, 100, ["int4", "int8", "fp16"], 0.25),
        ({"fp16Tflops": 100}, 100, ["int4"], 0.5),
        ({"fp32Tflops": 50, "fp16Tflops": 100, "int8Tops": 200}, 200, [], 1),
        ({}, 100, ["fp16"], 0),
        (None, 100, ["fp16"], 0),
        ({"int8Tops": 100}, 100, ["FP8"], 1),
        ({"fp16Tflops": 100}, 100, ["bf16", "fp4"], 0.25),
    ],
)
def test_throughput_of_best_fit(
    performance: Object | None, least: int, precisions: list[str], throughput: float
) -> None:
    """§6.3, the part of the throughput; without ``minMemory`` the memory counts in full."""
    fields = {} if performance is None else {"performance": performance}
    constraints = {"minComputePerformanceTFLOPS": least, "preferredPrecisions": precisions}
    assert best_fit(accelerator("x", **fields), Constraints.of(constraints)) == pytest.approx(0.7 + 0.3 * throughput)


@pytest.mark.parametrize(
    ("names", "constraints", "scores", "expected"),
    [
        (("nvidia-l40s", "nvidia-h100"), {"minMemory": 48}, (1.0, 0.72), "nvidia-l40s"),
        (("nvidia-l40s", "nvidia-h100"), {"minMemory": 40}, (0.8833, 0.65), "nvidia-l40s"),
        (
            ("nvidia-l40s", "nvidia-h100"),
            {"minMemory": 48, "minComputePerformanceTFLOPS": 800, "preferredPrecisions": ["fp16"]},
            (0.83575, 0.72),
            "nvidia-l40s",
        ),
        (("nvidia-h100", "nvidia-h200"), {"minMemory": 80}, (1.0, 0.69716), "nvidia-h100"),
        (("nvidia-h100", "nvidia-l40s"), {}, (1.0, 1.0), "nvidia-h100"),
    ],
)
def test_best_fit(names: tuple[str, ...], constraints: Object, scores: tuple[float, ...], expected: str) -> None:
    """§6.3, classes against each other."""
    classes = named(*names)
    assert [best_fit(item, Constraints.of(constraints)) for item in classes] == pytest.approx(scores, abs=1e-4)
    assert picked("BestFit", classes, constraints) == expected


@pytest.mark.parametrize(
    ("names", "precisions", "scores", "expected"),
    [
        (("nvidia-h100", "nvidia-h200"), [], (0.69306, 1.0), "nvidia-h200"),
        (("nvidia-h100", "nvidia-l40s"), [], (1.0, 0.45058), "nvidia-h100"),
        (("nvidia-h100", "nvidia-h200"), ["fp8"], (0.69306, 0.8), "nvidia-h200"),
        (("nvidia-h100", "nvidia-h200"), ["fp8", "fp16"], (0.69306, 0.89995), "nvidia-h200"),
    ],
)
def test_most_capable(names: tuple[str, ...], precisions: list[str], scores: tuple[float, ...], expected: str) -> None:
    """§6.4."""
    classes, constraints = named(*names), {"preferredPrecisions": precisions}
    assert most_capable(classes, Constraints.of(constraints)) == pytest.approx(scores, abs=1e-5)
    assert picked("MostCapable", classes, constraints) == expected


def test_most_capable_without_data() -> None:
    classes = [accelerator("a"), accelerator("b"), accelerator("c")]
    assert most_capable(classes, Constraints()) == [0, 0, 0]
    assert picked("MostCapable", classes) == "a"


def test_bandwidth_is_counted_in_whole_units() -> None:
    """1500m GB/s count as 2."""
    classes = [accelerator("a", bandwidth="1500m"), accelerator("b", bandwidth="2")]
    assert most_capable(classes, Constraints()) == pytest.approx([0.3, 0.3])


@pytest.mark.parametrize(
    ("policy", "classes", "constraints", "expected"),
    [
        ("BestFit", ALL, {"minMemory": 40, "preferredPrecisions": ["fp16"]}, "A100"),
        ("BestFit", ALL, {"minMemory": 80, "preferredPrecisions": ["fp16"]}, "H100"),
        ("BestFit", ("A100", "T4"), {"minMemory": 16, "requiredFeatures": ["nvlink"]}, "A100"),
        ("BestFit", ALL, {"minMemory": 16, "maxMemory": 20}, "T4"),
        ("Cheapest", ALL, {"minMemory": 16}, "T4"),
        ("Cheapest", ALL, {"minMemory": 40}, "A100"),
        ("Cheapest", ALL, {"minMemory": 80}, "H100"),
        ("MostCapable", ALL, {"minMemory": 16, "preferredPrecisions": ["fp8"]}, "H100"),
        ("MostCapable", ALL, {"minMemory": 16, "maxMemory": 50, "preferredPrecisions": ["fp16"]}, "A100"),
        ("FirstAvailable", ALL, {"minMemory": 16}, "H100"),
        *((policy, ALL, {"minMemory": 100}, None) for policy in Policy),
    ],
)
def test_policies_of_ome_s_own_tests(
    policy: str, classes: tuple[str, ...], constraints: Object, expected: str | None
) -> None:
    """§6.4, the last table."""
    assert picked(policy, named(*classes), constraints) == expected


QUANTITIES = st.sampled_from([None, "0", "16Gi", "80Gi", "80G", 40, "1500m"])


@st.composite
def any_class(draw: st.DrawFn) -> Object:
    figures = st.dictionaries(st.sampled_from(["fp32Tflops", "fp16Tflops", "int8Tops", "int4Tops"]), st.integers(0, 9))
    cost = st.dictionaries(st.sampled_from(["perHour", "spotPerHour", "perMillionTokens"]), st.sampled_from([0, "1.5"]))
    fields = {"memory": draw(QUANTITIES), "bandwidth": draw(QUANTITIES)}
    performance = draw(st.none() | figures)
    return spec(
        **{key: value for key, value in fields.items() if value is not None},
        **({} if performance is None else {"performance": performance}),
        cost=draw(cost),
    )


@given(
    st.lists(any_class(), max_size=5),
    st.sampled_from(list(Policy)),
    st.fixed_dictionaries({}, optional={"minMemory": st.integers(0, 100), "preferredPrecisions": st.just(["fp8"])}),
)
def test_any_choice_is_one_of_the_candidates(specs: list[Object], policy: Policy, constraints: Object) -> None:
    """With scores between 0 and 1, and the same again for the same classes."""
    classes = [AcceleratorClass.of(str(index), given) for index, given in enumerate(specs)]
    wanted = Constraints.of(constraints)
    found = pick(policy, classes, wanted)
    assert found is None or found in classes
    assert found == pick(policy, classes, wanted)
    assert found is not None or not classes or policy is Policy.CHEAPEST
    for score in (*most_capable(classes, wanted), *(best_fit(item, wanted) for item in classes)):
        assert 0 <= score <= 1 + 1e-9
