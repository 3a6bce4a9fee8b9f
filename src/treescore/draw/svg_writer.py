"""Pictures as SVG: plain shapes, without scripts or style sheets.

Without a background, text and lines have the colour of the text around the picture, which may be light on dark.
"""

from __future__ import annotations

from typing import NamedTuple

from ..values.brief import brief
from .colours import COLOURS, GREY, GREYS, INK, PALE, PAPER, WRONG_LABEL, Paint
from .layout import SMALL, TITLE, Area, Box, Text
from .sides import NOTE, WORD
from .widths import text_width

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from .layout import Item, Picture, Point

FONTS = "Arial, Helvetica, 'Liberation Sans', 'DejaVu Sans', 'Noto Sans', sans-serif"
_SIZES = {"word": WORD, "silent": WORD, "title": TITLE, "tick": 9.5}
_GREY_TEXTS = {"silent", "small", "tick", "caption"}
#: Around words from right to left. Not all programs support the attribute `direction`, which also reverses
#: `text-anchor`.
_LEFTWARD, _END = "\u2067", "\u2069"
#: Dashed outlines of missing and extra nodes.
_DASHES = ' stroke-dasharray="3 2"'

_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;", "\n": "&#10;"})


def escape(text: str) -> str:
    """Text for elements and attributes."""
    return text.translate(_ESCAPES)


class _Style(NamedTuple):
    """The colours of a picture, as attributes."""

    paints: Sequence[Paint]
    has_background: bool

    def grey(self, attribute: str, colour: str = GREY) -> str:
        """A grey, or without a background a transparent ink."""
        if self.has_background:
            return f' {attribute}="{colour}"'
        return f' {attribute}="currentColor" {attribute}-opacity="{0.3 if colour == PALE else 0.7}"'

    def ink(self) -> str:
        """The colour of text."""
        return INK if self.has_background else "currentColor"

    def box(self, colour: int | None) -> str:
        """The background of a box. Ink may be light, so that a shade has to be transparent."""
        if colour is None:
            return f' fill="{PAPER if self.has_background else "none"}"'
        if self.has_background:
            return f' fill="{self.paints[colour].fill}"'
        return f' fill="{self.paints[colour].line}" fill-opacity="0.25"'

    def stroke(self, kind: str, colour: int | None) -> str:
        """The colour and dashes of outlines and branches."""
        if colour is not None:
            return f' stroke="{self.paints[colour].line}"'
        if kind in ("missing", "extra"):
            return f' stroke="{self.ink()}"{_DASHES}'
        return self.grey("stroke", PALE if kind == "ignored" else GREY)


def write(
    pictures: Sequence[Picture], *, scale: float = 1.0, background: str | None = PAPER, greyscale: bool = False
) -> str:
    """One picture, or several, one below the other."""
    style = _Style(GREYS if greyscale else COLOURS, background is not None)
    total = max(picture.width for picture in pictures)
    height = sum(picture.height for picture in pictures)
    title = "; ".join(picture.title for picture in pictures)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_number(total * scale)}" height="{_number(height * scale)}" '
        f'viewBox="0 0 {_number(total)} {_number(height)}" role="img" aria-label="{escape(brief(title))}" '
        f'font-family="{FONTS}" fill="{style.ink()}" stroke-width="1.2">',
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
        parts += [_item(item, style) for item in picture.items]
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


def _item(item: Item, style: _Style) -> str:
    if isinstance(item, Text):
        return _text(item, style)
    if isinstance(item, Box):
        return _box(item, style)
    if isinstance(item, Area):
        shade = f'fill="{"#dcdcdc" if item.dark else "#ececec"}"'
        if not style.has_background:
            shade = f'fill="{GREY}" fill-opacity="{0.3 if item.dark else 0.2}"'
        return f'<path d="{_path(item.points)}Z" {shade}/>'
    path = f'<path d="{"".join(map(_path, item.lines))}" fill="none"'
    casing = f'{path} stroke="{PAPER}" stroke-width="5"/>' if item.over and style.has_background else ""
    return f"{casing}{path}{style.stroke(item.kind, item.colour)}/>"


def _path(points: Sequence[Point]) -> str:
    return "M" + "L".join(f"{_number(x)} {_number(y)}" for x, y in points)


def _text(item: Text, style: _Style) -> str:
    size = _SIZES.get(item.kind, SMALL)
    attributes = f' font-size="{_number(size)}"'
    if item.anchor != "start":
        attributes += f' text-anchor="{item.anchor}"'
    if item.kind in _GREY_TEXTS:
        attributes += style.grey("fill")
    if item.kind in ("word", "silent"):
        attributes += f' class="{item.kind}"'
    text = escape(item.text)
    if item.leftward:
        text = f"{_LEFTWARD}{text}{_END}"
    return f'<text x="{_number(item.x)}" y="{_number(item.y + size * 0.36)}"{attributes}>{text}</text>'


def _box(item: Box, style: _Style) -> str:
    parts = []
    name = ""
    if item.side:
        name = f' class="node {item.kind}" data-side="{item.side}" data-node="{item.number}"'
    if item.tip:
        parts.append(f"<title>{escape(brief(item.tip))}</title>")
    stroke = ' stroke="none"'
    if item.boxed:
        stroke = style.stroke(item.kind, item.colour)
        if item.colour is not None:
            stroke += ' stroke-width="1.8"'
    x, y = item.x - item.width / 2, item.y - item.height / 2
    parts.append(
        f'<rect x="{_number(x)}" y="{_number(y)}" width="{_number(item.width)}" height="{_number(item.height)}" rx="4"'
        f"{style.box(item.colour)}{stroke}/>"
    )
    parts += _label(item, style.grey("fill") if item.kind == "ignored" else "", style)
    return f"<g{name}>{''.join(parts)}</g>"


def _label(item: Box, ink: str, style: _Style) -> list[str]:
    """The label, and the note after it. The sign ≠ is drawn, because fonts without it show two characters."""
    note = f'<tspan dx="3" font-size="{_number(NOTE)}">{escape(item.note)}</tspan>' if item.note else ""

    def text(label: str, place: float, anchor: str, note: str = "") -> list[str]:
        if not label and not note:
            return []
        return [
            f'<text x="{_number(place)}" y="{_number(item.y + item.size * 0.36)}" font-size="{_number(item.size)}" '
            f'text-anchor="{anchor}"{ink}>{escape(label)}{note}</text>'
        ]

    before, sign, after = item.label.partition(WRONG_LABEL)
    if not sign:
        return text(before, item.x, "middle", note)
    signs = [text_width(part, item.size) for part in (before, sign)]
    width = text_width(item.label, item.size) + (3 + text_width(item.note, NOTE) if item.note else 0.0)
    x = item.x - width / 2 + signs[0] + signs[1] / 2
    half, bar, slash = (share * item.size for share in (0.29, 0.1, 0.32))
    strokes = [[(x - half, item.y + side * bar), (x + half, item.y + side * bar)] for side in (-1, 1)]
    strokes.append([(x - half / 2, item.y + slash), (x + half / 2, item.y - slash)])
    lines = "".join(map(_path, strokes))
    return [
        *text(before, x - half - 1.5, "end"),
        f'<path class="sign" d="{lines}" fill="none" stroke="{style.ink()}" stroke-width="1.1"/>',
        *text(after, x + half + 1.5, "start", note),
    ]
