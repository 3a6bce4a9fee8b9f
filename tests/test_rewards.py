"""Rewards: the values of the examples, and what must hold for every completion and every call."""

from __future__ import annotations

import math
import pickle
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from random import Random
from typing import Any

import nltk
import pytest
from hypothesis import given, settings, strategies as st
from strategies import changed, make_tree, make_words, write, write_loosely

import treescore
from treescore.integrations.judged_completions import MOST_NODES, gold_trees, judge
from treescore.integrations.rewards import F1, compute_score, form, reward_func

G = "(S (NP (DT The) (NN cat)) (VP (VBD sat) (PP (IN on) (NP (DT the) (NN mat)))) (. .))"
COMPLETIONS = [
    G,
    f"(ROOT {G})",
    f"Here:\n```\n{G}\n```\nDone.",
    f"<think>hm</think>\n{G}",
    "(S (NP (DT The) (NN cat)) (VP (VBD sat)) (PP (IN on) (NP (DT the) (NN mat))) (. .))",
    "(S (NP (DT The) (NN cat)) (VP (VBD sat) (ADVP (IN on) (NP (DT the) (NN mat)))) (. .))",
    "(S (NP (DT The) (NN cat)) (VP (VBD sat) (PP (IN on) (NP (DT the) (NP (NN mat))))) (. .))",
    "(S (NP (DT The) (NN cat)) (VBD sat) (PP (IN on) (NP (DT the) (NN mat))) (. .))",
    "(S The cat sat on the mat .)",
    "(S (DT The) (NN cat) (VBD sat) (IN on) (DT the) (NN mat) (. .))",
    "(X (DT The) (X (NN cat) (X (VBD sat) (X (IN on) (X (DT the) (X (NN mat) (. .)))))))",
    "(S (NP The cat) (VP sat (PP on (NP the mat))) .)",
    "(s (np (dt The) (nn cat)) (vp (vbd sat) (pp (in on) (np (dt the) (nn mat)))) (. .))",
    "(S (NP (DT The) (NN cat)) (VP (VBD sat) (PP (IN on) (NP (DT the) (NN mat)))) (. .)",
    f"{G})",
    "(S (NP (DT The) (NN cat)) (VP (VBD sat",
    "(S (NP (DT The) (NN cat)) (VP (VBD sat) (PP (IN on) (NP (DT the) (NN rug)))) (. .))",
    "(S (NP (DT The) (NN cat)) (VP (VBD sat) (PP (IN on) (NP (NN mat)))) (. .))",
    "I cannot do that.",
    "",
    "(S (NP (DT The) (NN cat))) (VP (VBD sat) (PP (IN on) (NP (DT the) (NN mat)))) (. .))",
    f"{G}\n{G}",
]
OUTCOMES = ["valid"] * 22
OUTCOMES[2] = OUTCOMES[21] = "extracted"
OUTCOMES[13:16] = ["repaired"] * 3
OUTCOMES[18:21] = ["rejected"] * 3
FAITHFUL = [True] * 15 + [False] * 3 + [None] * 3 + [True]
PARSEVAL = "parseval|delete-by:gold"
#: For each metric the rewards in the order of the completions, with outer:ignored.
VALUES = {
    "struct_iou": "1 1 1 1 .9167 .9167 .9600 .9565 .1538 .8 .56 .5882 .5833 1 1 0 0 0 0 0 0 1",
    PARSEVAL: "1 1 1 1 .8 .8 .9091 .8889 .3333 .3333 0 1 0 1 1 0 0 0 0 0 0 1",
    "aligned_parseval": "1 1 1 1 .8 .8 .9091 .8889 .3333 .3333 0 1 0 1 1 0 0 0 0 0 0 1",
}
#: The same for outer:counted: what differs in the second completion.
COUNTED = {"struct_iou": 0.96, PARSEVAL: 0.9091, "aligned_parseval": 0.9091}
#: The rewards of completions 16 to 18 if other words are scored.
UNSAFE = {
    "struct_iou": [0.5198, 1.0, 0.7629],
    PARSEVAL: [0.0, 0.0, 0.0],
    "aligned_parseval": [0.75, 1.0, 1.0],
}


