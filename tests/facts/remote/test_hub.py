"""The hub, through the real huggingface_hub, against a server on the loopback interface."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from omec.api.storage_uri import HuggingFaceUri, parse_storage_uri
from omec.errors import OmecError
from omec.facts import FactsError, read_facts, read_tree
from omec.facts.facts import Facts
from omec.facts.locate import NEVER_READ
from omec.facts.remote.client import Client, Patience
from omec.facts.remote.errors import RemoteError
from omec.facts.remote.hub import Hub
from omec.facts.remote.hub_wire import HubWire
from omec.facts.remote.listing import Listing
from omec.facts.tree import Entry, UnreadableError
from tests.facts.hub_server import COMMIT, HubServer
from tests.facts.models import LLAMA, safetensors, write_model

TOKEN = "hf_" + "good" * 5
FILES = {
    "config.json": LLAMA | {"quantization_config": {"quant_method": "fp8"}},
    "generation_config.json": "{}",
    "tokenizer.json": "{}",
    "tokenizer_config.json": "{}",
    "README.md": "# a model",
    "model-1.safetensors": safetensors({"a.weight": ("F8_E4M3", [40, 40])}) + b"\0" * 1600,
    "model-2.safetensors": safetensors({"b.weight": ("BF16", [10])}) + b"\0" * 20,
    "model.safetensors.index.json": {
        "weight_map": {"a.weight": "model-1.safetensors", "b.weight": "model-2.safetensors"}
    },
    "original/params.json": "{}",
}


def hub_of(**patience: Any) -> Hub:
    quick = {"attempts": 3, "first_wait": 0.001, "longest": 1.0} | patience
    return Hub(client=Client(HubWire(), Patience(**quick)))


def read(uri: str, hub: Hub | None = None) -> Facts:
    return read_tree(opened(uri, hub)[1])


def opened(uri: str, hub: Hub | None = None) -> Any:
    parsed = parse_storage_uri(uri)
    assert isinstance(parsed, HuggingFaceUri)
    return (hub or hub_of()).open(parsed)


def test_the_facts_are_those_of_a_download(hub: HubServer, tmp_path: Path) -> None:
    hub.repository("org/model", FILES)
    assert read("hf://org/model").to_dict() == read_facts(write_model(tmp_path, FILES)).to_dict()


def test_only_what_describes_the_model_is_fetched(hub: HubServer) -> None:
    repository = hub.repository("org/model", FILES)
    read("hf://org/model")
    fetched = {path.rpartition("/")[2].partition("?")[0] for path in hub.paths()}
    index = "model.safetensors.index.json"
    assert fetched == {"main", "config.json", index, "model-1.safetensors", "model-2.safetensors"}
    assert not fetched & {*NEVER_READ, "README.md"}
    headers = sum(
        len(safetensors(tensors)) for tensors in ({"a.weight": ("F8_E4M3", [40, 40])}, {"b.weight": ("BF16", [10])})
    )
    listing = hub.asked[0].sent
    assert hub.bytes_sent == listing + len(repository.files["config.json"]) + len(repository.files[index]) + headers


def test_weights_are_read_by_range_from_where_the_hub_sends_for_them(hub: HubServer) -> None:
    hub.repository("org/model", FILES)
    read("hf://org/model")
    ranges = [(asked.server, asked.headers.get("range")) for asked in hub.asked if "model-1" in asked.path]
    length = len(safetensors({"a.weight": ("F8_E4M3", [40, 40])}))
    # The second request goes to the storage at once, without asking the hub again.
    assert ranges == [("hub", "bytes=0-7"), ("storage", "bytes=0-7"), ("storage", f"bytes=8-{length - 1}")]


def test_a_storage_link_that_has_expired_is_asked_for_anew(hub: HubServer) -> None:
    hub.repository("org/model", FILES)
    hub.trouble(r"^/org/model/model-1\.safetensors", times=0)
    tree = opened("hf://org/model")[1]
    tree.read_range("model-1.safetensors", 0, 8)
    hub.trouble(r"signature=secret", times=1, status=403)
    assert len(tree.read_range("model-1.safetensors", 8, 4)) == 4
    assert [asked.status for asked in hub.asked if "model-1" in asked.path][2:] == [403, 302, 206]


def test_the_commit_is_resolved_once_and_pinned(hub: HubServer) -> None:
    hub.repository("org/model", FILES, revisions={"main": COMMIT, "refs/pr/1": "f" * 40})
    assert opened("hf://org/model")[0] == COMMIT
    assert opened("hf://org/model@refs/pr/1")[0] == "f" * 40
    assert opened("hf://org/model@")[0] == COMMIT
    assert opened(f"hf://org/model@{COMMIT}")[0] == COMMIT
    read("hf://org/model@refs/pr/1")
    assert all(f"/resolve/{'f' * 40}/" in path for path in hub.paths() if "/resolve/" in path)


def test_a_mirror_that_lists_files_only_page_by_page(hub: HubServer, tmp_path: Path) -> None:
    hub.mirror = True
    hub.repository("org/model", FILES)
    assert read("hf://org/model").to_dict() == read_facts(write_model(tmp_path, FILES)).to_dict()
    assert sum("/tree/" in path for path in hub.paths()) == 3


def test_the_token_goes_to_the_hub_only(hub: HubServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_TOKEN", TOKEN)
    hub.repository("org/model", FILES, private=True)
    assert read("hf://org/model").parameter_count == 1610
    sent = {(asked.server, asked.headers.get("authorization")) for asked in hub.asked}
    assert sent == {("hub", f"Bearer {TOKEN}"), ("storage", None)}


@pytest.mark.parametrize(
    ("name", "more", "token", "message", "hint"),
    [
        ("org/absent", {}, "", "has no model org/absent for no token", "check the name"),
        ("org/absent", {}, TOKEN, "has no model org/absent for the token of HF_TOKEN", "check the name"),
        ("org/model", {"private": True}, "", "has no model org/model for no token", "HF_TOKEN"),
        (
            "org/model",
            {"gated": True},
            "",
            "gives org/model only to accounts that it knows",
            "accept the model's terms",
        ),
        ("org/model", {}, "hf_" + "bad" * 6, "refuses the token of HF_TOKEN", "valid"),
        ("org/model@v9", {}, "", "org/model has no revision v9", "after @"),
        ("org/../model", {}, "", "is not the name of a model", "hf://ORGANISATION/NAME"),
        ("a/b/c", {}, "", "is not the name of a model", "hf://ORGANISATION/NAME"),
    ],
)
def test_refusals(
    hub: HubServer,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    more: dict[str, Any],
    token: str,
    message: str,
    hint: str,
) -> None:
    if token:
        monkeypatch.setenv("HF_TOKEN", token)
    hub.repository("org/model", FILES, **more)
    with pytest.raises(RemoteError) as error:
        read(f"hf://{name}")
    assert message in error.value.message
    assert hint in error.value.hint
    assert error.value.code == "OME043"
    assert token not in f"{error.value}" or not token


@pytest.mark.parametrize(
    "path", ["/revision/", "config.json", "index.json", "/model-1.safetensors$", "signature=secret"]
)
@pytest.mark.parametrize(
    "trouble",
    [
        {"status": 500},
        {"status": 502},
        {"status": 503},
        {"status": 504},
        {"status": 408},
        {"status": 429},
        {"status": 429, "headers": {"Retry-After": "0"}},
        {"status": 429, "headers": {"RateLimit": '"api";r=0;t=0'}},
        {"cut": True},
    ],
)
def test_troubles_that_pass(hub: HubServer, path: str, trouble: dict[str, Any]) -> None:
    hub.repository("org/model", FILES)
    hub.trouble(path, times=2, **trouble)
    assert read("hf://org/model").parameter_count == 1610


@pytest.mark.parametrize(
    ("trouble", "message", "hint"),
    [
        ({"status": 500}, "answers HTTP 500 for org/model", "later"),
        ({"status": 503, "body": b'{"error": "down for repair"}'}, "HTTP 503 for org/model: down for repair", "later"),
        ({"status": 429}, "takes no more requests", "what was read is kept"),
        ({"status": 429, "headers": {"Retry-After": "290"}}, "takes no more requests for 290 s", "HF_TOKEN"),
        ({"status": 418, "body": b"[]"}, "answers HTTP 418", "later"),
        ({"cut": True}, "cannot be reached for org/model", "HTTPS_PROXY"),
        ({"status": 301, "headers": {"Location": "ftp://elsewhere/"}}, "cannot be reached", "network"),
        ({"status": 302, "headers": {"Location": "/org/model/resolve/main/x"}}, "", ""),
    ],
)
@pytest.mark.parametrize("path", ["/revision/", "config.json", "signature=secret"])
def test_troubles_that_stay(hub: HubServer, path: str, trouble: dict[str, Any], message: str, hint: str) -> None:
    hub.repository("org/model", FILES)
    hub.trouble(path, times=99, **trouble)
    with pytest.raises(RemoteError) as error:
        read("hf://org/model")
    assert message in error.value.message
    assert hint in error.value.hint


def test_a_redirect_in_circles_ends(hub: HubServer) -> None:
    hub.repository("org/model", FILES)
    hub.trouble("config.json", times=10**6, status=302, headers={"Location": "config.json"})
    with pytest.raises(RemoteError, match="cannot be reached"):
        read("hf://org/model", hub_of(attempts=1))


def test_a_slow_answer_is_waited_for(hub: HubServer) -> None:
    hub.repository("org/model", FILES)
    hub.trouble("config.json", drip=0.0005)
    assert read("hf://org/model").parameter_count == 1610


def test_an_answer_that_drips_for_too_long_is_given_up(hub: HubServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("omec.facts.remote.hub_wire.ATTEMPT_SECONDS", 0.05)
    monkeypatch.setattr("omec.facts.remote.hub_wire.CHUNK", 8)
    hub.repository("org/model", FILES)
    hub.trouble("config.json", times=99, drip=0.005)
    with pytest.raises(RemoteError, match="too slowly"):
        read("hf://org/model", hub_of(attempts=2))


def test_silence_is_given_up(hub: HubServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("omec.facts.remote.hub_wire.READ_SECONDS", 0.05)
    hub.repository("org/model", FILES)
    hub.trouble("config.json", times=99, drip=0.3)
    with pytest.raises(RemoteError, match="cannot be reached for org/model"):
        read("hf://org/model", hub_of(attempts=2))


def test_nobody_there(hub: HubServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", "http://127.0.0.1:9")
    with pytest.raises(RemoteError, match=r"127\.0\.0\.1:9 cannot be reached for org/model: .*refused"):
        read("hf://org/model")


def test_a_server_without_ranges_costs_no_weights(hub: HubServer) -> None:
    big = safetensors({"a.weight": ("BF16", [5])}) + b"\0" * 20_000_000
    hub.repository("org/model", {"config.json": LLAMA, "model.safetensors": big})
    hub.trouble("signature=secret", times=2, ignore_range=True)
    assert read("hf://org/model").parameter_count == 5


@pytest.mark.parametrize(
    "body",
    [b"", b"<html>log in</html>", b"[]", b"null", b"{}", b'{"sha": 5}', b'{"sha": "main"}', b"[" * 100_000],
)
def test_what_is_no_hub(hub: HubServer, body: bytes) -> None:
    hub.repository("org/model", FILES)
    hub.trouble("/revision/", status=200, body=body)
    with pytest.raises(RemoteError) as error:
        read("hf://org/model")
    assert "HF_ENDPOINT" in error.value.hint


def test_a_hub_behind_a_proxy(hub: HubServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """The environment's proxy carries the requests: the address of this hub leads nowhere."""
    from huggingface_hub.utils import close_session  # noqa: PLC0415

    hub.repository("org/model", {"config.json": LLAMA})
    monkeypatch.setenv("HTTP_PROXY", hub.endpoint)
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", "http://hub.invalid")
    close_session()  # a client reads the environment when it is made
    try:
        assert read("hf://org/model").architecture == "LlamaForCausalLM"
    finally:
        close_session()
    assert hub.paths()[0].startswith("http://hub.invalid/api/models/org/model/")


