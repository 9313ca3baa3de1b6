"""The hash of a quote of a closed source leaves by no door below its class: short quotes are guessed from it."""

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
import pytest_asyncio
from builders import (
    QUOTE,
    envelope_of,
    segment,
    sign,
    signed_answer,
    signed_response,
    signed_source,
    signed_statement,
    source_redaction_message,
    statement_message,
)
from export_fixture import text_of
from graph_contents import run_raw
from http_client import OPERATOR, READERS, ask, bearer, open_client
from scenario import AUTHOR, VERIFIER_A, VERIFIER_B, accept, hash_of, pieces, settle
from servers import server_on

from a2ap.boundary import Boundary
from a2ap.canonical import sha256_digest
from a2ap.messages.evidence import ByteRange
from a2ap.messages.verification_response import Verdict
from a2ap.signing.disclosure import make_disclosure
from graph.export import ExportFormat
from graph.platform import Platform
from graph.store import Store

SECRET = "forty two"
CLOSED = f"Minutes of a closed session.\nThe price is {SECRET}.\n".encode()
CLOSED_ID = "urn:doc:test:closed-session"
CITED = segment(SECRET, source=CLOSED, source_id=CLOSED_ID)
POINTER = {name: value for name, value in CITED.items() if name not in ("quoteText", "relevanceScore")}
DISCLOSURE = make_disclosure(SECRET, bytes(range(16)))
WORDLESS = {"criterion": "source-accuracy", "status": "PASS", "evidence": "", "confidence": 0.9}
HASH = sha256_digest(SECRET.encode()).removeprefix("sha256:")

TOKENS = {"nobody": None, "internal": READERS["internal"], "confidential": READERS["confidential"]}
readers = pytest.mark.parametrize("reader", TOKENS)

# All others are made of the same nodes and edges, read by the same queries.
ON_BOTH_ENGINES = (ExportFormat.GRAPH_ROWS, ExportFormat.TURTLE)
formats = [
    pytest.param(one, marks=[pytest.mark.both_engines] if one in ON_BOTH_ENGINES else []) for one in ExportFormat
]


@dataclass(frozen=True, slots=True)
class World:
    """A platform with a confidential source, messages that state the hash of its words, and a client of it."""

    platform: Platform
    client: httpx.AsyncClient
    statements: tuple[bytes, ...]
    verdicts: tuple[bytes, ...]
    answer: bytes

    @property
    def messages(self) -> tuple[bytes, ...]:
        """Return all of the messages that state the hash."""
        return (*self.statements, *self.verdicts, self.answer)

    @property
    def claim_hashes(self) -> list[str]:
        """Return the hashes of claim and evidence, which cover that of the words."""
        return [json.loads(one)["claim"]["contentHash"].removeprefix("sha256:") for one in self.statements]

    def tells(self, text: str) -> list[str]:
        """Return the hashes that somebody who reads this could try words against."""
        return [name for name in (HASH, *self.claim_hashes) if name in text]


def headers(reader: str, **more: str) -> dict[str, str]:
    token = TOKENS[reader]
    return {**(bearer(token) if token else {}), **more}


