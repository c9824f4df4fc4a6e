"""Why a task of ``omec agent fetch`` ends without success; each rule has an exit code of its own."""

from __future__ import annotations

from omec.finding import Rule, Severity

_CONTRACT = "docs/weights-container.md"

FETCH_INTERRUPTED = Rule(
    code="OME753",
    slug="fetch-interrupted",
    severity=Severity.ERROR,
    summary="A source cannot be reached, or is too busy, at the moment",
    why="The container ends with 1, and the kubelet starts it again, with longer and longer pauses. What has arrived "
    "is kept in the volume.",
    fix="Nothing, if it passes. Else look whether the pod may reach the address that the message names.",
    source=_CONTRACT,
)

FETCH_CONTRACT_BROKEN = Rule(
    code="OME754",
    slug="fetch-contract-broken",
    severity=Severity.ERROR,
    summary="A container of the agent is started without what its task needs",
    why="A variable is missing or wrong, a directory is not mounted or cannot be written to, or the image does not "
    "know the task. The container ends with 2, and another attempt cannot help.",
    fix="Correct the settings that the container is rendered from, or its image.",
    source=_CONTRACT,
)

FETCH_REFUSED = Rule(
    code="OME755",
    slug="fetch-refused",
    severity=Severity.ERROR,
    summary="The source does not have the weights, or does not give them to this identity",
    why="The container ends with 3; the pod cannot serve without its weights.",
    fix="Correct the URI, or the token or rights of the identity that the message names.",
    source=_CONTRACT,
)

FETCH_DAMAGED = Rule(
    code="OME756",
    slug="fetch-damaged",
    severity=Severity.ERROR,
    summary="The weights are damaged, or not safe to unpack",
    why="An archive that leads out of its directory, or other content than the source announces, must not become a "
    "model. The container ends with 4, before anything is written outside.",
    fix="Make the archive again, without links and without absolute paths, and upload it again.",
    source=_CONTRACT,
)

FETCH_NO_SPACE = Rule(
    code="OME757",
    slug="fetch-no-space",
    severity=Severity.ERROR,
    summary="The volume for the weights is too small",
    why="An archive and its content are in the volume together for a moment; a volume in memory counts towards the "
    "memory of the container. The container ends with 5.",
    fix="Raise memoryLimit of the container, or the size of the volume.",
    source=_CONTRACT,
)
