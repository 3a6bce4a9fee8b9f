"""Named recipes, so that "which F1 is this" is answered by a name.

>>> PROFILES["collins"].equal
(('ADVP', 'PRT'),)
"""

from __future__ import annotations

from .recipe import Recipe

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

#: One line about each profile, for help texts.
PROFILE_NOTES: dict[str, str] = {
    "collins": "EVALB with COLLINS.prm: no punctuation, TOP and traces left out, ADVP = PRT (the usual English F1)",
    "spmrl": "EVALB_SPMRL with spmrl.prm: punctuation counts, roots left out, labels cut at - = #",
    "none": "EVALB without a parameter file: everything counts",
    "benepar": "EVALB with nk.prm, as benepar and its successors call it: collins, S1 ? ! left out, quotes repaired",
    "discodop": "disco-dop eval: roots and . , left out by their gold tags, ADVP = PRT; for discontinuous trees",
    "supar": "supar: each side's own tags, whole labels, every sentence scored whatever its words are",
    "hanlp": "HanLP: the same metric as supar",
    "allennlp": "AllenNLP's EvalbBracketingScorer: collins, with 0 for figures that have nothing to divide by",
    "pyevalb": "PYEVALB: everything counts, whole labels, brackets match as sets but count as lists",
    "corenlp": "Stanford CoreNLP from 4.5.3: sets of brackets, punctuation left out by gold's tags and by its form",
    "corenlp-4.5.2": "Stanford CoreNLP up to 4.5.2: corenlp, but each side by its own tags",
    "stanza": "stanza, by CoreNLP's EvaluateExternalParser: corenlp without its reader, so that traces are words",
    "prpn": "unsupervised, PRPN: spans, no whole-sentence span, mean of sentence F1",
    "on-lstm": "unsupervised, ON-LSTM: prpn; recall by label with the whole sentence",
    "structformer": "unsupervised, StructFormer: the same as on-lstm",
    "compound-pcfg": "unsupervised, Kim et al. 2019: spans, one outermost bracket dropped, mean of sentence F1",
    "trees-from-transformers": "unsupervised, Kim et al. 2020: compound-pcfg with one-word sentences",
    "vc-pcfg": "unsupervised, Zhao and Titov 2020: compound-pcfg with one-word sentences, up to 100 words",
    "fast-r2d2": "unsupervised, Fast-R2D2 and ReCAT: compound-pcfg with sentences of any length whose words agree",
    "tn-pcfg": "unsupervised, TN-PCFG and later: no whole-sentence span, corpus figure over lists, mean of sentence F1",
    "vg-nsl": "unsupervised, VG-NSL: spans with the whole-sentence span, nothing is deleted, corpus F1",
    "av-nsl": "unsupervised, AV-NSL: vg-nsl on segments of speech that are aligned with the words of gold",
    "urnng": "unsupervised, URNNG: EVALB without labels, punctuation left out by gold's tags, corpus F1",
    "diora": "unsupervised, DIORA: EVALB without labels, only words with one of 36 gold tags, corpus F1",
    "shi2020": "unsupervised, Shi et al. 2020: spans with the whole-sentence span, mean of sentence F1",
}


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
