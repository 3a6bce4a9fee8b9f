"""The trees of a study: given ones, or the treebank included in treescore.

>>> gold, systems = treebank()
>>> len(gold), list(systems)
(400, ['good', 'middling', 'shallow', 'right'])
>>> " ".join(gold.words(8))
'In the classroom , the student corrects books .'
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from ..helpers.text import number_of
from ..place.two_sides import check_readable, read_both
from ..readers.sources import read
from ..scoring.evaluation import read_pair
from ..values.problem import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ..metrics.base import Metric
    from ..readers.sources import Readable
    from ..trees import Treebank

#: The simulated parsers, best first.
SYSTEMS = ("good", "middling", "shallow", "right")
_FOLDER = os.path.join(os.path.dirname(os.path.dirname(__file__)), "data", "studies")


def treebank() -> tuple[Treebank, dict[str, Treebank]]:
    """Gold trees, and the trees of each simulated parser by name; `data/studies/README.md` describes them."""
    return _read("gold"), {name: _read(name) for name in SYSTEMS}


def _read(name: str) -> Treebank:
    return read(os.path.join(_FOLDER, f"{name}.mrg.gz"), name=name)


def given(
    gold: Readable | None, test: Readable | Mapping[str, Readable] | None, *, usual: Sequence[str] = SYSTEMS
) -> tuple[Treebank, dict[str, Treebank], str]:
    """Gold, the trees of each system by name, and a description.

    `test` is one system, or several by name. The default is the bundled treebank with the `usual` systems.

    >>> gold, systems, description = given("(S (NN a))", {"A": "(S (NN a))", "B": "(X (NN a))"})
    >>> description
    'gold (1 sentence); A, B'
    """
    if gold is None and test is None:
        bank, known = treebank()
        systems = {name: known[name] for name in usual}
        return bank, systems, f"the bundled treebank ({number_of(len(bank), 'sentence')}); {', '.join(systems)}"
    if gold is None or test is None:
        raise UsageError("a study needs both gold and test trees, or neither, to use the bundled treebank")
    bank = read(gold)
    if isinstance(test, Mapping):
        systems = {name: read(trees, gold=bank) for name, trees in test.items()}
        if not systems:
            raise UsageError("there is no system to score")
    else:
        trees = read(test, gold=bank)
        systems = {name_of(trees, "test"): trees}
    return bank, systems, f"{name_of(bank, 'gold')} ({number_of(len(bank), 'sentence')}); {', '.join(systems)}"


def name_of(bank: Treebank, default: str) -> str:
    """The name of the file without its folder, or the default for trees without a file.

    >>> name_of(read("(S (NN a))"), "gold")
    'gold'
    """
    name = os.path.basename(bank.source.name or "")
    return default if name in ("", "<text>", "<list>", "<file>", "<gold>", "<test>") else name


def called(bank: Treebank) -> str:
    """The name of the file, if any, and the number of sentences.

    >>> called(read("(S (NN a))", name="trees/gold.mrg"))
    'gold.mrg (1 sentence)'
    """
    name, size = name_of(bank, ""), number_of(len(bank), "sentence")
    return f"{name} ({size})" if name else size


def gold_and_test(
    gold: Readable, test: Readable | None, metrics: Iterable[Metric] | None = None
) -> tuple[Treebank, ...]:
    """Gold, and test if given; both have equal sizes if one of the metrics needs that.

    >>> [called(bank) for bank in gold_and_test(["(S (NN a))"] * 2, None)]
    ['2 sentences']
    """
    if test is not None:
        if metrics is None:
            return read_both(gold, test)
        pair = read_pair(gold, test, metrics)
        return pair.gold, pair.test
    bank = read(gold, on_error="keep")
    check_readable(bank)
    return (bank,)
