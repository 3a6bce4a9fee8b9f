"""CoNLL-U files of random words, tokens, sentences and trees against the plain Python model, and laws of their own."""

from __future__ import annotations

from random import Random

from hypothesis import given
from oracle.conllu_eval import evaluate, load
from oracle.conllu_inputs import make_conllu_pair
from strategies import RANDOMS

import treescore
from treescore.metrics.conllu_eval import MEASURES, ConlluEval
from treescore.place.pair import Pair
from treescore.readers.conllu import read_conllu

Row = tuple[int, int, int, "int | None"]


def counted(gold: str, test: str, signature: str = "conllu_eval") -> dict[str, Row]:
    """Correct, gold, test and aligned ones by treescore."""
    total = treescore.conllu_eval(gold, test, metric=signature, on_error="raise").scores[0].counts.total()
    return {
        name: (total[correct], total[gold], total[test], total[aligned] if aligned else None)
        for name, (_, correct, gold, test, aligned) in MEASURES.items()
    }


@given(RANDOMS)
def test_counts(rng: Random) -> None:
    gold, test = make_conllu_pair(rng)
    assert counted(gold, test) == evaluate(gold, test)


@given(RANDOMS)
def test_a_file_against_itself(rng: Random) -> None:
    gold, _ = make_conllu_pair(rng)
    score = treescore.conllu_eval(gold, gold, on_error="raise")["conllu_eval"]
    for name, part in score.figures.items():
        if not name.startswith(("elas", "eulas")):  # double edges count double there, as in the original
            assert part.value in (None, 1.0), name


@given(RANDOMS)
def test_swapping_sides_swaps_precision_and_recall(rng: Random) -> None:
    """But for lemmas, which gold may leave open, and with multi-word tokens, where the walk prefers gold."""
    gold, test = make_conllu_pair(rng)
    there = treescore.conllu_eval(gold, test)["conllu_eval"].parts
    back = treescore.conllu_eval(test, gold)["conllu_eval"].parts
    names = ["tokens", "sentences"]
    if not load(gold).ranges and not load(test).ranges:
        names += ["words", "upos", "xpos", "ufeats", "alltags", "uas", "las", "clas", "mlas", "elas", "eulas"]
    for name in names:
        assert there[name] == back[name]
        assert there[f"{name}_precision"] == back[f"{name}_recall"]
        assert there[f"{name}_recall"] == back[f"{name}_precision"]


@given(RANDOMS)
def test_rows_add_up_and_files_too(rng: Random) -> None:
    """But for files that go on with multi-word tokens: there the walk may still stand at a word of the file before."""
    first, second = make_conllu_pair(rng), make_conllu_pair(rng)
    metric = ConlluEval()
    apart = [metric.counts(Pair(*map(read_conllu, pair))) for pair in (first, second)]
    together = metric.counts(Pair(*map(read_conllu, (first[0] + second[0], first[1] + second[1]))))
    if not any(load(text).ranges for text in second):
        assert together.columns == (apart[0] + apart[1]).columns
    for counts, (gold, _) in zip(apart, (first, second), strict=True):
        assert list(counts["words_gold"]) == [
            sum(word.sentence == n for word in load(gold).words) for n in range(len(counts))
        ]


@given(RANDOMS)
def test_folded_and_aligned_texts_that_agree_change_nothing(rng: Random) -> None:
    gold, test = make_conllu_pair(rng)
    assert counted(gold, test, "conllu_eval|text:aligned") == counted(gold, test, "conllu_eval|text:folded")
    gold, test = gold.replace("A", "a"), test.replace("A", "a")
    assert counted(gold, test, "conllu_eval|text:folded") == counted(gold, test)
