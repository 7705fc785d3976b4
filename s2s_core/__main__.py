"""`python -m s2s_core COMMAND`: see `s2s_core.cli.main`."""

from __future__ import annotations

from s2s_core.cli.main import main

if __name__ == "__main__":
    raise SystemExit(main())
