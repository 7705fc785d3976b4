"""The subword tokenizer: exact both ways, one thing a token, and nothing typed is special."""

from __future__ import annotations

import tempfile
import unicodedata
from functools import cache
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from s2s_core.errors import CheckpointError, PrefixError
from s2s_core.text.tokenizer import (
    BOS_ID,
    EOS_ID,
    FIRST_BYTE_ID,
    FIRST_PIECE_ID,
    PAD_ID,
    SubwordTokenizer,
)

TEXTS = (
    "the cat saw the dog and the other cat, too.",
    "the dog didn't see 12 cats!",
    "le café n'est pas l'autre café ; c'est là.",
    "était-il déjà là ? Oui (à 8 h).",
    "你好，我在这里。",
    "你在哪里？我在这里看书。",
)
HAN = (
    "\u3400",
    "\u9fff",
    "\uf900",
    "\U00020000",
    "\U0002a6dd",
    "\U00030000",
    "々",
    "〇",
    "〡",
    "⺀",
)
NASTY = " ▁\t\n\x00</s>&;<0x41>é́中你'’.,¿１Ⅻ😀\u200d️\ufeff\u3000\u2581\U0010ffff"

# Surrogates aren't characters: no file holds them, and normalisation takes them out.
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=30) | st.text(
    st.sampled_from(NASTY), max_size=30
)


@cache
def tokenizer() -> SubwordTokenizer:
    return SubwordTokenizer.train(TEXTS, size=360, alphabet_size=60)


def tokens_of(text: str) -> list[str]:
    return [tokenizer().token(i) for i in tokenizer().encode(text)]


# --- exact both ways -----------------------------------------------------------------------------


@settings(max_examples=600, deadline=None)
@given(text=texts)
@example(text="")
@example(text=" ")
@example(text="  中")
@example(text=" 中")
@example(text="中 a")
@example(text="▁")
@example(text=" ▁a▁ ▁中▁")
@example(text="々a")
@example(text="</s> <s> <pad> <0x41>")
@example(text="e\u0301\u0301")
def test_what_was_encoded_comes_back_exactly(text: str) -> None:
    ids = tokenizer().encode(text)
    assert tokenizer().join(ids) == text
    assert all(FIRST_BYTE_ID <= i < tokenizer().size for i in ids)


@settings(max_examples=100, deadline=None)
@given(many=st.lists(texts, max_size=5))
def test_a_batch_is_the_single_texts(many: list[str]) -> None:
    assert tokenizer().encode_batch(many) == [tokenizer().encode(text) for text in many]


@settings(max_examples=100, deadline=None)
@given(text=texts)
def test_a_saved_tokenizer_encodes_as_before(text: str) -> None:
    assert reloaded().encode(text) == tokenizer().encode(text)


@cache
def reloaded() -> SubwordTokenizer:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tokenizer.json"
        tokenizer().save(path)
        return SubwordTokenizer.load(path)


def test_training_twice_gives_the_same_vocabulary() -> None:
    again = SubwordTokenizer.train(TEXTS, size=360, alphabet_size=60)
    names = [[t.token(i) for i in range(t.size)] for t in (tokenizer(), again)]
    assert names[0] == names[1]


def test_an_empty_text_has_no_tokens() -> None:
    assert tokenizer().encode("") == []
    assert tokenizer().encode_batch(["", "a"])[0] == []


# --- ids -----------------------------------------------------------------------------------------


def test_special_tokens_and_bytes_have_fixed_ids() -> None:
    names = [tokenizer().token(i) for i in range(FIRST_PIECE_ID)]
    assert (names[PAD_ID], names[BOS_ID], names[EOS_ID]) == ("<pad>", "<s>", "</s>")
    assert names[FIRST_BYTE_ID:] == [f"<0x{byte:02X}>" for byte in range(256)]
    assert tokenizer().banned_ids == (PAD_ID, BOS_ID)
    assert tokenizer().size == 360


@pytest.mark.parametrize("typed", ["</s>", "<s>", "<pad>", "<0x41>", "<unk>", "a</s>b", "</s></s>"])
@pytest.mark.parametrize("make", [tokenizer, reloaded])
def test_special_tokens_typed_are_plain_text(typed: str, make: object) -> None:
    assert callable(make)
    ids = make().encode(typed)
    assert not set(ids) & {PAD_ID, BOS_ID, EOS_ID}
    assert FIRST_BYTE_ID + 0x41 not in ids
    assert make().join(ids) == typed


