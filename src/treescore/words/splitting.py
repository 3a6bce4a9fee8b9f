"""Trees with another tokenisation: words split into parts, which replace the word in the tree.

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
from ..helpers.text import decode, encode, number_of, visible
from ..helpers.text_files import read_text_file
from ..trees import Treebank
from ..values.problem import InputError, Problem, UsageError
from ..values.value import Value
from .other_leaves import TRACE, append

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import NoReturn, TypeAlias

    Interval: TypeAlias = tuple[float, float]
    #: Parts of a word with their tags.
    Parts: TypeAlias = list[tuple[str, str | None]]
    #: From a word and its tag to its parts, as text or as text and tag; None or the word itself for no split.
    SplitWord: TypeAlias = Callable[[str, str | None], Sequence[str | tuple[str, str | None]] | None]
    Splitter: TypeAlias = str | os.PathLike[str] | SplitWord

#: The rules included in treescore. They consider only letters, so they also split words that merely look like plurals.
BUILT_IN = {
    "hebrew-plural": """\
# Hebrew plural endings, after at least two letters
??*+ים
??*+ות
"""
}
#: Characters that cannot be in a word or tag of a bracketed tree.
_BREAKS = re.compile(r"[ \t\n\r\v\f()]")
#: The tag of traces.
_TRACE = TRACE.decode()


_FORM = "a line is PATTERN [TAGS [PARTS]], for instance: *+s NNS NN+PL"
#: Special tags: any tag; the tag of the word.
_ANY, _SAME = "*", "="


class Rule(Value):
    """A rule for words with one of the `tags`, empty for all words; `parts` are the tags of the parts.

    >>> rule = Rule(text="*+s", pattern="(.*)(s)")
    >>> rule.apply("cats", "NNS"), rule.apply("s", "NNS"), rule.apply("cat", "NN")
    ([('cat', 'NNS'), ('s', 'NNS')], None, None)
    """

    text: str
    pattern: str
    tags: tuple[str, ...] = ()
    parts: tuple[str | None, ...] | None = None

    def apply(self, word: str, tag: str | None) -> Parts | None:
        """The parts of a word, with their tags; None if the rule does not apply."""
        if self.tags and tag not in self.tags:
            return None
        match = re.fullmatch(self.pattern, word, re.DOTALL)
        if match is None or not all(match.groups()):
            return None
        tags = self.parts or [None] * len(match.groups())
        return [(part, tag if own is None else own) for part, own in zip(match.groups(), tags, strict=True)]


class Rules(Value):
    """Rules, of which the first that matches a word is applied.

    >>> rules("*+es\\n*+s\\n")("boxes", "NNS")
    [('box', 'NNS'), ('es', 'NNS')]
    """

    name: str
    rules: tuple[Rule, ...]

    def __call__(self, word: str, tag: str | None) -> Parts | None:
        return self.explained(word, tag)[0]

    def explained(self, word: str, tag: str | None) -> tuple[Parts | None, str | None]:
        """The parts of a word, and the rule that was applied."""
        for rule in self.rules:
            parts = rule.apply(word, tag)
            if parts is not None:
                return parts, rule.text
        return None, None


def rules(source: str | bytes | os.PathLike[str]) -> Rules:
    """Rules by the name of built-in rules, from a file, or from a string with at least one line end.

    >>> rules("hebrew-plural")("ספרים", "NNS")
    [('ספר', 'NNS'), ('ים', 'NNS')]
    """
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


def read_rules(data: bytes, name: str | None = None) -> Rules:
    """The rules of a file: one pattern per line, optionally with tags.

    >>> for rule in read_rules(b"*+s  NNS  NN+PL  # plural\\n").rules:
    ...     print(rule.text, rule.tags, rule.parts)
    *+s ('NNS',) ('NN', 'PL')
    """
    return _Reader(name or "<text>").rules(decode(data).removeprefix("\ufeff"))


class _Reader:
    def __init__(self, name: str) -> None:
        self.name = name
        self.line = 0

    def rules(self, text: str) -> Rules:
        rules = []
        for self.line, line in enumerate(text.split("\n"), 1):
            fields = [(match.group(), match.start()) for match in re.finditer(r"[^ \t\r]+", line)]
            for index, (field, _) in enumerate(fields):
                if field.startswith("#"):
                    del fields[index:]
                    break
            if fields:
                rules.append(self._rule(fields))
        if not rules:
            raise InputError(Problem("split-rules", f"there are no rules in it; {_FORM}", file=self.name))
        return Rules(name=self.name, rules=tuple(rules))

    def _rule(self, fields: list[tuple[str, int]]) -> Rule:
        if len(fields) > 3:
            self._fail(f"more than three columns; {_FORM}", fields[3][1])
        pattern, cuts = self._pattern(*fields[0])
        tags: tuple[str, ...] = ()
        if len(fields) > 1 and fields[1][0] != _ANY:
            tags = tuple(fields[1][0].split(","))
            if not all(tags):
                self._fail("a tag is missing; several are separated by commas, * is any", fields[1][1])
        parts: tuple[str | None, ...] | None = None
        if len(fields) > 2:
            given = fields[2][0].split("+")
            if len(given) != cuts + 1:
                wrong = f"{number_of(len(given), 'tag')} for {cuts + 1} parts"
                self._fail(f"{wrong}; one for each with + between, = is that of the word", fields[2][1])
            if not all(given):
                self._fail("the tag of a part is missing; = is that of the word", fields[2][1])
            if not all(map(can_be_written, given)):
                self._fail("a tag with a bracket in it cannot stand in a tree", fields[2][1])
            parts = tuple(None if tag == _SAME else tag for tag in given)
        return Rule(text=fields[0][0], pattern=pattern, tags=tags, parts=parts)

    def _pattern(self, field: str, begin: int) -> tuple[str, int]:
        """The pattern as a regular expression with a group for each part, and its number of cuts."""
        expression = ["("]
        cuts, has_star, is_empty = 0, False, True
        index = 0
        while index < len(field):
            character = field[index]
            if character == "+":
                if is_empty or index + 1 == len(field):
                    self._fail("nothing stands on one side of this cut; a plus sign itself is \\+", begin + index)
                expression.append(")(")
                cuts += 1
                is_empty = True
            else:
                is_empty = False
                if character == "*" and has_star:
                    self._fail("a second *, so that the rule could fit in two ways", begin + index)
                if character == "\\":
                    index += 1
                    if index == len(field):
                        self._fail("a backslash with nothing behind it", begin + index - 1)
                has_star = has_star or character == "*"
                wild = {"*": ".*", "?": "."}
                expression.append(wild.get(character) or re.escape(field[index]))
            index += 1
        if not cuts:
            self._fail(f"the pattern {visible(field)} has no +, so that nothing would be cut; {_FORM}", begin)
        return "".join([*expression, ")"]), cuts

    def _fail(self, message: str, at: int) -> NoReturn:
        raise InputError(Problem("split-rules", message, file=self.name, line=self.line, column=at + 1))


class SplitCounts:
    """The numbers of words that were split, by tree and by rule."""

    def __init__(self) -> None:
        #: By tree: the numbers of words without traces, and of split words.
        self.words: list[int] = []
        self.split: list[int] = []
        #: The number of additional words.
        self.added = 0
        #: By rule, None for a function: the words that it split, with + at the cuts, and their frequencies.
        self.by_rule: dict[str | None, dict[str, int]] = {}

    @property
    def total(self) -> int:
        """The number of split words."""
        return sum(self.split)

    def _add(self, parts: Parts, rule: str | None) -> None:
        cut = self.by_rule.setdefault(rule, {})
        text = "+".join(part for part, _ in parts)
        cut[text] = cut.get(text, 0) + 1
        self.added += len(parts) - 1


def split_words(trees: Treebank, splitter: Splitter) -> tuple[Treebank, SplitCounts]:
    """Split the words of trees into parts, each with the parent of the word, and count the splits.

    `splitter` is the name of built-in rules, a file of rules, or a function from a word and its tag to its parts. A
    part has the tag of the word unless the splitter returns one. Traces are not split, nor are words outside of
    phrases, whose parts would be separate trees: they are a problem. Parts share the time of their word by characters.

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
        replacements: list[Parts] = []
        read = cut = 0
        for number, parent, raw in native.leaves(index):
            word, tag = decode(raw), None if number == _core.NO_TAG else names[number]
            read += tag != _TRACE
            parts, rule = explained(word, tag) if tag != _TRACE else (None, None)
            if parts is not None and parent < 0:
                message = f"the word {visible(word)!r} is outside of all phrases, so its parts would be separate trees"
                problems.append(trees.problem(index, "split", message, "not split"))
                parts = None
            if parts is not None:
                counts._add(parts, rule)
                cut += 1
            replacements.append(parts or [(word, tag)])
        counts.words.append(read)
        counts.split.append(cut)
        if not counts.split[-1]:
            builder.extend(native.slice(index, index + 1))
            continue
        times: Sequence[Interval | None] = native.times(index) or [None] * len(replacements)
        append(
            builder,
            native,
            index,
            raw_names,
            [_timed([part for part, _ in own], time) for own, time in zip(replacements, times, strict=True)],
            tags=[[None if tag is None else encode(tag) for _, tag in own] for own in replacements],
        )
    return trees.with_trees(builder.trees(), problems), counts


def can_be_written(text: str) -> bool:
    """Can this be a word or a tag in a bracketed tree?

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
    """A splitter with checked and cached results."""

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
    """The checked parts that a function returned; None for no split."""
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
