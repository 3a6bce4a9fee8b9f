"""Files that options of metrics name; in a signature a file is the hash of its content."""

from __future__ import annotations

from contextvars import ContextVar

from ..values.problem import InputError
from ..values.signature_text import SignatureError, unquote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType

#: The content of the files seen so far.
_known: dict[str, bytes] = {}
_consulted: ContextVar[int] = ContextVar("how often a signature named a file", default=0)
_refused: ContextVar[bool] = ContextVar("files of signatures are not opened", default=False)


class without_files:
    """`with without_files():` signatures that name files are refused, as they must be if strangers write them.

    >>> with without_files():
    ...     recall("COLLINS.prm", "parameter", "--prm FILE")
    Traceback (most recent call last):
    treescore.SignatureError: the parameter file 'COLLINS.prm' is not opened: signatures name no files here
    """

    def __enter__(self) -> None:
        self._token = _refused.set(True)

    def __exit__(self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None) -> None:
        _refused.reset(self._token)


def consulted() -> int:
    """How often signatures have named a file so far, here and not in other threads."""
    return _consulted.get()


def check_may_open(value: str, kind: str) -> None:
    """Refuse to open a file that a signature names, inside `without_files`."""
    _consulted.set(_consulted.get() + 1)
    if _refused.get():
        raise SignatureError(f"the {kind} file {value!r} is not opened: signatures name no files here")


def remember(data: bytes) -> str:
    """The hash of this content, by which signatures can name it from now on.

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
    check_may_open(value, kind)
    from ..helpers.text_files import read_text_file

    try:
        return read_text_file(unquote(value))
    except InputError:
        raise
    except (OSError, ValueError) as problem:
        if len(value) == 12 and all(digit in "0123456789abcdef" for digit in value):
            message = f"the {kind} file with the hash {value} is not known here; give it with {advice}"
            raise SignatureError(message) from None
        reason = getattr(problem, "strerror", None) or problem
        raise SignatureError(f"the {kind} file {value!r} cannot be read: {reason}") from None
