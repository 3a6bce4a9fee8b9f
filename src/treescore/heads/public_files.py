"""Head tables in the formats of other programs, detected from their content.

>>> rules = read_public("ADJP right % QP JJ\\nVP left VBD **\\n", "t")
>>> print(rules, end="")
*default* (l)
ADJP (r %) (r QP) (r JJ) (r)
VP (l VBD) (l)

>>> print(read_public('info.put("NP", new String[][]{{"rightdis", "NN", "NNS"}, {"left", "NP"}});', "t"), end="")
*default* (l)
*conjunctions* (l CC CONJP)
*skip* (l `` '' , . : -LRB- -RRB- PU)
NP (r NN NNS) (l NP) (l)
"""

from __future__ import annotations

import re
from functools import cached_property

from ..helpers.text import visible
from ..values.problem import InputError, Problem
from .table import HeadTable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import NoReturn

    from .table import Group

#: Words for directions: where the search begins, and how it treats the list of labels: label by label; all labels at
#: once; or all labels but these.
_IN_ORDER, _AT_ONCE, _EXCEPT = "in order", "at once", "except"
_DIRECTIONS = {
    **dict.fromkeys(("left", "left-to-right", "l", "0", "first", "←", "<-"), ("l", _IN_ORDER)),
    **dict.fromkeys(("right", "right-to-left", "r", "1", "last", "→", "->"), ("r", _IN_ORDER)),
    "leftdis": ("l", _AT_ONCE),
    "rightdis": ("r", _AT_ONCE),
    "leftexcept": ("l", _EXCEPT),
    "rightexcept": ("r", _EXCEPT),
}
_LIKE = "like"
_ANY = re.compile(r"\*\*?|\.\*")
_LAST_RESORT: Group = ("l", ())
#: Collins' and OpenNLP's files have no rule for NP, because the programs have this rule built in.
_NP_OF_COLLINS: tuple[Group, ...] = (
    ("r", ("NN", "NNP", "NNPS", "NNS", "NX", "POS", "JJR")),
    ("l", ("NP",)),
    ("r", ("$", "ADJP", "PRN")),
    ("r", ("CD",)),
    ("r", ("JJ", "JJS", "RB", "QP")),
    ("r", ()),
)
#: CoreNLP's head finders do not take punctuation as a last resort, and move the head before a conjunction.
_PUNCTUATION = ("``", "''", ",", ".", ":", "-LRB-", "-RRB-", "PU")
_CONJUNCTIONS = ("CC", "CONJP")

_STRING = r'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\''
_LIST = (
    r"[\[{(]\s*[\"']?(?P<direction>(?:left|right)(?:dis|except)?|first|last)[\"']?"
    rf"(?P<labels>(?:\s*,\s*(?:{_STRING}|[\w$]+))*)\s*,?\s*[\]}})]"
)
_IN_CODE = re.compile(
    rf"(?:(?P<name>\w+)\s*=\s*(?:new\s+\w+\s*\[\s*\]\s*)?)?{_LIST}"
    rf"|(?P<category>{_STRING})\s*(?:,|:|\]|=>)|(?P<other>{_STRING})|(?P<use>\w+)"
)
_COMMENT_IN_CODE = re.compile(rf"(?P<string>{_STRING})|//[^\n]*|/\*.*?\*/|#[^\n]*", re.DOTALL)


def read_public(text: str, name: str) -> HeadTable | None:
    """The table of a file of another program, or None if the format is unknown."""
    for is_format, reader in _FORMATS:
        if is_format(text):
            return reader(text, name).table()
    return None


class _Reader:
    """Rules as they are read, with their lines."""

    #: Comments last until the end of the line.
    comments: tuple[str, ...] = ("#", "%")

    def __init__(self, text: str, name: str) -> None:
        self.text, self.name = text, name
        self.line = 1
        self.rules: dict[str, list[Group]] = {}
        self.default: list[Group] = [_LAST_RESORT]
        self.conjunctions: tuple[str, ...] = ()
        self.skip: list[str] = []
        self.problems: list[Problem] = []

    def table(self) -> HeadTable:
        self.read()
        if not self.rules:
            self.fail("there is no rule in it")
        upper = _as_it_is if any(category != category.lower() for category in self.rules) else str.upper
        rules = {
            upper(category): [(direction, tuple(map(upper, labels))) for direction, labels in groups]
            for category, groups in self.rules.items()
        }
        try:
            return HeadTable(
                {category: _complete(groups) for category, groups in rules.items()},
                self.default,
                conjunctions=self.conjunctions,
                skip=dict.fromkeys(self.skip),
                problems=self.problems,
            )
        except ValueError as error:
            self.fail(str(error))

    def read(self) -> None:
        """Fill the rules."""
        raise NotImplementedError

    def lines(self) -> Iterator[list[str]]:
        """The words of each line that is not a comment. A label is a comment only at the start of a line."""
        for number, line in enumerate(self.text.split("\n"), 1):
            self.line, words = number, line.split()
            if words and not _is_comment(line, self.comments):
                yield words

    def add(self, category: str, direction: str, labels: Iterable[str]) -> None:
        """Add the groups of a direction and its labels to a rule."""
        side, way = _DIRECTIONS[direction]
        given = list(labels)
        groups = self.rules.setdefault(category, [])
        if way == _EXCEPT:
            self.skip += given
            groups.append((side, ()))
        elif way == _AT_ONCE:
            groups.append((side, tuple(given)))
        else:
            groups += [(side, () if _ANY.fullmatch(label) else (label,)) for label in given]
            if not given:
                groups.append((side, ()))

    def warn(self, code: str, message: str, action: str) -> None:
        self.problems.append(Problem(code, message, file=self.name, line=self.line, action=action))

    def fail(self, message: str) -> NoReturn:
        raise InputError(Problem("head-table", message, file=self.name, line=self.line))


