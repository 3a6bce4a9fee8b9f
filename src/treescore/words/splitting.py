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

from .. import _core
from ..helpers.text import decode, encode, visible
from ..helpers.text_files import read_text_file
from ..trees import Treebank
from ..values.problem import UsageError
from ..values.value import Value
from .other_leaves import append

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    Interval: TypeAlias = tuple[float, float]
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
#: What cannot stand in a word or a tag: it would not be read back.
_BREAKS = re.compile(r"[ \t\n\r\v\f()]")
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
    from .split_rules import read_rules

    if isinstance(source, str) and source in BUILT_IN:
        return read_rules(encode(BUILT_IN[source]), name=source)
    if isinstance(source, bytes) or (isinstance(source, str) and "\n" in source):
        return read_rules(source if isinstance(source, bytes) else encode(source), name="<text>")
    path = os.fspath(source)
    try:
        return read_rules(read_text_file(path), name=path)
    except FileNotFoundError:
        known = ", ".join(BUILT_IN)
        raise UsageError(f"{path}: no such file, nor rules of that name; there is {known}") from None


class SplitCounts:
    """How many words of trees were cut, and by which rules."""

    def __init__(self) -> None:
        #: Of each tree: its words, and how many of them were cut; traces are none.
        self.words: list[int] = []
        self.split: list[int] = []
        #: How many more words there are than before.
        self.added = 0
        #: By rule, None for a function: the words that it cut, with + at the cuts, and how often.
        self.by_rule: dict[str | None, dict[str, int]] = {}

    @property
    def total(self) -> int:
        """How many words were cut."""
        return sum(self.split)

    def _add(self, parts: Parts, rule: str | None) -> None:
        cut = self.by_rule.setdefault(rule, {})
        text = "+".join(part for part, _ in parts)
        cut[text] = cut.get(text, 0) + 1
        self.added += len(parts) - 1


def split_words(trees: Treebank, splitter: Splitter) -> tuple[Treebank, SplitCounts]:
    """The same trees with words cut in parts, each under the parent of the word, and what was cut.

    `splitter` is the name of built-in rules, a file of rules, or a function from a word and its tag to its parts. A
    part has the tag of the word unless the splitter gives it one. Traces stay whole, and so do words under no phrase,
    whose parts would be several trees: that is a problem. Where words have times, their parts share them by their
    characters.

    >>> import treescore
    >>> def letters(word, tag):
    ...     return list(word)
    >>> split, _ = split_words(treescore.read("(NP (DT a) (NN cat))"), letters)
    >>> print(split[0])
    (NP (DT a) (NN c) (NN a) (NN t))
    """
    explained = _Explained(splitter)
    native, names, raw_names = trees.native, trees.names(), trees.native.names(0)
    builder = _core.TreeBuilder()
    counts = SplitCounts()
    problems = []
    for index in range(len(trees)):
        whole: list[Parts] = []
        read = cut = 0
        for number, parent, raw in native.leaves(index):
            word, tag = decode(raw), None if number == _core.NO_TAG else names[number]
            read += tag != _TRACE
            found, rule = explained(word, tag) if tag != _TRACE else (None, None)
            if found is not None and parent < 0:
                message = f"the word {visible(word)!r} stands under no phrase, and its parts would be several trees"
                problems.append(trees.problem(index, "split", message, "left whole"))
                found = None
            if found is not None:
                counts._add(found, rule)
                cut += 1
            whole.append(found or [(word, tag)])
        counts.words.append(read)
        counts.split.append(cut)
        if not counts.split[-1]:
            builder.extend(native.slice(index, index + 1))
            continue
        times: Sequence[Interval | None] = native.times(index) or [None] * len(whole)
        append(
            builder,
            native,
            index,
            raw_names,
            [_timed([part for part, _ in own], time) for own, time in zip(whole, times, strict=True)],
            tags=[[None if tag is None else encode(tag) for _, tag in own] for own in whole],
        )
    return trees.with_trees(builder.trees(), problems), counts


def can_be_written(text: str) -> bool:
    """Is this a word or a tag that reads back as it is written?

    >>> can_be_written("-LRB-"), can_be_written("("), can_be_written("a b"), can_be_written("")
    (True, False, False, False)
    """
    return bool(text) and _BREAKS.search(text) is None


def _timed(parts: Sequence[str], time: Interval | None) -> list[tuple[bytes, Interval | None]]:
    """Parts of a word with their shares of its time."""
    shared: Sequence[Interval | None] | None = None
    if time is not None and len(parts) > 1:
        shared = _core.share_time([time], [len(part) for part in parts])
    return list(zip(map(encode, parts), shared or [time] * len(parts), strict=True))


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
    for text in (text for pair in parts for text in pair if text is not None):
        if not can_be_written(text) and text not in (word, tag):
            raise UsageError(f"{wanted}, without spaces and brackets, which no word or tag can have; not {answer!r}")
    if len(parts) > 1:
        return parts
    if parts[0] != (word, tag):
        raise UsageError(f"a splitter cuts words and does nothing else to them: one part of {word!r} must be the word")
    return None
