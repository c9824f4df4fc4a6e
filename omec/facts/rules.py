"""Rules about facts: what is wrong with ``omec.lock``, and which models it should know and does not."""

from __future__ import annotations

from omec.finding import Rule, Severity

LOCK_UNREADABLE = Rule(
    code="OME020",
    slug="lock-unreadable",
    severity=Severity.ERROR,
    summary="omec.lock cannot be read or written, or is not YAML",
    why="Without its facts, omec would judge models by less than the repository knows.",
    fix="Restore the file with Git, or delete it and run `omec facts update`.",
    source="omec",
)

LOCK_CONFLICT = Rule(
    code="OME021",
    slug="lock-conflict",
    severity=Severity.ERROR,
    summary="omec.lock holds the marks of a merge that was not finished, or a model twice",
    why="Two branches changed the same model, and only people can say which of the two is meant.",
    fix=(
        "Keep the blocks of both sides, of a model that both have one, and delete the lines with the marks. "
        "`omec facts check` then says whether a block has to be read again."
    ),
    source="omec",
)

LOCK_INVALID = Rule(
    code="OME022",
    slug="lock-invalid",
    severity=Severity.ERROR,
    summary="omec.lock holds something that this omec does not know",
    why="An unknown key is a misspelt one, or one of a newer omec that means something: neither may be passed over.",
    fix="Install the omec that wrote the file, or delete the block and run `omec facts update`.",
    source="omec",
)

SOURCE_FAILED = Rule(
    code="OME043",
    slug="model-source-failed",
    severity=Severity.ERROR,
    summary="The place where a model lives could not be reached, or refused to give its files",
    why="Facts are read from the model's own files; nothing is guessed in their place.",
    fix="Follow the help below the message: a name, a token, the network. Models that were read are kept.",
    source="omec",
)

EXTRA_MISSING = Rule(
    code="OME044",
    slug="extra-missing",
    severity=Severity.ERROR,
    summary="A library that only some commands need is not installed",
    why="omec itself needs no client of the Hugging Face hub; lint and compile must not carry one.",
    fix="Install the extra that the message names.",
    source="omec",
)

NO_SUCH_MODEL = Rule(
    code="OME045",
    slug="no-facts-of-model",
    severity=Severity.ERROR,
    summary="Facts were asked for that nothing at hand tells",
    why="Neither the manifest nor omec.lock nor a directory gives them, and this command reads nothing else.",
    fix="Run `omec facts update` for the model.",
    source="omec",
)

NOT_LOCKED = Rule(
    code="OME320",
    slug="facts-not-locked",
    severity=Severity.ERROR,
    summary="A manifest leaves facts to the model's files, and omec.lock does not have them",
    why=(
        "OME reads them after the download and selects the runtime by them. Until they are in omec.lock or in the "
        "manifest, no pull request can tell which runtime the model gets."
    ),
    fix="Run `omec facts update` and commit omec.lock.",
    source="reference 08 §9",
)

LOCK_STALE = Rule(
    code="OME321",
    slug="lock-stale",
    severity=Severity.ERROR,
    summary="omec.lock has the facts of other files than those that the manifest names",
    why="The model's URI or the files in its directory have changed since, and the facts may have changed with them.",
    fix="Run `omec facts update` for the model and commit omec.lock.",
    source="omec",
)

LOCK_ORPHAN = Rule(
    code="OME322",
    slug="lock-orphan",
    severity=Severity.WARNING,
    summary="omec.lock has facts of a model that no manifest defines",
    why="The model is gone or has another name now; its block misleads who reads the file.",
    fix="Run `omec facts update --prune` and commit omec.lock.",
    source="omec",
)
