"""Trees of the real nltk, stanza, supar and benepar. No model is needed: their classes are filled with known trees."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from integrations.needed import needed
from strategies import TREES, Phrase, Word, write

import treescore
from treescore import read

nltk = needed("nltk")

TREE = "(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)))"
OTHER = "(S (NP (PRP it)) (VP (VBZ snores) (ADVP (RB loudly))))"


def texts(source: Any) -> list[str]:
    """The trees as treescore reads them."""
    return [str(tree) for tree in read(source)]


class TestNltk:
    @given(TREES)
    def test_trees(self, tree: Phrase) -> None:
        bank = read(write(tree).encode())
        result = bank[0].to_nltk()
        assert isinstance(result, nltk.Tree)
        assert read([result]) == bank
        assert read(result) == bank

    def test_corpora_are_read(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(nltk.data, "path", [str(tmp_path)])  # nltk opens files in these folders only
        (tmp_path / "one.mrg").write_text(f"(TOP {TREE})\n(TOP {OTHER})\n")
        corpus = nltk.corpus.BracketParseCorpusReader(str(tmp_path), r".*\.mrg")
        assert texts(corpus.parsed_sents()) == [f"(TOP {TREE})", f"(TOP {OTHER})"]


class TestStanza:
    def of(self, node: Phrase | Word) -> Any:
        kind = needed("stanza.models.constituency.parse_tree").Tree
        if isinstance(node, Word):
            return kind(node.tag or "", [kind(node.text)])
        return kind(node.label, [self.of(child) for child in node.children])

    @given(TREES)
    def test_trees(self, tree: Phrase) -> None:
        assert read([self.of(tree)]) == read(write(tree).encode())
        assert read(self.of(tree)) == read(write(tree).encode())

    def test_its_reader(self) -> None:
        trees = needed("stanza.models.constituency.tree_reader").read_trees(f"(ROOT {TREE})\n(ROOT {OTHER})\n")
        assert texts(trees) == [f"(ROOT {TREE})", f"(ROOT {OTHER})"]

    def test_documents(self) -> None:
        words = [{"id": place, "text": word} for place, word in enumerate(("the", "cat", "sleeps"), 1)]
        document = needed("stanza.models.common.doc").Document([words, words])
        document.sentences[0].constituency = needed("stanza.models.constituency.tree_reader").read_trees(TREE)[0]
        assert texts(document) == texts(document.sentences) == [TREE, "()"]
        assert texts(document.sentences[0]) == [TREE]
        report = treescore.evaluate([TREE, TREE], document)
        assert report.problem_counts() == {"unparsed": 1}


class TestSupar:
    def loaded(self, tmp_path: Path) -> Any:
        fields = needed("supar.utils.field")
        transform = needed("supar.utils.transform").Tree(
            *(fields.RawField(name) for name in ("words", "tags", "trees", "charts"))
        )
        (tmp_path / "trees").write_text(f"{TREE}\n{OTHER}\n")
        return needed("supar.utils.data").Dataset(transform, str(tmp_path / "trees"))

    def test_sentences(self, tmp_path: Path) -> None:
        data = self.loaded(tmp_path)
        assert type(data[0]).__name__ == "TreeSentence"
        assert texts(data[0]) == [TREE]
        assert texts([data[1], data[0]]) == [OTHER, TREE]

    def test_what_predict_returns(self, tmp_path: Path) -> None:
        data = self.loaded(tmp_path)
        assert texts(data) == texts(data.sentences) == texts(data.trees) == [TREE, OTHER]
        data.sentences = []
        assert texts(data) == []

    def test_trees_that_its_decoder_builds(self) -> None:
        transform = needed("supar.utils.transform").Tree
        tree = nltk.Tree.fromstring(f"(TOP {TREE})")
        spans = [(begin, end, label) for begin, end, label in transform.factorize(transform.binarize(tree)[0])]
        built = transform.build(tree, spans)
        assert texts([built]) == [f"(TOP {TREE})"]


class Numbers(dict[str, int]):
    """A number for each name, the next one for a new name."""

    def __missing__(self, name: str) -> int:
        return self.setdefault(name, len(self))


def benepar_parser(trees: Iterable[Any]) -> Any:
    """A parser of benepar's own kind that knows the answers."""
    base = needed("benepar.parse_base")
    abstract: Any = base.BaseParser
    labels, tags = Numbers({"": 0}), Numbers()
    parses = [base.CompressedParserOutput.from_tree(tree, labels, tags) for tree in trees]

    class Parser(abstract):  # type: ignore[misc]
        from_trained = parallelize = encode_and_collate_subbatches = compute_loss = None

        def __init__(self) -> None:
            self.config = {"label_vocab": labels, "tag_vocab": tags}
            self.tag_from_index = {number: tag for tag, number in tags.items()}
            self.decoder = SimpleNamespace(label_from_index={number: label for label, number in labels.items()})

        def parse(self, examples: Iterable[Any], return_compressed: bool = False, **_: Any) -> Iterator[Any]:
            assert return_compressed
            return (parse for _, parse in zip(examples, parses, strict=False))

    return Parser()


