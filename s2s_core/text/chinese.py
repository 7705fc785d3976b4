"""Normalisation steps for Chinese: simplified characters, and Chinese punctuation without spaces.

The Chinese corpus was converted from traditional characters with opencc-python-reimplemented,
profile t2s. That leaves 著 alone, which in simplified text is two characters: 着 (the particle in
看着, and most else) and 著 (to write; outstanding), so a list of words says where 著 stays.
"""

from __future__ import annotations

import re
from functools import cache
from threading import Lock
from typing import Protocol

from s2s_core.text.cleaning import EMOTICON, SHARED_STEPS, Step

HAN = "\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
CHINESE = HAN + "，。、？！：；（）《》〈〉【】…"
"""Inside a character class: Chinese characters and Chinese punctuation."""

# --- full-width characters, ellipses, quotes -----------------------------------------------------

_FULL_WIDTH = {
    code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F) if chr(code) not in "，？！：；（）"
}
_STOPS = re.compile("[.。…⋯](?: *[.。…⋯])*")
_QUOTES = str.maketrans(dict.fromkeys("「」『』﹁﹂﹃﹄〝〞〟", '"'))


def _half_width(text: str) -> str:
    return text.translate(_FULL_WIDTH)


def _ellipsis_of_stops(match: re.Match[str]) -> str:
    stops = match[0].replace(" ", "")
    plain = stops == "。" or not stops.strip(".")
    return match[0] if plain else "……"


def _chinese_ellipsis(text: str) -> str:
    """Make ellipses and rows of Chinese full stops ……; rows of ASCII dots are left for later."""
    return _STOPS.sub(_ellipsis_of_stops, text)


def _straight_quotes(text: str) -> str:
    return text.translate(_QUOTES)


# --- punctuation and spaces ----------------------------------------------------------------------

_MARK = rf"(?:[,.?!]|(?!{EMOTICON})[:;])"
_BETWEEN = " \"')）"  # may stand between a mark and the Chinese beside it
_MARKS = re.compile(rf"{_MARK}(?:[{_BETWEEN}]*{_MARK})*")
_DOTS = re.compile(r"\.(?: *\.)+")
_TO_CHINESE = str.maketrans(",.?!:;", "，。？！：；")
_ABBREVIATION_END = re.compile(r"(?:^|[^A-Za-z])[A-Za-z]\.[A-Za-z]$")
_ONE_HAN = re.compile(f"[{HAN}]")
_ONE_CHINESE = re.compile(f"[{CHINESE}]")
_SPACES = re.compile(
    rf'(?<=[{CHINESE}]) +| +(?=[{CHINESE}])|(?:(?<=[{CHINESE}]")|(?<=[{CHINESE}] ")) +(?=")'
)


def _chinese_marks(match: re.Match[str]) -> str:
    """Make a run of marks Chinese when Chinese, or the end of a Chinese text, is beside it."""
    text, marks = match.string, match[0]
    before = text[: match.start()].rstrip(_BETWEEN)[-1:]
    after = text[match.end() :].lstrip(_BETWEEN)[:1]
    beside = _ONE_CHINESE.match(before) or _ONE_CHINESE.match(after) or not after
    if not beside or (marks == "." and _ABBREVIATION_END.search(text, 0, match.start())):
        return marks
    return _DOTS.sub("……", marks).translate(_TO_CHINESE)


def _chinese_punctuation(text: str) -> str:
    return _MARKS.sub(_chinese_marks, text) if _ONE_HAN.search(text) else text


def _remove_spaces(text: str) -> str:
    return _SPACES.sub("", text)


# --- characters ----------------------------------------------------------------------------------

# Words in which 著 stays, each with the neighbours that show it to be the particle after all:
# 配合|着, 翻译|着, 起着|作用, 写着|作业, 更显|着急, ...
_ZHU_LAST = (
    "[名巨专遗拙撰佳卓昭土炳]",
    "(?<!还)原(?!著火)",
    "(?<![彰凸突浮])显(?!著急)",
    "(?<![讨谈争辩评议推])论",
    "(?<!翻)译",
    "(?<!改)编(?!著[辫织花故])",
    "(?<![配结混综融迎符联集整组聚缝贴开暗切吻契愈接咬磨黏闭])合(?!著[眼双手掌嘴])",
    "所(?!著[衣装重迷急眼手])",
    "微知",  # 见微知著
    "积微成",
    "明较",  # 彰明较著
)
_ZHU_FIRST = (
    "名(?!字(?![体典画]))",
    "作(?![业品战文息案弊恶曲画]|用(?!于))",
    "称(?![赞呼号霸])",
    "录(?![音像影制取])",
    "述(?!说)",
    "[者于]",
    "书立[说传]",
    '有(?=[《"])',
)
_NO_VERB_STUCK = "(?<![执附固胶粘黏沾吸活])"  # 执着于, 附着者
# A particle can't follow a pronoun: 她著有三本书 is the verb.
_ZHU_VERB = "(?<=[你我他她您们家曾还])著[有书文]"
_ZHU = re.compile(
    rf"(?P<kept>(?:{'|'.join(_ZHU_LAST)})著|{_NO_VERB_STUCK}著(?:{'|'.join(_ZHU_FIRST)})"
    rf"|{_ZHU_VERB})|著"
)
_ONE_TO_ONE = str.maketrans("妳牠", "你它")


class _Converter(Protocol):
    def convert(self, string: str) -> str:
        """Give the simplified text."""


_LOCK = Lock()


@cache
def _load_converter() -> _Converter:
    from opencc import OpenCC  # takes time, and only Chinese needs it

    converter: _Converter = OpenCC("t2s")
    return converter


def _converter() -> _Converter:
    """Give the one converter; its dictionaries are loaded at the first use, then only read."""
    with _LOCK:
        return _load_converter()


def _simplify_once(text: str) -> str:
    text = _converter().convert(text)
    text = _ZHU.sub(lambda match: match["kept"] or "着", text)
    return text.translate(_ONE_TO_ONE).replace("甚么", "什么")


def _simplify(text: str) -> str:
    """Make traditional characters simplified.

    Repeated until nothing changes: 藉著 becomes 藉着, and only that is a word that opencc knows.
    """
    if not _ONE_HAN.search(text):
        return text
    while (simplified := _simplify_once(text)) != text:
        text = simplified
    return text


CHINESE_STEPS: tuple[Step, ...] = (
    SHARED_STEPS[0],
    Step("full-width characters made plain", _half_width, shows=True),
    *SHARED_STEPS[1:],
    Step("corner quotes made straight", _straight_quotes, shows=True),
    Step("ellipsis made ……", _chinese_ellipsis, shows=True),
    Step("punctuation made Chinese", _chinese_punctuation, shows=True),
    Step("spaces beside Chinese removed", _remove_spaces),
    Step("traditional characters made simplified", _simplify, shows=True),
)
"""All steps of a Chinese text, in order."""
