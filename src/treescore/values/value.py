"""A base for small immutable values. (dataclasses would double the start-up time of the commands.)"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from typing_extensions import Self


class Value:
    """Immutable, compared and shown by its slots, rebuilt by its keyword arguments."""

    __slots__: tuple[str, ...] = ()

    def _store(self, **values: Any) -> None:
        store = object.__setattr__
        for name, value in values.items():
            store(self, name, value)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a {type(self).__name__} cannot be changed; use replace({name}=…)")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a {type(self).__name__} cannot be changed")

    def values(self) -> dict[str, Any]:
        """All parts by name."""
        return {name: getattr(self, name) for name in self.__slots__}

    def replace(self, **changes: Any) -> Self:
        """The same value with some parts changed."""
        return type(self)(**{**self.values(), **changes})

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and isinstance(other, Value) and self.values() == other.values()

    def __hash__(self) -> int:
        return hash(tuple(self.values().items()))

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={value!r}" for name, value in self.values().items() if value not in (None, ()))
        return f"{type(self).__name__}({shown})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuilt, (type(self), self.values())


def _rebuilt(kind: Any, values: dict[str, Any]) -> Any:
    return kind(**values)
