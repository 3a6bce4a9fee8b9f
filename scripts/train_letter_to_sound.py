#!/usr/bin/env python3
"""Trains the letter-to-sound model of treescore from the pronunciation dictionary in PocketSphinx's wheel.

Usage: scripts/train_letter_to_sound.py   (needs pocketsphinx; takes about a minute)
Writes src/treescore/data/letter_to_sound.xz, and prints the phone error rate on the words that were held out.

Letters and phones of each word are aligned by expectation maximisation, in pieces of one or two letters and at most
two phones. The model is an n-gram model of these pieces with Kneser-Ney smoothing. The same dictionary gives the same
model. One spelling in twenty is held out, with all its pronunciations; the model that is measured is the one shipped.
"""

from __future__ import annotations

import lzma
import math
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from zlib import crc32

from treescore.speech.letter_to_sound import NO_BACKOFF, STEPS, LetterToSound, packed

MODEL = Path(__file__).resolve().parent.parent / "src" / "treescore" / "data" / "letter_to_sound.xz"
DICTIONARY = "en-us/cmudict-en-us.dict"
SHAPES = ((1, 0), (1, 1), (1, 2), (2, 1))  # letters and phones of a piece
ROUNDS = 6  # of expectation maximisation
SAMPLE = 5  # of which one word in so many is used
RARE = 3  # pieces seen less often are not used
LEAST = (1, 1, 1, 2, 2, 2)  # count of an n-gram, by its length

Phones = tuple[str, ...]
Piece = tuple[str, Phones]
Alignment = list[Piece]
Counts = dict[tuple[int, ...], int]


def dictionary() -> dict[str, list[Phones]]:
    """The spellings of letters and apostrophes, with their pronunciations."""
    import pocketsphinx

    words: dict[str, list[Phones]] = {}
    for line in Path(pocketsphinx.get_model_path(DICTIONARY)).read_text("ascii").splitlines():
        word, *phones = line.split()
        word = re.sub(r"\([0-9]+\)$", "", word)
        if re.fullmatch("[a-z'][a-z']+", word):
            words.setdefault(word, []).append(tuple(phones))
    return words


def is_held_out(word: str) -> bool:
    """Is a spelling kept for the measurement?"""
    return crc32(word.encode()) % 20 == 0


def edges(word: str, phones: Phones) -> list[tuple[int, int, Piece]]:
    """The pieces of all alignments: the states that they connect, in the order of the alignment.

    A state is a number of letters and one of phones, from which the end can be reached.
    """
    width = len(phones) + 1
    reached, all_edges = {(0, 0)}, []
    for letters in range(len(word)):
        for begin in sorted(state for state in reached if state[0] == letters):
            for more_letters, more_phones in SHAPES:
                end = begin[0] + more_letters, begin[1] + more_phones
                if end[0] <= len(word) and 0 <= len(phones) - end[1] <= 2 * (len(word) - end[0]):
                    piece = word[begin[0] : end[0]], phones[begin[1] : end[1]]
                    all_edges.append((begin[0] * width + begin[1], end[0] * width + end[1], piece))
                    reached.add(end)
    return all_edges


def trained_pieces(words: dict[str, list[Phones]]) -> dict[Piece, float]:
    """The probabilities of pieces, by expectation maximisation."""
    lattices = []
    for word in sorted(words)[::SAMPLE]:
        for phones in words[word]:
            lattices.append((len(word) * (len(phones) + 1) + len(phones), edges(word, phones)))
    chances: dict[Piece, float] = defaultdict(lambda: 1.0)
    for _ in range(ROUNDS):
        expected: dict[Piece, float] = defaultdict(float)
        for last, lattice in lattices:
            add_expected(expected, chances, last, lattice)
        total = math.fsum(expected.values())
        chances = defaultdict(float, {piece: count / total for piece, count in expected.items()})
    return chances


