"""Named recipes, so that "which F1 is this" is answered by a name.

>>> PROFILES["collins"].equal
(('ADVP', 'PRT'),)
"""

from __future__ import annotations

from .recipe import OUTER_LABELS, Recipe
from .values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

_PUNCTUATION = (",", ":", "``", "''", ".")
#: The tags of words in the programs for grammar induction: words with any other tag are deleted.
_WORD_TAGS = (
    *("CC", "CD", "DT", "EX", "FW", "IN", "JJ", "JJR", "JJS", "LS", "MD", "NN", "NNS", "NNP", "NNPS", "PDT", "POS"),
    *("PRP", "PRP$", "RB", "RBR", "RBS", "RP", "SYM", "TO", "UH", "VB", "VBD", "VBG", "VBN", "VBP", "VBZ"),
    *("WDT", "WP", "WP$", "WRB"),
)
_CORENLP_FORMS = (
    *("{", "}", "''", "'", "``", "`", "-LRB-", "-RRB-", "(", ")", "-LCB-", "-RCB-"),
    *(".", "?", "!", ",", ":", "-", "--", "...", ";"),
)
_SHI_LIST = ("-NONE-", *_PUNCTUATION, "-LRB-", "-RRB-", "#", "$", "HYPH", "NFP")

_COLLINS = Recipe(delete=("TOP", "-NONE-", *_PUNCTUATION), length_ignores=("-NONE-",), equal=(("ADVP", "PRT"),))
_INDUCED = Recipe(
    labels=False,
    keep=_WORD_TAGS,
    delete_by="gold",
    words="any",
    least_width=2,
    outer="unwrapped",
    root="drop-whole",
    duplicates="drop",
    empty="perfect",
    average="sentence",
)
_OUTERMOST = _INDUCED.replace(root="drop-outermost")
_SUPAR = Recipe(
    delete=("", "TOP", "S1", "-NONE-", *_PUNCTUATION, "?", "!"),
    words="any",
    lengths="any",
    equal=(("ADVP", "PRT"),),
    cut="",
    undefined="zero",
)
_STANZA = Recipe(
    delete=("TOP", "ROOT", "", *_PUNCTUATION),
    delete_by="gold",
    delete_tags="cut",
    delete_forms=_CORENLP_FORMS,
    equal=(("ADVP", "PRT"),),
    words="any",
    lengths="counted",
    cut="-=|#^~_[",
    cut_start="paired",
    duplicates="drop",
    empty="zero",
    undefined="either",
)
_CORENLP = _STANZA.replace(
    delete=(*_STANZA.delete, "-NONE-"),
    delete_phrases=("RS", "RM", "IP", "CODE"),
    length_ignores=("-NONE-",),
    equal=(("ADVP", "PRT"), ("VP", "VB")),
)

#: The recipes.
PROFILES: dict[str, Recipe] = {
    "collins": _COLLINS,
    "spmrl": Recipe(
        delete=("TOP", "ROOT", "S1", "-NONE-", "VROOT"),
        delete_words=False,
        length_ignores=("-NONE-",),
        cut="-=#",
        cut_tags=True,
        cut_delete=True,
    ),
    "none": Recipe(),
    "benepar": _COLLINS.replace(
        delete=(*_COLLINS.delete, "S1", "?", "!"),
        quotes=("``", "''", "POS", "NN", "CD", "VBZ", ":"),
        undefined="zero-shares",
    ),
    "discodop": Recipe(
        delete=("ROOT", "TOP", "VROOT", ".", ","), delete_by="gold", cut_tags=True, equal=(("ADVP", "PRT"),)
    ),
    "supar": _SUPAR,
    "hanlp": _SUPAR,
    "allennlp": _COLLINS.replace(undefined="zero"),
    "pyevalb": Recipe(cut="", duplicates="once"),
    "corenlp": _CORENLP,
    "corenlp-4.5.2": _CORENLP.replace(delete_by="own"),
    "stanza": _STANZA,
    "prpn": _INDUCED,
    "on-lstm": _INDUCED.replace(label_root="keep"),
    "structformer": _INDUCED.replace(label_root="keep"),
    "compound-pcfg": _OUTERMOST.replace(least_words=2, longest=150),
    "trees-from-transformers": _OUTERMOST.replace(
        cut="-", label_root="keep", label_duplicates="members", undefined="either"
    ),
    "vc-pcfg": _OUTERMOST.replace(longest=100, label_duplicates="members"),
    "fast-r2d2": _OUTERMOST.replace(words="same", text="fold"),
    "tn-pcfg": _INDUCED.replace(least_words=2, duplicates="members", undefined="zero"),
    "vg-nsl": Recipe(labels=False, words="any", least_width=2, duplicates="drop"),
    "av-nsl": Recipe(
        labels=False,
        words="aligned",
        lengths="any",
        least_width=2,
        duplicates="once",
        empty="zero",
        undefined="zero",
    ),
    "urnng": Recipe(
        labels=False, delete=("TOP", "-NONE-", *_PUNCTUATION), delete_by="gold", shortest=2, outer="unwrapped"
    ),
    "diora": Recipe(
        labels=False,
        delete=("ROOT", "S1", "-NONE-", *_PUNCTUATION, "?", "!"),
        keep=_WORD_TAGS,
        delete_by="gold",
        words="any",
    ),
    "shi2020": Recipe(
        labels=False,
        delete=_SHI_LIST,
        length_ignores=_SHI_LIST,
        least_width=2,
        least_words=2,
        duplicates="drop",
        average="sentence",
    ),
}


