"""Pictures of trees, and of gold and test trees with the outcome of each node.

>>> import treescore
>>> tree = treescore.read("(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)))")[0]
>>> treescore.draw.svg(tree)[:40]
'<svg xmlns="http://www.w3.org/2000/svg" '
"""

from __future__ import annotations

from ..helpers.lengths import UNITS, pixels
from ..helpers.text import number_of
from ..place.axis import SECONDS, WORDS, axis_named
from ..values.problem import UsageError, check_choice

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from os import PathLike
    from typing import Any, TypeAlias

    from ..analysis.tree_pair import TreePair
    from ..trees import Tree
    from .layout import Picture

    Drawable: TypeAlias = Tree | TreePair | Mapping[str, TreePair]
    #: The content of one picture: a tree, or the pairs of one gold tree by system name.
    Group: TypeAlias = Tree | dict[str, TreePair]

#: The supported file name endings.
SUFFIXES = (".svg", ".pdf", ".png", ".tex")
MODES = ("auto", "mirrored", "beside")
DIRECTIONS = ("auto", "ltr", "rtl")
#: Maximum number of nodes, of any picture and of pictures that notebooks show automatically.
MOST_NODES, MOST_NODES_AUTOMATIC = 20_000, 3_000
#: The size of words, in pixels, below which a picture is turned rather than scaled down: 7 points.
_LEGIBLE = 7 * UNITS["pt"]


def svg(
    *things: Drawable,
    background: str | None = "white",
    greyscale: bool = False,
    width: float | str | None = None,
    font_size: float | str | None = None,
    **options: Any,
) -> str:
    """A picture of trees or pairs as SVG.

    - `background`: a colour; without a background, None, text has the colour of the text around the picture.
    - `greyscale`: shades and outlines instead of colours.
    - `width`: maximum width, in pixels or with a unit as in "3.3in"; a wider picture is scaled down.
    - `font_size`: size of words, in points or with a unit.

    For the other options see `pictures`.

    Pairs with the same gold tree (or a dict of pairs by system name) share one axis, with gold above and the others
    below; other trees and pairs are drawn one below the other.

    >>> import treescore
    >>> gold, a, b = (treescore.read(text)[0] for text in ("(S (X a b) c)", "(S a (X b c))", "(S (X a) b c)"))
    >>> svg(treescore.pair(gold, a)).count('class="node')
    4
    >>> svg({"a": treescore.pair(gold, a), "b": treescore.pair(gold, b)}, mode="mirrored").count('class="node')
    6
    """
    from .sides import WORD
    from .svg_writer import write

    check_choice(greyscale, "greyscale", (True, False))
    most = None if width is None else pixels(width, "width")
    size = None if font_size is None else pixels(font_size, "font_size", "pt")
    scale = 1.0 if size is None else size / WORD
    widest = None if most is None else most / (scale if size else _LEGIBLE / WORD)
    drawings = pictures(*things, widest=widest, **options)
    total = max(picture.width for picture in drawings)
    if most is not None and total * scale > most:
        scale = most / total
        if size is not None:
            _warn(f"words have {WORD * scale / UNITS['pt']:.1f} points, because larger ones exceed the width")
    return write(drawings, scale=scale, background=background, greyscale=greyscale)


