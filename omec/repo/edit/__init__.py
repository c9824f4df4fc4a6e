"""Change values in manifests, and leave everything else in the files as it is."""

from omec.repo.edit.file import CannotEditError, edited
from omec.repo.edit.model import Change, Drop, Edit, Put, Rename

__all__ = ["CannotEditError", "Change", "Drop", "Edit", "Put", "Rename", "edited"]
