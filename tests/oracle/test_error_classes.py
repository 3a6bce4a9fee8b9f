"""Error classes against a plain model: the same steps, classes and brackets on random pairs."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from oracle.error_classes import explain
from oracle.error_inputs import make_pair

import treescore
from treescore._core import ErrorReason

STATUS = {
    ErrorReason.REPAIRED: "ok",
    ErrorReason.LENGTHS: "lengths differ",
    ErrorReason.TOO_MANY_STEPS: "no path",
}
NAMES = {"classified_type": "class", "mover info": "mover_info", "added label": "added_label"}


def as_modelled(record: dict[str, Any]) -> dict[str, Any]:
    """A step with the names and the parts that the model gives."""
    result = {**record, **{theirs: record[ours] for theirs, ours in NAMES.items() if ours in record}}
    for name in (*NAMES.values(), "sentence", "id", "words", "added_span"):
        result.pop(name, None)
    if result["type"] == "move":
        del result["span"]
        if result["added label"] is None:
            del result["added label"]
        else:
            result["added and moved"] = True
    return result


def compare(seed: int, count: int, *, original: bool) -> None:
    random = Random(seed)
    pairs = [make_pair(random) for _ in range(count)]
    golds, tests = zip(*pairs, strict=True)
    errors = treescore.explain_errors(list(golds), list(tests), compat="original" if original else None)
    for index, (gold, test) in enumerate(pairs):
        wanted = explain(gold, test, original=original)
        assert STATUS.get(errors.rows["reason"][index], "not parsed") == wanted.status, (gold, test)
        steps = [as_modelled(step.record()) for step in errors.steps(index)]
        assert steps == wanted.steps, (gold, test)
        if wanted.status == "ok":
            assert errors.rows["brackets"][index] == wanted.errors


@pytest.mark.parametrize("original", [False, True])
def test_random_pairs(original: bool) -> None:
    compare(1, 40, original=original)
