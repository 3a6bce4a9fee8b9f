"""The syntax of signatures: names, options, and values with special characters.

A signature is `name|option:value|…|v:version`. It is the command-line argument, the key in JSON and the footnote of
a table, and it parses back to the same metric.

>>> split_signature("parseval|labels:no|profile:none|v:0.2.0.dev0")
('parseval', {'labels': 'no', 'profile': 'none', 'v': '0.2.0.dev0'})
>>> join_signature("parseval", {"labels": "no", "delete": quote_list(["TOP", ":"])})
'parseval|labels:no|delete:TOP+%3A'
>>> unquote_list("TOP+%3A")
('TOP', ':')
"""

from __future__ import annotations

from .problem import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_SPECIAL = "%|:+=,"


class SignatureError(UsageError):
    """A signature with an unknown metric or option, or an option with an invalid value."""

    __module__ = "treescore"


def split_signature(signature: str) -> tuple[str, dict[str, str]]:
    """Name and options of a signature."""
    name, *rest = signature.strip().split("|")
    options: dict[str, str] = {}
    for part in rest:
        key, colon, value = part.partition(":")
        if not colon or not key:
            raise SignatureError(f"in {signature!r}: {part!r} is not of the form option:value")
        if key in options:
            raise SignatureError(f"in {signature!r}: {key} is given twice")
        options[key] = value
    return name, options


def without_suffixes(signature: str) -> str:
    """The signature of the metric, without those of reading completions, of a test and of a confidence interval.

    >>> without_suffixes("parseval|v:0.2.0.dev0|llm:last|repair:all|ci:bca|level:0.95|n:1000|seed:1|unit:sentence")
    'parseval|v:0.2.0.dev0'
    >>> without_suffixes("parseval|v:0.2.0.dev0|test:bootstrap|figure:f1|n:1000|seed:1|unit:sentence|ci:percentile")
    'parseval|v:0.2.0.dev0'
    """
    return signature.partition("|ci:")[0].partition("|test:")[0].partition("|llm:")[0]


def join_signature(name: str, options: Mapping[str, str]) -> str:
    """The signature with these options, in this order."""
    return "|".join([name, *(f"{key}:{value}" for key, value in options.items())])


def quote(text: str) -> str:
    """Text with special characters quoted, for a signature."""
    return "".join(
        f"%{byte:02X}" if chr(byte) in _SPECIAL or byte <= 32 or byte >= 127 else chr(byte)
        for byte in text.encode("utf-8", "surrogateescape")
    )


def unquote(text: str) -> str:
    """The inverse of `quote`."""
    out = bytearray()
    rest = text.encode()
    while rest:
        if rest[:1] == b"%":
            try:
                out.append(int(rest[1:3], 16))
            except ValueError:
                raise SignatureError(f"{text!r}: % must be followed by two hexadecimal digits") from None
            rest = rest[3:]
        else:
            out += rest[:1]
            rest = rest[1:]
    return out.decode("utf-8", "surrogateescape")


def quote_list(items: Iterable[str]) -> str:
    """Several texts as one value; an empty text is written %."""
    return "+".join(quote(item) or "%" for item in items)


def unquote_list(text: str) -> tuple[str, ...]:
    """The inverse of `quote_list`."""
    return tuple("" if item == "%" else unquote(item) for item in text.split("+")) if text else ()


def quote_pairs(pairs: Iterable[tuple[str, str]]) -> str:
    """Several pairs as one value: A=B+C=D."""
    return "+".join(f"{quote(a)}={quote(b)}" for a, b in pairs)


def unquote_pairs(text: str) -> tuple[tuple[str, str], ...]:
    """The inverse of `quote_pairs`."""
    pairs = []
    for item in text.split("+") if text else ():
        a, equals, b = item.partition("=")
        if not equals:
            raise SignatureError(f"{item!r} is not of the form A=B")
        pairs.append((unquote(a), unquote(b)))
    return tuple(pairs)
