"""Pictures of trees, and of gold and test trees with what became of their nodes.

>>> import treescore
>>> tree = treescore.read("(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)))")[0]
>>> treescore.draw.svg(tree)[:40]
'<svg xmlns="http://www.w3.org/2000/svg" '
"""

from __future__ import annotations

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
    #: What is drawn as one picture: a tree, or the pairs of one gold tree by the names of the systems.
    Group: TypeAlias = Tree | dict[str, TreePair]

#: What the name of a picture can end with.
SUFFIXES = (".svg", ".pdf", ".png", ".tex")
MODES = ("auto", "mirrored", "beside")
DIRECTIONS = ("auto", "ltr", "rtl")
#: More nodes than this are not drawn, and more than this not unasked, in notebooks.
MOST_NODES, MOST_NODES_UNASKED = 20_000, 3_000


def svg(
    *things: Drawable,
    mode: str = "auto",
    direction: str = "auto",
    turn: bool | None = None,
    width: float | None = None,
    axis: str | None = None,
    duration: float | None = None,
    title: str | None = None,
    background: str | None = "white",
) -> str:
    """A picture of trees or pairs as SVG.

    Pairs with the same gold tree (or a dict of them by the names of their systems) are drawn over one axis, gold above
    and the others below; anything else is drawn one below the other. For the options see `pictures`.

    >>> import treescore
    >>> gold, a, b = (treescore.read(text)[0] for text in ("(S (X a b) c)", "(S a (X b c))", "(S (X a) b c)"))
    >>> svg(treescore.pair(gold, a)).count('class="node')
    4
    >>> svg({"a": treescore.pair(gold, a), "b": treescore.pair(gold, b)}, mode="mirrored").count('class="node')
    6
    """
    from .svg_writer import write

    drawn = pictures(
        *things, mode=mode, direction=direction, turn=turn, width=width, axis=axis, duration=duration, title=title
    )
    return write(drawn, width=width, background=background)


