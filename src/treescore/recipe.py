"""What is deleted, what counts as equal, which brackets count: all policy of bracket scoring, as values.

>>> recipe = Recipe(delete=["TOP"], equal_labels=[("ADVP", "PRT")])
>>> recipe.cut_label("NP-SBJ"), recipe.counts_label("NP-SBJ"), recipe.counts_label("TOP")
('NP', True, False)
>>> recipe.replace(labels=False) == recipe
False
"""

from __future__ import annotations

from .helpers.named import value_of
from .helpers.text import decode, encode
from .values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from . import _core

Pairs = tuple[tuple[str, str], ...]

ROOTS = ("keep", "drop-whole", "drop-outermost")
DUPLICATES = ("keep", "drop", "members")
OUTER_LABELS = ("", "TOP", "ROOT", "S1", "VROOT")

#: The values that the options with a fixed choice may have.
CHOICES = {
    "delete_by": ("own", "gold"),
    "only": ("all", "discontinuous"),
    "outer": ("counted", "ignored"),
    "root": ROOTS,
    "duplicates": DUPLICATES,
    "empty": ("undefined", "perfect"),
    "average": ("corpus", "sentence"),
}

#: A compiler that has seen more names begins anew.
MOST_NAMES = 100_000

_FLAGS = ("labels", "delete_words", "cut_start", "cut_tags", "cut_delete", "overlook_length", "count_faulty")


