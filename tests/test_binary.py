"""What is no text is refused at once, by its first bytes; no text ever is."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import pickle
import re
import sqlite3
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable
from encodings.aliases import aliases
from pathlib import Path
from random import Random
from typing import Any

import pytest
import zstandard
from command import COLLINS_PRM, evalb, sparseval
from hypothesis import given, strategies as st
from strategies import hang_guard

import treescore as ts
from treescore.helpers.binary import ENOUGH, check_text, wide_encoding
from treescore.metrics.parseval import Parseval
from treescore.metrics.sparseval import Sparseval
from treescore.nbest.reading import read as read_lists
from treescore.readers.conllu import read_conllu
from treescore.readers.transcripts import read_transcripts
from treescore.scale.streams import evaluate_stream

TREE = "(TOP (S (NP (DT the) (NN cat)) (VP (VBZ sleeps) (ADVP (RB well)))))\n"
GOLD = TREE * 200


def zipped(*names: str) -> bytes:
    """A zip file with files of these names."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        for name in names:
            file.writestr(name, GOLD)
    return out.getvalue()


def archive() -> bytes:
    """A tar archive."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as file:
        about = tarfile.TarInfo("gold.mrg")
        about.size = len(GOLD)
        file.addfile(about, io.BytesIO(GOLD.encode()))
    return out.getvalue()


def database(folder: Path) -> bytes:
    """An SQLite database."""
    with sqlite3.connect(folder / "trees.db") as result:
        result.execute("create table trees (tree)")
        result.execute("insert into trees values (?)", (GOLD,))
    result.close()
    return (folder / "trees.db").read_bytes()


PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x02\x00\x00\x00\x90wS\xde" + bytes(9)
PDF = b"%PDF-1.4\n1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj\ntrailer << /Root 1 0 R >>\n%%EOF\n"

#: Data of a kind, and what is said about it.
KINDS: dict[str, tuple[bytes | Callable[[Path], bytes], str]] = {
    "NUL bytes": (bytes(1000), "NUL bytes; the file may be damaged"),
    "many NUL bytes": (bytes(10_000_000), "NUL bytes; the file may be damaged"),
    "a single NUL byte": (b"\0", "NUL bytes"),
    "trees and NUL bytes": (TREE.encode() + bytes(4000), r"binary data \(9\d % control characters\)"),
    "lines of NUL bytes": (b"\0\n" * 500, r"binary data \(50 % control characters\)"),
    "random bytes": (Random(1).randbytes(1000), r"binary data \(\d+ % control characters\); name a text file"),
    "many random bytes": (Random(2).randbytes(1_000_000), r"binary data \(\d+ % control characters\)"),
    "png": (PNG, r"a picture \(PNG\)"),
    "jpeg": (b"\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01", r"a picture \(JPEG\)"),
    "pdf": (PDF, "a PDF document"),
    "rtf": (b"{\\rtf1\\ansi (S (NN a))}", r"a formatted document \(RTF\); save it as plain text"),
    "elf": (b"\x7fELF\x02\x01\x01" + bytes(9) + b"\x03\x00>\x00", "a program"),
    "wav": (b"RIFF\x24\x00\x00\x00WAVEfmt \x10\x00\x00\x00", r"a recording \(WAV\)"),
    "zip": (zipped("gold.mrg"), r"a packed file \(zip\); unpack it first, e.g. unzip FILE \(gzip and zstd are read"),
    "docx": (zipped("[Content_Types].xml", "word/document.xml"), "an office document; save it as plain text"),
    "tar": (archive(), "a tar archive; unpack it first, e.g. tar -xf FILE"),
    "tar.gz": (gzip.compress(archive()), "a tar archive"),
    "xz": (lzma.compress(GOLD.encode()), r"a packed file \(xz\); unpack it first, e.g. unxz FILE"),
    "bz2": (bz2.compress(GOLD.encode()), r"a packed file \(bzip2\); unpack it first, e.g. bunzip2 FILE"),
    "pickle": (pickle.dumps(GOLD.splitlines()), "a Python pickle; write what is in it to a text file"),
    "sqlite": (database, "an SQLite database"),
    "gzip of NUL bytes": (gzip.compress(bytes(10_000_000)), "NUL bytes"),
    "zstd of a picture": (zstandard.ZstdCompressor().compress(PNG), r"a picture \(PNG\)"),
}


def run(folder: Path, *arguments: str, stdin: Any = subprocess.DEVNULL) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of the command, which gets 4 GB of memory and a minute."""
    code = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30)); "
        "from treescore.cli import main; sys.exit(main(sys.argv[1:]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=folder,
        stdin=stdin,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout, done.stderr