def pictures(
    *things: Drawable,
    mode: str = "auto",
    direction: str = "auto",
    turn: bool | None = None,
    widest: float | None = None,
    axis: str | None = None,
    duration: float | None = None,
    title: str | None = None,
    plain: bool = False,
    intervals: bool = False,
) -> list[Picture]:
    """The pictures of trees or pairs, independent of the output format.

    - `mode`: "mirrored", gold above the words and test below; "beside", side by side. "auto" is mirrored.
    - `direction`: direction of writing, "ltr" or "rtl"; "auto" detects it from the words.
    - `turn`: one word per line with trees to the left and right, for long sentences; None turns pictures with more
      than 40 words, and pictures wider than `widest` if this makes them narrower.
    - `axis`: for single trees, "words" or "seconds"; None is seconds if the words have times.
    - `duration`: duration of the recording in seconds, the length of the ruler.
    - `title`: replaces the name and score of the sentence.
    - `plain`: without name, score, signature and notes.
    - `intervals`: the interval of each node on the axis after its label, for example its start and end in seconds.
    """
    from .sides import of_pairs, of_tree

    check_choice(mode, "mode", MODES)
    check_choice(direction, "direction", DIRECTIONS)
    check_choice(axis, "axis", (None, *map(str, (WORDS, SECONDS))))
    check_choice(turn, "turn", (None, True, False))
    check_choice(plain, "plain", (True, False))
    check_choice(intervals, "intervals", (True, False))
    check_number(duration, "duration")
    _check_title(title)
    groups = _groups(things)
    check_size(*(tree for group in groups for tree in _trees(group)))
    if axis is not None and any(isinstance(group, dict) for group in groups):
        raise UsageError("axis is for single trees: the axis of a pair is determined by its metric")
    from .layout import picture

    options: dict[str, Any] = {"turn": turn, "direction": direction, "widest": widest, "duration": duration}
    options["plain"] = plain
    drawings = []
    is_timed = False
    for group in groups:
        if isinstance(group, dict):
            first = next(iter(group.values()))
            is_timed = is_timed or first.axis.needs_times
            heading = _heading(group, title, plain)
            notes = [str(problem) for pair in group.values() for problem in pair.problems if not plain]
            drawings.append(
                picture(
                    of_pairs(group, intervals),
                    axis=first.axis,
                    heading=heading,
                    notes=list(dict.fromkeys(notes)),
                    description=_description(group),
                    beside=mode == "beside",
                    **options,
                )
            )
        else:
            times = group.times is not None and bool(group.leaves)
            kind = (SECONDS if times else WORDS) if axis is None else axis_named(axis)
            if kind.needs_times and not times:
                raise UsageError("the words of this tree have no times")
            is_timed = is_timed or kind.needs_times
            heading = _heading(group, title, plain)
            drawings.append(picture([of_tree(group, kind, intervals)], axis=kind, heading=heading, **options))
    if duration is not None and not is_timed:
        raise UsageError("duration needs words with times, which these trees do not have")
    return drawings


def latex(
    *things: Drawable,
    title: str | None = None,
    direction: str = "auto",
    plain: bool = False,
    greyscale: bool = False,
    width: float | str | None = None,
    font_size: float | str | None = None,
    intervals: bool = False,
) -> str:
    """Trees and pairs as LaTeX for the package `forest`; the nodes of a pair are coloured and marked.

    The options are those of `svg` with the same names. The words of a discontinuous tree are in the order of the
    tree and numbered by their position in the sentence, since branches of forest do not cross.

    >>> import treescore
    >>> print(latex(treescore.read("(NP (DT the) (NN cat))")[0]).splitlines()[-2])
    [{NP} [{DT} [{the}]] [{NN} [{cat}]]]
    """
    from .forest import write

    _check_title(title)
    groups = _groups(things)
    check_size(*(tree for group in groups for tree in _trees(group)))
    points = [
        None if length is None else pixels(length, name, unit) / UNITS["pt"]
        for length, name, unit in ((width, "width", "px"), (font_size, "font_size", "pt"))
    ]
    headings = [_heading(group, title, plain) for group in groups]
    return write(groups, headings, direction, greyscale, intervals, *points)


def save(
    path: str | PathLike[str],
    *things: Drawable,
    ppi: float | None = None,
    fonts: str | PathLike[str] | Sequence[str | PathLike[str]] = (),
    **options: Any,
) -> None:
    """Draw into a file: `.svg`, `.pdf`, `.png` or `.tex`.

    The options are those of `svg`; LaTeX takes only those of `latex`. PDF and PNG need the extra `draw` (the
    library typst); `ppi` is the resolution of a PNG (192 pixels per inch), `fonts` folders with additional fonts. A
    character without a glyph becomes an empty box, with a warning.
    """
    from .export import save_as

    save_as(path, things, options, ppi, fonts)


