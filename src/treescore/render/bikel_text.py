"""The output of Dan Bikel's comparator, including its spelling.

>>> from treescore.significance.bikel import ComparedFigure, Comparator
>>> figure = ComparedFigure(75.0, 100.0, as_extreme=9990, n=20000)
>>> print(as_text(Comparator(figure, figure, brackets=4, rows=1, seed=1)), end="")  # doctest: +ELLIPSIS
4
model1: recall=75, precision=75
...
p-value for Fscore diff: 0.499525023748813
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..significance.bikel import Comparator


def as_text(comparator: Comparator) -> str:
    """The output of the comparator."""
    figures = {"recall": comparator.recall, "precision": comparator.precision}
    lines = [str(comparator.brackets)]
    for model in ("a", "b"):
        shown = ", ".join(f"{name}={_number(getattr(figure, model))}" for name, figure in figures.items())
        lines.append(f"model{'ab'.index(model) + 1}: {shown}")
    for name, figure in figures.items():
        lines.append(f"model2 {name} - model1 {name} = {_number(figure.difference)}")
    for name, figure in figures.items():
        lines.append(f"number of random {name} diferences equal to or greater than")
        lines.append(f"\toriginal observed difference: {figure.as_extreme}")
    for name, figure in figures.items():
        lines.append(f"p-value for {name} diff: {_number(figure.p)}")
    lines.append(f"p-value for Fscore diff: {_number(comparator.mean_p)}")
    return "".join(f"{line}\n" for line in lines)


def _number(value: float) -> str:
    """A number in the format of Perl."""
    return f"{value:.15g}"
