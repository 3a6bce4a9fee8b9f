"""The evaluation of the CoNLL shared tasks on Universal Dependencies: tokens, words, tags, lemmas, attachment.

>>> from treescore import conllu_eval
>>> gold = "1\\tcannot\\t_\\tAUX\\t_\\t_\\t2\\taux\\t_\\t_\\n2\\tgo\\t_\\tVERB\\t_\\t_\\t0\\troot\\t_\\t_\\n\\n"
>>> report = conllu_eval(gold, gold.replace("\\tVERB", "\\tNOUN"))
>>> report["conllu_eval"].parts["upos"], report["conllu_eval"].parts["las"]
(0.5, 1.0)
"""

from __future__ import annotations

from array import array
from functools import cached_property

from .. import _core
from .._core import DependencyName, DependencyText
from ..helpers.text import number_of, visible
from ..place.pair import Pair
from ..values.counts import Counts
from ..values.option import Choice, Flag
from ..values.problem import InputError, Problem
from .base import ELIGIBLE_UNITS, Metric
from .dependency_keys import Numbers, keys, outcome_columns, sentence_rows
from .ratios import Ratio, rates, share

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from ..readers.dependency_bank import DependencyBank

TEXT = Choice(
    "text",
    "exact",
    choices={
        "exact": "both sides must have the same characters, spaces aside",
        "folded": "both sides must have the same characters, spaces, case, escapes and kinds of quotes aside",
        "aligned": "characters that differ, case, escapes and kinds of quotes aside, belong to one side only",
    },
    is_always_written=True,
)
ENHANCEMENTS = Flag(
    "enhanced",
    True,
    choices={"yes": "the enhanced graphs are compared, too", "no": "basic dependencies only"},
    is_always_written=True,
)


def _set(names: str) -> frozenset[str]:
    return frozenset(names.split())


UNIVERSAL_FEATURES = _set(
    "PronType NumType Poss Reflex Foreign Abbr Gender Animacy Number Case Definite Degree VerbForm Mood Tense Aspect "
    "Voice Evident Polarity Person Polite"
)
CONTENT_RELATIONS = _set(
    "nsubj obj iobj csubj ccomp xcomp obl vocative expl dislocated advcl advmod discourse nmod appos nummod acl amod "
    "conj fixed flat compound list parataxis orphan goeswith reparandum root dep"
)
FUNCTION_RELATIONS = _set("aux cop mark det clf case cc")

#: The figures in the order of the original's table: title, and the columns of correct, gold, test and aligned items.
MEASURES: dict[str, tuple[str, str, str, str, str | None]] = {
    "tokens": ("Tokens", "tokens", "tokens_gold", "tokens_test", None),
    "sentences": ("Sentences", "sentences", "sentences_gold", "sentences_test", None),
    "words": ("Words", "words", "words_gold", "words_test", None),
    **{
        title.lower(): (title, title.lower(), "words_gold", "words_test", "words")
        for title in ("UPOS", "XPOS", "UFeats", "AllTags", "Lemmas", "UAS", "LAS")
    },
    **{
        title.lower(): (title, title.lower(), "content_gold", "content_test", "content")
        for title in ("CLAS", "MLAS", "BLEX")
    },
    "elas": ("ELAS", "elas", "edges_gold", "edges_test", None),
    "eulas": ("EULAS", "eulas", "edges_gold", "edges_test", None),
}
ENHANCED = ("elas", "eulas")
#: What is counted on both sides, besides words.
_SIDED = ("tokens", "content", "edges")


