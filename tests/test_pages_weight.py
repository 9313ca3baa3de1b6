"""The weight of the pages in a real browser: the first view of each is at most 200 KB as it is sent."""

from pathlib import Path

from builders import SOURCE, agent_id
from page_browser import built, in_browser
from platform_fixture import platform
from scenario import VERIFIER_A, hash_of, verified_world
from selenium.webdriver import Chrome

from a2ap.canonical import sha256_digest
from bench.views import PageView, view_twice
from bench.web_pages import BUDGET
from graph.platform import Platform

__all__ = ["built", "platform"]


async def test_the_first_view_of_each_page_is_within_the_budget_and_the_second_needs_no_file_again(
    platform: Platform, built: None, tmp_path: Path
) -> None:
    world = await verified_world(platform)
    statement = hash_of(world.statement)
    pages = (
        "",
        "ask?q=height+limit",
        f"statements/{statement}",
        f"sources/{sha256_digest(SOURCE)}",
        f"agents/{agent_id(VERIFIER_A)}",
        "log/3",
        f"graph?of={statement}",
        f"desk/statements/{statement}",
    )
    views: dict[str, tuple[PageView, PageView]] = {}

    def visit(browser: Chrome, address: str) -> None:
        views.update({page: view_twice(browser, f"{address}/{page}") for page in pages})

    await in_browser(platform, tmp_path, visit)
    for page, (first, second) in views.items():
        assert first.transferred["html"] > 0, page
        assert first.total <= BUDGET, f"{page}: {first.transferred}"
        assert second.transferred["css"] == second.transferred["js"] == 0, f"{page}: {second.transferred}"
        assert first.painted > 0 and first.interactive > 0
