"""Bracket scores as the evaluation code of twenty public parsers computes them, in plain Python.

Written from a description of those programs, not from treescore. Slow and readable: a tree is its words and the list of
its phrases, all lists are searched from front to back, and there is one function for each convention.

    answer = CONVENTIONS["supar"](gold, test)     # two lists of trees in bracket notation
    answer.figures["lf"], answer.stops, HEADLINE["supar"]

`figures` are fractions of 1, or counts; None is an undefined figure. `stops` tells whether the original program ends
with an exception on this input; the figures are then what its definition gives if the sentences that cannot be scored
are left out. A figure named `..._printed` has been rounded to two decimals of percent.

What EVALB does is in `evalb.py` beside this file; here is only what is done to trees before and to counts afterwards.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from oracle import evalb as program

Span = tuple[int, int]
Alignment = Sequence[tuple[int, int]]


@dataclass(frozen=True)
class Word:
    tag: str
    form: str


@dataclass(frozen=True)
class Phrase:
    label: str
    start: int  # words before it
    end: int  # words up to its end

    @property
    def width(self) -> int:
        return self.end - self.start

    @property
    def span(self) -> Span:
        return self.start, self.end


@dataclass(frozen=True)
class Tree:
    """Phrases are in the order in which they open, so that the outermost phrase is the first."""

    words: tuple[Word, ...]
    phrases: tuple[Phrase, ...]

    @property
    def whole(self) -> Span:
        return 0, len(self.words)


@dataclass
class Answer:
    figures: dict[str, Any]
    stops: bool = False


#: The figure that the authors of each convention report.
HEADLINE = {
    "prpn": "sentence_f1",
    "on-lstm": "sentence_f1",
    "structformer": "sentence_f1",
    "compound-pcfg": "sentence_f1",
    "trees-from-transformers": "sentence_f1",  # both are printed; the best layer is chosen by this one
    "vc-pcfg": "sentence_f1",  # both are in the line for tables; cpcfg, the faster program, quotes this one
    "fast-r2d2": "sentence_f1",  # both are printed
    "tn-pcfg": "sentence_f1",
    "vg-nsl": "f1",
    "av-nsl": "f1",
    "urnng": "f1",
    "diora": "f1",
    "supar": "lf",
    "hanlp": "lf",
    "benepar": "f1",  # `f1_printed` as the program has it; `f1` is the same from the counts
    "allennlp": "f1",
    "pyevalb": "f1",
    "corenlp": "f1",
    "corenlp-4.5.2": "f1",
    "stanza": "f1",
}


# ---------------------------------------------------------------------------------------------------------------------
# Trees


def read(text: str) -> Tree:
    """One tree in bracket notation; a bracket that holds nothing but a word is the tag of that word.

    >>> [(phrase.label, phrase.span) for phrase in read("( (S (NP (NN tea)) (VP (VBZ helps))))").phrases]
    [('', (0, 2)), ('S', (0, 2)), ('NP', (0, 1)), ('VP', (1, 2))]
    """
    words: list[Word] = []
    phrases: list[Phrase] = []
    tokens = re.findall(r"\(\s*[^\s()]+\s+[^\s()]+\s*\)|\([^\s()]*|\)", text)
    open_phrases: list[int] = []
    for token in tokens:
        if token == ")":
            index = open_phrases.pop()
            phrases[index] = Phrase(phrases[index].label, phrases[index].start, len(words))
        elif token.endswith(")"):
            words.append(Word(*token[1:-1].split()))
        else:
            open_phrases.append(len(phrases))
            phrases.append(Phrase(token[1:], len(words), -1))
    return Tree(tuple(words), tuple(phrases))


def without_words(tree: Tree, kept: Sequence[bool]) -> Tree:
    """The tree of the words that are kept; a phrase that is left without words vanishes."""
    before = [sum(kept[:place]) for place in range(len(kept) + 1)]
    phrases = [Phrase(phrase.label, before[phrase.start], before[phrase.end]) for phrase in tree.phrases]
    return Tree(
        tuple(word for word, is_kept in zip(tree.words, kept, strict=True) if is_kept),
        tuple(phrase for phrase in phrases if phrase.width),
    )


def without_outer_bracket(tree: Tree) -> Tree:
    """As nltk reads a treebank: `( (S ...))` is `(S ...)`, but TOP and ROOT stay."""
    if tree.phrases and tree.phrases[0].label == "" and tree.phrases[0].span in {p.span for p in tree.phrases[1:]}:
        return Tree(tree.words, tree.phrases[1:])
    return tree


def names(text: str) -> set[str]:
    return set(text.split())


def cut_at(label: str, characters: str) -> str:
    """The label up to the first of these characters."""
    return re.split(f"[{re.escape(characters)}]", label, maxsplit=1)[0]


def wide(tree: Tree) -> list[Phrase]:
    """The phrases of more than one word."""
    return [phrase for phrase in tree.phrases if phrase.width > 1]


def spans(phrases: Iterable[Phrase]) -> list[Span]:
    return [phrase.span for phrase in phrases]


# ---------------------------------------------------------------------------------------------------------------------
# Figures


def share(part: float, whole: float) -> float | None:
    return part / whole if whole else None


def mean(values: Sequence[float]) -> float | None:
    return share(sum(values), len(values))


def f1(matched: int, gold: int, test: int) -> float | None:
    return share(2 * matched, gold + test)


def or_zero(value: float | None) -> float:
    return 0.0 if value is None else value


def prpn_rates(gold: set[Span], test: set[Span]) -> tuple[float, float, float]:
    """Precision, recall and F1 of one sentence as PRPN has them, and all after it: nothing to find is all found.

    The small constants are in the originals; without them two equal sets give 1.
    """
    matched = len(gold & test)
    precision = matched / (len(test) + 1e-8)
    recall = matched / (len(gold) + 1e-8)
    if not gold:
        recall = 1.0
        if not test:
            precision = 1.0
    return precision, recall, 2 * precision * recall / (precision + recall + 1e-8)


def mean_of_rates(rates: Sequence[tuple[float, float, float]]) -> dict[str, Any]:
    return {
        "sentence_precision": mean([precision for precision, _, _ in rates]),
        "sentence_recall": mean([recall for _, recall, _ in rates]),
        "sentence_f1": mean([value for _, _, value in rates]),
        "sentences": len(rates),
    }


@dataclass
class Pooled:
    """Counts of brackets of a corpus."""

    matched: int = 0
    gold: int = 0
    test: int = 0

    def add(self, matched: int, gold: int, test: int) -> None:
        self.matched += matched
        self.gold += gold
        self.test += test

    @property
    def f1(self) -> float | None:
        return f1(self.matched, self.gold, self.test)

    @property
    def precision(self) -> float | None:
        return share(self.matched, self.test)

    @property
    def recall(self) -> float | None:
        return share(self.matched, self.gold)

    def counts(self) -> dict[str, int]:
        return {"matched": self.matched, "gold": self.gold, "test": self.test}


@dataclass
class LabelRecall:
    """Gold brackets by label: how many of them are found, and how many there are."""

    counts: dict[str, list[int]] = field(default_factory=dict)

    def add(self, brackets: Iterable[tuple[str, Span]], test: set[Span]) -> None:
        for label, span in brackets:
            count = self.counts.setdefault(label, [0, 0])
            count[0] += span in test
            count[1] += 1


# ---------------------------------------------------------------------------------------------------------------------
# Grammar induction: labels do not count, and words whose tag is not one of 36 are deleted

WORD_TAGS = names(
    "CC CD DT EX FW IN JJ JJR JJS LS MD NN NNS NNP NNPS PDT POS PRP PRP$ RB RBR RBS RP SYM TO UH VB VBD VBG VBN VBP"
    " VBZ WDT WP WP$ WRB"
)

Pairs = list[tuple[Tree, Tree]]


def kept_by_gold(gold: Tree) -> list[bool]:
    return [word.tag in WORD_TAGS for word in gold.words]


def pairs_for_induction(gold: Sequence[str], test: Sequence[str]) -> tuple[Pairs, bool]:
    """The trees over the words that gold's tags keep, and whether all sentences have such words.

    A parser that never saw the other words writes trees of the kept words only; these are taken as they are.
    """
    pairs: Pairs = []
    complete = True
    for gold_text, test_text in zip(gold, test, strict=True):
        gold_tree, test_tree = without_outer_bracket(read(gold_text)), without_outer_bracket(read(test_text))
        kept = kept_by_gold(gold_tree)
        if len(test_tree.words) != sum(kept):
            test_tree = without_words(test_tree, kept)
        if any(kept):
            pairs.append((without_words(gold_tree, kept), test_tree))
        else:
            complete = False
    return pairs, complete


def inner_spans(tree: Tree) -> set[Span]:
    """Spans of more than one word, without the whole sentence."""
    return set(spans(wide(tree))) - {tree.whole}


def prpn(gold: Sequence[str], test: Sequence[str]) -> Answer:
    """PRPN, ON-LSTM and StructFormer. A one-word sentence has two empty sets, and counts as 1.

    PRPN, and ON-LSTM with --wsj10, leave out sentences of more than ten kept words. That is a choice of data.
    """
    pairs, complete = pairs_for_induction(gold, test)
    rates = [prpn_rates(inner_spans(gold_tree), inner_spans(test_tree)) for gold_tree, test_tree in pairs]
    return Answer(mean_of_rates(rates), stops=not complete)


def on_lstm(gold: Sequence[str], test: Sequence[str]) -> Answer:
    """PRPN's figures, recall by label, and EVALB on trees without labels and chains."""
    answer = prpn(gold, test)
    pairs, _ = pairs_for_induction(gold, test)
    labels = LabelRecall()
    for gold_tree, test_tree in pairs:
        brackets = {(cut_at(phrase.label, "-="), phrase.span) for phrase in wide(gold_tree)}
        labels.add(sorted(brackets), set(spans(wide(test_tree))))
    answer.figures["label_counts"] = labels.counts

    def chain_free(tree: Tree) -> Tree:
        phrases = [Phrase("X", *span) for span in sorted(set(spans(wide(tree))))]
        return Tree(tuple(Word("X", word.form) for word in tree.words), tuple(phrases))

    run = run_evalb([(chain_free(gold_tree), chain_free(test_tree)) for gold_tree, test_tree in pairs], COLLINS_PRM)
    answer.figures["evalb_f1_printed"] = printed(run.all.f_measure)
    return answer


