"""Analysis of variance: which factors, and which interactions of factors, affect a score.

Two designs: values in groups (`one_way`), and the same units, such as conversation sides, scored under every
combination of conditions (`repeated_measures`). The latter separates the differences between units, and compares each
effect with its variation from unit to unit.

>>> variance = repeated_measures(
...     {
...         ("reference", "gold"): [0.90, 0.84, 0.88, 0.91],
...         ("reference", "guessed"): [0.81, 0.79, 0.82, 0.80],
...         ("recognised", "gold"): [0.72, 0.66, 0.71, 0.69],
...         ("recognised", "guessed"): [0.66, 0.61, 0.64, 0.62],
...     },
...     factors=("words", "boundaries"),
... )
>>> for effect in variance.effects:
...     print(f"{effect.name}: F({effect.freedom}, {effect.error_freedom}) = {effect.f:.1f}, p = {effect.p:.2g}")
words: F(1, 3) = 598.2, p = 0.00015
boundaries: F(1, 3) = 69.2, p = 0.0036
words × boundaries: F(1, 3) = 1.6, p = 0.3
"""

from __future__ import annotations

from itertools import chain, combinations, product
from math import lcm, prod
from operator import mul

from ..values.problem import UsageError
from ..values.value import Value
from .distributions import f_tail
from .exact import ratio, whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class Effect(Value):
    """A main effect or an interaction, and the error term against which it is tested.

    `squares` is the sum of squares of the effect, with its degrees of `freedom`; `error_squares` and `error_freedom`
    belong to the error term. `eta` is the partial η²: squares / (squares + error_squares).

    With repeated measures, `p` assumes sphericity. `epsilon` estimates it (Greenhouse and Geisser 1959; 1 means full
    sphericity, as always with two levels), and `corrected` is the conservative p-value for degrees of freedom
    multiplied by epsilon.

    Undefined values are None: f and p if nothing varies, or if the error term has no degrees of freedom.
    """

    name: str
    squares: float
    freedom: int
    error_squares: float
    error_freedom: int
    f: float | None = None
    p: float | None = None
    eta: float | None = None
    epsilon: float | None = None
    corrected: float | None = None


class Variance(Value):
    """The effects, main effects first. `n` is the number of units or values; `undefined` is the number left out."""

    effects: tuple[Effect, ...]
    n: int
    undefined: int = 0

    def effect(self, *factors: str) -> Effect:
        """The main effect of a factor, or the interaction of several."""
        name = " × ".join(factors)
        for effect in self.effects:
            if effect.name == name:
                return effect
        raise UsageError(f"there is no effect {name!r}; known: {', '.join(effect.name for effect in self.effects)}")


