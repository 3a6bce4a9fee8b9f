"""Several files for GOLD and TEST, e.g. a file per conversation side, and word alignments of recognised speech."""

from __future__ import annotations

import os
from collections import Counter

from ..helpers.text import visible
from ..values.brief import brief
from ..values.problem import UsageError
from ..values.signature_text import join_signature, split_signature, unquote
from .files import check_standard_input, opened, write

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from .. import _core
    from ..metrics.base import Metric
    from ..metrics.sparseval import Sparseval
    from ..metrics.sparseval_words import WordRow
    from ..place.pair import Pair
    from ..scoring.report import Report


class DocumentFiles:
    """The paired files of GOLD and TEST, and their metrics."""

    def __init__(self, options: argparse.Namespace) -> None:
        if options.word_errors and options.format != "table":
            raise UsageError(f"--word-errors needs -f table, not -f {options.format}")
        self._options = options
        self.gold, self.test = _paired_paths(options)
        check_standard_input([*self.gold, *self.test, options.ci_units])
        #: The metrics of all files, and of each pair if word alignments are given; None: the default metrics.
        self.metrics: list[str] | None = None
        self._own: list[list[str]] = [[] for _ in self.gold]
        for signature in options.metric or ():
            name, values = split_signature(signature)
            alignments = self._alignments(values.get("align"))
            if alignments is None:
                signatures = [signature] * (len(self.gold) + 1)
            else:
                from ..metrics.known_files import remember

                each = [remember(data) for data in [*alignments, b"".join(alignments)]]
                signatures = [join_signature(name, {**values, "align": value}) for value in each]
            self.metrics = [*(self.metrics or ()), signatures[-1]]
            for own, text in zip(self._own, signatures, strict=False):
                own.append(text)
        #: The rows of the word alignment, if requested.
        self._rows: list[WordRow] = []

    def _alignments(self, value: str | None) -> list[bytes] | None:
        """The word alignments of several pairs of files, if a metric names them."""
        if value is None or not os.path.exists(unquote(value)):
            return None
        options, path = self._options, unquote(value)
        if options.lists:
            paths = _read_list(path)
        elif os.path.isdir(path):
            from ..speech.documents import partners

            paths = [partner for _, partner in partners(options.gold, path)]
        elif len(self.gold) == 1:
            return None
        else:
            raise UsageError(f"align: {path} is one file for {len(self.gold):,} pairs of files; name a directory")
        if len(paths) != len(self.gold):
            raise UsageError(f"align: {path} names {len(paths):,} files, and there are {len(self.gold):,} pairs")
        return [_read(path) for path in paths]

    def score(self, pairs: Sequence[Pair], shared: dict[str, str], progress: _core.Progress | None) -> Report:
        """The report on these pairs of treebanks."""
        from ..scoring.document_scores import Documents

        options = self._options
        documents = Documents(pairs, (options.gold, options.test))
        arguments = {"options": shared, "reconcile": options.reconcile}
        choice = documents.choose(self.metrics, **arguments)
        own = [documents.choose(names or None, **arguments).metrics for names in self._own]
        if options.word_errors or options.word_alignment:
            for metrics, pair in zip(own, pairs, strict=True):
                self._rows += _aligning(metrics).word_rows(pair)
        return documents.score(choice, own, threads=options.threads, progress=progress)

    def word_errors(self) -> str:
        """The most frequent word errors of each kind."""
        most = self._options.word_errors or 0
        kinds: dict[str, Counter[str]] = {"substituted": Counter(), "deleted": Counter(), "inserted": Counter()}
        for gold, test, same in self._rows:
            if gold is None:
                kinds["inserted"][visible(brief(test or ""))] += 1
            elif test is None:
                kinds["deleted"][visible(brief(gold))] += 1
            elif not same:
                kinds["substituted"][f"{visible(brief(gold))} → {visible(brief(test))}"] += 1
        lines = []
        for kind, errors in kinds.items():
            common = sorted(errors.items(), key=lambda item: (-item[1], item[0]))[:most]
            listed = ", ".join(word if times == 1 else f"{word} ({times:,})" for word, times in common)
            more = f", and {len(errors) - most:,} more" if len(errors) > most else ""
            if common:
                lines.append(f"{kind}: {listed}{more}\n")
        return "\n" + "".join(lines) if lines else ""

    def write_alignment(self) -> None:
        """Write the word alignments of all files, concatenated."""
        from ..render.word_alignments import sparseval_row

        text = "".join(sparseval_row(gold, test, same) for gold, test, same in self._rows)
        with opened(self._options.word_alignment, [*self.gold, *self.test]) as file:
            write([text], file)


def _paired_paths(options: argparse.Namespace) -> tuple[list[str], list[str]]:
    """The files of each side, in pairs."""
    if options.lists:
        gold, test = _read_list(options.gold), _read_list(options.test)
        if len(gold) != len(test):
            names = f"{options.gold} names {len(gold):,} files and {options.test} {len(test):,}"
            raise UsageError(f"--lists: {names}; both need the same number")
        if not gold:
            raise UsageError(f"--lists: {options.gold} names no files")
    elif os.path.isdir(options.gold) and os.path.isdir(options.test):
        from ..speech.documents import partners

        pairs = partners(options.gold, options.test)
        gold, test = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    else:
        gold, test = [options.gold], [options.test]
    return gold, test


def _read_list(path: str) -> list[str]:
    """The file names in a list."""
    lines = _read(path).decode("utf-8", "surrogateescape").splitlines()
    return [line.strip() for line in lines if line.strip()]


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _aligning(metrics: Sequence[Metric]) -> Sparseval:
    """The first metric that aligns words."""
    from ..metrics.sparseval import BAG, Sparseval

    for metric in metrics:
        if isinstance(metric, Sparseval) and metric.align != BAG and not metric.compat:
            return metric
    advice = "without align:bag and compat:original"
    raise UsageError(f"--word-errors and --word-alignment need a metric that aligns words: -m sparseval, {advice}")