def outermost_dropped(tree: Tree) -> list[Phrase]:
    """Phrases of more than one word without the outermost one; a second one over the whole sentence stays."""
    return wide(tree)[1:]


def pooled_sets(pairs: Pairs) -> Pooled:
    pooled = Pooled()
    for gold_tree, test_tree in pairs:
        gold_set, test_set = set(spans(outermost_dropped(gold_tree))), set(spans(outermost_dropped(test_tree)))
        pooled.add(len(gold_set & test_set), len(gold_set), len(test_set))
    return pooled


def outermost_dropped_f1(pairs: Pairs) -> dict[str, Any]:
    """Corpus and sentence F1 over sets, one outermost bracket dropped on each side."""
    rates = [
        prpn_rates(set(spans(outermost_dropped(gold_tree))), set(spans(outermost_dropped(test_tree))))
        for gold_tree, test_tree in pairs
    ]
    averages = mean_of_rates(rates)
    return {"f1": pooled_sets(pairs).f1, **{name: averages[name] for name in ("sentence_f1", "sentences")}}


def divides_by_zero(pooled: Pooled) -> bool:
    return pooled.gold == 0 or pooled.test == 0


def f1_of_both(pooled: Pooled) -> float | None:
    """F1 of programs in which it is not a number as soon as precision or recall is not."""
    return None if divides_by_zero(pooled) else pooled.f1


