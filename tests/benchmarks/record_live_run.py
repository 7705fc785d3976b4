"""Trains with the settings that Train live begins with: the run that the app shows at first.

python -m tests.benchmarks.record_live_run [--steps 200] [--out FILE]
"""

from __future__ import annotations

import argparse
from pathlib import Path

from s2s_core.models.threads import use_one_thread
from s2s_core.training.live import run as live_run
from s2s_core.training.live.config import LiveConfig
from s2s_core.training.live.recorded import RECORDED, dump

EVERY = 10  # steps between two reports: the map is to turn smoothly


def main() -> None:
    """Train and write."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--out", type=Path, default=RECORDED)
    arguments = parser.parse_args()
    use_one_thread()
    live_run.REPORT_EVERY = EVERY
    run = live_run.LiveRun(LiveConfig(steps=arguments.steps))
    while run.step < arguments.steps:
        run.advance()
    arguments.out.write_text(dump(arguments.steps, run.reports), encoding="utf-8")
    print(run.reports[-1])


if __name__ == "__main__":
    main()
