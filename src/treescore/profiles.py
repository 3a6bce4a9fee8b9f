"""Named recipes, so that "which F1 is this" is answered by a name.

>>> PROFILES["collins"].equal
(('ADVP', 'PRT'),)
"""

from __future__ import annotations

from .recipe import Recipe

_PUNCTUATION = (",", ":", "``", "''", ".")
_COLLINS = Recipe(delete=("TOP", "-NONE-", *_PUNCTUATION), length_ignores=("-NONE-",), equal=(("ADVP", "PRT"),))
_UNSUPERVISED = Recipe(
    labels=False,
    delete=("-NONE-", *_PUNCTUATION, "-LRB-", "-RRB-", "#", "$", "HYPH", "NFP"),
    length_ignores=("-NONE-", *_PUNCTUATION, "-LRB-", "-RRB-", "#", "$", "HYPH", "NFP"),
    least_width=2,
    least_words=2,
    duplicates="drop",
    empty="perfect",
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
        delete=(*_COLLINS.delete, "S1", "?", "!"), quotes=("``", "''", "POS", "NN", "CD", "VBZ", ":")
    ),
    "discodop": Recipe(
        delete=("ROOT", "TOP", "VROOT", ".", ","), delete_by="gold", cut_tags=True, equal=(("ADVP", "PRT"),)
    ),
    "prpn": _UNSUPERVISED.replace(root="drop-whole", average="sentence"),
    "compound-pcfg": _UNSUPERVISED.replace(root="drop-outermost"),
    "tn-pcfg": _UNSUPERVISED.replace(root="drop-whole", duplicates="members", average="sentence"),
    "vg-nsl": _UNSUPERVISED.replace(empty="undefined"),
    "shi2020": _UNSUPERVISED.replace(empty="undefined", average="sentence"),
}

#: One line about each profile, for help texts.
PROFILE_NOTES: dict[str, str] = {
    "collins": "EVALB with COLLINS.prm: no punctuation, TOP and traces left out, ADVP = PRT (the usual English F1)",
    "spmrl": "EVALB_SPMRL with spmrl.prm: punctuation counts, roots left out, labels cut at - = #",
    "none": "EVALB without a parameter file: everything counts",
    "benepar": "EVALB with nk.prm, as benepar and its successors call it: collins, S1 ? ! left out, quotes repaired",
    "discodop": "disco-dop eval: roots and . , left out by their gold tags, ADVP = PRT; for discontinuous trees",
    "prpn": "unsupervised, PRPN and ON-LSTM: spans, no whole-sentence span, mean of sentence F1",
    "compound-pcfg": "unsupervised, Kim et al. 2019: spans, one outermost bracket dropped, corpus F1",
    "tn-pcfg": "unsupervised, TN-PCFG and later: no whole-sentence span, corpus figure over lists, mean of sentence F1",
    "vg-nsl": "unsupervised, VG-NSL: spans with the whole-sentence span, corpus F1",
    "shi2020": "unsupervised, Shi et al. 2020: spans with the whole-sentence span, mean of sentence F1",
}
