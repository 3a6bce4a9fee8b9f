"""The letter-to-sound model: its error rate, the laws of its probabilities and guesses, and its file."""

from __future__ import annotations

import lzma
import math
import runpy
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from treescore.helpers.files import packaged
from treescore.speech.audio import check
from treescore.speech.forced import PHONES
from treescore.speech.letter_to_sound import STEPS, LetterToSound, load, packed
from treescore.values.problem import UsageError

SCRIPT = Path(__file__).parent.parent / "scripts" / "train_letter_to_sound.py"
MODEL = packaged("letter_to_sound.xz")
WORDS = st.text("abcdefghijklmnopqrstuvwxyz'", min_size=1, max_size=12)


@pytest.fixture(scope="module")
def training() -> dict[str, Any]:
    """The functions of the training script."""
    try:
        check()
    except UsageError as missing:
        pytest.skip(f"there is no dictionary: {missing}")
    return runpy.run_path(str(SCRIPT))


@pytest.fixture(scope="module")
def held_out(training: dict[str, Any]) -> dict[str, Any]:
    """The words that the model was not trained with."""
    return {word: phones for word, phones in training["dictionary"]().items() if training["is_held_out"](word)}


def test_error_rate_of_a_sample(training: dict[str, Any], held_out: dict[str, Any]) -> None:
    sample = {word: held_out[word] for word in Random(1).sample(sorted(held_out), 300)}
    phones, words = training["error_rates"](load(), sample)
    assert phones <= 0.09 and words <= 0.36


@pytest.mark.long
def test_error_rate_of_all_words_held_out(training: dict[str, Any], held_out: dict[str, Any]) -> None:
    assert len(held_out) / len(training["dictionary"]()) == pytest.approx(0.05, abs=0.002)
    phones, words = training["error_rates"](load(), held_out)
    assert phones <= 0.075 and words <= 0.32


@pytest.mark.long
def test_the_same_dictionary_gives_the_same_model(training: dict[str, Any]) -> None:
    words = training["dictionary"]()
    used = {word: phones for word, phones in words.items() if not training["is_held_out"](word)}
    assert training["model_bytes"](used) == lzma.decompress(MODEL.read_bytes())


def test_size() -> None:
    assert 300_000 <= MODEL.stat().st_size <= 600_000


def test_loaded_only_when_needed() -> None:
    code = "import sys, treescore.speech.forced; sys.exit('treescore.speech.letter_to_sound' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@settings(deadline=None, max_examples=40)
@given(WORDS, st.integers(1, 6))
def test_guesses_are_ordered_and_different(word: str, most: int) -> None:
    model = load()
    costs = model.costs(word)
    assert costs == sorted(costs) and len({phones for _, phones in costs}) == len(costs)
    guesses = model.guesses(word, most)
    assert guesses == tuple(phones for _, phones in costs[:most]) == model.guesses(word, most + 1)[:most]
    assert all(phones and PHONES.issuperset(phones) for phones in guesses)


@settings(deadline=None, max_examples=200)
@given(st.text(max_size=50))
def test_any_text(word: str) -> None:
    guesses = load().guesses(word, 3)
    assert not guesses or set(word) <= set("abcdefghijklmnopqrstuvwxyz'")


def probability_of_all(model: LetterToSound, context: tuple[int, ...]) -> float:
    """The sum of the probabilities of all pieces after others."""
    return math.fsum(math.exp(-model.cost(context, piece) / STEPS) for piece in range(len(model.pieces)))


def test_probabilities_add_up_to_at_most_one() -> None:
    """In the contexts of words, in random contexts, and in none; little is lost by rounding."""
    model, random = load(), Random(2)
    pieces = range(1, len(model.pieces))
    contexts: list[tuple[int, ...]] = [(), (0,)]
    contexts += [tuple(random.choices(pieces, k=random.randint(1, 5))) for _ in range(30)]
    contexts += [(0, *random.choices(pieces, k=random.randint(1, 4))) for _ in range(30)]
    names = {piece: number for number, piece in enumerate(model.pieces)}
    for word, phones in (("kats", "K AE T S"), ("bilin", "B IH L IH N"), ("dampt", "D AE M P T")):
        numbers = [names[letter, (phone,)] for letter, phone in zip(word, phones.split(), strict=True)]
        contexts += [(0, *numbers[:end])[-5:] for end in range(1, len(word))]
    for context in contexts:
        assert 0.9 < probability_of_all(model, context) <= 1 + 1e-9, context


def test_the_cost_of_a_guess_is_that_of_its_pieces() -> None:
    """By a search over all divisions of a short word without beam or shortened contexts."""
    model = load()

    def all_costs(word: str, context: tuple[int, ...], phones: tuple[str, ...]) -> dict[tuple[str, ...], int]:
        best: dict[tuple[str, ...], int] = {}
        if not word:
            return {phones: model.cost(context, 0)}
        for number, (letters, more) in enumerate(model.pieces):
            if letters and word.startswith(letters):
                cost = model.cost(context, number)
                for end, rest in all_costs(word[len(letters) :], (*context, number)[-5:], phones + more).items():
                    best[end] = min(best.get(end, cost + rest), cost + rest)
        return best

    for word in ("ox", "qat", "zho"):
        slow = all_costs(word, (0,), ())
        slow.pop((), None)
        expected = sorted((cost, phones) for phones, cost in slow.items())[:3]
        assert model.costs(word)[:3] == expected


def test_a_packed_model_is_read_again() -> None:
    pieces = [("", ()), ("a", ("AH",)), ("b", ("B",)), ("b", ())]
    # after "a" a silent "b" is likely; everything else is backed off
    levels = [[(0, 24, 40, 0), (1, 12, 44, 1), (2, 30, 40, 0), (3, 60, 40, 0)], [(3, 3, 0, 0)]]
    model = LetterToSound(packed(pieces, levels))
    assert model.pieces == pieces
    assert (model.cost((), 2), model.cost((1,), 3), model.cost((1,), 2), model.cost((2,), 3)) == (30, 3, 34, 60)
    assert model.costs("ab") == [(12 + 3 + 24, ("AH",)), (12 + 34 + 24, ("AH", "B"))]


def test_the_nearest_pronunciation(training: dict[str, Any]) -> None:
    distance = training["distance"]
    assert distance(tuple("kitten"), tuple("sitting")) == 3 and distance((), ("K", "AE")) == 2
