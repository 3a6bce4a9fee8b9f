"""Whatever stands in the files: an answer or a message, never a crash."""

from __future__ import annotations

import tempfile
from pathlib import Path

from command import sparseval
from hypothesis import given, strategies as st

from treescore.metrics.sparseval import Sparseval
from treescore.values.problem import InputError, UsageError

FILES = {
    "gold": b"(TOP (S (NP (DT the) (NN cup)) (EDITED (VBZ st-)) (VP (VBZ stands))))\n(TOP (S (NP (PRP we))))\n",
    "test": b"(TOP (S (NP (DT a) (NN cup)) (VP (VBZ stands))))\n(TOP (S (NP (PRP we))))\n",
    "params": b"DELETE_LABEL TOP\nEDIT_LABEL EDITED\nCLOSED_CLASS DT\nEQ_WORDS the a\nFILLED_PAUSE1 uh\nEQ_LABEL A B\n",
    "heads": b"*default* (r)\nS (l VP)\nNP (r NN NNS) (l NP)\n",
    "align": b"the\ta\t001\ncup\tcup\t000\nst-\t\t100\nstands\tstands\t000\nwe\twe\t000\n",
    "raw": b" ref del ins sub \n   1             the" + b" " * 42 + b"the\n",
    "list": b"gold\ngold\n",
}
#: Pieces that mean something to one of the readers.
WORDS = (
    b"( ) (( )) - = 000 100 *default* l TOP EDITED NP DELETE_LABEL FILLED_PAUSE EQ_WORDS the gold 1 # \xc3\xa9".split()
)
PIECES = st.sampled_from([*WORDS, b" ", b"\t", b"\n", b"\r", b"\0", b"\xff"])
TEXT = st.lists(PIECES | st.binary(max_size=3), max_size=25).map(b"".join)


@st.composite
def spoilt(draw: st.DrawFn) -> dict[str, bytes]:
    """The files, some of them cut open for something else, or something else altogether."""
    files = dict(FILES)
    for name in draw(st.sets(st.sampled_from(sorted(FILES)), min_size=1, max_size=3)):
        text = files[name]
        begin = draw(st.integers(0, len(text)))
        end = draw(st.integers(begin, len(text)))
        files[name] = draw(st.sampled_from([b"", text[:begin]])) + draw(TEXT) + draw(st.sampled_from([b"", text[end:]]))
    return files


COMMANDS = [
    ["sparseval", "-v", "-z", "-p", "params", "-h", "heads", "gold", "test"],
    ["sparseval", "-b", "-u", "-p", "params", "-h", "heads", "gold", "test"],
    ["sparseval", "-c", "-p", "params", "-h", "heads", "gold", "test"],
    ["sparseval", "-bc", "-p", "params", "gold", "test"],
    ["sparseval", "-v", "-a", "align", "-p", "params", "-h", "heads", "gold", "test"],
    ["sparseval", "-l", "-h", "heads", "list", "list"],
    ["headtrees", "-p", "params", "-h", "heads", "gold"],
    ["headtrees", "-l", "-h", "heads", "list"],
    ["strealign", "-p", "params", "gold", "test", "raw"],
]


@given(spoilt(), st.sampled_from(COMMANDS))
def test_programs(files: dict[str, bytes], command: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            (Path(folder) / name).write_bytes(text)
        stdout, stderr, code = sparseval(command, Path(folder))
    assert code in (0, 1)
    assert (code == 1) <= bool(stderr)
    assert b"Traceback" not in stderr
    if command[0] == "sparseval":
        assert (b"\nSummary\n" in stdout) == (code == 0)


@given(spoilt(), st.sampled_from(["words", "bag"]), st.sampled_from(["line", "chunk", "file"]), st.booleans())
def test_metric(files: dict[str, bytes], align: str, unit: str, given_alignment: bool) -> None:
    import treescore

    try:
        metric = Sparseval(
            unit=unit,
            align=files["align"] if given_alignment else align,
            heads=treescore.HeadTable.read(files["heads"] + b"\n"),
            prm=files["params"],
        )
        report = treescore.evaluate(files["gold"], files["test"], metric)
    except (InputError, UsageError):
        return
    total = report.scores[0].counts.total()
    assert total["matched"] <= min(total["gold"], total["test"])
    assert total["open_matched"] <= total["head_matched"] <= min(total["head_gold"], total["head_test"])
    assert report.to("json")
