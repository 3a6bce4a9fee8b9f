"""List metrics and profiles, explain or compare signatures, and print citations.

examples:
  treescore info                                          the metrics and profiles
  treescore info profiles                                 a table of the scoring profiles
  treescore info collins                                  explain a profile, with its source
  treescore info 'struct_iou|labels:no'                   explain a signature
  treescore info --options struct_iou                     the options of a metric
  treescore info 'parseval|profile:collins' 'parseval|profile:spmrl'
                                                          compare two signatures
  treescore info --cite struct_iou "study length"         BibTeX entries
  eval "$(treescore info --completion bash)"              completion in this shell

exit code: 0 success, 2 unusable input
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from itertools import chain

from .. import metrics
from .._version import __version__
from ..profiles import PROFILES, PUBLICATIONS, deletions
from ..significance.signatures import explain_interval, explain_reading, explain_test
from ..studies import STUDIES
from ..values.problem import UsageError
from ..values.signature_text import quote, split_signature, without_suffixes
from ..values.suggestions import suggestion
from .completion import SHELLS, candidates, script

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..render.grids import Cell


#: Commands with papers of their own, and the modules that name the papers.
_PAPERS = {
    "agreement": "analysis.annotators.finding",
    "align trees": "analysis.phrase_matching",
    "errors": "analysis.errors.explaining",
    "perturb": "speech.perturb",
} | {f"study {name}": f"studies.{name}" for name in STUDIES}


def add_options(command: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    command.add_argument(
        "topics", nargs="*", metavar="TOPIC", help="profiles, or one or two signatures or profiles to explain"
    )
    command.add_argument(
        "--prm", action="append", default=[], metavar="FILE", help="parameter file that a signature names by its hash"
    )
    command.add_argument(
        "--options", action="store_true", help="list the options of each metric TOPIC: values, defaults, meanings"
    )
    command.add_argument(
        "--cite",
        action="store_true",
        help=f"print BibTeX entries for each TOPIC: a metric, {', '.join(_PAPERS)} (default: all metrics)",
    )
    command.add_argument("--completion", choices=SHELLS, help="print the completion script of a shell")
    command.add_argument("--complete", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)  # for completion scripts


def run(options: argparse.Namespace) -> int:
    """Run the command."""
    for path in options.prm:
        metrics.get(f"parseval|prm:{quote(path)}")
    if options.complete is not None:
        for name, note in candidates(options.complete):
            print(f"{name}\t{note}")
    elif options.completion:
        print(script(options.completion), end="")
    elif options.cite:
        _cite(options.topics or metrics.names())
    elif options.options:
        _list_options(options.topics or metrics.names())
    elif options.topics == ["profiles"]:
        _list_profiles()
    elif options.topics:
        _explain(options.topics)
    else:
        print(f"treescore {__version__}\n\nmetrics: {', '.join(metrics.names())}\n\nprofiles:")
        _list_profiles()
    return 0


def _list_profiles() -> None:
    from ..render.grids import TEXT, Grid

    rows: list[list[Cell]] = []
    for name, recipe in PROFILES.items():
        metric = metrics.get(f"parseval|profile:{name}")
        headline = metric.figures(defaultdict(int))[metric.main].title
        rows.append([name, PUBLICATIONS[name].users, deletions(recipe), recipe.average, headline])
    header = ["profile", "users", "deletions", "average", "headline"]
    print("".join(TEXT([Grid("scoring profiles", header, rows, [], texts=header)])), end="")


def _list_options(topics: Sequence[str]) -> None:
    """Print the options of metrics, with their values in the signature."""
    for topic in topics:
        metric = metrics.get(topic)
        print(f"{metric.signature}\n")
        for option in metric.options:
            value = metric.written(option)
            print(f"  {option.name}: {option.alternatives()}{'' if value is None else f' (default: {value})'}")
            for meaning in option.meanings():
                print(f"      {meaning}")


def _cite(topics: Sequence[str]) -> None:
    """Print the BibTeX entries of treescore and the topics."""
    from importlib import import_module

    from ..metrics.citations import bibtex

    keys = ["treescore"]
    for topic in topics:
        if topic in _PAPERS:
            keys += import_module(f"treescore.{_PAPERS[topic]}").CITES
        else:
            keys += metrics.get(topic).cites
    print(bibtex(keys))


def _explain(topics: Sequence[str]) -> None:
    """Explain a signature, or the difference between two."""
    if len(topics) > 2:
        raise UsageError("one or two signatures can be explained at a time (see: treescore info --help)")
    for topic in topics:
        names = [*metrics.names(), *PROFILES]
        if (name := topic.partition("|")[0]) not in names:
            raise UsageError(f"there is no metric and no profile {name!r}; {suggestion(name, names)}")
    signatures = [f"parseval|profile:{topic}" if topic in PROFILES else topic for topic in topics]
    shown = [metrics.get(signature) for signature in signatures]
    versions = [split_signature(without_suffixes(signature))[1].get("v", __version__) for signature in signatures]
    reading = [explain_reading(signature) for signature in signatures]
    for letter, metric in zip("AB" if len(shown) == 2 else " ", shown, strict=True):
        print(f"{letter}: {metric.signature}".removeprefix(" : "))
    if any(version != __version__ for version in versions):
        print(f"Made by version {' and '.join(versions)}; for changed numbers see the changelog.")
    words = [metric.in_words() for metric in shown]
    if reading[0] != reading[-1]:
        for description, explained in zip(words, reading, strict=True):
            description["llm"] = " ".join(explained) or "trees"
    if len(shown) == 1:
        signature = signatures[0]
        if topics[0] in PROFILES:
            publication = PUBLICATIONS[topics[0]]
            print(f"  {publication.users}; {publication.note}\n  source: {publication.source}\n")
        suffixes = reading[0], explain_test(signature), explain_interval(signature)
        for sentence in dict.fromkeys([*words[0].values(), *chain(*suffixes)]):
            print(f"  {sentence}")
    elif shown[0].name != shown[1].name:
        print(f"\n  A is {shown[0].name}, B is {shown[1].name}: two different measures.")
    else:
        _contrast(*words)


def _contrast(left: dict[str, str], right: dict[str, str]) -> None:
    """Print what differs between the descriptions of two metrics with the same options."""
    differing = [(sentence, right[option]) for option, sentence in left.items() if right[option] != sentence]
    if not differing:
        print("Both are equivalent.")
    for sentence, other in differing:
        print(f"\n  A: {sentence}\n  B: {other}")
