"""Subword tokens: byte-pair encoding with byte fallback, exact in both directions.

One vocabulary serves source and target. A space is part of the piece that follows it, written "▁"
as is usual in the field. Chinese characters, digits, punctuation and symbols are always tokens of
their own, so that a column of an attention map is one thing that a person can point at. What the
vocabulary can't spell is written as UTF-8 bytes: nothing becomes unknown.

Sources: Sennrich et al. 2016, arXiv:1508.07909 (byte-pair encoding); Kudo & Richardson 2018,
arXiv:1808.06226 (space markers, byte fallback).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path

from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers

from s2s_core.errors import CheckpointError, PrefixError

SPACE = "▁"
PAD, BOS, EOS = "<pad>", "<s>", "</s>"
PAD_ID, BOS_ID, EOS_ID = 0, 1, 2
FIRST_BYTE_ID = 3
FIRST_PIECE_ID = FIRST_BYTE_ID + 256
MAXIMUM_FILE_BYTES = 50_000_000

# One Han character; or one digit, mark or symbol with the space before it.
_ISOLATED = r"\p{Han}|▁?(?![▁\p{Han}])[\p{N}\p{S}]|▁?(?![▁'])\p{P}"
_HAN = re.compile(r"[⺀-⿕々〇〡-〩〸-〻㐀-䶿一-鿿豈-﫿\U00020000-\U0003ffff]")
_BYTE = re.compile(r"<0x[0-9A-F]{2}>")
_UNDECODED = re.compile(r"[\udc80-\udcff]")
_FIRST_TOKENS = [PAD, BOS, EOS, *(f"<0x{byte:02X}>" for byte in range(256))]
_PROBE = "a é\t中1"


class SubwordTokenizer:
    """Text to token ids and back.

    `token(id)`, `join(ids)`, `ids(text)`, `bos_id`, `eos_id`, `banned_ids` and `size` make it the
    `TargetSide` of a model.
    """

    bos_id = BOS_ID
    eos_id = EOS_ID
    pad_id = PAD_ID
    banned_ids = (PAD_ID, BOS_ID)

    def __init__(self, tokenizer: Tokenizer) -> None:
        """Wrap a tokenizer made by `train` or read by `load`."""
        self._tokenizer = tokenizer
        # Not part of the saved file: without it, "</s>" typed by a person would end the sentence.
        self._tokenizer.encode_special_tokens = True
        self.size: int = tokenizer.get_vocab_size()
        self._tokens = [tokenizer.id_to_token(i) or "" for i in range(self.size)]
        self._spelled = [
            *([b""] * FIRST_BYTE_ID),  # PAD, BOS and EOS spell nothing
            *(bytes([byte]) for byte in range(256)),
            *(token.replace(SPACE, " ").encode() for token in self._tokens[FIRST_PIECE_ID:]),
        ]
        self._marker_ids = [FIRST_BYTE_ID + byte for byte in SPACE.encode()]

    @classmethod
    def train(
        cls, texts: Iterable[str], *, size: int, alphabet_size: int = 3000
    ) -> SubwordTokenizer:
        """Learn a vocabulary of `size` tokens from texts.

        alphabet_size: how many different characters become tokens; rarer ones are left to bytes.
        """
        tokenizer = Tokenizer(models.BPE(byte_fallback=True))
        tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
            [
                pre_tokenizers.Metaspace(replacement=SPACE, prepend_scheme="never"),
                pre_tokenizers.Split(Regex(_ISOLATED), behavior="isolated"),
            ]
        )
        tokenizer.decoder = decoders.Sequence(
            [decoders.Replace(SPACE, " "), decoders.ByteFallback(), decoders.Fuse()]
        )
        trainer = trainers.BpeTrainer(
            vocab_size=size,
            special_tokens=_FIRST_TOKENS,
            limit_alphabet=alphabet_size,
            show_progress=False,
        )
        tokenizer.train_from_iterator((_open(text) for text in texts), trainer)
        return cls(tokenizer)

    @classmethod
    def load(cls, path: Path) -> SubwordTokenizer:
        """Read a tokenizer file.

        Raises:
            CheckpointError: the file is missing, damaged, or of another kind.
        """
        name = f"{path.parent.name}: {path.name}"
        try:
            if path.stat().st_size > MAXIMUM_FILE_BYTES:
                raise CheckpointError(f"{name} is larger than {MAXIMUM_FILE_BYTES:,} bytes")
            loaded = cls(Tokenizer.from_str(path.read_text(encoding="utf-8")))
            usable = loaded.join(loaded.encode(_PROBE)) == _PROBE
        except CheckpointError:
            raise
        except OSError as error:
            raise CheckpointError(f"{name} can't be read: {error.strerror}") from error
        except Exception as error:  # the library raises bare Exception on any malformed file
            raise CheckpointError(f"{name} isn't a tokenizer file: {error}") from error
        if not usable or "" in loaded._tokens or loaded._tokens[:FIRST_PIECE_ID] != _FIRST_TOKENS:
            raise CheckpointError(f"{name} is a tokenizer, but not one written by this program")
        return loaded

    def save(self, path: Path) -> None:
        """Write the tokenizer file."""
        path.write_text(self._tokenizer.to_str(pretty=False), encoding="utf-8")

    def encode(self, text: str) -> list[int]:
        """The token ids of a text, with neither BOS nor EOS; an empty text has none."""
        if not text:
            return []
        if SPACE not in text:
            return list(self._tokenizer.encode(_open(text), add_special_tokens=False).ids)
        # A typed "▁" isn't a space: it goes in as its bytes.
        first, *rest = text.split(SPACE)
        ids = self.encode(first) if first else []
        for segment in rest:
            ids += self._marker_ids
            ids += self._tokenizer.encode(segment, add_special_tokens=False).ids
        return ids

    def encode_batch(self, texts: Sequence[str]) -> list[list[int]]:
        """The token ids of many texts."""
        plain = self._tokenizer.encode_batch([_open(t) for t in texts], add_special_tokens=False)
        return [
            self.encode(text) if SPACE in text or not text else list(encoding.ids)
            for text, encoding in zip(texts, plain, strict=True)
        ]

    def ids(self, text: str) -> tuple[int, ...]:
        """The tokens of a typed prefix.

        Raises:
            PrefixError: the text is blank.
        """
        if not text.strip():
            raise PrefixError("the prefix is blank: type the first words of the translation")
        return tuple(self.encode(text))

    def token(self, token_id: int) -> str:
        """The token as shown to a person: the piece, `<0xE4>` for a byte, `</s>` for the end."""
        return self._tokens[token_id]

    def join(self, token_ids: Sequence[int]) -> str:
        """The text that the tokens spell; bytes that form no character are shown as `<0xE4>`."""
        data = b"".join([self._spelled[token_id] for token_id in token_ids])
        try:
            return _close(data.decode())
        except UnicodeDecodeError:
            text = data.decode("utf-8", errors="surrogateescape")
            return _close(_UNDECODED.sub(lambda match: f"<0x{ord(match[0]) - 0xDC00:02X}>", text))

    def word_starts(self, tokens: Sequence[str]) -> tuple[bool, ...]:
        """For each token, whether a new word begins there (used to merge pieces into words).

        Letters go on with the word before them, and so do the later bytes of a character. A space
        that stands alone belongs to what follows.
        """
        starts: list[bool] = []
        before = ""  # the character that ends just before the token
        for spelled in _spell_bytes(tokens):
            inside = before == SPACE or (_inner(before) and _inner(spelled[:1]))
            begins = spelled.startswith(SPACE) or spelled in _FIRST_TOKENS or not inside
            starts.append(not starts or (spelled != "" and begins))
            before = spelled[-1:] or before
        return tuple(starts)


def _spell_bytes(tokens: Sequence[str]) -> list[str]:
    """Byte tokens resolved: a character's first byte becomes the character, the others ""."""
    spelled: list[str] = []
    for are_bytes, run in groupby(tokens, key=lambda token: _BYTE.fullmatch(token) is not None):
        if not are_bytes:
            spelled += run
            continue
        data = bytes(int(token[3:5], 16) for token in run)
        for character in data.decode("utf-8", errors="surrogateescape"):
            size = len(character.encode("utf-8", errors="surrogateescape"))
            spelled += [character] + [""] * (size - 1)
    return spelled


def _inner(character: str) -> bool:
    """Whether a character can stand inside a word: letters and their marks, and the apostrophe."""
    if character in ("'", "’"):
        return True
    return (
        character != "" and unicodedata.category(character)[0] in "LM" and not _HAN.match(character)
    )


def _open(text: str) -> str:
    """Put the space that begins a first word; Chinese has none."""
    return text if _HAN.match(text) else f" {text}"


def _close(text: str) -> str:
    """Undo `_open`."""
    return text[1:] if text[:1] == " " and not _HAN.match(text, 1) else text
