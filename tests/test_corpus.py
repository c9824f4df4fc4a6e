"""The public manifests of OME: what omec says about them is true, and nothing else is said.

The files in tests/corpus list every finding with the reason why it is true; a finding that is not listed, or no
longer found, fails here.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from omec.compile.result import Compilation
from omec.finding import Finding, Severity
from omec.session import Repo, open_repo

FOLDERS = ("models", "runtimes", "samples")
REVIEWED = [
    line
    for file in sorted((Path(__file__).parent / "corpus").glob("*.txt"))
    for line in file.read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]


@pytest.fixture(scope="module")
def corpus(testdata: Path) -> Repo:
    config = testdata / "corpus" / "ome-v0.1.5" / "config"
    return open_repo([config / folder for folder in FOLDERS], config={})


@pytest.fixture(scope="module")
def compilation(corpus: Repo) -> Compilation:
    return corpus.compile()


def shown(finding: Finding) -> str:
    """A finding as the reviewed list writes it: severity, code, place and object."""
    path = finding.position.path.partition("/config/")[2]
    return f"{finding.severity.label} {finding.rule.code} {path}:{finding.position.line}:{finding.position.column}"


def test_findings_are_the_reviewed_ones(corpus: Repo) -> None:
    reviewed = [line.partition("  #")[0].rstrip() for line in REVIEWED]
    assert sorted(map(shown, corpus.lint().findings)) == sorted(reviewed)


def test_every_reviewed_finding_has_its_reason() -> None:
    assert not [line for line in REVIEWED if not line.partition("  #")[2].strip()]


def test_the_known_faults_are_found(corpus: Repo) -> None:
    """Corpus README, "What is worth knowing for tests"."""
    findings = corpus.lint().findings
    objects = Counter(finding.rule.code for finding in {(f.rule.code, f.object): f for f in findings}.values())
    duplicates = {f.object for f in findings if f.rule.slug == "duplicate-object"}
    assert sorted(str(ref) for ref in duplicates if ref and ref.kind == "ClusterServingRuntime") == [
        "ClusterServingRuntime srt-llama-3-2-11b-vision-instruct",
        "ClusterServingRuntime srt-mixtral-8x7b-instruct",
        "ClusterServingRuntime srt-qwen2-5-32b-instruct",
        "ClusterServingRuntime srt-qwen3-embedding-0-6b",
    ]
    assert sorted(ref.name for ref in duplicates if ref and ref.kind == "InferenceService") == [
        "deepseek-v3",
        "llama-3-1-70b-instruct",
        "llama-3-1-8b-instruct",
        "llama-3-2-1b-instruct",
        "qwen2-5-32b-instruct",
        "qwen3-embedding-0-6b",
    ]
    assert objects["OME181"] == 7
    broken = {Path(f.position.path).name for f in findings if f.rule.slug == "unknown-field"}
    assert broken == {"exaone-3-5-7-8b-instruct-isvc.yaml", "glm-4-5v.yaml"}
    missing = [f.message for f in findings if f.rule.slug == "model-not-found"]
    assert [("llama-3-2-90b-fp8-dynamic" in message) for message in missing] == [True]


REFUSED = {
    "c4ai-command-r-v01": "OME402",  # a chat template in the runtime's args; OME fails on it too
    "deepseek-r1": "OME577",  # leader and worker of OME 0.1.5, with variables that only a LeaderWorkerSet sets
    "kimi-k2-instruct": "OME577",  # the same
    "llama-3-3-70b-instruct": "OME401",  # a decoder that the runtime does not configure; OME fails on it too
}


def test_services_that_name_their_runtime_compile(corpus: Repo, compilation: Compilation) -> None:
    """99 name one: 14 are duplicates or have no namespace, four are refused, 81 compile."""
    assert len(named_services(corpus)) == 99
    named = [compiled for compiled in compilation.services if compiled.decision.named is not None]
    assert len(named) == 99 - 14
    refused = {
        compiled.service.name: next(f.rule.code for f in compiled.findings if f.severity is Severity.ERROR)
        for compiled in named
        if compiled.failed
    }
    assert refused == REFUSED
    assert sum(not compiled.failed and bool(compiled.objects) for compiled in named) == 81


def test_services_that_leave_the_choice_to_ome_compile_where_the_facts_are_given(compilation: Compilation) -> None:
    chosen = [compiled for compiled in compilation.services if compiled.decision.named is None]
    assert len(chosen) == 44
    assert sum(not compiled.failed and bool(compiled.objects) for compiled in chosen) == 15


def test_missing_facts_are_warnings_for_named_runtimes(compilation: Compilation) -> None:
    for compiled in compilation.services:
        for finding in compiled.findings:
            if finding.rule.slug == "facts-unknown":
                named = compiled.decision.named is not None
                assert finding.severity is (Severity.WARNING if named else Severity.ERROR)


def named_services(corpus: Repo) -> list[str]:
    return [
        document.path
        for document in corpus.reading.documents
        if document.value.get("kind") == "InferenceService" and "runtime" in document.value["spec"]
    ]
