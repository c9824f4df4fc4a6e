"""``omec agent fetch model-metadata`` where it gets no further than to its own arguments, or to no cluster."""

from __future__ import annotations

import pytest

from tests.runtime_agent.fetch.conftest import Pod


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("--cluster-scoped", "Missing option '--basemodel-name'"),
        ("--basemodel-name=m", "name either --basemodel-namespace or --cluster-scoped"),
        ("--basemodel-name=m --basemodel-namespace=a --cluster-scoped", "name either --basemodel-namespace or"),
        ("--basemodel-name=m --cluster-scoped --kubeconfig=/nowhere", "no cluster is configured"),
    ],
)
def test_what_it_does_without(pod: Pod, arguments: str, words: str) -> None:
    code, log = pod.run("model-metadata", *arguments.split(), "--debug")
    assert (code, words in "\n".join(log)) == (2, True), log
    assert "Traceback" not in "\n".join(log)


def test_a_cluster_that_is_away(pod: Pod) -> None:
    config = pod.home / "config"
    config.write_text(
        "{apiVersion: v1, kind: Config, current-context: c, contexts: [{name: c, context: {cluster: c, user: u}}],"
        ' clusters: [{name: c, cluster: {server: "http://127.0.0.1:9"}}],'
        " users: [{name: u, user: {token: secret-1}}]}"
    )
    arguments = ("--basemodel-name=m", "--cluster-scoped", f"--kubeconfig={config}", f"--model-path={pod.home}/none")
    code, log = pod.run("model-metadata", *arguments)
    assert (code, log[-1].endswith("[OME753]")) == (1, True), log
    assert "secret-1" not in "\n".join(log)
