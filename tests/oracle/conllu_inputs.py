"""Random pairs of CoNLL-U files over one text: other tokens, other sentences, multi-word tokens, any trees."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from .conllu_eval import CONTENT, FUNCTION

LETTERS = "abcAé木 "
UPOS = ("NOUN", "VERB", "DET", "_")
FEATS = ("_", "Case=Nom", "Number=Plur|Case=Nom", "Case=Nom|Number=Plur", "Foo=Bar", "Case=Nom|Foo=Bar", "Case[x]=Nom")
RELATIONS = (*CONTENT, *FUNCTION * 3, "punct", "nsubj:pass", "aux:pass", "other", "_")
LABELS = ("nsubj", "nsubj:pass", "conj>nsubj", "conj:and>nsubj:pass", "obl:in", "obl:on", "root")


def pieces(rng: Random, text: str, most: int) -> list[str]:
    """A text cut into pieces at random places."""
    result, at = [], 0
    while at < len(text):
        size = rng.randint(1, most)
        result.append(text[at : at + size])
        at += size
    return result


def make_heads(rng: Random, count: int) -> list[int]:
    """A tree with one root: each word in a random order hangs on one before it."""
    order = list(range(1, count + 1))
    rng.shuffle(order)
    heads = [0] * (count + 1)
    for place, word in enumerate(order[1:], 1):
        heads[word] = order[rng.randrange(place)]
    return heads[1:]


def make_edges(rng: Random, count: int) -> str:
    """A list of edges, some of them from empty nodes."""
    edges = [f"{rng.randint(0, count)}:{rng.choice(LABELS)}" for _ in range(rng.choice((0, 1, 1, 1, 2, 3)))]
    if rng.random() < 0.1:
        edges.append("1.1:dep")
    return "|".join(edges) or "_"


def write_sentence(rng: Random, tokens: Sequence[str], multiword: float) -> str:
    """A sentence over these surface tokens."""
    lines: list[tuple[str, str]] = []  # id and form
    count = 0
    for token in tokens:
        spaced = token + "\u00a0" if rng.random() < 0.05 else token
        if rng.random() < multiword:
            parts = [rng.choice((token, token.upper(), "de", "El", "el")) for _ in range(rng.randint(1, 4))]
            if rng.random() < 0.5:
                parts = pieces(rng, token, 2)
            lines.append((f"{count + 1}-{count + len(parts)}", spaced))
        else:
            parts = [spaced]
        for part in parts:
            count += 1
            lines.append((str(count), part))
            if rng.random() < 0.05:
                lines.append((f"{count}.1", "e"))
    heads = make_heads(rng, count)
    written = "# a comment\n" if rng.random() < 0.3 else ""
    for id, form in lines:
        if id.isdigit():
            head = heads[int(id) - 1]
            columns = [rng.choice(("_", "l", "m")), rng.choice(UPOS), rng.choice(("_", "X")), rng.choice(FEATS)]
            columns += [str(head), "root" if head == 0 else rng.choice(RELATIONS), make_edges(rng, count), "_"]
        else:
            columns = ["_"] * 8
        written += "\t".join([id, form, *columns]) + "\n"
    return written + "\n"


def changed_line(rng: Random, line: str) -> str:
    """A line with some of its columns replaced; heads stay."""
    columns = line.split("\t")
    if len(columns) == 10 and columns[0].isdigit():
        for place, choice in ((2, ("_", "l")), (3, UPOS), (5, FEATS), (7, RELATIONS)):
            if rng.random() < 0.1 and columns[6] != "0":
                columns[place] = rng.choice(choice)
    return "\t".join(columns)


def make_file(rng: Random, text: str, multiword: float) -> str:
    tokens = pieces(rng, text, 4)
    sentences = []
    while tokens:
        size = rng.randint(1, 6)
        sentences.append(write_sentence(rng, tokens[:size], multiword))
        tokens = tokens[size:]
    return "".join(sentences)


def make_conllu_pair(rng: Random) -> tuple[str, str]:
    """Gold and system over the same text; often much alike."""
    text = "".join(rng.choice(LETTERS.strip()) for _ in range(rng.randint(1, 40)))
    multiword = rng.choice((0.0, 0.2, 0.5))
    gold = make_file(rng, text, multiword)
    if rng.random() < 0.5:
        return gold, make_file(rng, text, multiword)
    return gold, "\n".join(changed_line(rng, line) for line in gold.split("\n"))
