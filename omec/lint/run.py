"""All findings of a repository, as its configuration wants them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from omec.catalog import Catalog
from omec.finding import Finding, ObjectRef
from omec.lint.control import Control
from omec.lint.control_rules import RULE_FAILED
from omec.lint.judge import Judgement, judge
from omec.lint.suppress.collect import of_comments, of_objects
from omec.repo.config import Config
from omec.repo.document import Document
from omec.repo.read import Reading
from omec.resolve.decide import Decider

if TYPE_CHECKING:
    from omec.repo.secrets import Found


def lint_findings(
    structure: Sequence[Finding],
    catalog: Catalog,
    others: Sequence[Document],
    decider: Decider,
    config: Config,
    reading: Reading,
    ref_of: Callable[[Document], ObjectRef | None],
    secrets: Callable[[], Found],
    observe: Callable[[Judgement], None] = lambda _: None,
) -> tuple[Finding, ...]:
    """Everything that is wrong with the manifests, in the order of positions.

    ``structure`` are the findings so far about what ``reading`` holds; ``ref_of`` gives the identity of a document's
    object, ``secrets`` what stands in the manifests in plain text. ``observe`` is shown what was found before settings
    and suppressions apply.
    """
    control = Control(config.lint, reading.sources)
    judgement = judge(structure, catalog, others, decider, config, control, secrets)
    observe(judgement)
    return settled(judgement.findings, control, config, reading, ref_of)


def settled(
    found: Iterable[Finding],
    control: Control,
    config: Config,
    reading: Reading,
    ref_of: Callable[[Document], ObjectRef | None],
) -> tuple[Finding, ...]:
    """What settings, suppressions and the baseline leave of what was ``found``, in the order of positions.

    A check that has failed is a finding of its own, which no setting silences.
    """
    found = [*found]
    failed = [finding for finding in found if finding.rule is RULE_FAILED]
    # What a failed rule would have found is not known, so nothing can be called unused or gone.
    kept = _unsuppressed(control.applied(found), control, reading, ref_of, complete=not failed)
    kept = [finding for finding in kept if finding.rule is not RULE_FAILED and not control.skips(finding)]
    kept.sort(key=lambda finding: finding.sort_key)
    return (*failed, *_unaccepted(kept, control, config, reading.sources, complete=not failed))


def _unsuppressed(
    findings: Iterable[Finding],
    control: Control,
    reading: Reading,
    ref_of: Callable[[Document], ObjectRef | None],
    *,
    complete: bool,
) -> list[Finding]:
    """The findings that no comment and no annotation silences, and those about suppressions."""
    collected = [*of_comments(reading.texts), *of_objects(reading.documents, ref_of)]
    if not collected:
        return [*findings]
    from omec.lint.suppress.apply import judged, unsuppressed  # noqa: PLC0415 - few repositories suppress anything

    suppressions = [item for item in collected if not isinstance(item, Finding)]
    kept = [*unsuppressed(findings, suppressions)]
    about = [item for item in collected if isinstance(item, Finding)]
    about += judged(suppressions, control.enabled if complete else lambda _rule: False)
    return [*kept, *control.applied(about)]


def _unaccepted(
    findings: list[Finding], control: Control, config: Config, sources: Mapping[str, str], *, complete: bool
) -> Sequence[Finding]:
    """The findings that the baseline does not accept, and those about the baseline."""
    if config.lint.baseline is None:
        return findings
    from omec.lint.baseline import Baseline  # noqa: PLC0415 - few repositories have one

    baseline = Baseline.read(config.root / config.lint.baseline)
    kept, stale = baseline.accepted(findings, sources, config.root)
    return sorted([*kept, *(control.applied(stale) if complete else ())], key=lambda finding: finding.sort_key)
