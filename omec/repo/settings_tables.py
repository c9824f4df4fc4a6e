"""The settings that are tables of their own: catalogs elsewhere, and the choice of lint rules."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from omec.finding import Rule, Severity
from omec.repo.config_rules import CONFIG_RESERVED
from omec.repo.settings import Check, Place, one_of, table, text, texts, type_name

QUOTA_KEYS = (
    "max-depth",
    "enrolled-namespaces",
    "cover-resources",
    "default-distribution-policy",
    "known-quotas",
    "accelerator-resources",
)
BENCHMARK_KEYS = ("image", "cpuRequest", "memoryRequest", "cpuLimit", "memoryLimit")

_CODE = re.compile(r"OME\d{3}")
_CODE_PREFIX = re.compile(r"OME\d{0,3}")


@dataclass(frozen=True, slots=True)
class CatalogSource:
    """One entry of ``[[sources]]``: a catalog of runtimes and models that lives elsewhere."""

    path: str


def catalog_sources(value: Any, place: Place) -> tuple[CatalogSource, ...]:
    if not isinstance(value, list | tuple):
        raise place.error(f"must be a list of tables, not {type_name(value)}", hint="write it as [[sources]]")
    return tuple(_catalog_source(item, place.child(index)) for index, item in enumerate(value))


def _catalog_source(value: Any, place: Place) -> CatalogSource:
    entry = table(value, place)
    for key in entry:
        if key in ("git", "rev"):
            raise place.child(key).error(
                "is reserved for a later release of omec",
                hint="fetch the repository yourself and name its folder with path",
                rule=CONFIG_RESERVED,
            )
        if key != "path":
            raise place.unknown(key, ("path",))
    if "path" not in entry:
        raise place.error("has no path", hint='write path = "folder"')
    return CatalogSource(text(entry["path"], place.child("path")))


@dataclass(frozen=True, slots=True)
class LintConfig:
    """Which rules report, and how severe they are.

    ``select`` and ``ignore`` hold codes or beginnings of codes (``OME3`` is the whole family); the longest one that
    fits a rule decides, ``ignore`` where both are equally long. An empty ``select`` means every rule.
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    severity: tuple[tuple[str, Severity], ...] = ()

    def enabled(self, code: str) -> bool:
        """Whether the rule with this code reports."""
        selected = _longest_prefix(self.select or ("OME",), code)
        return selected > 0 and selected > _longest_prefix(self.ignore, code)

    def selected(self, code: str) -> bool:
        """Whether ``select`` names the rule with this code, and ``ignore`` does not take it back."""
        return bool(self.select) and self.enabled(code)

    def severity_of(self, rule: Rule) -> Severity:
        """The severity of the rule's findings."""
        return dict(self.severity).get(rule.code, rule.severity)

    def to_dict(self) -> dict[str, Any]:
        settings = {
            "select": list(self.select),
            "ignore": list(self.ignore),
            "severity": {code: severity.label for code, severity in self.severity},
        }
        return {key: value for key, value in settings.items() if value}


def quota(value: Any, place: Place) -> dict[str, Any]:
    """The settings of OME's quota manager; what a value may be is known where quotas are judged."""
    return _known(value, place, QUOTA_KEYS)


def benchmark(value: Any, place: Place) -> dict[str, Any]:
    """The fields of ``podConfig`` of OME's ConfigMap ``benchmarkjob-config``."""
    return {key: text(item, place.child(key)) for key, item in _known(value, place, BENCHMARK_KEYS).items()}


def _known(value: Any, place: Place, keys: tuple[str, ...]) -> dict[str, Any]:
    given = dict(table(value, place))
    for key in given:
        if key not in keys:
            raise place.unknown(key, keys)
    return given


def lint(value: Any, place: Place) -> LintConfig:
    checks: dict[str, Check] = {"select": _codes, "ignore": _codes, "severity": _severities}
    settings = {}
    for key, setting in table(value, place).items():
        if key not in checks:
            raise place.unknown(key, checks)
        settings[key] = checks[key](setting, place.child(key))
    return LintConfig(**settings)


def _codes(value: Any, place: Place) -> tuple[str, ...]:
    codes = texts(value, place)
    for index, code in enumerate(codes):
        if not _CODE_PREFIX.fullmatch(code):
            raise place.child(index).error(f"is {code!r}", hint="write a code (OME301) or the start of one (OME3)")
    return codes


def _severities(value: Any, place: Place) -> tuple[tuple[str, Severity], ...]:
    severities = []
    for code, level in table(value, place).items():
        here = place.child(code)
        if not _CODE.fullmatch(code):
            raise here.error("is not the code of a rule", hint='write it as OME301 = "warning"')
        name = one_of("error", "warning", "info")(level, here)
        severities.append((code, Severity.parse(name)))
    return tuple(sorted(severities))


def _longest_prefix(prefixes: Iterable[str], code: str) -> int:
    return max((len(prefix) for prefix in prefixes if code.startswith(prefix)), default=0)
