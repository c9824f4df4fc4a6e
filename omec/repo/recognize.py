"""What a file is, if it is not a manifest: Helm templates, other tools' YAML."""

from __future__ import annotations

import re
from typing import Any

from omec.api.kinds import claims_ome
from omec.repo.yaml.document import parse
from omec.repo.yaml.problem import ProblemError

# A template action where YAML wants a value or a key: at the start of a line, or after `key:` or `-`.
_TEMPLATE_ACTION = re.compile(r"^[ \t]*(?:[\w./-]+:[ \t]+|-[ \t]+)*\{(?:\{(?!\{)|%)[^\n]*[%}]\}", re.MULTILINE)

_CONTROL_ACTION = re.compile(r"\{\{-?[ ]*(?:if|else|end|range|with|define|block|include|template)\b|\{%")
_ACTION = re.compile(r"\{\{[^\n]*?\}\}")

_CODE_TAG_FILES = frozenset(["mkdocs.yml", "mkdocs.yaml"])


def is_object(value: Any) -> bool:
    """Whether a document is a Kubernetes object: a mapping with ``apiVersion`` and ``kind``, or one meant for OME."""
    return isinstance(value, dict) and (bool(value.get("apiVersion") and value.get("kind")) or claims_ome(value))


def is_cluster_object(value: dict[str, Any]) -> bool:
    """Whether an object is meant for the cluster: kustomize's own files are not."""
    return not str(value.get("apiVersion")).startswith("kustomize.config.k8s.io/")


def has_actions(text: str) -> bool:
    """Whether a file of a Helm chart's ``templates`` folder needs Helm to become a manifest."""
    return "{{" in text


def looks_templated(text: str) -> bool:
    """Whether ``text``, which is no valid YAML, is the source of a template (Go or Jinja).

    That is, whether its actions are what is wrong with it: an error beside a quoted action is still an error.
    """
    if not _TEMPLATE_ACTION.search(text):
        return False
    if _CONTROL_ACTION.search(text):
        return True
    try:
        parse(_ACTION.sub("x", text))
    except ProblemError:
        return False
    return True


def may_hold_objects(text: str) -> bool:
    """Whether JSON text may hold a Kubernetes object at all."""
    return '"apiVersion"' in text and '"kind"' in text


def allows_code_tags(path: str) -> bool:
    """Whether the file is known to use tags that name code, and known to be no manifest."""
    return path.rpartition("/")[2] in _CODE_TAG_FILES
