"""Rewards in the real GRPO trainer of TRL: a step of training with a tiny random model, and the known values."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest
from integrations.needed import needed
from test_rewards import COMPLETIONS, OUTCOMES, PARSEVAL, VALUES, G

import treescore
from treescore.integrations.rewards import form

torch = needed("torch")
trl = needed("trl")
transformers = needed("transformers")
tokenizers = needed("tokenizers")
datasets = needed("datasets")


def tiny_model() -> tuple[Any, Any]:
    """A random model of few weights, and a tokenizer of the words of the examples."""
    words = ["<pad>", "<unk>", "<eos>", *dict.fromkeys(G.replace("(", "( ").replace(")", " )").split())]
    tokenizer = tokenizers.Tokenizer(
        tokenizers.models.WordLevel({word: number for number, word in enumerate(words)}, unk_token="<unk>")
    )
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.WhitespaceSplit()
    fast = transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, unk_token="<unk>", eos_token="<eos>", pad_token="<pad>"
    )
    sizes = {"n_embd": 8, "n_layer": 1, "n_head": 1, "n_positions": 64}
    marks = {"bos_token_id": 2, "eos_token_id": 2, "pad_token_id": 0}
    model = transformers.GPT2LMHeadModel(transformers.GPT2Config(vocab_size=len(words), **sizes, **marks))
    return model, fast


@pytest.fixture
def trainer(tmp_path: Path) -> Any:
    model, tokenizer = tiny_model()
    arguments = trl.GRPOConfig(
        output_dir=str(tmp_path),
        per_device_train_batch_size=4,
        num_generations=4,
        max_completion_length=8,
        max_steps=1,
        report_to=[],
        use_cpu=True,
        save_strategy="no",
    )
    return trl.GRPOTrainer(
        model=model,
        processing_class=tokenizer,
        reward_funcs=[treescore.rewards, partial(treescore.rewards, metric=PARSEVAL), form],
        args=arguments,
        train_dataset=datasets.Dataset.from_list([{"prompt": "( S", "gold": G}] * 4),
    )


def test_a_step_of_training(trainer: Any) -> None:
    trainer.train()
    logged = {name for row in trainer.state.log_history for name in row}
    assert {"rewards/rewards/mean", "rewards/form/mean", "valid", "faithful", "repaired", "rejected"} <= logged


@pytest.mark.parametrize("chat", [False, True])
def test_known_values(trainer: Any, chat: bool) -> None:
    completions: list[Any] = [[{"role": "assistant", "content": text}] for text in COMPLETIONS] if chat else COMPLETIONS
    prompts = ["Parse: …"] * 22
    inputs: list[dict[str, Any]] = [{"prompt": prompt, "gold": G} for prompt in prompts]
    inputs[0] = {"prompt": prompts[0], "gold": None}
    columns = trainer._calculate_rewards(inputs, prompts, completions, [[1]] * 22).T.tolist()
    assert columns[0][0] != columns[0][0]
    for column, metric in zip(columns[:2], ("struct_iou", PARSEVAL), strict=True):
        assert [round(reward, 4) for reward in column[1:]] == list(map(float, VALUES[metric].split()))[1:]
    assert trainer._pending_extra_logs["outcome"][:22] == [None, *OUTCOMES[1:]]
