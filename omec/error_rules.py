"""Rules about what a command was asked to do; each ends the command.

The errors of one area (configuration, source, output) have their rules beside the code that raises them. These are the
ones that several areas share.
"""

from __future__ import annotations

from omec.finding import Rule, Severity

INTERNAL_ERROR = Rule(
    code="OME000",
    slug="internal-error",
    severity=Severity.ERROR,
    summary="omec itself failed",
    why="This is a bug of omec. Whatever the manifests hold, they must lead to an answer or to a finding.",
    fix="Run the command again with --debug and report what it prints, with the manifests if they may be shown.",
    source="omec",
)

GENERAL_ERROR = Rule(
    code="OME001",
    slug="general-error",
    severity=Severity.ERROR,
    summary="A command cannot go on, for a reason without a code of its own",
    why="The message says what is missing; nothing was written.",
    fix="Follow the help below the message.",
    source="omec",
)

USAGE = Rule(
    code="OME002",
    slug="wrong-usage",
    severity=Severity.ERROR,
    summary="A command was called with arguments that it cannot use together, or without one that it needs",
    why="omec does not guess which of several answers was meant.",
    fix="Correct the arguments; `omec COMMAND --help` lists them.",
    source="omec",
)

STDOUT_LOST = Rule(
    code="OME003",
    slug="stdout-lost",
    severity=Severity.ERROR,
    summary="Standard output is closed or cannot take what is written to it",
    why="An answer that is cut short must not look like a whole one.",
    fix="Give the command a standard output with enough space behind it.",
    source="omec",
)

NO_SUCH_SERVICE = Rule(
    code="OME040",
    slug="no-such-service",
    severity=Severity.ERROR,
    summary="The InferenceService that was asked about does not exist, or is defined more than once",
    why="A question about a service is answered from its manifest; omec never chooses between two of them.",
    fix="Name it as NAMESPACE/NAME, as it stands in the source.",
    source="OME docs: reference/kubectl-ome/runtime",
)

NO_SUCH_OBJECT = Rule(
    code="OME041",
    slug="no-such-model-or-runtime",
    severity=Severity.ERROR,
    summary="The model or runtime that was asked about does not exist or is not the only one, or a service gets none",
    why="A question about a model or runtime is answered from its manifest; omec never chooses between two of them.",
    fix=(
        "Check the spelling and the namespace (-n), and that the manifest is in the source or in one of [[sources]]. "
        "`omec explain --isvc NS/NAME` says why a service gets no runtime."
    ),
    source="OME docs: reference/kubectl-ome/runtime",
)

MODEL_UNREADABLE = Rule(
    code="OME042",
    slug="model-files-unreadable",
    severity=Severity.ERROR,
    summary="The files of a model do not say what it is",
    why=(
        "OME reads a model's architecture, format and size from its config.json or model_index.json and from the "
        "headers of its weights. Where they are missing, corrupt or unsafe to open, OME leaves the facts unset."
    ),
    fix="Complete the download of the model, or write the facts into its manifest.",
    source="reference 08",
)