def compound_pcfg(gold: Sequence[str], test: Sequence[str]) -> Answer:
    """Sentences of one kept word are left out, and those of more than 150."""
    pairs, complete = pairs_for_induction(gold, test)
    pairs = [pair for pair in pairs if 1 < len(pair[0].words) <= 150]
    pooled = pooled_sets(pairs)
    figures = outermost_dropped_f1(pairs)
    figures |= {"precision": pooled.precision, "recall": pooled.recall, "matched": pooled.matched}
    figures |= {"only_gold": pooled.gold - pooled.matched, "only_test": pooled.test - pooled.matched}
    return Answer(figures, stops=not complete or divides_by_zero(pooled))


def trees_from_transformers(gold: Sequence[str], test: Sequence[str]) -> Answer:
    """Sentences of one word count. Corpus F1 is not a number where one side has no brackets.

    The original computes in 32 bits, so that it differs from this in the seventh digit.
    """
    pairs, complete = pairs_for_induction(gold, test)
    figures = {**outermost_dropped_f1(pairs), "f1": f1_of_both(pooled_sets(pairs))}
    labels = LabelRecall()
    for gold_tree, test_tree in pairs:
        brackets = [(cut_at(phrase.label, "-"), phrase.span) for phrase in wide(gold_tree)]
        chosen = [bracket for bracket in brackets if bracket[0] in ("SBAR", "NP", "VP", "PP", "ADJP", "ADVP")]
        labels.add(chosen, set(spans(wide(test_tree))))
    return Answer({**figures, "label_counts": labels.counts}, stops=not complete)


