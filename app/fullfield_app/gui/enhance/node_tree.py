"""A tree of groups and images for Qt, that is brought to a wanted shape step by step.

Changes become insertions, moves and removals, so that what is selected, seen and folded stays so.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence, Set

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex

from fullfield_app.gui.enhance.grouping import Group, Key

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
_ids = itertools.count(1)


class Node:
    """`image`: the index of an image, −1: a group with the key `key`. `row`: its place among its siblings."""

    def __init__(self, *, key: Key = (), image: int = -1) -> None:
        self.id = next(_ids)
        self.key, self.image = key, image
        self.parent: Node | None = None
        self.children: list[Node] = []
        self.group: Group | None = None
        self.row = 0

    def number(self) -> None:
        """Tell the children their places."""
        for row, child in enumerate(self.children):
            child.row = row

    def leaves(self) -> Iterator[Node]:
        """The images below, or this one."""
        if self.image >= 0:
            yield self
        for child in self.children:
            yield from child.leaves()

    def ancestors(self) -> Iterator[Node]:
        """The groups that this is in, the nearest first, without the root."""
        node = self.parent
        while node is not None and node.parent is not None:
            yield node
            node = node.parent


class NodeTree(QAbstractItemModel):
    """The shape alone; what is shown is the subclass's."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._root = Node(key=())
        self._nodes: dict[int, Node] = {self._root.id: self._root}
        self._leaves: dict[int, Node] = {}
        self._groups: dict[Key, Node] = {}

    def settle(self, wanted: Sequence[Group | int]) -> None:
        """Bring the tree to this shape; images that are not in it have been taken out before."""
        self._settle(self._root, wanted)
        self.take_out(frozenset())

    def take_out(self, images: Set[int]) -> None:
        """Take these images out, and groups that hold nothing else."""
        self._prune(self._root, images)

    def index(self, row: int, column: int, parent: Index = _ROOT) -> QModelIndex:
        """See Qt."""
        children = self._node(parent).children
        return self.createIndex(row, column, children[row].id) if 0 <= row < len(children) and not column else _ROOT

    def parent(self, index: Index) -> QModelIndex:  # type: ignore[override]
        """See Qt."""
        node = self._node(index).parent if index.isValid() else None
        return _ROOT if node is None or node is self._root else self._at(node)

    def rowCount(self, parent: Index = _ROOT) -> int:
        """How many there are in a group."""
        return len(self._node(parent).children)

    def columnCount(self, parent: Index = _ROOT) -> int:
        """One."""
        return 1

    # Within ---------------------------------------------------------------------------------------------------

    def _settle(self, parent: Node, wanted: Sequence[Group | int]) -> None:
        place = 0
        while place < len(wanted):
            fresh = _fresh(wanted, place, self._leaves)
            if fresh:
                self._insert(parent, place, [Node(image=index) for index in fresh])
                place += len(fresh)
                continue
            item = wanted[place]
            node = self._leaves[item] if isinstance(item, int) else self._groups.get(item.key)
            if node is None:
                assert isinstance(item, Group)
                node = Node(key=item.key)
                node.group = item
                self._insert(parent, place, [node])
            elif node.parent is not parent or parent.children[place] is not node:
                self._move(node, parent, place)
            if isinstance(item, Group):
                node.group = item
                self._settle(node, item.children)
            place += 1

    def _insert(self, parent: Node, place: int, nodes: list[Node]) -> None:
        self.beginInsertRows(self._at(parent), place, place + len(nodes) - 1)
        parent.children[place:place] = nodes
        for node in nodes:
            node.parent = parent
            self._nodes[node.id] = node
            if node.image >= 0:
                self._leaves[node.image] = node
            else:
                self._groups[node.key] = node
        parent.number()
        self.endInsertRows()

    def _move(self, node: Node, parent: Node, place: int) -> None:
        before = node.parent
        assert before is not None
        self.beginMoveRows(self._at(before), node.row, node.row, self._at(parent), place)
        del before.children[node.row]
        parent.children.insert(place, node)
        node.parent = parent
        before.number()
        parent.number()
        self.endMoveRows()

    def _prune(self, parent: Node, gone: Set[int]) -> None:
        """What lies together goes at once: Qt looks at all groups that are open for each time that something goes."""
        wholly = itertools.groupby(
            tuple(parent.children), lambda node: all(leaf.image in gone for leaf in node.leaves())
        )
        for goes, nodes in wholly:
            if goes:
                self._take_out(parent, list(nodes))
            else:
                for node in nodes:
                    self._prune(node, gone)

    def _take_out(self, parent: Node, nodes: list[Node]) -> None:
        first, last = nodes[0].row, nodes[-1].row
        self.beginRemoveRows(self._at(parent), first, last)
        del parent.children[first : last + 1]
        for node in nodes:
            self._forget(node)
        parent.number()
        self.endRemoveRows()

    def _forget(self, node: Node) -> None:
        del self._nodes[node.id]
        self._leaves.pop(node.image, None)
        self._groups.pop(node.key, None)
        for child in node.children:
            self._forget(child)

    def _at(self, node: Node) -> QModelIndex:
        return _ROOT if node is self._root else self.createIndex(node.row, 0, node.id)

    def _node(self, index: Index) -> Node:
        return self._nodes[index.internalId()] if index.isValid() else self._root


def _fresh(wanted: Sequence[Group | int], start: int, known: dict[int, Node]) -> list[int]:
    """The images from `start` on that are not in the tree yet: they come in together."""

    def run() -> Iterator[int]:
        for item in wanted[start:]:
            if not isinstance(item, int) or item in known:
                return
            yield item

    return list(run())
