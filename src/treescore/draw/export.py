"""Pictures in files. PDF and PNG are written by typst, a library without other dependencies."""

from __future__ import annotations

import os

from ..helpers import extras
from ..helpers.new_files import replacing
from ..values.problem import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from . import Drawable

#: The options of LaTeX code.
_LATEX = {"title", "direction", "plain", "greyscale", "width", "font_size", "intervals"}
#: Points per pixel; maximum page size of PDF viewers in points; maximum image size in pixels.
_POINTS, _LARGEST_PAGE, _LARGEST_IMAGE = 0.75, 14_400.0, 100_000_000
#: The last letter that every bundled font has, and other characters that every font has.
_LAST_LATIN, _OURS = "\u024f", frozenset("−×∅·…–\u2067\u2069")
_PAGE = """#set page(width: {width}pt, height: {height}pt, margin: 0pt, fill: none)
#set document(title: sys.inputs.title, date: none)
#image(bytes(sys.inputs.svg), format: "svg", width: 100%, alt: sys.inputs.title)
"""


def save_as(
    path: str | os.PathLike[str],
    things: Sequence[Drawable],
    options: dict[str, Any],
    ppi: float | None,
    fonts: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
) -> None:
    """Draw into a file in the format of its ending."""
    from . import SUFFIXES, check_number, latex, svg

    suffix = os.path.splitext(os.fspath(path))[1].lower()
    if suffix not in SUFFIXES:
        raise UsageError(f"{os.fspath(path)}: the name of a picture must end with {', '.join(SUFFIXES)}")
    check_number(ppi, "ppi")
    folders = [fonts] if isinstance(fonts, str | os.PathLike) else fonts
    given = {*(["ppi"] if ppi is not None else []), *(["fonts"] if folders else []), *options}
    unused = {".svg": {"ppi", "fonts"}, ".pdf": {"ppi"}, ".png": set(), ".tex": given - _LATEX}[suffix]
    for name in sorted(given & unused):
        raise UsageError(f"{name} has no effect on a {suffix} file ({os.fspath(path)})")
    if suffix == ".tex":
        content = latex(*things, **options).encode()
    elif suffix == ".svg":
        content = svg(*things, **options).encode()
    else:
        content = compiled(svg(*things, **options), suffix[1:], ppi or 192, folders)
    with replacing(path) as file:
        file.write(content)


def compiled(svg: str, form: str, ppi: float = 192, fonts: Sequence[str | os.PathLike[str]] = ()) -> bytes:
    """An SVG of `svg` as "pdf" or "png"."""
    import re
    from html import unescape

    typst = extras.library("typst", "draw", "PDF and PNG need")
    size = re.match(r'<svg [^>]*?width="([\d.]+)" height="([\d.]+)"[^>]*aria-label="([^"]*)"', svg)
    assert size is not None
    width, height = float(size[1]) * _POINTS, float(size[2]) * _POINTS
    scale = min(1.0, _LARGEST_PAGE / max(width, height))
    width, height = width * scale, height * scale
    if form == "png" and not 0 < width * height * (ppi / 72) ** 2 <= _LARGEST_IMAGE:
        raise UsageError(f"a PNG with {ppi:g} pixels per inch is too large; choose a lower ppi, or SVG or PDF")
    page = _PAGE.format(width=round(width, 2), height=round(height, 2)).encode()
    options = {
        "font_paths": [os.fspath(folder) for folder in fonts],
        "sys_inputs": {"svg": svg, "title": unescape(size[3])},
        "timestamp": 0,
    }
    content: bytes = typst.compile(page, format=form, ppi=ppi, **options)
    if any(character > _LAST_LATIN and character not in _OURS for character in svg):
        _warn(typst, page, options)
    return content


def _warn(typst: Any, page: bytes, options: dict[str, Any]) -> None:
    """Warn of characters without a glyph.

    typst draws empty boxes without a warning, but not in PDF/A, where its error names the text.
    """
    import re
    import warnings

    try:
        typst.compile(page, format="pdf", pdf_standards=["a-2b"], **options)
    except RuntimeError as problem:
        match = re.search(r"the text\W*(.+?)\W*c(?:ould|an) ?not be displayed", str(problem))
        if match:
            message = f"no font has {match[1]!r} (and perhaps other characters), drawn as an empty box"
            warnings.warn(f"{message}; add a folder of fonts by fonts=, or write .svg", stacklevel=5)
