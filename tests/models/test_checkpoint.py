"""Checkpoint folders: written, read back, and spoiled in every way."""

from __future__ import annotations

import dataclasses
import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer
from tokenizers.models import WordLevel

from s2s_core.errors import CheckpointError
from s2s_core.models.checkpoint import (
    CARD,
    TOKENIZER,
    WEIGHTS,
    checkpoint_folder,
    checkpoint_names,
    load_card,
    load_checkpoint,
    save_checkpoint,
)
from s2s_core.models.translation import TrainedModel
from s2s_core.search.beam import beam_search
from s2s_core.search.config import SearchConfig
from tests.models.checkpoints import json_values, make_card, make_checkpoint
from tests.models.networks import NETWORKS, random_model, random_network, tiny_tokenizer

SOURCES = ("The cat.", "Where is the small red umbrella?")
GARBAGE = {
    "empty": b"",
    "zeros": bytes(64),
    "ones": b"\xff" * 64,
    "empty object": b"{}",
    "words": b"not at all",
    "a header said to be huge": b"\xff" * 7 + b"\x7f{}",
}


@pytest.fixture(scope="session")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sound checkpoint; don't change it."""
    return make_checkpoint(tmp_path_factory.mktemp("checkpoints") / "tiny")


@pytest.fixture
def folder(sound: Path, tmp_path: Path) -> Path:
    """A copy, to spoil."""
    return Path(shutil.copytree(sound, tmp_path / "tiny"))


def refused(folder: Path, file: str, message: str = ".") -> None:
    with pytest.raises(CheckpointError, match=message) as caught:
        load_checkpoint(folder)
    assert str(caught.value).startswith(f"tiny: {file}")
    assert "\n" not in str(caught.value)


def change_card(folder: Path, **changes: Any) -> None:
    data = json.loads((folder / CARD).read_text(encoding="utf-8"))
    (folder / CARD).write_text(json.dumps({**data, **changes}), encoding="utf-8")


def change_sizes(folder: Path, **changes: Any) -> None:
    change_card(folder, sizes={**make_card().sizes, **changes})


def change_weights(folder: Path, change: Callable[[dict[str, torch.Tensor]], object]) -> None:
    weights = {name: tensor.clone() for name, tensor in load_file(folder / WEIGHTS).items()}
    change(weights)
    save_file(weights, folder / WEIGHTS)


# --- written and read back -----------------------------------------------------------------------


@pytest.mark.parametrize("name", NETWORKS)
def test_a_model_that_was_saved_and_loaded_decodes_as_before(name: str, tmp_path: Path) -> None:
    folder = make_checkpoint(tmp_path / "tiny", name)
    loaded = load_checkpoint(folder)
    rounded = random_network(name)
    with torch.no_grad():
        for parameter in rounded.parameters():
            parameter.copy_(parameter.half())
    expected = TrainedModel(rounded, tiny_tokenizer(), source_language="en", target_language="fr")
    tokens, state = loaded.encode(SOURCES)
    same_tokens, same_state = expected.encode(SOURCES)
    assert tokens == same_tokens
    for last_ids in (np.array([1, 1]), np.array([400, 401])):
        output, same = loaded.step(state, last_ids), expected.step(same_state, last_ids)
        np.testing.assert_allclose(output.log_probs, same.log_probs, rtol=0, atol=1e-5)
        state, same_state = output.state, same.state


def test_the_card_survives(sound: Path) -> None:
    assert load_card(sound) == make_card()


def test_a_checkpoint_is_called_as_its_folder_is(folder: Path) -> None:
    command = "python -m s2s_core evaluate --model {} --data DATA/test.tsv"
    card = dataclasses.replace(
        load_card(folder), name="old", commands={"test": command.format("old")}
    )
    (folder / CARD).write_text(card.to_json(), encoding="utf-8")
    moved = folder.rename(folder.with_name("new"))
    assert load_card(moved).name == "new"
    assert load_card(moved).commands == {"test": command.format("new")}


def test_languages_and_parameters_come_from_the_folder(sound: Path) -> None:
    model = load_checkpoint(sound)
    assert (model.source_language, model.target_language) == ("en", "fr")
    assert all(parameter.dtype == torch.float32 for parameter in model.network.parameters())
    assert not model.network.training
    stored = load_file(sound / WEIGHTS)
    assert {tensor.dtype for tensor in stored.values()} == {torch.float16}


def test_a_loaded_model_searches(sound: Path) -> None:
    config = SearchConfig(beam_size=3, max_length=8)
    trace = beam_search(load_checkpoint(sound), SOURCES[1], config)
    expected = beam_search(random_model("gru-bidirectional-additive"), SOURCES[1], config)
    assert trace.source_tokens == expected.source_tokens


def test_loading_leaves_the_random_numbers_alone(sound: Path) -> None:
    torch.manual_seed(7)
    expected = torch.rand(3)
    torch.manual_seed(7)
    load_checkpoint(sound)
    assert torch.equal(torch.rand(3), expected)