def vc_pcfg(gold: Sequence[str], test: Sequence[str]) -> Answer:
    """Sentences of one word count; those of more than 100 are left out."""
    pairs, complete = pairs_for_induction(gold, test)
    pairs = [pair for pair in pairs if len(pair[0].words) <= 100]
    labels = LabelRecall()
    for gold_tree, test_tree in pairs:
        brackets = [(cut_at(phrase.label, "-="), phrase.span) for phrase in outermost_dropped(gold_tree)]
        labels.add(brackets, set(spans(outermost_dropped(test_tree))))
    figures = {**outermost_dropped_f1(pairs), "label_counts": labels.counts}
    return Answer(figures, stops=not complete or divides_by_zero(pooled_sets(pairs)))


def fast_r2d2(gold: Sequence[str], test: Sequence[str]) -> Answer:
    """Gold is looked up by the words of the test sentence in lower case; a sentence that is not there is left out."""

    def words(tree: Tree) -> tuple[str, ...]:
        return tuple(word.form.lower() for word in tree.words)

    pairs, complete = pairs_for_induction(gold, test)
    by_words = {words(gold_tree): gold_tree for gold_tree, _ in pairs}
    items = [(by_words[words(test_tree)], test_tree) for _, test_tree in pairs if words(test_tree) in by_words]
    return Answer(outermost_dropped_f1(items), stops=not complete or divides_by_zero(pooled_sets(items)))


def tn_pcfg(gold: Sequence[str], test: Sequence[str]) -> Answer:
    """All brackets over the whole sentence are dropped; the corpus figure counts lists, the sentence figure sets."""
    pairs, complete = pairs_for_induction(gold, test)
    pairs = [pair for pair in pairs if len(pair[0].words) > 1]
    matched = only_gold = only_test = 0
    for gold_tree, test_tree in pairs:
        gold_list, test_list = (
            [span for span in spans(wide(tree)) if span != tree.whole] for tree in (gold_tree, test_tree)
        )
        matched += sum(span in gold_list for span in test_list)
        only_test += sum(span not in gold_list for span in test_list)
        only_gold += sum(span not in test_list for span in gold_list)
    rates = [prpn_rates(inner_spans(gold_tree), inner_spans(test_tree)) for gold_tree, test_tree in pairs]
    averages = mean_of_rates(rates)
    figures = {"f1": or_zero(f1(matched, matched + only_gold, matched + only_test))}
    figures |= {"matched": matched, "only_gold": only_gold, "only_test": only_test}
    figures |= {name: averages[name] for name in ("sentence_f1", "sentences")}
    divides = not pairs or (matched + only_test > 0 and matched + only_gold == 0)
    return Answer(figures, stops=not complete or divides)


def vg_nsl(gold: Sequence[str], test: Sequence[str]) -> Answer:
    """Every bracket counts, also that over the whole sentence. The program deletes no words, labels or chains.

    Its files have neither chains nor brackets over one word, so here brackets over one word are left out.
    """
    pooled = Pooled()
    for gold_text, test_text in zip(gold, test, strict=True):
        gold_set, test_set = (set(spans(wide(read(text)))) for text in (gold_text, test_text))
        pooled.add(len(gold_set & test_set), len(gold_set), len(test_set))
    figures = {"f1": pooled.f1, "precision": pooled.precision, "recall": pooled.recall}
    return Answer(figures, stops=pooled.matched == 0)


def av_nsl(gold: Sequence[str], test: Sequence[str], alignment: Sequence[Alignment]) -> Answer:
    """Gold has words, test has segments, and some words are aligned with a segment.

    A sentence with one word or one segment is in no corpus figure, and has sentence F1 0.
    """
    pooled = Pooled()
    values: list[float] = []
    for gold_text, test_text, pairs in zip(gold, test, alignment, strict=True):
        gold_tree, test_tree = read(gold_text), read(test_text)
        if len(gold_tree.words) < 2 or len(test_tree.words) < 2:
            values.append(0.0)
            continue
        segment = dict(pairs)
        gold_list, test_list = spans(wide(gold_tree)), spans(wide(test_tree))
        mapped = {(segment.get(start, -1), segment.get(end - 1, -1) + 1) for start, end in gold_list}
        matched = len(mapped & set(test_list))
        pooled.add(matched, len(gold_list), len(test_list))
        values.append(or_zero(f1(matched, len(gold_list), len(test_list))))
    return Answer({"f1": or_zero(pooled.f1), "sentence_f1": or_zero(mean(values))})