def _as_it_is(label: str) -> str:
    return label


def _is_comment(line: str, signs: tuple[str, ...]) -> bool:
    return line.lstrip().startswith(signs)


def _complete(groups: list[Group]) -> list[Group]:
    """The groups up to the first for any label, which is the last direction if there is none."""
    for number, (_, labels) in enumerate(groups, 1):
        if not labels:
            return groups[:number]
    return [*groups, (groups[-1][0], ())]


class _Columns(_Reader):
    """Magerman, Collins, OpenNLP, rparse, disco-dop: CATEGORY DIRECTION LABEL …, perhaps with the number of fields."""

    def read(self) -> None:
        is_counted = False
        for words in self.lines():
            if words[0].isdigit() and len(words) > 2 and words[2] in ("0", "1"):
                is_counted = True
                if int(words[0]) != len(words) - 1:
                    self.fail(f"{words[0]} fields are announced, but there are {len(words) - 1}")
                words = words[1:]
            self._add(words)
        if is_counted and "NP" not in self.rules:
            self.rules["NP"] = list(_NP_OF_COLLINS)
            message = "there is no rule for NP, because programs that read such files have their own"
            self.problems.append(Problem("no-np", message, file=self.name, action="Collins' rule is used"))

    def _add(self, words: list[str]) -> None:
        if len(words) < 2:
            self.fail(f"{visible(words[0])} has no direction; a line is CATEGORY DIRECTION LABEL …")
        category, direction, *labels = words
        if direction == _LIKE:
            if len(labels) != 1 or labels[0] not in self.rules:
                self.fail(f"{visible(category)} is like {visible(' '.join(labels))}, which has no rule above")
            self.rules[category] = list(self.rules[labels[0]])
        elif direction not in _DIRECTIONS:
            known = ", ".join(known for known in _DIRECTIONS if known.isalpha() and len(known) > 1)
            self.fail(f"{visible(direction)} is not a direction; a line is CATEGORY DIRECTION LABEL …, with {known}")
        else:
            self.add(category, direction, labels)


class _Lists(_Reader):
    """Penn2Malt, ClearNLP: CATEGORY, direction, and labels or patterns separated by ; and |.

    Johansson and Nugues (2007): CATEGORY ← LABEL (LABEL | LABEL) PATTERN …
    """

    def read(self) -> None:
        self._patterns: list[tuple[str, int, int]] = []
        for words in self.lines():
            categories, rest = self._categories(words)
            for category in categories:
                self._add(category, rest)

    def _categories(self, words: list[str]) -> tuple[list[str], list[str]]:
        at = next((number for number, word in enumerate(words) if word in _DIRECTIONS and number), None)
        if at is None:
            self.fail("there is no direction; a line is CATEGORY l LABEL;LABEL or CATEGORY ← LABEL …")
        return "".join(words[:at]).split(","), words[at:]

    def _add(self, category: str, words: list[str]) -> None:
        direction, *rest = words
        for item in self._items(direction, " ".join(rest)):
            own, _, labels = item.partition(" ")
            if own in ("l", "r") and labels.strip():
                direction, item = own, labels
            expanded = [label for pattern in re.split(r"[|,\s]+", item) for label in self._expanded(pattern)]
            if expanded or _ANY.fullmatch(item.strip()):
                self.rules.setdefault(category, []).append((_DIRECTIONS[direction][0], tuple(expanded)))

    def _items(self, direction: str, text: str) -> list[str]:
        """The groups: separated by ; or, after an arrow, by spaces outside brackets."""
        if direction.isalpha():
            return [item.strip() for item in text.split(";") if item.strip()] or ["*"]
        return [" ".join(pair).strip().replace(" ", "") for pair in re.findall(r"\(([^()]*)\)|([^\s()]+)", text)]

    def _expanded(self, pattern: str) -> list[str]:
        """The labels that a pattern matches: of the file and of the Penn Treebank."""
        if not pattern or _ANY.fullmatch(pattern):
            return []
        if re.match(r"(\*|\.\*)?-[A-Z]+$", pattern) and pattern not in _TAGS_WITH_HYPHENS:
            self.warn("function", f"{pattern} is a function tag; heads are found by categories alone", "left out")
            return []
        if not re.search(r"[*?+\[^\\]", pattern):
            return [pattern]
        expression = re.sub(r"(?<![.\])])\*", ".*", pattern).replace("$", r"\$").replace("\\\\$", r"\$")
        try:
            matches = re.compile(expression).fullmatch
        except re.error as problem:
            self.fail(f"{visible(pattern)} is not a pattern: {problem}")
        return [label for label in self._known if matches(label)]

    @cached_property
    def _known(self) -> list[str]:
        from .tables import NAMES, get

        plain = re.findall(r"(?<![^\s|;,(])[A-Z][A-Z$]*(?![^\s|;,)])", self.text)
        published = (
            label
            for name in NAMES
            for category, groups in get(name).rules
            for label in (category, *(label for _, labels in groups for label in labels))
        )
        return list(dict.fromkeys([*published, *_OTHER_LABELS.split(), *plain]))


