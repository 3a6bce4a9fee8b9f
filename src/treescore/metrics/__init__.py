"""The registry of metrics: a name and options in, a metric out.

>>> get("parseval|profile:none").signature
'parseval|labels:yes|profile:none|v:0.2.0.dev0'
>>> get("parseval|labels:no|ci:bca|level:0.95|n:1000|seed:1|unit:document") == get("parseval|labels:no")
True
>>> get(get("parseval|labels:no").signature) == get("parseval|labels:no")
True
"""

from __future__ import annotations

from ..recipe import Recipe
from ..values.signature_text import SignatureError, split_signature, without_suffixes
from ..values.suggestions import suggestion
from .base import Metric
from .known_files import consulted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

#: Metrics by name: module and class, imported when asked for.
REGISTRY = {
    "parseval": ("treescore.metrics.parseval", "Parseval"),
    "functions": ("treescore.metrics.functions", "Functions"),
    "struct_iou": ("treescore.metrics.struct_iou", "StructIou"),
    "tree_distance": ("treescore.metrics.tree_distance", "TreeDistance"),
    "aligned_parseval": ("treescore.metrics.aligned_parseval", "AlignedParseval"),
    "character_parseval": ("treescore.metrics.aligned_parseval", "CharacterParseval"),
    "tedeval": ("treescore.metrics.tedeval", "Tedeval"),
    "sparseval": ("treescore.metrics.sparseval", "Sparseval"),
    "leaf_ancestor": ("treescore.metrics.leaf_ancestor", "LeafAncestor"),
    "disfluency": ("treescore.metrics.disfluency", "Disfluency"),
    "boundaries": ("treescore.metrics.boundaries", "Boundaries"),
    "dependencies": ("treescore.metrics.dependencies", "Dependencies"),
    "conllu_eval": ("treescore.metrics.conllu_eval", "ConlluEval"),
}


#: A cache of metrics by signature and extra options, with their names and entries in the registry. Metrics whose
#: options name files are not in it, because files may change.
_kept: dict[tuple[object, ...], tuple[Metric, str, tuple[str, str]]] = {}
_MOST_KEPT = 100


def names() -> list[str]:
    """The names of all metrics."""
    return list(REGISTRY)


def get(metric: str | Metric | Recipe, extra: Mapping[str, str] | None = None) -> Metric:
    """The metric with this signature or recipe; `extra` are values for options that the signature does not contain."""
    if isinstance(metric, Metric):
        return metric
    if isinstance(metric, Recipe):
        from ..profiles import PROFILES
        from .parseval import Parseval

        for name, recipe in PROFILES.items():
            if metric == recipe:
                return Parseval(name)
        plain = Recipe().values()
        return Parseval("none", **{name: value for name, value in metric.values().items() if value != plain[name]})
    key = (metric, *extra.items()) if extra else (metric,)
    kept = _kept.get(key)
    if kept is not None and REGISTRY.get(kept[1]) is kept[2]:
        return kept[0]
    before = consulted()
    parsed = _parsed(metric, extra or {})
    if consulted() == before:
        if len(_kept) >= _MOST_KEPT:
            _kept.clear()
        name = split_signature(without_suffixes(metric))[0]
        _kept[key] = parsed, name, REGISTRY[name]
    return parsed


def left_open(signature: str, extra: Mapping[str, str]) -> dict[str, str]:
    """The options that a signature does not contain. A signature with a version is complete, and taken literally.

    >>> left_open("parseval|labels:no", {"profile": "spmrl"}), left_open("parseval|profile:none", {"profile": "spmrl"})
    ({'profile': 'spmrl'}, {})
    """
    _, options = split_signature(without_suffixes(signature))
    return {} if "v" in options else {name: value for name, value in extra.items() if name not in options}


def is_complete(metric: str | Metric | Recipe) -> bool:
    """Is it a signature with a version, which no extra option changes?"""
    return isinstance(metric, str) and "v" in split_signature(without_suffixes(metric))[1]


def _parsed(signature: str, extra: Mapping[str, str]) -> Metric:
    name, options = split_signature(without_suffixes(signature))
    if name not in REGISTRY:
        raise SignatureError(f"there is no metric {name!r}; {suggestion(name, REGISTRY)}")
    from importlib import import_module

    module, kind = REGISTRY[name]
    metric = getattr(import_module(module), kind).parse({**left_open(signature, extra), **options})
    if not isinstance(metric, Metric):
        raise TypeError(f"{kind} is not a metric")
    return metric
