"""What is deleted, what counts as equal, which brackets count: all policy of bracket scoring, as values.

>>> recipe = Recipe(delete=["TOP"], equal_labels=[("ADVP", "PRT")])
>>> recipe.cut_label("NP-SBJ"), recipe.counts_label("NP-SBJ"), recipe.counts_label("TOP")
('NP', True, False)
>>> recipe.replace(labels=False) == recipe
False
"""

from __future__ import annotations

from .named import value_of
from .text import decode, encode
from .values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

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

    __slots__ = (
        "labels",
        "delete",
        "delete_words",
        "delete_by",
        "delete_forms",
        "only",
        "uncounted",
        "quotes",
        "equal_labels",
        "equal_words",
        "text",
        "cut",
        "cut_start",
        "cut_tags",
        "cut_delete",
        "least_width",
        "least_words",
        "most_length",
        "outer",
        "root",
        "duplicates",
        "empty",
        "average",
        "overlook_length",
        "count_faulty",
    )

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
            from .place.normal import Normal

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
        from .place.normal import Normal

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

    def compile(self, gold_names: Sequence[bytes], test_names: Sequence[bytes]) -> Compiled:
        """The recipe as tables over the label ids of both sides, for the native engine."""
        compiled = Compiled(self)
        compiled.extend(0, gold_names)
        compiled.extend(1, test_names)
        return compiled


class Compiled:
    """Tables over the vocabularies of both sides: `rules` for the engine, `labels` to name its keys again."""

    def __init__(self, recipe: Recipe, *, shared: bool = False, tags_are_labels: bool = False) -> None:
        self.recipe = recipe
        self._classes = _classes(recipe.equal_labels)
        self._left_out = recipe.left_out()
        self._deleted_tags = recipe.deleted_tags()
        self._lists = set(recipe.delete), set(recipe.uncounted), set(recipe.quotes)
        self._label_keys: dict[str, int] = {}
        self._tag_keys: dict[str, int] = self._label_keys if tags_are_labels else {}
        #: Words with the texts as which they are compared, where these are not what is written.
        self.word_texts: list[tuple[bytes, bytes]] = []
        gold = _Tables()
        self._sides = (gold, gold if shared else _Tables())

    def extend(self, side: int, names: Sequence[bytes]) -> None:
        """Take in the next names of the vocabulary of gold (0) or test (1)."""
        recipe, tables = self.recipe, self._sides[side]
        from ._core import SideFlag as flag

        delete, uncounted, quotes = self._lists
        for name in names:
            raw = decode(name)
            cut = recipe.cut_label(raw)
            tables.label_deleted.append(cut in self._left_out or recipe.ignores_outer(raw))
            tables.label_key.append(_key(self._label_keys, self._class_of(cut)))
            tables.tag_key.append(_key(self._tag_keys, self._class_of(cut if recipe.cut_tags else raw)))
            tables.tag_flags.append(
                (flag.DELETED if raw in self._deleted_tags else 0)
                | (flag.UNCOUNTED if raw in uncounted else 0)
                | (flag.QUOTE if raw in quotes else 0)
                | (flag.LISTED if raw in delete else 0)
            )

    def _class_of(self, label: str) -> str:
        return self._classes.get(label, label) if self._classes else label

    @property
    def labels(self) -> list[str]:
        """The labels behind the keys of the engine."""
        return list(self._label_keys)

    @property
    def tags(self) -> list[str]:
        """The tags behind the keys of the engine."""
        return list(self._tag_keys)

    def compared(self, side: int) -> tuple[list[str], list[str]]:
        """What each name of the vocabulary of gold (0) or test (1) is compared as: as a label, and as a tag."""
        labels, tags, tables = self.labels, self.tags, self._sides[side]
        return [labels[key] for key in tables.label_key], [tags[key] for key in tables.tag_key]

    def sides(self, *, outer_counts: bool = True) -> list[_core.SideRules]:
        """The tables of gold and test. `outer_counts`: does it matter which label an outer bracket has?"""
        from . import _core

        outer = OUTER_LABELS if outer_counts and self.recipe.keeps_outermost() else ()
        return [
            _core.SideRules(side.label_key, bytes(side.label_deleted), side.tag_key, bytes(side.tag_flags), outer)
            for side in self._sides
        ]

    def equal_keys(self) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
        """Keys of labels and of tags that count as equal beside equal keys."""
        pairs = self.recipe.equal_labels if self._classes is None else ()
        labels, tags = self._label_keys, self._tag_keys
        return [(_key(labels, a), _key(labels, b)) for a, b in pairs], [
            (_key(tags, a), _key(tags, b)) for a, b in pairs
        ]

    @property
    def rules(self) -> _core.ParsevalRules:
        """The tables as the engine takes them."""
        from . import _core

        recipe, sides = self.recipe, self.sides()
        equal_labels, equal_tags = self.equal_keys()
        return _core.ParsevalRules(
            gold=sides[0],
            test=sides[1],
            equal_labels=equal_labels,
            equal_tags=equal_tags,
            word_texts=self.word_texts,
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


class _Tables:
    """What the ids of one vocabulary mean."""

    def __init__(self) -> None:
        self.label_key: list[int] = []
        self.label_deleted = bytearray()
        self.tag_key: list[int] = []
        self.tag_flags = bytearray()


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