class ConlluEval(Metric):
    """Everything that the original counts, with a row for each gold sentence.

    `text` says what is done with texts that differ: "exact" and "folded" (without case, escapes and kinds of quotation
    marks) refuse them, "aligned" folds them and lets characters of a longest common subsequence correspond.

    >>> ConlluEval(text="folded").signature
    'conllu_eval|text:folded|enhanced:yes|v:0.2.0.dev0'
    """

    name = "conllu_eval"
    cites = ("zeman-etal-2018-conll",)
    reads = "conllu"
    pairs_trees = takes_parts = False
    gold_unit = "words"
    eligible = ELIGIBLE_UNITS
    all_columns = {"words_test": {"test_all": 1}} | {f"{kind}_test": {f"{kind}_test_all": 1} for kind in _SIDED}
    without_all = (
        *("sentences", "sentences_precision", "sentences_recall"),
        *(f"{name}_accuracy" for name, measure in MEASURES.items() if measure[-1]),
    )
    main = row_figure = "las"
    group_figures = ("las", "uas", "upos")

    options = (TEXT, ENHANCEMENTS)
    text: str
    enhanced: bool

    @property
    def measures(self) -> dict[str, tuple[str, str, str, str, str | None]]:
        """The figures: title, and the columns of correct, gold, test and aligned items."""
        return {name: measure for name, measure in MEASURES.items() if self.enhanced or name not in ENHANCED}

    # ---- Counting

    def counts(self, pair: Pair, *, threads: int = 1, progress: _core.Progress | None = None) -> Counts:
        """A row for each gold sentence of a `DependencyBank`; items of test alone count where they begin."""
        gold: Any = pair.gold
        test: Any = pair.test
        gold_keys, test_keys = self._keys(gold, test)
        if self.text != "aligned":
            self._check_texts(gold, gold_keys, test, test_keys)
        units = [(0, len(gold), 0, len(test))]
        rows = _core.dependency_rows(gold.native, gold_keys, test.native, test_keys, units, threads, progress)
        sums, notes = ({name: rows.column(name) for name in names} for names in (rows.sums, rows.notes))
        return Counts({**_outcomes(sums), **sums}, notes={**notes, "length": sums["words_gold"]})

    def aligned(self, gold: DependencyBank, test: DependencyBank) -> list[tuple[int, int]]:
        """The aligned words, as pairs of their numbers in the files, from 0."""
        gold_keys, test_keys = self._keys(gold, test)
        return _core.aligned_dependencies(gold.native, gold_keys, test.native, test_keys)

    def _keys(self, gold: DependencyBank, test: DependencyBank) -> tuple[_core.DependencyKeys, _core.DependencyKeys]:
        forms, plain, features, relations, types = (Numbers() for _ in range(5))

        def side(bank: DependencyBank) -> _core.DependencyKeys:
            own, names = bank.names
            return keys(
                own,
                fold=self.text != "exact",
                number=forms,
                name=plain.of(names),
                feats=features.of(map(universal, names)),
                relation=relations.of(map(basic, names)),
                edge_type=types.of(">".join(map(basic, name.split(">"))) for name in names),
                kind=bytes(map(_kind, names)),
            )

        return side(gold), side(test)

    def _check_texts(
        self,
        gold: DependencyBank,
        gold_keys: _core.DependencyKeys,
        test: DependencyBank,
        test_keys: _core.DependencyKeys,
    ) -> None:
        difference = _core.first_difference(gold.native, gold_keys, test.native, test_keys)
        if difference is None:
            return
        character, *sentences, gold_rest, test_rest = difference
        shown = []
        for bank, kind, sentence, rest in zip(
            (gold, test), ("gold", "test"), sentences, (gold_rest, test_rest), strict=True
        ):
            place = f"sentence {sentence + 1}, line {bank.line(sentence)}" if sentence < len(bank) else "at its end"
            shown.append(f"{bank.source.name or kind} ({place}) has {visible(''.join(map(chr, rest)))!r}")
        advice = "compare the same text" if self.text == "folded" else "text:folded overlooks case, escapes and quotes"
        message = (
            f"the texts of both files differ from character {character + 1} on: {shown[0]}, {shown[1]}; {advice}, "
            "text:aligned scores what can be aligned"
        )
        raise InputError(Problem("texts", message, unit=sentences[0] + 1))

    # ---- Figures

    @cached_property
    def ratios(self) -> Mapping[str, Ratio]:
        ratios: dict[str, Ratio] = {}
        for name, (title, correct, gold, test, aligned) in self.measures.items():
            ratios |= rates(title, correct, gold, test, prefix=f"{name}_", main=name)
            if aligned:
                ratios[f"{name}_accuracy"] = share(f"{title} accuracy of aligned words", correct, aligned)
        return ratios

    def rows(self, counts: Counts) -> dict[str, list[Any]]:
        return sentence_rows(self, counts, self.measures)

    def summary(self, counts: Counts) -> str:
        total = counts.total()
        return (
            f"{number_of(total['sentences_gold'], 'gold sentence')}, {number_of(total['words_gold'], 'word')}; "
            f"{total['words_test']:,} in test, {total['words']:,} of them aligned"
            + (f"; {number_of(total['failed'], 'sentence')} failed" if total["failed"] else "")
        )

    def row_problems(self, pair: Pair, counts: Counts) -> list[Problem]:
        messages = {
            DependencyText.OTHER: ("the texts of both files differ", "characters of only one side match nothing"),
            DependencyText.TOO_DIFFERENT: ("the texts are too long and too different", "aligned at both ends only"),
        }
        return [
            Problem("texts", messages[state][0], file=pair.test.source.name, action=messages[state][1])
            for state in counts["text"]
            if state in messages
        ]


def _outcomes(data: Mapping[str, memoryview]) -> dict[str, Any]:
    """Why rows are in no figure, and the columns over all sentences. A sentence fails if test has no words in it."""
    words = zip(data["words_gold"], data["words_test"], strict=True)
    failed = array("q", [gold > 0 == test for gold, test in words])
    nothing = bytes(8 * len(failed))
    columns: dict[str, Any] = {"units": array("q", [1]) * len(failed), "failed": failed}
    columns |= dict.fromkeys(("excluded", "gold_faults", "lost"), nothing)
    columns |= outcome_columns(failed, data["words_gold"], data["words_test"])
    for kind in _SIDED:
        columns[f"{kind}_test_all"] = outcome_columns(failed, data[f"{kind}_gold"], data[f"{kind}_test"])["test_all"]
    return columns


def basic(relation: str) -> str:
    """A relation without its subtype.

    >>> basic("nsubj:pass")
    'nsubj'
    """
    return relation.partition(":")[0]


def universal(feats: str) -> str:
    """The universal features among these, in order.

    >>> universal("Number=Plur|Case=Nom|Foo=Bar")
    'Case=Nom|Number=Plur'
    """
    return "|".join(sorted(feat for feat in feats.split("|") if feat.partition("=")[0] in UNIVERSAL_FEATURES))


def _kind(name: str) -> int:
    relation = basic(name)
    return (
        (DependencyName.CONTENT if relation in CONTENT_RELATIONS else 0)
        | (DependencyName.FUNCTION if relation in FUNCTION_RELATIONS else 0)
        | (DependencyName.UNSPECIFIED if name == "_" else 0)
    )
