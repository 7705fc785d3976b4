"""What browser tests share: an app on a free port, and Chromium watching for errors.

Without Chromium or Playwright they are skipped; with S2S_REQUIRE_BROWSER=1 they fail instead.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.error import URLError
from urllib.request import urlopen

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

ROOT = Path(__file__).parents[2]
PATIENCE_MS = 60_000
CHROMIUM_ARGUMENTS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

Serve = Callable[..., str]
OpenPage = Callable[..., "Page"]


def _missing(reason: str) -> None:
    if os.environ.get("S2S_REQUIRE_BROWSER") == "1":
        pytest.fail(f"S2S_REQUIRE_BROWSER=1, but {reason}", pytrace=False)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A headless Chromium."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        _missing("playwright isn't installed (requirements-dev.txt)")
    found = shutil.which("chromium", path=f"/usr/bin:{os.environ.get('PATH', '')}")
    if found is None:
        _missing("no Chromium was found (apt-get install chromium)")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=found, args=list(CHROMIUM_ARGUMENTS))
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def serve(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serve]:
    """Starts `streamlit run` on a script; the same script and environment share one server."""
    running: dict[tuple[str, tuple[tuple[str, str], ...]], tuple[subprocess.Popen[bytes], str]] = {}

    def start(script: Path | str, env: Mapping[str, str] | None = None) -> str:
        key = (str(script), tuple(sorted((env or {}).items())))
        if key not in running:
            log = tmp_path_factory.mktemp("streamlit") / "log.txt"
            running[key] = _start(script, env or {}, log)
        return running[key][1]

    yield start
    for process, _ in running.values():
        process.terminate()
        process.wait()


def _start(
    script: Path | str, env: Mapping[str, str], log: Path
) -> tuple[subprocess.Popen[bytes], str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = {
        "server.port": str(port),
        "server.address": "127.0.0.1",
        "server.headless": "true",
        "server.fileWatcherType": "none",
        "browser.gatherUsageStats": "false",
    }
    arguments = [f"--{name}={value}" for name, value in options.items()]
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "streamlit", "run", str(script), *arguments],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1", **env},
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    url = f"http://127.0.0.1:{port}"
    deadline = time.monotonic() + PATIENCE_MS / 1000
    while not _healthy(url):
        try:
            process.wait(timeout=0.2)
        except subprocess.TimeoutExpired:
            if time.monotonic() < deadline:
                continue
            process.terminate()
        pytest.fail(f"streamlit run {script} didn't start:\n{log.read_text()}", pytrace=False)
    return process, url


def _healthy(url: str) -> bool:
    try:
        with urlopen(f"{url}/_stcore/health", timeout=5) as answer:
            return bool(answer.status == 200)
    except (URLError, OSError):
        return False


@pytest.fixture(scope="session")
def contexts(browser: Browser) -> Iterator[dict[bool, BrowserContext]]:
    """One context for the mouse and one for touch; pages of a context share what is cached."""
    both = {touch: browser.new_context(has_touch=touch) for touch in (False, True)}
    for context in both.values():
        context.set_default_timeout(PATIENCE_MS)
    yield both
    for context in both.values():
        context.close()


@pytest.fixture
def open_page(contexts: dict[bool, BrowserContext]) -> Iterator[OpenPage]:
    """Opens an address, and checks at the end that nothing went wrong on the way.

    No error on the console, no uncaught exception, no request to anywhere but this machine.
    """
    pages: list[Page] = []
    troubles: list[str] = []

    def visit(
        url: str,
        *,
        size: tuple[int, int] = (1366, 768),
        dark: bool = False,
        touch: bool = False,
        script: str = "",
    ) -> Page:
        page = contexts[touch].new_page()
        pages.append(page)
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.emulate_media(color_scheme="dark" if dark else "light")
        page.on("console", lambda m: troubles.append(m.text) if m.type == "error" else None)
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("request", lambda r: None if _local(r.url) else troubles.append(r.url))
        if script:
            page.add_init_script(script)
        page.goto(url)
        return page

    yield visit
    for page in pages:
        page.close()
    assert troubles == []


def _local(url: str) -> bool:
    return url.startswith(("http://127.0.0.1", "ws://127.0.0.1", "data:", "blob:"))
