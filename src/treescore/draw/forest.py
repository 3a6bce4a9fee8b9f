"""Trees as LaTeX code for the package `forest`."""

from __future__ import annotations

from itertools import accumulate

from ..place.axis import SECONDS, WORDS
from . import sides
from .colours import COLOURS, CROSSING, EXTRA, GREYS, MISSING, WRONG_LABEL
from .layout import is_right_to_left
from .sides import Side
from .widths import drawable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..trees import Tree
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
  treescore aligned/.style={draw=treescore#1, fill=treescore#1fill, rounded corners=2pt},
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


def write(
    groups: Sequence[Group],
    headings: Sequence[Sequence[str]],
    direction: str = "auto",
    greyscale: bool = False,
    intervals: bool = False,
    width: float | None = None,
    font_size: float | None = None,
) -> str:
    """An environment for each tree; below each group its captions and scores. Lengths are in points."""
    parts = [_NEEDS, *(["% needs \\usepackage{graphicx}\n"] if width is not None else [])]
    shown = [
        sides.of_pairs(group, intervals) if isinstance(group, dict) else [_alone(group, intervals)] for group in groups
    ]
    used = sorted({node.colour for group in shown for side in group for node in side.nodes if node.colour is not None})
    for number in used:
        for name, colour in zip(("", "fill"), (GREYS if greyscale else COLOURS)[number], strict=True):
            parts.append(f"\\definecolor{{treescore{number}{name}}}{{HTML}}{{{colour[1:].upper()}}}\n")
    parts.append(_STYLES)
    right_to_left = [is_right_to_left(group, direction) for group in shown]
    before, after = _size(width, font_size)
    drawn = [_group(*group, before, after) for group in zip(shown, headings, right_to_left, strict=True)]
    parts.append("\\par\\bigskip\n".join(drawn))
    return "".join(parts)


def _alone(tree: Tree, intervals: bool) -> Side:
    """A single tree; without times its positions are the numbers of its words."""
    return sides.of_tree(tree, SECONDS if tree.times is not None and tree.leaves else WORDS, intervals)


def _size(width: float | None, font_size: float | None) -> tuple[str, str]:
    """The code before and after trees that sets their font size, and makes them narrower than this width."""
    before, after = "", ""
    if font_size is not None:
        before, after = f"{{\\fontsize{{{font_size:.4g}}}{{{1.2 * font_size:.4g}}}\\selectfont\n", "}%\n"
    if width is not None:
        most = f"{width:.5g}bp"
        before = f"\\resizebox{{\\ifdim\\width>{most} {most}\\else\\width\\fi}}{{!}}{{%\n{before}"
        after += "}\n"
    return before, after


def _group(shown: Sequence[Side], heading: Sequence[str], right_to_left: bool, before: str, after: str) -> str:
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
    return before + "\\quad\n".join(environments) + after + "".join(below)


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
                style += f"={node.colour}"
            signs = "".join(_SIGNS[sign] for sign in node.signs)
            note = f"\\,{{\\tiny {_note(node.note)}}}" if node.note else ""
            parts.append(f"[{{{signs}{escape(node.label[len(node.signs) :])}{note}}}{style}")
            waiting += [None, *reversed(node.children)]
    return " ".join(parts).replace(" ]", "]")


def _note(note: str) -> str:
    return escape(note).replace(MISSING, "$-$")
