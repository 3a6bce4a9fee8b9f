"""What is deleted, what counts as equal, which brackets count: all policy of bracket scoring, as values.

>>> recipe = Recipe(delete=["TOP"], equal=[("ADVP", "PRT")])
>>> recipe.cut_label("NP-SBJ"), recipe.counts_label("NP-SBJ"), recipe.counts_label("TOP")
('NP', True, False)
>>> recipe.replace(labels=False) == recipe
False
"""

from __future__ import annotations

from .helpers.named import value_of
from .helpers.text import decode, encode
from .values.option import Characters, Choice, Flag, Option, Pairs, Texts, WholeNumber
from .values.signature_text import SignatureError
from .values.suggestions import suggestion
from .values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from . import _core

OUTER_LABELS = ("", "TOP", "ROOT", "S1", "VROOT")

#: A compiler that has seen more names begins anew.
MOST_NAMES = 100_000


class Steps(Option):
    """An option that is how the text of words is made comparable."""

    kind = "`none`, or steps joined by +"

    def checked(self, value: Any) -> str:
        if value == "none":
            return "none"
        from .words.normal import Normal

        try:
            return str(Normal.parse(str(value)))
        except ValueError as problem:
            raise SignatureError(f"{self.name}: {problem}") from None

    def sentence(self, value: Any) -> str:
        from .words.normal import Normal

        return Normal.parse(value).in_words()


