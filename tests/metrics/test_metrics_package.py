"""The package's names, and what loading them loads."""

from __future__ import annotations

import pytest

import s2s_core.metrics
from tests.search.test_lazy_import import HEAVY, loaded


@pytest.mark.parametrize("name", s2s_core.metrics.__all__)
def test_every_promised_name_is_there(name: str) -> None:
    assert getattr(s2s_core.metrics, name) is not None
    assert name in dir(s2s_core.metrics)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'bleu_reprot'"):
        s2s_core.metrics.bleu_reprot  # noqa: B018


def test_importing_the_package_loads_nothing() -> None:
    assert not loaded("import s2s_core.metrics") & {"numpy", "sacrebleu", *HEAVY}


def test_everything_of_it_loads_nothing_heavy() -> None:
    code = "import s2s_core.metrics as m\n[getattr(m, name) for name in m.__all__]"
    names = loaded(code)
    assert "sacrebleu" in names
    assert not names & set(HEAVY)