def add_expected(
    expected: dict[Piece, float], chances: dict[Piece, float], last: int, lattice: list[tuple[int, int, Piece]]
) -> None:
    """Add the expected counts of the pieces of one word."""
    forward, backward = [0.0] * (last + 1), [0.0] * (last + 1)
    forward[0] = backward[last] = 1.0
    weighted = [(begin, end, piece, chances[piece]) for begin, end, piece in lattice]
    for begin, end, _, chance in weighted:
        forward[end] += forward[begin] * chance
    if not forward[last]:
        return
    for begin, end, _, chance in reversed(weighted):
        backward[begin] += backward[end] * chance
    for begin, end, piece, chance in weighted:
        expected[piece] += forward[begin] * chance * backward[end] / forward[last]


def best_alignment(word: str, phones: Phones, logs: dict[Piece, float]) -> Alignment | None:
    """The most probable alignment of letters and phones; None if there is none."""
    best: dict[int, tuple[float, int, Piece | None]] = {0: (0.0, 0, None)}
    for begin, end, piece in edges(word, phones):
        if begin in best and piece in logs:
            score = best[begin][0] + logs[piece]
            if end not in best or score > best[end][0]:
                best[end] = (score, begin, piece)
    state = len(word) * (len(phones) + 1) + len(phones)
    alignment: Alignment = []
    while state in best:
        _, state, piece = best[state]
        if piece is None:
            return alignment[::-1]
        alignment.append(piece)
    return None


def alignments(words: dict[str, list[Phones]], logs: dict[Piece, float]) -> Iterator[Alignment]:
    """The best alignments of all pronunciations."""
    for word in sorted(words):
        for phones in words[word]:
            alignment = best_alignment(word, phones, logs)
            if alignment is not None:
                yield alignment


def counted(sequences: Iterable[list[int]]) -> list[Counts]:
    """The counts of n-grams by length: of occurrences, or of different pieces before them.

    Occurrences are counted for the longest n-grams and for those at the beginning of a word.
    """
    longest = len(LEAST)
    occurrences: Counter[tuple[int, ...]] = Counter()
    for sequence in sequences:
        for end in range(2, len(sequence) + 1):
            occurrences[tuple(sequence[max(0, end - longest) : end])] += 1
    counts: list[Counts] = [{} for _ in range(longest + 1)]
    for ngram, count in occurrences.items():
        counts[len(ngram)][ngram] = count
    for length in range(longest, 1, -1):
        for ngram in counts[length]:
            shorter = ngram[1:]
            counts[length - 1][shorter] = counts[length - 1].get(shorter, 0) + 1
    return counts


class Smoothed:
    """Kneser-Ney probabilities of n-grams, and the n-grams that are kept.

    An n-gram that begins with the mark of a word's beginning is counted by its occurrences at every length.
    """

    def __init__(self, counts: list[Counts]) -> None:
        self.chances: list[dict[tuple[int, ...], float]] = [{(): 0.0}]
        self.kept: list[set[tuple[int, ...]]] = [{()}]
        self.backoffs: list[dict[tuple[int, ...], float]] = []
        for length, of_length in enumerate(counts[1:], 1):
            self._add(of_length, LEAST[length - 1])
        for length in range(len(LEAST)):
            self.backoffs.append(self._backoffs(length))

    def _add(self, counts: Counts, least: int) -> None:
        length = len(self.chances)
        totals: Counter[tuple[int, ...]] = Counter()
        followers: Counter[tuple[int, ...]] = Counter()
        for ngram, count in counts.items():
            totals[ngram[:-1]] += count
            followers[ngram[:-1]] += 1
        frequencies = Counter(counts.values())
        discount = frequencies[1] / (frequencies[1] + 2 * frequencies[2]) if length > 1 else 0.0
        chances = {}
        for ngram, count in counts.items():
            context = ngram[:-1]
            rest = discount * followers[context] / totals[context]
            chances[ngram] = (count - discount) / totals[context] + rest * self.chances[-1].get(ngram[1:], 0.0)
        self.chances.append(chances)
        self.kept.append({ngram for ngram, count in counts.items() if count >= least and ngram[:-1] in self.kept[-1]})

    def chance(self, ngram: tuple[int, ...]) -> float:
        """The probability of the last piece after the others, by the n-grams that are kept."""
        factor = 1.0
        while ngram not in self.kept[len(ngram)]:
            factor *= self.backoffs[len(ngram) - 1].get(ngram[:-1], 1.0)
            ngram = ngram[1:]
        return factor * self.chances[len(ngram)][ngram]

    def _backoffs(self, length: int) -> dict[tuple[int, ...], float]:
        """The weights of shorter contexts for pieces that are not kept after a context of this length."""
        kept: dict[tuple[int, ...], float] = defaultdict(float)
        shorter: dict[tuple[int, ...], float] = defaultdict(float)
        if length:
            for ngram in sorted(self.kept[length + 1]):
                kept[ngram[:-1]] += self.chances[length + 1][ngram]
                shorter[ngram[:-1]] += self.chance(ngram[1:])
        return {context: max(1 - kept[context], 1e-9) / max(1 - shorter[context], 1e-9) for context in kept}


