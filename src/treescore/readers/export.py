"""NEGRA's export format, versions 3 and 4: a line per word and per phrase, each with the number of its parent.

>>> text = b"#BOS 1\\nis\\tVB\\t--\\tHD\\t500\\nit\\tPR\\t--\\tSB\\t501\\nso\\tJJ\\t--\\tPD\\t500\\n"
>>> text += b"#500\\tVP\\t--\\tOC\\t501\\n#501\\tS\\t--\\t--\\t0\\n#EOS 1\\n"
>>> bank = read_export(text, Source("a.export"))
>>> print(bank[0])
(S (VP (VB 0=is) (JJ 2=so)) (PR 1=it))
>>> bank.ids, [child.function for child in bank[0].children]
(('1',), ['OC', 'SB'])
"""

from __future__ import annotations

from .. import _core
from ..trees import Source, Treebank
from .brackets import too_large
from .graphs import as_utf8, treebank


def is_export(text: _core.Buffer) -> bool:
    """Does the first line that is not a comment begin a file or sentence of the export format?"""
    for line in bytes(text[:4096]).removeprefix(b"\xef\xbb\xbf").splitlines():
        if line.strip() and not line.startswith(b"%%"):
            return line.split()[0] in (b"#FORMAT", b"#BOT", b"#BOS")
    return False


def read_export(
    text: _core.Buffer,
    source: Source,
    *,
    functions: str = "apart",
    encoding: str | None = None,
    on_error: str = "raise",
    progress: _core.Progress | None = None,
) -> Treebank:
    """Read text in the export format; see `treescore.read` for the options."""
    utf8 = as_utf8(text, source, encoding, checked=True)
    try:
        graphs = _core.read_export(utf8, functions == "add", progress)
    except _core.TreeTooLarge as problem:
        raise too_large(problem, source) from None
    return treebank(graphs, source, on_error, has_ids=True)
