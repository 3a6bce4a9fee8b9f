"""Dependencies of random trees over one text, cut into other words and sentences, against the plain Python model."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from oracle.aligned_inputs import Changes, document
from oracle.conllu_inputs import pieces
from oracle.dependencies import category, converted, score
from oracle.speech_inputs import make_table
from strategies import ODD_TAGS, RANDOMS, SOUND_PAIRS, TAGS, Node, Pairs, Phrase, Word, banks, make_tree, write

import treescore
from treescore import heads
from treescore.metrics.dependencies import RELATIONS, Dependencies
from treescore.place.pair import Pair

#: Without -NONE-, which takes words out of the text of one side.
SOME_TAGS = (*TAGS, *(tag for tag in ODD_TAGS if tag != "-NONE-"), "CC")


def make_side(rng: Random, text: str) -> list[Node]:
    """Trees over the text, cut into words and sentences at random."""
    words = [Word(rng.choice(SOME_TAGS), piece) for piece in pieces(rng, text, 3)]
    trees: list[Node] = []
    while words:
        size = rng.randint(1, 8)
        trees.append(make_tree(rng, words[:size]))
        words = words[size:]
    return trees


def read(trees: list[Node]) -> treescore.Treebank:
    return treescore.read("".join(write(tree) + "\n" for tree in trees), form="brackets", layout="line")


def total(counts: treescore.Counts) -> dict[str, int]:
    return {name: number for name, number in counts.total().items() if name not in ("valid", "errors", "exact")}


@given(RANDOMS)
def test_counts_over_one_text(rng: Random) -> None:
    text = "".join(rng.choice("abc木é") for _ in range(rng.randint(1, 30)))
    gold, test = make_side(rng, text), make_side(rng, text)
    table, relation = make_table(rng), rng.choice(("phrase", "label"))
    delete = rng.choice(((), ("-NONE-",)))
    metric = Dependencies(heads=table, relation=relation, unit="file", delete=delete)
    counts = metric.counts(Pair(read(gold), read(test)))
    expected = score(gold, test, table, delete, category if relation == "phrase" else str)
    assert {name: total(counts)[name] for name in expected} == expected
    assert list(counts["gold"]) == [len(converted(tree, table, delete)) for tree in gold]


@given(RANDOMS)
def test_heads_and_labels(rng: Random) -> None:
    """Words of every kind, with the tables of the literature; as `heads.dependencies` has them, too."""
    tree = make_tree(rng, [Word(rng.choice(SOME_TAGS), "ab"[k % 2]) for k in range(rng.randint(1, 9))])
    name = rng.choice(heads.NAMES)
    bank = read([tree])
    words = converted(tree, heads.get(name), ())
    numbers = {id(word): number for number, word in enumerate(words, 1)}
    result = Dependencies(heads=name, delete=()).heads_of(bank, 0)
    assert result == [0 if word.head is None else numbers[id(word.head)] for word in words]
    assert result == [0 if head is None else head + 1 for _, head, _, _ in heads.dependencies(bank[0], name)]


@given(SOUND_PAIRS)
def test_swapping_sides_swaps_precision_and_recall(pairs: Pairs) -> None:
    """Whatever the texts: the alignment of characters is the same both ways round."""
    gold, test = banks(pairs)
    for unit in ("line", "file"):
        metric = Dependencies(unit=unit)
        there, back = (metric.score(metric.counts(Pair(*sides))) for sides in ((gold, test), (test, gold)))
        for name, part in there.figures.items():
            other = name.replace("precision", "?").replace("recall", "precision").replace("?", "recall")
            if name != "exact":
                assert part.value == back.parts[other], name


@pytest.mark.parametrize("relation", RELATIONS)
def test_relations(relation: str) -> None:
    gold = "(S (NP-SBJ (NN a)) (VP (VB b) (NP-TMP (NN c))))"
    test = "(S (NP-SBJ-1 (NN a)) (VP (VB b) (NP (NN c))))"
    report = treescore.evaluate(gold, test, f"dependencies|relation:{relation}")
    assert report.scores[0].counts.total()["matched"] == {"phrase": 3, "function": 2, "label": 1}[relation]
    functions = RELATIONS["function"]
    assert functions("NP=1") == functions("") == functions("-X-Y") == ""
    assert functions("NP=SBJ") == "SBJ"


def test_other_words_other_sentences() -> None:
    """Characters that only one side has match nothing; all others do."""
    gold = ["(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)))", "(S (NP (PRP it)) (VP (VBZ snores)))"]
    test = ["(S (NP (DT The) (NN cat)) (VP (VBZ sleeps)) (NP (PRP it)) (VP (VBZ snored)))"]
    with pytest.raises(treescore.UnequalTreebanks, match="unit:file"):
        treescore.evaluate(gold, test, "dependencies")
    report = treescore.evaluate(gold, test, "dependencies|unit:file")
    counts = report.scores[0].counts
    assert (len(counts), counts.total()["tokens"], counts.total()["sentences"]) == (2, 4, 0)
    assert report.problem_counts() == {"characters": 1}
    assert treescore.evaluate(gold[:1], ["(S (X (NN zzz)))"], "dependencies")["dependencies"].value == 0.0


def test_left_out_and_empty() -> None:
    gold = ["(S (NN a))", "(S (NN b)", "()", "()", "(S (-NONE- *))"]
    test = ["()", "(S (NN b))", "(S (NN c))", "()", "(S (-NONE- *))"]
    report = treescore.evaluate("\n".join(gold), "\n".join(test), "dependencies", layout="line")
    assert report.problem_counts() == {"unclosed": 1, "unparsed": 1, "no-gold": 1, "empty": 2}
    total = report.scores[0].counts.total()
    assert (total["valid"], total["errors"], total["gold"], total["test"]) == (2, 1, 1, 1)
    report = treescore.evaluate("\n".join(gold), "\n".join(test[:3]), "dependencies|unit:file", layout="line")
    assert report.scores[0].counts.total()["test"] == 2


def test_large_trees() -> None:
    """No recursion on depth; and texts that have hardly anything in common."""
    depth = 100_000
    deep = "(S (NN a) " * depth + "(NN b)" + ")" * depth
    assert treescore.evaluate(deep, deep, "dependencies")["dependencies"].value == 1.0
    rng = Random(1)
    gold, test = (" ".join(f"(NN {rng.randrange(10**6)})" for _ in range(1_000)) for _ in range(2))
    assert treescore.evaluate(f"(S {gold})", f"(S {test})", "dependencies").problem_counts() == {"characters": 1}


def test_a_phrase_is_a_node() -> None:
    """So that the model and `strategies` speak of the same trees."""
    assert isinstance(make_tree(Random(1), [Word("NN", "a")]), Phrase)


@pytest.mark.parametrize("seed", range(20))
def test_blocks_of_a_file_are_compared_like_the_file(seed: int) -> None:
    """Where the characters are the same, it does not matter that blocks are compared one by one."""
    result = document(seed, 12, words=(2, 8), changes=Changes(splits=0.2, merges=0.2))
    gold, test = treescore.read(result.gold), treescore.read(result.test)
    metric = Dependencies(unit="file")

    class Whole(Dependencies):
        def _blocks(self, *arguments: object) -> list[tuple[int, int, int, int]]:
            return [(0, len(gold), 0, len(test))]

    assert metric.counts(Pair(gold, test)).total() == Whole(unit="file").counts(Pair(gold, test)).total()


def test_a_sentence_too_many_does_not_spoil_the_others() -> None:
    gold = ["(S (NN a) (VB b))", "(S (NN c) (VB d))"]
    test = ["(S (NN x) (VB yz) (NN w))", gold[0], "(S (NN q))", gold[1]]
    total = treescore.evaluate(gold, test, "dependencies|unit:file").scores[0].counts.total()
    assert (total["matched"], total["gold"], total["test"]) == (4, 4, 8)


def test_functions_that_stand_apart_are_relations() -> None:
    """The same trees with functions in the labels and beside them have the same labelled attachment."""
    rows = (
        "#BOS 1\ncats\tNN\t--\t--\t500\neat\tVB\t--\tHD\t501\n"
        "#500\tNP\t--\t{}\t502\n#501\tVP\t--\t--\t502\n#502\tS\t--\t--\t0\n#EOS 1\n"
    )
    apart = {name: treescore.read(rows.format(name)) for name in ("SB", "OA", "--")}
    added = {name: treescore.read(rows.format(name), functions="add") for name in apart}
    metric = Dependencies(relation="function")
    for gold in apart:
        for test in apart:
            total = metric.counts(Pair(apart[gold], apart[test])).total()
            assert total["matched"] == (2 if gold == test else 1)
            assert total["uas"] == 2
            assert total == metric.counts(Pair(added[gold], added[test])).total() | {"tags": total["tags"]}
            assert total == metric.counts(Pair(apart[gold], added[test])).total() | {"tags": total["tags"]}
            assert Dependencies().counts(Pair(apart[gold], apart[test])).total()["matched"] == 2
