"""The treebank that comes with treescore for studies.

>>> gold, systems = treebank()
>>> len(gold), list(systems)
(400, ['good', 'middling', 'shallow', 'right'])
>>> " ".join(gold.words(8))
'In the classroom , the student corrects books .'
"""

from __future__ import annotations

import os

from ..readers.sources import read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..trees import Treebank

#: The simulated parsers, from good to bad.
SYSTEMS = ("good", "middling", "shallow", "right")
_FOLDER = os.path.join(os.path.dirname(os.path.dirname(__file__)), "data", "studies")


def treebank() -> tuple[Treebank, dict[str, Treebank]]:
    """Gold trees, and those of each simulated parser by its name; `data/studies/README.md` says how they are made."""
    return _read("gold"), {name: _read(name) for name in SYSTEMS}


def _read(name: str) -> Treebank:
    return read(os.path.join(_FOLDER, f"{name}.mrg.gz"), name=name)
