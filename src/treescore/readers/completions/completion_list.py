"""The completions of many sentences, with their rates and the trees for the metrics.

>>> from treescore import read_completions
>>> read = read_completions(["(S a)", "(S (A a)", "(S b)", None], sentences=["a"] * 4)
>>> read.policy, read.rates().outcomes["valid"], read.rates().repairs
('llm:last|repair:all', 2, {'close': 1})
>>> read.treebank, [tree.leaves for tree in read.treebank]
(<Treebank: 4 trees from <list>, 2 not readable>, [['a'], ['a'], ['b'], []])
"""

from __future__ import annotations

from collections.abc import Sequence

from ... import _core
from ...helpers.text import encode
from ...trees import Source, Treebank
from ...values.problem import FAILED, Problem, UsageError, check_choice
from .completion import REPAIRS, Completion
from .one_completion import read_completion
from .rates import rates_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, overload

    from .folding import Sentence
    from .rates import Rates


_ALIGNED = "scored by metrics that align words, failed by others"


def allowed_repairs(repair: str | Iterable[str]) -> frozenset[str]:
    """The names of repairs, from "all", "none", or names, with commas between or in a list.

    >>> sorted(allowed_repairs("close,surplus")), allowed_repairs("none")
    (['close', 'surplus'], frozenset())
    """
    if repair in ("all", "none"):
        return frozenset(REPAIRS if repair == "all" else ())
    names = repair.replace("+", ",").split(",") if isinstance(repair, str) else list(repair)
    for name in names:
        check_choice(name, "repair", ("all", "none", *REPAIRS))
        if name in ("all", "none"):
            raise UsageError(f"repair {name!r} cannot be combined with other repairs")
    return frozenset(names)


class Completions(Sequence[Completion]):
    """A completion for each sentence, in the order of the sentences; several, if they are samples."""

    __slots__ = (
        *("_aligned_treebank", "_rates", "_records", "_sentences", "_treebank", "repairs", "source", "unfaithful"),
    )

    def __init__(
        self,
        records: Sequence[Completion],
        sentences: Sequence[Sentence],
        *,
        repairs: frozenset[str],
        unfaithful: str = "fail",
        source: Source | None = None,
    ) -> None:
        self._records = tuple(records)
        self._sentences = sentences
        self._rates: Rates | None = None
        self._treebank: Treebank | None = None
        self._aligned_treebank: Treebank | None = None
        self.repairs = repairs
        self.unfaithful = unfaithful
        self.source = source or Source("<list>")

    def __len__(self) -> int:
        return len(self._records)

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, index: int) -> Completion: ...
        @overload
        def __getitem__(self, index: slice) -> Completions: ...

    def __getitem__(self, index: int | slice) -> Completion | Completions:
        return self._like(self._records[index], self.repairs) if isinstance(index, slice) else self._records[index]

    def _like(self, records: Sequence[Completion], repairs: frozenset[str]) -> Completions:
        return Completions(records, self._sentences, repairs=repairs, unfaithful=self.unfaithful, source=self.source)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Completions) and (self._records, self.policy) == (other._records, other.policy)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<Completions: {self.rates().in_one_line()}>"

    @property
    def policy(self) -> str:
        """How the trees were read, for signatures."""
        names = "+".join(name for name in REPAIRS if name in self.repairs)
        repair = "all" if len(self.repairs) == len(REPAIRS) else names or "none"
        suffix = "" if self.unfaithful == "fail" else f"|unfaithful:{self.unfaithful}"
        return f"llm:last|repair:{repair}{suffix}"

    def rates(self) -> Rates:
        """The numbers and rates of outcomes, faithful trees, repairs, reasons of rejection and differences of words."""
        if self._rates is None:  # words are aligned for it
            self._rates = rates_of(self, [self._sentences[record.index].words for record in self])
        return self._rates

    def columns(self) -> dict[str, list[Any]]:
        """What the completions were taken for, for tables with a row per completion."""
        return {
            "outcome": [record.outcome for record in self],
            "repairs": [", ".join(record.repairs) or None for record in self],
            **{
                name: [getattr(record, name) for record in self]
                for name in ("reason", "faithful", "difference", "tree")
            },
        }

    def as_printed(self) -> Completions:
        """The same completions, read without repairs."""
        if not self.repairs:
            return self
        records = [self._read_as_printed(record) for record in self._records]
        return self._like(records, frozenset())

    def _read_as_printed(self, record: Completion) -> Completion:
        if record.outcome == "valid" or record.reason in ("missing", "empty"):
            return record
        sentence = self._sentences[record.index]
        return read_completion(record.text, sentence, frozenset(), id=record.id, index=record.index).replace(
            line=record.line
        )

    @property
    def treebank(self) -> Treebank:
        """The trees, in order. Rejected completions are empty trees; unfaithful trees fail by every metric."""
        if self._treebank is None:
            self._treebank = self._as_treebank(aligned=False)
        return self._treebank

    @property
    def treebank_for_alignment(self) -> Treebank:
        """The trees for metrics that align words, which score unfaithful trees if `unfaithful` is "aligned"."""
        if self.unfaithful != "aligned":
            return self.treebank
        if self._aligned_treebank is None:
            self._aligned_treebank = self._as_treebank(aligned=True)
        return self._aligned_treebank

    def _as_treebank(self, *, aligned: bool) -> Treebank:
        text = b"".join(encode(record.tree or "()") + b"\n" for record in self._records)
        trees, _, _ = _core.read_brackets(text, _core.Layout.LINE, None, False)
        builder = _core.TreeBuilder()
        builder.extend(trees)
        problems = []
        for place, record in enumerate(self._records):
            problem = self._problem(place, record)
            if problem:
                problems.append(problem)
            if record.tree is None or not (record.faithful or aligned):
                builder.set_unfaithful(place)
        ids = [record.id for record in self._records if record.id is not None]
        has_ids = len(ids) == len(self) > 0
        bank = Treebank(builder.trees(), source=self.source, problems=problems, ids=ids if has_ids else None)
        return bank.with_completions(self)

    def _problem(self, place: int, record: Completion) -> Problem | None:
        """Why the sentence has failed, if it has."""
        if record.faithful:
            return None
        code, message, action = "rejected", f"there is no tree in this completion ({record.reason})", FAILED
        if record.tree is not None:
            code, message = "unfaithful", f"the words of the tree are not those of the sentence ({record.difference})"
            action = FAILED if self.unfaithful == "fail" else _ALIGNED
        return Problem(code, message, file=self.source.name, line=record.line, unit=place + 1, action=action)
