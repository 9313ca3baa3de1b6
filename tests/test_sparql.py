"""SPARQL over the exported triples: read only, bounded, for whoever may see what; and what is refused."""

import asyncio
import csv
import io
import json
import os
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import httpx
import pytest
import pytest_asyncio
from builders import signed_source, signed_statement
from cli_runner import environment
from export_world import SECRET, WORDS_ABOUT_SECRET
from http_client import OPERATOR, bearer, open_client
from hypothesis import given
from hypothesis import strategies as st
from pyoxigraph import BlankNode, NamedNode
from pyoxigraph import Literal as OxLiteral
from rdf_world import RdfWorld, small_world
from rdflib import Graph
from rdflib.query import Result, ResultRow
from scenario import AUTHOR, accept
from served import served
from sparql_listener import Listener, listener
from sparql_queries import REFUSED, TWO_READINGS

from a2ap.boundary import STRICTEST, Boundary
from graph.errors import SparqlTextError, SparqlTimeoutError, TooLargeError
from graph.platform import Platform
from graph.sparql import stores as stores_module
from graph.sparql.folder import FOLDER, held_size, remove_stores
from graph.sparql.results import WRITERS, write_truth
from graph.sparql.stores import Answer, SparqlStores, Wanted

__all__ = ["listener", "small_world"]

CLAIMS = "SELECT ?text WHERE { ?s a a2ap:ProvenanceStatement ; a2ap:claim/schema:text ?text }"


@given(st.lists(st.tuples(st.text(), st.text())))
def test_rows_are_read_back_from_every_notation(pairs: list[tuple[str, str]]) -> None:
    pairs = [
        (one.encode("utf-8", "replace").decode(), other.encode("utf-8", "replace").decode()) for one, other in pairs
    ]
    rows = [(OxLiteral(one), OxLiteral(other)) for one, other in pairs]
    read = json.loads("".join(WRITERS["json"](["a", "b"], rows)))["results"]["bindings"]
    assert [(row["a"]["value"], row["b"]["value"]) for row in read] == pairs
    lines = "".join(WRITERS["csv"](["a", "b"], rows))
    found = list(csv.reader(io.StringIO(lines, newline=""), strict=True))[1:]
    assert found == [list(pair) for pair in pairs]


ROW = (
    NamedNode("urn:x"),
    BlankNode("b"),
    OxLiteral('a\t<b>&"c"\n'),
    OxLiteral("ça", language="fr"),
    OxLiteral(7),
    None,
)
NAMES = ["iri", "blank", "text", "word", "number", "nothing"]


@pytest.mark.parametrize("format", ["json", "xml", "tsv"])
def test_rdflib_reads_the_same_terms_from_every_notation(format: str) -> None:
    text = "".join(WRITERS[format](NAMES, [ROW]))
    (row,) = Result.parse(io.BytesIO(text.encode()), format=format)
    assert isinstance(row, ResultRow)
    values = {str(name): str(value) for name, value in row.asdict().items()}
    assert values["iri"] == "urn:x" and values["number"] == "7" and values["word"] == "ça"
    assert values["text"] == 'a\t<b>&"c"\n' and "nothing" not in values


def test_a_truth_is_read_by_rdflib() -> None:
    for format in ("json", "xml"):
        assert Result.parse(io.BytesIO(write_truth(format, True).encode()), format=format).askAnswer is True


Limited = Callable[[float, int], SparqlStores]


@pytest.fixture(scope="module")
def limited(small_world: RdfWorld, tmp_path_factory: pytest.TempPathFactory) -> Limited:
    """Give stores of the graph, all in one folder, with a limit in seconds and one in rows."""
    platform, data = small_world.platform, tmp_path_factory.mktemp("sparql")
    return lambda seconds, rows: SparqlStores(platform.store, platform.content, data, seconds=seconds, rows=rows)


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def stores(limited: Limited) -> AsyncIterator[SparqlStores]:
    """Yield the stores of the graph."""
    made = limited(30.0, 5_000)
    yield made
    await made.aclose()


def rows_of(answer: Answer) -> list[dict[str, str]]:
    bindings = json.loads(answer.content)["results"]["bindings"]
    return [{name: term["value"] for name, term in row.items()} for row in bindings]


