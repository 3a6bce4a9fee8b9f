"""Language packs: files that define error classes for the labels of a treebank.

>>> pack = load("english")
>>> pack.name, pack.normal("NP-SBJ=2"), pack.normal("ADVP|PRT"), pack.normal("-LRB-")
('english', 'NP', 'ADVP', '-LRB-')
"""

from __future__ import annotations

import os

from ... import _core
from ...helpers.named import values
from ...helpers.text import decode, encode, visible
from ...helpers.text_files import read_text_file
from ...values.problem import InputError, Problem
from ...values.suggestions import suggestion
from ...values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from typing import Any, NoReturn

#: The packs included in treescore.
PACKS = ("english",)

#: The kinds of repair steps.
STEPS = values(_core.Repair)
#: Conditions on the labels at a position.
PLACES = values(_core.Place)
#: Conditions without labels.
FACTS = values(_core.RuleFact)
_MOVE_ONLY = ("new_parent", "mover", "end_mover", "beside")
_RELABEL_ONLY = ("new_label",)
_NOT_MOVE = ("label", "next", "child", "later_child", "no_child", *FACTS)
_MAX_SETS = 64

_LISTS = ("outer", "empty", "punctuation", "bar_prefers")
_TEXTS = ("name", "about", "bar", "cut")
_TABLES = ("rename", "tag_of_word", "titles", "other")
_KEYS = (*_TEXTS, *_LISTS, *_TABLES, "sets", "rules")


class Rule(Value):
    """One rule of a pack: the class of steps for which all its conditions hold.

    `original`: does the original program have this rule?
    """

    name: str
    steps: tuple[str, ...]
    facts: tuple[str, ...]
    places: dict[str, tuple[str, ...]]
    original: bool


class Pack:
    """Which labels are left out, cut and renamed, and the rules that determine the class of a step."""

    def __init__(self, content: Mapping[str, Any], source: str = "<pack>") -> None:
        reader = _Reader(source)
        reader.check_keys(content, _KEYS, "")
        self.name, self.about, self.bar, self.cut = (reader.text(content, key) for key in _TEXTS)
        self.outer, self.empty, self.punctuation, self.bar_prefers = (reader.texts(content, key) for key in _LISTS)
        self.rename, self.tag_of_word, self.titles, other = (reader.table(content, key) for key in _TABLES)
        if not self.outer:
            reader.fail("outer needs at least one label: the name of the outer bracket")
        reader.check_keys(other, STEPS, "other: ")
        self.other = {step: other.get(step, f"Other {step}") for step in STEPS}
        self.rules = reader.rules(content)
        #: The classes, in the order in which they are first named.
        self.classes = tuple(dict.fromkeys([*(rule.name for rule in self.rules), *self.other.values()]))
        reader.check_keys(self.titles, self.classes, "titles: ")

    def normal(self, label: str) -> str:
        """A label or tag after cutting and renaming; a label is never cut to the empty string."""
        if self.bar and self.bar in label:
            preferred = [part for part in self.bar_prefers if part in label]
            label = preferred[0] if preferred else label.partition(self.bar)[0] or label
        for character in self.cut:
            place = label.find(character)
            if place > 0:
                label = label[:place]
        return self.rename.get(label, label)

    def title(self, name: str) -> str:
        """The title of a class in tables."""
        return self.titles.get(name, name)

    def compile(self, gold_names: Sequence[bytes], test_names: Sequence[bytes], *, original: bool) -> Compiled:
        """The pack as tables over the labels of both sides, for the engine."""
        return Compiled(self, gold_names, test_names, original=original)