LABELS = Flag(
    "labels",
    True,
    choices={"yes": "labels must agree", "no": "labels are ignored, only spans count"},
    is_always_written=True,
)
DELETE = Texts("delete", (), "labels and tags to leave out: {}")
DELETE_WORDS = Flag(
    "delete-words",
    True,
    choices={
        "yes": "words with a listed tag are deleted before spans are numbered",
        "no": "the list deletes no words, only brackets",
    },
)
KEEP = Texts(
    "keep",
    (),
    "words with any tag other than these are deleted and do not count in the sentence length: {}",
    expects="a list of tags",
    unset="words with any tag are kept unless they are listed",
)
DELETE_BY = Choice(
    "delete-by",
    "own",
    choices={
        "own": "words are deleted by the tags of their own side",
        "gold": "words are deleted by the gold tags on both sides, if both have the same number of words",
    },
)
DELETE_TAGS = Choice(
    "delete-tags",
    "whole",
    choices={
        "whole": "whole tags decide which words are deleted",
        "cut": "tags are cut like labels before they decide which words are deleted",
    },
)
DELETE_PHRASES = Texts(
    "delete-phrases",
    (),
    "phrases that are deleted with all their words, which do not count in the sentence length: {}",
)
DELETE_FORMS = Texts("delete-forms", (), "words that are deleted whatever their tags: {}", expects="a list of words")
ONLY = Choice(
    "only",
    "all",
    choices={
        "all": "continuous and discontinuous phrases count",
        "discontinuous": "only discontinuous phrases count",
    },
)
LENGTH_IGNORES = Texts("length-ignores", (), "tags of words that do not count in the sentence length: {}")
QUOTES = Texts("quotes", (), "quotation marks with these tags are put back if only one side deletes them: {}")
EQUAL = Pairs("equal", (), "labels that count as equal: {}")
EQUAL_WORDS = Pairs("equal-words", (), "words that count as equal: {}")
TEXT = Steps("text", "none", "normalisation of words for comparison")
WORDS = Choice(
    "words",
    "same",
    choices={
        "same": "sentences whose words differ fail",
        "any": "words are not compared, only their number",
        "aligned": "gold brackets are compared at the positions of the aligned test words; "
        "if a side has a single word, there are no brackets",
    },
)
LENGTHS = Choice(
    "lengths",
    "same",
    choices={
        "same": "sentences fail if different numbers of words are left",
        "counted": "sentences fail if their lengths before deletion differ, whatever words are left",
        "any": "sentences are scored whatever their numbers of words; a side without words has no brackets",
    },
)
CUT = Characters("cut", "-=", "labels are cut at the first of {}", unset="labels are compared whole")
CUT_START = Choice(
    "cut-start",
    "yes",
    choices={
        "yes": "a label may be cut at its first character",
        "no": "a label is never cut at its first character",
        "paired": "a label is cut neither at its first character nor at the next one equal to it, as in -LRB-",
    },
)
CUT_TAGS = Flag("cut-tags", False, choices={"yes": "tags are cut like labels", "no": "tags are compared whole"})
CUT_DELETE = Flag(
    "cut-delete",
    False,
    choices={"yes": "the list in delete is cut like labels", "no": "the list in delete is taken as written"},
)
LEAST_WIDTH = WholeNumber(
    "least-width", 1, "brackets over fewer than {} words do not count", unset="brackets over a single word count"
)
LEAST_WORDS = WholeNumber(
    "least-words", 0, "sentences of fewer than {} words are left out", unset="sentences of any length count"
)
SHORTEST = WholeNumber(
    "shortest",
    0,
    "sentences shorter than {} words before deletion are left out",
    unset="short sentences count like others",
)
LONGEST = WholeNumber(
    "longest", None, "sentences longer than {} words are left out", unset="long sentences count like others"
)
OUTER = Choice(
    "outer",
    "counted",
    choices={
        "counted": "outer brackets count unless their label is listed",
        "ignored": "outer brackets do not count (no label, TOP, ROOT, S1 or VROOT)",
        "unwrapped": "an outer bracket without a label around a single phrase does not count",
    },
)
ROOT = Choice(
    "root",
    "keep",
    choices={
        "keep": "the bracket over the whole sentence counts like any other",
        "drop-whole": "brackets over the whole sentence do not count",
        "drop-outermost": "the outermost bracket does not count; other brackets over the whole sentence do",
    },
)
DUPLICATES = Choice(
    "duplicates",
    "keep",
    choices={
        "keep": "equal brackets count as often as they occur",
        "drop": "equal brackets count once",
        "once": "equal brackets match once, but count as often as they occur",
        "members": "in the corpus figure each occurrence of a bracket matches if the other side has the bracket",
    },
)
LABEL_ROOT = Choice(
    "label-root",
    "as-root",
    choices={
        "as-root": "a table by label has the brackets that F1 has",
        "keep": "a table by label also has the brackets over the whole sentence",
    },
)
LABEL_DUPLICATES = Choice(
    "label-duplicates",
    "as-duplicates",
    choices={
        "as-duplicates": "equal brackets count in a table by label as in F1",
        "members": "in a table by label each occurrence of a bracket matches if the other side has the bracket",
    },
)
EMPTY = Choice(
    "empty",
    "undefined",
    choices={
        "undefined": "a sentence without brackets has no sentence F1",
        "perfect": "a sentence without gold brackets has recall 1, and F1 1 if test has no brackets either",
        "zero": "a sentence without brackets has F1 0 and is not an exact match",
    },
)
UNDEFINED = Choice(
    "undefined",
    "none",
    choices={
        "none": "a figure with denominator 0 is undefined",
        "zero": "a figure with denominator 0 is 0",
        "zero-shares": "with denominator 0, precision, recall, exact match and tag accuracy are 0, and F1 is undefined",
        "either": "F1 is undefined if precision or recall is undefined",
    },
)
AVERAGE = Choice(
    "average",
    "corpus",
    choices={
        "corpus": "the score is computed from the counts of the whole corpus",
        "sentence": "the score is the mean of the sentence scores",
    },
)

#: All of them in the order in which they are declared, which is their order in signatures.
RECIPE_OPTIONS = tuple(option for option in list(vars().values()) if isinstance(option, Option))
#: What only the commands that print what EVALB prints can change.
_EVALB_OPTIONS = (Flag("overlook-length", False), Flag("count-faulty", False))


def recipe_options(*names: str) -> tuple[Option, ...]:
    """The options with these names, in the order in which signatures contain them.

    >>> [option.name for option in recipe_options("outer", "delete")]
    ['delete', 'outer']
    """
    return tuple(option for option in RECIPE_OPTIONS if option.name in names)


