"""The first and the second view of a page in Chromium: bytes by kind, first paint, and the time until it answers."""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from selenium.webdriver import Chrome
from selenium.webdriver.support.ui import WebDriverWait

KINDS: Mapping[str, str] = {"Document": "html", "Stylesheet": "css", "Script": "js"}
"""The kinds of bytes by the browser's names for the resources; others are `data`."""

_PATIENCE = 60  # seconds
_TIMES = """
const paint = performance.getEntriesByName("first-contentful-paint")[0];
const mark = performance.getEntriesByName("interactive")[0];
return paint && mark ? [paint.startTime, mark.startTime] : null;
"""


@dataclass(frozen=True, slots=True)
class PageView:
    """One view: bytes as they were sent, headers included, by kind, and milliseconds from the start of the visit."""

    transferred: Mapping[str, int]
    painted: float
    interactive: float

    @property
    def total(self) -> int:
        """Return all bytes of the view."""
        return sum(self.transferred.values())


def view_twice(browser: Chrome, address: str) -> tuple[PageView, PageView]:
    """Return the view of a page with an empty cache, and the next view of it."""
    browser.execute_cdp_cmd("Network.clearBrowserCache", {})
    return _view(browser, address), _view(browser, address)


def _view(browser: Chrome, address: str) -> PageView:
    browser.get("about:blank")  # or an address with a fragment would not be loaded again
    _events(browser)  # those of before
    browser.get(address)
    found: list[float] = WebDriverWait(browser, _PATIENCE, 0.05).until(lambda _: browser.execute_script(_TIMES))
    painted, interactive = found
    return PageView(_transferred(browser), painted, interactive)


def _transferred(browser: Chrome) -> Mapping[str, int]:
    kinds: dict[str, str] = {}
    sizes: Counter[str] = Counter(html=0, css=0, js=0, data=0)
    for event in _events(browser):
        match event["method"], event["params"]:
            case "Network.responseReceived", stated:
                if not stated["response"]["url"].startswith("data:"):
                    kinds[stated["requestId"]] = KINDS.get(stated["type"], "data")
            case "Network.loadingFinished", stated if stated["requestId"] in kinds:
                sizes[kinds[stated["requestId"]]] += stated["encodedDataLength"]
    return sizes


def _events(browser: Chrome) -> list[dict[str, Any]]:
    log = browser.get_log("performance")  # type: ignore[no-untyped-call]
    return [json.loads(entry["message"])["message"] for entry in log]
