"""Pairs of small files, each with one difficulty. All sentences are invented."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from treescore import Metric

#: A tree on each line; None is a sentence without a tree.
Rows = Sequence[str | None]


@dataclass(frozen=True, eq=False)
class FilePair:
    """A gold file and a test file, and what is known about them.

    `rows` says whether each line is a pair of trees by itself, so that the pair can be given as lists or columns.
    `headline` is the beginning of the signature that must be chosen where no metric is named, and `axis` the axis that
    must be chosen where a signature leaves it open.
    """

    name: str
    gold: Rows = field(repr=False)
    test: Rows = field(repr=False)
    rows: bool = True
    layout: str = "auto"
    has_names: bool = False
    reads: str = "trees"
    #: How columns are told to read trees, as nothing is detected from other rows there.
    form: str = "auto"
    timed: bool = False
    #: Have both sides of every sentence a tree over the same words?
    all_compared: bool = False
    headline: str = "parseval|labels:yes|profile:collins|"
    axis: str = "words"
    #: The score that must be reported as a second one where no metric is named.
    second: str | None = None
    #: A word of the remark that must be made where no metric is named.
    remark: str | None = None

    @property
    def has_equal_numbers(self) -> bool:
        """Has each gold tree a test tree, at the same place or of the same name?"""
        return self.has_names or len(self.gold) == len(self.test)

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Written:
    """A pair whose files are in a folder: `gold` and `test` are their names there."""

    pair: FilePair
    folder: Path
    gold: str = "gold.mrg"
    test: str = "test.mrg"

    @property
    def paths(self) -> tuple[Path, Path]:
        """Where the two files are."""
        return self.folder / self.gold, self.folder / self.test

    @property
    def texts(self) -> tuple[str, str]:
        """What is in the two files."""
        gold, test = (path.read_text(encoding="utf-8") for path in self.paths)
        return gold, test

    @property
    def arguments(self) -> list[str]:
        """Both files on a command line, and how they are read."""
        return [self.gold, self.test, *self.reading]

    @property
    def reading(self) -> list[str]:
        """How the files are read, on a command line."""
        return [] if self.pair.layout == "auto" else ["--layout", self.pair.layout]


def write(pair: FilePair, folder: Path) -> Written:
    """Write both files into a new folder."""
    folder.mkdir()
    written = Written(pair, folder)
    for path, rows in zip(written.paths, (pair.gold, pair.test), strict=True):
        missing = "" if pair.layout == "line" else "()"
        path.write_text("".join(f"{missing if row is None else row}\n" for row in rows), encoding="utf-8")
    return written


def can_handle(metric: Metric, pair: FilePair) -> bool:
    """Can the metric score this pair, by what it declares? No other function here reads such declarations of a pair."""
    if metric.reads != pair.reads:
        return False
    if metric.pairs_trees and not pair.has_equal_numbers:
        return False
    return pair.timed or not metric.needs_times


# ---------------------------------------------------------------------------------------------------------------------
# Sentences

GOLD = (
    "(TOP (S (NP-SBJ (DT The) (NN miller)) (VP (VBD ground) (NP (DT the) (JJ dry) (NN corn))) (. .)))",
    "(TOP (S (NP-SBJ (PRP She)) (VP (VBD asked) (SBAR (WHADVP-TMP (WRB when)) "
    "(S (NP-SBJ (DT the) (NN ferry)) (VP (VBZ leaves))))) (. .)))",
    "(TOP (S (PP-TMP (IN In) (NP (NNP June))) (, ,) (NP-SBJ (NNS swallows)) "
    "(VP (VBP nest) (PP-LOC (IN under) (NP (DT the) (NN roof)))) (. .)))",
    "(TOP (SINV (`` ``) (S-TPC (NP-SBJ (PRP We)) (VP (VBP know))) (, ,) ('' '') (VP (VBD said)) "
    "(NP-SBJ (DT the) (NN clerk)) (. .)))",
    "(TOP (S (NP-SBJ (NP (DT the) (NNS keys)) (PP (IN of) (NP (DT the) (NN barn)))) "
    "(VP (VBD were) (VP (VBN lost))) (. .)))",
    "(TOP (FRAG (ADVP (RB Never)) (ADVP (RB again)) (. !)))",
    "(TOP (S (EDITED (NP-SBJ (DT the))) (NP-SBJ (DT the) (NN boat)) (VP (VBZ leaks)) (. .)))",
    "(TOP (S (NP-SBJ (DT A) (NN letter)) (VP (VBD came) (PP-TMP (IN on) (NP (NNP Monday)))) (. .)))",
)

TEST = (
    "(TOP (S (NP-SBJ (DT The) (NN miller)) (VP (VBD ground) (NP (DT the) (JJ dry)) (NP (NN corn))) (. .)))",
    "(TOP (S (NP-SBJ (PRP She)) (VP (VBD asked) (SBAR (WHADVP (WRB when)) "
    "(S (NP (DT the) (NN ferry)) (VP (VBZ leaves))))) (. .)))",
    "(TOP (S (PP (IN In) (NP (NNP June))) (, ,) (NP-SBJ (NNS swallows)) "
    "(VP (VBP nest)) (PP-LOC (IN under) (NP (DT the) (NN roof))) (. .)))",
    "(TOP (S (`` ``) (S (NP (PRP We)) (VP (VBP know))) (, ,) ('' '') (VP (VBD said) (NP (DT the) (NN clerk))) (. .)))",
    "(TOP (S (NP-SBJ (DT the) (NNS keys)) (PP (IN of) (NP (DT the) (NN barn))) (VP (VBD were) (VP (VBN lost))) (. .)))",
    "(TOP (FRAG (ADVP (RB Never) (RB again)) (. !)))",
    "(TOP (S (NP-SBJ (DT the)) (NP-SBJ (DT the) (NN boat)) (VP (VBZ leaks)) (. .)))",
    "(TOP (S (NP-SBJ (DT A) (NN letter)) (VP (VBD came) (PP-LOC (IN on) (NP (NNP Monday)))) (. .)))",
)


def _with(rows: Rows, *changes: tuple[int, str | None]) -> list[str | None]:
    """The rows with others at these places."""
    changed = list(rows)
    for place, row in changes:
        changed[place] = row
    return changed


# ---------------------------------------------------------------------------------------------------------------------
# Pairs of trees

_BRACKETED = (
    "(TOP (S (NP-SBJ (NP (DT The) (NN list)) (PRN (-LRB- [) (CD 3) (-RRB- ]))) (VP (VBZ ends)) (. .)))",
    "(TOP (S (NP-SBJ (PRP It)) (VP (VBZ stays) (ADJP (JJ open) (PRN (-LRB- [) (RB sic) (-RRB- ])))) (. .)))",
)


def _escaped(row: str) -> str:
    return row.replace(" [)", " -LSB-)").replace(" ])", " -RSB-)")


CLEAN = FilePair("clean", GOLD, TEST, all_compared=True)

DIFFERENT_WORDS = FilePair(
    "different words",
    [*GOLD, *_BRACKETED],
    [*_with(TEST, (7, TEST[7].replace("letter", "ladder"))), *map(_escaped, _BRACKETED)],
    second="aligned_parseval|labels:yes|profile:collins|",
)

MISSING = FilePair("missing trees", GOLD, _with(TEST, (1, None), (4, None)), layout="line")

MISSING_GOLD = FilePair("missing gold tree", _with(GOLD, (5, None)), _with(TEST, (1, None)), layout="line")

GARBAGE = FilePair(
    "garbage",
    _with(GOLD, (6, "(TOP (S (NP (NN kept) (VP")),
    _with(TEST, (0, "no tree here"), (3, "(TOP (S (NP (NN too) (NN many)))))"), (5, ") [] {} (")),
)

TRUNCATED = FilePair("truncated", GOLD, _with(TEST, (7, TEST[7][:40])))

EMPTY = FilePair("empty trees", _with(GOLD, (2, "(TOP )")), _with(TEST, (0, "()"), (1, "(())"), (6, "(TOP ())")))

NOTHING_PARSED = FilePair("nothing parsed", GOLD, ["()" for _ in TEST])

PUNCTUATION_ONLY = FilePair(
    "nothing but punctuation",
    _with(GOLD, (2, "(TOP (FRAG (: --) (. .)))")),
    _with(TEST, (2, "(TOP (FRAG (: --)) (. .))"), (5, "(TOP (FRAG (: Never) (: again) (. !)))")),
)

OTHER_TAGS = FilePair(
    "tags that delete other words",
    GOLD,
    _with(TEST, (0, TEST[0].replace("(. .)", "(SYM .)")), (7, TEST[7].replace("(DT A)", "(: A)"))),
)

OUTER = FilePair(
    "different outer brackets",
    [row.replace("(TOP ", "(ROOT ", 1) for row in GOLD],
    [
        row.replace("(TOP ", "(S1 ", 1) if place % 3 else row.removeprefix("(TOP ").removesuffix(")")
        for place, row in enumerate(TEST)
    ],
    all_compared=True,
)

TIMED = FilePair(
    "timed",
    [
        "(S (NP (DT 0.10-0.25) (NN 0.25-0.60)) (VP (VBZ 0.70-1.05)))",
        "(S (NP (PRP 0.05-0.30)) (VP (VBD 0.30-0.75) (PP (IN 0.80-0.95) (NP (NN 0.95-1.40)))))",
        "(FRAG (ADVP (RB 0.2-0.5) (RB 0.5-0.9)))",
    ],
    [
        "(S (NP (DT 0.10-0.28) (NN 0.28-0.60)) (VP (VBZ 0.72-1.05)))",
        "(S (NP (PRP 0.05-0.30)) (VP (VBD 0.30-0.75)) (PP (IN 0.80-1.40)))",
        "(FRAG (ADVP (RB 0.2-0.4)) (ADVP (RB 0.6-0.9)))",
    ],
    form="spans",
    timed=True,
    headline="struct_iou|",
    axis="seconds",
)

TIMED_LISTS = FilePair(
    "timed in JSON lines",
    [
        '{"id": "u1", "tree": ["S", [["NP", [["DT", 0.1, 0.3], ["NN", 0.3, 0.8]]], ["VP", [["VBZ", 0.9, 1.5]]]]]}',
        '{"id": "u2", "tree": ["FRAG", [["RB", 0.2, 0.5], ["RB", 0.5, 0.9]]]}',
        '{"id": "u3", "tree": ["S", [["NP", [["PRP", 0.0, 0.4]]], ["VP", [["VBD", 0.4, 1.1]]]]]}',
    ],
    [
        '{"id": "u3", "tree": ["S", [["NP", [["PRP", 0.0, 0.4]]], ["NP", [["VBD", 0.4, 1.0]]]]]}',
        '{"id": "u1", "tree": ["S", [["NP", [["DT", 0.1, 0.8]]], ["VP", [["VBZ", 0.9, 1.4]]]]]}',
        '{"id": "u2", "tree": ["FRAG", [["RB", 0.2, 0.9]]]}',
    ],
    rows=False,
    timed=True,
    headline="struct_iou|",
    axis="seconds",
)

TIMED_ON_ONE_SIDE = FilePair(
    "timed on one side",
    [
        "(S (NP (DT the) (NN hen)) (VP (VBZ sits)))",
        "(S (NP (PRP it)) (VP (VBD went) (PP (IN by) (NP (NN boat)))))",
        "(FRAG (ADVP (RB not) (RB yet)))",
    ],
    TIMED.test,
    rows=False,
    remark="time",
)

TIMED_IN_PART = FilePair(
    "timed in part",
    [*TIMED_LISTS.gold, '{"id": "u4", "tree": "(S (NP (NN rain)) (VP (VBD fell)))"}'],
    [*TIMED_LISTS.test, '{"id": "u4", "tree": "(S (NP (NN rain)) (NP (VBD fell)))"}'],
    rows=False,
    remark="time",
)

DISCONTINUOUS = FilePair(
    "discontinuous",
    [
        "(S (VP (PRN 0=Darüber) (VVPP 3=gesprochen)) (VAFIN 1=wird) (NP (ADV 2=viel)))",
        "(S (NP (ART 0=Der) (NN 1=Mann)) (VVFIN 2=singt))",
        "(S (VP (WRB 0=wie) (VVINF 3=kochen)) (NP (PPER 1=sie)) (VMFIN 2=will))",
    ],
    [
        "(S (PRN 0=Darüber) (VP (VVPP 3=gesprochen) (VAFIN 1=wird)) (NP (ADV 2=viel)))",
        "(S (NP (ART 0=Der) (NN 1=Mann)) (VVFIN 2=singt))",
        "(S (VP (WRB 0=wie) (NP (PPER 1=sie)) (VMFIN 2=will)) (VVINF 3=kochen))",
    ],
)

SINGLE = FilePair("single sentence", GOLD[:1], TEST[:1], all_compared=True)

NAMED = FilePair(
    "names in another order",
    [f"s{place}\t{row}" for place, row in enumerate(GOLD)],
    [f"s{place}\t{TEST[place]}" for place in (3, 0, 1, 2, 7, 5, 4)],
    has_names=True,
    rows=False,
)

OTHER_NUMBERS = FilePair(
    "different numbers of trees",
    GOLD[:4],
    [
        TEST[0],
        "(TOP (S (NP (PRP She)) (VP (VBD asked))))",
        "(TOP (S (WHADVP (WRB when)) (NP (DT the) (NN ferry)) (VP (VBZ leaves)) (. .)))",
        TEST[2],
        TEST[3],
    ],
    rows=False,
    headline="aligned_parseval|",
)


def _conllu(*sentences: str) -> list[str]:
    """Lines of CoNLL-U from words written as form/tag/head/relation."""
    lines: list[str] = []
    for number, sentence in enumerate(sentences, 1):
        lines.append(f"# sent_id = s{number}")
        for place, word in enumerate(sentence.split(), 1):
            form, tag, head, relation = word.split("/")
            lines.append("\t".join([str(place), form, form.lower(), tag, "_", "_", head, relation, "_", "_"]))
        lines.append("")
    return lines


CONLLU = FilePair(
    "CoNLL-U",
    _conllu(
        "The/DET/2/det miller/NOUN/3/nsubj sang/VERB/0/root loudly/ADV/3/advmod ./PUNCT/3/punct",
        "Boats/NOUN/2/nsubj leak/VERB/0/root ./PUNCT/2/punct",
        "Come/VERB/0/root in/ADP/1/compound:prt !/PUNCT/1/punct",
    ),
    _conllu(
        "The/DET/2/det miller/PROPN/3/obj sang/VERB/0/root loudly/ADV/2/advmod ./PUNCT/3/punct",
        "Boats/NOUN/0/root leak/VERB/1/acl ./PUNCT/1/punct",
        "Come/VERB/0/root in/ADV/1/advmod !/PUNCT/1/punct",
    ),
    rows=False,
    reads="conllu",
    headline="conllu_eval|",
)


def _damaged(draw: random.Random, row: str) -> str:
    """What a poor parser makes of a tree."""
    kinds: tuple[Callable[[str], str], ...] = (
        lambda row: row.replace("(NP ", "(ADJP ", 1),
        lambda row: row.replace("(VP ", "(PP ", 1),
        lambda row: row.replace("(DT the) ", "(DT a) "),
        lambda row: row[: len(row) // 2],
        lambda row: "()",
        lambda row: f"{row})",
        lambda row: "what is this",
    )
    return draw.choices(kinds, (5, 5, 4, 1, 1, 1, 1))[0](row)


def _large(size: int) -> FilePair:
    draw = random.Random(17)
    places = [draw.randrange(len(GOLD)) for _ in range(size)]
    gold = [_damaged(draw, GOLD[place]) if draw.random() < 0.03 else GOLD[place] for place in places]
    test = [_damaged(draw, TEST[place]) if draw.random() < 0.3 else TEST[place] for place in places]
    return FilePair("large, in blocks", gold, test, second=DIFFERENT_WORDS.second)


LARGE = _large(120)

PAIRS = (
    CLEAN,
    DIFFERENT_WORDS,
    MISSING,
    MISSING_GOLD,
    GARBAGE,
    TRUNCATED,
    EMPTY,
    NOTHING_PARSED,
    PUNCTUATION_ONLY,
    OTHER_TAGS,
    OUTER,
    TIMED,
    TIMED_LISTS,
    TIMED_ON_ONE_SIDE,
    TIMED_IN_PART,
    DISCONTINUOUS,
    SINGLE,
    NAMED,
    OTHER_NUMBERS,
    CONLLU,
    LARGE,
)
