"""Errors elsewhere: a service whose runtime hangs on them keeps the output that it has."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Omec

MODEL = """\
apiVersion: ome.io/v1beta1
kind: ClusterBaseModel
metadata:
  name: m
spec:
  modelFormat: {name: safetensors, version: "1.0.0"}
  modelFramework: {name: transformers, version: "4.45.0"}
  modelArchitecture: LlamaForCausalLM
  modelParameterSize: 3B
  storage: {storageUri: "hf://meta/m", path: /m}
"""


def runtime(name: str, priority: str = "1", kind: str = "ClusterServingRuntime", extra: str = "") -> str:
    namespace = "  namespace: ns\n" if kind == "ServingRuntime" else ""
    return f"""\
apiVersion: ome.io/v1beta1
kind: {kind}
metadata:
  name: {name}
{namespace}spec:
  supportedModelFormats:
    - modelFormat: {{name: safetensors, version: "1.0.0"}}
      modelFramework: {{name: transformers, version: "4.45.0"}}
      modelArchitecture: LlamaForCausalLM
      autoSelect: true
      priority: {priority}
  engineConfig:
    runner: {{name: ome-container, image: "example.com/{name}:1"}}
{extra}"""


def service(name: str, spec: str = "model: {name: m}") -> str:
    return f"""\
apiVersion: ome.io/v1beta1
kind: InferenceService
metadata:
  name: {name}
  namespace: ns
spec:
  {spec}
  engine: {{minReplicas: 1}}
"""


SETTINGS = """\
apiVersion: v1
kind: ConfigMap
metadata:
  name: inferenceservice-config
  namespace: ome
data:
  deploy: '{"defaultDeploymentMode": "RawDeployment", "terminationGracePeriodSeconds": 60}'
"""

Write = Callable[[dict[str, str]], None]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """``write({path: text})`` adds files to a repository of a model, two runtimes and two services."""
    monkeypatch.chdir(tmp_path)

    def files(contents: dict[str, str]) -> None:
        for path, text in contents.items():
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / path).write_text(text)

    files(
        {
            "src/model.yaml": MODEL,
            "src/r.yaml": runtime("r"),
            "src/best.yaml": runtime("best", priority="5"),
            "src/auto.yaml": service("auto"),
            "src/named.yaml": service("named", "model: {name: m}\n  runtime: {name: r}"),
            "omec.toml": 'source = "src"\noutput = "out"\n',
        }
    )
    return files


def images(name: str) -> str:
    text = Path(f"out/ns/{name}/deployment-{name}-engine.yaml").read_text()
    return next(line.split()[-1] for line in text.splitlines() if " image: " in line)


BROKEN = {
    "not YAML": runtime("best", priority="5") + "x: {\n",
    "no kind to be seen": "x: {\n",
    "a wrong type where selection looks": runtime("best", priority="high"),
    "an unknown field where selection looks": runtime("best", "5").replace("autoSelect", "autoselct"),
}


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN)
def test_a_broken_winner_moves_no_service(omec: Omec, write: Write, text: str) -> None:
    assert omec("compile").code == 0
    assert images("auto") == "example.com/best:1"
    write({"src/best.yaml": text, "src/r.yaml": runtime("r").replace("/r:1", "/r:2")})
    outcome = omec("compile", "--keep-going")
    assert outcome.code == 1
    assert "OME291" in outcome.out
    assert images("auto") == "example.com/best:1"
    assert images("named") == "example.com/r:2"


def test_an_error_that_selection_does_not_look_at_moves_nothing(omec: Omec, write: Write) -> None:
    broken = runtime("other").replace("LlamaForCausalLM", "Other").replace("image:", "imge:")
    write({"src/other.yaml": broken})
    assert omec("compile", "--keep-going").code == 1
    assert images("auto") == "example.com/best:1"


def test_errors_that_selection_understands_move_nothing(omec: Omec, write: Write) -> None:
    """A runtime without its parent is still judged by its own spec; of two definitions neither is a candidate."""
    child = runtime("child").replace("  name: child\n", "  name: child\n  annotations: {ome.io/inherit-from: nobody}\n")
    twin = runtime("twin").replace("LlamaForCausalLM", "Other")
    write({"src/child.yaml": child, "src/twin-1.yaml": twin, "src/twin-2.yaml": twin})
    outcome = omec("compile", "--keep-going")
    assert outcome.code == 1
    assert "OME291" not in outcome.out
    assert images("auto") == "example.com/best:1"


def test_an_unreadable_service_stops_no_other(omec: Omec, write: Write) -> None:
    assert omec("compile").code == 0
    write({"src/auto.yaml": service("auto") + "x: {\n", "src/r.yaml": runtime("r").replace("/r:1", "/r:2")})
    outcome = omec("compile", "--keep-going")
    assert outcome.code == 1
    assert "OME291" not in outcome.out
    assert (images("auto"), images("named")) == ("example.com/best:1", "example.com/r:2")


def test_a_named_runtime_that_may_be_shadowed_is_open(omec: Omec, write: Write) -> None:
    """A bare name means the cluster's runtime first: the unreadable file may hold it."""
    write({"src/local.yaml": runtime("local", kind="ServingRuntime"), "src/x.yaml": "x: {\n"})
    write({"src/named.yaml": service("named", "model: {name: m}\n  runtime: {name: local}")})
    assert "InferenceService ns/named gets is open" in omec("compile", "--keep-going").out
    write({"src/named.yaml": service("named", "model: {name: m}\n  runtime: {name: local, kind: ServingRuntime}")})
    assert "InferenceService ns/named gets is open" not in omec("compile", "--keep-going").out


