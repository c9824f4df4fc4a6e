"""Rules about the source as a whole: without it there is nothing to read, so these end the command."""

from __future__ import annotations

from omec.finding import Rule, Severity

MISSING = Rule(
    code="OME060",
    slug="source-missing",
    severity=Severity.ERROR,
    summary="A path that was named does not exist or cannot be opened",
    why="Reading on without it would judge a different repository than the one that was meant.",
    fix="Name a file or folder that exists, or `-` for stdin.",
    source="omec",
)

NOT_A_REPOSITORY = Rule(
    code="OME061",
    slug="source-not-in-git",
    severity=Severity.ERROR,
    summary="A revision was named, but the path is in no usable Git repository",
    why="Revisions are read from the object database of the repository that the path lies in.",
    fix="Run omec inside the clone, or leave out the revision to read the files on disk.",
    source="omec",
)

UNKNOWN_REVISION = Rule(
    code="OME062",
    slug="source-unknown-revision",
    severity=Severity.ERROR,
    summary="The Git repository has no such revision",
    why="A shallow clone holds only the newest commit, and a branch of a remote is there only after a fetch.",
    fix="Check the spelling with `git rev-parse REV`; in a shallow clone run `git fetch --unshallow`.",
    source="omec",
)

NOT_IN_REVISION = Rule(
    code="OME063",
    slug="source-not-in-revision",
    severity=Severity.ERROR,
    summary="A path that was named does not exist in the Git revision",
    why="Reading on without it would judge a different repository than the one that was meant.",
    fix="Check the path with `git ls-tree REV PATH`.",
    source="omec",
)

KUSTOMIZE_MISSING = Rule(
    code="OME064",
    slug="source-kustomize-missing",
    severity=Severity.ERROR,
    summary="Neither kustomize nor kubectl is on the PATH",
    why="omec does not build overlays itself, so that the result is that of the tool that deploys it.",
    fix="Install kustomize or kubectl, or pipe the output of a build elsewhere into `omec … -`.",
    source="omec",
)

KUSTOMIZE_FAILED = Rule(
    code="OME065",
    slug="source-kustomize-failed",
    severity=Severity.ERROR,
    summary="The overlay cannot be built",
    why="The message is that of kustomize; without a build there is nothing to read.",
    fix="Run `kustomize build OVERLAY` and correct what it reports.",
    source="kustomize",
)

EMPTY_SOURCE = Rule(
    code="OME066",
    slug="source-empty",
    severity=Severity.ERROR,
    summary="The source holds no Kubernetes manifest",
    why=(
        "A wrong path or an exclude that catches everything looks like a repository without faults, and compile would "
        "delete all that it has written before."
    ),
    fix="Name the folder that holds the manifests, or correct source and exclude in omec.toml.",
    source="omec: docs/configuration.md",
)
