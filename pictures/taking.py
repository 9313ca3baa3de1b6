"""One picture of a page: the window that it is taken in, the state of the page, and its file as PNG."""

import io
import time
from dataclasses import dataclass
from typing import Any

import numpy
from PIL import Image
from selenium.webdriver import Chrome
from selenium.webdriver.support.ui import WebDriverWait

from bench.demonstration import Walk

WIDE = (1200, 800)  # CSS pixels
NARROW = (360, 800)

_PATIENCE = 60  # seconds
_STILL = 1.0  # seconds: moves of the page have ended
_COLOURS = 256
_INTERACTIVE = "return performance.getEntriesByName('interactive').length > 0"


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture: its file, the path of the page, the window, selectors of the ready page and of the upper edge."""

    file_name: str
    path: str
    window: tuple[int, int] = WIDE
    is_dark: bool = False
    ready: str = "main"
    top: str | None = None


def pictures_of(walk: Walk) -> tuple[Picture, ...]:
    """Return the pictures of a walk."""
    return (
        Picture("home.png", walk.home),
        Picture("answer.png", walk.answer),
        Picture("claim.png", walk.claim),
        Picture("claim-dark.png", walk.claim, is_dark=True),
        Picture("claim-phone.png", walk.claim, NARROW),
        Picture("source.png", walk.source, ready=".passage-check.good"),
        Picture("agent.png", walk.agent),
        Picture("log-entry.png", walk.entry, ready=".check-line"),
        Picture(
            "graph.png",
            walk.graph,
            ready="[data-module=graph][data-state=settled][data-unnamed='0']",
            top=".graph-controls",
        ),
    )


def take(browser: Chrome, address: str, picture: Picture) -> bytes:
    """Return a picture as PNG."""
    width, height = picture.window
    scheme = {"name": "prefers-color-scheme", "value": "dark" if picture.is_dark else "light"}
    still = {"name": "prefers-reduced-motion", "value": "reduce"}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme, still]})
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    browser.execute_cdp_cmd("Emulation.setScrollbarsHidden", {"hidden": True})
    browser.get("about:blank")
    browser.get(address + picture.path)
    _wait(browser, lambda _: browser.execute_script(_INTERACTIVE))
    _wait(browser, lambda _: browser.find_elements("css selector", picture.ready))
    if picture.top is not None:
        browser.execute_script("document.querySelector(arguments[0]).scrollIntoView()", picture.top)
    time.sleep(_STILL)
    return reduced(browser.get_screenshot_as_png())


def reduced(content: bytes) -> bytes:
    """Return a PNG with a palette of its most frequent colours, which has about a third of the bytes."""
    pixels = numpy.asarray(Image.open(io.BytesIO(content)).convert("RGB"))
    colours, places, counts = numpy.unique(pixels.reshape(-1, 3), axis=0, return_inverse=True, return_counts=True)
    palette = colours[numpy.argsort(-counts)[:_COLOURS]]
    distances = numpy.abs(colours[:, None].astype(int) - palette[None].astype(int)).sum(axis=2)
    nearest = distances.argmin(axis=1).astype(numpy.uint8)
    image = Image.fromarray(nearest[places].reshape(pixels.shape[:2]), "P")
    image.putpalette(palette.astype(numpy.uint8).tobytes())
    buffer = io.BytesIO()
    image.save(buffer, "PNG", optimize=True)
    return buffer.getvalue()


def _wait(browser: Chrome, condition: Any) -> None:
    WebDriverWait(browser, _PATIENCE, 0.1).until(condition)
