"""The page of the graph in Chromium with thousands of things: time until it answers, and frames while it is moved.

The things are a source and the statements that cite it, loaded through the platform. Without a graphics processor
Chromium draws with WebGL in software (SwiftShader).
"""

import asyncio
import tempfile
import time
from pathlib import Path
from typing import Any

from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from bench.load import prepared_platform, timed_load
from bench.page import serving
from bench.statements import SOURCE_ID, bench_agent, source, statements
from build_web import build
from graph.database.endpoint import Endpoint
from graph.settings import Settings

SIZES = (50, 5_000)
"""The numbers of statements that rest on the source; the page draws them with the source and its neighbours."""

_PATIENCE = 300  # seconds
_SECONDS = 4.0  # of panning
_PAGE = "[data-module=graph]"
_COUNT_FRAMES = """
window.framesCounted = 0;
const count = () => { window.framesCounted += 1; requestAnimationFrame(count); };
requestAnimationFrame(count);
"""
_ANSWER_PRESS = """
const done = arguments[0], button = document.querySelector(".graph-details [data-key^=STATEMENT]");
const begun = performance.now();
button.click();
requestAnimationFrame(() => setTimeout(() => done(performance.now() - begun)));
"""
_RENDERER = """
const gl = document.createElement("canvas").getContext("webgl2");
const names = gl && gl.getExtension("WEBGL_debug_renderer_info");
return names ? gl.getParameter(names.UNMASKED_RENDERER_WEBGL) : "";
"""


async def measure_graph_page(endpoint: Endpoint, sizes: tuple[int, ...] = SIZES) -> dict[str, Any]:
    """Return for each number of statements the figures of the page, as `visit` gives them."""
    build()
    return {"sizes": [await _measure(endpoint, size) for size in sizes]}


async def _measure(endpoint: Endpoint, count: int) -> dict[str, Any]:
    content = source(2000)
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(data=Path(folder))
        async with prepared_platform(endpoint, settings, content) as platform:
            await timed_load(platform, list(statements(bench_agent(), content, count)))
            async with serving(platform, settings) as address:
                page = f"{address.removesuffix('/graphql')}/graph?of={SOURCE_ID}"
                return await asyncio.to_thread(visit, page, Path(folder) / "profile")


def visit(address: str, profile: Path) -> dict[str, Any]:
    """Return the figures of a visit that draws everything that rests on the source.

    `opened`: seconds until the neighbours of the source are drawn. `interactive`: seconds from the request for
    everything that rests on it until this is in the list and drawn, and presses are answered. `settled`: seconds from
    then until the layout stands and each thing has its words. `press`: milliseconds from the choice of a thing until it
    is drawn. `panned` and `still`: frames a second while the drawing is panned, and before.
    """
    from chromium import chromium  # of the tests, whose folder `bench.__main__` adds

    with chromium(profile) as browser:
        browser.set_script_timeout(_PATIENCE)
        started = time.perf_counter()
        browser.get(address)
        _wait(browser, f"{_PAGE}[data-state=settled]")
        opened = time.perf_counter()
        button = next(one for one in browser.find_elements(By.TAG_NAME, "button") if one.text.startswith("Show all"))
        button.click()
        waiting = WebDriverWait(browser, _PATIENCE, 0.1)
        waiting.until(lambda _: "things rest on Minutes" in _text(browser, ".graph-message"))
        browser.execute_async_script("requestAnimationFrame(() => setTimeout(arguments[0]))")
        interactive = time.perf_counter()
        _wait(browser, f"{_PAGE}[data-state=settled][data-unnamed='0']")
        settled = time.perf_counter()
        browser.execute_script(_COUNT_FRAMES)
        return {
            "things": int(browser.find_element(By.CSS_SELECTOR, _PAGE).get_attribute("data-things") or 0),
            "opened": round(opened - started, 2),
            "interactive": round(interactive - opened, 2),
            "settled": round(settled - interactive, 2),
            "still": _frames(browser, is_panned=False),
            "panned": _frames(browser, is_panned=True),
            "press": round(browser.execute_async_script(_ANSWER_PRESS)),
            "renderer": browser.execute_script(_RENDERER),
        }


def _wait(browser: Chrome, selector: str) -> None:
    WebDriverWait(browser, _PATIENCE, 0.1).until(lambda _: browser.find_elements(By.CSS_SELECTOR, selector))


def _text(browser: Chrome, selector: str) -> str:
    return browser.find_element(By.CSS_SELECTOR, selector).text


def _frames(browser: Chrome, *, is_panned: bool) -> float:
    """Return the frames a second, while the mouse drags the drawing to and fro or does nothing."""
    canvas = browser.find_element(By.CSS_SELECTOR, ".graph-canvas")
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", canvas)
    box = browser.execute_script("return arguments[0].getBoundingClientRect().toJSON()", canvas)
    x, y = box["x"] + box["width"] * 0.1, box["y"] + box["height"] * 0.9
    if is_panned:
        _mouse(browser, "mousePressed", x, y)
    began, first = time.perf_counter(), browser.execute_script("return window.framesCounted")
    step = 0
    while time.perf_counter() - began < _SECONDS:
        if is_panned:
            step += 1
            _mouse(browser, "mouseMoved", x + 4 * (step % 50), y - 3 * (step % 40))
        else:
            time.sleep(0.05)
    frames: int = browser.execute_script("return window.framesCounted") - first
    seconds = time.perf_counter() - began
    if is_panned:
        _mouse(browser, "mouseReleased", x, y)
    return round(float(frames / seconds), 1)


def _mouse(browser: Chrome, kind: str, x: float, y: float) -> None:
    event = {"type": kind, "x": x, "y": y, "button": "left", "buttons": 1, "clickCount": 1}
    browser.execute_cdp_cmd("Input.dispatchMouseEvent", event)