@pytest_asyncio.fixture(loop_scope="session", scope="module")
async def world(module_store: Store, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[World]:
    """Yield the world that the tests of this module read; the last of them erases the words."""
    folder = tmp_path_factory.mktemp("closed")
    async with server_on(module_store, folder) as platform:
        await settle(platform)
        await accept(
            platform,
            signed_source(AUTHOR, source=CLOSED, source_id=CLOSED_ID, boundary=Boundary.CONFIDENTIAL),
        )
        await platform.sources.put(sha256_digest(CLOSED), pieces(CLOSED))
        by_digest = statement_message(
            AUTHOR,
            claim="By a digest.",
            evidence=[{**CITED, "quoteText": DISCLOSURE.reference}, segment()],
            disclosures=[DISCLOSURE],
        )
        statements = (
            signed_statement(AUTHOR, claim="Both say so.", evidence=[CITED, segment()]),
            sign(by_digest, AUTHOR),
            signed_statement(AUTHOR, claim="By a hash.", evidence=[POINTER]),
            signed_statement(VERIFIER_B, claim="By a hash.", evidence=[POINTER]),
        )
        challenge = signed_response(
            statements[0], VERIFIER_A, verdict=Verdict.CHALLENGED, reason="It says less.", evidence=[POINTER]
        )
        verdicts = (challenge, signed_response(statements[1], VERIFIER_A, findings=[WORDLESS], evidence=[POINTER]))
        answer = signed_answer(challenge, AUTHOR, evidence=[POINTER])
        await accept(platform, *statements, *verdicts, answer)
        async with open_client(platform, folder) as client:
            yield World(platform, client, statements, verdicts, answer)


# Every way to a passage, to what cites it, and to what points at it.
CHUNK = "globalId contentHash text withheld"
QUERIES = (
    """{ statements(first: 9) { nodes { claimText contentHash evidence { %(chunk)s }
      citations { contentHash chunk { %(chunk)s } } } } }""",
    """{ statements(first: 4) { nodes {
      verifications(first: 2) { evidence { contentHash } statement { contentHash } } } } }""",
    """{ verifications(first: 9) { nodes { evidence { contentHash } statement { contentHash } answers(first: 2) {
      nodes { evidence { contentHash } } } } } }""",
    """{ documents(first: 4) { nodes { chunks(first: 4) { nodes { %(chunk)s citedBy(first: 4) { contentHash }
      citedByConnection(first: 4) { nodes { contentHash citations { contentHash } } } } } } } }""",
    """{ evidenceChain(statementId: "%(name)s") { %(chunk)s citedBy(first: 4) { contentHash } }
      statement(id: "%(name)s") { contentHash challenges(first: 2) { nodes { evidence { contentHash } } } } }""",
    """{ drift(a: "%(a)s", b: "%(b)s") { claims(first: 2) { nodes {
      sameEvidence a { contentHash evidence { contentHash } } } } } }""",
)


async def everything(world: World, token: str | None) -> dict[str, Any]:
    """Return the answers to all of the queries, each member as the first query that asks for it has it."""
    named = {"a": envelope_of(world.statements[2]).agent_id, "b": envelope_of(world.statements[3]).agent_id}
    named |= {"chunk": CHUNK, "name": hash_of(world.statements[0])}
    answers = [await ask(world.client, query % named, token=token) for query in QUERIES]
    return {"all": answers, **answers[-1], **answers[0]}


@pytest.mark.both_engines
@readers
async def test_no_field_of_graphql_has_it(world: World, reader: str) -> None:
    cleared = reader == "confidential"
    answer = await everything(world, TOKENS[reader])
    for one in answer["all"]:
        told = world.tells(json.dumps(one))
        assert HASH in told if cleared else told == []
    assert set(world.tells(json.dumps(answer))) == ({HASH, *world.claim_hashes} if cleared else set())
    assert sha256_digest(QUOTE.encode()) in json.dumps(answer), "that of a public passage is shown beside it"
    (claim,) = answer["drift"]["claims"]["nodes"]
    assert claim["sameEvidence"] is cleared
    found = next(one for one in answer["statements"]["nodes"] if one["claimText"] == "Both say so.")
    ids = [chunk["globalId"] for chunk in found["evidence"]]
    query = "query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Chunk { contentHash text } } }"
    looked_up = await ask(world.client, query, {"ids": ids}, token=TOKENS[reader])
    assert [node["contentHash"] is not None for node in looked_up["nodes"]] == [cleared, True]


@pytest.mark.both_engines
@pytest.mark.parametrize("format", formats)
async def test_no_export_has_it(world: World, format: ExportFormat) -> None:
    assert world.tells(await text_of(world.platform, format, Boundary.INTERNAL)) == []
    told = world.tells(await text_of(world.platform, format, Boundary.CONFIDENTIAL))
    if format in (ExportFormat.PROVN, ExportFormat.PROV_JSON, ExportFormat.PROV_JSONLD):
        assert told == world.claim_hashes, "PROV has the hash of a claim and none of passages"
    else:
        assert told == ([] if format is ExportFormat.LOG else [HASH, *world.claim_hashes])


@readers
async def test_no_document_has_it(world: World, reader: str) -> None:
    told = []
    for document in world.messages:
        answer = await world.client.get(f"/messages/{envelope_of(document).document_hash}", headers=headers(reader))
        assert answer.status_code == (200 if reader == "confidential" else 403)
        told.append(answer.text)
    places = [f"/statements/{hash_of(one)}" for one in world.statements]
    places += [f"/verifications/{hash_of(one)}" for one in world.verdicts]
    for place in places:
        for form in ("application/json", "application/ld+json", "text/turtle"):
            answer = await world.client.get(place, headers=headers(reader, accept=form))
            assert answer.status_code == (200 if reader == "confidential" or form == "text/turtle" else 403), place
            told.append(answer.text)
    assert [HASH in text for text in told] == [reader == "confidential"] * len(told)
    for one in world.statements:
        answer = await world.client.get(f"/statements/{hash_of(one)}/bundle", headers=headers(reader))
        assert answer.status_code == (200 if reader == "confidential" else 403)
        told.append(answer.text)
    if reader != "confidential":
        assert world.tells("".join(told)) == []


@pytest.mark.both_engines
@readers
async def test_no_query_of_a_readers_own_has_it(world: World, reader: str) -> None:
    query = "SELECT ?s ?hash WHERE { ?s a2ap:contentHash ?hash }"
    answer = await world.client.get("/sparql", params={"query": query}, headers=headers(reader))
    assert answer.status_code == 200, answer.text
    assert bool(world.tells(answer.text)) == (reader == "confidential")
    found = "MATCH (s:Statement)-[r:CITES]->(c:Chunk)"
    for text in (
        f"{found} RETURN s, r, c LIMIT 50",
        "MATCH (v:Verification) RETURN v LIMIT 50",
        "MATCH (n:ChallengeAnswer) RETURN n LIMIT 50",
    ):
        answer = await world.client.post("/cypher", headers=headers(reader), json={"text": text})
        assert answer.status_code == 200, answer.text
        assert bool(world.tells(answer.text)) == (reader == "confidential"), text
    for column in ("c.content_hash", "r.content_hash", "s.content_hash"):
        for rest in (f"RETURN {column} AS found", f"WHERE {column} ENDS WITH '{HASH}' RETURN count(c) AS found"):
            body = {"text": f"{found} {rest} LIMIT 50"}
            answer = await world.client.post("/cypher", headers=headers(reader), json=body)
            assert answer.status_code == 200, answer.text
            rows = json.dumps(answer.json()["rows"])
            is_told = bool(world.tells(rows)) or ("count" in rest and rows != "[[0]]")
            # The hash of a claim covers that of the passage, and is another.
            is_there = column != "s.content_hash" or "count" not in rest
            assert is_told == (reader == "confidential" and is_there), rest


async def test_the_hash_of_an_erased_passage_goes_with_its_words(world: World) -> None:
    # The last test, for it changes the world.
    start, end = CITED["byteRange"]["start"], CITED["byteRange"]["end"]
    left = CLOSED[:start] + b" " * (end - start) + CLOSED[end:]
    platform = world.platform
    message = source_redaction_message(
        sha256_digest(CLOSED),
        redacting_agent=platform.node.agent_id,
        byte_ranges=[ByteRange(start, end)],
        redacted_document_hash=sha256_digest(left),
    )
    await accept(platform, platform.node.sign(message).envelope.received)
    await accept(platform, signed_statement(AUTHOR, claim="Said again.", evidence=[POINTER]))
    assert world.tells(json.dumps(await everything(world, OPERATOR))) == []
    for format in (ExportFormat.GRAPH_ROWS, ExportFormat.TURTLE, ExportFormat.JSON_LD):
        assert world.tells(await text_of(platform, format)) == []
    stored = await run_raw(
        platform.store, "MATCH ()-[r:CITES]->(c:Chunk) RETURN r.content_hash AS cited, c.content_hash AS kept"
    )
    assert world.tells(json.dumps([dict(row) for row in stored])) == []
