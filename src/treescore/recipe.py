"""What is deleted, what counts as equal, which brackets count: all policy of bracket scoring, as values.

>>> recipe = Recipe(delete=["TOP"], equal_labels=[("ADVP", "PRT")])
>>> recipe.cut_label("NP-SBJ"), recipe.counts_label("NP-SBJ"), recipe.counts_label("TOP")
('NP', True, False)
>>> recipe.replace(labels=False) == recipe
False
"""

from __future__ import annotations

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
    "outer": ("counted", "ignored"),
    "root": ROOTS,
    "duplicates": DUPLICATES,
    "empty": ("undefined", "perfect"),
    "unparsed": ("skip", "missed"),
    "average": ("corpus", "sentence"),
}

_DELETED, _UNCOUNTED, _QUOTE, _LISTED = 1, 2, 4, 8


class Recipe(Value):
    """The policy of one bracket score.

    >>> Recipe(delete=("TOP",), labels=False).delete
    ('TOP',)
    """

    labels: bool
    delete: tuple[str, ...]
    delete_words: bool
    delete_by: str
    uncounted: tuple[str, ...]
    quotes: tuple[str, ...]
    equal_labels: Pairs
    equal_words: Pairs
    cut: str
    cut_tags: bool
    cut_delete: bool
    least_width: int
    least_words: int
    most_length: int | None
    outer: str
    root: str
    duplicates: str
    empty: str
    unparsed: str
    average: str
    overlook_length: bool
    count_faulty: bool

    __slots__ = (  # noqa: RUF023 (in the order in which a reader meets them)
        "labels",
        "delete",
        "delete_words",
        "delete_by",
        "uncounted",
        "quotes",
        "equal_labels",
        "equal_words",
        "cut",
        "cut_tags",
        "cut_delete",
        "least_width",
        "least_words",
        "most_length",
        "outer",
        "root",
        "duplicates",
        "empty",
        "unparsed",
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
        uncounted: Iterable[str] = (),
        quotes: Iterable[str] = (),
        equal_labels: Iterable[tuple[str, str]] = (),
        equal_words: Iterable[tuple[str, str]] = (),
        cut: str = "-=",
        cut_tags: bool = False,
        cut_delete: bool = False,
        least_width: int = 1,
        least_words: int = 0,
        most_length: int | None = None,
        outer: str = "counted",
        root: str = "keep",
        duplicates: str = "keep",
        empty: str = "undefined",
        unparsed: str = "skip",
        average: str = "corpus",
        overlook_length: bool = False,
        count_faulty: bool = False,
    ) -> None:
        for name, number in (("least_width", least_width), ("least_words", least_words), ("most_length", most_length)):
            if number is not None and not 0 <= number < 10**9:
                raise ValueError(f"{name} must be a number from 0 to 999,999,999, not {number}")
        for name, allowed in CHOICES.items():
            if locals()[name] not in allowed:
                raise ValueError(f"{name} must be one of {', '.join(allowed)}, not {locals()[name]!r}")
        delete, uncounted, quotes = tuple(delete), tuple(uncounted), tuple(quotes)
        equal_labels, equal_words = tuple(equal_labels), tuple(equal_words)
        given = locals()
        self._store(**{name: given[name] for name in self.__slots__})

    def __repr__(self) -> str:
        plain = Recipe().values()
        changed = [f"{name}={value!r}" for name, value in self.values().items() if value != plain[name]]
        return f"Recipe({', '.join(changed)})"

    def cut_label(self, label: str) -> str:
        """The label up to the first character at which labels are cut."""
        for place, character in enumerate(label):
            if character in self.cut:
                return label[:place]
        return label

    def counts_label(self, label: str) -> bool:
        """Does a phrase with this label count?"""
        if self.outer == "ignored" and label in OUTER_LABELS:
            return False
        cut, listed = self.cut_label(label), self._delete_list()
        partners = {b for a, b in self.equal_labels if a == cut} | {a for a, b in self.equal_labels if b == cut}
        return listed.isdisjoint({cut, *partners})

    def _delete_list(self) -> set[str]:
        return {self.cut_label(label) for label in self.delete} if self.cut_delete else set(self.delete)

    def compile(self, gold_names: Sequence[bytes], test_names: Sequence[bytes]) -> Compiled:
        """The recipe as tables over the label ids of both sides, for the native engine."""
        return Compiled(self, gold_names, test_names)


class Compiled:
    """Tables for one pair of vocabularies: `rules` for the engine, `labels` to name its keys again."""

    __slots__ = ("labels", "rules")

    def __init__(self, recipe: Recipe, gold_names: Sequence[bytes], test_names: Sequence[bytes]) -> None:
        from . import _core

        classes = _classes(recipe.equal_labels)
        label_keys: dict[str, int] = {}
        tag_keys: dict[str, int] = {}
        sides = [_side(recipe, names, classes, label_keys, tag_keys) for names in (gold_names, test_names)]
        same = sides[0] if test_names is gold_names else sides[1]
        pairs = [] if classes is not None else recipe.equal_labels
        self.rules = _core.ParsevalRules(
            gold=sides[0],
            test=same,
            equal_labels=[(_key(label_keys, a), _key(label_keys, b)) for a, b in pairs],
            equal_tags=[(_key(tag_keys, a), _key(tag_keys, b)) for a, b in pairs],
            equal_words=[(encode(a), encode(b)) for a, b in recipe.equal_words],
            labelled=recipe.labels,
            delete_by_gold=recipe.delete_by == "gold",
            least_width=recipe.least_width,
            least_words=recipe.least_words,
            most_length=-1 if recipe.most_length is None else recipe.most_length,
            root=ROOTS.index(recipe.root),
            duplicates=DUPLICATES.index(recipe.duplicates),
            empty_is_perfect=recipe.empty == "perfect",
            count_unparsed=recipe.unparsed == "missed",
            overlook_length=recipe.overlook_length,
            score_faulty=recipe.count_faulty,
        )
        self.labels = list(label_keys)


def _side(
    recipe: Recipe,
    names: Sequence[bytes],
    classes: dict[str, str] | None,
    label_keys: dict[str, int],
    tag_keys: dict[str, int],
) -> _core.SideRules:
    from . import _core

    delete, uncounted, quotes = set(recipe.delete), set(recipe.uncounted), set(recipe.quotes)
    representative = classes.get if classes else (lambda label, otherwise: otherwise)
    label_key, label_deleted, tag_key, tag_flags = [], bytearray(), [], bytearray()
    for name in names:
        raw = decode(name)
        cut = recipe.cut_label(raw)
        label_deleted.append(not recipe.counts_label(raw))
        label_key.append(_key(label_keys, representative(cut, cut)))
        tag = cut if recipe.cut_tags else raw
        tag_key.append(_key(tag_keys, representative(tag, tag)))
        listed = raw in delete
        tag_flags.append(
            (_DELETED if listed and recipe.delete_words else 0)
            | (_UNCOUNTED if raw in uncounted else 0)
            | (_QUOTE if raw in quotes else 0)
            | (_LISTED if listed else 0)
        )
    return _core.SideRules(label_key, bytes(label_deleted), tag_key, bytes(tag_flags))


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


def decode(text: bytes) -> str:
    """Bytes of a treebank as text; what is not UTF-8 survives the way back."""
    return text.decode("utf-8", "surrogateescape")


def encode(text: str) -> bytes:
    """The bytes behind `decode`."""
    return text.encode("utf-8", "surrogateescape")