# ---------------------------------------------------------------------------------------------------------------------
# EVALB with what is done around it


def prm(*lines: str, delete: str) -> bytes:
    return "\n".join([*lines, *(f"DELETE_LABEL {label}" for label in delete.split()), ""]).encode()


COLLINS_LIST = "TOP -NONE- , : `` '' ."
COLLINS_LINES = ("DELETE_LABEL_FOR_LENGTH -NONE-", "EQ_LABEL ADVP PRT")
QUOTE_LINES = tuple(f"QUOTE_LABEL {tag}" for tag in sorted(names("`` '' POS NN CD VBZ :")))

COLLINS_PRM = prm(*COLLINS_LINES, delete=COLLINS_LIST)
NK_PRM = prm("MAX_ERROR 1000", *COLLINS_LINES, *QUOTE_LINES, delete=f"{COLLINS_LIST} S1 ? !")
URNNG_PRM = prm("LABELED 0", *COLLINS_LINES, delete=COLLINS_LIST)
DIORA_PRM = prm("LABELED 0", "MAX_ERROR 10000", *QUOTE_LINES, delete="ROOT S1 -NONE- , : `` '' . ? !")


def for_evalb(tree: Tree) -> program.Tree:
    """A tree without the words that EVALB would delete, as it stands in EVALB's memory."""
    words = [program.Word(word.form.encode(), word.tag.encode()) for word in tree.words]
    brackets = [program.Bracket(p.start, p.label.encode(), 0, p.end, 0) for p in tree.phrases]
    return program.Tree(words=words, brackets=brackets)


def run_evalb(pairs: Iterable[tuple[Tree | str, Tree | str]], parameters: bytes) -> program.Run:
    """Trees as texts are read by EVALB's own rules. Too many errors end in the exception `program.Stop`."""
    run = program.Run(spmrl=False, cwd=None)
    run.read_parameters(parameters)
    for pair in pairs:
        run.line_number += 1
        run.status = program.GOOD
        gold, test = (run.read_tree(tree.encode()) if isinstance(tree, str) else for_evalb(tree) for tree in pair)
        run.sentence(gold, test)
    return run


def printed(percent: float | None) -> float | None:
    return None if percent is None else round(percent, 2) / 100


def evalb_figures(run: program.Run) -> dict[str, Any]:
    total = run.all
    complete = 100 * total.complete / total.valid if total.valid else 0.0
    tags = 100 * total.tags / total.words if total.words else 0.0
    return {
        "f1": f1(total.matched, total.gold, total.test),
        "matched": total.matched,
        "gold": total.gold,
        "test": total.test,
        "scored": total.valid,
        "failed": total.errors,
        "skipped": total.skips,
        "f1_printed": printed(total.f_measure),
        "precision_printed": printed(total.precision),
        "recall_printed": printed(total.recall),
        "exact_printed": printed(complete),
        "tag_accuracy_printed": printed(tags),
    }


def benepar(gold: Sequence[str], test: Sequence[str]) -> Answer:
    """EVALB with nk.prm, after a check that the words of both sides are the same."""
    forms = [[[word.form for word in read(text).words] for text in side] for side in (gold, test)]
    return Answer(evalb_figures(run_evalb(zip(gold, test, strict=True), NK_PRM)), stops=forms[0] != forms[1])


def allennlp(gold: Sequence[str], test: Sequence[str]) -> Answer:
    """EVALB with COLLINS.prm; figures from the sums over its rows, and 0 where they are undefined.

    With more than ten failed sentences EVALB ends early. The figures are then those without a limit.
    """
    pairs = list(zip(gold, test, strict=True))
    stops = False
    try:
        run = run_evalb(pairs, COLLINS_PRM)
    except program.Stop:
        stops = True
        run = run_evalb(pairs, b"MAX_ERROR 1000000\n" + COLLINS_PRM)
    total = run.all
    pooled = Pooled(total.matched, total.gold, total.test)
    rates = {"f1": pooled.f1, "precision": pooled.precision, "recall": pooled.recall}
    return Answer({name: or_zero(value) for name, value in rates.items()}, stops)


