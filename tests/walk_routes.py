"""Requests of every route that gives something; one that is not known here fails, so that a new one is walked."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from walk_names import Asked, Names, spread

from a2ap.boundary import Boundary
from cypher import load_query
from graph.answers.own_query import own_query_names
from graph.dictionary.labels import SOURCE_TEXTS
from graph.export.format import ExportFormat

JSON, LD, TURTLE = "application/json", "application/ld+json", "text/turtle"
PUBLIC_WORDS = ("council", "closed", "height limit", "quoted")
SOME = 3  # of many things of one kind, where each way of asking meets the same code

FOUND = {
    "Document": "(:Chunk)-[:PART_OF]->(n:Document)",
    "CITES": "(:Statement)-[n:CITES]->(:Chunk)",
    "CHALLENGED": "(:Agent)-[n:CHALLENGED]->(:Statement)",
}
"""The patterns for what is not found by its label alone."""

WORDS = tuple(
    f"MATCH {FOUND.get(label, f'(n:{label})')} RETURN {', '.join(f'n.{name} AS {name}' for name in names)}"
    for label, names in SOURCE_TEXTS.items()
)
"""Queries of all words of sources, by the label or type that has them."""

TEXTS = (
    "MATCH (s:Statement) RETURN s",
    "MATCH (v:Verification) RETURN v.verdict AS verdict, count(*) AS number",
    "MATCH (v:Verification) RETURN v",
    "MATCH (d:Document) RETURN d.boundary AS boundary, count(*) AS number",
    "MATCH (a:Agent)-[r:VERIFIED]->(s:Statement) RETURN a.agent_id AS agent, s.consensus_score AS score",
    "MATCH (s:Statement)-[c:CITES]->(k:Chunk) RETURN s.statement_id AS id, c, k",
    "MATCH (s:Statement) WHERE s.verified RETURN count(s) AS number",
    "MATCH (s:Statement) RETURN s.evidence_state AS state, s.machine_check AS checked, count(*) AS number",
    "MATCH (d:Document) RETURN d",
    "MATCH (d:Document) RETURN d.title AS title",
    "MATCH (d:Document)-[:SOURCED_FROM]->(s:Source) RETURN s",
    "MATCH (p:Packet) RETURN p",
    "MATCH (p:Pack) RETURN p",
    "MATCH (p:Passport) RETURN p",
    "MATCH (s:Step) RETURN s",
    "MATCH (r:Retraction) RETURN r",
    "MATCH (g:GoldLabel) RETURN g",
    "MATCH (e:LogEntry) RETURN e.type AS type, count(*) AS number",
    *WORDS,
)
"""Queries that a reader may think of; a refusal is an answer too."""

SPARQL = "SELECT ?s ?p ?o WHERE { ?s ?p ?o } LIMIT 9000"

Requests = Callable[[str, Names], list[Asked]]

_DOCUMENTS = (
    "/agents /sources /endorsements /policies /statements /verification-requests /verifications /key-registrations "
    "/key-revocations /deactivations /agent-versions /admission-policies /log-key-rotations /peer-agreements "
    "/equivocations /retractions /redactions /gold-labels /gold-disputes /probes /declines /challenge-answers "
    "/leases /passports /packets /packet-records /packs"
)

TAKING = {("POST", path) for path in (*_DOCUMENTS.split(), "/graphql")} | {("PUT", "/sources/{document_hash}")}
"""Routes that take documents in, and the one of GraphQL, which is walked by its schema."""


def requests_of(description: Mapping[str, Any], names: Names) -> list[Asked]:
    """Return requests of every route that an OpenAPI description has; raises KeyError for one that is not known."""
    asked: list[Asked] = []
    for path, methods in description["paths"].items():
        for method in methods:
            if (method.upper(), path) not in TAKING:
                asked += _ROUTES[method.upper(), path](path, names)
    return asked


def guesses_of(word: str) -> list[Asked]:
    """Return requests that look for a word by each route that takes words."""
    contains = f'SELECT (COUNT(*) AS ?n) WHERE {{ ?s ?p ?o FILTER(CONTAINS(STR(?o), "{word}")) }}'
    texts = (
        f"MATCH (s:Statement) WHERE s.claim_text CONTAINS '{word}' RETURN count(s) AS number",
        f"MATCH (s:Source) WHERE s.title CONTAINS '{word}' RETURN count(s) AS number",
    )
    return [
        *(Asked("GET", "/search", {"q": f"{where}{word}"}) for where in ("", "title:", "evidence:")),
        Asked("POST", "/ask", body={"question": f"What is said about {word}?"}),
        Asked("GET", "/export", {"format": ExportFormat.GRAPH_ROWS, "query": word}),
        Asked("GET", "/sparql", {"query": contains}, {"accept": "application/sparql-results+json"}),
        *(Asked("POST", "/cypher", body={"text": text}) for text in texts),
    ]


def _plain(path: str, names: Names) -> list[Asked]:
    return [Asked("GET", path), Asked("HEAD", path), Asked("GET", path, headers={"accept": LD})]


def _each(found: str, *others: str) -> Requests:
    """Return what asks for each thing of a kind, and for some in other types of content as well."""

    def asked(path: str, names: Names) -> list[Asked]:
        places = [re.sub(r"\{.*\}", name, path) for name in getattr(names, found)]
        some = spread(places, SOME)
        told = [Asked("GET", one, headers={"accept": kind}) for kind in others for one in some]
        return [*(Asked("GET", one) for one in places), *told, *(Asked("HEAD", one) for one in some[:3])]

    return asked


def _statements(path: str, names: Names) -> list[Asked]:
    by_id = [Asked("GET", path.replace("{name}", name)) for name in spread(names.statement_ids, SOME)]
    return [*_each("statements", LD, TURTLE)(path, names), *by_id]


def _bundles(path: str, names: Names) -> list[Asked]:
    return [Asked("GET", path.replace("{name}", name)) for name in spread(names.statements, SOME)]


def _sources(path: str, names: Names) -> list[Asked]:
    headers: tuple[dict[str, str], ...] = ({}, {"range": "bytes=0-20"}, {"range": "bytes=-9"}, {"if-none-match": "*"})
    places = [path.replace("{document_hash}", name) for name in (*names.sources, *names.messages[:2])]
    partly = [Asked(method, one, headers=sent) for one in places[::4] for sent in headers for method in ("GET", "HEAD")]
    return [*(Asked("GET", one) for one in places), *partly]


def _contents(path: str, names: Names) -> list[Asked]:
    pairs = [*names.contents, *((names.contents[0][0], source) for source in names.sources)]
    return [
        Asked("GET", path.replace("{record_hash}", run).replace("{content_hash}", content)) for run, content in pairs
    ]


def _exports(path: str, names: Names) -> list[Asked]:
    rows = {"format": ExportFormat.GRAPH_ROWS}
    formats = sorted(ExportFormat, key=lambda name: name is not ExportFormat.GRAPH_ROWS)
    asked = [Asked("GET", path, {"format": name}) for name in formats]
    selections = ({"statement": names.statements[0]}, {"archive": "true"}, {"pseudonymize": "true"}, {"since": "40"})
    return [*asked, *(Asked("GET", path, {**rows, **one}) for one in selections)]


def _searches(path: str, names: Names) -> list[Asked]:
    return [Asked("GET", path, {"q": word, "first": "100"}) for word in (*PUBLIC_WORDS, "vote", "minutes", "vot*")]


def _entries(path: str, names: Names) -> list[Asked]:
    return [Asked("GET", path.replace("{index}", str(index))) for index in range(len(names.messages))]


def _tiles(path: str, names: Names) -> list[Asked]:
    size = len(names.messages)
    return [Asked("GET", path.replace("{path}", tile)) for tile in (f"0/000.p/{size}", f"entries/000.p/{size}")]


def _cypher(path: str, names: Names) -> list[Asked]:
    parameters = {
        "agent": names.agents[2],
        "documents": names.sources,
        "first": 100,
        "id": names.statements[0],
        "one": names.agents[2],
        "other": names.agents[3],
        "question": "what was quoted of the meeting",
        "readable": [str(boundary) for boundary in Boundary],
        "statements": names.statements,
        "topic": "quoted",
    }
    asked = [Asked("POST", path, body={"text": text}) for text in TEXTS]
    for name in own_query_names():
        used = set(re.findall(r"\$(\w+)", load_query(name).text))
        asked.append(Asked("POST", path, body={"name": name, "parameters": {one: parameters[one] for one in used}}))
    return asked


def _asks(path: str, names: Names) -> list[Asked]:
    questions = ("What is quoted?", "Who verified closed sessions?", "How many statements are there?", "vote")
    return [Asked("POST", path, body={"question": one}) for one in questions]


def _sparql(path: str, names: Names) -> list[Asked]:
    return [Asked("GET", path, {"query": SPARQL}, {"accept": "text/csv"})]


def _fetched(path: str, names: Names) -> list[Asked]:
    several = [names.messages[start : start + 40] for start in range(0, len(names.messages), 40)]
    return [Asked("POST", path, body={"hashes": some}) for some in (*several, names.sources)]


def _orders(path: str, names: Names) -> list[Asked]:
    order = {"recipient": "urn:agent:reader", "purpose": "Sum it up.", "ceiling": "confidential"}
    some = (names.statements[:1], names.statements[1:60], names.statement_ids[-20:])
    asked = [{**order, "statements": one, **ceiling} for one in some for ceiling in ({}, {"ceiling": "public"})]
    return [Asked("POST", path, body=one) for one in (*asked, {**order, "topics": ["quoted", "closed"]})]


_PLAIN = (
    "/ /graphql/schema.graphql /healthz /readyz /log/checkpoint /log/equivocations /.well-known/a2ap "
    "/.well-known/did.json"
)

_ROUTES: dict[tuple[str, str], Requests] = {
    **{("GET", path): _plain for path in _PLAIN.split()},
    ("GET", "/graphql"): lambda path, names: [Asked("GET", path, {"query": "{ log { size } }"})],
    ("GET", "/scores"): lambda path, names: [],  # asked with all that is of the past
    ("GET", "/statements/{name}"): _statements,
    ("GET", "/statements/{name}/bundle"): _bundles,
    ("GET", "/verifications/{name}"): _each("verifications", LD, TURTLE),
    ("GET", "/agents/{name}"): _each("agents", LD, TURTLE),
    ("GET", "/sources/{document_hash}"): _sources,
    ("GET", "/export"): _exports,
    ("GET", "/messages/{document_hash}"): _each("messages_of_each_type"),
    ("POST", "/messages/fetch"): _fetched,
    ("GET", "/log/tile/{path}"): _tiles,
    ("GET", "/log/{index}"): _entries,
    ("GET", "/passports/{record_hash}"): _each("passports"),
    ("POST", "/packets/assemble"): _orders,
    ("GET", "/packets/{name}"): _each("packets"),
    ("GET", "/packet-records/{record_hash}"): _each("packet_records"),
    ("GET", "/packs/{record_hash}"): _each("packs"),
    ("GET", "/packs/{record_hash}/content/{content_hash}"): _contents,
    ("GET", "/search"): _searches,
    ("POST", "/ask"): _asks,
    ("POST", "/cypher"): _cypher,
    ("GET", "/sparql"): _sparql,
    ("POST", "/sparql"): lambda path, names: [],  # takes the same queries as the GET
}
