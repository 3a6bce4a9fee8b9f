"""Trees with another tokenisation: words cut into parts, each of which stands where the word stood.

>>> import treescore
>>> trees = treescore.read("(S (NP (DT the) (NNS cats)) (VP (VBP do) (RB n't) (VB sing)))")
>>> split, counts = split_words(trees, rules("*+s NNS NN+PL\\n"))
>>> print(split[0], counts.total)
(S (NP (DT the) (NN cat) (PL s)) (VP (VBP do) (RB n't) (VB sing))) 1
"""

from __future__ import annotations

import os
import re

from .other_leaves import append
from .problem import UsageError
from .text import decode, encode
from .trees import Treebank
from .values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    #: Parts of a word with their tags.
    Parts: TypeAlias = list[tuple[str, str | None]]
    #: A word and its tag in, its parts out, as text or as text and tag; None, or the word itself, if it stays whole.
    SplitWord: TypeAlias = Callable[[str, str | None], Sequence[str | tuple[str, str | None]] | None]
    Splitter: TypeAlias = str | os.PathLike[str] | SplitWord

#: Rules that come with treescore. They go by letters alone, so that they also cut what only looks like a plural.
BUILT_IN = {
    "hebrew-plural": """\
# Hebrew plural endings, behind at least two letters
??*+ים
??*+ות
"""
}
#: The tag of what is in a tree but never read.
_TRACE = "-NONE-"


class Rule(Value):
    """How words of one kind are cut: `tags` of words that it is for, none for all; `parts` are the tags that they get.

    >>> rule = Rule(text="*+s", pattern="(.*)(s)")
    >>> rule.apply("cats", "NNS"), rule.apply("s", "NNS"), rule.apply("cat", "NN")
    ([('cat', 'NNS'), ('s', 'NNS')], None, None)
    """

    text: str
    pattern: str
    tags: tuple[str, ...]
    parts: tuple[str | None, ...] | None

    __slots__ = ("text", "pattern", "tags", "parts")

    def __init__(
        self, *, text: str, pattern: str, tags: Sequence[str] = (), parts: Sequence[str | None] | None = None
    ) -> None:
        self._store(text=text, pattern=pattern, tags=tuple(tags), parts=None if parts is None else tuple(parts))

    def apply(self, word: str, tag: str | None) -> Parts | None:
        """The parts of a word, with their tags; None if the rule is not for it."""
        if self.tags and tag not in self.tags:
            return None
        found = re.fullmatch(self.pattern, word, re.DOTALL)
        if found is None or not all(found.groups()):
            return None
        tags = self.parts or [None] * len(found.groups())
        return [(part, tag if own is None else own) for part, own in zip(found.groups(), tags, strict=True)]


class Rules(Value):
    """Rules, of which the first that fits a word counts.

    >>> rules("*+es\\n*+s\\n")("boxes", "NNS")
    [('box', 'NNS'), ('es', 'NNS')]
    """

    name: str
    rules: tuple[Rule, ...]

    __slots__ = ("name", "rules")

    def __init__(self, *, name: str, rules: Sequence[Rule]) -> None:
        self._store(name=name, rules=tuple(rules))

    def __call__(self, word: str, tag: str | None) -> Parts | None:
        return self.explained(word, tag)[0]

    def explained(self, word: str, tag: str | None) -> tuple[Parts | None, str | None]:
        """The parts of a word, and the rule that made them."""
        for rule in self.rules:
            parts = rule.apply(word, tag)
            if parts is not None:
                return parts, rule.text
        return None, None


def rules(source: str | bytes | os.PathLike[str]) -> Rules:
    """Rules by the name of what comes with treescore, from a file, or from text with at least one line end.

    >>> rules("hebrew-plural")("ספרים", "NNS")
    [('ספר', 'NNS'), ('ים', 'NNS')]
    """
    from .readers.split_rules import read_rules

    if isinstance(source, str) and source in BUILT_IN:
        return read_rules(encode(BUILT_IN[source]), name=source)
    if isinstance(source, bytes) or (isinstance(source, str) and "\n" in source):
        return read_rules(source if isinstance(source, bytes) else encode(source), name="<text>")
    try:
        with open(source, "rb") as file:
            return read_rules(file.read(), name=os.fspath(source))
    except FileNotFoundError:
        known = ", ".join(BUILT_IN)
        raise UsageError(f"{os.fspath(source)}: no such file, nor rules of that name; there is {known}") from None


class SplitCounts:
    """How many words of trees were cut, and by which rules."""

    def __init__(self) -> None:
        #: Of each tree: its words, and how many of them were cut; traces are none.
        self.words: list[int] = []
        self.split: list[int] = []
        #: How many more words there are than before.
        self.added = 0
        #: By rule: how often it was used, and for which words; None for a function.
        self.by_rule: dict[str | None, dict[str, int]] = {}

    @property
    def total(self) -> int:
        """How many words were cut."""
        return sum(self.split)