async def test_the_union_of_all_graphs_is_asked_and_each_graph_by_its_name(stores: SparqlStores) -> None:
    texts = {row["text"] for row in rows_of(await stores.ask(STRICTEST, CLAIMS, Wanted()))}
    assert "There is a memo." in texts
    query = "SELECT DISTINCT ?g WHERE { GRAPH ?g { ?c a a2ap:Claim } }"
    graphs = [row["g"] for row in rows_of(await stores.ask(STRICTEST, query, Wanted()))]
    assert graphs and all(name.endswith("#assertion") for name in graphs)
    wanted = Wanted(default_graphs=(graphs[0],))
    assert len(rows_of(await stores.ask(STRICTEST, "SELECT ?c WHERE { ?c a a2ap:Claim }", wanted))) == 1


async def test_the_store_holds_what_the_turtle_holds(stores: SparqlStores, small_world: RdfWorld) -> None:
    from graph.export import ExportFormat

    query = "SELECT (COUNT(*) AS ?n) WHERE { ?s ?p ?o FILTER(ISBLANK(?s) || !STRSTARTS(STR(?s), %s)) }"
    query = query.replace("%s", "'urn:a2ap:nanopublication:'")
    (row,) = rows_of(await stores.ask(STRICTEST, query, Wanted()))
    turtle = Graph().parse(data=await small_world.exported(ExportFormat.TURTLE, STRICTEST), format="turtle")
    assert int(row["n"]) == len(turtle)


async def test_what_a_reader_may_not_see_is_in_no_store_of_theirs(stores: SparqlStores) -> None:
    held = " || ".join(f"CONTAINS(?o, {json.dumps(words)})" for words in (SECRET, WORDS_ABOUT_SECRET))
    query = f"SELECT ?o WHERE {{ ?s ?p ?o FILTER(ISLITERAL(?o) && ({held})) }}"
    for clearance in (Boundary.PUBLIC, Boundary.INTERNAL):
        assert rows_of(await stores.ask(clearance, query, Wanted())) == []
    assert len(rows_of(await stores.ask(Boundary.CONFIDENTIAL, query, Wanted()))) >= 3


async def test_triples_come_as_turtle_or_as_n_triples(stores: SparqlStores) -> None:
    query = "CONSTRUCT { ?s a ?c } WHERE { ?s a ?c } LIMIT 20"
    for form, name in (("turtle", "turtle"), ("nt", "nt")):
        answer = await stores.ask(STRICTEST, query, Wanted(triples=form))
        assert answer.is_triples
        assert 0 < len(Graph().parse(data=answer.content, format=name)) <= 20


HOSTILE = REFUSED | TWO_READINGS


@pytest.mark.parametrize("query", HOSTILE.values(), ids=HOSTILE)
async def test_a_hostile_query_changes_nothing_and_reaches_nobody(
    stores: SparqlStores, listener: Listener, query: str
) -> None:
    held = await stores.ask(Boundary.PUBLIC, "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }", Wanted())
    with pytest.raises((SparqlTextError, TooLargeError)):
        await stores.ask(Boundary.PUBLIC, listener.named_in(query), Wanted())
    assert listener.visits() == 0
    assert await stores.ask(Boundary.PUBLIC, "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }", Wanted()) == held


BOMB = "SELECT (COUNT(*) AS ?n) WHERE { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }"


async def test_a_query_that_runs_away_is_ended_and_keeps_nobody_waiting(stores: SparqlStores, limited: Limited) -> None:
    await stores.ask(Boundary.PUBLIC, "ASK {}", Wanted())
    hasty = limited(1.0, 5_000)
    started = asyncio.create_task(hasty.ask(Boundary.PUBLIC, BOMB, Wanted()))
    assert json.loads((await stores.ask(Boundary.PUBLIC, "ASK {}", Wanted())).content)["boolean"] is True
    with pytest.raises(SparqlTimeoutError, match="longer than 1 seconds"):
        await started
    assert await workers_left() == 0


async def workers_left() -> int:
    """Count the processes of this one that are a query's and have not ended."""
    task = await asyncio.create_subprocess_exec(
        "ps", "-o", "pid=,args=", "--ppid", str(os.getpid()), stdout=asyncio.subprocess.PIPE
    )
    found, _ = await task.communicate()
    return sum(b"graph.sparql.worker query" in line for line in found.splitlines())


