"""Colours and marks of nodes in pictures, in the terminal and on the report page.

The colours are those of Okabe and Ito without yellow and black, which are suitable for colour-blind readers. In
greyscale, shades and outlines replace them. Every outcome also has a sign: missing, extra, crossing, other label.

>>> import treescore
>>> both = treescore.pair("(S (X a b) c)", "(S a (X b c))", "parseval|profile:none")
>>> [[signs(node) + node.label for node in nodes] for nodes in both.nodes]
[['S', '−×X'], ['S', '+×X']]
"""

from __future__ import annotations

from typing import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..analysis.tree_pair import PairNode, TreePair

#: Blue, vermilion, bluish green, reddish purple, sky blue, orange.
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00")
INK, GREY, PALE, PAPER = "#1a1a1a", "#767676", "#d9d9d9", "#ffffff"

MISSING, EXTRA, CROSSING, WRONG_LABEL = "−", "+", "×", "≠"
#: The meaning of each sign, in the order of signs before a label.
SIGNS = {
    MISSING: "missing: only in gold",
    EXTRA: "extra: only in test",
    CROSSING: "crosses a phrase of the other tree",
    WRONG_LABEL: "the other tree has another label here",
}
#: Placeholder for an empty label of a counted node.
NO_LABEL = "∅"


def signs(node: PairNode) -> str:
    """The signs before the label of a node."""
    sign = {"missing": MISSING, "extra": EXTRA}.get(node.mark, "")
    return sign + CROSSING * node.crossing + WRONG_LABEL * (node.twin is not None)


def letters(count: int) -> list[str]:
    """Letters that replace missing or long system names.

    >>> letters(2), letters(28)[25:]
    (['A', 'B'], ['Z', 'A2', 'B2'])
    """
    return [chr(ord("A") + at % 26) + (str(at // 26 + 1) if at >= 26 else "") for at in range(count)]


def share(iou: float | None) -> str:
    """The IoU after the label of an aligned node, unless it is 1.

    >>> share(0.5), share(1.0), share(0.9999), share(0.001), share(None)
    ('0.50', '', '0.99', '<0.01', '')
    """
    if iou is None or iou >= 1:
        return ""
    return f"{min(iou, 0.99):.2f}" if iou >= 0.005 else "<0.01"


def colour_numbers(pairs: Sequence[TreePair]) -> dict[int, int]:
    """The colour number of each coloured gold node; the pairs share one gold tree.

    The k-th node with a partner in any test tree has colour k; pairs of preterminals have none.
    """
    tags = [{node.number for node in pair.nodes[1] if node.is_preterminal} for pair in pairs]
    coloured: dict[int, int] = {}
    for nodes in zip(*(pair.nodes[0] for pair in pairs), strict=True):
        if any(
            node.mark == "aligned" and not (node.is_preterminal and node.partner in tagged)
            for node, tagged in zip(nodes, tags, strict=True)
        ):
            coloured[nodes[0].number] = len(coloured) % len(PALETTE)
    return coloured


class Paint(NamedTuple):
    """The colours of an aligned node: of its outline and branches, and of its box."""

    line: str
    fill: str


def tint(colour: str, share: float = 0.18) -> str:
    """A colour mixed with white.

    >>> tint("#0072B2"), tint("#000000", 0.5)
    ('#d1e6f1', '#808080')
    """
    parts = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return "#" + "".join(f"{round(255 - (255 - part) * share):02x}" for part in parts)


#: The looks of aligned nodes, in colours and in greyscale.
COLOURS = tuple(Paint(colour, tint(colour)) for colour in PALETTE)
GREYS = tuple(Paint(line, fill) for line in ("#000000", "#8a8a8a") for fill in ("#e6e6e6", "#b8b8b8", "#ffffff"))
