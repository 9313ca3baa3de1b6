"""The store on both engines: named queries, transactions, retries and errors."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from bolt_proxy import COMMIT, RUN, bolt_proxy
from graph_contents import run_raw

from cypher import Query, parse_query
from graph.database.endpoint import Endpoint
from graph.errors import (
    CommitUncertainError,
    ConstraintError,
    QueryError,
    QueryTimeoutError,
    StoreBusyError,
    StoreUnavailableError,
)
from graph.settings import Settings
from graph.store import Store, Transaction, connect_store, open_store

pytestmark = pytest.mark.both_engines

TEXTS = {
    "create": "CREATE (:Source {source_id: $id, at: datetime($at)})",
    "create_many": "UNWIND range(1, $count) AS n CREATE (:Source {source_id: toString(n)})",
    "create_rows": "UNWIND $rows AS r CREATE (:Source {source_id: r.id, at: datetime(r.at)})",
    "merge": "MERGE (s:Source {source_id: $id}) ON CREATE SET s.by = $by RETURN s.by AS by",
    "lock": "MATCH (s:Source {source_id: 'counter'}) SET s.lock = $nonce",
    "value": "MATCH (s:Source {source_id: 'counter'}) RETURN s.value AS value",
    "set_value": "MATCH (s:Source {source_id: 'counter'}) SET s.value = $value",
    "new_counter": "CREATE (:Source {source_id: 'counter', value: 0})",
    "all": "MATCH (s:Source) RETURN s.source_id AS id, s.at AS at ORDER BY id",
    "nodes": "MATCH (s:Source) RETURN s AS node, [s.at] AS times, {at: s.at} AS map ORDER BY s.source_id",
    "count": "MATCH (s:Source) RETURN count(s) AS count",
    "after": "MATCH (s:Source)\nWHERE s.source_id > $id\nRETURN s.source_id AS id, s.at AS at, {at: s.at} AS map\n"
    "ORDER BY s.source_id DESC\nLIMIT $first",
    "both": "UNWIND $ids AS id\nMATCH (s:Source {source_id: id})\nRETURN id AS id\nORDER BY id",
    "bad": "MATCH (s:Source)\nRETURN nonsense AS n",
    "endless": "UNWIND range(1, 100000) AS a UNWIND range(1, 100000) AS b WITH a + b AS c RETURN count(c) AS n",
    "wrong": "MATCH (s:Source) RETURN nonsense AS n",
    "claim": "CREATE (:Statement {signed_hash: $hash, claim_text: $text})",
    "find": """CALL db.index.fulltext.queryNodes('statement_text', $words) YIELD node
        RETURN node.signed_hash AS hash ORDER BY hash""",
}


on_neo4j = pytest.mark.parametrize("engine", ["neo4j"], indirect=True)


def queries(name: str) -> Query:
    """Return a query of these tests, as `load_query` does from its file."""
    if name not in TEXTS:
        raise LookupError(f"there is no query {name}")
    return parse_query(name, f"// A query of the tests.\n{TEXTS[name]}\n")


def one(name: str, **parameters: Any) -> Callable[[Transaction], Any]:
    return lambda transaction: transaction.run(name, **parameters)


@pytest_asyncio.fixture(loop_scope="session")
async def own(store: Store, engine: Endpoint) -> AsyncIterator[Store]:
    """Yield a store on an empty database that knows the queries of these tests."""
    async with connect_store(engine, queries=queries) as own:
        yield own


async def test_what_is_written_is_read(own: Store) -> None:
    await own.write(one("create", id="a", at="2026-03-01T12:00:00.123456+02:00"))
    (row,) = await own.read("all")
    assert row == {"id": "a", "at": datetime(2026, 3, 1, 10, 0, 0, 123456, tzinfo=UTC)}


async def test_times_are_python_s_wherever_they_stand(own: Store) -> None:
    at = datetime(2026, 3, 1, 12, tzinfo=timezone(timedelta(hours=2)))
    await own.write(one("create_rows", rows=[{"id": "a", "at": at.isoformat()}]))
    (row,) = await own.read("nodes")
    assert row == {"node": {"source_id": "a", "at": at}, "times": [at], "map": {"at": at}}
    assert {type(row["node"]["at"]), type(row["times"][0]), type(row["map"]["at"])} == {datetime}
    assert row["times"][0].tzinfo is UTC


async def test_queries_that_are_read_together_give_the_rows_that_each_gives(own: Store) -> None:
    rows = [{"id": id, "at": f"2026-03-01T12:00:0{place}.5+02:00"} for place, id in enumerate("abcd")]
    reads: list[tuple[str, dict[str, Any]]] = [
        ("both", {"ids": ["d", "x", "b"]}),
        ("after", {"id": "a", "first": 2}),
        ("both", {"ids": []}),
        ("after", {"id": "b", "first": 9}),
    ]

    async def work(transaction: Transaction) -> list[list[dict[str, Any]]]:
        await transaction.run("create_rows", rows=rows)
        return await transaction.run_together(reads)

    together = await own.write(work)
    seen: list[str] = []
    own.observe = seen.append
    assert await own.read_together(reads) == together
    assert seen == ["both", "after", "both", "after"]
    assert together == [await own.read(name, **parameters) for name, parameters in reads]
    assert [[row["id"] for row in found] for found in together] == [["b", "d"], ["d", "c"], [], ["d", "c"]]
    assert together[1][0]["map"] == {"at": datetime(2026, 3, 1, 10, 0, 3, 500_000, tzinfo=UTC)}
    assert await own.read_together([]) == []
    with pytest.raises(QueryError, match="both, bad"):
        await own.read_together([reads[0], ("bad", {})])
    with pytest.raises(ValueError, match="misses ids"):
        await own.read_together([reads[1], ("both", {})])


async def test_parameters_have_to_be_exactly_those_of_the_query(own: Store) -> None:
    with pytest.raises(ValueError, match=r"^query create misses at$"):
        await own.write(one("create", id="a"))
    with pytest.raises(ValueError, match=r"^query count does not use id, of$"):
        await own.read("count", of=1, id=2)
    with pytest.raises(ValueError, match=r"^query create misses at and does not use on$"):
        await own.write(one("create", id="a", on="b"))
    with pytest.raises(ValueError, match="does not use"):
        async for _ in own.stream("all", more=1):
            pass
    assert await own.read("count") == [{"count": 0}]


async def test_only_named_queries_run(own: Store) -> None:
    with pytest.raises(LookupError, match="there is no query other"):
        await own.read("other")


async def test_a_transaction_whose_work_fails_writes_nothing(own: Store) -> None:
    class WorkError(Exception):
        pass

    async def work(transaction: Transaction) -> None:
        await transaction.run("create", id="a", at="2026-03-01T12:00:00Z")
        raise WorkError

    with pytest.raises(WorkError):
        await own.write(work)
    assert await own.read("count") == [{"count": 0}]


async def test_work_sees_what_it_wrote_itself(own: Store) -> None:
    async def work(transaction: Transaction) -> list[dict[str, Any]]:
        await transaction.run("create_many", count=3)
        return await transaction.run("count")

    assert await own.write(work) == [{"count": 3}]


async def test_writers_that_compete_for_one_node_lose_nothing(own: Store) -> None:
    await own.write(one("new_counter"))
    calls = 0

    async def work(transaction: Transaction) -> None:
        nonlocal calls
        calls += 1
        await transaction.run("lock", nonce=calls)
        ((row),) = await transaction.run("value")
        await transaction.run("set_value", value=row["value"] + 1)

    async def write_often() -> None:
        for _ in range(10):
            await own.write(work)

    await asyncio.gather(*(write_often() for _ in range(4)))
    assert await own.read("value") == [{"value": 40}]
    assert calls >= 40


async def test_writers_that_merge_the_same_new_key_make_one_node(own: Store) -> None:
    for key in range(5):
        answers = await asyncio.gather(*(own.write(one("merge", id=str(key), by=by)) for by in range(6)))
        assert len({rows[0]["by"] for rows in answers}) == 1
    assert await own.read("count") == [{"count": 5}]


async def test_a_key_that_is_taken_is_an_error_after_bounded_attempts(own: Store) -> None:
    await own.write(one("create", id="a", at="2026-03-01T12:00:00Z"))
    calls = 0

    async def work(transaction: Transaction) -> None:
        nonlocal calls
        calls += 1
        await transaction.run("create", id="a", at="2026-03-01T12:00:00Z")

    with pytest.raises(ConstraintError):
        await own.write(work)
    assert 1 < calls <= 5
    assert await own.read("count") == [{"count": 1}]


async def test_every_query_is_observed(own: Store) -> None:
    seen: list[str] = []
    own.observe = seen.append
    await own.read("count")
    await own.write(one("new_counter"))
    _ = [row async for row in own.stream("all")]
    assert seen == ["count", "new_counter", "all"]


async def test_a_stream_gives_every_row_and_can_be_left_early(own: Store) -> None:
    await own.write(one("create_many", count=3500))
    assert len([row async for row in own.stream("all")]) == 3500
    rows = own.stream("all")
    first = await anext(rows)
    await rows.aclose()
    assert first["id"] == "1"
    assert await own.read("count") == [{"count": 3500}]


async def test_a_query_that_is_wrong_is_an_error_that_names_it(own: Store) -> None:
    with pytest.raises(QueryError, match=r"^wrong: .*nonsense"):
        await own.read("wrong")
    with pytest.raises(QueryError, match=r"^wrong: .*nonsense"):
        await own.write(one("wrong"))


async def test_a_plan_is_shown_without_running_the_query(own: Store) -> None:
    assert await own.explain("create", id="a", at="2026-03-01T12:00:00Z")
    assert await own.read("count") == [{"count": 0}]


@on_neo4j  # the embedded engine's limit is set where it is started: test_engine
async def test_a_query_that_takes_too_long_is_given_up(engine: Endpoint) -> None:
    async with connect_store(engine, queries=queries, timeout=1) as impatient:
        with pytest.raises(QueryTimeoutError, match="endless"):
            await impatient.read("endless")
        with pytest.raises(QueryTimeoutError):
            await impatient.write(one("endless"))


async def test_a_full_text_index_finds_claims_under_the_same_name(own: Store) -> None:
    await own.write(one("claim", hash="a", text="The zoning board met in May."))
    await own.write(one("claim", hash="b", text="The council met in June."))
    for _ in range(50):  # Neo4j's index follows the write after a moment
        found = await own.read("find", words="zoning")
        if found:
            break
        await asyncio.sleep(0.1)
    assert found == [{"hash": "a"}]


async def test_the_schema_can_be_created_again_and_by_several_at_once(engine: Endpoint) -> None:
    async def connect() -> None:
        async with connect_store(engine):
            pass

    await asyncio.gather(*(connect() for _ in range(4)))


async def test_an_index_and_a_constraint_that_are_missing_are_made(own: Store, engine: Endpoint) -> None:
    names = "SHOW {} YIELD name WHERE name = '{}' RETURN name"
    listed = [names.format("INDEXES", "statement_claim_key"), names.format("CONSTRAINTS", "peer_checkpoint_hash")]
    assert all([await run_raw(own, listing) for listing in listed])
    await run_raw(own, "DROP INDEX statement_claim_key")
    await run_raw(own, "DROP CONSTRAINT peer_checkpoint_hash")
    assert not any([await run_raw(own, listing) for listing in listed])
    async with connect_store(engine):
        assert all([await run_raw(own, listing) for listing in listed])


async def test_a_routing_driver_reads_and_writes(own: Store, engine: Endpoint) -> None:
    routed = replace(engine, uri=engine.uri.replace("bolt://", "neo4j://"))
    async with connect_store(routed, queries=queries) as store:
        await store.write(one("new_counter"))
        assert await store.read("value") == [{"value": 0}]


async def test_a_commit_whose_answer_is_lost_is_not_tried_again(own: Store, engine: Endpoint) -> None:
    calls = 0

    async def work(transaction: Transaction) -> None:
        nonlocal calls
        calls += 1
        await transaction.run("create", id=str(calls), at="2026-03-01T12:00:00Z")

    async with bolt_proxy(engine) as proxy, connect_store(proxy.endpoint, queries=queries) as store:
        proxy.cut_on, proxy.answered = COMMIT, True
        with pytest.raises(CommitUncertainError):
            await store.write(work)
    assert (proxy.cuts, calls) == (1, 1)
    assert [row["id"] for row in await own.read("all")] == ["1"]


async def test_a_line_that_breaks_before_the_commit_is_tried_again(own: Store, engine: Endpoint) -> None:
    async with bolt_proxy(engine) as proxy, connect_store(proxy.endpoint, queries=queries) as store:
        proxy.cut_on = RUN
        await store.write(one("create", id="a", at="2026-03-01T12:00:00Z"))
        proxy.cut_on = RUN
        assert await store.read("count") == [{"count": 1}]
    assert proxy.cuts == 2
    assert await own.read("count") == [{"count": 1}]


@on_neo4j  # the embedded engine is one server and has no bookmarks
async def test_a_read_carries_the_bookmark_of_the_write_before_it(own: Store, engine: Endpoint) -> None:
    async with bolt_proxy(engine) as proxy, connect_store(proxy.endpoint, queries=queries) as store:
        await store.write(one("create", id="a", at="2026-03-01T12:00:00Z"))
        proxy.sent.clear()
        await store.read("count")
    assert b"bookmarks" in proxy.sent


async def test_a_database_that_is_not_there_is_said_to_be_so(engine: Endpoint) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        uri = f"bolt://127.0.0.1:{closed.getsockname()[1]}"
        with pytest.raises(StoreUnavailableError, match=r"^the graph database does not answer: [^\n]+$"):
            async with connect_store(replace(engine, uri=uri)):
                pass


async def test_a_wrong_password_is_said_to_be_so_and_not_shown(engine: Endpoint) -> None:
    with pytest.raises(StoreUnavailableError, match="refused the login") as caught:
        async with connect_store(replace(engine, password="not-the-password")):
            pass
    assert "not-the-password" not in str(caught.value)
    assert engine.password not in repr(engine)


@on_neo4j  # the settings find the embedded engine by its folder: test_engine
async def test_the_settings_name_the_server(engine: Endpoint, store: Store, tmp_path: Path) -> None:
    settings = Settings(
        data=tmp_path / "unused",
        neo4j_uri=engine.uri,
        neo4j_user=engine.user,
        neo4j_password=engine.password,
        neo4j_database=engine.database,
    )
    seen: list[str] = []
    async with open_store(settings, seen.append) as opened:
        assert opened.kind == "neo4j"
        await opened.read("log_size")
    assert seen == ["log_size"]
    assert not settings.data.exists()


def test_collisions_are_another_error_than_a_taken_key() -> None:
    assert not issubclass(StoreBusyError, QueryError)