class Recipe(Value):
    """The policy of one bracket score.

    >>> Recipe(delete=("TOP",), labels=False).delete
    ('TOP',)
    """

    labels: bool
    delete: tuple[str, ...]
    delete_words: bool
    delete_by: str
    delete_forms: tuple[str, ...]
    only: str
    uncounted: tuple[str, ...]
    quotes: tuple[str, ...]
    equal_labels: Pairs
    equal_words: Pairs
    text: str
    cut: str
    cut_start: bool
    cut_tags: bool
    cut_delete: bool
    least_width: int
    least_words: int
    most_length: int | None
    outer: str
    root: str
    duplicates: str
    empty: str
    average: str
    overlook_length: bool
    count_faulty: bool

    def __init__(
        self,
        *,
        labels: bool = True,
        delete: Iterable[str] = (),
        delete_words: bool = True,
        delete_by: str = "own",
        delete_forms: Iterable[str] = (),
        only: str = "all",
        uncounted: Iterable[str] = (),
        quotes: Iterable[str] = (),
        equal_labels: Iterable[tuple[str, str]] = (),
        equal_words: Iterable[tuple[str, str]] = (),
        text: str = "none",
        cut: str = "-=",
        cut_start: bool = True,
        cut_tags: bool = False,
        cut_delete: bool = False,
        least_width: int = 1,
        least_words: int = 0,
        most_length: int | None = None,
        outer: str = "counted",
        root: str = "keep",
        duplicates: str = "keep",
        empty: str = "undefined",
        average: str = "corpus",
        overlook_length: bool = False,
        count_faulty: bool = False,
    ) -> None:
        for name, number in (("least_width", least_width), ("least_words", least_words), ("most_length", most_length)):
            if number is not None and not (isinstance(number, int) and 0 <= number < 10**9):
                raise ValueError(f"{name} must be a whole number from 0 to 999,999,999, not {number!r}")
        for name in _FLAGS:
            if not isinstance(locals()[name], bool):
                raise ValueError(f"{name} must be True or False, not {locals()[name]!r}")
        for name, allowed in CHOICES.items():
            if locals()[name] not in allowed:
                raise ValueError(f"{name} must be one of {', '.join(allowed)}, not {locals()[name]!r}")
        lists = {"delete": delete, "delete_forms": delete_forms, "uncounted": uncounted, "quotes": quotes}
        for name, listed in lists.items():
            if isinstance(listed, str):
                raise ValueError(
                    f"{name} must be a list of {'words' if name == 'delete_forms' else 'labels'}, not a string"
                )
        if not isinstance(text, str):
            raise ValueError(f"text must be the names of steps, joined by +, or none, not {text!r}")
        if text != "none":
            from .words.normal import Normal

            try:
                text = str(Normal.parse(text))
            except ValueError as problem:
                raise ValueError(f"text: {problem}") from None
        delete, delete_forms, uncounted, quotes = map(tuple, lists.values())
        equal_labels, equal_words = (tuple((a, b) for a, b in pairs) for pairs in (equal_labels, equal_words))
        if duplicates != "keep" and _classes(equal_labels) is None:
            raise ValueError("where equal brackets count once, A = B and B = C need A = C among the equal labels")
        given = locals()
        self._store(**{name: given[name] for name in self.__slots__})

    def __repr__(self) -> str:
        plain = Recipe().values()
        changed = [f"{name}={value!r}" for name, value in self.values().items() if value != plain[name]]
        return f"Recipe({', '.join(changed)})"

    def cut_label(self, label: str) -> str:
        """The label up to the first character at which labels are cut."""
        for place, character in enumerate(label):
            if character in self.cut and (place > 0 or self.cut_start):
                return label[:place]
        return label

    def left_out(self) -> set[str]:
        """The labels, already cut, of phrases that do not count: those listed and what counts as equal to them."""
        listed = {self.cut_label(label) for label in self.delete} if self.cut_delete else set(self.delete)
        pairs = self.equal_labels
        return listed | {b for a, b in pairs if a in listed} | {a for a, b in pairs if b in listed}

    def deleted_tags(self) -> set[str]:
        """The tags whose words are deleted."""
        return set(self.delete) if self.delete_words else set()

    def counts_label(self, label: str) -> bool:
        """Does a phrase with this label count?"""
        return self.cut_label(label) not in self.left_out() and not self.ignores_outer(label)

    def ignores_outer(self, label: str) -> bool:
        """Is it the label of an outer bracket, and are those ignored?"""
        return self.outer == "ignored" and label in OUTER_LABELS

    def keeps_outermost(self) -> bool:
        """Do the outermost brackets count like all others, however often they occur?"""
        return self.root == "keep" and self.duplicates == "keep"

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
        return _classes(self.equal_labels) is not None

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
        self.classes = _classes(recipe.equal_labels)
        self._left_out = recipe.left_out()
        self._deleted_tags = recipe.deleted_tags()
        self._lists = set(recipe.delete), set(recipe.uncounted), set(recipe.quotes)
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

        outer = OUTER_LABELS if self.outer_counts and self.recipe.keeps_outermost() else ()
        return _core.KnownNames(self.tags_are_labels, self.recipe.labels, list(outer))

    def _learn(self, known: _core.KnownNames, names: Iterable[bytes]) -> None:
        from ._core import SideFlag as flag

        recipe, classes = self.recipe, self.classes or {}
        delete, uncounted, quotes = self._lists
        for name in names:
            raw = decode(name)
            cut = recipe.cut_label(raw)
            label, tag = classes.get(cut, cut), classes.get(raw, raw)
            known.learn(
                name,
                name if label == raw else encode(label),
                cut in self._left_out or recipe.ignores_outer(raw),
                encode(label) if recipe.cut_tags else name if tag == raw else encode(tag),
                (flag.DELETED if raw in self._deleted_tags else 0)
                | (flag.UNCOUNTED if raw in uncounted else 0)
                | (flag.QUOTE if raw in quotes else 0)
                | (flag.LISTED if raw in delete else 0),
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
                only_gaps=recipe.only == "discontinuous",
                least_width=recipe.least_width,
                least_words=recipe.least_words,
                most_length=-1 if recipe.most_length is None else recipe.most_length,
                root=value_of(_core.RootRule, recipe.root),
                duplicates=value_of(_core.Duplicates, recipe.duplicates),
                empty_is_perfect=recipe.empty == "perfect",
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

    __slots__ = ("_compiler", "_label_keys", "_tag_keys", "names", "word_texts")

    def __init__(self, compiler: Compiler, names: _core.PairNames) -> None:
        self._compiler = compiler
        #: The tables.
        self.names = names
        #: Words with the texts as which they are compared, where these are not what is written.
        self.word_texts: list[tuple[bytes, bytes]] = []
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
        pairs = self._compiler.recipe.equal_labels
        labels, tags = self._labels(), self._tags()
        return [(_key(labels, a), _key(labels, b)) for a, b in pairs], [
            (_key(tags, a), _key(tags, b)) for a, b in pairs
        ]

    @property
    def rules(self) -> _core.ParsevalRules:
        """The tables as the engine takes them."""
        return self._compiler.options.with_names(self.names, *self.equal_keys(), self.word_texts)


def _key(keys: dict[str, int], name: str) -> int:
    return keys.setdefault(name, len(keys))


def _classes(pairs: Pairs) -> dict[str, str] | None:
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
