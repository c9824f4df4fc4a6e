"""Rules about files and YAML: what keeps a manifest from being read as its author means it.

The facts about kubectl's reader are those of reference 11 §1, checked against kubectl 1.35.
"""

from __future__ import annotations

from omec.finding import Rule, Severity

SYNTAX = Rule(
    code="OME101",
    slug="yaml-syntax",
    severity=Severity.ERROR,
    summary="The document is not valid YAML or JSON",
    why="kubectl and Argo CD refuse the whole file, so none of its objects reach the cluster.",
    fix="Correct the text at the given place; the message says what the parser expected there.",
    source="reference 11 §1.1, §1.5",
    bad="metadata:\n\tname: llama\n",
    good="metadata:\n  name: llama\n",
)

DUPLICATE_KEY = Rule(
    code="OME102",
    slug="yaml-duplicate-key",
    severity=Severity.ERROR,
    summary="A key occurs twice in one mapping",
    why="Client tools keep the last value without a message, strict ones refuse the file; one of the two is dead.",
    fix="Remove one of the two keys, or move its content below the other.",
    source="reference 11 §1.4",
    bad="metadata:\n  name: a\n  name: b\n",
    good="metadata:\n  name: b\n",
)

ENCODING = Rule(
    code="OME103",
    slug="yaml-encoding",
    severity=Severity.ERROR,
    summary="The file is not UTF-8 text",
    why="Kubernetes manifests are UTF-8; other encodings and binary data are refused or read as different characters.",
    fix="Save the file as UTF-8, or exclude it if it is no manifest.",
    source="reference 11 §1.5",
)

UNREADABLE = Rule(
    code="OME104",
    slug="file-unreadable",
    severity=Severity.ERROR,
    summary="The file cannot be read",
    why="An object that omec cannot see is missing from everything it decides.",
    fix="Repair the link or the permissions, or exclude the file.",
    source="omec",
)

TOO_LARGE = Rule(
    code="OME105",
    slug="file-too-large",
    severity=Severity.ERROR,
    summary="The file is larger than the limit",
    why="No Kubernetes object is larger than the 1.5 MiB that etcd accepts; a huge YAML file is data, not a manifest.",
    fix="Exclude the file, or split it into several.",
    source="omec; etcd request size limit",
)

NESTING = Rule(
    code="OME106",
    slug="yaml-nesting",
    severity=Severity.ERROR,
    summary="Collections are nested too deeply",
    why="Real objects stay far below the limit; a deeper document is damaged or made to exhaust its reader.",
    fix="Look for brackets that are opened and never closed.",
    source="reference 11 §1.4",
    bad="items: " + "[" * 101 + "]" * 101 + "\n",
    good="items: [[]]\n",
)

EXPANSION = Rule(
    code="OME107",
    slug="yaml-expansion",
    severity=Severity.ERROR,
    summary="Aliases expand to too many values",
    why="kubectl and the API server refuse such documents as an attack on memory (“excessive aliasing”).",
    fix="Write the repeated part out, or remove the aliases of aliases.",
    source="reference 11 §1.4",
    bad=(
        "a: &a [x, x, x, x, x, x, x, x, x, x]\n"
        "b: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a]\n"
        "c: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b, *b]\n"
        "d: &d [*c, *c, *c, *c, *c, *c, *c, *c, *c, *c]\n"
        "e: &e [*d, *d, *d, *d, *d, *d, *d, *d, *d, *d]\n"
        "f: &f [*e, *e, *e, *e, *e, *e, *e, *e, *e, *e]\n"
        "g: &g [*f, *f, *f, *f, *f, *f, *f, *f, *f, *f]\n"
    ),
    good="a: &a [x, x]\nb: [*a, *a]\n",
)

CODE_TAG = Rule(
    code="OME108",
    slug="yaml-code-tag",
    severity=Severity.ERROR,
    summary="A tag names program code",
    why="Readers that honour such tags run code of the file's author; kubectl ignores the tag, so it has no use here.",
    fix="Remove the tag and write the value itself.",
    source="reference 11 §1.2",
    bad="value: !!python/object/apply:os.getcwd []\n",
    good="value: /srv/models\n",
)

UNKNOWN_TAG = Rule(
    code="OME109",
    slug="yaml-unknown-tag",
    severity=Severity.WARNING,
    summary="A tag means nothing to Kubernetes",
    why="kubectl drops the tag and keeps the text as a string, so whatever the tag stands for does not happen.",
    fix="Remove the tag, or render the file with the tool that understands it first.",
    source="reference 11 §1.2",
    bad="image: !Ref Image\n",
    good="image: registry.example/sglang:v1\n",
)