class Publication(Value):
    """What a recipe does not say about a profile: its users, a note for help texts, its repository and function."""

    users: str
    note: str
    source: str


#: Who uses each profile, and where its rules come from.
PUBLICATIONS: dict[str, Publication] = {
    "collins": Publication(
        "EVALB with COLLINS.prm", "the usual English F1, without punctuation, TOP and traces", "EVALB: evalb.c"
    ),
    "spmrl": Publication(
        "EVALB_SPMRL with spmrl.prm",
        "punctuation counts, roots left out, labels cut at - = #",
        "EVALB_SPMRL: evalb.c",
    ),
    "none": Publication("EVALB without a parameter file", "everything counts", "EVALB: evalb.c"),
    "benepar": Publication(
        "benepar and its successors",
        "EVALB with nk.prm: collins, S1 ? ! left out, quotes repaired",
        "nikitakit/self-attentive-parser: evaluate.evalb",
    ),
    "discodop": Publication(
        "disco-dop",
        "roots and . , left out by their gold tags, ADVP = PRT; for discontinuous trees",
        "andreasvc/disco-dop: discodop.eval",
    ),
    "supar": Publication(
        "supar",
        "each side's own tags, whole labels, every sentence scored whatever its words are",
        "yzhangcs/parser: Tree.factorize, SpanMetric",
    ),
    "hanlp": Publication(
        "HanLP", "the same metric as supar", "hankcs/HanLP: constituency_dataset.factorize, SpanMetric"
    ),
    "allennlp": Publication(
        "AllenNLP",
        "collins, with 0 for figures that have nothing to divide by",
        "allenai/allennlp: EvalbBracketingScorer",
    ),
    "pyevalb": Publication(
        "PYEVALB",
        "everything counts, whole labels, brackets match as sets but count as lists",
        "PYEVALB: Scorer.score_corpus",
    ),
    "corenlp": Publication(
        "Stanford CoreNLP from 4.5.3",
        "sets of brackets, punctuation left out by gold's tags and by its form",
        "stanfordnlp/CoreNLP: parser.metrics.Evalb, TreeCollinizer",
    ),
    "corenlp-4.5.2": Publication(
        "Stanford CoreNLP up to 4.5.2",
        "corenlp, but each side by its own tags",
        "stanfordnlp/CoreNLP: parser.metrics.Evalb, TreeCollinizer of 2020",
    ),
    "stanza": Publication(
        "stanza",
        "corenlp without its reader, so that traces are words",
        "stanfordnlp/CoreNLP: EvaluateExternalParser.scoreDataset",
    ),
    "prpn": Publication(
        "PRPN and most grammar induction",
        "unsupervised: spans, no whole-sentence span, mean of sentence F1",
        "yikangshen/PRPN: test_phrase_grammar.get_brackets, test",
    ),
    "on-lstm": Publication(
        "ON-LSTM",
        "unsupervised: prpn; recall by label with the whole sentence",
        "yikangshen/Ordered-Neurons: test_phrase_grammar, parse_comparison.corpus_stats_labeled",
    ),
    "structformer": Publication(
        "StructFormer",
        "unsupervised: the same as on-lstm",
        "google-research/structformer: tree_utils.get_brackets",
    ),
    "compound-pcfg": Publication(
        "Compound PCFG (Kim et al. 2019)",
        "unsupervised: spans, one outermost bracket dropped, mean of sentence F1",
        "harvardnlp/compound-pcfg: compare_trees.main",
    ),
    "trees-from-transformers": Publication(
        "Kim et al. 2020",
        "unsupervised: compound-pcfg with one-word sentences",
        "galsang/trees_from_transformers: utils.score.Score",
    ),
    "vc-pcfg": Publication(
        "VC-PCFG, cpcfg",
        "unsupervised: compound-pcfg with one-word sentences, up to 100 words",
        "zhaoyanpeng/vpcfg: utils.get_stats",
    ),
    "fast-r2d2": Publication(
        "Fast-R2D2, ReCAT",
        "unsupervised: compound-pcfg with sentences of any length whose words agree",
        "ant-research/StructuredLM_RTDT: eval/compare_tree.main",
    ),
    "tn-pcfg": Publication(
        "TN-PCFG and its successors",
        "unsupervised: no whole-sentence span, corpus figure over lists, mean of sentence F1",
        "sustcsonglin/TN-PCFG: helper.metric.UF1",
    ),
    "vg-nsl": Publication(
        "VG-NSL",
        "unsupervised: spans with the whole-sentence span, nothing is deleted, corpus F1",
        "ExplorerFreda/VGNSL: src/test.f1_score",
    ),
    "av-nsl": Publication(
        "AV-NSL",
        "unsupervised: vg-nsl on segments of speech that are aligned with the words of gold",
        "AV-NSL: corpus_f1, sentence_f1, from a copy, as the repository has no code any more",
    ),
    "urnng": Publication(
        "URNNG",
        "unsupervised: EVALB without labels, punctuation left out by gold's tags, corpus F1",
        "harvardnlp/urnng: EVALB with its COLLINS.prm",
    ),
    "diora": Publication(
        "DIORA, S-DIORA",
        "unsupervised: EVALB without labels, only words with one of 36 gold tags, corpus F1",
        "iesl/diora: scripts/evalb.main with diora.prm",
    ),
    "shi2020": Publication(
        "Shi et al. 2020",
        "unsupervised: spans with the whole-sentence span, mean of sentence F1",
        "Shi, Livescu and Gimpel 2020: the paper, not code",
    ),
}


