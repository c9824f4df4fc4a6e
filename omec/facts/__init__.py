"""What the files of a model say: the facts that OME derives after the download, without a cluster and without weights.

:func:`read_facts` reads a local directory, :func:`read_tree` any other place that can play
:class:`omec.facts.tree.ModelTree`.
"""

from omec.facts.errors import FactsError
from omec.facts.facts import Facts, FactWarning, NameAndVersion
from omec.facts.reader import read_facts, read_tree
from omec.facts.tree import Entry, ModelTree, UnreadableError

__all__ = [
    "Entry",
    "FactWarning",
    "Facts",
    "FactsError",
    "ModelTree",
    "NameAndVersion",
    "UnreadableError",
    "read_facts",
    "read_tree",
]
