"""The tables of input formats: how each is detected from the content, and the function that reads it.

>>> detected(TREE_FORMATS, b"(S (NN a))"), detected(TREE_FORMATS, b"(S (NN 0=a))"), detected(TREE_FORMATS, b"#BOS 1")
('brackets', 'discbracket', 'export')
>>> detected(TREE_FORMATS, b'{"id": "u1"}'), detected(TREE_FORMATS, b"u1\\t(S (NN a))")
('jsonl', 'named')
>>> detected(TREE_FORMATS, b"<nite:root>"), detected(TREE_FORMATS, b"<corpus>")
('nxt', 'tiger')
"""

from __future__ import annotations

from importlib import import_module

from ..values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from .. import _core

#: The number of bytes at the start of a text by which its format is detected.
START = 1 << 20
_JSON = (b"{", b"[")
_TEXT = (b"<", b"`", b"~", b">", b"*", b"_", b"+", b"-", b"\xe2\x80\xa2", *(b"%d" % digit for digit in range(10)))
_BEFORE = b"\xef\xbb\xbf \t\r\n"  # may precede the text


class InputFormat(Value):
    """An input format. Its functions are named as "module.function" of this package, and imported when they are needed.

    A text has the format if it `begins` with one of these marks and `contains` another, if they are given, and the
    `detector`, a function of the text, returns True. The `reader` accepts these `options`. Files with one of the
    `suffixes` have the format; if it is `ambiguous`, the name of a file has precedence over its content.
    `folder_reader` reads folders with files of the format, and returns None for other folders. A format that
    `skips_blank_lines` is not detected if every line is a sentence. `json` is a detector of the first JSON value. Times
    are numbers of `unit` seconds, unless they state their unit. A `named_only` format is never detected.
    """

    summary: str
    reader: str
    detector: str | None = None
    begins: tuple[bytes, ...] = ()
    contains: bytes = b""
    options: tuple[str, ...] = ()
    suffixes: tuple[str, ...] = ()
    ambiguous: bool = False
    folder_reader: str | None = None
    skips_blank_lines: bool = False
    json: str | None = None
    unit: float | None = None
    named_only: bool = False

    def read(self, *arguments: Any, options: Mapping[str, Any], **needed: Any) -> Any:
        """Call the reader with the `options` that it accepts."""
        taken = {name: value for name, value in options.items() if name in self.options}
        return function(self.reader)(*arguments, **needed, **taken)


def function(name: str) -> Any:
    """A function of this package by its name, "module.function"."""
    module, _, attribute = name.rpartition(".")
    return getattr(import_module(f".{module}", __package__), attribute)


def detected(formats: Mapping[str, InputFormat], text: _core.Buffer) -> str | None:
    """The name of the first format that the text has."""
    start = bytes(text[:START])
    beginning = start.lstrip(_BEFORE)
    value: Any = ()  # the first JSON value, read once
    for name, format in formats.items():  # a plain loop: single trees are read so often that it matters
        if format.begins and not beginning.startswith(format.begins):
            continue
        if format.json is not None:
            value = function("json_words.first_value")(bytes(text)) if value == () else value
            if function(format.json)(value):
                return name
        elif format.named_only:
            continue
        elif format.contains in start and (format.detector is None or function(format.detector)(text)):
            return name
    return None


def suffix_of(formats: Mapping[str, InputFormat], file: str | None) -> str | None:
    """The suffix of a file's name if it belongs to one of the formats; .gz is ignored."""
    name = (file or "").lower().removesuffix(".gz")
    return next((suffix for suffix in suffixes(formats) if name.endswith(suffix)), None)


def suffixes(formats: Mapping[str, InputFormat]) -> Iterator[str]:
    """The suffixes of all formats."""
    return (suffix for format in formats.values() for suffix in format.suffixes)


def named_formats(formats: Mapping[str, InputFormat], file: str | None) -> list[str]:
    """The formats for the suffix of a file's name.

    >>> named_formats(TIMES_FORMATS, "a.TextGrid"), named_formats(TIMES_FORMATS, "a.wrd")
    (['textgrid'], ['mississippi', 'timit'])
    """
    suffix = suffix_of(formats, file)
    return [] if suffix is None else [name for name, format in formats.items() if suffix in format.suffixes]


def _json(
    writer: str,
    reader: str,
    json: str,
    *,
    unit: float | None = 1.0,
    options: tuple[str, ...] = (),
    suffixes: tuple[str, ...] = (),
) -> InputFormat:
    """A format of words in JSON."""
    return InputFormat(
        f"JSON of {writer}",
        reader,
        json=json,
        begins=_JSON,
        suffixes=(".json", *suffixes),
        unit=unit,
        options=options,
    )