ALIAS = Rule(
    code="OME110",
    slug="yaml-alias",
    severity=Severity.ERROR,
    summary="An alias has no anchor, or stands inside its own",
    why="kubectl refuses the document. Anchors do not reach across `---`.",
    fix="Define the anchor earlier in the same document, or write the value out.",
    source="reference 11 §1.1, §1.4",
    bad="env: *common\n",
    good="base: &common []\nenv: *common\n",
)

UNUSABLE_KEY = Rule(
    code="OME111",
    slug="yaml-unusable-key",
    severity=Severity.ERROR,
    summary="A mapping key is null, a list or a mapping",
    why="JSON has string keys only, so kubectl refuses the document. Unquoted `{{ … }}` is read as a mapping.",
    fix="Quote the key, or quote the template expression.",
    source="reference 11 §1.3",
    bad="labels:\n  null: gpu\n",
    good='labels:\n  "null": gpu\n',
)

UNUSABLE_VALUE = Rule(
    code="OME112",
    slug="yaml-unusable-value",
    severity=Severity.ERROR,
    summary="A value has no JSON form",
    why="Infinity, not-a-number and values that contradict their tag cannot be sent to the API server.",
    fix="Write a number or a quoted string.",
    source="reference 11 §1.2, §1.4",
    bad="limit: .inf\n",
    good='limit: ".inf"\n',
)

MERGE_OVERRIDE = Rule(
    code="OME113",
    slug="yaml-merge-override",
    severity=Severity.WARNING,
    summary="A merge key and the mapping set the same key",
    why="kubectl applies `<<` where it stands, so the later of the two wins; other readers let the mapping win.",
    fix="Put `<<` first in the mapping and write only keys below it that it does not bring, or write the keys out.",
    source="reference 11 §1.4",
    bad="a: &a {x: 1}\nb:\n  x: 2\n  <<: *a\n",
    good="a: &a {x: 1}\nb:\n  <<: *a\n  y: 2\n",
)

INVISIBLE = Rule(
    code="OME114",
    slug="yaml-invisible-character",
    severity=Severity.ERROR,
    summary="A key begins with an invisible character",
    why="No-break spaces and byte order marks are no indentation: they become part of the key, and the field is lost.",
    fix="Replace the character by ordinary spaces, or delete it.",
    source="reference 11 §1.5",
)

MISSING_SPACE = Rule(
    code="OME115",
    slug="yaml-missing-space",
    severity=Severity.WARNING,
    summary="A colon without a space after it does not end a key",
    why="`{a:1}` has one key `a:1` without a value.",
    fix="Put a space after the colon.",
    source="reference 11 §1.5",
    bad="limits: {cpu:1}\n",
    good="limits: {cpu: 1}\n",
)

DROPPED = Rule(
    code="OME116",
    slug="yaml-dropped-content",
    severity=Severity.ERROR,
    summary="Content after `...` is dropped",
    why="kubectl and Argo CD read one document up to `...` and drop the rest of it without a message.",
    fix="Separate documents with a line `---`.",
    source="reference 11 §1.1",
    bad="kind: A\n...\nkind: B\n",
    good="kind: A\n---\nkind: B\n",
)

LINK_LOOP = Rule(
    code="OME117",
    slug="symlink-loop",
    severity=Severity.ERROR,
    summary="A symbolic link leads back to a folder above it",
    why="Tools that follow links read the same objects over and over, or never end.",
    fix="Remove the link, or exclude it.",
    source="omec",
)

LINK_OUTSIDE = Rule(
    code="OME119",
    slug="symlink-outside",
    severity=Severity.ERROR,
    summary="A symbolic link leads out of the repository",
    why=(
        "What lies outside is not reviewed with the repository, is another file on every machine, and may be anything "
        "that whoever runs omec can read. A Git revision does not hold it at all. omec does not follow the link."
    ),
    fix="Put the file itself into the repository, or name the folder that it lies in as a source too.",
    source="omec",
)

NOT_AN_OBJECT = Rule(
    code="OME118",
    slug="not-an-object",
    severity=Severity.ERROR,
    summary="A document among Kubernetes objects lacks apiVersion or kind",
    why="kubectl and Argo CD refuse the file because they cannot tell what the document is.",
    fix="Add apiVersion and kind, or move the document to another file.",
    source="kubectl: Object 'Kind' is missing",
    bad="kind: Secret\nmetadata:\n  name: hf-token\n",
    good="apiVersion: v1\nkind: Secret\nmetadata:\n  name: hf-token\n",
)
