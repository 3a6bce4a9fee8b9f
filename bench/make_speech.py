#!/usr/bin/env python3
"""Recordings with their texts, to measure how well wrong transcripts are detected after forced alignment.

    apt-get install espeak-ng flite festival festvox-kallpc16k festvox-kdlpc16k festvox-us-slt-hts fortunes \\
        asterisk-core-sounds-en asterisk-core-sounds-en-g722 ffmpeg
    pip download --no-deps --no-binary :all: pocketsphinx==5.1.1      (its test data have human speech)
    python bench/make_speech.py FOLDER --sphinx pocketsphinx-5.1.1/test/data

Debian 12 has these packages. Sentences of the package fortunes are spoken by synthetic voices; the telephone prompts of
asterisk and the test data of PocketSphinx are human speech. Voices and texts are divided into two sets, `choose` and
`held-out`, from which wrong texts are drawn; alignment_confidence.py uses both together. A fifth of the recordings gets
white noise. FOLDER/texts.jsonl has a line for each recording: its name, set, voice, signal-to-noise ratio, the right
text, and four wrong texts: of another recording, with one word replaced, with two words dropped, and with two inserted.
Words to insert are drawn from all texts of the set.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy
import soundfile
import soxr

from treescore.speech.audio import RATE
from treescore.speech.forced import ForcedAligner

FORTUNES = Path("/usr/share/games/fortunes")
FILES = ("art", "education", "humorists", "kids", "law", "literature", "love", "medicine", "people", "pets",
         "platitudes", "politics", "science", "sports", "wisdom", "work")  # fmt: skip
PROMPTS = Path("/usr/share/asterisk/sounds/en_US_f_Allison")
PROMPT_TEXTS = Path("/usr/share/doc/asterisk-core-sounds-en/core-sounds-en.txt.gz")
SENTENCE = re.compile(r"(?<![\w.] )\b[A-Z][a-z']*(?:[ ,;:\n]+[A-Za-z']+)+[.?!]")
WORDS = (5, 16)
#: Sentences that each synthetic voice speaks, and the voices: the command, which reads {text} and writes {file}.
NUMBER = 50
VOICES = {
    "choose": {
        "espeak-ng en-us": ("espeak-ng", "-v", "en-us", "-w", "{file}", "{text}"),
        "espeak-ng en-gb female": ("espeak-ng", "-v", "en-gb+f2", "-w", "{file}", "{text}"),
        "festival kal": ("text2wave", "-eval", "(voice_kal_diphone)", "-o", "{file}"),
        "flite rms": ("flite", "-voice", "rms", "-t", "{text}", "-o", "{file}"),
        "flite awb": ("flite", "-voice", "awb", "-t", "{text}", "-o", "{file}"),
    },
    "held-out": {
        "espeak-ng en-us fast": ("espeak-ng", "-v", "en-us+m3", "-s", "210", "-w", "{file}", "{text}"),
        "espeak-ng en-us klatt": ("espeak-ng", "-v", "en-us+klatt4", "-w", "{file}", "{text}"),
        "festival ked": ("text2wave", "-eval", "(voice_ked_diphone)", "-o", "{file}"),
        "festival slt": ("text2wave", "-eval", "(voice_cmu_us_slt_arctic_hts)", "-o", "{file}"),
        "flite slt": ("flite", "-voice", "slt", "-t", "{text}", "-o", "{file}"),
    },
}
#: Signal-to-noise ratios in dB, drawn at random; None for no noise.
NOISE = (*[None] * 16, 20, 20, 20, 10)


def main() -> int:
    """Make the recordings."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="folder to write")
    parser.add_argument("--sphinx", type=Path, help="the folder test/data of the sources of pocketsphinx")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    aligner = ForcedAligner()
    sentences = list(_sentences(aligner))
    random.Random(1).shuffle(sentences)
    print(f"{len(sentences):,} sentences")
    with (options.folder / "texts.jsonl").open("w", encoding="utf-8") as out:
        for number, (name, voices) in enumerate(VOICES.items()):
            recordings = _spoken(voices, sentences[number::2], options.folder, name)
            recordings += _human(name, options.sphinx, aligner, options.folder)
            for line in _with_wrong_texts(recordings, name):
                out.write(json.dumps(line) + "\n")
    return 0


def _sentences(aligner: ForcedAligner) -> Iterator[list[str]]:
    """Sentences whose words are all in the dictionary, each once."""
    seen = set()
    for file in FILES:
        for text in (FORTUNES / file).read_text("utf-8", "replace").split("\n%\n"):
            for match in SENTENCE.findall(text.partition("\t\t--")[0]):
                words = re.findall("[a-z']+", match.lower())
                key = " ".join(words)
                if WORDS[0] <= len(words) <= WORDS[1] and key not in seen and all(word in aligner for word in words):
                    seen.add(key)
                    yield words