class Compiled:
    """Tables for the engine: `rules`, and `labels` to decode its keys."""

    def __init__(self, pack: Pack, gold_names: Sequence[bytes], test_names: Sequence[bytes], *, original: bool) -> None:
        keys: dict[str, int] = {}

        def key(label: str) -> int:
            return keys.setdefault(label, len(keys))

        root_key, no_tag_key = key(pack.outer[0]), key("")
        sides = [[key(pack.normal(decode(name))) for name in names] for names in (gold_names, test_names)]
        tag_of_word = [(encode(word), key(tag)) for word, tag in pack.tag_of_word.items()]
        self.labels = list(keys)
        sets: dict[tuple[str, ...], int] = {}
        classes = {name: number for number, name in enumerate(pack.classes)}
        rules = []
        for rule in pack.rules:
            if original and not rule.original:
                continue
            places = [(PLACES[name], sets.setdefault(labels, len(sets))) for name, labels in rule.places.items()]
            steps, facts = sum(1 << STEPS[step] for step in rule.steps), sum(FACTS[fact] for fact in rule.facts)
            rules.append((steps, facts, places, classes[rule.name]))
        flags = _core.ErrorKey
        lists = ((pack.empty, flags.EMPTY), (pack.punctuation, flags.PUNCTUATION), (pack.outer, flags.OUTER))
        self.rules = _core.ErrorRules(
            gold_keys=sides[0],
            test_keys=sides[1],
            key_flags=bytes(sum(flag for listed, flag in lists if label in listed) for label in keys),
            key_sets=[sum(1 << bit for labels, bit in sets.items() if matches(label, labels)) for label in keys],
            root_key=root_key,
            no_tag_key=no_tag_key,
            tag_of_word=tag_of_word,
            rules=rules,
            other_class=[classes[pack.other[step]] for step in sorted(STEPS, key=STEPS.__getitem__)],
            punctuation_by_gold=not original,
        )


def matches(label: str, patterns: Iterable[str]) -> bool:
    """Does a label match one of these patterns? A `*` at the beginning or the end matches anything.

    >>> matches("WHNP", ["NP"]), matches("WHNP", ["*NP*"]), matches("WHNP", ["NP*"])
    (False, True, False)
    """
    for pattern in patterns:
        core = pattern.removeprefix("*").removesuffix("*")
        start, end = pattern.startswith("*"), pattern.removeprefix("*").endswith("*")
        if (
            (core == label)
            or (start and label.endswith(core))
            or (end and label.startswith(core))
            or (start and end and core in label)
        ):
            return True
    return False


def load(pack: str | os.PathLike[str] | Pack = "english") -> Pack:
    """Load a pack by name or from a file."""
    if isinstance(pack, Pack):
        return pack
    if pack in PACKS:
        path = os.path.join(os.path.dirname(__file__), "packs", f"{pack}.json")
    else:
        path = os.fspath(pack)
        if not os.path.exists(path) and not os.path.dirname(path) and not path.endswith(".json"):
            _Reader(path).fail(f"unknown pack, and no such file; known packs: {', '.join(PACKS)}")
    return read(read_text_file(path), path)


def read(text: bytes, source: str = "<pack>") -> Pack:
    """A pack from the text of its file.

    >>> read(b'{"name": "x", "outer": ["TOP"], "rules": [{"class": "PP", "movers": ["PP"]}]}')
    Traceback (most recent call last):
    treescore.InputError: <pack>: rule 1: unknown key 'movers'; did you mean 'mover'?
    """
    import json

    reader = _Reader(source)
    try:
        content = json.loads(text.decode("utf-8-sig"))
    except UnicodeDecodeError:
        reader.fail("this is not UTF-8")
    except json.JSONDecodeError as error:
        reader.fail(f"this is not JSON: {error.msg}", line=error.lineno, column=error.colno)
    except ValueError:
        reader.fail("this is not a language pack: a number has too many digits")
    except RecursionError:
        reader.fail("this is not a language pack: its brackets are nested too deeply")
    if any("\ud800" <= character <= "\udfff" for character in json.dumps(content, ensure_ascii=False)):
        reader.fail("a string contains half a character (a lone surrogate, \\ud800 to \\udfff)")
    if not isinstance(content, dict):
        reader.fail("a language pack is a JSON object")
    return Pack(content, source)