def pictures(
    *things: Drawable,
    mode: str = "auto",
    direction: str = "auto",
    turn: bool | None = None,
    width: float | None = None,
    axis: str | None = None,
    duration: float | None = None,
    title: str | None = None,
) -> list[Picture]:
    """What `svg` draws, before it is written in any format.

    - `mode`: "mirrored", gold growing up from the words and test down; "beside", side by side. "auto" is mirrored.
    - `direction`: of the words, "ltr" or "rtl"; "auto" looks at them.
    - `turn`: words below each other and trees to the left and right of them, which suits long sentences; None does so
      from 41 words, or where the picture would be wider than `width`.
    - `width`: the picture is at most so wide, in pixels; it is made smaller if it has to be.
    - `axis`: for trees alone, "words" or "seconds"; None takes seconds where the words have times.
    - `duration`: how long the recording is, for a ruler of seconds that goes to its end.
    - `title`: instead of the name of the sentence and its score.
    """
    from .sides import of_pairs, of_tree

    check_choice(mode, "mode", MODES)
    check_choice(direction, "direction", DIRECTIONS)
    check_choice(axis, "axis", (None, *map(str, (WORDS, SECONDS))))
    check_choice(turn, "turn", (None, True, False))
    check_number(width, "width")
    check_number(duration, "duration")
    _check_title(title)
    groups = _groups(things)
    check_size(*(tree for group in groups for tree in _trees(group)))
    if axis is not None and any(isinstance(group, dict) for group in groups):
        raise UsageError("axis is for trees alone: on which axis a pair stands, its metric says")
    from .layout import picture

    options: dict[str, Any] = {"turn": turn, "direction": direction, "width": width, "duration": duration}
    drawn = []
    is_timed = False
    for group in groups:
        if isinstance(group, dict):
            first = next(iter(group.values()))
            is_timed = is_timed or first.axis.needs_times
            heading = _heading(group) if title is None else [title, *_heading(group)[1:]]
            notes = [str(problem) for pair in group.values() for problem in pair.problems]
            drawn.append(
                picture(
                    of_pairs(group),
                    axis=first.axis,
                    heading=heading,
                    notes=list(dict.fromkeys(notes)),
                    description=_described(group),
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
            heading = [] if title is None else [title]
            drawn.append(picture([of_tree(group, kind)], axis=kind, heading=heading, **options))
    if duration is not None and not is_timed:
        raise UsageError("duration is for trees over seconds, and these words have no times")
    return drawn


def latex(*things: Drawable, title: str | None = None, direction: str = "auto") -> str:
    """Trees and pairs as LaTeX, for the package `forest`; the nodes of a pair are coloured and marked.

    `direction` is that of the words, as for `svg`. The words of a discontinuous tree stand in the order of the tree,
    each with its number in the sentence: forest's branches do not cross.

    >>> import treescore
    >>> print(latex(treescore.read("(NP (DT the) (NN cat))")[0]).splitlines()[-2])
    [{NP} [{DT} [{the}]] [{NN} [{cat}]]]
    """
    from .forest import write

    _check_title(title)
    groups = _groups(things)
    check_size(*(tree for group in groups for tree in _trees(group)))
    headings = [_heading(group) if isinstance(group, dict) else [] for group in groups]
    if title is not None:
        headings = [[title, *heading[1:]] for heading in headings]
    return write(groups, headings, direction)


def save(
    path: str | PathLike[str],
    *things: Drawable,
    ppi: float | None = None,
    fonts: str | PathLike[str] | Sequence[str | PathLike[str]] = (),
    **options: Any,
) -> None:
    """Draw into a file: `.svg`, `.pdf`, `.png` or `.tex`.

    Options are those of `svg`; LaTeX code takes only `title`. PDF and PNG need the extra `draw` (the library typst);
    `ppi` is the resolution of a PNG (192 pixels per inch), and `fonts` names folders with further fonts for both. A
    character that no font has becomes an empty box, with a warning.
    """
    from .export import save_as

    save_as(path, things, options, ppi, fonts)


def check_size(*trees: Tree) -> None:
    """An error where trees have more nodes than can be drawn."""
    size = sum(map(_size, trees))
    if size > MOST_NODES:
        raise UsageError(f"at most {MOST_NODES:,} nodes can be drawn, and here are {size:,}; draw a part of the tree")


def check_number(value: object, name: str) -> None:
    """Refuse what is no positive number, nor None."""
    number = isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < float("inf")
    if value is not None and not number:
        raise UsageError(f"{name} must be a positive number, not {value!r}")


def _check_title(title: object) -> None:
    if title is not None and not isinstance(title, str):
        raise UsageError(f"title must be text, not {title!r}")


def _groups(things: Sequence[Drawable]) -> list[Group]:
    """What is drawn together."""
    from collections.abc import Mapping

    from ..analysis.tree_pair import TreePair
    from ..trees import Tree
    from .colours import letters

    if not things or any(isinstance(thing, Mapping) and not thing for thing in things):
        raise UsageError("nothing to draw")
    pairs = [thing for thing in things if isinstance(thing, TreePair)]
    if len(pairs) == len(things) > 1:
        named = dict(zip(letters(len(pairs)), pairs, strict=True))
        if _together(named):
            return [named]
    groups: list[Group] = []
    for thing in things:
        if isinstance(thing, Tree):
            groups.append(thing)
        elif isinstance(thing, Mapping):
            groups += [dict(thing)] if _together(thing) else [{name: pair} for name, pair in thing.items()]
        elif isinstance(thing, TreePair):
            groups.append({"test": thing})
        else:
            raise UsageError(f"only trees and pairs of trees can be drawn, not {type(thing).__name__}")
    return groups


def _together(pairs: Mapping[str, TreePair]) -> bool:
    """Have the pairs one gold tree, at the same places?"""
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


def _heading(pairs: Mapping[str, TreePair]) -> list[str]:
    """The sentence and its scores; the signatures below."""
    from ..analysis.sentences import sentence_name
    from .sides import called

    first = next(iter(pairs.values()))
    sentence = sentence_name(first)
    scores = [
        (f"{first.metric.name} " if len(pairs) == 1 else f"{name} ")
        + ("not scored" if pair.score is None else f"{100 * pair.score:.2f}")
        for (_, name), pair in zip(called(pairs), pairs.values(), strict=True)
    ]
    signatures = dict.fromkeys(pair.signature for pair in pairs.values())
    return [" · ".join(filter(None, [sentence, *scores])), *signatures]


def _described(pairs: Mapping[str, TreePair]) -> str:
    said = []
    for name, pair in pairs.items():
        gold, test = pair.nodes
        aligned = sum(node.mark == "aligned" for node in gold)
        missing = sum(node.mark == "missing" for node in gold)
        extra = sum(node.mark == "extra" for node in test)
        who = "" if len(pairs) == 1 else f"{name}: "
        said.append(f"{who}{number_of(aligned, 'node')} aligned, {missing} missing, {extra} extra.")
    return " ".join(said)


def unasked(thing: Tree | TreePair) -> str | None:
    """A picture for a notebook, or None where it would be too large to be drawn unasked."""
    sizes = sum(_size(tree) for group in _groups([thing]) for tree in _trees(group))
    return svg(thing) if sizes <= MOST_NODES_UNASKED else None
