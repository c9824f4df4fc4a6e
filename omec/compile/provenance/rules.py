"""Rules about questions to ``omec why``."""

from __future__ import annotations

from omec.finding import Rule, Severity

NO_RENDERED_OBJECT = Rule(
    code="OME080",
    slug="no-such-rendered-object",
    severity=Severity.ERROR,
    summary="The object that was asked about is not rendered, or the name fits several",
    why="Where a field comes from is worked out by rendering the object from its sources.",
    fix="Name it as KIND/NAMESPACE/NAME, or by its file in the output; `omec compile -v` lists what is rendered.",
    source="docs/why.md",
)

NO_SUCH_FIELD = Rule(
    code="OME081",
    slug="no-such-rendered-field",
    severity=Severity.ERROR,
    summary="The object has no such field",
    why="A field that is not there comes from nowhere: a wrong letter must not look like an answer.",
    fix="Write the path as it stands in the object; the parent alone lists everything below it.",
    source="docs/why.md",
)

SOURCES_UNKNOWN = Rule(
    code="OME082",
    slug="sources-of-output-unknown",
    severity=Severity.ERROR,
    summary="It is not clear which manifests an output file was rendered from",
    why="The output names its manifests from the folder of their configuration, and no machine's paths.",
    fix="Name the sources after the field: omec why FILE FIELD SRC.",
    source="docs/why.md",
)
