"""Upper tails of Student's t, of F and of the normal distribution, accurate also where they are very small.

The tails of t and F are values of the regularised incomplete beta function: a continued fraction times a density.

>>> f"{t_tail(2.0, 10):.10g} {t_tail(30.0, 168):.10g} {f_tail(4.0, 1, 10):.10g}"
'0.03669401739 1.122774083e-69 0.07338803477'
"""

from __future__ import annotations

from math import erfc, exp, inf, isnan, lgamma, log, log1p, pi, sqrt

from ..values.problem import UsageError

#: From here on Stirling's series, with the coefficients below, is accurate to the last bits.
_LARGE = 16
_STIRLING = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156)
_TINY = 1e-300
#: The number of steps grows with the root of the degrees of freedom; this is enough for 10^9.
_MOST_STEPS = 1_000_000


def t_tail(t: float, freedom: float) -> float:
    """The probability that Student's t is at least this large."""
    _check(t, freedom)
    if t < 0:
        return 1.0 - t_tail(-t, freedom)
    return f_tail(t * t, 1, freedom) / 2


def f_tail(f: float, above: float, below: float) -> float:
    """The probability that F is at least this large; `above` and `below` are its degrees of freedom."""
    _check(f, above, below)
    if f <= 0:
        return 1.0
    if f == inf:
        return 0.0
    # Where one of the two arguments rounds to 1, the other still has all its digits.
    weighted = f * above / below
    return incomplete_beta(1 / (1 + weighted), 1 / (1 + 1 / weighted) if weighted else 0.0, below / 2, above / 2)


def normal_tail(z: float) -> float:
    """The probability that a standard normal variable is at least this large.

    >>> f"{normal_tail(0.0)} {normal_tail(10.0):.10g}"
    '0.5 7.619853024e-24'
    """
    return erfc(z / sqrt(2)) / 2


def incomplete_beta(x: float, rest: float, a: float, b: float) -> float:
    """The regularised incomplete beta function at x; `rest` is 1 - x, which may be known more accurately than x.

    >>> round(incomplete_beta(0.25, 0.75, 1, 2), 12)
    0.4375
    """
    if x <= 0:
        return 0.0
    if rest <= 0:
        return 1.0
    if x > (a + 1) / (a + b + 2):  # the fraction converges slowly here; the result is not small, so no digits are lost
        return 1.0 - incomplete_beta(rest, x, b, a)
    return min(1.0, _density(x, rest, a, b) / (a * _fraction(x, a, b)))


def _density(x: float, rest: float, a: float, b: float) -> float:
    """x^a · rest^b / B(a, b), without the difference of large logarithms in its definition."""
    both = a + b
    exponent = a * _log_ratio(x, rest, a, b) + b * _log_ratio(rest, x, b, a)
    error = _stirling_error(both) - _stirling_error(a) - _stirling_error(b)
    return sqrt(a * b / (2 * pi * both)) * exp(exponent + error)


def _log_ratio(x: float, rest: float, a: float, b: float) -> float:
    """The logarithm of x / (a / (a + b)), which is near 0 where the density is high."""
    away = (b * x - a * rest) / a
    return log1p(away) if abs(away) < 0.5 else log(x) + log1p(b / a)


def _stirling_error(z: float) -> float:
    """The logarithm of the gamma function minus Stirling's formula."""
    if z < _LARGE:
        return lgamma(z) - ((z - 0.5) * log(z) - z + 0.5 * log(2 * pi))
    square = z * z
    series = 0.0
    for term in reversed(_STIRLING):
        series = series / square + term
    return series / z


def _fraction(x: float, a: float, b: float) -> float:
    """The continued fraction 1 + d1 x / (1 + d2 x / (1 + …)), evaluated forwards (Lentz 1976)."""
    value, above, below = 1.0, 1.0, 0.0
    for step in range(1, _MOST_STEPS):
        half = step // 2
        if step % 2:
            term = -(a + half) * (a + b + half) * x / ((a + 2 * half) * (a + 2 * half + 1))
        else:
            term = half * (b - half) * x / ((a + 2 * half - 1) * (a + 2 * half))
        below = 1 / (1 + term * below or _TINY)
        above = 1 + term / above or _TINY
        change = above * below
        value *= change
        if abs(change - 1) < 1e-16:
            break
    return value


def _check(value: float, *freedoms: float) -> None:
    if isnan(value):
        raise UsageError("the tail of a distribution needs a number, not nan")
    for freedom in freedoms:
        if not 0 < freedom < inf:
            raise UsageError(f"degrees of freedom must be a number above 0, not {freedom!r}")
