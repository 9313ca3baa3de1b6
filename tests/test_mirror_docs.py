"""The page about the mirror is true: its queries run on a mirrored scenario and give what it shows."""

import os
import re
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psycopg
from builders import segment, signed_request, signed_response, signed_statement
from postgresql_fixture import database, postgresql
from scenario import AUTHOR, STRANGER, VERIFIER_A, VERIFIER_B, accept, settle, signed_node_policy

from a2ap.boundary import Boundary
from a2ap.messages.verification_response import Verdict
from graph.content.content_store import open_content_store
from graph.mirror.database import open_database
from graph.mirror.following import catch_up
from graph.mirror.original import LocalOriginal
from graph.mirror.state import prepare
from graph.node import load_node
from graph.platform import Platform, platform_on
from graph.settings import Settings
from graph.store import Store

__all__ = ["database", "postgresql"]

PAGE = Path(__file__).parents[1] / "docs" / "how-to" / "mirror.md"
QUERY = re.compile(r"```sql\n(?P<query>.*?)```\n\n```text\n(?P<shown>.*?)```", re.DOTALL)


class Days:
    """A clock that stands still until somebody says that a day has passed."""

    def __init__(self) -> None:
        self.now = datetime(2026, 1, 5, 9, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def pass_by(self, **time: float) -> None:
        self.now += timedelta(**time)


@asynccontextmanager
async def platform_in_time(store: Store, data: Path, clock: Days) -> AsyncIterator[Platform]:
    settings = Settings(data=data)
    node = load_node(data / "node.key")
    async with platform_on(store, open_content_store(settings), node, settings, clock=clock) as platform:
        yield platform


async def a_week(platform: Platform, clock: Days) -> None:
    """Have a week's statements, requests and verdicts."""
    await settle(platform)
    # With two operators the others of each are one.
    await accept(platform, signed_node_policy(platform, 2, quorum=1))
    clock.pass_by(days=1)
    kept = signed_statement(AUTHOR)
    dropped = signed_statement(STRANGER, claim="The height limit is dropped.")
    tables = "We heard from café owners on Elm Street — they want outdoor tables."
    wanted = signed_statement(AUTHOR, claim="Café owners want tables outside.", evidence=[segment(tables)])
    await accept(platform, kept, dropped, wanted)
    await accept(platform, *(signed_request(one, AUTHOR) for one in (kept, dropped, wanted)))
    clock.pass_by(days=1, hours=2)
    await accept(
        platform,
        signed_response(kept, VERIFIER_A),
        signed_response(dropped, VERIFIER_A, verdict=Verdict.CHALLENGED, reason="It says the opposite."),
    )
    clock.pass_by(days=1)
    await accept(
        platform,
        signed_response(kept, VERIFIER_B),
        signed_response(dropped, VERIFIER_B, verdict=Verdict.CHALLENGED, confidence=0.7),
        signed_response(wanted, VERIFIER_B, verdict=Verdict.INSUFFICIENT_EVIDENCE),
    )


async def test_every_query_gives_what_the_page_shows(store: Store, database: str, tmp_path: Path) -> None:
    clock = Days()
    async with (
        platform_in_time(store, tmp_path, clock) as platform,
        aclosing(LocalOriginal(platform.store, platform.content, Boundary.PUBLIC)) as original,
        open_database(database, "a2ap") as connection,
    ):
        await a_week(platform, clock)
        await prepare(connection, "a2ap", clear=False)
        await catch_up(connection, original, 50_000)
    text = PAGE.read_text(encoding="utf-8")
    written = QUERY.sub(lambda found: shown(database, found), text)
    if os.environ.get("A2AP_WRITE_VECTORS"):
        PAGE.write_text(written, encoding="utf-8")
    assert written == text
    assert len(QUERY.findall(text)) == 7
    assert all(len(rows.splitlines()) > 2 for _, rows in QUERY.findall(text))


def shown(url: str, found: re.Match[str]) -> str:
    """Return a query and its rows as the page has them."""
    with psycopg.connect(url) as connection:
        connection.execute("SET TIMEZONE TO 'UTC'; SET search_path TO a2ap")
        cursor = connection.execute(found["query"].encode())
        names = [column.name for column in cursor.description or ()]
        rows = [["" if value is None else str(value) for value in row] for row in cursor.fetchall()]
    widths = [max(map(len, column)) for column in zip(names, *rows, strict=True)]
    lines = [names, ["-" * width for width in widths], *rows]
    table = "\n".join(" | ".join(map(str.ljust, line, widths)).rstrip() for line in lines)
    return f"```sql\n{found['query']}```\n\n```text\n{table}\n```"
