"""Trees as LaTeX code for the package `forest`."""

from __future__ import annotations

from itertools import accumulate

from ..place.axis import WORDS
from . import sides
from .colours import CROSSING, EXTRA, MISSING, PALETTE, WRONG_LABEL
from .layout import is_right_to_left
from .sides import Side
from .widths import drawable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from . import Group

_ESCAPES = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        **{character: f"\\{character}" for character in "{}$&#%_"},
        **{character: f"{{{character}}}" for character in "<>|\"'`-"},  # no ligatures, no quotes of babel
        "·": r"$\cdot$",
        "…": r"\dots{}",
        "∅": r"$\emptyset$",
        "\u2068": "",
        "\u2069": "",
    }
)
_SIGNS = {MISSING: "$-$", EXTRA: "$+$", CROSSING: r"$\times$", WRONG_LABEL: r"$\neq$"}

_NEEDS = r"""% needs \usepackage{forest}
% words that are not in Latin letters need xelatex or lualatex, and a font that has them
"""
_STYLES = r"""\forestset{
  treescore/.style={for tree={inner sep=2pt, l sep=8pt, s sep=6pt}, where n children=0{tier=word}{}},
  treescore aligned/.style={draw=#1, fill=#1!18, rounded corners=2pt},
  treescore missing/.style={draw, dashed, rounded corners=2pt},
  treescore extra/.style={draw, dashed, rounded corners=2pt},
  treescore ignored/.style={text=gray},
}
"""


def escape(text: str) -> str:
    """Text with LaTeX escapes.

    >>> escape("50% of $x_1"), escape("a\\\\b")
    ('50\\\\% of \\\\$x\\\\_1', 'a\\\\textbackslash{}b')
    """
    return text.translate(_ESCAPES)


def write(groups: Sequence[Group], headings: Sequence[Sequence[str]], direction: str = "auto") -> str:
    """An environment for each tree; below each group its captions and scores."""
    parts = [_NEEDS]
    shown = [sides.of_pairs(group) if isinstance(group, dict) else [sides.of_tree(group, WORDS)] for group in groups]
    used = sorted({node.colour for group in shown for side in group for node in side.nodes if node.colour is not None})
    parts += [f"\\definecolor{{treescore{number}}}{{HTML}}{{{PALETTE[number][1:]}}}\n" for number in used]
    parts.append(_STYLES)
    right_to_left = [is_right_to_left(group, direction) for group in shown]
    parts.append("\\par\\bigskip\n".join(map(_group, shown, headings, right_to_left)))
    return "".join(parts)


def _group(shown: Sequence[Side], heading: Sequence[str], right_to_left: bool) -> str:
    environments = []
    style = "treescore, for tree={reversed}" if right_to_left else "treescore"
    for side in shown:
        name = f"% {side.caption}\n" if side.caption else ""
        note = (
            "% discontinuous: words in the order of the tree, with their numbers in the sentence\n"
            if side.has_gaps
            else ""
        )
        environments.append(f"{name}{note}\\begin{{forest}} {style}\n{_tree(side)}\n\\end{{forest}}\n")
    captions = ", ".join(side.caption for side in shown if side.caption)
    below = []
    if heading:
        title = escape(drawable(heading[0])) + (f" ({escape(captions)})" if captions else "")
        below.append(f"\\par\\noindent{{\\small {title}}}\n")
    # Signatures have no spaces for line breaks.
    signatures = (escape(text).replace("{|}", "{|}\\allowbreak{}") for text in heading[1:])
    below += [f"\\par\\noindent{{\\footnotesize\\ttfamily {text}}}\n" for text in signatures]
    return "\\quad\n".join(environments) + "".join(below)


def _tree(side: Side) -> str:
    """The brackets of one tree; several roots, or none, are below an empty node."""
    tops = side.tops
    parts: list[str] = [] if len(tops) == 1 else ["[{}"]
    waiting: list[int | None] = [*([] if len(tops) == 1 else [None]), *reversed(tops)]
    numbers = list(accumulate(int(bool(leaf.text)) for leaf in side.leaves))
    while waiting:
        item = waiting.pop()
        if item is None:
            parts.append("]")
        elif item < 0:
            word = side.leaves[~item].text
            number = f"$_{{{numbers[~item]}}}$" if side.has_gaps else ""
            if word:
                parts.append(f"[{{{escape(word)}{number}}}]")
        else:
            node = side.nodes[item]
            style = (
                ""
                if node.mark == "plain" or (node.mark == "aligned" and node.colour is None)
                else f", treescore {node.mark}"
            )
            if node.colour is not None:
                style += f"=treescore{node.colour}"
            signs = "".join(_SIGNS[sign] for sign in node.signs)
            note = f"\\,{{\\tiny {_note(node.note)}}}" if node.note else ""
            parts.append(f"[{{{signs}{escape(node.label[len(node.signs) :])}{note}}}{style}")
            waiting += [None, *reversed(node.children)]
    return " ".join(parts).replace(" ]", "]")


def _note(note: str) -> str:
    return escape(note).replace(MISSING, "$-$")
