"""A base class for small immutable values. (dataclasses would double the start-up time of the commands.)

>>> class Point(Value):
...     x: float
...     y: float = 0.0
>>> Point(1.5), Point(1.5, y=2.0).replace(x=0.5)
(Point(x=1.5, y=0.0), Point(x=0.5, y=2.0))
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from inspect import Signature
    from typing import Any, ClassVar

    from typing_extensions import Self, dataclass_transform
else:

    def dataclass_transform(**_options):
        return lambda decorated: decorated


@dataclass_transform(frozen_default=True)
class _Declared(type):
    """Turns the annotations of a class into slots, and their values into defaults of its constructor."""

    _defaults: ClassVar[dict[str, Any]]

    def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> _Declared:
        if "__annotations__" in body:  # a subclass without annotations has the fields of its base
            fields = body.setdefault("__slots__", tuple(body["__annotations__"]))
            body["_defaults"] = {field: body.pop(field) for field in fields if field in body}
        return super().__new__(cls, name, bases, body)

    @property
    def __signature__(cls) -> Signature | None:
        from inspect import Parameter, Signature

        if "__init__" in vars(cls):
            return None
        kind, missing = Parameter.POSITIONAL_OR_KEYWORD, Parameter.empty
        fields: tuple[str, ...] = cls.__slots__  # type: ignore[attr-defined]
        return Signature([Parameter(name, kind, default=cls._defaults.get(name, missing)) for name in fields])


class Value(metaclass=_Declared):
    """An immutable value, compared and shown by its fields, which are the annotations of the class.

    A subclass that checks or converts its fields has an `__init__` that ends with `_store`.
    """

    __slots__: ClassVar[tuple[str, ...]] = ()

    def __init__(self, *positional: Any, **named: Any) -> None:
        fields, count = self.__slots__, len(positional) + len(named)
        if not named and count == len(fields):  # there may be a value for each node of a tree
            store = object.__setattr__
            for name, value in zip(fields, positional, strict=True):
                store(self, name, value)
            return
        named.update(zip(fields, positional, strict=False))
        values = {**type(self)._defaults, **named}
        if len(named) != count or values.keys() != set(fields):
            raise TypeError(f"a {type(self).__name__} is made of {', '.join(fields)}")
        self._store(**values)

    def _store(self, **values: Any) -> None:
        store = object.__setattr__
        for name, value in values.items():
            store(self, name, value)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a {type(self).__name__} cannot be changed; use replace({name}=…)")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a {type(self).__name__} cannot be changed")

    def values(self) -> dict[str, Any]:
        """All fields by name."""
        return {name: getattr(self, name) for name in self.__slots__}

    def replace(self, **changes: Any) -> Self:
        """The same value with some fields changed."""
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


def _rebuilt(cls: Any, values: dict[str, Any]) -> Any:
    return cls(**values)