def urnng(gold: Sequence[str], test: Sequence[str]) -> Answer:
    """EVALB without labels on trees that all have gold's tags; sentences of one word, before deletion, are left out.

    A bracket without a label does not count: gold and test are read as nltk reads a treebank. The figures with
    punctuation are those that the program itself prints.
    """
    pairs: Pairs = []
    for gold_text, test_text in zip(gold, test, strict=True):
        gold_tree, test_tree = without_outer_bracket(read(gold_text)), without_outer_bracket(read(test_text))
        if len(gold_tree.words) > 1:
            words = [Word(a.tag, b.form) for a, b in zip(gold_tree.words, test_tree.words, strict=True)]
            pairs.append((gold_tree, Tree(tuple(words), test_tree.phrases)))
    deleted = names(COLLINS_LIST)
    kept = [[word.tag not in deleted for word in gold_tree.words] for gold_tree, _ in pairs]
    left = [(without_words(a, keep), without_words(b, keep)) for (a, b), keep in zip(pairs, kept, strict=True)]
    figures = evalb_figures(run_evalb(left, URNNG_PRM))
    for name, value in outermost_dropped_f1(pairs).items():
        figures[f"with_punctuation_{name}"] = value
    return Answer(figures)


def diora(gold: Sequence[str], test: Sequence[str]) -> Answer:
    """EVALB without labels after deletion by gold's tags; brackets over one word stay, and TOP counts.

    Only the number of words is compared: the original writes gold's words into the test trees.
    """
    pairs: Pairs = []
    complete = True
    for gold_text, test_text in zip(gold, test, strict=True):
        gold_tree, test_tree = read(gold_text), read(test_text)
        kept = kept_by_gold(gold_tree)
        if not any(kept) or len(test_tree.words) != len(kept):
            complete = False
            continue
        gold_tree, test_tree = without_words(gold_tree, kept), without_words(test_tree, kept)
        pairs.append((gold_tree, Tree(gold_tree.words, test_tree.phrases)))
    return Answer(evalb_figures(run_evalb(pairs, DIORA_PRM)), stops=not complete)


# ---------------------------------------------------------------------------------------------------------------------
# Programs that count labelled brackets themselves

SUPAR_LIST = names("TOP S1 -NONE- , : `` '' . ? !") | {""}


def supar(gold: Sequence[str], test: Sequence[str]) -> Answer:
    """supar and HanLP: each side by its own tags, multisets, and no sentence is left out, whatever its words are."""

    def brackets(text: str) -> Counter[tuple[str, Span]]:
        tree = read(text)
        tree = without_words(tree, [word.tag not in SUPAR_LIST for word in tree.words])
        named = {"ADVP": "PRT"}
        return Counter((named.get(p.label, p.label), p.span) for p in tree.phrases if p.label not in SUPAR_LIST)

    def without_labels(labelled: Counter[tuple[str, Span]]) -> Counter[Span]:
        return Counter(span for _, span in labelled.elements())

    labelled, unlabelled = Pooled(), Pooled()
    complete = unlabelled_complete = 0
    for gold_text, test_text in zip(gold, test, strict=True):
        g, t = brackets(gold_text), brackets(test_text)
        gu, tu = without_labels(g), without_labels(t)
        labelled.add((g & t).total(), g.total(), t.total())
        unlabelled.add((gu & tu).total(), gu.total(), tu.total())
        complete += g == t
        unlabelled_complete += gu == tu
    figures: dict[str, Any] = {"gold": labelled.gold, "test": labelled.test, "sentences": len(gold)}
    figures |= {"labelled_matched": labelled.matched, "unlabelled_matched": unlabelled.matched}
    for prefix, pooled in (("l", labelled), ("u", unlabelled)):
        rates = {"p": pooled.precision, "r": pooled.recall, "f": pooled.f1}
        figures |= {prefix + name: or_zero(value) for name, value in rates.items()}
    figures |= {"lcm": share(complete, len(gold)), "ucm": share(unlabelled_complete, len(gold))}
    return Answer(figures)