def test_reading_a_card_needs_no_torch(sound: Path) -> None:
    run_alone("load_card", sound, absent="torch")


def test_loading_a_model_leaves_torchs_slow_parts_alone(sound: Path) -> None:
    run_alone("load_checkpoint", sound, absent="sympy")


def run_alone(function: str, folder: Path, *, absent: str) -> None:
    """Call a function of the module in a fresh interpreter: a package must not get loaded."""
    code = (
        "import sys, pathlib\n"
        f"from s2s_core.models.checkpoint import {function}\n"
        f"{function}(pathlib.Path(sys.argv[1]))\n"
        f"assert {absent!r} not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code, str(folder)], check=True)


# --- names ---------------------------------------------------------------------------------------


def test_a_checkpoint_is_found_by_name_and_by_path(sound: Path) -> None:
    assert checkpoint_folder("tiny", sound.parent) == sound
    assert checkpoint_folder(str(sound), sound.parent / "elsewhere") == sound


def test_names_are_those_of_folders_with_a_card(folder: Path) -> None:
    for name in ("zebra", "apple"):
        shutil.copytree(folder, folder.parent / name)
    (folder.parent / "unfinished").mkdir()
    assert checkpoint_names(folder.parent) == ("apple", "tiny", "zebra")
    assert checkpoint_names(folder.parent / "nowhere") == ()


@pytest.mark.parametrize("name", ["", "tony", "\x00", "n" * 5000, "a/b", "tiny/card.json"])
def test_a_name_that_isnt_there_is_refused_with_those_that_are(sound: Path, name: str) -> None:
    with pytest.raises(CheckpointError, match=r"there is no checkpoint .*; there are: tiny$"):
        checkpoint_folder(name, sound.parent)


def test_where_there_is_none_the_message_says_so(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match="there are: none"):
        checkpoint_folder("tiny", tmp_path)


# --- files that are missing or damaged -----------------------------------------------------------


@pytest.mark.parametrize("file", [CARD, WEIGHTS, TOKENIZER])
def test_a_missing_file_is_named(folder: Path, file: str) -> None:
    (folder / file).unlink()
    refused(folder, file, r"can't be read: .*No such file")


@pytest.mark.parametrize("file", [CARD, WEIGHTS, TOKENIZER])
def test_a_folder_in_the_place_of_a_file_is_named(folder: Path, file: str) -> None:
    (folder / file).unlink()
    (folder / file).mkdir()
    refused(folder, file, "can't be read")


@pytest.mark.parametrize("file", [CARD, WEIGHTS, TOKENIZER])
@pytest.mark.parametrize("content", GARBAGE.values(), ids=GARBAGE)
def test_garbage_in_the_place_of_a_file_is_named(folder: Path, file: str, content: bytes) -> None:
    (folder / file).write_bytes(content)
    refused(folder, file)


@pytest.mark.parametrize("file", [CARD, WEIGHTS, TOKENIZER])
def test_half_a_file_is_named(folder: Path, file: str) -> None:
    content = (folder / file).read_bytes()
    (folder / file).write_bytes(content[: len(content) // 2])
    refused(folder, file)


@pytest.mark.parametrize(("file", "size"), [(CARD, 10_000_001), (TOKENIZER, 50_000_001)])
def test_a_huge_file_is_refused_before_it_is_read(folder: Path, file: str, size: int) -> None:
    with (folder / file).open("wb") as stream:
        stream.truncate(size)  # sparse: it takes no room
    refused(folder, file, f"is larger than {size - 1:,} bytes")


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data(), file=st.sampled_from([CARD, WEIGHTS, TOKENIZER]))
def test_a_file_with_changed_bytes_loads_or_is_a_named_error(
    sound: Path, tmp_path: Path, data: st.DataObject, file: str
) -> None:
    folder = tmp_path / "tiny"
    shutil.copytree(sound, folder, dirs_exist_ok=True)
    content = bytearray((sound / file).read_bytes())
    end = min(len(content), 3000)  # where the structure is
    for _ in range(data.draw(st.integers(1, 3))):
        content[data.draw(st.integers(0, end - 1))] = data.draw(st.integers(0, 255))
    (folder / file).write_bytes(content)
    try:
        load_checkpoint(folder)
    except CheckpointError as error:
        assert str(error).startswith("tiny: ")


# --- files that do not fit together ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("sizes", "file", "message"),
    [
        ({"decoder_size": 13}, WEIGHTS, r"F16 of shape .*, but the sizes on the card need"),
        ({"context": "fixed_once"}, WEIGHTS, "has context_weights.weight, for which"),
        ({"source_order": "forward", "encoder_size": 12}, WEIGHTS, "encoder_"),
        ({"context": "general"}, WEIGHTS, "has score.key_projection.bias, for which"),
        ({"embedding_size": 10**6, "encoder_size": 10**6}, WEIGHTS, "of shape"),
        ({"embedding_size": 10**18}, CARD, "embedding_size must be a whole number from 1 to"),
        ({"embedding_size": 10.5}, CARD, "embedding_size must be a whole number"),
        ({"embedding_size": "10"}, CARD, "embedding_size must be a whole number"),
        ({"cell": 3}, CARD, "cell must be one of gru, lstm"),
        ({"context": "dot", "decoder_size": 9}, CARD, "equal width"),
        ({"colour": 3}, CARD, "'colour' isn't a setting of recurrent"),
        ({"vocabulary_size": 421}, TOKENIZER, "has 420 tokens, but by the card it has 421"),
    ],
)
def test_sizes_that_dont_fit_are_named(
    folder: Path, sizes: dict[str, Any], file: str, message: str
) -> None:
    change_sizes(folder, **sizes)
    refused(folder, file, message)


def test_missing_sizes_are_named(folder: Path) -> None:
    change_card(folder, sizes={})
    refused(folder, TOKENIZER, "by the card it has None")


@pytest.mark.parametrize("architecture", ["rnn", "transformer", ""])
def test_an_architecture_that_doesnt_fit_is_named(folder: Path, architecture: str) -> None:
    change_card(folder, architecture=architecture)
    refused(folder, CARD, "isn't known; there are|isn't a setting of transformer")


@pytest.mark.parametrize("key", ["source_language", "target_language"])
def test_a_language_without_rules_is_named(folder: Path, key: str) -> None:
    change_card(folder, **{key: "tlh"})
    refused(folder, CARD, "names the language 'tlh', but this program knows en")


def test_a_tensor_of_another_shape_is_named(folder: Path) -> None:
    change_weights(folder, lambda w: w.update({"readout.bias": torch.zeros(11)}))
    refused(folder, WEIGHTS, r"readout.bias is F32 of shape \(11,\).*of shape \(10,\)")


def test_a_tensor_of_whole_numbers_is_named(folder: Path) -> None:
    change_weights(folder, lambda w: w.update({"readout.bias": torch.zeros(10).long()}))
    refused(folder, WEIGHTS, r"readout.bias is I64 of shape \(10,\).*floating-point")


def test_a_missing_and_a_foreign_tensor_are_named(folder: Path) -> None:
    change_weights(folder, lambda w: w.pop("output_bias"))
    refused(folder, WEIGHTS, "lacks output_bias")
    change_weights(folder, lambda w: w.update(output_bias=torch.zeros(420), z=torch.zeros(1)))
    refused(folder, WEIGHTS, "has z, for which")


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_weights_that_arent_finite_are_named(folder: Path, number: float) -> None:
    change_weights(folder, lambda w: w["bridge.weight"].view(-1)[3:4].fill_(number))
    refused(folder, WEIGHTS, "bridge.weight holds NaN or infinite numbers")


def test_a_tokenizer_of_another_program_is_named(folder: Path) -> None:
    Tokenizer(WordLevel({f"word{i}": i for i in range(420)}, "word0")).save(str(folder / TOKENIZER))
    refused(folder, TOKENIZER, "but not one written by this program")


@settings(
    max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    key=st.sampled_from([*make_card().sizes, "layers", "heads", "width", "x"]), value=json_values
)
def test_any_size_on_the_card_loads_or_is_a_named_error(
    sound: Path, tmp_path: Path, key: str, value: object
) -> None:
    folder = tmp_path / "tiny"
    shutil.copytree(sound, folder, dirs_exist_ok=True)
    change_sizes(folder, **{key: value})
    try:
        load_checkpoint(folder)
    except CheckpointError as error:
        assert str(error).startswith("tiny: ")


# --- writing -------------------------------------------------------------------------------------


def test_weights_that_float16_cant_hold_are_refused(tmp_path: Path) -> None:
    network = random_network("gru-forward-dot")
    with torch.no_grad():
        network.get_parameter("bridge.bias")[0] = 1e6
    with pytest.raises(CheckpointError, match=r"bridge.bias holds numbers that float16 can't"):
        save_checkpoint(tmp_path / "tiny", make_card(), network, tiny_tokenizer())
    assert checkpoint_names(tmp_path) == ()


def test_a_place_that_cant_be_written_is_a_named_error(tmp_path: Path) -> None:
    (tmp_path / "tiny").write_text("a file")
    with pytest.raises(CheckpointError, match="tiny can't be written"):
        make_checkpoint(tmp_path / "tiny")


def test_saving_again_replaces_the_card(folder: Path) -> None:
    card = dataclasses.replace(make_card(), development_loss=1.0)
    save_checkpoint(folder, card, random_network("gru-bidirectional-additive"), tiny_tokenizer())
    assert load_card(folder) == card


def test_a_name_from_a_link_never_reads_another_folder(tmp_path: Path) -> None:
    folder = make_checkpoint(tmp_path / "elsewhere")
    empty = tmp_path / "empty"
    empty.mkdir()
    assert checkpoint_folder(str(folder), empty) == folder
    for name in (str(folder), "../elsewhere", f"{empty}/../elsewhere"):
        with pytest.raises(CheckpointError, match="there is no checkpoint"):
            checkpoint_folder(name, empty, by_path=False)
