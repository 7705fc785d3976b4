"""The recorded run: there and back, and what it shows."""

from __future__ import annotations

import numpy as np

from s2s_core.training.live.config import LiveConfig
from s2s_core.training.live.recorded import dump, load, recorded_run
from s2s_core.training.live.run import LiveRun


def test_a_report_is_read_as_it_was_written_but_for_rounding() -> None:
    run = LiveRun(LiveConfig(width=16, length=3, steps=50))
    run.advance()
    again = load(dump(50, run.reports))
    (report,), (read,) = run.reports, again.reports
    assert again.config == LiveConfig(steps=50)
    assert (read.step, read.measured.example.source) == (0, report.measured.example.source)
    assert abs(read.measured.loss - report.measured.loss) < 1e-4
    assert report.measured.example.attention and read.measured.example.attention
    assert np.allclose(
        read.measured.example.attention, report.measured.example.attention, atol=1e-4
    )


def test_the_recorded_attention_turns_to_the_anti_diagonal() -> None:
    reports = recorded_run().reports
    digits = recorded_run().config.length
    first, last = (r.measured.example for r in (reports[0], reports[-1]))
    assert first.written != first.target and last.written == last.target
    assert last.attention
    looked_at = np.argmax(last.attention, axis=1)[:digits]
    expected = np.arange(digits)[::-1]
    assert np.sum(np.abs(looked_at - expected) <= 1) >= digits - 1
    assert reports[-1].measured.exact_match >= 95
