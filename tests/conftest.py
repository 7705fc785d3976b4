"""For all tests: one thread, as in the app, since small networks are faster so."""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # read when torch is first loaded