class Recipe(Value):
    """The policy of one bracket score: a value for each of `RECIPE_OPTIONS`, given by keyword.

    >>> Recipe(delete=("TOP",), labels=False).delete
    ('TOP',)
    """

    labels: bool
    delete: tuple[str, ...]
    delete_words: bool
    keep: tuple[str, ...]
    delete_by: str
    delete_tags: str
    delete_phrases: tuple[str, ...]
    delete_forms: tuple[str, ...]
    only: str
    length_ignores: tuple[str, ...]
    quotes: tuple[str, ...]
    equal: tuple[tuple[str, str], ...]
    equal_words: tuple[tuple[str, str], ...]
    text: str
    words: str
    lengths: str
    cut: str
    cut_start: str
    cut_tags: bool
    cut_delete: bool
    least_width: int
    least_words: int
    shortest: int
    longest: int | None
    outer: str
    root: str
    duplicates: str
    label_root: str
    label_duplicates: str
    empty: str
    undefined: str
    average: str
    overlook_length: bool
    count_faulty: bool

    def __init__(self, **given: Any) -> None:
        unknown = given.keys() - set(self.__slots__)
        if unknown:
            name = min(unknown)
            raise SignatureError(f"a recipe has no option {name!r}; {suggestion(name, self.__slots__)}")
        for option in (*RECIPE_OPTIONS, *_EVALB_OPTIONS):
            name = option.argument
            self._store(**{name: option.check(given[name]) if name in given else option.default})
        if (self.duplicates != "keep" or self.label_duplicates == "members") and not self.has_classes():
            raise SignatureError("if equal brackets count once, equal:A=B+B=C needs A=C too")

    def __repr__(self) -> str:
        plain = Recipe().values()
        changed = [f"{name}={value!r}" for name, value in self.values().items() if value != plain[name]]
        return f"Recipe({', '.join(changed)})"

    def cut_label(self, label: str) -> str:
        """The label up to the first character at which labels are cut."""
        first = 0 if self.cut_start == "yes" else 1
        spared = label.find(label[0], 1) if label and self.cut_start == "paired" and label[0] in self.cut else -1
        for place, character in enumerate(label[first:], first):
            if character in self.cut and place != spared:
                return label[:place]
        return label

    def left_out(self) -> set[str]:
        """The labels, already cut, of phrases that do not count: those listed and what counts as equal to them."""
        listed = {self.cut_label(label) for label in self.delete} if self.cut_delete else set(self.delete)
        pairs = self.equal
        return listed | {b for a, b in pairs if a in listed} | {a for a, b in pairs if b in listed}

    def deletes_tag(self, tag: str) -> bool:
        """Are words with this tag deleted?

        >>> Recipe(delete=["NN"], keep=["NN", "VB"]).deletes_tag("VB"), Recipe(keep=["VB"]).deletes_tag(".")
        (False, True)
        """
        name = self.looked_up(tag)
        return (
            (self.delete_words and name in self.delete)
            or (bool(self.keep) and name not in self.keep)
            or name in self.delete_phrases
        )

    def looked_up(self, tag: str) -> str:
        """What is looked up for a tag in the lists of tags."""
        return self.cut_label(tag) if self.delete_tags == "cut" else tag

    def counts_label(self, label: str) -> bool:
        """Does a phrase with this label count?"""
        return self.cut_label(label) not in self.left_out() and not self.ignores_outer(label)

    def ignores_outer(self, label: str) -> bool:
        """Is it the label of an outer bracket, and are those ignored?"""
        return self.outer == "ignored" and label in OUTER_LABELS

    def keeps_outermost(self) -> bool:
        """Do the outermost brackets count like all others, however often they occur?"""
        return self.root == "keep" and self.duplicates in ("keep", "once")

    def word_texts(self, words: Iterable[bytes]) -> list[tuple[bytes, bytes]]:
        """Those of the words that are not compared as they are written, each with the text as which it is compared.

        >>> Recipe(text="escapes").word_texts([b"[", b"-LSB-"])
        [(b'-LSB-', b'[')]
        """
        from .words.normal import Normal

        normal = Normal.parse(self.text)
        texts = ((word, encode(normal.word(decode(word)))) for word in words)
        return [(word, text) for word, text in texts if word != text]

    def equal_texts(self) -> list[tuple[bytes, bytes]]:
        """The equal words as they are compared."""
        words = list(dict.fromkeys(encode(word) for pair in self.equal_words for word in pair))
        texts = {word: word for word in words} | dict(self.word_texts(words) if self.text != "none" else ())
        return [(texts[encode(a)], texts[encode(b)]) for a, b in self.equal_words]

    def has_classes(self) -> bool:
        """Are equal labels transitive, so that each label belongs to one class?"""
        return _classes(self.equal) is not None

    def compile(self, gold: _core.Trees, test: _core.Trees) -> Compiled:
        """The recipe as tables over the names of labels and tags of both sides, for the native engine."""
        return Compiler(self).compile(gold, test)


