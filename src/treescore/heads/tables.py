"""Head tables from the literature, written from the papers; `CITATIONS` has their sources and open questions.

>>> get("collins").groups("NP")[0]
('r', ('NN', 'NNP', 'NNPS', 'NNS', 'NX', 'POS', 'JJR'))
>>> get("colins")
Traceback (most recent call last):
treescore.UsageError: there is no head table 'colins'; did you mean 'collins'?
"""

from __future__ import annotations

from functools import lru_cache

from ..values.problem import UsageError
from ..values.suggestions import suggestion
from ..values.value import Value
from .table import Groups, HeadTable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_PUNCTUATION = (",", ":", "``", "''", ".", "-NONE-")
_BRACKETS = ("-LRB-", "-RRB-")
_LEFT: Groups = (("l", ()),)
_RIGHT: Groups = (("r", ()),)


def _each(direction: str, labels: str) -> Groups:
    """A group for each label, tried in turn, and finally any label."""
    return (*((direction, (label,)) for label in labels.split()), (direction, ()))


def _any(direction: str, labels: str) -> Groups:
    """One group: whichever of the labels comes first in the direction."""
    return ((direction, tuple(labels.split())),)


# Collins: each label of a list is looked for from its side, then the outermost child on that side is taken. That the
# last word of an NP, if it is POS, is the head follows from the first group: it is then the rightmost of these.
_COLLINS: dict[str, Groups] = {
    "ADJP": _each("l", "NNS QP NN $ ADVP JJ VBN VBG ADJP JJR NP JJS DT FW RBR RBS SBAR RB"),
    "ADVP": _each("r", "RB RBR RBS FW ADVP TO CD JJR JJ IN NP JJS NN"),
    "CONJP": _each("r", "CC RB IN"),
    "FRAG": _RIGHT,
    "INTJ": _LEFT,
    "LST": _each("r", "LS :"),
    "NAC": _each("l", "NN NNS NNP NNPS NP NAC EX $ CD QP PRP VBG JJ JJS JJR ADJP FW"),
    "NP": (
        *_any("r", "NN NNP NNPS NNS NX POS JJR"),
        *_any("l", "NP"),
        *_any("r", "$ ADJP PRN"),
        *_any("r", "CD"),
        *_any("r", "JJ JJS RB QP"),
        *_RIGHT,
    ),
    "PP": _each("r", "IN TO VBG VBN RP FW"),
    "PRN": _LEFT,
    "PRT": _each("r", "RP"),
    "QP": _each("l", "$ IN NNS NN JJ RB DT CD NCD QP JJR JJS"),
    "RRC": _each("r", "VP NP ADVP ADJP PP"),
    "S": _each("l", "TO IN VP S SBAR ADJP UCP NP"),
    "SBAR": _each("l", "WHNP WHPP WHADVP WHADJP IN DT S SQ SINV SBAR FRAG"),
    "SBARQ": _each("l", "SQ S SINV SBARQ FRAG"),
    "SINV": _each("l", "VBZ VBD VBP VB MD VP S SINV ADJP NP"),
    "SQ": _each("l", "VBZ VBD VBP VB MD VP SQ"),
    "UCP": _RIGHT,
    "VP": _each("l", "TO VBD VBN MD VBZ VB VBG VBP VP ADJP NN NNS NP"),
    "WHADJP": _each("l", "CC WRB JJ ADJP"),
    "WHADVP": _each("r", "CC WRB"),
    "WHNP": _each("l", "WDT WP WP$ WHADJP WHPP WHNP"),
    "WHPP": _each("r", "IN TO FW"),
}

_NOUNS = "NN NNS NNP NNPS NML NX"
_VERBS = "VBD VBZ VBP VB VBN VBG"
_CLAUSES = "S SQ SINV SBARQ SBAR"


