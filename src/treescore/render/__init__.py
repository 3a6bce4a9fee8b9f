"""Results as text, in the formats of `output_formats`; nothing here computes a score."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

#: Kinds of results, and the classes of this package that have their contents for the formats.
VIEWS = {
    "Agreement": "agreement.AgreementView",
    "AllProfiles": "all_profiles.AllProfilesView",
    "Breakdown": "breakdowns.BreakdownView",
    "Choice": "nbest.ChoiceView",
    "Curves": "nbest.CurvesView",
    "ErrorAnalysis": "error_classes.ErrorClassesView",
    "HeadedTrees": "headed_trees.HeadedTreesView",
    "PairedResult": "comparisons.PairedResultsView",
    "PhraseMatching": "phrase_matchings.PhraseMatchingView",
    "Report": "reports.ReportView",
    "Rows": "reports.RowsView",
    "SentencePairing": "sentence_pairings.SentencePairingView",
    "Study": "studies.StudyView",
    "Summary": "comparisons.SummaryView",
    "TreePairs": "terminal_trees.TreePairsView",
    "Trees": "terminal_trees.TreesView",
    "Utterances": "word_times.UtterancesView",
    "WhichF1": "all_profiles.WhichF1View",
    "WordAlignment": "word_alignments.WordAlignmentView",
    "WordReport": "word_alignments.WordReportView",
}


def view_of(kind: str) -> Any:
    """The class with the contents of this kind of result."""
    from importlib import import_module

    module, _, name = VIEWS[kind].partition(".")
    return getattr(import_module(f".{module}", __name__), name)


def formats_of(kind: str) -> list[str]:
    """The names of the formats for results of this kind.

    >>> formats_of("Study")
    ['table', 'json', 'csv', 'tsv', 'markdown', 'latex', 'html']
    """
    from .output_formats import OUTPUT_FORMATS

    view = view_of(kind)
    return [name for name, format in OUTPUT_FORMATS.items() if format.content_of(view)]


def check_format(kind: str, form: str, **options: Any) -> None:
    """Refuse a format that cannot hold results of this kind with these options."""
    from ..values.problem import check_choice

    check_choice(form, "the format", formats_of(kind))
    check = getattr(view_of(kind), "check", None)
    if check is not None:
        check(form, **options)


def pieces(kind: str, result: object, form: str, **options: Any) -> Iterator[str]:
    """A result in one of its formats, piece by piece; the options depend on the kind of result."""
    from .output_formats import OUTPUT_FORMATS

    check_format(kind, form, **options)
    format, view = OUTPUT_FORMATS[form], view_of(kind)
    content = format.content_of(view)
    assert content is not None
    yield from format.write(getattr(view(result, **options), content)())


def render(result: object, form: str, **options: Any) -> str:
    """A result in one of its formats."""
    kind = next(base.__name__ for base in type(result).__mro__ if base.__name__ in VIEWS)
    return "".join(pieces(kind, result, form, **options))