@pytest.fixture(name="folder")
def made_folder(tmp_path: Path) -> Path:
    (tmp_path / "gold").write_text(GOLD)
    (tmp_path / "my.prm").write_text(COLLINS_PRM)
    return tmp_path


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_no_text(kind: str, folder: Path) -> None:
    given_data, message = KINDS[kind]
    data = given_data(folder) if callable(given_data) else given_data
    path = folder / "strange"
    path.write_bytes(data)
    choices: list[dict[str, Any]] = [{}, {"on_error": "keep"}, {"layout": "line"}, {"encoding": "latin-1"}]
    for options in choices:
        sources = (path, str(path)), (str(path), str(path)), (data, "<text>"), (io.BytesIO(data), "<file>")
        for source, name in sources:
            with pytest.raises(ts.InputError, match=f"^{re.escape(name)}: this is not text but {message}") as caught:
                ts.read(source, **options)
            assert (caught.value.problem.code, caught.value.problem.file) == ("binary", name)
    with path.open("rb") as file, pytest.raises(ts.InputError, match="this is not text"):
        ts.read(file)
    with pytest.raises(ts.InputError, match="this is not text"):
        ts.evaluate(folder / "gold", path)
    for side in (path, io.BytesIO(data)):
        with pytest.raises(ts.InputError, match="this is not text"):
            evaluate_stream(folder / "gold", side)


def test_files_that_can_only_be_read_at_once() -> None:
    class Whole:
        name = "whole"

        def __init__(self, data: str | bytes) -> None:
            self.data = data

        def read(self) -> str | bytes:
            return self.data

    assert len(ts.read(Whole(GOLD))) == len(ts.read(Whole(GOLD.encode()))) == 200  # type: ignore[arg-type]
    for data in ("\0" * 20, bytes(20)):
        with pytest.raises(ts.InputError, match=r"^whole: this is not text but NUL bytes"):
            ts.read(Whole(data))  # type: ignore[arg-type]


def test_text_that_is_no_text() -> None:
    for source in ("\0" * 20, io.StringIO("\0" * 20), TREE + "\0" * 200):
        with pytest.raises(ts.InputError, match="this is not text"):
            ts.read(source)


def test_files_that_come_bit_by_bit() -> None:
    class Slow(io.RawIOBase):
        def __init__(self, data: bytes) -> None:
            self.data = io.BytesIO(data)

        def readable(self) -> bool:
            return True

        def readinto(self, buffer: Any) -> int:
            piece = self.data.read(min(len(buffer), 700))
            buffer[: len(piece)] = piece
            return len(piece)

    for times in (1, 50):
        assert len(ts.read(Slow(GOLD.encode() * times))) == 200 * times
    with pytest.raises(ts.InputError, match="this is not text"):
        ts.read(Slow(TREE.encode() + bytes(40_000)))


@pytest.mark.parametrize("name", ["strange", "/dev/zero", "/dev/urandom"])
@pytest.mark.parametrize(
    "command",
    [
        "{} gold",
        "gold {}",
        "gold {} --chunk 1M",
        "gold {} -m struct_iou",
        "gold {} --layout line --strict",
        "{} gold --encoding cp037",
        "gold gold -p {}",
        "gold gold -m sparseval|prm:{}",
        "gold gold -m sparseval|heads:{}",
        "gold gold --ci --ci-units {}",
        "compare gold gold {}",
        "report gold {} -o page.html",
        "show gold {}",
        "align sentences gold {}",
        "align trees gold {}",
        "align words {} gold",
        "agreement gold {}",
        "errors gold {}",
        "errors gold gold --pack {}",
        "heads {}",
        "heads gold --table {}",
        "{} {} -m conllu_eval",
        "columns {} -o rows.jsonl",
        "mbr {}",
        "times {}",
        "study morphology --gold gold --test gold --rules {}",
    ],
)
def test_commands(command: str, name: str, folder: Path) -> None:
    (folder / "strange").write_bytes(bytes(10_000_000))
    code, out, err = run(folder, *command.format(name, name).split(" "))
    assert (code, out) == (2, "")
    assert re.fullmatch(f"treescore: error: {name}: this is not text but .*\n", err), err
    assert {path.name for path in folder.iterdir()} == {"gold", "my.prm", "strange"}


