"""Pictures as SVG: plain shapes with fixed colours, without scripts or style sheets."""

from __future__ import annotations

from ..values.brief import brief
from .colours import GREY, INK, PALE, PALETTE, PAPER, tint
from .layout import PADDING, SMALL, TITLE, Area, Box, Text
from .sides import LABEL, NOTE, WORD
from .widths import text_width

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from .layout import Item, Picture, Point

FONTS = "Arial, Helvetica, 'Liberation Sans', 'DejaVu Sans', 'Noto Sans', sans-serif"
_SIZES = {"word": WORD, "silent": WORD, "title": TITLE, "tick": 9.5}
_INKS = {"silent": GREY, "small": GREY, "tick": GREY, "caption": GREY}
#: Around words from right to left. Not all programs support the attribute `direction`, which also reverses
#: `text-anchor`.
_LEFTWARD, _END = "\u2067", "\u2069"
#: Dashed outlines of missing and extra nodes.
_DASHES = ' stroke-dasharray="3 2"'

_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;", "\n": "&#10;"})


def escape(text: str) -> str:
    """Text for elements and attributes."""
    return text.translate(_ESCAPES)


def write(pictures: Sequence[Picture], *, width: float | None = None, background: str | None = PAPER) -> str:
    """One picture, or several, one below the other."""
    total = max(picture.width for picture in pictures)
    height = sum(picture.height for picture in pictures)
    scale = 1.0 if width is None else min(1.0, width / total)
    title = "; ".join(picture.title for picture in pictures)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_number(total * scale)}" height="{_number(height * scale)}" '
        f'viewBox="0 0 {_number(total)} {_number(height)}" role="img" aria-label="{escape(brief(title))}" '
        f'font-family="{FONTS}" fill="{INK}" stroke-width="1.2">',
        f"<title>{escape(brief(title))}</title>",
        f"<desc>{escape(brief(' '.join(picture.description for picture in pictures)))}</desc>",
    ]
    if background is not None:
        parts.append(
            f'<rect width="{_number(total)}" height="{_number(height)}" fill="{escape(background)}" stroke="none"/>'
        )
    top = 0.0
    for picture in pictures:
        if top:
            parts.append(f'<g transform="translate(0 {_number(top)})">')
        parts += map(_item, picture.items)
        if top:
            parts.append("</g>")
        top += picture.height
    parts.append("</svg>\n")
    return "\n".join(parts)


def _number(value: float) -> str:
    """A length rounded to a tenth.

    >>> _number(12.0), _number(3.14159), _number(-0.01)
    ('12', '3.1', '0')
    """
    rounded = round(value, 1) + 0.0
    return str(int(rounded)) if rounded == int(rounded) else str(rounded)


def _item(item: Item) -> str:
    if isinstance(item, Text):
        return _text(item)
    if isinstance(item, Box):
        return _box(item)
    if isinstance(item, Area):
        return f'<path d="{_path(item.points)}Z" fill="{"#dcdcdc" if item.dark else "#ececec"}"/>'
    path = f'<path d="{"".join(map(_path, item.lines))}" fill="none" '
    casing = f'{path}stroke="{PAPER}" stroke-width="5"/>' if item.over else ""
    return f"{casing}{path}{_stroke(item.kind, item.colour)}/>"


def _path(points: Sequence[Point]) -> str:
    return "M" + "L".join(f"{_number(x)} {_number(y)}" for x, y in points)


def _stroke(kind: str, colour: int | None) -> str:
    if colour is not None:
        return f'stroke="{PALETTE[colour]}"'
    if kind in ("missing", "extra"):
        return f'stroke="{INK}"{_DASHES}'
    return f'stroke="{PALE if kind == "ignored" else GREY}"'


def _text(item: Text) -> str:
    size = _SIZES.get(item.kind, SMALL)
    ink = _INKS.get(item.kind)
    attributes = f' font-size="{_number(size)}"'
    if item.anchor != "start":
        attributes += f' text-anchor="{item.anchor}"'
    if ink:
        attributes += f' fill="{ink}"'
    if item.kind in ("word", "silent"):
        attributes += f' class="{item.kind}"'
    text = escape(item.text)
    if item.leftward:
        text = f"{_LEFTWARD}{text}{_END}"
    return f'<text x="{_number(item.x)}" y="{_number(item.y + size * 0.36)}"{attributes}>{text}</text>'


def _box(item: Box) -> str:
    ink = f' fill="{GREY}"' if item.kind == "ignored" else ""
    parts = []
    name = ""
    if item.side:
        name = f' class="node {item.kind}" data-side="{item.side}" data-node="{item.number}"'
    if item.tip:
        parts.append(f"<title>{escape(brief(item.tip))}</title>")
    fill = PAPER if item.colour is None else tint(PALETTE[item.colour])
    stroke = ' stroke="none"'
    if item.boxed:
        stroke = f" {_stroke(item.kind, item.colour)}"
        if item.colour is not None:
            stroke += ' stroke-width="1.8"'
    x, y = item.x - item.width / 2, item.y - item.height / 2
    parts.append(
        f'<rect x="{_number(x)}" y="{_number(y)}" width="{_number(item.width)}" height="{_number(item.height)}" rx="4" '
        f'fill="{fill}"{stroke}/>'
    )
    small = 3 + text_width(item.note, NOTE) if item.note else 0.0
    if item.label or item.note:
        parts.append(
            f'<text x="{_number(item.x - small / 2)}" y="{_number(item.y + item.size * 0.36)}" '
            f'font-size="{_number(item.size)}" text-anchor="middle"{ink}>'
            f"{escape(item.label)}</text>"
        )
    if item.note:
        at = item.x + item.width / 2 - PADDING
        parts.append(
            f'<text x="{_number(at)}" y="{_number(item.y + LABEL * 0.36)}" font-size="{_number(NOTE)}" '
            f'text-anchor="end">{escape(item.note)}</text>'
        )
    return f"<g{name}>{''.join(parts)}</g>"