def deletions(recipe: Recipe) -> str:
    """What a recipe deletes before brackets are counted, in a few words.

    >>> deletions(PROFILES["collins"]), deletions(PROFILES["prpn"]), deletions(PROFILES["none"])
    ('traces, 5 tags', 'all but 36 tags, by gold', 'nothing')
    """
    tags = [tag for tag in recipe.delete if tag not in OUTER_LABELS] if recipe.delete_words else []
    others = len(tags) - ("-NONE-" in tags)
    kinds = [
        f"all but {len(recipe.keep)} tags" if recipe.keep else "",
        "traces" if "-NONE-" in tags and not recipe.keep else "",
        f"{others} tags" if others and not recipe.keep else "",
        f"{len(recipe.delete_forms)} forms" if recipe.delete_forms else "",
        f"{len(recipe.delete_phrases)} phrases" if recipe.delete_phrases else "",
        "by gold" if recipe.delete_by == "gold" else "",
    ]
    return ", ".join(filter(None, kinds)) or "nothing"


class Stop:
    """When the original program of a profile ends with an error: by sums of the metric's columns, and why.

    With `needs_labels` it cannot read a bracket without a label.
    """

    __slots__ = ("applies", "needs_labels", "reason")

    def __init__(
        self, applies: Callable[[Mapping[str, int]], bool], reason: str, *, needs_labels: bool = False
    ) -> None:
        self.applies, self.reason, self.needs_labels = applies, reason, needs_labels

    def reasons(self, total: Mapping[str, int], labels: Collection[str]) -> list[str]:
        """Why the program would stop, for these sums and labels of both sides."""
        found = ["cannot read a bracket without a label"] if self.needs_labels and "" in labels else []
        return [*found, *([self.reason] if self.applies(total) else [])]


_ONE_SIDE = Stop(lambda total: not (total["gold"] and total["test"]), "divides by zero if a side has no brackets")
_NO_MATCH = Stop(lambda total: not total["matched"], "divides by zero if no bracket matches")

#: The original programs that cannot score some files that treescore can score.
STOPS: dict[str, Stop] = {
    "compound-pcfg": _ONE_SIDE,
    "vc-pcfg": _ONE_SIDE,
    "fast-r2d2": _ONE_SIDE,
    "tn-pcfg": Stop(
        lambda total: not total["valid"] or (total["test"] > 0 and not total["gold"]),
        "divides by zero if there are no sentences, or no gold brackets",
    ),
    "vg-nsl": _NO_MATCH,
    "pyevalb": Stop(_NO_MATCH.applies, _NO_MATCH.reason, needs_labels=True),
    "allennlp": Stop(lambda total: total["errors"] > 10, "gives up after ten sentences that cannot be compared"),
}
