"""Rules about linting itself: suppressions, the baseline, and rules that fail."""

from __future__ import annotations

from omec.finding import Rule, Severity

RULE_FAILED = Rule(
    code="OME071",
    slug="rule-failed",
    severity=Severity.ERROR,
    summary="A rule of omec itself failed, so that what it would have found is not known",
    why=(
        "This is a bug of omec, and no fault of the manifests. The other rules have run; the exit code is 2, so that "
        "nobody takes the answer for a complete one."
    ),
    fix="Report the message, with the manifests if they may be shown; `--ignore` cannot silence it.",
    source="omec",
)

UNUSED_SUPPRESSION = Rule(
    code="OME072",
    slug="unused-suppression",
    severity=Severity.WARNING,
    summary="A suppression silences nothing",
    why=(
        "What it was written for has been corrected, or it stands on the wrong line. It would silence the next finding "
        "of that rule at this place, which nobody has seen yet."
    ),
    fix="Delete it, or move it to the line that the finding names.",
    source="docs/linting.md",
    bad="""\
apiVersion: ome.io/v1beta1
kind: ClusterBaseModel
metadata: {name: llama}
spec:
  storage: {storageUri: "hf://meta-llama/Llama-3.2-1B", path: /raid/models/llama}  # omec: ignore[OME120] old field
""",
    good="""\
apiVersion: ome.io/v1beta1
kind: ClusterBaseModel
metadata: {name: llama}
spec:
  storage: {storageUri: "hf://meta-llama/Llama-3.2-1B", path: /raid/models/llama}
""",
)

UNKNOWN_SUPPRESSED = Rule(
    code="OME073",
    slug="unknown-rule-suppressed",
    severity=Severity.WARNING,
    summary="A suppression names a rule that does not exist",
    why="It silences nothing; the rule that was meant goes on reporting.",
    fix="Correct the code or name; `omec rules` lists all of them.",
    source="docs/linting.md",
    bad="""\
apiVersion: ome.io/v1beta1
kind: ClusterBaseModel
metadata: {name: llama}
spec:
  vendr: meta  # omec: ignore[unknwon-field] read by our own tool
  storage: {storageUri: "hf://meta-llama/Llama-3.2-1B", path: /raid/models/llama}
""",
    good="""\
apiVersion: ome.io/v1beta1
kind: ClusterBaseModel
metadata: {name: llama}
spec:
  vendr: meta  # omec: ignore[unknown-field] read by our own tool
  storage: {storageUri: "hf://meta-llama/Llama-3.2-1B", path: /raid/models/llama}
""",
)

BAD_SUPPRESSION = Rule(
    code="OME074",
    slug="suppression-without-rule",
    severity=Severity.ERROR,
    summary="A suppression names no rule",
    why=(
        "To silence everything would hide what is found there next year as well; so omec silences nothing, and says so."
    ),
    fix="Name the rules in brackets, by code or name: `# omec: ignore[OME123] reason`.",
    source="docs/linting.md",
    bad="""\
apiVersion: ome.io/v1beta1
kind: ClusterBaseModel
metadata: {name: llama}
spec:
  vendr: meta  # omec: ignore
  storage: {storageUri: "hf://meta-llama/Llama-3.2-1B", path: /raid/models/llama}
""",
    good="""\
apiVersion: ome.io/v1beta1
kind: ClusterBaseModel
metadata: {name: llama}
spec:
  vendr: meta  # omec: ignore[OME120] read by our own tool
  storage: {storageUri: "hf://meta-llama/Llama-3.2-1B", path: /raid/models/llama}
""",
)

STALE_BASELINE = Rule(
    code="OME075",
    slug="stale-baseline-entry",
    severity=Severity.WARNING,
    summary="The baseline accepts a finding that is not there any more",
    why="The next finding of that rule at the same place would be accepted unseen.",
    fix="Write the baseline anew: `omec lint --baseline FILE --write-baseline`.",
    source="docs/linting.md",
)

UNEXPLAINED_SUPPRESSION = Rule(
    code="OME076",
    slug="suppression-without-reason",
    severity=Severity.WARNING,
    summary="A suppression does not say why the finding is accepted",
    why="Whoever meets it later cannot tell whether it still holds.",
    fix="Write the reason behind the brackets, or in the annotation `omec.io/ignore-reason`.",
    source="docs/linting.md",
    bad="""\
apiVersion: ome.io/v1beta1
kind: ClusterBaseModel
metadata: {name: llama}
spec:
  vendr: meta  # omec: ignore[OME120]
  storage: {storageUri: "hf://meta-llama/Llama-3.2-1B", path: /raid/models/llama}
""",
    good="""\
apiVersion: ome.io/v1beta1
kind: ClusterBaseModel
metadata: {name: llama}
spec:
  vendr: meta  # omec: ignore[OME120] read by our own tool
  storage: {storageUri: "hf://meta-llama/Llama-3.2-1B", path: /raid/models/llama}
""",
    default=False,
)

BASELINE_UNREADABLE = Rule(
    code="OME077",
    slug="baseline-unreadable",
    severity=Severity.ERROR,
    summary="The baseline cannot be read, or is none that this omec has written",
    why="Without it every finding that was accepted once would fail the run, or none would.",
    fix="Correct the path, or write the baseline anew: `omec lint --baseline FILE --write-baseline`.",
    source="docs/linting.md",
)
