"""Selectors against the rules that there are."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from msgspec.structs import replace

from omec.api.kinds import KINDS
from omec.errors import OmecError
from omec.finding import Rule
from omec.lint.catalogue import all_rules
from omec.repo.settings_lint import LintConfig, exactness


def resolved(config: LintConfig) -> LintConfig:
    """``config`` with codes for names, so that a rule need not be imported to know that it is off.

    Raises :class:`OmecError` for a selector that fits no rule, or only ones that ``preview`` keeps back.
    """
    _require_known(config)
    codes = {rule.slug: rule.code for rule in all_rules()}

    def coded(selectors: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(codes.get(selector, selector) for selector in selectors)

    return replace(
        config,
        select=coded(config.select),
        extend_select=coded(config.extend_select),
        ignore=coded(config.ignore),
        per_file_ignores=tuple((glob, coded(selectors)) for glob, selectors in config.per_file_ignores),
    )


def _require_known(config: LintConfig) -> None:
    names = (*config.select, *config.extend_select, *config.ignore, *(name for name, _ in config.severity))
    for selector in (*names, *(selector for _, selectors in config.per_file_ignores for selector in selectors)):
        if not matching(selector):
            raise OmecError(
                f"lint: no rule has the {_kind(selector)} {selector}", hint=suggested(selector), code="OME013"
            )
    for selector in (*config.select, *config.extend_select):
        if not config.preview and all(rule.preview for rule in matching(selector)):
            raise OmecError(
                f"lint: {selector} is in preview, so that selecting it has no effect",
                hint="set preview = true, or use --preview",
                code="OME013",
            )
    for kind in config.skip_kinds:
        meant = {known.lower(): known for known in KINDS}.get(kind.lower()) or _close(kind, KINDS)
        if kind not in KINDS and meant:
            raise OmecError(f"lint: there is no kind {kind} to skip", hint=f"did you mean {meant}?", code="OME013")


def matching(selector: str) -> list[Rule]:
    """The rules that ``selector`` names."""
    return [rule for rule in all_rules() if exactness((selector,), rule.code, rule.slug)]


def suggested(selector: str) -> str:
    """``did you mean …?`` for a selector that no rule has."""
    close = None if selector.startswith("OME") else _close(selector, (rule.slug for rule in all_rules()))
    return f"did you mean {close}?" if close else "omec rules lists all of them"


def _kind(selector: str) -> str:
    return "code" if selector.startswith("OME") else "name"


def _close(text: str, names: Iterable[str]) -> str | None:
    return next(iter(difflib.get_close_matches(text, list(names), n=1, cutoff=0.7)), None)
