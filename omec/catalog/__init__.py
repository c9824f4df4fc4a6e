"""The objects of a repository under their identities, with OME's scoping rules for look-ups."""

from omec.catalog.index import Catalog
from omec.catalog.resource import Resource

__all__ = ["Catalog", "Resource"]
