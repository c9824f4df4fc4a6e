"""YAML as kubectl reads and prints it (reference 11 §1 and §2)."""

from omec.repo.yaml.document import Parsed, load, parse
from omec.repo.yaml.writer import dump, dump_all

__all__ = ["Parsed", "dump", "dump_all", "load", "parse"]
