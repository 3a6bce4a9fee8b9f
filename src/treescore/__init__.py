"""treescore scores parse trees.

>>> import treescore
>>> report = treescore.evaluate("(S (NP (NN a)) (VP (VB b)))", "(S (NP (NN a) (VB b)))", "parseval|profile:none")
>>> report["parseval"].counts.total()["matched"]
1
"""

from __future__ import annotations

from ._version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from . import draw, nbest
    from .analysis.annotators.finding import agreement
    from .analysis.annotators.results import Agreement
    from .analysis.breakdowns import Breakdown, breakdown
    from .analysis.errors.explaining import ErrorAnalysis, explain_errors
    from .analysis.explain import Contribution, Explanation
    from .analysis.matched_phrases import TreeAlignment, align_trees
    from .analysis.tree_pair import PairNode, TreePair, pair
    from .heads.table import HeadTable
    from .integrations.benepar import evalb
    from .integrations.streaming import Scorer
    from .metrics import get as metric
    from .metrics.aligned_parseval import align
    from .metrics.base import Metric
    from .metrics.edits import EditedTrees
    from .metrics.leaf_ancestor import Lineages, leaf_ancestor
    from .metrics.struct_iou import struct_iou
    from .metrics.tedeval import TedevalTrees, tedeval
    from .metrics.tree_distance import tree_distance
    from .pairing.node_mapping import AlignedTrees, Alignments
    from .pairing.texts import AlignedTexts
    from .pairing.word_alignment import WordAlignment, WordCounts, align_words, time_align
    from .place.pair import Pair
    from .place.seconds import place_seconds
    from .profiles import PROFILES
    from .readers.dependency_bank import DependencyBank
    from .readers.sources import read
    from .readers.times import read_times
    from .recipe import Recipe
    from .scale import arrow
    from .scale.streams import evaluate_stream
    from .scoring.evaluation import Comparison, compare, conllu_eval, evaluate
    from .scoring.pairwise import pairwise
    from .scoring.report import Report
    from .significance import Interval
    from .speech.perturb import perturb
    from .speech.scoring import evaluate_speech
    from .trees import Span, Tree, Treebank
    from .values.counts import Counts
    from .values.problem import InputError, Problem, TreeSyntaxError, UnequalTreebanks, UsageError
    from .values.score import Part, Score
    from .values.signature_text import SignatureError

__all__ = [
    "PROFILES",
    "Agreement",
    "AlignedTexts",
    "AlignedTrees",
    "Alignments",
    "Breakdown",
    "Comparison",
    "Contribution",
    "Counts",
    "DependencyBank",
    "EditedTrees",
    "ErrorAnalysis",
    "Explanation",
    "HeadTable",
    "InputError",
    "Interval",
    "Lineages",
    "Metric",
    "Pair",
    "PairNode",
    "Part",
    "Problem",
    "Recipe",
    "Report",
    "Score",
    "Scorer",
    "SignatureError",
    "Span",
    "TedevalTrees",
    "Tree",
    "TreeAlignment",
    "TreePair",
    "TreeSyntaxError",
    "Treebank",
    "UnequalTreebanks",
    "UsageError",
    "WordAlignment",
    "WordCounts",
    "__version__",
    "agreement",
    "align",
    "align_trees",
    "align_words",
    "arrow",
    "breakdown",
    "compare",
    "conllu_eval",
    "draw",
    "evalb",
    "evaluate",
    "evaluate_speech",
    "evaluate_stream",
    "explain_errors",
    "leaf_ancestor",
    "metric",
    "nbest",
    "pair",
    "pairwise",
    "perturb",
    "place_seconds",
    "read",
    "read_times",
    "struct_iou",
    "tedeval",
    "time_align",
    "tree_distance",
]

_HOMES = {
    "Agreement": "analysis.annotators.results",
    "AlignedTexts": "pairing.texts",
    "AlignedTrees": "pairing.node_mapping",
    "Alignments": "pairing.node_mapping",
    "Breakdown": "analysis.breakdowns",
    "Comparison": "scoring.evaluation",
    "Contribution": "analysis.explain",
    "Counts": "values.counts",
    "EditedTrees": "metrics.edits",
    "ErrorAnalysis": "analysis.errors.explaining",
    "Explanation": "analysis.explain",
    "DependencyBank": "readers.dependency_bank",
    "HeadTable": "heads.table",
    "InputError": "values.problem",
    "Interval": "significance",
    "Lineages": "metrics.leaf_ancestor",
    "Metric": "metrics.base",
    "PROFILES": "profiles",
    "Pair": "place.pair",
    "PairNode": "analysis.tree_pair",
    "Part": "values.score",
    "Problem": "values.problem",
    "Recipe": "recipe",
    "Report": "scoring.report",
    "Score": "values.score",
    "Scorer": "integrations.streaming",
    "SignatureError": "values.signature_text",
    "Span": "trees",
    "TedevalTrees": "metrics.tedeval",
    "Tree": "trees",
    "TreeAlignment": "analysis.matched_phrases",
    "TreePair": "analysis.tree_pair",
    "TreeSyntaxError": "values.problem",
    "Treebank": "trees",
    "UnequalTreebanks": "values.problem",
    "UsageError": "values.problem",
    "WordAlignment": "pairing.word_alignment",
    "WordCounts": "pairing.word_alignment",
    "agreement": "analysis.annotators.finding",
    "align": "metrics.aligned_parseval",
    "align_trees": "analysis.matched_phrases",
    "align_words": "pairing.word_alignment",
    "arrow": "scale.arrow",  # the module itself
    "breakdown": "analysis.breakdowns",
    "explain_errors": "analysis.errors.explaining",
    "compare": "scoring.evaluation",
    "draw": "draw",  # the package itself
    "conllu_eval": "scoring.evaluation",
    "evalb": "integrations.benepar",
    "evaluate": "scoring.evaluation",
    "evaluate_speech": "speech.scoring",
    "evaluate_stream": "scale.streams",
    "leaf_ancestor": "metrics.leaf_ancestor",
    "metric": "metrics",
    "nbest": "nbest",  # a package, too
    "pair": "analysis.tree_pair",
    "pairwise": "scoring.pairwise",
    "perturb": "speech.perturb",
    "place_seconds": "place.seconds",
    "read": "readers.sources",
    "read_times": "readers.times",
    "struct_iou": "metrics.struct_iou",
    "tedeval": "metrics.tedeval",
    "time_align": "pairing.word_alignment",
    "tree_distance": "metrics.tree_distance",
}

#: Those that are modules themselves.
_MODULES = ("arrow", "draw", "nbest")


def __getattr__(name: str) -> object:
    """Public names are imported when they are first used, so that the commands start fast."""
    if name not in _HOMES:
        raise AttributeError(f"module 'treescore' has no attribute {name!r}")
    from importlib import import_module

    module = import_module(f"{__name__}.{_HOMES[name]}")
    value: object = module if name in _MODULES else getattr(module, "get" if name == "metric" else name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
