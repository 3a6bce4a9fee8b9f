"""Options are declared once: the constructor, signatures, help and cards agree with the declarations."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest
from command import treescore_inside
from entry_points.toy_metric import Toy
from hypothesis import given, strategies as st

import treescore
from treescore import metrics
from treescore.heads import CITATIONS
from treescore.metrics.base import Metric
from treescore.metrics.options import HeadTableName, OnAxis, ParameterFile, Profile
from treescore.profiles import PROFILES
from treescore.recipe import RECIPE_OPTIONS, Recipe, Steps
from treescore.values.option import Characters, Choice, Flag, Number, Option, Pairs, Texts, WholeNumber
from treescore.words.normal import STEPS

CARDS = Path(__file__).parents[2] / "docs" / "metrics"
HEADER = "| option | values | default | meaning |\n|---|---|---|---|\n"
NAMES = [*metrics.names(), "toy"]

TEXT = st.text(st.sampled_from("A-=+|%:,# é木"), max_size=4)
#: Numbers of which each range that an option allows has some.
NUMBERS = st.sampled_from([0, 0.25, 0.5, 1, 1.5, 2, 3, 60, 100.5])
#: Values of each kind of option.
VALUES: dict[type[Option], Any] = {
    Flag: st.booleans(),
    WholeNumber: st.integers(0, 50),
    Characters: TEXT,
    Texts: st.lists(TEXT, max_size=3),
    Pairs: st.lists(st.tuples(TEXT, TEXT), max_size=2),
    Steps: st.lists(st.sampled_from([step for step in STEPS if step != "nfc"]), min_size=1).map("+".join),
    Profile: st.sampled_from(sorted(PROFILES)),
    ParameterFile: st.sampled_from([b"DELETE_LABEL TOP\n", b"EQ_LABEL ADVP PRT\nLABELED 0\n"]),
    HeadTableName: st.sampled_from(sorted(CITATIONS)),
}
#: Values of the options that are texts or files.
FILES: dict[str, Any] = {
    "align": st.sampled_from(["words", "bag", b"a\tb\n"]),
    "contractions": st.sampled_from(["en", "de", "none", b"du = de le\n"]),
    "gold-words": st.just(b"1 1 2\n"),
    "test-words": st.just(b"1 2 2\n"),
}


@pytest.fixture(autouse=True)
def _with_toy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(metrics.REGISTRY, "toy", ("entry_points.toy_metric", "Toy"))


def kind_of(name: str) -> type[Metric]:
    """The class of a metric."""
    return Toy if name == "toy" else type(metrics.get(name))


def values_of(option: Option) -> Any:
    """A strategy for the arguments that an option accepts."""
    if isinstance(option, Choice):
        return st.sampled_from([*option.choices, *option.aliases])
    if isinstance(option, Number):
        return NUMBERS.filter(option.allows) if option.allows else NUMBERS
    if option.name in FILES:
        return FILES[option.name]
    return next(values for kind, values in VALUES.items() if isinstance(option, kind))


@st.composite
def metrics_with_options(draw: st.DrawFn, name: str) -> Metric | None:
    """A metric with some of its options; None if they do not go together."""
    options = kind_of(name).options
    chosen = draw(st.lists(st.sampled_from(options), unique_by=lambda option: option.name, max_size=5))
    arguments = {option.argument: draw(values_of(option)) for option in chosen}
    try:
        return kind_of(name)(**arguments)
    except treescore.SignatureError:
        return None


@pytest.mark.parametrize("name", NAMES)
@given(data=st.data())
def test_any_valid_options_give_a_signature_that_parses_back(name: str, data: st.DataObject) -> None:
    metric = data.draw(metrics_with_options(name))
    if metric is None:
        return
    again = metrics.get(metric.signature)
    assert again == metric
    assert again.signature == metric.signature
    assert [again.value_of(option) for option in again.options] == [metric.value_of(it) for it in metric.options]
    assert again.in_words() == metric.in_words()


@pytest.mark.parametrize("name", NAMES)
def test_every_option_is_an_argument_and_is_parsed(name: str) -> None:
    kind = kind_of(name)
    assert len({option.name for option in kind.options}) == len(kind.options)
    default = kind()
    for option in kind.options:
        value = default.value_of(option)
        if value is None or not option.default:
            continue
        text = option.write(value)
        assert metrics.get(f"{name}|{option.name}:{text}") == kind(**{option.argument: value}) == default


@pytest.mark.parametrize("name", NAMES)
def test_unknown_options_and_values_are_refused_with_a_suggestion(name: str) -> None:
    kind = kind_of(name)
    for option in kind.options:
        wrong = option.name + "x"
        with pytest.raises(treescore.SignatureError, match=f"has no option '{wrong}'; did you mean '"):
            kind(**{wrong: 1})
        with pytest.raises(treescore.SignatureError, match=f"has no option '{wrong}'; did you mean '.*$"):
            metrics.get(f"{name}|{wrong}:1")
        if isinstance(option, Choice | Flag):
            choice = max(option.choices, key=len)
            hint = f"; did you mean '{choice}'" if len(choice) > 2 else ""
            with pytest.raises(treescore.SignatureError, match=f"{option.name} must be .*, not '{choice}x'{hint}"):
                metrics.get(f"{name}|{option.name}:{choice}x")
        if not isinstance(option, HeadTableName | OnAxis) and option.name not in FILES and option.name != "prm":
            with pytest.raises(treescore.SignatureError):
                kind(**{option.argument: object()})


def test_recipes_have_a_field_for_each_of_their_options() -> None:
    assert list(Recipe().values())[:-2] == [option.argument for option in RECIPE_OPTIONS]
    assert all(getattr(Recipe(), option.argument) == option.default for option in RECIPE_OPTIONS)


@pytest.mark.parametrize("name", NAMES)
def test_help_lists_the_options(name: str, tmp_path: Path) -> None:
    out, _ = treescore_inside(tmp_path, "info", "--options", name)
    metric = metrics.get(name)
    assert out.startswith(metric.signature)
    assert re.findall("^  ([a-z-]+): ", out, re.MULTILINE) == [option.name for option in metric.options]
    for option in metric.options:
        assert option.alternatives() in out
        assert all(meaning in out for meaning in option.meanings())


def code(text: str) -> str:
    """Text as code in Markdown, whatever backticks are in it."""
    if not text:
        return "empty"
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", text)), default=0))
    room = " " * (len(fence) > 1)
    return f"{fence}{room}{text}{room}{fence}"


def option_table(metric: Metric) -> str:
    """The table of options in the card of a metric."""
    rows = []
    for option in metric.options:
        value = metric.written(option)
        cells = [code(option.name), option.alternatives(code), "" if value is None else code(value)]
        cells.append("; ".join(option.meanings(code)))
        rows.append(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |\n")
    return HEADER + "".join(rows)


@pytest.mark.parametrize("name", metrics.names())
def test_the_table_in_the_card_is_that_of_the_declarations(name: str) -> None:
    card = CARDS / f"{'aligned_parseval' if name == 'character_parseval' else name}.md"
    text = card.read_text(encoding="utf-8")
    assert text.count(HEADER) == 1
    start = text.index(HEADER)
    end = text.index("\n\n", start) + 1
    table = option_table(metrics.get(name))
    if os.environ.get("TREESCORE_RENEW"):
        card.write_text(text[:start] + table + text[end:], encoding="utf-8")
        return
    assert text[start:end] == table, f"{card} is old; TREESCORE_RENEW=1 writes the table anew"
