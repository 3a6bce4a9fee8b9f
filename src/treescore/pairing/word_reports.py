"""The word alignments of two files, with counts and problems."""

from __future__ import annotations

from ..helpers.problem_lines import in_one_line
from ..helpers.showing import rendered
from ..helpers.text import number_of
from ..values.problem import by_code
from ..values.value import Value
from .word_alignment import Matching, WordCounts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..values.problem import Problem
    from ..words.utterance import Utterances
    from .word_alignment import WordAlignment


class WordReport(Value):
    """Word alignments, problems, and the names of both files."""

    alignments: Sequence[WordAlignment]
    problems: Sequence[Problem] = ()
    ref: str | None = None
    hyp: str | None = None

    @property
    def counts(self) -> WordCounts:
        """The sums over all alignments."""
        return sum((alignment.counts for alignment in self.alignments), WordCounts())

    def problem_counts(self) -> dict[str, int]:
        """The number of problems of each kind."""
        return by_code(self.problems)

    def problem_line(self) -> str:
        """The number of problems of each kind in one line."""
        return in_one_line(self.problems)

    def to(self, form: str) -> str:
        """The report as text, pra, sgml, sparseval, tsv or json."""
        return rendered(self, form)

    def __str__(self) -> str:
        return self.to("text")

    def __repr__(self) -> str:
        return f"<WordReport: {number_of(len(self.alignments), 'utterance')}, {self.counts.errors:,} errors>"


def align_utterances(ref: Utterances, hyp: Utterances, matching: Matching | None = None) -> WordReport:
    """Align all corresponding utterances of two files.

    >>> from treescore.readers.transcripts import read_transcripts
    >>> ref, hyp = read_transcripts("a b (s-1)\\nc (s-2)\\n"), read_transcripts("a (s-1)\\nc d (s-2)\\n")
    >>> align_utterances(ref, hyp).counts
    WordCounts(correct=2, substitutions=0, deletions=1, insertions=1)
    """
    from .segments import align_all, pair_utterances

    pairs, unpaired = pair_utterances(ref, hyp)
    alignments, failed = align_all(pairs, matching or Matching(), name=ref.name)
    problems = [*ref.problems, *hyp.problems, *unpaired, *failed]
    return WordReport(alignments, problems=problems, ref=ref.name, hyp=hyp.name)
