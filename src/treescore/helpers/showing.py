"""Results as text or pictures. The packages that render and draw are imported by name, so that no result needs them."""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from os import PathLike
    from typing import Any


def rendered(result: object, form: str, **options: Any) -> str:
    """A result as text in one of the formats of `treescore.render`."""
    text: str = import_module("treescore.render").render(result, form, **options)
    return text


class Shown:
    """A result that is printed as a table, and shown as HTML in notebooks. Subclasses add the options of their `to`."""

    __slots__ = ()

    def to(self, form: str) -> str:
        """The result as text in this format."""
        return rendered(self, form)

    def __str__(self) -> str:
        return self.to("table")

    def _repr_html_(self) -> str:
        return self.to("html")


class Drawn:
    """A tree or a pair of trees that can be drawn, and that notebooks show as a picture."""

    __slots__ = ()

    def svg(self, **options: Any) -> str:
        """A picture as SVG; for the options see `treescore.draw.pictures`.

        >>> import treescore
        >>> treescore.read("(NP (DT the) (NN cat))")[0].svg()[:4]
        '<svg'
        >>> treescore.pair("(S (X a b) c)", "(S a (X b c))").svg(mode="beside")[:4]
        '<svg'
        """
        picture: str = pictures().svg(self, **options)
        return picture

    def save(self, path: str | PathLike[str], **options: Any) -> None:
        """Draw into a file: `.svg`, `.pdf`, `.png` or `.tex`."""
        pictures().save(path, self, **options)

    def _repr_svg_(self) -> str | None:
        picture: str | None = pictures().automatic(self)
        return picture

    def _repr_html_(self) -> str | None:
        """The picture in the colours of the notebook, light or dark; programs without HTML use `_repr_svg_`."""
        picture: str | None = pictures().automatic(self, background=None)
        return picture


def pictures() -> Any:
    """The package that draws trees."""
    return import_module("treescore.draw")
