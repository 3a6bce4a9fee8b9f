"""Head finding with head tables from the literature or your own.

>>> import treescore
>>> from treescore import heads
>>> tree = treescore.read("(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)))")[0]
>>> heads.annotate(tree, "collins")
'(S^sleeps (NP^cat (DT the) (NN cat)) (VP^sleeps (VBZ sleeps)))'
>>> heads.find(tree, heads.get("collins"))
[(1, 2), (1, 1), (0, 2)]
>>> heads.dependencies(tree)
[(0, 1, 'NP', 'DT'), (1, 2, 'S', 'NP'), (2, None, 'TOP', 'S')]
"""

from __future__ import annotations

from .finding import EDITS, Dependency, Head, HeadFinder
from .table import HeadTable
from .tables import CITATIONS, NAMES, get
from .writing import annotated

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from ..trees import Tree

__all__ = ["CITATIONS", "EDITS", "NAMES", "HeadFinder", "HeadTable", "annotate", "dependencies", "find", "get"]


def find(tree: Tree, table: HeadTable | str = "collins", **options: Any) -> list[Head | None]:
    """The head child and the head word of each phrase, by number, in the order of `tree.spans()`.

    The options `edits` and `compat` are those of `HeadFinder`, here and in the other functions.

    >>> import treescore
    >>> find(treescore.read("(NP (NP (DT the) (NN dog) (POS 's)) (NN tail))")[0])
    [(1, 3), (2, 2)]
    """
    return _finder(table, options).find(tree)


def dependencies(tree: Tree, table: HeadTable | str = "collins", **options: Any) -> list[Dependency]:
    """The dependencies: dependent, head (None for the root), and the labels of mother and child.

    >>> import treescore
    >>> dependencies(treescore.read("(VP (MD can) (VP (VB go)))")[0], "semantic")
    [(0, 1, 'VP', 'MD'), (1, None, 'TOP', 'VP')]
    """
    return _finder(table, options).dependencies(tree)


def annotate(tree: Tree, table: HeadTable | str = "collins", **options: Any) -> str:
    """The tree in brackets with the head word after the label of each phrase.

    >>> import treescore
    >>> annotate(treescore.read("(TOP (NP-SBJ (DT the) (NN cat)))")[0])
    '(TOP (NP-SBJ^cat (DT the) (NN cat)))'
    """
    return annotated(tree, _finder(table, options))


def _finder(table: HeadTable | str, options: Mapping[str, Any]) -> HeadFinder:
    return HeadFinder(get(table) if isinstance(table, str) else table, **options)
