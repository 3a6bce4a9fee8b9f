"""Options of metrics: each is declared once, and everything else is derived from its declaration.

From the name, the kind, the default and the description follow the checks of arguments, the text in a signature and its
parser, the sentence of `treescore info`, and the row in the table of options.

>>> outer = Choice("outer", "counted", choices={"counted": "outer brackets count", "ignored": "they do not count"})
>>> outer.check("ignored"), outer.sentence("ignored")
('ignored', 'they do not count')
>>> outer.check("ignore")
Traceback (most recent call last):
treescore.SignatureError: outer must be one of counted, ignored, not 'ignore'; did you mean 'ignored'?
"""

from __future__ import annotations

from .signature_text import (
    SignatureError,
    quote,
    quote_list,
    quote_pairs,
    unquote,
    unquote_list,
    unquote_pairs,
)
from .suggestions import did_you_mean
from .value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any


class Option(Value):
    """An option whose value is a text that signatures contain unchanged, such as the name of a file.

    `argument` is its name in Python. In the `description`, {} is the place of the value; `choices` have their own
    descriptions. The value None means that the option is not given; `unset` describes this case.
    """

    name: str
    default: Any = None
    description: str = ""
    choices: Mapping[str, str] = {}
    unset: str = ""
    expects: str = ""
    allows: Callable[[Any], bool] | None = None
    aliases: Mapping[str, str] = {}
    is_always_written: bool = False

    #: Kind of value, unless `expects` is more specific.
    kind = "a text"
    #: Placeholder for a value in a description.
    placeholder = "…"

    @property
    def expected(self) -> str:
        """The expected values, for messages and help."""
        return self.expects or self.kind

    @property
    def argument(self) -> str:
        """The name of the argument in Python."""
        return self.name.replace("-", "_")

    def always_written(self) -> Option:
        """The same option for metrics whose signatures contain it even with its default."""
        return self.replace(is_always_written=True)

    # ---- Values

    def check(self, value: Any) -> Any:
        """The value of a constructor argument; an error if its type is wrong or it is out of range."""
        return value if value is None and self.default is None else self.checked(value)

    def checked(self, value: Any) -> Any:
        """The value of an argument that is not None."""
        return value

    def parse(self, text: str) -> Any:
        """The argument for the text in a signature."""
        try:
            return self.unquoted(text)
        except SignatureError as problem:
            raise SignatureError(f"{self.name}: {problem}") from None

    def unquoted(self, text: str) -> Any:
        """The argument for the text in a signature, whose special characters are quoted."""
        return text

    def write(self, value: Any) -> str:
        """The text in a signature."""
        return str(value)

    def refusal(self, value: object, expected: str = "") -> SignatureError:
        """The error for a value that the option cannot have."""
        shown = value[:40] if isinstance(value, str) else value
        hint = did_you_mean(value, self.choices) if isinstance(value, str) else ""
        return SignatureError(f"{self.name} must be {expected or self.expected}, not {shown!r}{hint}")

    # ---- Words

    def sentence(self, value: Any) -> str:
        """The meaning of the option with this value; may be empty."""
        if self.is_unset(value):
            return self.unset
        text = self.write(value)
        return self.choices[text] if text in self.choices else self.description.format(self.shown(value))

    def is_unset(self, value: Any) -> bool:
        """Does this value mean the same as no value?"""
        return value is None

    def shown(self, value: Any) -> str:
        """The value as it is written in a sentence."""
        return self.write(value)

    def alternatives(self, mark: Callable[[str], str] = str) -> str:
        """The values that the option can have; `mark` marks literal values."""
        literal = map(mark, (*self.choices, *self.aliases))
        return ", ".join([*literal, *([self.expected] if self.description else [])])

    def meanings(self, mark: Callable[[str], str] = str) -> list[str]:
        """The meaning of the option and of each of its choices."""
        parts = [self.description.format(self.placeholder).removesuffix(": …")] if self.description else []
        parts += [f"{mark(choice)}: {sentence}" for choice, sentence in self.choices.items()]
        parts += [f"{mark(alias)} is {mark(choice)}" for alias, choice in self.aliases.items()]
        return [*parts, *([f"without it, {self.unset}"] if self.unset and self.default is None else [])]