class _Reader:
    """Checks the content of a pack."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.sets: dict[str, tuple[str, ...]] = {}

    def fail(self, message: str, *, line: int | None = None, column: int | None = None) -> NoReturn:
        raise InputError(Problem("pack", message, file=self.source, line=line, column=column))

    def check_keys(self, content: Mapping[str, Any], known: Collection[str], where: str) -> None:
        for key in content:
            if key not in known:
                self.fail(f"{where}unknown key {visible(key)!r}; {suggestion(key, known)}")

    def text(self, content: Mapping[str, Any], key: str) -> str:
        value = content.get(key, "")
        if not isinstance(value, str) or (key == "name" and not value):
            self.fail(f"{key} must be a string")
        return value

    def texts(self, content: Mapping[str, Any], key: str, where: str = "") -> tuple[str, ...]:
        value = content.get(key, [])
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            self.fail(f"{where}{key} must be a list of strings")
        return tuple(value)

    def table(self, content: Mapping[str, Any], key: str) -> dict[str, str]:
        value = content.get(key, {})
        if not isinstance(value, dict) or not all(isinstance(item, str) for item in value.values()):
            self.fail(f"{key} must be an object with strings")
        return dict(value)

    def rules(self, content: Mapping[str, Any]) -> tuple[Rule, ...]:
        sets, rules = content.get("sets", {}), content.get("rules", [])
        if not isinstance(sets, dict):
            self.fail("sets must be an object with lists of labels")
        if not isinstance(rules, list) or not all(isinstance(rule, dict) for rule in rules):
            self.fail("rules must be a list of objects")
        self.sets = {name: self._patterns(sets, name, "sets: ") for name in sets}
        parsed = tuple(self._rule(rule, f"rule {number}: ") for number, rule in enumerate(rules, 1))
        if len({labels for rule in parsed for labels in rule.places.values()}) > _MAX_SETS:
            self.fail(f"the rules have more than {_MAX_SETS} different lists of labels")
        return parsed

    def _rule(self, content: Mapping[str, Any], where: str) -> Rule:
        self.check_keys(content, ("class", "steps", "original", *FACTS, *PLACES), where)
        name = content.get("class")
        if not isinstance(name, str) or not name:
            self.fail(f"{where}class must be a string")
        for fact in (*FACTS, "original"):
            allowed = (True,) if fact in FACTS else (True, False)
            if fact in content and not any(content[fact] is value for value in allowed):
                self.fail(f"{where}{fact} must be {' or '.join(str(value).lower() for value in allowed)}")
        steps = self.texts(content, "steps", where) if "steps" in content else tuple(STEPS)
        for step in steps:
            if step not in STEPS:
                self.fail(f"{where}unknown step {visible(step)!r}; known: {', '.join(STEPS)}")
        if len(set(steps)) < len(steps):
            self.fail(f"{where}steps has the same step twice")
        for condition in content:
            if content[condition] == []:
                self.fail(f"{where}{condition} is empty: this rule matches nothing")
            self._check_condition(condition, steps, where)
        return Rule(
            name,
            steps,
            tuple(fact for fact in FACTS if fact in content),
            {place: self._patterns(content, place, where) for place in PLACES if place in content},
            content.get("original", True),
        )

    def _check_condition(self, condition: str, steps: tuple[str, ...], where: str) -> None:
        if condition in _MOVE_ONLY and steps != ("move",):
            self.fail(f'{where}{condition} is only for moves; add "steps": ["move"]')
        if condition in _RELABEL_ONLY and steps != ("relabel",):
            self.fail(f'{where}{condition} is only for wrong labels; add "steps": ["relabel"]')
        if condition in _NOT_MOVE and "move" in steps:
            self.fail(f"{where}{condition} is not for moves; list the other steps in steps")

    def _patterns(self, content: Mapping[str, Any], key: str, where: str) -> tuple[str, ...]:
        labels: list[str] = []
        for pattern in self.texts(content, key, where):
            if pattern.startswith("$"):
                if pattern[1:] not in self.sets:
                    self.fail(f"{where}{key}: unknown set {visible(pattern)!r}")
                if not self.sets[pattern[1:]]:
                    self.fail(f"{where}{key}: the set {visible(pattern)!r} is empty")
                labels += self.sets[pattern[1:]]
            elif "*" in pattern[1:-1]:
                self.fail(f"{where}{key}: {visible(pattern)!r}: * is only allowed at the beginning or the end")
            else:
                labels.append(pattern)
        return tuple(labels)
