"""Results as text or pictures. The packages that render and draw are imported by name, so that no result needs them."""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
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


def pictures() -> Any:
    """The package that draws trees."""
    return import_module("treescore.draw")
