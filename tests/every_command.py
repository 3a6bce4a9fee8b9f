"""A call of every command that succeeds, with all its outputs."""

from __future__ import annotations

from dataclasses import dataclass

from treescore.heads import get

TREE = "(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)))\n"
PARSE = "(S (NP (DT the)) (VP (NN cat) (VBZ sleeps)))\n"
FILES = {
    "gold": TREE * 3,
    "test": TREE * 2 + PARSE,
    "gold1": TREE,
    "nbest": f"1\t0.5\t{TREE}1\t0.4\t{PARSE}",
    "timed": '{"id": "u1", "tree": ["NP", [["DT", 0.15, 0.39], ["NN", 0.39, 0.8]]]}\n',
    "ref.trn": "the cat sleeps (u1)\n",
    "words.ctm": "u1 1 0.0 0.5 the\nu1 1 0.5 0.9 cat\n",
    "pairs.jsonl": '{"gold": "(S (A a))", "test": "(S (A a))"}\n' * 3,
    "requests": '{"op": "score", "gold": "(S (A a))", "test": "(S (A a))"}\n',
    "sides": "a\nb\nb\n",
    "heads": str(get("collins")),
    "raw": " ref del ins sub  REF HYP\n"
    + "".join(f"{'   1':17}{word:45}{word}\n" for word in ("the", "cat", "sleeps")),
}


@dataclass(frozen=True)
class Call:
    """Arguments of a command that succeeds, and the files that it writes; `output` adds its output file."""

    words: str
    files: tuple[str, ...] = ()
    output: str = ""
    code: int = 0
    stdin: str = "/dev/null"


_STUDY = "--gold gold --test test"
#: Each command, with all side outputs that it has.
CALLS = {
    "": Call(
        "gold test -m struct_iou --node-mappings maps.jsonl --plot plot.svg", ("maps.jsonl", "plot.svg"), "-o out"
    ),
    "demo": Call("", output="-o out"),
    "mbr": Call("nbest --gold gold1 --plot plot.svg", ("plot.svg",), "-o out"),
    "compare": Call("gold gold test --name a --name b --ci-samples 20", output="-o out"),
    "agreement": Call("gold test --ci-samples 20", output="-o out"),
    "report": Call("gold test -o page.html", ("page.html",)),
    "show": Call("gold test", output="-o out"),
    "errors": Call("gold test", output="-o out"),
    "align": Call("--help"),
    "align sentences": Call("gold test", output="-o out"),
    "align trees": Call("gold test", output="-o out"),
    "align words": Call("ref.trn ref.trn", output="-o out"),
    "align audio": Call("--help"),  # its files are tested in test_speech_audio.py
    "times": Call("words.ctm", output="-o out"),
    "perturb": Call("noise timed --delta 0.1", output="-o out"),
    "columns": Call("pairs.jsonl -o rows.jsonl", ("rows.jsonl",)),
    "serve-stdin": Call("", stdin="requests"),
    "evalb": Call("gold test"),
    "evalb-spmrl": Call("gold test", ("status",)),
    "sparseval": Call("gold test", output="-F out"),
    "headtrees": Call("-h heads gold", output="-F out"),
    "strealign": Call("gold1 gold1 raw", output="-F out"),
    "heads": Call("gold", output="-o out"),
    "study": Call("--help"),
    "info": Call(""),
    "study ambiguity": Call("-n 3 --trials 5 --plot plot.svg", ("plot.svg",), "-o out"),
    "study perturbation": Call(f"{_STUDY} --runs 1 --delta 0.5", output="-o out"),
    "study correlation": Call(f"{_STUDY} --size 2 --sizes 2 --runs 2", output="-o out"),
    "study length": Call(_STUDY, output="-o out"),
    "study morphology": Call(_STUDY, output="-o out"),
    "study sensitivity": Call(f"{_STUDY} --runs 1 --rates 0.1 --thresholds 0.5 --sides sides", output="-o out"),
    "study metrics": Call("--gold gold --test gold test", output="-o out"),
}
