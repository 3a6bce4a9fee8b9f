"""Dependency treebanks: words with their heads, read from CoNLL-U.

>>> bank = DependencyBank.read("1\\tgo\\t_\\tVERB\\t_\\t_\\t0\\troot\\t_\\t_\\n\\n")
>>> bank
<DependencyBank: 1 sentence, 1 word from <text>>
>>> bank.words(0)
[('go', '_', 'VERB', '_', '_', 0, 'root')]
"""

from __future__ import annotations

from ..helpers.text import decode, number_of
from ..trees import Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from .. import _core
    from ..values.problem import Problem
    from .sources import Readable

    Word = tuple[str, str, str, str, str, int | None, str]


class DependencyBank:
    """An immutable treebank of sentences, stored in columns."""

    __slots__ = ("_names", "ids", "native", "problems", "source")

    def __init__(
        self,
        native: _core.Dependencies,
        *,
        source: Source | None = None,
        problems: Iterable[Problem] = (),
        ids: Iterable[str] | None = None,
    ) -> None:
        #: The columns, for the native module.
        self.native = native
        self.source = source or Source(None)
        self.problems = tuple(problems)
        #: The ids of the sentences, `# sent_id`, if all have one.
        self.ids = None if ids is None else tuple(ids)
        self._names: tuple[list[str], list[str]] | None = None

    @classmethod
    def read(cls, source: Readable | DependencyBank, *, on_error: str = "raise") -> DependencyBank:
        """Read CoNLL-U from a path, `-` (standard input), an open file or text; `readers.conllu` has more options."""
        from .conllu import read_conllu

        return read_conllu(source, on_error=on_error)

    def __len__(self) -> int:
        return len(self.native)

    @property
    def names(self) -> tuple[list[str], list[str]]:
        """The forms, and the values of other columns, by number."""
        if self._names is None:
            self._names = [decode(form) for form in self.native.forms()], [decode(n) for n in self.native.names()]
        return self._names

    def line(self, index: int) -> int:
        """The line of the first word of a sentence in the source."""
        return self.native.line(index)

    def words(self, index: int) -> list[Word]:
        """FORM, LEMMA, UPOS, XPOS, FEATS, HEAD (None if it cannot be used) and DEPREL of each word of a sentence."""
        forms, names = self.names
        return [
            (forms[form], names[lemma], names[upos], names[xpos], names[feats], head, names[relation])
            for form, lemma, upos, xpos, feats, head, relation in self.native.words(index)
        ]

    def tokens(self, index: int) -> list[tuple[str, int]]:
        """The surface tokens of a sentence, each with its number of words."""
        return [(self.names[0][form], words) for form, words in self.native.tokens(index)]

    def __repr__(self) -> str:
        counts = f"{number_of(len(self), 'sentence')}, {number_of(self.native.word_count(), 'word')}"
        return f"<DependencyBank: {counts}{f' from {self.source.name}' if self.source.name else ''}>"