_TAGS_WITH_HYPHENS = ("-LRB-", "-RRB-", "-NONE-")
#: Tags and categories without a place in the built-in tables.
_OTHER_LABELS = "PDT SYM HYPH NFP ADD AFX NML JJP CAC META CODE"


class _Lisp(_Reader):
    """Bikel's parser: ((CATEGORY (l LABEL …) (r)) …), with * as the category of the default."""

    comments = (";",)

    def read(self) -> None:
        tokens = list(self._tokens())
        path: list[list[str]] = []  # the words of each open bracket
        for self.line, token in tokens:
            if token == "(":
                path.append([])
            elif token == ")":
                if not path:
                    self.fail("this bracket closes nothing")
                self._close(path)
            elif path:
                path[-1].append(token)
            else:
                self.fail(f"{visible(token)} is outside the brackets")
        if path:
            self.fail("a bracket is not closed")
        default = self.rules.pop("*", None)
        self.default = _complete(default) if default else self.default

    def _tokens(self) -> Iterator[tuple[int, str]]:
        for number, line in enumerate(self.text.split("\n"), 1):
            for token in re.findall(r"[()]|[^()\s]+", line.partition(";")[0]):
                yield number, token

    def _close(self, path: list[list[str]]) -> None:
        words = path.pop()
        if len(path) == 2:
            if not words or words[0] not in ("l", "r"):
                self.fail("a group starts with its direction, l or r")
            if len(path[-1]) != 1:
                self.fail("a rule is a category and its groups")
            self.rules.setdefault(path[-1][0], []).append((words[0], tuple(words[1:])))
        elif len(path) > 2:
            self.fail("groups do not nest")


class _Code(_Reader):
    """CoreNLP's head finders in Java and their copies in other languages: lists of a direction and labels."""

    def read(self) -> None:
        text = _COMMENT_IN_CODE.sub(_blank, self.text)
        variables: dict[str, tuple[str, list[str]]] = {}
        category: str | None = None
        for match in _IN_CODE.finditer(text):
            self.line = text.count("\n", 0, match.start()) + 1
            if match["direction"]:
                found = match["direction"], _strings(match["labels"])
                if match["name"]:
                    variables[match["name"]] = found
                elif category is not None:
                    self.add(category, *found)
            elif match["use"] in variables and category is not None:
                self.add(category, *variables[match["use"]])
            elif match["category"]:
                (label,) = _strings(match["category"])
                if label not in _DIRECTIONS:
                    category = label
                    self.rules.pop(category, None)  # the last rule for a category counts
        self.skip += _PUNCTUATION
        self.conjunctions = _CONJUNCTIONS if "PU" not in text else ()


def _blank(match: re.Match[str]) -> str:
    """A string, or the line ends of a comment."""
    return match["string"] or "\n" * match[0].count("\n")


def _strings(text: str) -> list[str]:
    """The words in quotes, or without."""
    return [
        re.sub(r"\\(.)", r"\1", quoted[1:-1]) if quoted else word
        for quoted, word in re.findall(rf"({_STRING})|([\w$]+)", text)
    ]


# ---------------------------------------------------------------------------------------------------------------------
# Detection


def _first_words(text: str, comments: tuple[str, ...] = ("#", "%")) -> list[str]:
    return next((line.split() for line in text.split("\n") if line.strip() and not _is_comment(line, comments)), [])


def _is_code(text: str) -> bool:
    return re.search(rf"[\[{{(]\s*[\"'](?:left|right|first|last)|{_LIST}\s*[,}}\]]", text) is not None


def _is_lisp(text: str) -> bool:
    return "".join(_first_words(text, (";",))).startswith("(")


def _has_lists(text: str) -> bool:
    words = _first_words(text)
    if any(arrow in words for arrow in ("←", "→", "<-", "->")):
        return True
    return len(words) > 1 and words[1] in ("l", "r")


def _has_columns(text: str) -> bool:
    words = _first_words(text)
    counted = words[:1] and words[0].isdigit() and len(words) > 2 and words[2] in ("0", "1")
    return bool(counted) or (len(words) > 1 and words[1] in _DIRECTIONS)


_FORMATS: tuple[tuple[Callable[[str], bool], type[_Reader]], ...] = (
    (_is_code, _Code),
    (_is_lisp, _Lisp),
    (_has_lists, _Lists),
    (_has_columns, _Columns),
)