def _charniak() -> HeadTable:
    """The first verb of the group is the head, with the tags AUX and AUXG of Charniak's parser; clauses before words
    that introduce them; the last noun and not the possessive mark."""
    clause = (*_any("l", "VP"), *_any("l", _CLAUSES), *_any("l", "ADJP UCP"), *_any("r", "NP"), *_RIGHT)
    inverted = (*_any("l", f"AUX MD {_VERBS}"), *_any("l", "VP"), *_any("l", _CLAUSES), *_any("l", "ADJP NP"), *_LEFT)
    rules = {
        "ADJP": (*_any("r", "JJ JJR JJS VBN VBG AUXG"), *_any("r", "ADJP"), *_any("r", f"$ QP CD {_NOUNS}"), *_RIGHT),
        "ADVP": (*_any("r", "RB RBR RBS"), *_any("r", "ADVP IN RP JJ"), *_RIGHT),
        "CONJP": _each("r", "CC RB IN"),
        "INTJ": (*_any("l", "UH"), *_LEFT),
        "LST": _each("r", "LS"),
        "NP": (*_any("r", _NOUNS), *_any("l", "NP"), *_any("r", "PRP EX $ CD QP"), *_any("r", "JJ ADJP DT"), *_RIGHT),
        "PP": (*_any("l", "IN TO AUXG VBG VBN RP"), *_any("l", "PP"), *_LEFT),
        "PRT": _each("r", "RP"),
        "QP": (*_any("r", "$ CD"), *_any("r", "QP"), *_RIGHT),
        "RRC": (*_any("l", "VP"), *_any("l", "NP ADJP PP ADVP"), *_LEFT),
        "S": clause,
        "SBAR": (*_any("l", _CLAUSES), *_any("l", "FRAG"), *_any("l", "IN DT"), *_RIGHT),
        "SBARQ": (*_any("l", "SQ S SINV SBARQ"), *_any("l", "FRAG"), *_RIGHT),
        "SINV": inverted,
        "SQ": inverted,
        "VP": (*_any("l", f"AUX AUXG MD TO {_VERBS}"), *_any("l", "VP"), *_any("l", "ADJP NP"), *_LEFT),
        "WHADJP": (*_any("r", "JJ ADJP"), *_any("l", "WRB"), *_RIGHT),
        "WHADVP": (*_any("l", "WRB"), *_any("l", "WHADVP"), *_RIGHT),
        "WHNP": (*_any("r", _NOUNS), *_any("l", "WDT WP WP$ WHNP"), *_any("l", "WHADJP WHPP"), *_RIGHT),
        "WHPP": (*_any("l", "IN TO"), *_LEFT),
    }
    same = {"NAC": rules["NP"], "NX": rules["NP"]}
    return HeadTable({**rules, **same}, _RIGHT, skip=(*_PUNCTUATION, *_BRACKETS))


def _hwa() -> HeadTable:
    """Collins' lists, but the innermost verb of a verb group is its head, and auxiliaries and "to" depend on it; the
    owner and not the possessive mark; the clause and not the word that introduces it."""
    verbs = (*_any("l", "VP"), *_any("l", _VERBS), *_any("l", "AUX AUXG MD TO"))
    rules = {
        **_COLLINS,
        "NP": (*_any("r", f"{_NOUNS} JJR"), *_any("l", "NP"), *_COLLINS["NP"][2:-1], *_any("r", "POS"), *_RIGHT),
        "NX": (*_any("r", _NOUNS), *_RIGHT),
        "S": _each("l", "VP S SBAR ADJP UCP NP"),
        "SBAR": (*_any("l", _CLAUSES), *_each("l", "FRAG WHNP WHPP WHADVP WHADJP IN DT")),
        "SINV": (*verbs, *_each("l", "S SINV ADJP NP")),
        "SQ": (*verbs, *_each("l", "SQ")),
        "VP": (*verbs, *_each("l", "ADJP NN NNS NP")),
    }
    return HeadTable(rules, _LEFT, skip=(*_PUNCTUATION, *_BRACKETS))