#: Formats of trees. The default is brackets; labelless and spans are detected when the trees are read.
TREE_FORMATS = {
    "completions": InputFormat(
        "completions of a language model: JSON lines, or text",
        "completions.reading.read_text",
        "completions.record_files.is_completions",
        begins=(*_JSON, *_TEXT),
        options=("layout", "gold", "completions"),
        skips_blank_lines=True,
    ),
    "export": InputFormat(
        "NEGRA's export format",
        "export.read_export",
        "export.is_export",
        begins=(b"#", b"%%"),
        options=("functions", "encoding", "progress"),
    ),
    "nxt": InputFormat(
        "NXT-Switchboard: the path of a syntax.xml, or of a folder of them",
        "nxt.read_nxt",
        begins=(b"<",),
        contains=b"<nite:root",
        options=("encoding", "words_encoding"),
        folder_reader="nxt.read_folder",
    ),
    "tiger": InputFormat("TigerXML", "tiger_xml.read_tiger", begins=(b"<",), options=("functions", "encoding")),
    "json": InputFormat(
        "a JSON list of trees, or an object of trees by their ids",
        "named.read_json",
        "named.is_json",
        begins=_JSON,
        options=("unit",),
        skips_blank_lines=True,
    ),
    "jsonl": InputFormat(
        "a JSON object with `id` and `tree`, or a nested list of words, on each line",
        "named.read_jsonl",
        begins=_JSON,
        options=("unit",),
        skips_blank_lines=True,
    ),
    "named": InputFormat(
        "an id, a tab and a tree on each line",
        "named.read_named",
        "named.is_named",
        contains=b"\t",
        options=("unit",),
        skips_blank_lines=True,
    ),
    "discbracket": InputFormat(
        "brackets with numbered words",
        "discbracket.read_discbracket",
        "discbracket.is_discbracket",
        contains=b"=",
        options=("layout", "progress"),
    ),
    "brackets": InputFormat("brackets", "brackets.read_text", begins=(b"(",), options=("layout", "progress")),
    "labelless": InputFormat(
        "brackets without labels, whose tokens all are words",
        "brackets.read_labelless",
        begins=(b"(",),
        options=("layout", "progress"),
    ),
    "spans": InputFormat(
        "brackets whose words are spans of time, `0.15-0.39`",
        "spans.read_spans",
        begins=(b"(",),
        options=("layout", "progress", "unit"),
    ),
}

