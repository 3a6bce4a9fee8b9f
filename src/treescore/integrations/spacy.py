"""Scores of parse trees for spaCy pipelines: a registered scorer, and a component for parsers without a scorer.

spaCy imports this module through the package's entry points, when a config names `treescore.constituency.v1` or the
factory `treescore_constituency`.
"""

from __future__ import annotations

from functools import partial

from ..helpers.extras import library
from ..helpers.text import number_of
from ..readers.data_frames import is_missing
from ..readers.shapes import as_items
from ..values.problem import UsageError
from ..values.score import ALL
from .streaming import Scorer, one_metric

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

spacy = library("spacy", "spacy", "treescore.integrations.spacy needs")

_LETTERS = {"f1": "f", "precision": "p", "recall": "r"}
#: spaCy's names of these figures.
_SHORT = {f"{name}{end}": f"{short}{end}" for end in ("", ALL) for name, short in _LETTERS.items()}
_SCORER, _FACTORY = "treescore.constituency.v1", "treescore_constituency"


def score_constituency(
    examples: Iterable[Any],
    *,
    metric: str = "parseval",
    trees: str | Callable[[Any], Any] = "parse_string",
    gold_trees: str | Callable[[Any], Any] | None = None,
    prefix: str = "parse",
    **_: Any,
) -> dict[str, Any]:
    """Score the trees of `Example.predicted` against the trees of `Example.reference`.

    `trees` names the extension attribute with the trees, of each sentence (`Span._.parse_string`, as in benepar) or of
    the document (a list), or is a function from a document to trees; `gold_trees` is the same for the reference, if it
    differs. Sentences are paired by their offsets. A gold sentence that the prediction segments differently has no
    parse, except with the metric aligned_parseval. Documents without any gold tree are counted, not scored.

    Returns `parse_f`, `parse_p` and `parse_r` where the metric has them, `parse_score` (its main figure), other figures
    by name, `parse_coverage`, `parse_failed`, `parse_pairs`, `parse_problems`, `parse_unannotated` (documents), and
    `parse_signature`. Figures that end in `_all`, such as `parse_f_all`, count failed sentences as wrong and should be
    used for model selection. Undefined figures are None. Failed sentences cause a warning.

    >>> from spacy.tokens import Doc
    >>> from spacy.training import Example
    >>> docs = [Doc(spacy.blank("en").vocab, words=["tea", "works"]) for _ in range(2)]
    >>> parses = dict(zip(map(id, docs), ("(S (NP (NN tea)) (VP (VBZ works)))", "(S (NP (NN tea)) (VBZ works))")))
    >>> scores = score_constituency([Example(docs[1], docs[0])], trees=lambda doc: [parses[id(doc)]])
    >>> scores["parse_f"], scores["parse_p"]
    (0.8, 1.0)
    """
    scored_by = one_metric(metric)
    scorer = Scorer(scored_by)
    scorer.update([], [])
    unannotated = 0
    for example in examples:
        gold = _Trees(example.reference, trees if gold_trees is None else gold_trees)
        if all(map(is_missing, gold.values)):
            unannotated += 1
            continue
        test = _Trees(example.predicted, trees)
        scorer.update(gold.values, test.partners(gold) if scored_by.pairs_trees else test.values)
    score = scorer.compute()[scorer.metrics[0].signature]
    shown = {
        "score": score.value,
        **{_SHORT.get(name, name): value for name, value in score.values().items()},
        "pairs": scorer.size,
        "problems": scorer.sentence_problems,
        "unannotated": unannotated,
        "signature": score.signature,
    }
    return {f"{prefix}_{name}": value for name, value in shown.items()}


class _Trees:
    """The trees of a document, with their offsets in its text if known."""

    def __init__(self, doc: Any, where: str | Callable[[Any], Any]) -> None:
        sentences = list(doc.sents) if doc.has_annotation("SENT_START") else [doc[:]]
        if callable(where):
            self.values = as_items(where(doc))
        elif spacy.tokens.Doc.has_extension(where):
            self.values = as_items(getattr(doc._, where) or [])
        elif spacy.tokens.Span.has_extension(where):
            self.values = [_of_sentence(sentence, where) for sentence in sentences]
        else:
            raise UsageError(
                f"neither Span nor Doc has an extension {where!r} for trees: create it with set_extension, or name "
                "another (trees, gold_trees)"
            )
        self.offsets = [_offsets(sentence) for sentence in sentences] if len(self.values) == len(sentences) else None

    def partners(self, gold: _Trees) -> list[Any]:
        """The tree with the same offsets for each gold tree, or None."""
        if not self.values:
            return [None] * len(gold.values)
        if self.offsets is not None and gold.offsets is not None:
            known = dict(zip(self.offsets, self.values, strict=True))
            return [known.get(offsets) for offsets in gold.offsets]
        if len(self.values) == len(gold.values):
            return self.values
        raise UsageError(
            f"{number_of(len(gold.values), 'gold tree')} and {len(self.values):,} of the pipeline, which do not belong "
            "to sentences and cannot be paired; use the metric aligned_parseval"
        )


def _of_sentence(sentence: Any, name: str) -> Any:
    try:
        return getattr(sentence._, name)
    except Exception:  # benepar computes the value, and raises bare exceptions without a parse
        return None


def _offsets(sentence: Any) -> tuple[int, int]:
    """The offsets of a sentence in the text, without surrounding white space."""
    text = sentence.text
    begin = sentence.start_char + len(text) - len(text.lstrip())
    return begin, begin + len(text.strip())


def make_scorer(
    metric: str = "parseval",
    trees: str = "parse_string",
    gold_trees: str | None = None,
    prefix: str = "parse",
) -> Callable[..., dict[str, Any]]:
    """A scorer with these settings, for `@scorers = "treescore.constituency.v1"` in a config."""
    one_metric(metric)
    return partial(score_constituency, metric=metric, trees=trees, gold_trees=gold_trees, prefix=prefix)


class ConstituencyScores:
    """A component that does not change documents, and scores their trees when a pipeline is evaluated."""

    def __init__(self, scorer: Callable[..., dict[str, Any]]) -> None:
        self.scorer = scorer

    def __call__(self, doc: Any) -> Any:
        return doc

    def score(self, examples: Iterable[Any], **options: Any) -> dict[str, Any]:
        """The scores of the trees, by name."""
        return self.scorer(examples, **options)


def make_component(nlp: Any, name: str, scorer: Callable[..., dict[str, Any]]) -> ConstituencyScores:
    """The factory of `nlp.add_pipe("treescore_constituency")`."""
    return ConstituencyScores(scorer)


spacy.registry.scorers(_SCORER)(make_scorer)
spacy.Language.factory(
    _FACTORY,
    default_config={"scorer": {"@scorers": _SCORER}},
    default_score_weights={"parse_f_all": 1.0, "parse_f": 0.0, "parse_p": 0.0, "parse_r": 0.0},
    func=make_component,
)
