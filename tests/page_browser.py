"""Pages in a real browser: the scripts are built, the platform is served, and the console has no error."""

import asyncio
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import pytest
from chromium import NoChromiumError, chromium
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from served import served

from graph.platform import Platform

ROOT = Path(__file__).resolve().parent.parent
PATIENCE = 60  # seconds


@pytest.fixture
async def built() -> None:
    """Have the scripts of the pages built."""
    command = (sys.executable, "build_web.py")
    building = await asyncio.create_subprocess_exec(*command, cwd=ROOT, stderr=asyncio.subprocess.PIPE)
    _, said = await building.communicate()
    if building.returncode:
        miss(f"the scripts are not built: {said.decode().strip()}")


def miss(reason: str) -> NoReturn:
    """Skip a test of the browser; on the build server it fails instead."""
    if os.environ.get("CI"):
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)


async def in_browser(platform: Platform, folder: Path, visit: Callable[[Chrome, str], None]) -> None:
    """Serve a platform and have a browser visit it; the console must have no error."""

    def run(address: str) -> None:
        with chromium(folder / "profile") as browser:
            visit(browser, address)
            assert [entry["message"] for entry in browser.get_log("browser") if entry["level"] == "SEVERE"] == []

    async with served(platform) as address:
        try:
            await asyncio.to_thread(run, address)
        except NoChromiumError as error:
            miss(str(error))


def shown(browser: Chrome, selector: str) -> str:
    """Return the text of the elements that a selector finds."""
    return " ".join(element.text for element in browser.find_elements(By.CSS_SELECTOR, selector))
