"""Table ``[lint]``: which rules report, about which files, and how severe they are."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec.structs import replace

from omec.finding import Rule, Severity
from omec.repo.settings import Check, Place, flag, one_of, table, text, texts

ALL = "ALL"
"""The selector of every rule."""

_SELECTOR = re.compile(r"ALL|OME\d{0,3}|[a-z0-9]+(-[a-z0-9]+)*")
_NAME = re.compile(r"OME\d{3}|[a-z0-9]+(-[a-z0-9]+)*")
_EVERY = len("OME")


class LintConfig(msgspec.Struct, frozen=True):
    """Which rules report, and how severe they are.

    ``select``, ``extend_select`` and ``ignore`` hold *selectors*: a rule's code or name, the beginning of codes
    (``OME3`` is a family), or ``ALL``. The most exact one that fits a rule decides, ``ignore`` where two are equally
    exact. Without ``select``, every rule reports that is not off by default.

    ``severity`` gives single rules (by code or name) another severity, ``per_file_ignores`` silences selectors in files
    that match a glob, ``skip_kinds`` silences everything about objects of a kind. ``gpu_taints`` are the keys of the
    taints that keep other pods off the GPU nodes, where that is not the name of the resource.
    """

    select: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    severity: tuple[tuple[str, Severity], ...] = ()
    per_file_ignores: tuple[tuple[str, tuple[str, ...]], ...] = ()
    preview: bool = False
    skip_kinds: tuple[str, ...] = ()
    baseline: str | None = None
    gpu_taints: tuple[str, ...] = ()

    def enabled(self, rule: Rule) -> bool:
        """Whether the rule reports."""
        return (self.preview or not rule.preview) and self.enables(rule.code, rule.slug, default=rule.default)

    def enables(self, code: str, slug: str = "", *, default: bool = True) -> bool:
        """As :meth:`enabled`, for a rule of which no more is known; without its ``slug``, only codes can name it."""
        selected = exactness((*self.select, *self.extend_select), code, slug)
        if not self.select and default:
            selected = max(selected, _EVERY)
        return selected > 0 and selected > exactness(self.ignore, code, slug)

    def severity_of(self, rule: Rule) -> Severity:
        """The severity of the rule's findings."""
        given = dict(self.severity)
        return given.get(rule.code, given.get(rule.slug, rule.severity))

    def overridden(
        self,
        *,
        select: Iterable[str] = (),
        extend_select: Iterable[str] = (),
        ignore: Iterable[str] = (),
        preview: bool = False,
        skip_kinds: Iterable[str] = (),
    ) -> LintConfig:
        """These settings under those of a command line: a ``select`` there begins anew, the others add to these."""
        base = replace(self, select=(), extend_select=(), ignore=()) if (chosen := tuple(select)) else self
        return replace(
            base,
            select=chosen or base.select,
            extend_select=(*base.extend_select, *extend_select),
            ignore=(*base.ignore, *ignore),
            preview=base.preview or preview,
            skip_kinds=(*base.skip_kinds, *skip_kinds),
        )

    def with_baseline(self, path: str | None) -> LintConfig:
        """These settings with another baseline, or none."""
        return replace(self, baseline=path)

    def to_dict(self) -> dict[str, Any]:
        settings = {
            "select": list(self.select),
            "extend-select": list(self.extend_select),
            "ignore": list(self.ignore),
            "severity": {name: severity.label for name, severity in self.severity},
            "per-file-ignores": {glob: list(selectors) for glob, selectors in self.per_file_ignores},
            "preview": self.preview,
            "skip-kinds": list(self.skip_kinds),
            "baseline": self.baseline,
            "gpu-taints": list(self.gpu_taints),
        }
        return {key: value for key, value in settings.items() if value}


def exactness(selectors: Iterable[str], code: str, slug: str = "") -> int:
    """How exactly the most exact of ``selectors`` names a rule: the number of characters of its code; 0 for none."""
    return max((_exactness(selector, code, slug) for selector in selectors), default=0)


def _exactness(selector: str, code: str, slug: str) -> int:
    if selector == ALL:
        return _EVERY
    if selector == slug:
        return len(code)
    return len(selector) if code.startswith(selector) else 0


def lint(value: Any, place: Place) -> LintConfig:
    """The settings of ``[lint]``; whether there is a rule of that name is known where rules are."""
    settings = {}
    for key, setting in table(value, place).items():
        if key not in LINT_KEYS:
            raise place.unknown(key, LINT_KEYS)
        settings[key.replace("-", "_")] = LINT_KEYS[key](setting, place.child(key))
    return LintConfig(**settings)


def selectors(value: Any, place: Place) -> tuple[str, ...]:
    """A list of selectors."""
    found = texts(value, place)
    for index, selector in enumerate(found):
        if not _SELECTOR.fullmatch(selector):
            hint = "write a code (OME301), the start of one (OME3), the name of a rule, or ALL"
            raise place.child(index).error(f"is {selector!r}", hint=hint)
    return found


def _severities(value: Any, place: Place) -> tuple[tuple[str, Severity], ...]:
    severities = []
    for name, level in table(value, place).items():
        here = place.child(name)
        if not _NAME.fullmatch(name):
            raise here.error("is neither the code nor the name of a rule", hint='write it as OME301 = "warning"')
        severities.append((name, Severity.parse(one_of("error", "warning", "info")(level, here))))
    return tuple(sorted(severities))


def _per_file_ignores(value: Any, place: Place) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple((glob, selectors(given, place.child(glob))) for glob, given in table(value, place).items())


LINT_KEYS: dict[str, Check] = {
    "select": selectors,
    "extend-select": selectors,
    "ignore": selectors,
    "severity": _severities,
    "per-file-ignores": _per_file_ignores,
    "preview": flag,
    "skip-kinds": texts,
    "baseline": text,
    "gpu-taints": texts,
}
