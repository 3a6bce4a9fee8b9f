"""The scorer in the real spaCy: blank pipelines, with trees in extensions of their sentences and documents."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from integrations.needed import needed

import treescore

spacy = needed("spacy")
training = needed("spacy.training")

from treescore.integrations.spacy import make_scorer, score_constituency  # noqa: E402

WORDS = ["the", "cat", "sleeps", ".", "it", "snores", "."]
FIRST = "(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)) (. .))"
WRONG = "(S (DT the) (NP (NN cat)) (VP (VBZ sleeps)) (. .))"
SECOND = "(S (NP (PRP it)) (VP (VBZ snores)) (. .))"
BOTH = f"(X {FIRST} {SECOND})"
NLP = spacy.blank("en")


@pytest.fixture(autouse=True)
def extensions() -> Iterator[None]:
    """Trees of sentences and of documents."""
    spacy.tokens.Span.set_extension("tree", default=None)
    spacy.tokens.Doc.set_extension("trees", default=None)
    yield
    spacy.tokens.Span.remove_extension("tree")
    spacy.tokens.Doc.remove_extension("trees")


def doc(*trees: str | None, starts: tuple[int, ...] = (0, 4), words: list[str] = WORDS) -> Any:
    """A document with trees over its sentences."""
    result = spacy.tokens.Doc(NLP.vocab, words=words, sent_starts=[place in starts for place in range(len(words))])
    for sentence, tree in zip(result.sents, trees, strict=False):
        sentence._.tree = tree
    return result


def example(predicted: Any, reference: Any) -> Any:
    return training.Example(predicted, reference)


def test_the_same_as_evaluate() -> None:
    examples = [example(doc(WRONG, SECOND), doc(FIRST, SECOND)), example(doc(FIRST, None), doc(FIRST, SECOND))]
    scores = score_constituency(examples, trees="tree")
    report = treescore.evaluate([FIRST, SECOND, FIRST, SECOND], [WRONG, SECOND, FIRST, None])
    parts = report["parseval"].parts
    assert (scores["parse_f"], scores["parse_p"], scores["parse_r"]) == (
        parts["f1"],
        parts["precision"],
        parts["recall"],
    )
    assert scores["parse_score"] == scores["parse_f"] == pytest.approx(8 / 9)
    assert scores["parse_exact"] == parts["exact"]
    assert (scores["parse_pairs"], scores["parse_problems"], scores["parse_unannotated"]) == (4, 1, 0)
    assert scores["parse_signature"] == report["parseval"].signature


def test_sentences_are_paired_by_their_places() -> None:
    cut_early = doc("(S (NP (DT the) (NN cat)))", "(X (VBZ sleeps) (. .))", SECOND, starts=(0, 2, 4))
    scores = score_constituency([example(cut_early, doc(FIRST, SECOND))], trees="tree")
    assert (scores["parse_f"], scores["parse_pairs"], scores["parse_problems"]) == (1.0, 2, 1)
    assert (scores["parse_r_all"], scores["parse_failed"], scores["parse_coverage"]) == (0.5, 1, 0.5)


def test_other_sentences_can_be_aligned() -> None:
    examples = [example(doc(BOTH, starts=(0,)), doc(FIRST, SECOND))]
    assert score_constituency(examples, trees="tree")["parse_f"] is None
    scores = score_constituency(examples, trees="tree", metric="aligned_parseval")
    report = treescore.evaluate([FIRST, SECOND], [BOTH], "aligned_parseval")
    assert scores["parse_f"] == report["aligned_parseval"].value
    assert scores["parse_r"] == 1.0


def test_other_words_can_be_aligned() -> None:
    words = ["the", "cat", "sleeps.", "it", "snores", "."]
    joined = doc("(S (NP (DT the) (NN cat)) (VP (VBZ sleeps.)))", SECOND, starts=(0, 3), words=words)
    reference = spacy.tokens.Doc(
        NLP.vocab, words=WORDS, spaces=[True, True, False, True, True, True, False], sent_starts=[1, 0, 0, 0, 1, 0, 0]
    )
    for sentence, tree in zip(reference.sents, (FIRST, SECOND), strict=True):
        sentence._.tree = tree
    plain = score_constituency([example(joined, reference)], trees="tree")
    assert (plain["parse_pairs"], plain["parse_problems"]) == (2, 1)
    assert score_constituency([example(joined, reference)], trees="tree", metric="aligned_parseval")["parse_f"] > 0.5


def test_trees_of_documents_and_functions() -> None:
    reference, predicted = doc(), doc(WRONG, SECOND)
    reference._.trees = [FIRST, SECOND]
    scores = score_constituency([example(predicted, reference)], trees="tree", gold_trees="trees")
    assert scores["parse_f"] == pytest.approx(5 / 6)
    known = {id(reference): [FIRST, SECOND], id(predicted): [FIRST, SECOND]}
    by_function = score_constituency([example(predicted, reference)], trees=lambda result: known[id(result)])
    assert by_function["parse_f"] == 1.0
    reference._.trees = [BOTH]
    with pytest.raises(treescore.UsageError, match="1 gold tree and 2 of the pipeline"):
        score_constituency([example(predicted, reference)], trees="tree", gold_trees="trees")
    aligned = score_constituency(
        [example(predicted, reference)], trees="tree", gold_trees="trees", metric="aligned_parseval"
    )
    assert aligned["parse_p"] > 0.5


def test_documents_without_sentences_are_one() -> None:
    bare = spacy.tokens.Doc(NLP.vocab, words=WORDS[:4])
    bare[:]._.tree = FIRST
    assert score_constituency([example(bare, doc(FIRST, starts=(0,), words=WORDS[:4]))], trees="tree")["parse_f"] == 1.0


def test_without_gold_nothing_is_defined() -> None:
    empty = spacy.tokens.Doc(NLP.vocab)
    examples = [example(doc(FIRST, SECOND), doc()), example(empty, empty.copy())]
    scores = score_constituency(examples, trees="tree")
    assert (scores["parse_f"], scores["parse_score"], scores["parse_unannotated"]) == (None, None, 2)
    assert score_constituency([], trees="tree")["parse_f"] is None


def test_wrong_use() -> None:
    with pytest.raises(treescore.UsageError, match="neither Span nor Doc has an extension 'nonsense'"):
        score_constituency([example(doc(), doc())], trees="nonsense")
    with pytest.raises(treescore.UsageError, match="there is no metric 'nonsense'"):
        make_scorer(metric="nonsense")


def test_in_a_pipeline(tmp_path: Path) -> None:
    """A component that parses, and one that scores what it parsed; also from a config on disk."""

    def parse(result: Any) -> Any:
        for sentence, tree in zip(result.sents, (WRONG, SECOND), strict=True):
            sentence._.tree = tree
        return result

    spacy.Language.component("treescore_test_parser", func=parse)
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    nlp.add_pipe("treescore_test_parser")
    settings = {"@scorers": "treescore.constituency.v1", "trees": "tree", "prefix": "tree"}
    nlp.add_pipe("treescore_constituency", config={"scorer": settings})
    nlp.to_disk(tmp_path)
    for pipeline in (nlp, spacy.load(tmp_path)):
        report = pipeline.evaluate([example(pipeline.make_doc(" ".join(WORDS)), doc(FIRST, SECOND))])
        assert report["tree_f"] == pytest.approx(5 / 6)
        assert report["sents_f"] == 1.0


def test_entry_points() -> None:
    """spaCy finds the scorer and the factory by itself where the package is installed."""
    from importlib.metadata import PackageNotFoundError, entry_points, version

    try:
        version("treescore")
    except PackageNotFoundError:
        pytest.skip("treescore is not installed, only on the path")
    for group, name in (("spacy_scorers", "treescore.constituency.v1"), ("spacy_factories", "treescore_constituency")):
        assert callable(entry_points(group=group)[name].load())