def one_way(groups: Mapping[str, Sequence[float | None]], *, factor: str = "group") -> Variance:
    """Test whether the means of groups differ. Groups may differ in size; None is left out and counted.

    >>> one_way({"a": [1, 2, 3], "b": [2, 4, 6], "c": [5, 6, 7]}).effects[0].f
    6.0
    """
    kept = [[value for value in group if value is not None] for group in groups.values()]
    filled = [group for group in kept if group]
    if len(filled) < 2:
        raise UsageError(f"{factor} needs values in at least two groups")
    numbers, scale = whole(chain.from_iterable(filled))
    count = len(numbers)
    common = lcm(count, *map(len, filled))  # keeps all squares integers
    between, start = 0, 0
    for group in filled:
        between += sum(numbers[start : start + len(group)]) ** 2 * (common // len(group))
        start += len(group)
    effect = _effect(
        factor,
        between - sum(numbers) ** 2 * (common // count),
        len(filled) - 1,
        _squares(numbers) * common - between,
        count - len(filled),
        common * scale * scale,
    )
    return Variance((effect,), n=count, undefined=sum(map(len, groups.values())) - count)


def repeated_measures(cells: Mapping[tuple[str, ...], Sequence[float | None]], factors: Sequence[str]) -> Variance:
    """The main effects of all factors and their interactions.

    A key of `cells` has a level for each factor; its values belong to the units, always in the same order. A unit
    without a value in some cell is left out of all cells and counted. Each effect is tested against its interaction
    with the units.
    """
    levels = _levels(cells, factors)
    by_unit = list(zip(*(cells[key] for key in product(*levels)), strict=True))
    complete = [value for unit in by_unit if None not in unit for value in unit if value is not None]
    units = len(complete) // prod(map(len, levels))
    numbers, scale = whole(complete)
    shape = (units, *map(len, levels))
    effects = []
    for size in range(1, len(factors) + 1):
        for axes in combinations(range(1, len(shape)), size):
            freedom = prod(shape[axis] - 1 for axis in axes)
            name = " × ".join(factors[axis - 1] for axis in axes)
            means, deviations = (_contrasts(numbers, shape, varied) for varied in (axes, [0, *axes]))
            # Every number was multiplied by the lengths of all axes, and the square of a sum over the axes that do not
            # vary stands for as many squared means.
            common = prod(shape[axis] for axis in axes)
            squares, error = _squares(means) * units, _squares(deviations)
            below = len(numbers) * scale * scale * common * units
            effect = _effect(name, squares, freedom, error, freedom * max(units - 1, 0), below)
            effects.append(_corrected(effect, deviations, units))
    return Variance(tuple(effects), n=units, undefined=len(by_unit) - units)


def _levels(cells: Mapping[tuple[str, ...], Sequence[object]], factors: Sequence[str]) -> list[list[str]]:
    """The levels of each factor, or an error if the design is incomplete."""
    levels = [list(dict.fromkeys(key[index] for key in cells if len(key) > index)) for index in range(len(factors))]
    if len(set(factors)) != len(factors) or not factors:
        raise UsageError("each factor needs a different name")
    for factor, names in zip(factors, levels, strict=True):
        if len(names) < 2:
            raise UsageError(f"{factor} needs at least two levels")
    for key in cells:
        if len(key) != len(factors):
            raise UsageError(f"the cell {key} does not have a level for each of {', '.join(factors)}")
    for key in product(*levels):
        if key not in cells:
            raise UsageError(f"there are no values for {key}")
    if len({len(values) for values in cells.values()}) > 1:
        raise UsageError("each cell needs one value for each unit")
    return levels


def _contrasts(numbers: Sequence[int], shape: tuple[int, ...], varied: Sequence[int]) -> list[int]:
    """The variation along some axes: differences from the mean, times the length of the axis; other axes are summed."""
    values = list(numbers)
    for axis, length in enumerate(shape if values else ()):
        step = prod(shape[axis + 1 :])
        results: list[int] = []
        for start in range(0, len(values), step * length):
            block = values[start : start + step * length]
            sums = [sum(block[offset::step]) for offset in range(step)]
            if axis in varied:
                results += [length * number - sums[index % step] for index, number in enumerate(block)]
            else:
                results += sums
        values = results
    return values


def _squares(numbers: Sequence[int]) -> int:
    return sum(number * number for number in numbers)


def _corrected(effect: Effect, deviations: Sequence[int], units: int) -> Effect:
    """The effect with epsilon, computed from the deviations of all units."""
    if effect.f is None or not any(deviations):
        return effect
    cells = len(deviations) // units
    columns = [deviations[cell::cells] for cell in range(cells)]
    products = [sum(map(mul, first, second)) for first in columns for second in columns]
    epsilon = ratio(_squares(deviations) ** 2, effect.freedom * _squares(products))
    freedoms = effect.freedom * epsilon, effect.error_freedom * epsilon
    return effect.replace(epsilon=epsilon, corrected=f_tail(effect.f, *freedoms))


def _effect(name: str, squares: int, freedom: int, error: int, error_freedom: int, below: int) -> Effect:
    """An effect from sums of squares that are still to be divided by `below`."""
    f = p = eta = None
    if squares or error:
        eta = ratio(squares, squares + error)
    if eta is not None and error_freedom:
        f = ratio(squares * error_freedom, error * freedom) if error else float("inf")
        p = f_tail(f, freedom, error_freedom)
    return Effect(
        name,
        squares=ratio(squares, below) if squares else 0.0,
        freedom=freedom,
        error_squares=ratio(error, below) if error else 0.0,
        error_freedom=error_freedom,
        f=f,
        p=p,
        eta=eta,
    )