async def test_an_answer_with_too_many_rows_is_refused_and_says_how_many_there_may_be(
    stores: SparqlStores, limited: Limited
) -> None:
    few = limited(30.0, 3)
    with pytest.raises(TooLargeError, match="more than 3 rows"):
        await few.ask(STRICTEST, "SELECT ?s WHERE { ?s ?p ?o }", Wanted())
    with pytest.raises(TooLargeError, match="more than 3 rows"):
        await few.ask(STRICTEST, "CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }", Wanted())
    assert len(rows_of(await few.ask(STRICTEST, "SELECT ?s WHERE { ?s ?p ?o } LIMIT 3", Wanted()))) == 3


async def test_an_answer_that_is_too_long_is_refused(stores: SparqlStores, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stores_module, "_MAX_ANSWER", 1000)
    with pytest.raises(TooLargeError, match="more than 1000 bytes"):
        await stores.ask(STRICTEST, "SELECT * WHERE { ?s ?p ?o } LIMIT 100", Wanted())


async def test_new_entries_are_in_the_next_answer_and_an_erasure_takes_the_store_away(
    small_world: RdfWorld, tmp_path: Path
) -> None:
    platform = small_world.platform
    made = SparqlStores(platform.store, platform.content, tmp_path, seconds=30.0, rows=5_000)
    before = await made.ask(Boundary.PUBLIC, CLAIMS, Wanted())
    await accept(platform, signed_statement(AUTHOR, claim="Said after the first question."))
    after = await made.ask(Boundary.PUBLIC, CLAIMS, Wanted())
    assert after.size > before.size
    assert {row["text"] for row in rows_of(after)} - {row["text"] for row in rows_of(before)} == {
        "Said after the first question."
    }
    folder = tmp_path / FOLDER / "public"
    assert held_size(folder) == after.size
    # A source that is registered can change the quads of earlier entries (`test_sparql_outdated.py`).
    await accept(platform, signed_source(AUTHOR, source=b"Another source.", source_id="urn:doc:test:late"))
    assert (await made.ask(Boundary.PUBLIC, CLAIMS, Wanted())).size > after.size
    remove_stores(tmp_path, held_size(folder))
    assert held_size(folder) == 0 and not (folder / "store").exists()
    assert rows_of(await made.ask(Boundary.PUBLIC, CLAIMS, Wanted()))


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def client(small_world: RdfWorld, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[httpx.AsyncClient]:
    """Yield a client of the platform's application."""
    platform: Platform = small_world.platform
    async with open_client(platform, tmp_path_factory.mktemp("client"), sparql_timeout=30.0) as client:
        yield client


async def test_a_query_is_asked_as_the_protocol_says(client: httpx.AsyncClient) -> None:
    form = {"content-type": "application/x-www-form-urlencoded"}
    posted = {"content-type": "application/sparql-query"}
    answers = [
        await client.get("/sparql", params={"query": CLAIMS}),
        await client.post("/sparql", content=urlencode({"query": CLAIMS}), headers=form),
        await client.post("/sparql", content=CLAIMS, headers=posted),
    ]
    assert {answer.status_code for answer in answers} == {200}
    assert {answer.headers["content-type"] for answer in answers} == {"application/sparql-results+json"}
    assert len({answer.content for answer in answers}) == 1
    assert answers[0].headers["x-a2ap-log-size"].isdigit()


@pytest.mark.parametrize(
    ("accept", "query", "given"),
    [
        ("application/sparql-results+xml", CLAIMS, "application/sparql-results+xml"),
        ("text/csv", CLAIMS, "text/csv; charset=utf-8"),
        ("text/tab-separated-values", CLAIMS, "text/tab-separated-values; charset=utf-8"),
        ("*/*", "ASK {}", "application/sparql-results+json"),
        ("text/turtle", "CONSTRUCT WHERE { ?s a a2ap:Claim }", "text/turtle; charset=utf-8"),
        ("application/n-triples", "CONSTRUCT WHERE { ?s a a2ap:Claim }", "application/n-triples"),
        ("text/csv", "CONSTRUCT WHERE { ?s a a2ap:Claim }", "text/turtle; charset=utf-8"),
    ],
)
async def test_the_answer_is_in_the_form_that_is_asked_for(
    client: httpx.AsyncClient, accept: str, query: str, given: str
) -> None:
    answer = await client.get("/sparql", params={"query": query}, headers={"accept": accept})
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == given


async def test_a_token_opens_what_its_reader_may_see(client: httpx.AsyncClient) -> None:
    query = {"query": f"ASK {{ ?s ?p ?o FILTER(ISLITERAL(?o) && CONTAINS(?o, {json.dumps(SECRET)})) }}"}
    assert (await client.get("/sparql", params=query)).json()["boolean"] is False
    assert (await client.get("/sparql", params=query, headers=bearer(OPERATOR))).json()["boolean"] is True


REQUESTS: dict[str, dict[str, Any]] = {
    "without a query": {"method": "GET", "url": "/sparql"},
    "with two queries": {"method": "GET", "url": "/sparql?query=ASK{}&query=ASK{}"},
    "with an update": {"method": "POST", "url": "/sparql", "data": {"update": "CLEAR ALL"}},
    "with an update beside a query": {
        "method": "POST",
        "url": "/sparql",
        "data": {"query": "ASK{}", "update": "CLEAR ALL"},
    },
    "with an update as its body": {
        "method": "POST",
        "url": "/sparql",
        "content": "CLEAR ALL",
        "headers": {"content-type": "application/sparql-update"},
    },
    "with another type": {"method": "POST", "url": "/sparql", "json": {"query": "ASK {}"}},
    "with a graph from the network": {
        "method": "GET",
        "url": "/sparql?query=ASK{}&default-graph-uri=http://127.0.0.1:1/",
    },
    "with bytes that are no text": {
        "method": "POST",
        "url": "/sparql",
        "content": b"\xff\xfe",
        "headers": {"content-type": "application/sparql-query"},
    },
}


@pytest.mark.parametrize("request_", REQUESTS.values(), ids=REQUESTS)
async def test_a_request_that_is_no_query_is_refused_with_a_sentence(
    client: httpx.AsyncClient, request_: dict[str, Any]
) -> None:
    answer = await client.request(**request_)
    assert answer.status_code == 400
    assert answer.headers["content-type"] == "application/problem+json" and answer.json()["detail"]


async def test_a_form_that_there_is_none_of_is_refused(client: httpx.AsyncClient) -> None:
    answer = await client.get("/sparql", params={"query": "ASK {}"}, headers={"accept": "image/png"})
    assert answer.status_code == 406


async def test_without_the_engine_the_answer_names_the_extra(
    client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stores_module, "find_spec", lambda name: None)
    answer = await client.get("/sparql", params={"query": "ASK {}"})
    assert answer.status_code == 501
    assert "extra `sparql`" in answer.json()["detail"]


async def test_the_command_asks_a_platform_and_the_database_of_the_settings(small_world: RdfWorld) -> None:
    platform, endpoint = small_world.platform, small_world.platform.store.endpoint
    async with served(platform) as url:
        assert await command("ASK {}", "--url", url) == b"true\n"
        triples = await command("CONSTRUCT WHERE { ?s a a2ap:Claim }", "--url", url, "--format", "turtle")
        assert len(Graph().parse(data=triples, format="turtle")) >= 4
    if endpoint.kind == "neo4j":  # the embedded engine of a test is in no data folder of a command
        settings = {"NEO4J_URI": endpoint.uri, "NEO4J_USER": endpoint.user, "NEO4J_PASSWORD": endpoint.password}
        found = await command(CLAIMS, "--format", "csv", **settings, A2AP_DATA=str(platform.settings.data))
        assert b"There is a memo." in found.splitlines()


async def command(*arguments: str, **variables: str) -> bytes:
    """Return what `a2ap graph sparql` prints."""
    started = [sys.executable, "-m", "graph.cli", "sparql", *arguments]
    process = await asyncio.create_subprocess_exec(
        *started, env=environment(**variables), stdout=asyncio.subprocess.PIPE
    )
    printed, _ = await process.communicate()
    assert process.returncode == 0
    return printed