@pytest.mark.parametrize(
    "command", ["- gold", "gold -", "- gold --chunk 1M", "compare gold - gold", "mbr -", "heads -"]
)
def test_standard_input(command: str, folder: Path) -> None:
    with Path("/dev/zero").open("rb") as zeros:
        code, out, err = run(folder, *command.split(" "), stdin=zeros)
    assert (code, out) == (2, "")
    assert err.startswith("treescore: error: <stdin>: this is not text but NUL bytes")
    with subprocess.Popen(["cat", "/dev/zero"], stdout=subprocess.PIPE) as endless:
        code, out, err = run(folder, *command.split(" "), stdin=endless.stdout)
        endless.kill()
    assert (code, out) == (2, "")
    assert err.startswith("treescore: error: <stdin>: this is not text but NUL bytes")


def test_other_readers(folder: Path) -> None:
    (folder / "zeros").write_bytes(bytes(70_000))
    for reader in (ts.read_times, read_conllu, read_transcripts, lambda path: next(read_lists(path))):
        with pytest.raises(ts.InputError, match="zeros: this is not text but NUL bytes") as caught:
            reader(folder / "zeros")
        assert caught.value.problem.code == "binary"
    with (folder / "zeros").open("rb") as file, pytest.raises(ts.InputError, match="this is not text"):
        next(read_lists(file))


# ---------------------------------------------------------------------------------------------------------------------
# What is text


@pytest.mark.parametrize("byte", [0, 1, 0x1A, 0x7F, 0xFF])
@pytest.mark.parametrize("trees", [1, 2, 200])
def test_a_stray_byte_spoils_one_tree_at_most(byte: int, trees: int) -> None:
    data = (TREE * trees).encode()
    for damaged in (data.replace(b"cat", b"c%ct" % byte, 1), data.replace(b"(TOP", b"%c(TOP" % byte, 1)):
        bank = ts.read(damaged, on_error="keep")
        assert len(bank) == trees
        assert len(bank.problems) <= 1
        assert all(bank[place] == ts.read(TREE)[0] for place in range(1, trees))


def test_what_begins_like_something_else() -> None:
    for name in ("PK", "BZh9", "MZ", "ID3", "GIF8", "RIFF", "OggS", "PAR1", "II*", "7z", "Rar!", "ÿØÿ", "x\x9c"):
        for encoding in ("utf-8", "latin-1"):
            bank = ts.read(f"{name}\t(S (NN a\0))\nother\t(S (NN b))\n".encode(encoding))
            assert len(bank) == 2