def test_a_typed_lower_one_eighth_block_is_its_bytes_and_not_a_space() -> None:
    assert tokens_of("the▁cat")[-4:-1] != tokens_of("the cat")
    assert [t for t in tokens_of("▁") if t != ""] == ["<0xE2>", "<0x96>", "<0x81>"]
    assert tokenizer().join(tokenizer().encode("the▁cat")) == "the▁cat"


def test_the_ids_of_a_prefix_are_its_tokens_without_bos_and_eos() -> None:
    assert tokenizer().ids("the cat") == tuple(tokenizer().encode("the cat"))
    assert not set(tokenizer().ids("the cat")) & {BOS_ID, EOS_ID}


@pytest.mark.parametrize("blank", ["", "  ", "\t\n\u3000"])
def test_a_blank_prefix_is_a_named_error(blank: str) -> None:
    with pytest.raises(PrefixError, match="type the first words"):
        tokenizer().ids(blank)


# --- what a token is -----------------------------------------------------------------------------


def test_frequent_words_are_one_token_with_the_space_before_them() -> None:
    assert tokens_of("the cat") == ["▁the", "▁cat"]


def test_every_chinese_character_is_a_token_of_its_own() -> None:
    assert tokens_of("你在这里。") == ["你", "在", "这", "里", "。"]
    assert tokens_of("我 在") == ["我", "▁", "在"]


@pytest.mark.parametrize("character", HAN)
def test_a_han_character_is_never_joined_with_its_neighbours(character: str) -> None:
    text = f"{character}{character} {character}the{character}"
    learned = SubwordTokenizer.train([text] * 20, size=300, alphabet_size=50)
    pieces = [learned.token(i) for i in range(FIRST_PIECE_ID, learned.size)]
    assert character in pieces
    assert not [piece for piece in pieces if character in piece and piece != character]
    ids = learned.encode(text)
    assert [learned.token(i) for i in ids].count(character) == 4
    assert learned.join(ids) == text


@settings(max_examples=300, deadline=None)
@given(text=texts)
def test_digits_marks_and_symbols_stand_alone_but_for_the_space_before(text: str) -> None:
    for token in tokens_of(text):
        if token.startswith("<0x"):
            continue
        bare = token.removeprefix("▁")
        if any(unicodedata.category(char)[0] in "NSP" and char != "'" for char in bare):
            assert len(bare) == 1


def test_digits_and_marks_in_frequent_strings_stay_apart() -> None:
    learned = SubwordTokenizer.train(["2024! (a-b) 2024!"] * 50, size=290)
    found = [learned.token(i) for i in learned.encode("2024! (a-b)")]
    assert [token.removeprefix("▁") for token in found if token != "▁"] == list("2024!(a-b)")


def test_what_the_vocabulary_cant_spell_is_bytes() -> None:
    assert tokens_of("the ☃") == ["▁the", "▁", "<0xE2>", "<0x98>", "<0x83>"]


# --- joining -------------------------------------------------------------------------------------


def byte_ids(data: bytes) -> list[int]:
    return [FIRST_BYTE_ID + byte for byte in data]


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"\xe4", "<0xE4>"),
        (b"\xe4\xbd", "<0xE4><0xBD>"),
        ("你".encode(), "你"),
        ("é".encode() + b"\xe4\xbd" + "你a".encode(), "é<0xE4><0xBD>你a"),
        (b"\xff\x80a", "<0xFF><0x80>a"),
        (b"\xed\xa0\x80", "<0xED><0xA0><0x80>"),  # a surrogate, which UTF-8 has not
        (b"\xc0\xaf", "<0xC0><0xAF>"),  # "/" spelled too long
    ],
)
def test_bytes_that_form_no_character_are_shown_and_their_neighbours_read(
    data: bytes, text: str
) -> None:
    assert tokenizer().join(byte_ids(data)) == text


@settings(max_examples=300, deadline=None)
@given(data=st.binary(max_size=12))
def test_any_bytes_join_to_text_that_can_be_written(data: bytes) -> None:
    text = tokenizer().join(tokenizer().encode("the") + byte_ids(data))
    assert text.startswith("the")
    text.encode("utf-8")


