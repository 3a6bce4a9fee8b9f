"""What to cite with a score, as BibTeX.

>>> print(bibtex(["calder-1997-aligning"]))
@inproceedings{calder-1997-aligning,
  title = {On Aligning Trees},
  author = {Calder, Jo},
  booktitle = {Second Conference on Empirical Methods in Natural Language Processing (EMNLP)},
  year = {1997},
}
"""

from __future__ import annotations

from .._version import __version__
from ..helpers.files import packaged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


def entries() -> dict[str, str]:
    """All BibTeX entries by key."""
    text = packaged("citations.bib").read_text(encoding="utf-8").replace("VERSION", __version__).strip()
    return {entry[entry.index("{") + 1 : entry.index(",")]: entry for entry in text.split("\n\n")}


def bibtex(keys: Iterable[str]) -> str:
    """The entries with these keys, each once."""
    known = entries()
    return "\n\n".join(known[key] for key in dict.fromkeys(keys))