@pytest.fixture
def parser(monkeypatch: pytest.MonkeyPatch) -> None:
    """benepar loads known parses for a model."""
    for module in ("nltk_plugin", "spacy_plugin"):
        plugin = needed(f"benepar.integrations.{module}")
        monkeypatch.setattr(
            plugin, "load_trained_model", lambda _: benepar_parser(map(nltk.Tree.fromstring, (TREE, OTHER)))
        )


@pytest.mark.usefixtures("parser")
class TestBenepar:
    def test_its_parser_gives_trees(self) -> None:
        benepar = needed("benepar")
        sentences = [benepar.InputSentence(words=words.split()) for words in ("the cat sleeps", "it snores loudly")]
        result = benepar.Parser("known").parse_sents(sentences)
        assert texts(result) == [f"(TOP {TREE})", f"(TOP {OTHER})"]

    @pytest.fixture
    def nlp(self) -> Any:
        """A spaCy pipeline with benepar's component."""
        needed("benepar")
        nlp = needed("spacy").blank("en")
        nlp.add_pipe("benepar", config={"model": "known"})
        return nlp

    @pytest.fixture
    def doc(self, nlp: Any) -> Any:
        """Two sentences that are not parsed yet."""
        words = ["the", "cat", "sleeps", "it", "snores", "loudly"]
        return needed("spacy").tokens.Doc(nlp.vocab, words=words, sent_starts=[1, 0, 0, 1, 0, 0])

    def test_its_spacy_component_sets_parse_strings(self, nlp: Any, doc: Any) -> None:
        nlp.get_pipe("benepar")(doc)
        assert texts(doc) == texts(list(doc.sents)) == texts(doc.sents) == [TREE, OTHER]
        assert texts(next(doc.sents)) == [TREE]
        assert texts(doc[0:2]) == ["(NP (DT the) (NN cat))"]
        bank = read([doc[0:3], doc[1:3]], on_error="keep")  # the second is no phrase
        assert [problem.unit for problem in bank.problems] == [2]

    def test_what_is_not_parsed_is_a_problem(self, doc: Any) -> None:
        for unparsed in (doc, list(doc.sents)):
            with pytest.raises(treescore.TreeSyntaxError, match="No constituency parse is available"):
                read(unparsed)
        assert [problem.code for problem in read(doc, on_error="keep").problems] == ["unparsed", "unparsed"]

    def test_its_figures(self) -> None:
        """As its training loop asks for them, from its own trees."""
        parsed = list(needed("benepar").Parser("known").parse_sents([["the", "cat", "sleeps"]]))
        assert str(treescore.evalb([f"(TOP {TREE})"], parsed)) == (
            "(Recall=100.00, Precision=100.00, FScore=100.00, CompleteMatch=100.00, TaggingAccuracy=100.00)"
        )