def test_bytes_on_two_sides_of_a_piece_are_not_one_character() -> None:
    cat = tokenizer().encode("the cat")[1:]
    joined = tokenizer().join([*byte_ids(b"\xc3"), *cat, *byte_ids(b"\xa9")])
    assert joined == "<0xC3> cat<0xA9>"


def test_a_growing_prefix_shows_a_character_once_it_is_whole() -> None:
    ids = tokenizer().encode("the ☃")
    grown = [tokenizer().join(ids[:count]) for count in range(1, 6)]
    assert grown == ["the", "the ", "the <0xE2>", "the <0xE2><0x98>", "the ☃"]


def test_special_tokens_are_left_out_of_the_text() -> None:
    ids = tokenizer().encode("the cat")
    assert tokenizer().join([BOS_ID, ids[0], PAD_ID, ids[1], EOS_ID]) == "the cat"


# --- words ---------------------------------------------------------------------------------------


def words(*tokens: str) -> list[str]:
    """Tokens put together where no word starts."""
    merged: list[str] = []
    for token, starts in zip(tokens, tokenizer().word_starts(tokens), strict=True):
        merged = [*merged, token] if starts else [*merged[:-1], merged[-1] + token]
    return merged


@pytest.mark.parametrize(
    ("tokens", "merged"),
    [
        (["▁the", "▁c", "at", "s", "."], ["▁the", "▁cats", "."]),
        (["▁caf", "<0xC3>", "<0xA9>"], ["▁caf<0xC3><0xA9>"]),
        (["▁caf", "<0xC3>", "<0xA9>", "s", "▁noir"], ["▁caf<0xC3><0xA9>s", "▁noir"]),
        (["▁", "<0xC3>", "<0x89>", "t", "at"], ["▁<0xC3><0x89>tat"]),
        (["▁n", "'", "est"], ["▁n'est"]),
        (["在", "哪", "里", "？"], ["在", "哪", "里", "？"]),
        (["在", "<0xE4>", "<0xBD>", "<0xA0>", "a", "b"], ["在", "<0xE4><0xBD><0xA0>", "ab"]),
        (["々", "々"], ["々", "々"]),
        (["▁", "在", "▁a"], ["▁在", "▁a"]),
        (["▁a", "1", "2", "b"], ["▁a", "1", "2", "b"]),
        (["▁a", "<0xF0>", "<0x9F>", "<0x98>", "<0x80>"], ["▁a", "<0xF0><0x9F><0x98><0x80>"]),
        (["<0xC3>", "▁a", "<0xA9>", "<0xFF>", "b"], ["<0xC3>", "▁a", "<0xA9>", "<0xFF>", "b"]),
        (["▁a", "</s>"], ["▁a", "</s>"]),
        (["▁", "</s>"], ["▁", "</s>"]),
        (["▁", "▁a"], ["▁", "▁a"]),
        (["e", "\u0301", "t"], ["e\u0301t"]),
        ([], []),
    ],
)
def test_pieces_make_words(tokens: list[str], merged: list[str]) -> None:
    assert words(*tokens) == merged


@settings(max_examples=300, deadline=None)
@given(text=texts)
def test_a_word_never_starts_inside_a_character(text: str) -> None:
    ids = tokenizer().encode(text)
    starts = tokenizer().word_starts([tokenizer().token(i) for i in ids])
    assert len(starts) == len(ids)
    assert not starts or starts[0]
    for index, begins in enumerate(starts):
        if begins:
            assert text.startswith(tokenizer().join(ids[:index]))


# --- files ---------------------------------------------------------------------------------------


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match=r"tokenizer\.json can't be read: No such file"):
        SubwordTokenizer.load(tmp_path / "tokenizer.json")


@pytest.mark.parametrize("content", [b"", b"{}", b"[]", b"\xff\xfe", b'{"version": "1.0"}'])
def test_a_file_that_is_no_tokenizer_is_named(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "tokenizer.json"
    path.write_bytes(content)
    with pytest.raises(CheckpointError, match=r"tokenizer\.json isn't a tokenizer file"):
        SubwordTokenizer.load(path)