class Compiler:
    """Compiles a recipe for one pair of treebanks after the other, and remembers the names that it has seen.

    What it compiles does not depend on the pairs before. Several threads may use it. A pickled one remembers nothing.

    >>> import treescore
    >>> bank = treescore.read("(S (NP-SBJ (NN a)))").native
    >>> Compiler(Recipe()).compile(bank, bank).labels
    ['S', 'NP', 'NN']
    """

    def __init__(self, recipe: Recipe, *, tags_are_labels: bool = False, outer_counts: bool = True) -> None:
        self.recipe = recipe
        self.tags_are_labels = tags_are_labels
        #: Does it matter which label an outer bracket has?
        self.outer_counts = outer_counts
        self.classes = _classes(recipe.equal)
        self._left_out = recipe.left_out()
        self._known = self._nothing_known()
        self._options: _core.ParsevalRules | None = None

    def compile(self, gold: _core.Trees, test: _core.Trees) -> Compiled:
        """The recipe as tables over the names of labels and tags of both sides, for the native engine."""
        known = self._known
        if len(known) > MOST_NAMES:
            known = self._known = self._nothing_known()
        names = known.pair(gold, test)
        while names is None:
            self._learn(known, known.unknown(gold, test))
            names = known.pair(gold, test)
        return Compiled(self, names)

    def _nothing_known(self) -> _core.KnownNames:
        from . import _core

        outer = list(OUTER_LABELS) if self.outer_counts and self.recipe.keeps_outermost() else []
        if self.recipe.outer == "unwrapped":
            outer = [label for label in outer if label]
        return _core.KnownNames(self.tags_are_labels, self.recipe.labels, outer)

    def _learn(self, known: _core.KnownNames, names: Iterable[bytes]) -> None:
        from ._core import SideFlag as flag

        recipe, classes = self.recipe, self.classes or {}
        for name in names:
            raw = decode(name)
            cut = recipe.cut_label(raw)
            label, tag = classes.get(cut, cut), classes.get(raw, raw)
            found = recipe.looked_up(raw)
            is_aside = found in recipe.length_ignores or found in recipe.delete_phrases
            is_not_kept = bool(recipe.keep) and found not in recipe.keep
            known.learn(
                name,
                name if label == raw else encode(label),
                2 if cut in recipe.delete_phrases else cut in self._left_out or recipe.ignores_outer(raw),
                encode(label) if recipe.cut_tags else name if tag == raw else encode(tag),
                (flag.DELETED if recipe.deletes_tag(raw) else 0)
                | (flag.UNCOUNTED if is_aside or is_not_kept else 0)
                | (flag.ASIDE if is_aside else 0)
                | (flag.QUOTE if found in recipe.quotes else 0)
                | (flag.LISTED if is_not_kept or found in recipe.delete else 0),
            )

    @property
    def options(self) -> _core.ParsevalRules:
        """The rules of PARSEVAL for no names at all."""
        if self._options is None:
            from . import _core

            recipe = self.recipe
            self._options = _core.ParsevalRules(
                equal_words=recipe.equal_texts() if recipe.equal_words else [],
                deleted_forms=[encode(form) for form in recipe.delete_forms],
                labelled=recipe.labels,
                delete_by_gold=recipe.delete_by == "gold",
                may_be_kept_words=bool(recipe.keep),
                only_gaps=recipe.only == "discontinuous",
                words=value_of(_core.WordComparison, recipe.words),
                lengths=value_of(_core.Lengths, recipe.lengths),
                least_width=recipe.least_width,
                least_words=recipe.least_words,
                least_length=recipe.shortest,
                most_length=-1 if recipe.longest is None else recipe.longest,
                unwrap=recipe.outer == "unwrapped",
                root=value_of(_core.RootRule, recipe.root),
                duplicates=value_of(_core.Duplicates, recipe.duplicates),
                label_root=recipe.label_root == "keep",
                label_members=recipe.label_duplicates == "members",
                empty=value_of(_core.EmptyRule, recipe.empty),
                overlook_length=recipe.overlook_length,
                score_faulty=recipe.count_faulty,
            )
        return self._options

    def __reduce__(self) -> tuple[object, ...]:
        return _compiler, (self.recipe, self.tags_are_labels, self.outer_counts)


