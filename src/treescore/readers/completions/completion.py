"""What the completions of a language model were taken for.

>>> completion = Completion("(S (A a)", "repaired", "(S (A a))", True, repairs=["close"])
>>> completion.outcome, completion.repairs, completion.reason
('repaired', ['close'], None)
"""

from __future__ import annotations

from ...values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

#: What a completion can be: a tree as printed, a tree inside other text, a repaired tree, or no tree.
OUTCOMES = ("valid", "extracted", "repaired", "rejected")
#: Why there is no tree.
REASONS = ("empty", "no-tree", "no-words", "unbalanced", "rootless", "other-words", "missing")
#: The repairs, in the order of the specification: of the structure, then of the words.
REPAIRS = ("close", "surplus", "brackets", "parens", "blanks", "empty", "slash", "notation")
#: How the words of a tree can differ from those of the sentence.
DIFFERENCES = ("case", "tokens", "missing", "extra", "wrong", "mixed")
#: What becomes of completions with other words than the sentence.
UNFAITHFUL = ("fail", "aligned")


class Completion(Value):
    """One completion: the text as printed, and the tree that was read from it.

    `faithful` tells whether the words of the tree are those of the sentence; if they are not, `difference` is one of
    DIFFERENCES. A rejected completion has no tree, and a `reason`. `index` is the place of its gold sentence, from 0,
    and `line` the line of the file with the completion, if there is one.
    """

    text: str
    outcome: str
    tree: str | None
    faithful: bool | None
    repairs: list[str]
    reason: str | None
    difference: str | None
    id: str | None
    index: int
    line: int | None

    def __init__(
        self,
        text: str,
        outcome: str,
        tree: str | None = None,
        faithful: bool | None = None,
        *,
        repairs: list[str] | None = None,
        reason: str | None = None,
        difference: str | None = None,
        id: str | None = None,
        index: int = 0,
        line: int | None = None,
    ) -> None:
        values: dict[str, Any] = {"text": text, "outcome": outcome, "tree": tree, "faithful": faithful}
        values |= {"repairs": repairs or [], "reason": reason, "difference": difference, "id": id}
        values |= {"index": index, "line": line}
        self._store(**values)

    @property
    def summary(self) -> str:
        """The outcome in one line, with the repairs, the reason or the difference of the words.

        >>> Completion("(S a", "repaired", "(S a)", False, repairs=["close"], difference="wrong").summary
        'repaired (close); the words differ (wrong)'
        """
        details = [*self.repairs, *([self.reason] if self.reason else [])]
        outcome = f"{self.outcome} ({', '.join(details)})" if details else self.outcome
        return f"{outcome}; the words differ ({self.difference})" if self.difference else outcome