def test_what_comes_later_is_not_looked_at() -> None:
    data = (TREE * (ENOUGH // len(TREE) + 1)).encode() + bytes(5000) + b"\n"
    assert [problem.code for problem in ts.read(data, on_error="keep").problems] == ["loose-text"]


def alphabet(encoding: str) -> str:
    """The printable characters of an encoding that has one byte for each character; none of others."""
    try:
        characters = [bytes([byte]).decode(encoding, "replace") for byte in range(256)]
    except (LookupError, UnicodeError):
        return ""
    if any(len(character) != 1 for character in characters):
        return ""
    return "".join(filter(str.isprintable, characters)).replace("\ufffd", "")


ALPHABETS = {encoding: found for encoding in sorted(set(aliases.values())) if (found := alphabet(encoding))}


@pytest.mark.parametrize("encoding", ALPHABETS)
@given(draw=st.data())
def test_printable_text_is_never_binary(encoding: str, draw: st.DataObject) -> None:
    text = draw.draw(st.text(ALPHABETS[encoding] + "\n"))
    data = text.encode(encoding)
    check_text(data, None)
    check_text(data, None, encoding)
    assert wide_encoding(data) is None or data[:2] in (b"\xff\xfe", b"\xfe\xff")  # ÿþ


@given(st.text(st.characters(exclude_categories=["Cc", "Cs"]) | st.sampled_from("\n\r\t\f")))
def test_text_in_any_language_is_never_binary(text: str) -> None:
    for encoding in ("utf-8", "utf-8-sig", "utf-16", "utf-32", "gb18030", "utf-7"):
        check_text(text.encode(encoding), None)
        check_text(text.encode(encoding), None, encoding)


@pytest.mark.parametrize(
    "encoding",
    ["shift_jis", "euc_jp", "iso2022_jp", "iso2022_jp_2", "gbk", "big5", "hz", "euc_kr", "iso2022_kr", "johab"],
)
def test_text_of_east_asia_is_never_binary(encoding: str) -> None:
    tree = "(IP " + " ".join(f"(NP (NN {word}))" for word in ("日本", "中日") * 40) + ")\n"
    check_text(tree.encode(encoding), None)
    assert len(ts.read((tree * 3).encode(encoding), encoding=encoding)) == 3


@given(st.randoms(use_true_random=False))
def test_random_bytes(random: Random) -> None:
    with hang_guard(), pytest.raises(ts.InputError, match=r"this is not text|no tree|not one tree"):
        data = random.randbytes(1000)
        if ts.read(data, on_error="keep").problems:
            ts.evaluate(data, data)


# ---------------------------------------------------------------------------------------------------------------------
# Two or four bytes a character

WIDE = {
    "utf-16": "UTF-16",
    "utf-16-le": "UTF-16LE",
    "utf-16-be": "UTF-16BE",
    "utf-32": "UTF-32",
    "utf-32-le": "UTF-32LE",
}


@pytest.mark.parametrize("encoding", WIDE)
@pytest.mark.parametrize("word", ["cat", "кошка", "ねこ"])
def test_wide_text_says_how_it_can_be_read(encoding: str, word: str, folder: Path) -> None:
    text = GOLD.replace("cat", word)
    path = folder / "wide"
    path.write_bytes(text.encode(encoding))
    shown = WIDE[encoding]
    with pytest.raises(ts.InputError, match=rf"this is {shown} text; .*\(--encoding {encoding}\).*iconv -f {shown}"):
        ts.read(path)
    assert ts.read(path, encoding=encoding) == ts.read(text)
    code, out, _ = run(folder, "wide", "wide", "--encoding", encoding, "-f", "csv")
    assert code == 0
    assert "parseval,f1,1.0" in out
    for reader in (read_conllu, lambda path: next(read_lists(path))):
        with pytest.raises(ts.InputError, match=rf"this is {shown} text; convert it to UTF-8 first"):
            reader(path)


def test_data_in_wide_encodings_is_binary() -> None:
    for data in (b"\xff\xfe" + bytes(1000), b"\xff\xfe" + b"\x01\x00" * 500, b"\x01\x00" * 500, b"\0\n" * 500):
        with pytest.raises(ts.InputError, match="this is not text"):
            check_text(data, None)
    for data in (bytes(1000), b"\x01\x00" * 500, b"\xff\xfe" + b"\x01\x00" * 500):
        with pytest.raises(ts.InputError, match="this is not text"):
            check_text(data, None, "utf-16-le")


# ---------------------------------------------------------------------------------------------------------------------
# Trees and parameters


@pytest.mark.parametrize(
    "text",
    [
        GOLD,
        "# trees\n\n" + GOLD,
        f"u1\t{TREE}",
        '{"tree": "(S (NN a))"}\n',
        "#FORMAT 3\n#BOS 1\nis\tVB\t--\tHD\t0\n#EOS 1\n",
        "<corpus></corpus>",
        "\ufeff" + GOLD,
        "# text = go\n1\tgo\t_\tVERB\t_\t_\t0\troot\t_\t_\n",
    ],
)
def test_trees_are_no_parameters(text: str, folder: Path) -> None:
    (folder / "trees").write_text(text)
    for signature in ("parseval|prm:trees", "struct_iou|prm:trees", "sparseval|prm:trees"):
        code, _, err = run(folder, "gold", "gold", "-m", signature)
        assert code == 2
        program = "SParseval" if "sparseval" in signature else "EVALB"
        assert err.startswith(f"treescore: error: trees: this is a file of trees, not a parameter file of {program}")
    for metric in (Parseval, Sparseval):
        with pytest.raises(ts.InputError, match="a file of trees") as caught:
            metric(prm=text.encode())
        assert caught.value.problem.code == "not-parameters"
    code, _, err = run(folder, "gold", "gold", "-p", "trees")
    assert (code, err.count("\n")) == (2, 1)


def test_parameters_with_odd_lines_are_parameters() -> None:
    for text in (
        "",
        "# nothing\n",
        "labeled 0\n",
        "(\nLABELED 0\n",
        "(S a\nDELETE_LABEL TOP\n",
        f"{TREE}EQ_LABEL A B\n",
    ):
        assert len(Parseval(prm=text.encode()).prm_complaints) == text.count("(S a") + text.count("(TOP") + text.count(
            "labeled"
        )


@pytest.mark.parametrize("data", [bytes(1000), PNG, COLLINS_PRM.encode("utf-16")])
def test_parameters_are_text(data: bytes) -> None:
    for metric in (Parseval, Sparseval):
        with pytest.raises(ts.InputError, match=r"this is not text but|this is UTF-16 text; convert"):
            metric(prm=data)


def test_parameters_are_no_trees(folder: Path) -> None:
    (folder / "comments.prm").write_text("##----\n## Debug\n\n" + COLLINS_PRM)
    (folder / "spoken.prm").write_text("FILLED_PAUSE1 uh\nCLOSED_CLASS DT\n")
    (folder / "one.prm").write_text("DELETE_LABEL TOP\n")
    for name in ("my.prm", "comments.prm", "spoken.prm", "one.prm"):
        for arguments in ((name, "gold"), ("gold", name), ("gold", name, "--layout", "line"), (name, name)):
            code, out, err = run(folder, *arguments)
            assert (code, out) == (2, "")
            assert err.startswith(f"treescore: error: {name}:1:1: this is a parameter file, not a file of trees")


def test_words_that_are_keywords_are_no_parameters() -> None:
    assert len(ts.read("DEBUG\t(S (NN a))\n", form="brackets", layout="line", on_error="keep")) == 1
    assert len(ts.read("DELETE_LABEL\n(S (NN a))\n", on_error="keep")) == 2


# ---------------------------------------------------------------------------------------------------------------------
# Programs that are exactly like others


def test_original_programs_take_trees_for_parameters(folder: Path) -> None:
    found = evalb(["-p", "gold", "gold", "gold"], folder)
    assert found.stderr.count(b"Unknown keyword") == 200
    assert b"Number of Valid sentence  =    200" in found.stdout


@pytest.mark.parametrize("data", [bytes(100_000), PNG, Random(3).randbytes(100_000)], ids=["nul", "png", "random"])
def test_original_programs_on_binary_data(data: bytes, folder: Path) -> None:
    (folder / "strange").write_bytes(data)
    with hang_guard():
        for spmrl in (False, True):
            for files in (["gold", "strange"], ["strange", "gold"], ["-p", "strange", "gold", "gold"]):
                assert b"treescore: error" not in evalb(files, folder, spmrl=spmrl).stderr
        for files in (["gold", "strange"], ["strange", "gold"], ["-p", "strange", "gold", "gold"]):
            sparseval(["sparseval", *files], folder)


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/urandom"])
@pytest.mark.parametrize("program", ["evalb", "evalb-spmrl", "sparseval"])
def test_original_programs_on_devices_without_an_end(program: str, device: str, folder: Path) -> None:
    for files in (["gold", device], [device, "gold"], ["-p", device, "gold", "gold"]):
        code, _, err = run(folder, program, *files)
        assert code == 1
        assert f"{device} is a device without an end" in err
    code, _, err = run(folder, program, "-p", "/dev/null", "gold", "gold")
    assert (code, err) == (0, "")
