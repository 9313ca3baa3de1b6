"""axe in a browser of the tests: the violations of WCAG on a page, in both colour schemes and at two widths."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from npm_tool import install
from selenium.webdriver import Chrome

SOURCE = Path(__file__).parent / "accessibility"
SCHEMES = ("light", "dark")
WIDTHS = (1200, 360)  # CSS pixels

_RUN = """
const done = arguments[0];
axe.run(document, {resultTypes: ["violations"]}).then(
  (found) => done(found.violations.flatMap((v) => v.nodes.map((n) => `${v.id}: ${n.target} ${n.failureSummary}`))),
  (error) => done([String(error)]),
);
"""


def install_axe(folder: Path) -> str:
    """Return the script of axe; raises `NoNpmError`."""
    return (install(SOURCE, folder) / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")


def violations(browser: Chrome, axe: str) -> list[str]:
    """Return the violations on the open page."""
    # Through the protocol of the tools: the page's own policy lets no script of others run.
    browser.execute_cdp_cmd("Runtime.evaluate", {"expression": axe})
    found: list[str] = browser.execute_async_script(_RUN)
    return found


def views(browser: Chrome) -> Iterator[tuple[str, int]]:
    """Yield each colour scheme and width once the browser shows pages in it."""
    for scheme in SCHEMES:
        features = [
            {"name": "prefers-color-scheme", "value": scheme},
            {"name": "prefers-reduced-motion", "value": "reduce"},
        ]
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        for width in WIDTHS:
            metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}
            browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
            yield scheme, width


def overflow(browser: Chrome) -> int:
    """Return the CSS pixels by which the page is wider than the window."""
    width: int = browser.execute_script("return document.documentElement.scrollWidth - window.innerWidth")
    return max(width, 0)


def requests_of(browser: Chrome) -> list[dict[str, Any]]:
    """Return the requests that the browser has made since the last call, as its tools report them."""
    events = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    return [event["params"]["request"] for event in events if event["method"] == "Network.requestWillBeSent"]
