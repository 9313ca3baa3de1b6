"""A real Chromium for the tests: where it is, and a session that notes what its pages ask for and say."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from selenium.webdriver import Chrome, ChromeOptions, ChromeService

WHERE = "the tests look for chromium and chromedriver on the PATH (Debian: apt-get install chromium chromium-driver)"

_ARGUMENTS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--enable-unsafe-swiftshader",  # WebGL without a graphics processor
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--window-size=1400,1000",
)


class NoChromiumError(Exception):
    """There is no Chromium to test with; the message says where it was looked for."""


@contextmanager
def chromium(profile: Path) -> Iterator[Chrome]:
    """Yield a browser with a profile of its own, which keeps a log of its network and its console."""
    browser, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if browser is None or driver is None:
        raise NoChromiumError(f"no Chromium: {WHERE}")
    options = ChromeOptions()
    options.binary_location = browser
    for argument in (*_ARGUMENTS, f"--user-data-dir={profile}"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"performance": "ALL", "browser": "ALL"})
    session = Chrome(options=options, service=ChromeService(driver))
    try:
        yield session
    finally:
        session.quit()
