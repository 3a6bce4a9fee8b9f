"""Trees with times as JSON lines of nested lists.

>>> import treescore
>>> tree = treescore.Tree.from_nested(["NP", [["DT", 0.15, 0.39, "the"], ["NN", 0.39, 0.8]]])
>>> jsonl_line(tree, "u1")
'{"id": "u1", "tree": ["NP", [["DT", 0.15, 0.39, "the"], ["NN", 0.39, 0.8]]]}'
"""

from __future__ import annotations

from json import dumps

from ..readers.nested import span_word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..trees import Tree


def jsonl_line(tree: Tree, id: str | None = None) -> str:
    """A tree as one line of JSON, without a line break; null where there are no words, or no times.

    Several trees in one sentence stand under a phrase without a label. Phrases without words are left out.
    """
    name = "" if id is None else f'"id": {dumps(id, ensure_ascii=False)}, '
    return f'{{{name}"tree": {_nested(tree)}}}'


def _nested(tree: Tree) -> str:
    """The tree as text; json would give up at a few thousand levels."""
    times = tree.times
    if not times:
        return "null"
    words = tree.pos()
    phrases, top = tree.structure()
    if len(top) > 1 or (top[0] < 0 and words[0][1] is None):
        phrases, top = [*phrases, ("", top)], [len(phrases)]
    empty = _without_words(phrases)
    out: list[str] = []
    waiting: list[int | str] = [top[0]]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            out.append(item)
        elif item < 0:
            word, tag = words[~item]
            start, end = times[~item]
            shown = [tag, start, end] if word == span_word(start, end) else [tag, start, end, word]
            out.append(dumps(shown, ensure_ascii=False))
        else:
            label, children = phrases[item]
            out.append(f"[{dumps(label, ensure_ascii=False)}, [")
            below: list[int | str] = []
            for child in children:
                if child < 0 or not empty[child]:
                    below += [", ", child] if below else [child]
            waiting += ["]]", *reversed(below)]
    return "".join(out)


def _without_words(phrases: list[tuple[str, list[int]]]) -> list[bool]:
    empty = [True] * len(phrases)
    for number in range(len(phrases) - 1, -1, -1):  # phrases stand before those below them
        empty[number] = all(child >= 0 and empty[child] for child in phrases[number][1])
    return empty