def _compiler(recipe: Recipe, tags_are_labels: bool, outer_counts: bool) -> Compiler:
    return Compiler(recipe, tags_are_labels=tags_are_labels, outer_counts=outer_counts)


class Compiled:
    """Tables over the names of both sides of a pair: `rules` for the engine, `labels` to name its keys again."""

    __slots__ = ("_compiler", "_label_keys", "_tag_keys", "names", "partners", "word_texts")

    def __init__(self, compiler: Compiler, names: _core.PairNames) -> None:
        self._compiler = compiler
        #: The tables.
        self.names = names
        #: Words with the texts as which they are compared, where these are not what is written.
        self.word_texts: list[tuple[bytes, bytes]] = []
        #: Gold, test, and for each pair of trees which word of test each word of gold is aligned with, or -1.
        self.partners: tuple[_core.Trees, _core.Trees, list[list[int]]] | None = None
        self._label_keys: dict[str, int] | None = None
        self._tag_keys: dict[str, int] | None = None

    def _labels(self) -> dict[str, int]:
        if self._label_keys is None:
            self._label_keys = {decode(label): key for key, label in enumerate(self.names.labels)}
        return self._label_keys

    def _tags(self) -> dict[str, int]:
        if self._compiler.tags_are_labels:
            return self._labels()
        if self._tag_keys is None:
            self._tag_keys = {decode(tag): key for key, tag in enumerate(self.names.tags)}
        return self._tag_keys

    @property
    def labels(self) -> list[str]:
        """The labels behind the keys of the engine."""
        return list(self._labels())

    @property
    def tags(self) -> list[str]:
        """The tags behind the keys of the engine."""
        return list(self._tags())

    def compared(self) -> list[tuple[list[str], list[str]]]:
        """What each name of the vocabularies of gold and of test is compared as: as a label, and as a tag."""
        labels, tags = self.labels, self.tags
        return [
            ([labels[key] for key in side.label_keys], [tags[key] for key in side.tag_keys]) for side in self.sides()
        ]

    def sides(self) -> list[_core.SideRules]:
        """The tables of gold and test."""
        return [self.names.gold, self.names.test]

    def equal_keys(self) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
        """Keys of labels and of tags that count as equal beside equal keys."""
        if self._compiler.classes is not None:
            return [], []
        pairs = self._compiler.recipe.equal
        labels, tags = self._labels(), self._tags()
        return [(_key(labels, a), _key(labels, b)) for a, b in pairs], [
            (_key(tags, a), _key(tags, b)) for a, b in pairs
        ]

    @property
    def rules(self) -> _core.ParsevalRules:
        """The tables as the engine takes them."""
        rules = self._compiler.options.with_names(self.names, *self.equal_keys(), self.word_texts)
        return rules if self.partners is None else rules.with_partners(*self.partners)


def _key(keys: dict[str, int], name: str) -> int:
    return keys.setdefault(name, len(keys))


def _classes(pairs: Iterable[tuple[str, str]]) -> dict[str, str] | None:
    """One name for each class of equal labels, or None where equality is not transitive."""
    partners: dict[str, set[str]] = {}
    for a, b in pairs:
        partners.setdefault(a, {a}).add(b)
        partners.setdefault(b, {b}).add(a)
    names: dict[str, str] = {}
    for label, group in partners.items():
        if any(partners[other] != group for other in group):
            return None
        for other in group:
            names.setdefault(other, label)
    return names
