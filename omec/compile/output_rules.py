"""Rules about the output of ``omec compile``."""

from __future__ import annotations

from omec.finding import Rule, Severity

OUTPUT_UNWRITABLE = Rule(
    code="OME050",
    slug="output-unwritable",
    severity=Severity.ERROR,
    summary="The output cannot be written",
    why="A file system that is full or read-only would leave half of an output behind.",
    fix="Correct what the message names and compile again. What had not been replaced is as it was.",
    source="docs/output.md",
)

OUTPUT_IS_SOURCE = Rule(
    code="OME051",
    slug="output-is-source",
    severity=Severity.ERROR,
    summary="The output folder is the root of the source",
    why="omec leaves its output out of reading; here that would be everything.",
    fix="Compile to a folder of its own, for example one below the source.",
    source="docs/output.md",
)

FOREIGN_FILE = Rule(
    code="OME052",
    slug="output-foreign-file",
    severity=Severity.ERROR,
    summary="A file that omec did not write stands where it has to write one",
    why="omec replaces and deletes only what the index of the folder says it wrote.",
    fix="Move or delete the file, or compile to another folder.",
    source="docs/output.md",
)

INDEX_DAMAGED = Rule(
    code="OME053",
    slug="output-index-damaged",
    severity=Severity.ERROR,
    summary="An index of the output has a line that omec did not write",
    why="The index says which files omec may delete, so it does not guess what a line means.",
    fix="Resolve the merge conflict, or restore the file from Git.",
    source="docs/output.md",
)

OUTPUT_NOT_A_FOLDER = Rule(
    code="OME054",
    slug="output-not-a-folder",
    severity=Severity.ERROR,
    summary="A file or a symbolic link stands where the output needs a folder",
    why="omec never writes through a symbolic link inside the output: it could lead anywhere.",
    fix="Remove the file or link, or compile to another folder.",
    source="docs/output.md",
)

OUTPUT_CLASH = Rule(
    code="OME055",
    slug="output-clash",
    severity=Severity.ERROR,
    summary="Two sources make the same object",
    why="Of two objects with one identity the cluster keeps whichever is applied last; two Argo CD Applications fight.",
    fix="Rename one of the InferenceServices or objects that the finding names.",
    source="reference 11 §4.1",
    bad="apiVersion: v1\nkind: Service\nmetadata: {name: chat, namespace: demo}\n",
    good="apiVersion: v1\nkind: Service\nmetadata: {name: chat-by-hand, namespace: demo}\n",
)

INCLUDE_REFUSED = Rule(
    code="OME056",
    slug="include-refused",
    severity=Severity.ERROR,
    summary="include names a kind that is unknown or that omec never copies",
    why=(
        "Secrets do not belong into rendered output, definitions and Argo CD objects have their own owners, and OME "
        "would render a copied InferenceService a second time."
    ),
    fix="Remove the name, or use the plural name that the message suggests.",
    source="docs/output.md",
)

INCLUDED_WITHOUT_NAME = Rule(
    code="OME057",
    slug="include-without-name",
    severity=Severity.ERROR,
    summary="An object that include asks for has no metadata.name",
    why="Without a name there is no file to write it to, and Argo CD could not track it.",
    fix="Write metadata.name; generateName is for objects that are created by hand.",
    source="docs/output.md",
    bad="apiVersion: v1\nkind: Service\nmetadata: {generateName: chat-, namespace: demo}\n",
    good="apiVersion: v1\nkind: Service\nmetadata: {name: chat-by-hand, namespace: demo}\n",
)