#: Formats of words with times.
TIMES_FORMATS = {
    "textgrid": InputFormat(
        "Praat's TextGrid",
        "textgrid.read_textgrid",
        "textgrid.is_textgrid",
        options=("tier",),
        suffixes=(".textgrid",),
        unit=1.0,
    ),
    "eaf": InputFormat(
        "ELAN's EAF",
        "eaf.read_eaf",
        begins=(b"<",),
        contains=b"<ANNOTATION_DOCUMENT",
        options=("tier",),
        suffixes=(".eaf",),
    ),
    "nxt": InputFormat(
        "terminals of NXT-Switchboard",
        "nxt_terminals.read_nxt_words",
        begins=(b"<",),
        contains=b"nite:",
        suffixes=(".terminals.xml",),
        unit=1.0,
    ),
    "vtt": InputFormat("WebVTT", "captions.read_vtt", begins=(b"WEBVTT",), suffixes=(".vtt",)),
    "ass": InputFormat(
        "ASS of NeMo's forced aligner", "captions.read_ass", begins=(b"[Script Info]",), suffixes=(".ass",)
    ),
    "htk": InputFormat(
        "HTK's mlf and lab",
        "label_lines.read_htk",
        begins=(b"#!MLF!#",),
        suffixes=(".mlf", ".lab"),
        unit=1e-7,
    ),
    "lhotse": _json("Lhotse's supervisions and cuts", "lhotse.read_lhotse", "lhotse.is_lhotse", suffixes=(".jsonl",)),
    "assemblyai": _json("AssemblyAI", "assemblyai.read_assemblyai", "assemblyai.is_assemblyai", unit=0.001),
    "elevenlabs": _json("ElevenLabs", "typed_items.read_elevenlabs", "typed_items.is_elevenlabs"),
    "speechmatics": _json("Speechmatics", "typed_items.read_speechmatics", "typed_items.is_speechmatics"),
    "rev": _json("Rev AI", "typed_items.read_rev", "typed_items.is_rev"),
    "deepgram": _json("Deepgram", "deepgram.read_deepgram", "deepgram.is_deepgram"),
    "aws": _json("AWS Transcribe", "aws.read_aws", "aws.is_aws"),
    "aws-calls": _json("AWS Call Analytics", "aws.read_aws_calls", "aws.is_aws_calls", unit=0.001, options=("unit",)),
    "google": _json("Google Speech-to-Text", "google.read_google", "google.is_google", options=("unit",)),
    "azure": _json("Azure's SDK and batches", "azure.read_azure", "azure.is_azure", unit=1e-7, options=("unit",)),
    "azure-fast": _json(
        "Azure's fast transcription", "azure.read_azure_fast", "azure.is_azure_fast", unit=0.001, options=("unit",)
    ),
    "vosk": _json("Vosk", "vosk.read_vosk", "vosk.is_vosk"),
    "mfa-json": _json("the Montreal Forced Aligner", "mfa.read_mfa_json", "mfa.is_mfa_json", options=("tier",)),
    "whisper.cpp": _json(
        "whisper.cpp", "whisper_cpp.read_whisper_cpp", "whisper_cpp.is_whisper_cpp", unit=0.001, options=("unit",)
    ),
    "hf": _json("Hugging Face", "hugging_face.read_hugging_face", "hugging_face.is_hugging_face"),
    "gentle": _json("Gentle", "gentle.read_gentle", "gentle.is_gentle"),
    "jsonl": InputFormat(
        "a JSON object with `id` and `words` on each line",
        "word_lines.read_word_lines",
        json="word_lines.is_word_line",
        begins=_JSON,
        suffixes=(".jsonl",),
        unit=1.0,
    ),
    "whisper": _json("Whisper, its relatives, and other lists of words", "whisper.read_whisper", "whisper.is_whisper"),
    "srt": InputFormat("SubRip", "captions.read_srt", "captions.is_srt", suffixes=(".srt",)),
    "mfa-csv": InputFormat(
        "csv of the Montreal Forced Aligner",
        "mfa.read_mfa_csv",
        "mfa.is_mfa_csv",
        options=("tier",),
        suffixes=(".csv",),
        unit=1.0,
    ),
    "whisper-tsv": InputFormat(
        "tsv of Whisper and csv of whisper.cpp",
        "segment_tables.read_whisper_table",
        "segment_tables.is_whisper_table",
        suffixes=(".tsv", ".csv"),
        unit=0.001,
    ),
    "words-csv": InputFormat(
        "csv of whisper-timestamped: text, start and end",
        "segment_tables.read_words_csv",
        "segment_tables.is_words_csv",
        suffixes=(".csv",),
        unit=1.0,
    ),
    "librispeech": InputFormat(
        "alignments of LibriSpeech",
        "label_lines.read_librispeech",
        "label_lines.is_librispeech",
        suffixes=(".alignment.txt",),
        unit=1.0,
    ),
    "buckeye": InputFormat(
        "words of the Buckeye corpus",
        "label_lines.read_buckeye",
        "label_lines.is_buckeye",
        suffixes=(".words",),
        unit=1.0,
    ),
    "classes": InputFormat(
        "classes of segments, as in ZeroSpeech",
        "label_lines.read_classes",
        "label_lines.is_classes",
        suffixes=(".class",),
        unit=1.0,
    ),
    "rttm": InputFormat("NIST's rttm", "rttm.read_rttm", "rttm.is_rttm", suffixes=(".rttm",), unit=1.0),
    "audacity": InputFormat(
        "labels of Audacity", "segment_tables.read_audacity", "segment_tables.is_audacity", suffixes=(".aud",), unit=1.0
    ),
    "tsv": InputFormat(
        "a table with a word on each line",
        "word_table.read_word_table",
        "word_table.is_word_table",
        suffixes=(".tsv",),
        ambiguous=True,
        unit=1.0,
    ),
    "mississippi": InputFormat(
        "word times of Switchboard from Mississippi State University, or lines of file, begin, end and word",
        "mississippi.read_mississippi",
        "mississippi.is_mississippi",
        suffixes=(".text", ".wrd"),
        ambiguous=True,
        unit=1.0,
    ),
    "ctm": InputFormat(
        "NIST's ctm", "times.read_ctm_words", "ctm.is_ctm", suffixes=(".ctm",), ambiguous=True, unit=1.0
    ),
    "stm": InputFormat(
        "NIST's stm", "times.read_stm_words", "stm.is_stm", suffixes=(".stm",), ambiguous=True, unit=1.0
    ),
    "timit": InputFormat(
        "words of TIMIT: begin and end as sample numbers",
        "label_lines.read_timit",
        suffixes=(".wrd",),
        named_only=True,
        unit=1 / 16000,
    ),
    "segments": InputFormat(
        "Kaldi's segments: utterance, recording, begin, end, and perhaps a score and words",
        "label_lines.read_segments",
        named_only=True,
        unit=1.0,
    ),
}

#: Formats of alignments of words.
ALIGNMENT_FORMATS = {
    "sgml": InputFormat("sclite's sgml", "sclite_sgml.read_sclite_sgml", "sclite_sgml.is_sgml", suffixes=(".sgml",)),
    "pra": InputFormat("sclite's pra", "sclite_pra.read_sclite_pra", "sclite_pra.is_pra", suffixes=(".pra",)),
    "sparseval": InputFormat(
        "SParseval's alignment file",
        "alignment_files.read_alignment_file",
        "alignment_files.is_alignment_file",
        suffixes=(".sparseval",),
    ),
}

#: Formats of transcripts.
TRANSCRIPT_FORMATS = {
    "trn": InputFormat("sclite's trn", "trn.read_trn", "trn.is_trn", suffixes=(".trn",)),
    "ctm": InputFormat("NIST's ctm", "ctm.read_ctm", "ctm.is_ctm", suffixes=(".ctm",)),
    "stm": InputFormat("NIST's stm", "stm.read_stm", "stm.is_stm", suffixes=(".stm",)),
}
