"""treescore scores parse trees.

>>> import treescore
>>> report = treescore.evaluate("(S (NP (NN a)) (VP (VB b)))", "(S (NP (NN a) (VB b)))", "parseval|profile:none")
>>> report["parseval"].counts.total()["matched"]
1
"""

from __future__ import annotations

import sys

from ._version import __version__

if getattr(sys.flags, "gil", 1) == 0:
    raise ImportError("treescore needs Python's global interpreter lock: run Python without -X gil=0 and PYTHON_GIL=0")

TYPE_CHECKING = False
if TYPE_CHECKING:
    from . import draw as draw, nbest as nbest
    from .analysis import series as series
    from .analysis.annotators.finding import agreement as agreement
    from .analysis.annotators.results import Agreement as Agreement
    from .analysis.breakdowns import Breakdown as Breakdown, breakdown as breakdown
    from .analysis.errors.explaining import ErrorAnalysis as ErrorAnalysis, explain_errors as explain_errors
    from .analysis.explain import Contribution as Contribution, Explanation as Explanation
    from .analysis.phrase_matching import PhraseMatching as PhraseMatching, align_trees as align_trees
    from .analysis.tree_pair import PairNode as PairNode, TreePair as TreePair, pair as pair
    from .heads.table import HeadTable as HeadTable
    from .integrations.benepar import evalb as evalb
    from .integrations.rewards import rewards as rewards
    from .integrations.streaming import Scorer as Scorer
    from .metrics import get
    from .metrics.aligned_parseval import align_sentences as align_sentences
    from .metrics.base import Metric as Metric
    from .metrics.edits import EditedTrees as EditedTrees
    from .metrics.leaf_ancestor import Lineages as Lineages, leaf_ancestor as leaf_ancestor
    from .metrics.struct_iou import struct_iou as struct_iou
    from .metrics.tedeval import TedevalTrees as TedevalTrees, tedeval as tedeval
    from .metrics.tree_distance import tree_distance as tree_distance
    from .page.build import Page as Page
    from .pairing.node_mapping import MappedTrees as MappedTrees, NodeMappings as NodeMappings
    from .pairing.sentence_pairing import SentencePairing as SentencePairing
    from .pairing.word_alignment import (
        WordAlignment as WordAlignment,
        WordCounts as WordCounts,
        align_words as align_words,
        time_align as time_align,
    )
    from .place.pair import Pair as Pair
    from .place.seconds import place_seconds as place_seconds
    from .profiles import PROFILES as PROFILES
    from .readers.completions.completion import Completion as Completion
    from .readers.completions.completion_list import Completions as Completions
    from .readers.completions.reading import read_completions as read_completions
    from .readers.dependency_bank import DependencyBank as DependencyBank
    from .readers.sources import read as read
    from .readers.times import read_times as read_times
    from .recipe import Recipe as Recipe
    from .scale import arrow as arrow
    from .scale.streams import evaluate_stream as evaluate_stream
    from .scoring.causes import Cause as Cause, Causes as Causes
    from .scoring.evaluation import (
        Comparison as Comparison,
        compare as compare,
        conllu_eval as conllu_eval,
        evaluate as evaluate,
    )
    from .scoring.pairwise import pairwise as pairwise
    from .scoring.report import Report as Report
    from .significance import Interval as Interval
    from .speech.perturb import perturb as perturb
    from .speech.scoring import evaluate_speech as evaluate_speech
    from .trees import Span as Span, Tree as Tree, Treebank as Treebank
    from .values.counts import Counts as Counts
    from .values.problem import (
        InputError as InputError,
        Problem as Problem,
        TreeSyntaxError as TreeSyntaxError,
        UnequalTreebanks as UnequalTreebanks,
        UsageError as UsageError,
    )
    from .values.score import Part as Part, Score as Score
    from .values.signature_text import SignatureError as SignatureError
    from .words.splitting import split_words as split_words

    metric = get

#: The public names by the module that defines them; docs/stability.md lists them.
_PUBLIC = {
    "analysis.annotators.finding": ("agreement",),
    "analysis.annotators.results": ("Agreement",),
    "analysis.breakdowns": ("Breakdown", "breakdown"),
    "analysis.errors.explaining": ("ErrorAnalysis", "explain_errors"),
    "analysis.explain": ("Contribution", "Explanation"),
    "analysis.phrase_matching": ("PhraseMatching", "align_trees"),
    "analysis.series": ("series",),
    "analysis.tree_pair": ("PairNode", "TreePair", "pair"),
    "draw": ("draw",),
    "heads.table": ("HeadTable",),
    "integrations.benepar": ("evalb",),
    "integrations.rewards": ("rewards",),
    "integrations.streaming": ("Scorer",),
    "metrics": ("metric",),
    "metrics.aligned_parseval": ("align_sentences",),
    "metrics.base": ("Metric",),
    "metrics.edits": ("EditedTrees",),
    "metrics.leaf_ancestor": ("Lineages", "leaf_ancestor"),
    "metrics.struct_iou": ("struct_iou",),
    "metrics.tedeval": ("TedevalTrees", "tedeval"),
    "metrics.tree_distance": ("tree_distance",),
    "nbest": ("nbest",),
    "page.build": ("Page",),
    "pairing.node_mapping": ("MappedTrees", "NodeMappings"),
    "pairing.sentence_pairing": ("SentencePairing",),
    "pairing.word_alignment": ("WordAlignment", "WordCounts", "align_words", "time_align"),
    "place.pair": ("Pair",),
    "place.seconds": ("place_seconds",),
    "profiles": ("PROFILES",),
    "readers.completions.completion": ("Completion",),
    "readers.completions.completion_list": ("Completions",),
    "readers.completions.reading": ("read_completions",),
    "readers.dependency_bank": ("DependencyBank",),
    "readers.sources": ("read",),
    "readers.times": ("read_times",),
    "recipe": ("Recipe",),
    "scale.arrow": ("arrow",),
    "scale.streams": ("evaluate_stream",),
    "scoring.causes": ("Cause", "Causes"),
    "scoring.evaluation": ("Comparison", "compare", "conllu_eval", "evaluate"),
    "scoring.pairwise": ("pairwise",),
    "scoring.report": ("Report",),
    "significance": ("Interval",),
    "speech.perturb": ("perturb",),
    "speech.scoring": ("evaluate_speech",),
    "trees": ("Span", "Tree", "Treebank"),
    "values.counts": ("Counts",),
    "values.problem": ("InputError", "Problem", "TreeSyntaxError", "UnequalTreebanks", "UsageError"),
    "values.score": ("Part", "Score"),
    "values.signature_text": ("SignatureError",),
    "words.splitting": ("split_words",),
}
_HOMES = {name: module for module, names in _PUBLIC.items() for name in names}
#: Public names of modules.
_MODULES = ("arrow", "draw", "nbest", "series")

__all__ = ["__version__", *_HOMES]


def __getattr__(name: str) -> object:
    """Import a public name when it is first used, so that commands start fast."""
    if name not in _HOMES:
        raise AttributeError(f"module 'treescore' has no attribute {name!r}")
    from importlib import import_module

    module = import_module(f"{__name__}.{_HOMES[name]}")
    value: object = module if name in _MODULES else getattr(module, "get" if name == "metric" else name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
