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
    from . import arrow, draw, nbest
    from .alignment import AlignedTrees, Alignments
    from .annotators.finding import agreement
    from .annotators.results import Agreement
    from .breakdowns import Breakdown, breakdown
    from .counts import Counts
    from .dependencies import DependencyBank
    from .errors.finding import ErrorAnalysis, explain_errors
    from .evaluation import Comparison, compare, evaluate
    from .explain import Contribution, Explanation
    from .frameworks import CrossFramework, FunctionTrees, cross_framework
    from .heads.table import HeadTable
    from .integrations.benepar import evalb
    from .integrations.streaming import Scorer
    from .metrics import get as metric
    from .metrics.aligned_parseval import align
    from .metrics.base import Metric, SignatureError
    from .metrics.conllu_eval import conllu_eval
    from .metrics.edits import EditedTrees
    from .metrics.leaf_ancestor import Lineages, leaf_ancestor
    from .metrics.struct_iou import struct_iou
    from .metrics.tedeval import TedevalTrees, tedeval
    from .metrics.tree_distance import tree_distance
    from .pairs import pairwise
    from .place.pair import Pair
    from .place.seconds import place_seconds
    from .place.texts import AlignedTexts
    from .problem import InputError, Problem, TreeSyntaxError, UnequalTreebanks, UsageError
    from .profiles import PROFILES
    from .readers.sources import read
    from .readers.times import read_times
    from .recipe import Recipe
    from .scale.streams import evaluate_stream
    from .score import Part, Score
    from .scoring.report import Report
    from .significance import Interval
    from .speech.perturb import perturb
    from .speech.scoring import evaluate_speech
    from .tree_alignment import TreeAlignment, align_trees
    from .tree_pair import PairNode, TreePair, pair
    from .trees import Span, Tree, Treebank
    from .words.alignment import WordAlignment, WordCounts, align_words, time_align

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
    "CrossFramework",
    "DependencyBank",
    "EditedTrees",
    "ErrorAnalysis",
    "Explanation",
    "FunctionTrees",
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
    "cross_framework",
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
    "Agreement": "annotators.results",
    "AlignedTexts": "place.texts",
    "AlignedTrees": "alignment",
    "Alignments": "alignment",
    "Breakdown": "breakdowns",
    "Comparison": "evaluation",
    "Contribution": "explain",
    "Counts": "counts",
    "CrossFramework": "frameworks",
    "EditedTrees": "metrics.edits",
    "ErrorAnalysis": "errors.finding",
    "Explanation": "explain",
    "FunctionTrees": "frameworks",
    "DependencyBank": "dependencies",
    "HeadTable": "heads.table",
    "InputError": "problem",
    "Interval": "significance",
    "Lineages": "metrics.leaf_ancestor",
    "Metric": "metrics.base",
    "PROFILES": "profiles",
    "Pair": "place.pair",
    "PairNode": "tree_pair",
    "Part": "score",
    "Problem": "problem",
    "Recipe": "recipe",
    "Report": "scoring.report",
    "Score": "score",
    "Scorer": "integrations.streaming",
    "SignatureError": "metrics.base",
    "Span": "trees",
    "TedevalTrees": "metrics.tedeval",
    "Tree": "trees",
    "TreeAlignment": "tree_alignment",
    "TreePair": "tree_pair",
    "TreeSyntaxError": "problem",
    "Treebank": "trees",
    "UnequalTreebanks": "problem",
    "UsageError": "problem",
    "WordAlignment": "words.alignment",
    "WordCounts": "words.alignment",
    "agreement": "annotators.finding",
    "align": "metrics.aligned_parseval",
    "align_trees": "tree_alignment",
    "align_words": "words.alignment",
    "arrow": "arrow",  # the module itself
    "breakdown": "breakdowns",
    "explain_errors": "errors.finding",
    "compare": "evaluation",
    "cross_framework": "frameworks",
    "draw": "draw",  # the package itself
    "conllu_eval": "metrics.conllu_eval",
    "evalb": "integrations.benepar",
    "evaluate": "evaluation",
    "evaluate_speech": "speech.scoring",
    "evaluate_stream": "scale.streams",
    "leaf_ancestor": "metrics.leaf_ancestor",
    "metric": "metrics",
    "nbest": "nbest",  # a package, too
    "pair": "tree_pair",
    "pairwise": "pairs",
    "perturb": "speech.perturb",
    "place_seconds": "place.seconds",
    "read": "readers.sources",
    "read_times": "readers.times",
    "struct_iou": "metrics.struct_iou",
    "tedeval": "metrics.tedeval",
    "time_align": "words.alignment",
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
