"""What an index gives before it is known who asks: enough of it is read, and what is shown is marked aside."""

import threading
from typing import Any

import pytest
from builders import CLAIM
from graph_contents import run_raw
from platform_fixture import platform
from scenario import verified_world

from graph.clearance import ANONYMOUS, OPERATOR
from graph.lists.agents import AgentChoice, AgentOrder, find_agents, key_of, ordering_of
from graph.lists.cursor import encode_cursor
from graph.lists.span import Span
from graph.platform import Platform
from graph.search import highlights, statements
from graph.search.highlights import hits_of
from graph.search.matching import spans_of
from graph.search.statements import search_statements

__all__ = ["platform"]


async def test_closed_texts_push_nothing_out_of_what_is_found(
    platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    await run_raw(
        platform.store,
        """UNWIND range(1, 9) AS number
        CREATE (s:Statement {signed_hash: 'sha256:' + toString(number), claim_text: 'It is so.', log_index: number})
        CREATE (:Agent {agent_id: 'urn:agent:' + toString(number), log_index: number})-[:GENERATED]->(s)
        CREATE (s)-[:CITES]->(c:Chunk {chunk_key: 'sha256:cited-' + toString(number), text: CASE number WHEN 9
          THEN 'What was said of the budget in a long meeting about other things' ELSE 'budget budget' END})
        CREATE (c)-[:PART_OF]->(:Document {document_key: 'sha256:source-' + toString(number),
          boundary: CASE number WHEN 9 THEN 'public' ELSE 'confidential' END})""",
    )
    keys = [{"chunk_key": f"sha256:cited-{number}"} for number in range(1, 10)]
    await platform.store.write(lambda transaction: transaction.run("write_search_passages", rows=keys))
    monkeypatch.setattr(statements, "MAX_HITS", 2)
    for topic in ("budget", "evidence:budget", "budget meeting"):
        assert await search_statements(platform.store, ANONYMOUS, topic, first=5) == ["sha256:9"], topic
    assert len(await search_statements(platform.store, OPERATOR, "budget", first=5)) == 3


async def test_words_are_marked_aside(platform: Platform, monkeypatch: pytest.MonkeyPatch) -> None:
    await verified_world(platform)
    answer = await platform.search.find(OPERATOR, CLAIM, first=5)
    where: set[int] = set()

    def noted(*arguments: Any) -> Any:
        where.add(threading.get_ident())
        return spans_of(*arguments)

    monkeypatch.setattr(highlights, "spans_of", noted)
    (hit,) = await hits_of(platform.store, OPERATOR, answer)
    assert hit.claim.highlights and where and threading.get_ident() not in where


@pytest.mark.both_engines
async def test_an_agent_with_a_long_name_is_behind_its_cursor(platform: Platform) -> None:
    await run_raw(platform.store, "MATCH (a:Agent) SET a.name = 'a'")
    for place, ending in ((101, "c"), (102, "b"), (103, "a")):
        await run_raw(
            platform.store,
            "CREATE (:Agent {agent_id: $ending, name: $name, log_index: $place})",
            ending=ending,
            name="\u0001" * 6_000 + ending,
            place=place,
        )
    for descending in (False, True):
        ordering, found, after = ordering_of(AgentOrder.NAME, descending=descending), [], None
        while True:
            span = Span.asked(ordering, 1, after, None, None)
            rows = (await find_agents(platform.store, AgentChoice(), AgentOrder.NAME, span))[:1]
            if not rows:
                break
            found.append(rows[0]["agent_id"])
            after = encode_cursor(ordering, key_of(AgentOrder.NAME, rows[0]))
            assert len(after) < 4_096
        names = [name for name in found if len(name) == 1]
        assert names == sorted("abc", reverse=descending) and len(found) == 4