def test_offline_the_cache_answers(hub: HubServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    folder = tmp_path / "models--org--model"
    write_model(folder / "snapshots" / COMMIT, {"config.json": LLAMA})
    (folder / "refs").mkdir()
    (folder / "refs" / "main").write_text(COMMIT)
    assert opened("hf://org/model")[0] == COMMIT
    assert read(f"hf://org/model@{COMMIT}").architecture == "LlamaForCausalLM"
    for name in ("org/model@v2", "org/other", "org/model@../../../x"):
        with pytest.raises(RemoteError, match="HF_HUB_OFFLINE forbids to ask"):
            read(f"hf://{name}")
    assert hub.asked == []


def test_shards_are_read_at_the_same_time(hub: HubServer) -> None:
    shards = {f"{i}.safetensors": safetensors({f"w{i}": ("BF16", [i + 1])}) for i in range(12)}
    index = {"weight_map": {f"w{i}": f"{i}.safetensors" for i in range(12)}}
    hub.repository("org/model", {"config.json": LLAMA, "model.safetensors.index.json": index, **shards})
    hub.latency = 0.02
    with ThreadPoolExecutor(8) as pool:
        assert read("hf://org/model", Hub(pool, Client(HubWire()))).parameter_count == sum(range(13))
    assert hub.most_in_flight >= 4


@pytest.mark.parametrize("shard", ["absent.safetensors", "/etc/passwd", "http://elsewhere/x"])
def test_an_index_leads_nowhere_else(hub: HubServer, shard: str) -> None:
    hub.repository("org/model", {"config.json": LLAMA, "model.safetensors.index.json": {"weight_map": {"a": shard}}})
    assert read("hf://org/model").origins["modelParameterSize"] == "config.json: estimate from the dimensions"
    assert {path.rpartition("/")[2] for path in hub.paths()[1:]} == {"config.json", "model.safetensors.index.json"}


def test_an_index_that_leads_out_is_a_trap(hub: HubServer) -> None:
    index = {"weight_map": {"a": "../../etc/passwd"}}
    hub.repository("org/model", {"config.json": LLAMA, "model.safetensors.index.json": index})
    with pytest.raises(FactsError, match="leads out of its directory"):
        read("hf://org/model")


def test_a_lying_header_is_refused(hub: HubServer) -> None:
    lies = {"config.json": LLAMA, "model.safetensors": (2**40).to_bytes(8, "little") + b"{}"}
    hub.repository("org/model", lies)
    assert any("the header claims 1099511627776 bytes" in each.message for each in read("hf://org/model").warnings)
    hub.repository("org/model", lies | {"model.safetensors": (500).to_bytes(8, "little") + b"{}"})
    assert any("less than the 508 bytes" in each.message for each in read("hf://org/model").warnings)
    hub.repository("org/model", lies | {"model.safetensors": b""})
    assert any("less than the 8 bytes" in each.message for each in read("hf://org/model").warnings)


def test_a_config_longer_than_any_is_refused(hub: HubServer) -> None:
    hub.repository("org/model", {"config.json": b" " * 9_000_000})
    with pytest.raises(FactsError, match=r"more than the 8\.00 MB allowed"):
        read("hf://org/model")


def test_without_the_library_the_extra_is_named(hub: HubServer, monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> None:
        raise ModuleNotFoundError(name)

    monkeypatch.setattr("importlib.import_module", absent)
    with pytest.raises(OmecError, match="not installed") as error:
        Hub()
    assert (error.value.code, error.value.hint) == ("OME044", "pip install 'omec[hub]'")


def test_listing() -> None:
    paths = ["b/c/d.json", "a.json", "b/a", "../x", "/etc/passwd", "a//b", "x/../y", "", "tab\t", "é"]
    listing = Listing(paths)
    assert listing.entries("") == [Entry("a.json", False), Entry("b", True), Entry("é", False)]
    assert listing.entries("b") == [Entry("a", False), Entry("c", True)]
    assert all(listing.exists(path) for path in ("b", "b/c", "b/c/d.json", ""))
    assert not any(listing.exists(path) for path in ("x", "tab\t", "../x"))
    for path, reason in (("b", "is a directory"), ("z", "no such file or directory")):
        with pytest.raises(UnreadableError, match=reason):
            listing.require_file(path)
    with pytest.raises(UnreadableError):
        listing.entries("z")


def test_the_server_of_these_tests_is_a_hub(hub: HubServer) -> None:
    """What huggingface_hub itself makes of it: a test of the test."""
    from huggingface_hub import HfApi  # noqa: PLC0415

    hub.repository("org/model", FILES)
    info = HfApi(endpoint=hub.endpoint).model_info("org/model", revision="main")
    assert info.sha == COMMIT
    assert sorted(sibling.rfilename for sibling in info.siblings or ()) == sorted(FILES)
    api = HfApi(endpoint=hub.endpoint)
    metadata = api.parse_safetensors_file_metadata("org/model", "model-1.safetensors", revision=COMMIT)
    assert json.loads(json.dumps(metadata.parameter_count)) == {"F8_E4M3": 1600}


@pytest.fixture(autouse=True)
def _only_loopback(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Any other address is a mistake of the tests."""
    import socket  # noqa: PLC0415

    connect = socket.socket.connect

    def checked(self: socket.socket, address: Any) -> None:
        assert not isinstance(address, tuple) or address[0] in ("127.0.0.1", "::1"), address
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", checked)
    return
