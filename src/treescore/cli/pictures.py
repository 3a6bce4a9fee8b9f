"""Options of commands that draw trees: appearance of pictures."""

from __future__ import annotations

import argparse

from ..draw import DIRECTIONS, MODES, SUFFIXES
from ..values.problem import UsageError
from . import errors
from .flags import LOOK_FLAGS, add_flags, look_options

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from ..draw import Drawable

#: Options of pictures only, with their names in `draw.save`.
_PICTURES = ("mode", "direction", "turn", "title", "duration", "ppi", "intervals")


def add_picture_options(command: argparse.ArgumentParser) -> None:
    """The appearance of pictures."""
    group = command.add_argument_group(f"pictures ({', '.join(SUFFIXES)})")
    group.add_argument("--mode", choices=MODES, help="test mirrored below gold (default), or beside gold")
    group.add_argument("--direction", choices=DIRECTIONS, help="direction of writing (default: auto, by the words)")
    group.add_argument(
        "--turn",
        action=argparse.BooleanOptionalAction,
        help="one word per line (default: for more than 40 words, or if --width makes the text too small otherwise)",
    )
    add_flags(group, "title")
    group.add_argument(
        "--duration",
        metavar="SECONDS|AUDIO",
        help="duration of the recording, or its file: length of the ruler of seconds",
    )
    group.add_argument(
        "--intervals",
        action="store_true",
        default=None,
        help="the interval of each node after its label, e.g. its start and end in seconds",
    )
    add_flags(group, *LOOK_FLAGS)
    group.add_argument("--ppi", type=float, metavar="N", help="pixels per inch of a .png (default: 192)")


def is_picture(path: str | None) -> bool:
    """Does this file name have the ending of a picture?"""
    return (path or "").lower().endswith(SUFFIXES)


def picture_options(options: argparse.Namespace) -> dict[str, Any]:
    """The options of `draw.save`; refused if the output is not a picture."""
    given = {name: getattr(options, name) for name in _PICTURES if getattr(options, name) is not None}
    given |= look_options(options)
    if not is_picture(options.output):
        given.pop("width", None)  # of text
    if given and not is_picture(options.output):
        endings = ", ".join(SUFFIXES)
        raise UsageError(
            f"--{next(iter(given)).replace('_', '-')} is for pictures: give -o a file name with the ending {endings}"
        )
    if "duration" in given:
        given["duration"] = _seconds(given["duration"])
    return given


def _seconds(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        from ..speech.audio import length_of

        return length_of(text)


def draw(path: str, sentences: Sequence[Drawable], options: dict[str, Any]) -> None:
    """Draw into a file; missing glyphs are reported on standard error."""
    import warnings

    from ..draw import save

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        save(path, *sentences, **options)
    for warning in caught:
        errors.notify(f"{path}: {warning.message}")