def split_words(trees: Treebank, splitter: Splitter) -> tuple[Treebank, SplitCounts]:
    """The same trees with words cut in parts, each under the parent of the word, and what was cut.

    `splitter` is the name of built-in rules, a file of rules, or a function from a word and its tag to its parts. A
    part has the tag of the word unless the splitter gives it one. Traces stay whole. Where words have times, their
    parts share them by their characters.

    >>> import treescore
    >>> def letters(word, tag):
    ...     return list(word)
    >>> split, _ = split_words(treescore.read("(NP (DT a) (NN cat))"), letters)
    >>> print(split[0])
    (NP (DT a) (NN c) (NN a) (NN t))
    """
    from . import _core

    explained = _Explained(splitter)
    native, names, shown = trees.native, trees.native.names(0), trees.names()
    builder = _core.TreeBuilder()
    counts = SplitCounts()
    for index in range(len(trees)):
        leaves = native.leaves(index)
        parts: list[Parts | None] = []
        read = 0
        for tag, _, word in leaves:
            own = None if tag == _core.NO_TAG else shown[tag]
            if own == _TRACE:
                parts.append(None)
                continue
            read += 1
            found, rule = explained(decode(word), own)
            parts.append(found)
            if found is not None:
                counts.added += len(found) - 1
                cut = counts.by_rule.setdefault(rule, {})
                key = "+".join(part for part, _ in found)
                cut[key] = cut.get(key, 0) + 1
        counts.words.append(read)
        counts.split.append(sum(found is not None for found in parts))
        if not counts.split[-1]:
            builder.extend(native.slice(index, index + 1))
            continue
        times: Sequence[tuple[float, float] | None] = native.times(index) or [None] * len(leaves)
        append(
            builder,
            native,
            index,
            names,
            [
                [(word, time)] if found is None else _timed([part for part, _ in found], time)
                for (_, _, word), time, found in zip(leaves, times, parts, strict=True)
            ],
            tags=[
                [None if tag == _core.NO_TAG else names[tag]]
                if found is None
                else [None if own is None else encode(own) for _, own in found]
                for (tag, _, _), found in zip(leaves, parts, strict=True)
            ],
        )
    return trees.with_trees(builder.trees()), counts


def _timed(parts: Sequence[str], time: tuple[float, float] | None) -> list[tuple[bytes, tuple[float, float] | None]]:
    """Parts of a word with their shares of its time."""
    if time is None:
        return [(encode(part), None) for part in parts]
    start, end = time
    total = sum(map(len, parts))
    made: list[tuple[bytes, tuple[float, float] | None]] = []
    done, begin = 0, start
    for part in parts:
        done += len(part)
        until = end if done == total else start + (end - start) * done / total
        made.append((encode(part), (begin, until)))
        begin = until
    return made


class _Explained:
    """A splitter that is asked once for each word and tag, and whose answers are checked."""

    def __init__(self, splitter: Splitter) -> None:
        self._known: dict[tuple[str, str | None], tuple[Parts | None, str | None]] = {}
        self._ask: Callable[[str, str | None], tuple[Parts | None, str | None]]
        if isinstance(splitter, str | os.PathLike):
            splitter = rules(splitter)
        if isinstance(splitter, Rules):
            self._ask = splitter.explained
        elif callable(splitter):
            given = splitter
            self._ask = lambda word, tag: (_checked(given(word, tag), word, tag), None)
        else:
            raise UsageError(
                f"a splitter is a name, a file of rules or a function from a word and its tag to its parts, "
                f"not {splitter!r}"
            )

    def __call__(self, word: str, tag: str | None) -> tuple[Parts | None, str | None]:
        key = word, tag
        if key not in self._known:
            self._known[key] = self._ask(word, tag)
        return self._known[key]


def _checked(answer: object, word: str, tag: str | None) -> Parts | None:
    """The parts that a function gave; None if the word stays whole."""
    if answer is None:
        return None
    wanted = f"a splitter must give the parts of {word!r} as a list of texts, or of pairs of text and tag"
    if not isinstance(answer, list | tuple):
        raise UsageError(f"{wanted}, not {answer!r}")
    parts: Parts = []
    for part in answer:
        pair = (part, tag) if isinstance(part, str) else part
        if not isinstance(pair, tuple) or len(pair) != 2 or not isinstance(pair[0], str) or not pair[0]:
            raise UsageError(f"{wanted}, none of which is empty, not {answer!r}")
        if pair[1] is not None and not isinstance(pair[1], str):
            raise UsageError(f"{wanted}, not {answer!r}")
        parts.append(pair)
    if not parts:
        raise UsageError(f"{wanted}, not {answer!r}")
    if len(parts) > 1:
        return parts
    if parts[0] != (word, tag):
        raise UsageError(f"a splitter cuts words and does nothing else to them: one part of {word!r} must be the word")
    return None