def _semantic() -> HeadTable:
    """Content words before function words wherever labels tell them apart; prepositions stay heads."""
    nominal = (
        *_any("r", _NOUNS),
        *_any("l", "NP"),
        *_any("r", "$ PRP EX"),
        *_any("r", "CD QP"),
        *_any("r", "JJ JJR JJS ADJP VBG VBN"),
        *_any("r", "DT RB PRP$ FW"),
        *_RIGHT,
    )
    predicate = (*_any("l", "VP"), *_any("l", _VERBS), *_any("l", "ADJP NP UCP"), *_any("l", "AUX AUXG MD TO"), *_LEFT)
    content = (*_any("l", "VP"), *_any("l", _CLAUSES), *_any("l", "NP ADJP UCP"), *_any("l", "PP ADVP INTJ"), *_LEFT)
    rules = {
        "ADJP": (*_any("r", "JJ JJR JJS VBN VBG"), *_any("l", "ADJP"), *_any("r", f"$ CD QP {_NOUNS} NP RB"), *_RIGHT),
        "ADVP": (*_any("r", "RB RBR RBS"), *_any("l", "ADVP"), *_any("r", "IN RP JJ JJR NN NP"), *_RIGHT),
        "CONJP": _each("r", "CC RB IN"),
        "FRAG": content,
        "INTJ": (*_any("l", "UH INTJ"), *_LEFT),
        "LST": _each("r", "LS CD"),
        "NAC": nominal,
        "NML": nominal,
        "NP": nominal,
        "NX": nominal,
        "PP": (*_any("l", "IN TO VBG VBN RP FW"), *_any("l", "PP"), *_LEFT),
        "PRN": content,
        "PRT": _each("r", "RP"),
        "QP": (*_any("l", "$"), *_any("r", "CD"), *_any("r", "QP"), *_any("r", f"{_NOUNS} JJ JJR DT RB"), *_RIGHT),
        "RRC": content,
        "S": (*_any("l", "VP"), *_any("l", "S SBAR SINV SQ"), *_any("l", "ADJP UCP"), *_any("r", "NP"), *_LEFT),
        "SBAR": (*_any("l", _CLAUSES), *_any("l", "FRAG VP"), *_any("l", "WHNP WHPP WHADVP WHADJP"), *_RIGHT),
        "SBARQ": (*_any("l", "SQ S SINV SBARQ"), *_any("l", "FRAG"), *_RIGHT),
        "SINV": predicate,
        "SQ": predicate,
        "UCP": _LEFT,
        "VP": predicate,
        "WHADJP": (*_any("r", "JJ RB ADJP"), *_any("l", "WRB"), *_RIGHT),
        "WHADVP": (*_any("r", "RB"), *_any("l", "WRB WHADVP"), *_RIGHT),
        "WHNP": (*_any("r", _NOUNS), *_any("l", "WHNP NP"), *_any("l", "WP WDT WP$ WHADJP"), *_RIGHT),
        "WHPP": (*_any("l", "IN TO"), *_LEFT),
        "X": content,
    }
    return HeadTable(rules, _LEFT, conjunctions=("CC", "CONJP"), skip=(*_PUNCTUATION, *_BRACKETS))


class Citation(Value):
    """The source of a table, its behaviour, and questions that the source leaves open."""

    source: str
    about: str
    note: str


CITATIONS: dict[str, Citation] = {
    "collins": Citation(
        "Collins (1999), Head-driven statistical models for natural language parsing, appendix A",
        "first verb of the group, possessive mark, first conjunct, word that introduces a clause",
        "NX and X have no rule: the leftmost child (Bikel 2004, Intricacies of Collins' parsing model). Bikel also "
        "reports that Collins' program leaves the head of a base NP behind its conjunction; the thesis does not say "
        "so, and here it moves. Collins takes out punctuation and traces first; here they are passed over. "
        "Round brackets are ordinary children, so that one can head a PRN; the tags AUX and AUXG are not known.",
    ),
    "collins-1997": Citation(
        "Collins (1997), Three generative, lexicalised models for statistical parsing, ACL; after Magerman (1995)",
        "as collins, without the step for conjunctions, which SParseval does not know",
        "The paper prints no table; Collins gave one out beside it. The lists here are those of the thesis; we have "
        "not compared the two line by line.",
    ),
    "charniak": Citation(
        "Charniak (2000), A maximum-entropy-inspired parser, NAACL",
        "first verb of the group (AUX and AUXG too), noun before possessive mark, clause before what introduces it",
        "A reconstruction: the paper prints no rules. The file that comes with SParseval may differ; give that "
        "file where numbers have to agree with it.",
    ),
    "hwa": Citation(
        "Hwa, Resnik, Weinberg, Cabezas and Kolak (2005), Bootstrapping parsers via syntactic projection across "
        "parallel texts, Natural Language Engineering 11",
        "as collins-1997, but main verb before auxiliaries, noun before possessive mark, clause before what "
        "introduces it",
        "A reconstruction: the paper prints no rules. The file that comes with SParseval may differ; give that "
        "file where numbers have to agree with it.",
    ),
    "semantic": Citation(
        "de Marneffe, MacCartney and Manning (2006), Generating typed dependency parses from phrase structure "
        "parses, LREC",
        "content words before function words, first conjunct; prepositions stay heads",
        "The paper describes the change to Collins' rules in words and examples; the lists are ours. Labels cannot "
        "tell a copula from other verbs: it stays the head unless it is tagged AUX.",
    ),
}

NAMES = tuple(CITATIONS)


@lru_cache
def get(name: str) -> HeadTable:
    """A table by name."""
    makers: dict[str, Callable[[], HeadTable]] = {
        "collins": lambda: HeadTable(_COLLINS, _LEFT, conjunctions=("CC",), skip=_PUNCTUATION),
        "collins-1997": lambda: HeadTable(_COLLINS, _LEFT, skip=_PUNCTUATION),
        "charniak": _charniak,
        "hwa": _hwa,
        "semantic": _semantic,
    }
    if name not in makers:
        raise UsageError(f"there is no head table {name!r}; {suggestion(name, NAMES)}")
    return makers[name]()