@pytest.mark.parametrize("text", [SETTINGS.replace("60}'", "60'"), SETTINGS + "x: {\n"])
def test_settings_that_are_not_known_roll_nothing(omec: Omec, write: Write, text: str) -> None:
    write({"src/settings.yaml": SETTINGS})
    assert omec("compile").code == 0
    before = Path("out/ns/named/deployment-named-engine.yaml").read_text()
    assert "terminationGracePeriodSeconds: 60\n" in before
    write({"src/settings.yaml": text})
    outcome = omec("compile", "--keep-going")
    assert outcome.code == 1
    assert "OME018" in outcome.out
    assert Path("out/ns/named/deployment-named-engine.yaml").read_text() == before


def test_a_catalog_that_cannot_be_read_is_an_error(omec: Omec, write: Write) -> None:
    write({"omec.toml": 'source = "src"\noutput = "out"\n[[sources]]\npath = "catalog"\n', "catalog/x.yaml": "x: {\n"})
    for command in ("lint", "compile"):
        outcome = omec(command)
        assert outcome.code == 1
        assert "catalog/x.yaml:2:1: error[OME101]" in outcome.out


def test_a_broken_object_of_a_catalog_is_told_where_it_is_used(omec: Omec, write: Write) -> None:
    write({"omec.toml": 'source = "src"\noutput = "out"\n[[sources]]\npath = "catalog"\n'})
    write({"catalog/c.yaml": runtime("c").replace("image:", "imge:")})
    assert omec("lint").code == 0
    assert omec("compile").code == 0
    write({"src/named.yaml": service("named", "model: {name: m}\n  runtime: {name: c}")})
    outcome = omec("compile")
    assert outcome.code == 1
    assert "error[OME290]" in outcome.out
    assert "catalog/c.yaml:13:35" in outcome.out


def test_a_broken_accelerator_class_stops_who_asks_for_it(omec: Omec, write: Write) -> None:
    write(
        {
            "src/class.yaml": "apiVersion: ome.io/v1beta1\nkind: AcceleratorClass\nmetadata: {name: h}\n"
            "spec: {vendor: nvidia, resources: [nvidia.com/gpu]}\n",
            "src/r.yaml": runtime("r", extra="  acceleratorRequirements: {acceleratorClasses: [h]}\n"),
            "src/named.yaml": service(
                "named", "model: {name: m}\n  runtime: {name: r}\n  acceleratorSelector: {acceleratorClass: h}"
            ),
        }
    )
    outcome = omec("compile", "--keep-going")
    assert outcome.code == 1
    assert "InferenceService ns/named uses AcceleratorClass h, which has an error of its own" in outcome.out
    assert images("auto") == "example.com/best:1"


def test_nothing_is_pruned_while_a_file_cannot_be_read(omec: Omec, write: Write, tmp_path: Path) -> None:
    """A service that was moved and broken in one change is not gone."""
    assert omec("compile").code == 0
    (tmp_path / "src/named.yaml").rename(tmp_path / "src/moved.yaml")
    write({"src/moved.yaml": service("named") + "x: {\n"})
    assert omec("compile", "--keep-going").code == 1
    assert images("named") == "example.com/r:1"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("kind: Inf", "Kind: Inf"),
        ("kind: InferenceService\n", ""),
        ("ome.io/", "omeio/"),
        ("apiVersion: ome.io/v1beta1", "apiVersion: v1beta1"),
    ],
)
def test_a_misspelt_identity_deletes_nothing(omec: Omec, write: Write, before: str, after: str) -> None:
    assert omec("compile").code == 0
    write({"src/named.yaml": service("named").replace(before, after)})
    assert omec("compile").code == 1
    assert images("named") == "example.com/r:1"