def check_size(*trees: Tree) -> None:
    """Refuse trees with too many nodes."""
    size = sum(map(_size, trees))
    if size > MOST_NODES:
        raise UsageError(f"at most {MOST_NODES:,} nodes can be drawn, not {size:,}; draw a part of the tree")


def check_number(value: object, name: str) -> None:
    """Refuse values other than positive numbers and None."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < float("inf")
    if value is not None and not is_number:
        raise UsageError(f"{name} must be a positive number, not {value!r}")


def _check_title(title: object) -> None:
    if title is not None and not isinstance(title, str):
        raise UsageError(f"title must be text, not {title!r}")


def _groups(things: Sequence[Drawable]) -> list[Group]:
    """The trees and pairs by picture."""
    from collections.abc import Mapping

    from ..analysis.tree_pair import TreePair
    from ..trees import Tree
    from .colours import letters

    if not things or any(isinstance(thing, Mapping) and not thing for thing in things):
        raise UsageError("nothing to draw")
    pairs = [thing for thing in things if isinstance(thing, TreePair)]
    if len(pairs) == len(things) > 1:
        named = dict(zip(letters(len(pairs)), pairs, strict=True))
        if _share_gold(named):
            return [named]
    groups: list[Group] = []
    for thing in things:
        if isinstance(thing, Tree):
            groups.append(thing)
        elif isinstance(thing, Mapping):
            groups += [dict(thing)] if _share_gold(thing) else [{name: pair} for name, pair in thing.items()]
        elif isinstance(thing, TreePair):
            groups.append({"test": thing})
        else:
            raise UsageError(f"only trees and pairs of trees can be drawn, not {type(thing).__name__}")
    return groups


def _share_gold(pairs: Mapping[str, TreePair]) -> bool:
    """Do the pairs have the same gold tree at the same positions?"""
    first, *others = pairs.values()
    return all(
        (pair.axis, list(pair.places[0])) == (first.axis, list(first.places[0])) and pair.gold == first.gold
        for pair in others
    )


def _trees(group: Group) -> list[Tree]:
    if not isinstance(group, dict):
        return [group]
    pairs = list(group.values())
    return [pairs[0].gold, *(pair.test for pair in pairs)]


def _size(tree: Tree) -> int:
    return len(tree.structure()[0]) + tree.end - tree.start


def _warn(message: str) -> None:
    import warnings

    warnings.warn(message, stacklevel=4)


def _heading(group: Group, title: str | None, plain: bool) -> list[str]:
    """The title, or for pairs the name and scores of the sentence; then the signatures of pairs."""
    from ..analysis.sentences import sentence_name
    from .sides import short_and_full_names

    if plain or not isinstance(group, dict):
        return [] if title is None else [title]
    pairs = group
    first = next(iter(pairs.values()))
    sentence = sentence_name(first.number, first.id)
    scores = [
        (f"{first.metric.name} " if len(pairs) == 1 else f"{name} ")
        + ("not scored" if pair.score is None else f"{100 * pair.score:.2f}")
        for (_, name), pair in zip(short_and_full_names(pairs), pairs.values(), strict=True)
    ]
    signatures = dict.fromkeys(pair.signature for pair in pairs.values())
    return [" · ".join(filter(None, [sentence, *scores])) if title is None else title, *signatures]


def _description(pairs: Mapping[str, TreePair]) -> str:
    sentences = []
    for name, pair in pairs.items():
        gold, test = pair.nodes
        aligned = sum(node.mark == "aligned" for node in gold)
        missing = sum(node.mark == "missing" for node in gold)
        extra = sum(node.mark == "extra" for node in test)
        prefix = "" if len(pairs) == 1 else f"{name}: "
        sentences.append(f"{prefix}{number_of(aligned, 'node')} aligned, {missing} missing, {extra} extra.")
    return " ".join(sentences)


def automatic(thing: Tree | TreePair, background: str | None = "white") -> str | None:
    """A picture for a notebook, or None for trees that are too large."""
    sizes = sum(_size(tree) for group in _groups([thing]) for tree in _trees(group))
    return svg(thing, background=background) if sizes <= MOST_NODES_AUTOMATIC else None