def rounded(rewards: list[float | None]) -> list[float | None]:
    return [None if reward is None else round(reward, 4) for reward in rewards]


def values(metric: str) -> list[float | None]:
    return [float(text) for text in VALUES[metric].split()]


@pytest.mark.parametrize("metric", VALUES)
def test_the_examples(metric: str) -> None:
    assert rounded(treescore.rewards(COMPLETIONS, G, metric)) == values(metric)
    counted = values(metric)
    counted[1] = COUNTED[metric]
    assert rounded(treescore.rewards(COMPLETIONS, G, f"{metric}|outer:counted")) == counted


@pytest.mark.parametrize("metric", VALUES)
def test_the_examples_one_by_one(metric: str) -> None:
    assert [round(treescore.rewards([text], [G], metric)[0] or 0, 4) for text in COMPLETIONS] == values(metric)


def test_strict_terminals() -> None:
    scores = rounded(treescore.rewards(COMPLETIONS, G, "struct_iou|terminals:strict"))
    assert scores[8:13] == [0.1538, 0.8, 0.56, 0.5882, 0.0833]


def test_the_examples_without_repairs() -> None:
    expected = values("struct_iou")
    expected[13] = expected[14] = 0.0
    assert rounded(treescore.rewards(COMPLETIONS, G, repair="none")) == expected


@pytest.mark.parametrize("metric", VALUES)
def test_other_words_are_scored_on_request_only(metric: str) -> None:
    expected = values(metric)
    expected[15:18] = UNSAFE[metric]
    assert rounded(treescore.rewards(COMPLETIONS, G, metric, unfaithful="score")) == expected


def test_outcomes_and_rates_are_logged() -> None:
    extra: dict[str, list[Any]] = {}
    rates: dict[str, float] = {}
    treescore.rewards(COMPLETIONS, G, log_extra=extra.__setitem__, log_metric=rates.__setitem__)
    assert extra["outcome"] == OUTCOMES
    assert [tree is None for tree in extra["tree"]] == [faithful is None for faithful in FAITHFUL]
    assert extra["tree"][3] == extra["tree"][13] == extra["tree"][21] == G
    assert rates == {"valid": 14 / 22, "repaired": 3 / 22, "rejected": 3 / 22, "faithful": 16 / 22}


# ---- What must hold


@settings(deadline=None)
@given(st.lists(st.sampled_from(range(22)), max_size=12), st.integers(1, 3))
def test_the_reward_depends_on_nothing_but_the_completion(places: list[int], threads: int) -> None:
    expected = [values("struct_iou")[place] for place in places]
    assert rounded(treescore.rewards([COMPLETIONS[place] for place in places], G, threads=threads)) == expected


def test_threads_at_the_same_time() -> None:
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda _: treescore.rewards(COMPLETIONS * 5, G), range(16)))
    assert all(rounded(result) == values("struct_iou") * 5 for result in results)


ODD = (
    *("()", "(())", "((", "))", "\0", "\ud800", "(S \ud800)", "\x1b[31m(S (NN a))", "<b>(S a)</b>", "(S (NN a))\0"),
    *("(" * 100_000, ")" * 100_000, "(S " * 50_000 + "a" + ")" * 50_000, "[" * 10_000, "<think>" * 1000, "{}", '{"'),
)


