"""Normalisation of Chinese: simplified characters, Chinese punctuation, no spaces."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files
from threading import Barrier

import opencc
import pytest

from s2s_core.text import chinese
from s2s_core.text.normalise import Change, normalise


def result(text: str) -> str:
    return normalise(text, language="zh").text


@pytest.mark.parametrize(
    ("typed", "normal"),
    [
        ("圖書館在哪裏", "图书馆在哪里"),
        ("妳好", "你好"),
        ("牠是貓", "它是猫"),
        ("甚麼", "什么"),
        ("乾隆和餅乾", "乾隆和饼干"),
        ("藉著光", "借着光"),
        ("ＡＢＣ１２３", "ABC123"),
        ("５０％", "50%"),
        ("Ｎ\u0303", "Ñ"),
    ],
)
def test_traditional_and_full_width_characters_are_converted(typed: str, normal: str) -> None:
    assert result(typed) == normal


def test_conversion_is_shown_character_for_character() -> None:
    change = normalise("圖書館在哪裡", language="zh").changes
    assert change == (
        Change(
            "traditional characters made simplified: 圖書館 → 图书馆, 裡 → 里",
            (("圖書館", "图书馆"), ("裡", "里")),
        ),
    )


KEPT = (
    "著名 著名字体 著作 著作用于 著者 著述 著录 著称 著书立说 著于1920年 著有《诗集》 "
    "她著有两本书 作家著有小说 "
    "原著 名著 巨著 专著 论著 译著 编著 合著 遗著 拙著 撰著 佳著 所著 "
    "显著 卓著 昭著 臭名昭著 土著 见微知著 积微成著 彰明较著 "
    "理论著作 翻译著作 混合著作权 草原著名"
)


@pytest.mark.parametrize("word", KEPT.split())
def test_words_of_writing_and_standing_out_keep_their_character(word: str) -> None:
    assert result(word) == word


PARTICLE = (
    "看着 跟着 沿着 随着 睡着了 着急 着火 着手 着陆 衣着 穿着 沉着 "
    "执着 执着于 附着于 着重 笑着说 看着书 "
    "讨论着 谈论着 争论着 翻译着 配合着 混合着 结合着 合着眼 夹杂着 彰显着 还原着 "
    "起着作用 写着作业 叫着名字 听着录音 过着有意义的日子 读着文章 说着称赞的话 "
    "草原着火 更显着急 所着迷 重新着色"
)


@pytest.mark.parametrize("word", PARTICLE.split())
def test_the_particle_is_restored_from_its_traditional_character(word: str) -> None:
    assert result(word.replace("着", "著")) == word
    assert result(word) == word


@pytest.mark.parametrize(
    ("typed", "normal"),
    [
        ("茶壶,唱歌!", "茶壶，唱歌！"),
        ("唱歌?", "唱歌？"),
        ("他说:好;走.", "他说：好；走。"),
        ("你好 , 我 是 Tom", "你好，我是Tom"),
        ("我是 Tom.", "我是Tom。"),
        ("茶壶?!", "茶壶？！"),
        ("等等...好", "等等……好"),
        ("等等…", "等等……"),
        ("等等⋯⋯", "等等……"),
        ("等等。。。", "等等……"),
        ("重3.5公斤", "重3.5公斤"),
        ("7:30的车", "7:30的车"),
        ("有2,700人", "有2,700人"),
        ("看a.example的页", "看a.example的页"),
        ("U.S.的人", "U.S.的人"),
        ("Anna,Ben来了", "Anna,Ben来了"),
        ("好:) 走 ;-)", "好:)走;-)"),
        ("「好」", '"好"'),
        ("他说:“好.”", '他说："好。"'),
        ("“好吗?” “好。”", '"好吗？""好。"'),
        ("《书》（一）、二", "《书》（一）、二"),
        ("好\u3000吗", "好吗"),
        ("10 000 人", "10 000人"),
        ("好——走", "好--走"),
    ],
)
def test_punctuation_beside_chinese_is_chinese_and_unspaced(typed: str, normal: str) -> None:
    assert result(typed) == normal


@pytest.mark.parametrize("text", ["Hello, world. Really?", "a : b ; c", ":smile: x.y"])
def test_text_without_chinese_keeps_its_punctuation(text: str) -> None:
    assert result(text) == text


def dictionary_words(name: str) -> list[str]:
    table = files("opencc").joinpath("dictionary", name).read_text(encoding="utf-8")
    return [word for line in table.splitlines() for word in line.replace(" ", "\t").split("\t")]


@pytest.mark.parametrize("name", ["TSCharacters.txt", "TSPhrases.txt"])
def test_every_word_of_the_converter_settles(name: str) -> None:
    """A second conversion changes nothing, although some outputs are inputs of other entries."""
    for word in dictionary_words(name):
        once = result(word)
        assert result(once) == once
        assert len(once) == len(word)


def test_many_threads_load_one_converter(monkeypatch: pytest.MonkeyPatch) -> None:
    loads: list[str] = []
    load = opencc.OpenCC

    def counted(profile: str) -> object:
        loads.append(profile)
        return load(profile)

    def together(text: str) -> str:
        start.wait()
        return result(text)

    monkeypatch.setattr(opencc, "OpenCC", counted)
    start = Barrier(8)
    chinese._load_converter.cache_clear()
    switch = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as pool:
            results = list(pool.map(together, ["圖書館"] * 8))
    finally:
        sys.setswitchinterval(switch)
        chinese._load_converter.cache_clear()
    assert results == ["图书馆"] * 8
    assert loads == ["t2s"]
