"""Analysis of variance: which factors make a difference to a score, and which only together with others?

Two designs: values in groups (`one_way`), and the same units, such as conversation sides, scored under every
combination of conditions (`repeated_measures`). In the latter the differences between units are set apart, and each
effect is compared with how much it varies from unit to unit.

>>> found = repeated_measures(
...     {
...         ("reference", "gold"): [0.90, 0.84, 0.88, 0.91],
...         ("reference", "guessed"): [0.81, 0.79, 0.82, 0.80],
...         ("recognised", "gold"): [0.72, 0.66, 0.71, 0.69],
...         ("recognised", "guessed"): [0.66, 0.61, 0.64, 0.62],
...     },
...     factors=("words", "boundaries"),
... )
>>> for effect in found.effects:
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
    """A factor, or several together, and what it is compared with.

    `squares` is the sum of squares of the effect, with its degrees of `freedom`; `error_squares` and `error_freedom`
    are those of what it is tested against. `eta` is the partial η²: squares / (squares + error_squares).

    With repeated measures, `p` takes for granted that all differences between levels vary alike from unit to unit.
    `epsilon` says how far that is so (Greenhouse and Geisser 1959), 1 being wholly, as always with two levels; with
    `corrected`, the p-value for degrees of freedom that are multiplied by it, one is on the safe side.

    What has no value is None: f and p if nothing varies, or if there is no degree of freedom to compare with.
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
    """The effects, main ones first. `n` is the number of units, or of values in groups; `undefined` were left out."""

    effects: tuple[Effect, ...]
    n: int
    undefined: int = 0

    def effect(self, *factors: str) -> Effect:
        """That of one factor, or of several together."""
        name = " × ".join(factors)
        for effect in self.effects:
            if effect.name == name:
                return effect
        raise UsageError(f"there is no effect {name!r}; known: {', '.join(effect.name for effect in self.effects)}")


def one_way(groups: Mapping[str, Sequence[float | None]], *, factor: str = "group") -> Variance:
    """Do the means of groups of values differ? The groups may be of unequal size; None is left out and counted.

    >>> one_way({"a": [1, 2, 3], "b": [2, 4, 6], "c": [5, 6, 7]}).effects[0].f
    6.0
    """
    kept = [[value for value in group if value is not None] for group in groups.values()]
    filled = [group for group in kept if group]
    if len(filled) < 2:
        raise UsageError(f"{factor} needs values in two groups at least")
    numbers, scale = whole(chain.from_iterable(filled))
    count = len(numbers)
    common = lcm(count, *map(len, filled))  # squares are multiplied by it, and stay whole
    of_groups, start = 0, 0
    for group in filled:
        of_groups += sum(numbers[start : start + len(group)]) ** 2 * (common // len(group))
        start += len(group)
    effect = _effect(
        factor,
        of_groups - sum(numbers) ** 2 * (common // count),
        len(filled) - 1,
        _squares(numbers) * common - of_groups,
        count - len(filled),
        common * scale * scale,
    )
    return Variance((effect,), n=count, undefined=sum(map(len, groups.values())) - count)


def repeated_measures(cells: Mapping[tuple[str, ...], Sequence[float | None]], factors: Sequence[str]) -> Variance:
    """Effects of all factors and of their combinations, from one value for each unit under each combination of levels.

    A key of `cells` has a level for each factor; its values are those of the units, always in the same order. A unit
    without a value in some cell is left out of all and counted. Each effect is tested against its interaction with the
    unit.
    """
    levels = [list(dict.fromkeys(key[place] for key in cells if len(key) > place)) for place in range(len(factors))]
    if len(set(factors)) != len(factors) or not factors:
        raise UsageError("factors need names of their own")
    for factor, found in zip(factors, levels, strict=True):
        if len(found) < 2:
            raise UsageError(f"{factor} needs two levels at least")
    combined = list(product(*levels))
    if set(combined) != set(cells):
        odd = next((key for key in cells if len(key) != len(factors)), None)
        if odd is not None:
            raise UsageError(f"the cell {odd} does not have a level for each of {', '.join(factors)}")
        raise UsageError(f"there are no values for {next(key for key in combined if key not in cells)}")
    if len({len(values) for values in cells.values()}) > 1:
        raise UsageError("each cell needs one value for each unit")
    by_unit = list(zip(*(cells[key] for key in combined), strict=True))
    complete = [value for unit in by_unit if None not in unit for value in unit if value is not None]
    units = len(complete) // len(combined)
    numbers, scale = whole(complete)
    shape = (units, *map(len, levels))
    effects = []
    for size in range(1, len(factors) + 1):
        for chosen in combinations(range(len(factors)), size):
            axes = [place + 1 for place in chosen]
            freedom = prod(shape[axis] - 1 for axis in axes)
            name = " × ".join(factors[place] for place in chosen)
            means, deviations = (_varying(numbers, shape, varied) for varied in (axes, [0, *axes]))
            # Every number was multiplied by the lengths of all axes, and the square of a sum over those that do not
            # vary stands for as many squares of means.
            common = prod(shape[axis] for axis in axes)
            squares, error = _squares(means) * units, _squares(deviations)
            below = len(numbers) * scale * scale * common * units
            effect = _effect(name, squares, freedom, error, freedom * max(units - 1, 0), below)
            effects.append(_corrected(effect, deviations, units))
    return Variance(tuple(effects), n=units, undefined=len(by_unit) - units)


def _varying(numbers: Sequence[int], shape: tuple[int, ...], varied: Sequence[int]) -> list[int]:
    """What varies along these axes and no others: along each axis the numbers are either added up, or replaced by their
    differences from the mean times its length.
    """
    found = list(numbers)
    for axis, length in enumerate(shape if found else ()):
        step = prod(shape[axis + 1 :])
        made: list[int] = []
        for start in range(0, len(found), step * length):
            block = found[start : start + step * length]
            sums = [sum(block[place::step]) for place in range(step)]
            if axis in varied:
                made += [length * number - sums[place % step] for place, number in enumerate(block)]
            else:
                made += sums
        found = made
    return found


def _squares(numbers: Sequence[int]) -> int:
    return sum(number * number for number in numbers)


def _corrected(effect: Effect, deviations: Sequence[int], units: int) -> Effect:
    """The effect with what its degrees of freedom are to be multiplied by, from the deviations of each unit in turn."""
    if effect.f is None or not any(deviations):
        return effect
    cells = len(deviations) // units
    columns = [deviations[cell::cells] for cell in range(cells)]
    products = [sum(map(mul, one, other)) for one in columns for other in columns]
    epsilon = ratio(_squares(deviations) ** 2, effect.freedom * _squares(products))
    freedoms = effect.freedom * epsilon, effect.error_freedom * epsilon
    return effect.replace(epsilon=epsilon, corrected=f_tail(effect.f, *freedoms))


def _effect(name: str, squares: int, freedom: int, error: int, error_freedom: int, below: int) -> Effect:
    """From sums of squares that are still to be divided by `below`."""
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