@settings(deadline=None)
@given(
    st.lists(
        st.one_of(
            *(st.text(), st.text("() SNPab<>/thinkg\n\t\u00a0$-`{}[]\"'"), st.sampled_from(ODD), st.none()),
            st.builds(lambda text: [{"role": "assistant", "content": text}], st.none() | st.text("(SNab) ")),
        ),
        max_size=5,
    ),
    st.sampled_from([0.0, -1.0]),
)
def test_no_completion_raises_and_no_reward_is_nan(completions: list[Any], invalid: float) -> None:
    for unfaithful in ("invalid", "score"):
        rewards = treescore.rewards(completions, "(S (NN a))", invalid=invalid, unfaithful=unfaithful)
        assert len(rewards) == len(completions)
        for reward in rewards:
            assert type(reward) is float and (0 <= reward <= 1 or reward == invalid)


@pytest.mark.parametrize(
    "piece", ["(", ")", "<", "<think>", "</think>", "(S ", "()", "(a", "{", "`", "\n- (a", "\u00a0"]
)
def test_the_time_grows_linearly_with_the_length_of_a_completion(piece: str) -> None:
    """Where it would grow with the square, this would take hours."""
    assert treescore.rewards([piece * (10**6 // len(piece))], ["(S (NP (NN hello)))"]) == [0.0]


@pytest.mark.parametrize("completion", ODD)
def test_odd_completions(completion: str) -> None:
    assert treescore.rewards([completion], ["(S (NP (NN hello)))"]) == [0.0]


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        ((["a", "b"], [G]), {}),
        (([], [G]), {}),
        ((G, G), {}),
        (([], G, "no_metric"), {}),
        (([], G, "struct_iou|nothing:x"), {}),
        (([], G, "conllu_eval"), {}),
        (([], G, "struct_iou|axis:seconds"), {}),
        (([], G, "boundaries"), {}),
        (([], G, "parseval|references:2"), {}),
        (([], G), {"unfaithful": "aligned"}),
        (([], G), {"unfaithful": math.nan}),
        (([], G), {"invalid": math.nan}),
        (([], G), {"invalid": "0"}),
        (([], G), {"repaired": 2}),
        (([], G), {"repair": "closed"}),
        (([], G), {"repair": ["close", "none"]}),
        (([], G), {"threads": 0}),
        ((["a"], G), {"sentence": ["a", "b"]}),
        ((["a"], G), {"sentence": [7]}),
    ],
)
def test_a_wrong_call_raises_at_once(arguments: tuple[Any, ...], options: dict[str, Any]) -> None:
    with pytest.raises(treescore.UsageError):
        treescore.rewards(*arguments, **options)


def test_empty_and_rejected_batches() -> None:
    assert treescore.rewards([], []) == treescore.rewards([], G) == []
    assert treescore.rewards(["", None, "no"], G, invalid=-1) == [-1.0, -1.0, -1.0]
    assert all(type(reward) is float for reward in treescore.rewards(["", G], G, invalid=0))


def test_a_bound_of_size() -> None:
    deep = "(X " * MOST_NODES + "(S (NN a))" + ")" * MOST_NODES
    assert treescore.rewards([deep, "(S (NN a))"], "(S (NN a))", invalid=-1) == [-1.0, 1.0]
    assert treescore.rewards(["(S (NN a))"], [deep]) == [None]
    many = f"(S {'(NN a) ' * MOST_NODES})"
    assert treescore.rewards(["(S (NN a))", many], [many, "(S (NN a))"], unfaithful="score", invalid=-1) == [None, -1.0]


def test_what_the_model_did_is_never_none() -> None:
    """Costs that no limit allows are the fault of the test tree if the gold tree alone is cheap."""
    gold = "(S (NP (NN a) (NN b)) (NN c))"
    deep = "(X " * 9000 + gold + ")" * 9000
    assert treescore.rewards([deep, gold], gold, "tree_distance|limit:0.0001", invalid=-1) == [-1.0, 1.0]


def test_a_gold_tree_that_cannot_be_used() -> None:
    gold = [G, "(S (", "", None, "(S (-NONE- *))", "no tree", "()"]
    assert treescore.rewards([G] * 7, gold) == [1.0, *[None] * 6]
    extra: dict[str, list[Any]] = {}
    rates: dict[str, float] = {}
    treescore.rewards([G] * 7, gold, log_extra=extra.__setitem__, log_metric=rates.__setitem__)
    assert extra == {"tree": [G, *[None] * 6], "outcome": ["valid", *[None] * 6]}
    assert rates == {"valid": 1.0, "repaired": 0.0, "rejected": 0.0, "faithful": 1.0}
    treescore.rewards([G], [None], log_metric=rates.__setitem__)


def test_traces_are_removed_from_gold() -> None:
    gold = "(S (NP-SBJ (-NONE- *T*-1) (NN a)) (VP (VB b) (S (NP (-NONE- *)) (-NONE- *))))"
    test = "(S (NP-SBJ (NN a)) (VP (VB b)))"
    assert treescore.rewards([test, test.replace("b", "c")], gold) == [1.0, 0.0]
    assert treescore.rewards([test], gold, PARSEVAL) == [1.0]


def test_the_last_tree_counts_and_not_the_best() -> None:
    worse = "(S (DT The) (NN cat) (VBD sat) (IN on) (DT the) (NN mat) (. .))"
    assert rounded(treescore.rewards([f"{G}\n\n{worse}", f"{worse}\n\n{G}"], G)) == [0.8, 1.0]


# ---- Options and input


def test_chats_and_other_completions() -> None:
    message = {"role": "assistant", "content": G}
    parts = {"role": "assistant", "content": [{"type": "text", "text": G[:20]}, {"type": "text", "text": G[20:]}]}
    user = {"role": "user", "content": "(S (NN x))"}
    chats: list[Any] = [
        message,
        [message],
        [user, message],
        [message, user],
        [parts],
        [user, {**message, "content": None}],
    ]
    assert treescore.rewards([*chats, None, []], G) == [1.0] * 5 + [0.0] * 3


@pytest.mark.parametrize(
    "gold", [G, [G] * 2, (G, G), treescore.read(G)[0], nltk.Tree.fromstring(G), treescore.read([G, G])]
)
def test_gold_as_strings_and_trees(gold: Any) -> None:
    assert rounded(treescore.rewards([G, COMPLETIONS[4]], gold)) == [1.0, 0.9167]


def test_gold_of_all_kinds_at_once() -> None:
    gold = ["(S (NN a))", nltk.Tree.fromstring("(S (NN b))"), None, treescore.read("(S (NN c))")[0], "(S (NN 0=d))"]
    completions = ["(S (NN a))", "(S (NN b))", "(S (NN c))", "(S (NN c))", "(S (NN d))"]
    assert treescore.rewards(completions, gold) == [1.0, 1.0, None, 1.0, 1.0]


def test_spans_and_numbers_are_words() -> None:
    assert treescore.rewards(["(NP (CD 1990-1991))"], ["(NP (CD 1990-1991))"]) == [1.0]


def test_other_options() -> None:
    assert treescore.rewards(COMPLETIONS[15:18], G, unfaithful=0.1, invalid=-1) == [0.1, 0.1, 0.1]
    assert treescore.rewards([COMPLETIONS[13], G], G, repaired=0.9) == [0.9, 1.0]
    assert treescore.rewards([COMPLETIONS[13], COMPLETIONS[14]], G, repair=["surplus"]) == [0.0, 1.0]
    assert treescore.rewards(["(S (NN `a))"], ["(S (NN a))"], sentence="`a") == [1.0]
    assert treescore.rewards(["(S (NN `a))", "(S (NN a))"], ["(S (NN a))"] * 2, sentence=[["`a"], "`a"]) == [1.0, 0.0]
    assert treescore.rewards(["(S (NN a\u00a0b))"], ["(S (NN a))"], sentence=["a\u00a0b"], repair="none") == [0.0]
    assert treescore.rewards(["(S (NN a))"] * 2, "(S (NN a))", sentence=[None, "a"]) == [None, 1.0]
    assert treescore.rewards(["(S (-LRB- -LRB-))"], ["(S (-LRB- -LRB-))"], sentence=["("]) == [1.0]


def test_complete_signatures_are_literal() -> None:
    metric = treescore.metric("struct_iou")
    assert rounded(treescore.rewards([COMPLETIONS[1]], G, metric.signature)) == [0.96]
    assert rounded(treescore.rewards([COMPLETIONS[1]], G, metric)) == [0.96]


def test_rewards_can_be_pickled() -> None:
    function = pickle.loads(pickle.dumps(partial(treescore.rewards, metric=PARSEVAL)))
    assert rounded(function(COMPLETIONS, G)) == values(PARSEVAL)
    assert pickle.loads(pickle.dumps(treescore.rewards)).__name__ == "rewards"


def random_completions(seed: int, size: int) -> tuple[list[str], list[str]]:
    """Gold trees, and completions of all kinds."""
    rng = Random(seed)
    gold, completions = [], []
    for _ in range(size):
        words = make_words(rng, 12)
        tree = make_tree(rng, words)
        gold.append(write(tree))
        test = changed(rng, tree)
        kind = rng.random()
        text = write_loosely(rng, test) if kind < 0.3 else write(test)
        completions.append(text[: rng.randint(0, len(text))] if kind > 0.8 else text)
    return gold, completions


#: Metrics that compare the words of completions.
METRICS = [name for name in treescore.metrics.names() if name not in ("boundaries", "conllu_eval")]


def round_all(report: treescore.Report) -> float | None:
    """The score over all sentences with as many digits as rows have."""
    value = report.scores[0].all
    return None if value is None else round(value, 10)


@pytest.mark.parametrize("metric", [*METRICS, PARSEVAL])
def test_the_same_as_the_rows_of_evaluate(metric: str) -> None:
    gold, completions = random_completions(4, 300)
    has_outer = treescore.metric(metric).has_option("outer")
    scorer = treescore.metric(f"{metric}|outer:ignored" if has_outer else metric)
    rewards = treescore.rewards(completions, gold, metric)
    judged = judge(completions, gold_trees(gold, len(gold)))
    assert sum(len(places) for _, places in judged.pairs) > 150
    for pair, places in judged.pairs:
        if not scorer.pairs_trees:  # the rows of a whole file are of aligned sentences
            reports = [treescore.evaluate(pair.gold[i : i + 1], pair.test[i : i + 1], scorer) for i in range(len(pair))]
            assert [rewards[place] for place in places] == [round_all(report) for report in reports]
            continue
        rows = treescore.evaluate(pair.gold, pair.test, scorer).rows()
        for index, (place, score, status) in enumerate(
            zip(places, rows[scorer.row_figure], rows["status"], strict=True)
        ):
            if score is not None:
                assert rewards[place] == score
            else:  # None only if the gold tree alone has no score
                alone = pair.gold[index : index + 1]
                same = treescore.evaluate(alone, alone, scorer).rows()[scorer.row_figure]
                assert rewards[place] == (None if same == [None] and status != 1 else 0.0)


# ---- Adapters


def test_form() -> None:
    expected = [float(o == "valid" and f is True) for o, f in zip(OUTCOMES, FAITHFUL, strict=True)]
    assert form(COMPLETIONS, G) == expected
    assert form([G, G], [G, None]) == [1.0, None]


def test_verl() -> None:
    """As verl's reward managers call it: one by one, and as a batch."""
    keys = ["score", "valid", "faithful", "repaired", "f1"]
    single = [
        compute_score(data_source="treebank", solution_str=text, ground_truth=G, extra_info={"num_turns": None})
        for text in COMPLETIONS
    ]
    batch = compute_score(
        data_sources=["treebank"] * 22, solution_strs=COMPLETIONS, ground_truths=[G] * 22, extra_infos=[{}] * 22
    )
    assert single == batch
    assert all(list(row) == keys and all(type(value) in (int, float) for value in row.values()) for row in batch)
    assert rounded([row["score"] for row in batch]) == values("struct_iou")
    assert rounded([row["f1"] for row in batch]) == values(PARSEVAL)
    assert [row["valid"] for row in batch] == [int(outcome == "valid") for outcome in OUTCOMES]
    assert [row["repaired"] for row in batch] == [int(outcome == "repaired") for outcome in OUTCOMES]
    assert [row["faithful"] for row in batch] == [int(faithful is True) for faithful in FAITHFUL]
    assert compute_score("treebank", G, None) == dict.fromkeys(keys, 0)
    options: dict[str, Any] = {"metric": F1, "invalid": -1, "reward_router_address": None}
    assert compute_score("treebank", "no", G, **options)["score"] == -1.0


def test_openrlhf() -> None:
    """As OpenRLHF calls it: by position, lists of one; special tokens are kept."""
    prompt = f"<|user|>Parse: The dog sat. Example: {G}<|end|><|assistant|>"
    result = reward_func([f"{prompt}{G}<|end|>"], [prompt], [G])
    assert list(result) == ["rewards", "scores", "extra_logs"]
    assert [float(number) for number in result["rewards"]] == [1.0]
    assert [float(number) for number in result["scores"]] == [1.0]
    assert {name: list(map(float, column)) for name, column in result["extra_logs"].items()} == {
        **{"valid": [0.0], "faithful": [1.0], "repaired": [0.0], "f1": [1.0]}
    }
    assert [float(number) for number in reward_func([f"{prompt}I cannot."], [prompt], [G])["rewards"]] == [0.0]


class Trainer:
    """Calls reward functions as `GRPOTrainer._calculate_rewards` of TRL 1.16 does."""

    def __init__(self, reward_funcs: list[Any]) -> None:
        self.reward_funcs = reward_funcs
        self.extra: dict[str, list[Any]] = {}
        self.metrics: dict[str, list[float]] = {}

    def calculate(self, inputs: list[dict[str, Any]], completions: list[Any]) -> list[list[float]]:
        prompts = [example["prompt"] for example in inputs]
        keys = [key for key in inputs[0] if key not in ["prompt", "completion", "completion_ids"]]
        arguments: dict[str, Any] = {key: [example[key] for example in inputs] for key in keys}
        arguments |= {"trainer_state": object(), "log_extra": self._log_extra, "log_metric": self._log_metric}
        columns = []
        for function in self.reward_funcs:
            output = function(
                prompts=prompts, completions=completions, completion_ids=[[1]] * len(prompts), **arguments
            )
            assert len(output) == len(prompts)
            columns.append([math.nan if reward is None else reward for reward in output])
        return columns

    def _log_extra(self, column: str, values: list[Any]) -> None:
        self.extra.setdefault(column, []).extend(values)

    def _log_metric(self, name: str, value: float) -> None:
        self.metrics.setdefault(name, []).append(value)


@pytest.mark.parametrize("chat", [False, True])
def test_trl(chat: bool) -> None:
    trainer = Trainer([treescore.rewards, partial(treescore.rewards, metric=PARSEVAL), form])
    inputs = [{"prompt": "Parse: …", "gold": G, "id": number} for number in range(22)]
    completions: list[Any] = [[{"role": "assistant", "content": text}] for text in COMPLETIONS] if chat else COMPLETIONS
    columns = trainer.calculate(inputs, completions)
    assert [rounded(list(column)) for column in columns[:2]] == [values("struct_iou"), values(PARSEVAL)]
    assert trainer.extra["outcome"] == OUTCOMES * 2
    assert trainer.metrics["faithful"] == [16 / 22] * 2
