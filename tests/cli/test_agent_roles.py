"""The roles of ``omec agent`` with arguments that no cluster is needed to refuse."""

from __future__ import annotations

import pytest

from omec.cli.main import run


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("node --node-name=a_b", "Invalid value for '--node-name': 'a_b' may hold only"),
        ("node --node-name=a --namespace=", "Invalid value for '--namespace': ''"),
        ("status --namespace=Ome", "Invalid value for '--namespace': 'Ome' may hold only"),
        ("status --port=70000", "Invalid value for '--port'"),
        ("cleanup --namespace=../x", "Invalid value for '--namespace': '../x' may hold only"),
        ("cleanup --kubeconfig=/nowhere/config", "no cluster is configured: there is no file /nowhere/config"),
        ("fetch fine-tuned-adaptor", "Did you mean fine-tuned-adapter?"),
    ],
)
def test_refused(command: str, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    if "kubeconfig" in command:
        pytest.importorskip("kubernetes", reason="the extra omec[agent] is not installed")
    assert run(["agent", *command.split()]) == 2
    out, err = capsys.readouterr()
    assert (out, words in err) == ("", True), err
