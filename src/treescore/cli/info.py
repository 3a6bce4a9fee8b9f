"""`treescore info`: what there is, what signatures mean, what to cite, and how shells complete words."""

from __future__ import annotations

from .. import metrics
from .._version import __version__
from ..profiles import PROFILE_NOTES
from ..significance.signatures import explain_interval, explain_test
from ..studies import STUDIES
from ..values.problem import UsageError
from ..values.signature_text import quote, split_signature, without_interval
from ..values.suggestions import suggestion
from .arguments import Parser
from .completion import SCRIPTS, candidates

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_EPILOG = """\
examples:
  treescore info                                          the metrics and profiles
  treescore info profiles                                 the named ways to score brackets
  treescore info collins                                  what a profile means
  treescore info 'struct_iou|labels:no'                   what a signature means
  treescore info --options struct_iou                     the options of a metric, their values and defaults
  treescore info 'parseval|profile:collins' 'parseval|profile:spmrl'
                                                          how two signatures differ
  treescore info --cite struct_iou "study length"         BibTeX entries
  eval "$(treescore info --completion bash)"              completion in this shell

exit code: 0 fine, 2 unusable input"""

#: Commands that are about papers of their own, and the modules that say which.
_PAPERS = {
    "agreement": "analysis.annotators.finding",
    "align trees": "analysis.phrase_matching",
    "errors": "analysis.errors.explaining",
    "perturb": "speech.perturb",
} | {f"study {name}": f"studies.{name}" for name in STUDIES}


def parser() -> Parser:
    """The arguments of the command."""
    command = Parser("info", "Show what there is, what a signature means or how two differ, and what to cite.", _EPILOG)
    command.add_argument(
        "topics", nargs="*", metavar="TOPIC", help="profiles, or one or two signatures or profiles to be explained"
    )
    command.add_argument(
        "--prm", action="append", default=[], metavar="FILE", help="a parameter file that a signature names by its hash"
    )
    command.add_argument(
        "--options", action="store_true", help="list the options of each TOPIC, a metric: values, defaults, meanings"
    )
    command.add_argument(
        "--cite",
        action="store_true",
        help="print what to cite as BibTeX, for each TOPIC: a metric, or one of: "
        f"{', '.join(_PAPERS)} (default: all metrics)",
    )
    command.add_argument("--completion", choices=SCRIPTS, help="print the completion script of a shell")
    return command


def main(words: Sequence[str]) -> int:
    """Run the command."""
    if words[:1] == ["--complete"]:  # a completion script asks
        for name, note in candidates(words[1:]):
            print(f"{name}\t{note}")
        return 0
    options = parser().parse_args(words)
    for path in options.prm:
        metrics.get(f"parseval|prm:{quote(path)}")
    if options.completion:
        print(SCRIPTS[options.completion], end="")
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
    width = max(map(len, PROFILE_NOTES))
    for name, note in PROFILE_NOTES.items():
        print(f"{name:{width}}  {note}")


def _list_options(topics: Sequence[str]) -> None:
    """Print the options of metrics, with the values that their signatures give them."""
    for topic in topics:
        metric = metrics.get(topic)
        print(f"{metric.signature}\n")
        for option in metric.options:
            value = metric.written(option)
            print(f"  {option.name}: {option.alternatives()}{'' if value is None else f' (default: {value})'}")
            for meaning in option.meanings():
                print(f"      {meaning}")


def _cite(topics: Sequence[str]) -> None:
    """Print the BibTeX entries of treescore and of what is named."""
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
        known = [*metrics.names(), *PROFILE_NOTES]
        if (name := topic.partition("|")[0]) not in known:
            raise UsageError(f"there is no metric and no profile {name!r}; {suggestion(name, known)}")
    signatures = [f"parseval|profile:{topic}" if topic in PROFILE_NOTES else topic for topic in topics]
    explained = [metrics.get(signature) for signature in signatures]
    versions = [split_signature(without_interval(signature))[1].get("v", __version__) for signature in signatures]
    for letter, metric in zip("AB" if len(explained) == 2 else " ", explained, strict=True):
        print(f"{letter}: {metric.signature}".removeprefix(" : "))
    if any(version != __version__ for version in versions):
        print(f"Made by version {' and '.join(versions)}; the changelog says whether numbers changed since.")
    words = [metric.in_words() for metric in explained]
    if len(explained) == 1:
        signature = signatures[0]
        for sentence in dict.fromkeys([*words[0].values(), *explain_test(signature), *explain_interval(signature)]):
            print(f"  {sentence}")
    elif explained[0].name != explained[1].name:
        print(f"\n  A is {explained[0].name}, B is {explained[1].name}: two different measures.")
    else:
        _contrast(*words)


def _contrast(left: dict[str, str], right: dict[str, str]) -> None:
    """Print what differs between the descriptions of two metrics with the same options."""
    differing = [(sentence, right[option]) for option, sentence in left.items() if right[option] != sentence]
    if not differing:
        print("Both count the same.")
    for sentence, other in differing:
        print(f"\n  A: {sentence}\n  B: {other}")