def crosses(first: Span, other: Span) -> bool:
    return first[0] < other[0] < first[1] < other[1] or other[0] < first[0] < other[1] < first[1]


def pyevalb(gold: Sequence[str], test: Sequence[str]) -> Answer:
    """Nothing is deleted; matches are those of sets, totals those of lists.

    Its reader cannot take an outer bracket without a label, `(())` or a bare tag. A sentence that it cannot read first
    ends the program, and a later one counts as the sentence before it once more; here it is left out.
    """
    pooled = Pooled()
    scored = failed = exact = crossing = no_crossing = 0
    unreadable = False
    for gold_text, test_text in zip(gold, test, strict=True):
        gold_tree, test_tree = read(gold_text), read(test_text)
        roots = [tree.phrases[0].label if tree.phrases else "" for tree in (gold_tree, test_tree)]
        unreadable = unreadable or "" in roots
        if [word.form for word in gold_tree.words] != [word.form for word in test_tree.words]:
            failed += 1
            continue
        gold_list, test_list = ([(p.label, p.span) for p in tree.phrases] for tree in (gold_tree, test_tree))
        common = set(gold_list) & set(test_list)
        pooled.add(len(common), len(gold_list), len(test_list))
        crossing_now = sum(
            any(crosses(span, other) for _, other in gold_list)
            for label, span in test_list
            if (label, span) not in common
        )
        scored += 1
        exact += len(common) == len(gold_list) == len(test_list)
        crossing += crossing_now
        no_crossing += crossing_now == 0
    figures = {
        "f1": pooled.f1,
        "precision": pooled.precision,
        "recall": pooled.recall,
        "exact": share(exact, scored),
        "average_crossing": share(crossing, scored),
        "no_crossing": share(no_crossing, scored),
        "scored": scored,
        "failed": failed,
        "sentences": len(gold),
    }
    return Answer(figures, stops=unreadable or pooled.matched == 0)


# ---------------------------------------------------------------------------------------------------------------------
# CoreNLP and stanza

CORENLP_CUT = "-=|#^~_["
CORENLP_TAGS = names("'' `` . : ,")
CORENLP_FORMS = names("{ } '' ' `` ` -LRB- -RRB- ( ) -LCB- -RCB- . ? ! , : - -- ... ;")
CORENLP_UNREAD = {"RS", "RM", "IP", "CODE"}


def corenlp_cut(label: str) -> str:
    """A mark at the beginning does not cut, nor does the next one that is equal to it."""
    spared = label.find(label[0], 1) if label and label[0] in CORENLP_CUT else -1
    for place in range(1, len(label)):
        if label[place] in CORENLP_CUT and place != spared:
            return label[:place]
    return label


def corenlp_read(text: str) -> Tree:
    """As CoreNLP's reader of English treebanks does it. What it does to chains has no effect on sets of brackets."""
    tree = read(text)
    cut = [Phrase(corenlp_cut(p.label) or "ROOT", p.start, p.end) for p in tree.phrases]
    unread = [p for p in cut if p.label in CORENLP_UNREAD]
    words = [Word(corenlp_cut(word.tag), word.form) for word in tree.words]
    kept = [
        word.tag not in {"-NONE-", *CORENLP_UNREAD} and not any(p.start <= place < p.end for p in unread)
        for place, word in enumerate(words)
    ]
    phrases = [Phrase("VP" if p.label == "VB" else p.label, p.start, p.end) for p in cut]
    return without_words(Tree(tuple(words), tuple(phrases)), kept)


def stanza_read(text: str) -> Tree:
    """Nothing is deleted; an outer bracket without a label is called ROOT."""
    tree = read(text)
    return Tree(tree.words, tuple(Phrase(p.label or "ROOT", p.start, p.end) for p in tree.phrases))


def lost_with_root(tree: Tree) -> set[int]:
    """The words that are lost because ROOT and TOP are replaced by their first child."""
    lost: set[int] = set()
    for index, phrase in enumerate(tree.phrases):
        if phrase.label not in ("ROOT", "TOP"):
            continue
        following = tree.phrases[index + 1 : index + 2]
        first_child_end = following[0].end if following and following[0].start == phrase.start else phrase.start + 1
        lost.update(range(first_child_end, phrase.end))
    return lost


