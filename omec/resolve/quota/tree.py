"""The quota tree: who is whose parent, and who has a place below ``root``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from omec.resolve.quota.node import ROOT, QuotaNode


class QuotaTree:
    """Nodes linked to their parents; all look-ups are by name, and every order is that of names.

    ``duplicates`` are the names that occur more than once, each as often as it is repeated; the first node of a name
    is used. A node on a cycle keeps its parent, so walk upwards with :meth:`ancestors` only.
    """

    def __init__(self, nodes: Iterable[QuotaNode]) -> None:
        found: dict[str, QuotaNode] = {}
        self.duplicates: list[str] = []
        for node in nodes:
            if node.name in found:
                self.duplicates.append(node.name)
            found.setdefault(node.name, node)
        self.nodes: dict[str, QuotaNode] = dict(sorted(found.items()))
        self._children: dict[str, list[QuotaNode]] = {}
        for node in self.nodes.values():
            if (parent := self.parent(node.name)) is not None:
                self._children.setdefault(parent.name, []).append(node)
        self._depths = dict(self._measured())

    @property
    def root(self) -> QuotaNode | None:
        """The node called ``root``, where it has no parent."""
        root = self.nodes.get(ROOT)
        return root if root is not None and root.parent is None else None

    @property
    def leaves(self) -> list[QuotaNode]:
        return [node for node in self.nodes.values() if node.is_leaf]

    def parent(self, name: str) -> QuotaNode | None:
        """The parent that ``parentRef`` leads to: another node that exists."""
        parent = self.nodes[name].parent
        return None if parent is None or parent == name else self.nodes.get(parent)

    def children(self, name: str) -> list[QuotaNode]:
        return self._children.get(name, [])

    def depth(self, name: str) -> int | None:
        """The number of steps to ``root``, ``None`` for a node that has no place in the tree."""
        return self._depths.get(name)

    def ancestors(self, name: str) -> list[QuotaNode]:
        """From the top down; on a cycle, those before the first repetition."""
        seen, found = {name}, []
        node = self.parent(name)
        while node is not None and node.name not in seen:
            seen.add(node.name)
            found.append(node)
            node = self.parent(node.name)
        return found[::-1]

    def subtree(self, name: str) -> list[QuotaNode]:
        """The node and everything below it, parents before children."""
        seen: dict[str, QuotaNode] = {}
        waiting = [self.nodes[name]]
        while waiting:
            node = waiting.pop()
            if node.name not in seen:
                seen[node.name] = node
                waiting += reversed(self.children(node.name))
        return list(seen.values())

    def cycle(self, name: str) -> list[str]:
        """The cycle that the way up from ``name`` ends in, from where it enters; empty where it ends at a top."""
        way: dict[str, int] = {}
        node: QuotaNode | None = self.nodes[name]
        while node is not None and node.name not in way:
            way[node.name] = len(way)
            node = self.parent(node.name)
        return [] if node is None else list(way)[way[node.name] :]

    def _measured(self) -> Iterator[tuple[str, int]]:
        level = [] if self.root is None else [self.root]
        depth = 0
        while level:
            yield from ((node.name, depth) for node in level)
            level = [child for node in level for child in self.children(node.name)]
            depth += 1
