"""Files that options of metrics name: in a signature the hash of their content stands for them."""

from __future__ import annotations

from .base import SignatureError, unquote

#: The content of the files seen so far.
_known: dict[str, bytes] = {}


def remember(data: bytes) -> str:
    """The hash that stands for this content from now on.

    >>> recall(remember(b"DELETE_LABEL TOP"), "parameter", "--prm FILE")
    b'DELETE_LABEL TOP'
    """
    import hashlib

    name = hashlib.sha256(data).hexdigest()[:12]
    _known[name] = data
    return name


def recall(value: str, kind: str, advice: str) -> bytes:
    """The content of a file, given by its path or by the hash in a signature."""
    if value in _known:
        return _known[value]
    try:
        with open(unquote(value), "rb") as file:
            return file.read()
    except (OSError, ValueError) as problem:
        if len(value) == 12 and all(digit in "0123456789abcdef" for digit in value):
            message = f"the {kind} file with the hash {value} is not known here; give it with {advice}"
            raise SignatureError(message) from None
        reason = getattr(problem, "strerror", None) or problem
        raise SignatureError(f"the {kind} file {value!r} cannot be read: {reason}") from None