def _spoken(voices: dict[str, tuple[str, ...]], sentences: list[list[str]], folder: Path, name: str) -> list[dict]:  # type: ignore[type-arg]
    """Sentences spoken by synthetic voices."""
    recordings = []
    for number, (voice, command) in enumerate(voices.items()):
        for index, words in enumerate(sentences[number * NUMBER : (number + 1) * NUMBER]):
            text = " ".join(words).capitalize() + "."
            path = folder / f"{name}-{voice.replace(' ', '-')}-{index}.wav"
            subprocess.run(
                [part.format(file=path, text=text) for part in command],
                input=text if command[0] == "text2wave" else None,
                text=True,
                check=True,
                capture_output=True,
            )
            samples, rate = soundfile.read(str(path))
            recordings.append({"voice": voice, "path": path, "samples": samples, "rate": rate, "words": words})
    return recordings


def _human(name: str, sphinx: Path | None, aligner: ForcedAligner, folder: Path) -> list[dict]:  # type: ignore[type-arg]
    """Recordings of people: `choose` has the test data of PocketSphinx, `held-out` the prompts of asterisk."""
    recordings = []
    for voice, source, text in _prompts(folder) if name == "held-out" else _sphinx(sphinx):
        words = re.findall("[a-z']+", text.lower())
        if len(words) >= 3 and all(word in aligner for word in words):
            samples, rate = soundfile.read(str(source))
            path = folder / f"{name}-{voice.replace(' ', '-')}-{source.stem}.wav"
            recordings.append({"voice": voice, "path": path, "samples": samples, "rate": rate, "words": words})
    return recordings


def _prompts(folder: Path) -> Iterator[tuple[str, Path, str]]:
    """Prompts of at least five words without digits or remarks, each text once."""
    seen = set()
    for line in gzip.decompress(PROMPT_TEXTS.read_bytes()).decode().splitlines():
        name, _, text = line.strip().partition(": ")
        source = PROMPTS / f"{name}.g722"
        key = re.sub("[^a-z]", "", text.lower())
        if re.search(r"[\d()\[\]<>]|\.\.", text) or not WORDS[0] <= len(text.split()) <= 30 or key in seen:
            continue
        if source.exists():
            seen.add(key)
            path = folder / f"{name.replace('/', '-')}.flac"
            subprocess.run(["ffmpeg", "-y", "-loglevel", "error", "-f", "g722", "-i", source, path], check=True)
            yield "human prompts", path, text


def _sphinx(sphinx: Path | None) -> Iterator[tuple[str, Path, str]]:
    for folder in ("librivox", "cards") if sphinx else ():
        for line in (
            Path(str(sphinx)) / folder / ("cards.transcription" if folder == "cards" else "transcription")
        ).open():
            text, _, name = line.replace("<s>", "").partition("</s>")
            yield f"human {folder}", Path(str(sphinx)) / folder / f"{name.strip()[1:-1]}.wav", text


def _with_wrong_texts(recordings: list[dict], name: str) -> Iterator[dict]:  # type: ignore[type-arg]
    """The lines of texts.jsonl; the recordings are written with their noise."""
    rng = random.Random(name)
    every = [word for recording in recordings for word in recording["words"]]
    for number, recording in enumerate(recordings):
        words, path = recording["words"], recording["path"]
        noise = rng.choice(NOISE)
        _write(path, recording["samples"], recording["rate"], noise, number)
        other = rng.choice([other["words"] for other in recordings if other["words"] != words])
        place = rng.randrange(len(words))
        replaced = [*words[:place], rng.choice([word for word in every if word != words[place]]), *words[place + 1 :]]
        first = rng.randrange(len(words) - 1)
        dropped = words[:first] + words[first + 2 :]
        place = rng.randrange(len(words) + 1)
        inserted = [*words[:place], rng.choice(every), rng.choice(every), *words[place:]]
        texts = {"right": words, "other": other, "replaced": replaced, "dropped": dropped, "inserted": inserted}
        facts = {"file": path.name, "set": name, "voice": recording["voice"], "noise": noise}
        yield {**facts, "texts": {kind: " ".join(text) for kind, text in texts.items()}}


def _write(path: Path, samples: numpy.ndarray, rate: int, noise: int | None, seed: int) -> None:
    if noise is not None:
        samples = soxr.resample(samples, rate, RATE)
        power = numpy.mean(samples**2) / 10 ** (noise / 10)
        samples = samples + numpy.random.default_rng(seed).normal(0, power**0.5, len(samples))
        rate = RATE
    soundfile.write(str(path), samples, rate, subtype="PCM_16")


if __name__ == "__main__":
    sys.exit(main())