def cost(chance: float) -> int:
    """The cost of a probability in steps of the model, rounded up."""
    return math.ceil(-math.log(chance) * STEPS - 1e-9)


def model_bytes(words: dict[str, list[Phones]]) -> bytes:
    """The model that these words give, not compressed. Its first piece marks the beginning and the end of words."""
    chances = trained_pieces(words)
    logs = {piece: math.log(chance) for piece, chance in sorted(chances.items()) if chance > 0}
    uses = Counter(piece for alignment in alignments(words, logs) for piece in alignment)
    logs = {piece: log for piece, log in logs.items() if uses[piece] >= RARE}
    aligned = list(alignments(words, logs))
    pieces = [("", ()), *sorted({piece for alignment in aligned for piece in alignment})]
    numbers = {piece: number for number, piece in enumerate(pieces)}
    counts = counted([0, *(numbers[piece] for piece in alignment), 0] for alignment in aligned)
    smoothed = Smoothed(counts)
    levels = []
    for length in range(1, len(LEAST) + 1):
        level = []
        backoffs = smoothed.backoffs[length] if length < len(LEAST) else {}
        children = Counter(ngram[:-1] for ngram in smoothed.kept[length + 1]) if length < len(LEAST) else Counter()
        for ngram in sorted(smoothed.kept[length]):
            backoff = NO_BACKOFF + cost(backoffs[ngram]) if ngram in backoffs else 0
            level.append((ngram[-1], cost(smoothed.chances[length][ngram]), max(0, backoff), children[ngram]))
        levels.append(level)
    return packed(pieces, levels)


def distance(first: Phones, second: Phones) -> int:
    """The least number of changed, missing and additional phones."""
    row = list(range(len(second) + 1))
    for number, phone in enumerate(first, 1):
        before, row = row, [number]
        for place, (other, (left, above)) in enumerate(zip(second, pairwise(before), strict=True)):
            row.append(min(row[place] + 1, above + 1, left + (phone != other)))
    return row[-1]


def error_rates(model: LetterToSound, words: dict[str, list[Phones]]) -> tuple[float, float]:
    """The rates of phones and of words that are wrong, against the nearest pronunciation of each word."""
    wrong_phones = all_phones = wrong_words = 0
    for word, pronunciations in words.items():
        guess = next(iter(model.guesses(word, 1)), ())
        nearest = min(pronunciations, key=lambda phones: distance(guess, phones))
        wrong_phones += distance(guess, nearest)
        all_phones += len(nearest)
        wrong_words += guess != nearest
    return wrong_phones / all_phones, wrong_words / len(words)


def main() -> None:
    """Train, write, and measure."""
    words = dictionary()
    content = model_bytes({word: phones for word, phones in words.items() if not is_held_out(word)})
    MODEL.write_bytes(lzma.compress(content, preset=9 | lzma.PRESET_EXTREME))
    held_out = {word: phones for word, phones in words.items() if is_held_out(word)}
    phones, wrong = error_rates(LetterToSound(content), held_out)
    size = MODEL.stat().st_size
    print(f"{MODEL.name}: {size:,} bytes")
    print(f"{len(held_out):,} words held out: {phones:.2%} of the phones and {wrong:.2%} of the words are wrong")


if __name__ == "__main__":
    sys.exit(main())
