"""XML as a stream of elements; no entities are expanded, no other files are read.

>>> class Names(Handler):
...     def startElement(self, name, attributes):
...         print(self.line, name, dict(attributes))
>>> parse_xml(b'<a>\\n<b c="d"/></a>', Source("a.xml"), Names())
1 a {}
2 b {'c': 'd'}
"""

from __future__ import annotations

from xml.sax import SAXException, SAXParseException
from xml.sax.handler import ContentHandler
from xml.sax.xmlreader import InputSource

from defusedxml.common import DefusedXmlException
from defusedxml.expatreader import create_parser

from ..helpers.text import visible
from ..trees import Source
from ..values.problem import InputError, Problem
from .graphs import as_utf8, is_encoding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .. import _core

#: Encodings that the XML parser decodes.
_KNOWN = ("utf-8", "us-ascii", "iso-8859-1", "utf-16")
#: Advice for encodings that Python does not know.
GIVE_ENCODING = "give another (--encoding NAME)"
#: The same advice if no encoding can be given.
TO_UTF8 = "convert it to UTF-8 first, e.g. with iconv"


class Handler(ContentHandler):
    """Receives the elements, and has their line numbers."""

    def setDocumentLocator(self, locator: Any) -> None:
        self._locator = locator

    @property
    def line(self) -> int:
        """The line of the current element."""
        line: int = self._locator.getLineNumber()
        return line


def parse_xml(
    text: _core.Buffer,
    source: Source,
    handler: ContentHandler,
    *,
    encoding: str | None = None,
    advice: str = GIVE_ENCODING,
) -> None:
    """Feed the elements to a handler. An encoding replaces the declared one; faults are InputErrors.

    `advice` is the advice for an unknown encoding.
    """
    if encoding is None:
        encoding = _declared(text, source, advice)
    parser: Any = create_parser(forbid_dtd=False)
    parser.setContentHandler(handler)
    input_source = InputSource()
    input_source.setByteStream(_Stream(as_utf8(text, source, encoding)))
    if encoding is not None:
        input_source.setEncoding("utf-8")
    try:
        parser.parse(input_source)
    except SAXParseException as problem:
        message = f"this is not well-formed XML ({visible(problem.getMessage())})"
        line, column = problem.getLineNumber(), problem.getColumnNumber()
        raise InputError(
            Problem("xml", message, file=source.name, line=line, column=None if column is None else column + 1)
        ) from None
    except DefusedXmlException:
        message = (
            "this XML defines entities or refers to other files, neither of which is read; resolve them first, "
            "e.g. xmllint --noent --dropdtd OLD > NEW"
        )
        raise InputError(Problem("xml", message, file=source.name, line=parser.getLineNumber())) from None
    except SAXException as problem:
        raise InputError(Problem("xml", f"this XML is refused: {visible(str(problem))}", file=source.name)) from None


def _declared(text: _core.Buffer, source: Source, advice: str) -> str | None:
    """The declared encoding, unless the parser knows it."""
    import re

    match = re.match(rb"(?:\xef\xbb\xbf)?<\?xml[^>]*?\sencoding\s*=\s*[\"']([\w.:-]+)", bytes(text[:1024]))
    name = match[1].decode("ascii", "replace") if match else "utf-8"
    if name.lower() in _KNOWN:
        return None
    if not is_encoding(name):
        message = f"this XML declares the encoding {visible(name)!r}, which is not known; {advice}"
        raise InputError(Problem("encoding", message, file=source.name, line=1))
    return name


class _Stream:
    """Bytes as a file, without a copy."""

    def __init__(self, data: _core.Buffer) -> None:
        self._data, self._at = data, 0

    def read(self, size: int = -1, /) -> bytes:
        piece = bytes(self._data[self._at : self._at + size if size >= 0 else None])
        self._at += len(piece)
        return piece

    def close(self) -> None:
        pass
