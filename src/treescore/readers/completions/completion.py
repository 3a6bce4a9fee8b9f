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


class Completion(Value):
    """One completion: the text as printed, and the tree that was read from it.

    `faithful` tells whether the words of the tree are those of the sentence; if they are not, `difference` is one of
    DIFFERENCES. A rejected completion has no tree, and a `reason`. `index` is the place of its gold sentence, from 0.
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
    ) -> None:
        values: dict[str, Any] = {"text": text, "outcome": outcome, "tree": tree, "faithful": faithful}
        values |= {"repairs": repairs or [], "reason": reason, "difference": difference, "id": id, "index": index}
        self._store(**values)
