"""Lengths of pictures: numbers, or text with a unit.

>>> round(pixels("3.3in", "width")), pixels(700, "width"), pixels("8pt", "font_size") == pixels(8, "font_size", "pt")
(317, 700.0, True)
"""

from __future__ import annotations

from ..values.problem import UsageError

#: CSS pixels per unit.
UNITS = {"px": 1.0, "pt": 96 / 72, "in": 96.0, "cm": 96 / 2.54, "mm": 96 / 25.4}


def pixels(length: object, name: str, unit: str = "px") -> float:
    """A length in CSS pixels, 96 to the inch; `unit` is that of a bare number."""
    number = length
    if isinstance(length, str):
        text = length.strip()
        if text[-2:] in UNITS:
            text, unit = text[:-2], text[-2:]
        try:
            number = float(text)
        except ValueError:
            number = None
    is_number = isinstance(number, int | float) and not isinstance(number, bool)
    if not is_number or not 0 < number < 1e6:  # type: ignore[operator]
        raise UsageError(f"{name} must be a positive number or a length such as 3.3in or 240pt, not {length!r}")
    return float(number) * UNITS[unit]  # type: ignore[arg-type]