class Choice(Option):
    """An option with one of a few values, each of which has a description."""

    @property
    def expected(self) -> str:
        names = ", ".join(self.choices)
        return f"one of {names}" if len(self.choices) > 1 else names

    def checked(self, value: Any) -> Any:
        value = self.aliases.get(value, value) if isinstance(value, str) else value
        if value not in self.choices:
            raise self.refusal(value)
        return value


class Flag(Option):
    """An option that is True or False, in signatures yes or no."""

    kind = "yes or no"

    def checked(self, value: Any) -> Any:
        if not isinstance(value, bool):
            raise self.refusal(value, "True or False")
        return value

    def parse(self, text: str) -> bool:
        if text not in ("yes", "no"):
            raise self.refusal(text)
        return text == "yes"

    def write(self, value: Any) -> str:
        return "yes" if value else "no"


class Number(Option):
    """An option that is a number; whole numbers become int."""

    kind = "a number"
    placeholder = "N"

    def checked(self, value: Any) -> Any:
        try:
            number = float("nan" if isinstance(value, bool | str | bytes) else value)
        except (TypeError, ValueError, OverflowError):
            number = float("nan")
        if number != number or (self.allows and not self.allows(number)):
            raise self.refusal(value)
        return int(number) if number.is_integer() else number

    def parse(self, text: str) -> Any:
        try:
            return self.checked(float(text))
        except ValueError:
            raise self.refusal(text) from None

    def write(self, value: Any) -> str:
        return repr(float(value)).removesuffix(".0")


class WholeNumber(Option):
    """An option that is a whole number."""

    kind = "a whole number from 0 to 999,999,999"
    placeholder = "N"

    def checked(self, value: Any) -> Any:
        if not isinstance(value, int) or value not in range(10**9):
            raise self.refusal(value)
        return value

    def parse(self, text: str) -> int | None:
        if not text and self.default is None:
            return None
        if not text.isdecimal() or len(text) > 9:
            raise self.refusal(text)
        return int(text)

    def is_unset(self, value: Any) -> bool:
        return value is None or (self.default is not None and value <= 1)  # everything has at least 1


class Characters(Option):
    """An option that is a set of characters."""

    kind = "characters"

    def unquoted(self, text: str) -> str:
        return unquote(text)

    def checked(self, value: Any) -> Any:
        if not isinstance(value, str):
            raise self.refusal(value)
        return value

    def write(self, value: Any) -> str:
        return quote(value)

    def is_unset(self, value: Any) -> bool:
        return not value

    def shown(self, value: Any) -> str:
        return " ".join(value)


class Texts(Option):
    """An option that is a list of labels, tags or words."""

    kind = "a list of labels"

    def unquoted(self, text: str) -> tuple[str, ...]:
        return unquote_list(text)

    def checked(self, value: Any) -> Any:
        if isinstance(value, str | bytes) or not hasattr(value, "__iter__"):
            raise self.refusal(value)
        items = tuple(value)
        if not all(isinstance(item, str) for item in items):
            raise self.refusal(value)
        return items

    def write(self, value: Any) -> str:
        return quote_list(value)

    def is_unset(self, value: Any) -> bool:
        return value is None or (bool(self.unset) and not value)

    def shown(self, value: Any) -> str:
        return " ".join(item or '""' for item in dict.fromkeys(value)) or "none"


class Pairs(Option):
    """An option that is a list of pairs."""

    kind = "a list of pairs A=B"

    def unquoted(self, text: str) -> tuple[tuple[str, str], ...]:
        return unquote_pairs(text)

    def checked(self, value: Any) -> Any:
        try:
            items = tuple(value)
            pairs = tuple((a, b) for a, b in items)
        except (TypeError, ValueError):
            raise self.refusal(value) from None
        if any(isinstance(item, str) for item in items) or not all(isinstance(a, str) for pair in pairs for a in pair):
            raise self.refusal(value)
        return pairs

    def write(self, value: Any) -> str:
        return quote_pairs(value)

    def shown(self, value: Any) -> str:
        return ", ".join(f"{a} = {b}" for a, b in dict.fromkeys(value)) or "none"
