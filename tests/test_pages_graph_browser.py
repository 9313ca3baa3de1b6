"""The graph in a real browser: more of it on demand, filters, time, impact and paths, beside a list of the same."""

from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

from builders import SOURCE_ID, agent_id, signed_statement
from page_browser import PATIENCE, built, in_browser, shown
from platform_fixture import platform
from prov.model import ProvAttribution, ProvDerivation, ProvDocument, ProvUsage
from scenario import AUTHOR, accept, hash_of, verified_world
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from graph.platform import Platform

__all__ = ["built", "platform"]

NO_WEBGL = "HTMLCanvasElement.prototype.getContext = () => null"


def wait(browser: Chrome, condition: Callable[[], object]) -> None:
    WebDriverWait(browser, PATIENCE).until(lambda _: condition())


def open_graph(browser: Chrome, address: str) -> None:
    browser.get(address)
    wait(browser, lambda: browser.find_elements(By.CSS_SELECTOR, "[data-module=graph] .graph-list button"))


def count(browser: Chrome) -> int:
    return int(browser.find_element(By.CSS_SELECTOR, "[data-module=graph]").get_attribute("data-things") or 0)


def press(browser: Chrome, words: str) -> None:
    """Press a button of the graph by the keyboard alone."""
    buttons = browser.find_elements(By.CSS_SELECTOR, ".graph button")
    next(button for button in buttons if button.text.startswith(words)).send_keys(Keys.ENTER)


async def test_a_reader_explores_the_graph_in_a_browser(built: None, platform: Platform, tmp_path: Path) -> None:
    world = await verified_world(platform)
    others = [signed_statement(AUTHOR, claim=f"Claim {number}.") for number in range(3)]
    await accept(platform, *others)
    statement, files = hash_of(world.statement), tmp_path / "files"

    def visit(browser: Chrome, address: str) -> None:
        browser.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(files)})
        open_graph(browser, f"{address}/graph?of={statement}")
        explore(browser)
        save(browser, files)
        browser.get(f"{address}/graph?from={agent_id(AUTHOR)}&to={SOURCE_ID}")
        wait(browser, lambda: "shown" in shown(browser, ".graph-controls"))
        assert count(browser) == 2
        browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": NO_WEBGL})
        open_graph(browser, f"{address}/graph?of={statement}")
        assert "WebGL 2 is not available" in shown(browser, ".graph-panes")
        assert not browser.find_elements(By.CSS_SELECTOR, "canvas")
        press(browser, "Show all that rests on it")
        wait(browser, lambda: "rest" in shown(browser, ".graph-message"))

    await in_browser(platform, tmp_path, visit)


def explore(browser: Chrome) -> None:
    """Load neighbours, hide a kind and later things, and show the blast radius of an agent."""
    wait(browser, lambda: browser.find_elements(By.CSS_SELECTOR, "[data-module=graph][data-state=settled] canvas"))
    assert not browser.find_element(By.ID, "graph-list").is_displayed()
    assert count(browser) == 7
    author = f"AGENT {agent_id(AUTHOR)}"
    browser.find_element(By.CSS_SELECTOR, f".graph-list [data-key='{author}']").send_keys(Keys.ENTER)
    assert browser.find_element(By.CSS_SELECTOR, ".graph-details").get_attribute("data-selected") == author
    press(browser, "Load its neighbours")
    wait(browser, lambda: "4 new things around" in shown(browser, ".graph-message"))
    assert count(browser) == 11
    verdicts = browser.find_element(By.CSS_SELECTOR, ".graph-controls fieldset label:nth-of-type(2) input")
    verdicts.click()
    wait(browser, lambda: count(browser) == 8)
    verdicts.click()
    slider = browser.find_element(By.ID, "graph-time")
    slider.send_keys(Keys.HOME)
    wait(
        browser, lambda: count(browser) == 5
    )  # the first statement, its passage, its author and the key, and the source
    slider.send_keys(Keys.END)
    wait(browser, lambda: count(browser) == 11)
    press(browser, "Show all that rests on it")
    wait(browser, lambda: "4 things rest on Test agent 1" in shown(browser, ".graph-message"))
    assert "rests on Test agent 1" in shown(browser, ".graph-list")
    press(browser, "Show all things alike")
    box = browser.find_element(By.ID, "graph-path-to")
    box.send_keys(SOURCE_ID, Keys.ENTER)
    wait(browser, lambda: "shortest path" in shown(browser, ".graph-message"))
    assert "on the path" in shown(browser, ".graph-list")


def save(browser: Chrome, files: Path) -> None:
    """Save the graph in each format, and read the files."""
    expected = {"graph.svg", "graph.png", "graph.cypher", "graph.prov.json"}
    for format in ("svg", "png", "cypher", "prov.json"):
        browser.find_element(By.CSS_SELECTOR, f"[data-format='{format}']").send_keys(Keys.ENTER)
        wait(browser, lambda name=f"graph.{format}": (files / name).exists())  # type: ignore[misc]
    assert {file.name for file in files.iterdir()} == expected
    picture = ElementTree.parse(files / "graph.svg").getroot()
    assert len(picture.findall("{http://www.w3.org/2000/svg}g")) == count(browser)
    assert (files / "graph.png").read_bytes().startswith(b"\x89PNG")
    assert f"MERGE (n:Agent {{agent_id: '{agent_id(AUTHOR)}'}})" in (files / "graph.cypher").read_text("utf-8")
    document = ProvDocument.deserialize(files / "graph.prov.json", format="json")
    assert {ProvAttribution, ProvUsage, ProvDerivation} <= {type(record) for record in document.get_records()}