def collinized(tree: Tree, by: Tree, *, loses_words: bool) -> Tree:
    """The tree without roots, and without the words that the tags and forms of the tree `by` delete."""
    lost = lost_with_root(tree) if loses_words else set()
    kept = [
        corenlp_cut(word.tag) not in CORENLP_TAGS and word.form not in CORENLP_FORMS and place not in lost
        for place, word in enumerate(by.words)
    ]
    left = without_words(tree, kept)
    phrases = [Phrase(corenlp_cut(p.label), p.start, p.end) for p in left.phrases if p.label not in ("ROOT", "TOP")]
    renamed = [Phrase("ADVP" if p.label == "PRT" else p.label, p.start, p.end) for p in phrases]
    return Tree(left.words, tuple(renamed))


def corenlp_pairs(
    gold: Sequence[str], test: Sequence[str], reader: Callable[[str], Tree], *, own_tags: bool, loses_words: bool
) -> tuple[Pairs, int]:
    """The pairs of trees that both have words, collinized, and how many others have different numbers of words."""
    pairs: Pairs = []
    unequal = 0
    for gold_text, test_text in zip(gold, test, strict=True):
        gold_tree, test_tree = reader(gold_text), reader(test_text)
        if len(gold_tree.words) != len(test_tree.words):
            unequal += 1
            continue
        left = (
            collinized(gold_tree, gold_tree, loses_words=loses_words),
            collinized(test_tree, test_tree if own_tags else gold_tree, loses_words=loses_words),
        )
        if all(tree.words for tree in left):
            pairs.append(left)
    return pairs, unequal


def corenlp_figures(pairs: Pairs) -> tuple[Pooled, list[float]]:
    """Counts of sets of labelled brackets, and sentence F1, which is 0 where there are no brackets."""
    pooled = Pooled()
    values = []
    for gold_tree, test_tree in pairs:
        gold_set, test_set = ({(p.label, p.span) for p in tree.phrases} for tree in (gold_tree, test_tree))
        counts = len(gold_set & test_set), len(gold_set), len(test_set)
        pooled.add(*counts)
        values.append(or_zero(f1(*counts)))
    return pooled, values


def corenlp(gold: Sequence[str], test: Sequence[str], *, own_tags: bool = False, loses_words: bool = True) -> Answer:
    """`Evalb` of CoreNLP 4.5.3 and later: gold's tags and forms decide which words are deleted on both sides.

    With `own_tags`, CoreNLP up to 4.5.2: each side by its own, and sentences are scored whatever is left. The originals
    lose words where ROOT or TOP has several children; without `loses_words` none are lost.
    """
    pairs, unequal = corenlp_pairs(gold, test, corenlp_read, own_tags=own_tags, loses_words=loses_words)
    pooled, values = corenlp_figures(pairs)
    figures = {"f1": f1_of_both(pooled), **pooled.counts(), "scored": len(pairs), "unequal": unequal}
    figures |= {"sentence_f1": mean(values), "exact": mean([float(value > 0.9999) for value in values])}
    return Answer(figures)


def corenlp_452(gold: Sequence[str], test: Sequence[str], *, loses_words: bool = True) -> Answer:
    return corenlp(gold, test, own_tags=True, loses_words=loses_words)


def stanza(gold: Sequence[str], test: Sequence[str], *, loses_words: bool = True) -> Answer:
    """CoreNLP's scorer without its reader; sentences with different numbers of words, then or later, are left out."""
    pairs, _ = corenlp_pairs(gold, test, stanza_read, own_tags=False, loses_words=loses_words)
    pooled, values = corenlp_figures([pair for pair in pairs if len(pair[0].words) == len(pair[1].words)])
    return Answer({"f1": f1_of_both(pooled), "sentence_f1_list": values})


CONVENTIONS: dict[str, Callable[..., Answer]] = {
    "prpn": prpn,
    "on-lstm": on_lstm,
    "structformer": on_lstm,
    "compound-pcfg": compound_pcfg,
    "trees-from-transformers": trees_from_transformers,
    "vc-pcfg": vc_pcfg,
    "fast-r2d2": fast_r2d2,
    "tn-pcfg": tn_pcfg,
    "vg-nsl": vg_nsl,
    "av-nsl": av_nsl,
    "urnng": urnng,
    "diora": diora,
    "supar": supar,
    "hanlp": supar,
    "benepar": benepar,
    "allennlp": allennlp,
    "pyevalb": pyevalb,
    "corenlp": corenlp,
    "corenlp-4.5.2": corenlp_452,
    "stanza": stanza,
}
