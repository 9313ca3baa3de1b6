"""What was known then: every root field with `asOf` answers as the platform did when its log had that size."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio
from builders import (
    QUOTE,
    SOURCE,
    agent_id,
    agent_key,
    disclosure_redaction_message,
    key_id,
    segment,
    sign,
    signed_registration,
    signed_response,
    signed_source,
    signed_statement,
    source_redaction_message,
)
from conftest import HEAP
from export_world import everything
from graph_contents import whole_graph
from graphql import GraphQLInterfaceType, build_schema
from http_client import OPERATOR, ask, open_client, send
from key_world import revocation_by_node
from packs import pack
from passports import signed_world
from scenario import AUTHOR, STRANGER, VERIFIER_A, VERIFIER_B, accept, hash_of, settle
from servers import server_on

from a2ap.boundary import Boundary
from a2ap.canonical import sha256_digest
from a2ap.log.log_proof import read_log_proof, verify_log_proof
from a2ap.messages.redaction import redacted_bytes
from a2ap.messages.verification_response import Verdict
from a2ap.signing.disclosure import Disclosure, make_disclosure
from a2ap.times import format_instant
from graph.cypher_text.query import CheckedQuery
from graph.errors import CypherTextError, ForbiddenError, PastNotReadyError
from graph.graphql.node import encode_global_id
from graph.graphql.schema import create_schema
from graph.log.entry import entry_from_row, log_size
from graph.log.watch import LogWatch
from graph.past.past_graph import PastGraph
from graph.past.pasts import Pasts
from graph.platform import Platform
from graph.problem import ProblemKind
from graph.problem_table import problem_of
from graph.requests.share import Share
from graph.settings import Settings
from graph.store import Store

_PATIENCE = 1200.0  # seconds; the engine of the past starts beside many others here

# Every root field that can be asked about the past, and all that hangs below.
_LISTS = """query ($asOf: AsOf, $id: ID!, $author: ID!, $verifier: ID!) {
  statements(first: 100, asOf: $asOf) { totalCount pageInfo { endCursor hasNextPage } edges { cursor } nodes { ...S } }
  best: statements(filter: {minScore: 0.01}, orderBy: {field: SCORE}, asOf: $asOf) { totalCount nodes { id } }
  agents(first: 100, asOf: $asOf) { totalCount nodes { ...A
    statements { id } verifications { id } probes { seen abstentions } membership { family { id } founder confirmed }
    reputationDetails { value right wrong judged epoch method criteria { criterion sensitivity } policyHash logSize
      interval { low high }
      contributions { totalCount nodes { criterion judged right without verification { id } } } } } }
  verifications(first: 100, asOf: $asOf) { totalCount nodes { ...V
    supersedes { id } supersededBy { id } answers { nodes { id text } } records { recordHash } request { id }
    counterStatement { id } crossReferences { id } challengeState { status reason } } }
  documents(first: 100, asOf: $asOf) { totalCount nodes { id title hash boundary held registered withheld
    redactions { id } sources { id title } chunks { nodes { id text withheld citedBy { id } } } } }
  openRequests(asOf: $asOf) { nodes { id criteria agent { id } declines { nodes { id reason } }
    responses { nodes { id } } } }
  logEntries(first: 200, asOf: $asOf) { totalCount nodes { logIndex type id signedHash agent receivedAt } }
  agreements(asOf: $asOf) { nodes { agents { id } agreements } }
  contradictions(statement: $id, asOf: $asOf) { nodes { id state reason sides { score carried verified validated } } }
  passports(asOf: $asOf) { nodes { recordHash held parents { recordHash } attributedTo { id } document
    statements { nodes { id } } children { nodes { recordHash } } } }
  packs(asOf: $asOf) { nodes { recordHash model steps { tool } contents { contentHash } informedBy { recordHash } } }
  packets(asOf: $asOf) { nodes { recordHash withheld items { nodes { id } } } }
  epochs(asOf: $asOf) { nodes { id logSize logIndex method } }
  consensusTimeline(statementId: $id, asOf: $asOf) { nodes { score verified verdict verification { id label } } }
  computeConsensus(statementId: $id, asOf: $asOf) { score verified reasons counted logSize epoch policyHash }
  literal: computeConsensus(statementId: $id, method: "a2ap-0.1", asOf: $asOf) { score verified }
  computeReputation(agentId: $verifier, asOf: $asOf) { value right wrong epoch }
  agentReputation(agentId: $author, asOf: $asOf)
  admissionPolicy(asOf: $asOf) { mode logIndex }
}
fragment S on Statement { id signedHash claimText speaker consensusScore verified machineCheck evidenceState keyStatus
  status conflicted receivedAt generatedBy { id name reputation } retraction { id reason } supersededBy { id }
  consensus { score verified reasons counted logSize epoch policyHash contributions { agent without } }
  verifications { ...V } verificationRequests { nodes { id } } goldLabels { id label standing }
  supports { id } contradicts { id } revisionOf { id } supportedBy { nodes { id } } contradictedBy { nodes { id } }
  revisedBy { nodes { id } } records { recordHash held } citations { quote withheld }
  challenges { nodes { id } } corroboration { statements agents operators sources } contradictions { nodes { id } } }
fragment V on Verification { id verdict confidence keyStatus label machine binds reason retraction { id }
  agent { id reputation } findings { criterion status } }
fragment A on Agent { id name reputation deactivatedAt endorsedBy { id } keys { id status } capabilities }
"""
_REST = """query ($asOf: AsOf, $id: ID!, $author: ID!, $verifier: ID!, $record: String!, $passport: ID!, $verdict: ID!,
    $node: ID!, $pack: ID!) {
  statement(id: $id, asOf: $asOf) { consensusScore verified twins { id } }
  agent(id: $verifier, asOf: $asOf) { reputation keys { id status } verificationsConnection { totalCount } }
  agentFamily(id: "urn:agent:test", asOf: $asOf) { reputation { value } versions { nodes { agent { id } confirmed } } }
  verification(signedHash: $verdict, asOf: $asOf) { verdict keyStatus retraction { id } statement { verified } }
  evidenceChain(statementId: $id, asOf: $asOf) { id text citedBy { id } }
  statementsAbout(topic: "limit", asOf: $asOf) { id consensusScore }
  consensusOn(topic: "limit", minScore: 0.1, asOf: $asOf) { id }
  search(query: "limit", asOf: $asOf) { byMeaning hits { rank statement { id verified } evidence { quote { text } } } }
  topic: contradictions(topic: "limit", asOf: $asOf) { nodes { id state } }
  drift(a: $author, b: $verifier, asOf: $asOf) { statements agreements changed { nodes { logIndex } } }
  node(id: $node, asOf: $asOf) { globalId ... on Statement { verified consensusScore } }
  nodes(ids: [$node], asOf: $asOf) { globalId }
  passport(id: $passport, asOf: $asOf) { recordHash held verification { status } }
  pack(hash: $pack, asOf: $asOf) { recordHash held manifest }
  packet(name: $record, asOf: $asOf) { recordHash items { nodes { id } } }
  packetClosure(name: $record, asOf: $asOf) { closed }
  impact(of: $id, asOf: $asOf) { asOf total of { node { ... on Statement { verified } } } items { nodes { name } } }
  path(from: $id, to: $author, asOf: $asOf) { asOf length
    paths { start { node { ... on Statement { consensusScore } } } steps { relation to { name } } } }
  statsOverTime(asOf: $asOf) { asOf before { entries } buckets { total { entries verdicts statements } } }
}
"""
_WALKS_AND_TEXTS = """query ($asOf: AsOf, $id: ID!, $author: ID!, $verifier: ID!) {
  literally: computeReputation(agentId: $verifier, method: "a2ap-0.1", asOf: $asOf) { value logSize
    contributions { nodes { right without difference } } }
  lineage(statementId: $id, asOf: $asOf) { asOf total events { nodes { kind name agent position
    statement { verified consensusScore } passport { held } packet { recordHash } } } }
  blastRadius(agent: $author, asOf: $asOf) { asOf total items { nodes { kind name relation parent } } }
  topics(asOf: $asOf) { name statements }
  neighbours(of: $id, asOf: $asOf) { asOf of { name } groups { relation direction kind complete total of { name }
    things { nodes { name node { globalId } } } } }
  cypher(text: "MATCH (s:Statement) RETURN s.signed_hash AS name, s.verified AS verified ORDER BY name", asOf: $asOf) {
    columns rows truncated }
  ask(question: "What did they say about the limit?", asOf: $asOf) { answeredBy template
    accepted { text } notYetAccepted { text missing statement { id verified } } }
}
"""
_NOW_ALONE = {"assembledPacket", "log", "nodeStatus", "thisNode"}

# Whatever the log has an entry of, with what proves that.
_PROOFS = """{
  statements(first: 100) { nodes { ...L retraction { ...L logIndex } goldLabels { ...L disputes { nodes { ...L } } }
    verificationRequests { nodes { ...L declines { nodes { ...L } } } }
    verifications { ...L retraction { ...L } answers { nodes { ...L } } } } }
  agents(first: 100) { nodes { ...L keys { ...L } membership { ...L } } }
  documents(first: 100) { nodes { registered receipt { ...R } proof redactions { ...L } } }
  passports { nodes { ...L } } packs { nodes { ...L } } packets { nodes { ...L records { nodes { ...L } } } }
  epochs { nodes { ...L } } admissionPolicy { receipt { ...R } proof } thisNode { consensusPolicy { ...L } }
}
fragment L on Logged { __typename receipt { ...R } proof }
fragment R on Receipt { logIndex entry proof }
"""

STATEMENT = signed_statement(AUTHOR)
PASSPORT = signed_world(agent_id(AUTHOR), agent_key(AUTHOR), key_id(AUTHOR))[0]
NAMES = {
    "id": hash_of(STATEMENT),
    "author": agent_id(AUTHOR),
    "verifier": agent_id(VERIFIER_A),
    "record": "cpk_world_1",
    "pack": pack().hash,
    "passport": sha256_digest(PASSPORT),
    "verdict": hash_of(signed_response(STATEMENT, VERIFIER_A)),
    "node": encode_global_id("Statement", hash_of(STATEMENT)),
}


@pytest_asyncio.fixture
async def platform(store: Store, tmp_path: Path) -> AsyncIterator[Platform]:
    """Yield a new node's platform that waits for graphs of the past."""
    settings = Settings(data=tmp_path, graphql_timeout=_PATIENCE, engine_heap=HEAP)
    async with server_on(store, tmp_path, settings=settings) as running:
        yield running


def test_every_root_field_has_the_argument_or_is_known_to_have_none() -> None:
    schema = build_schema(create_schema().as_str())
    assert schema.query_type is not None
    fields = schema.query_type.fields
    found = {name for name in fields if "asOf" in fields[name].args and str(fields[name].args["asOf"].type) == "AsOf"}
    assert fields.keys() - found == _NOW_ALONE
    assert [name for name in sorted(found) if f" {name}(" not in _LISTS + _REST + _WALKS_AND_TEXTS] == []


async def whole_answer(client: httpx.AsyncClient, token: str | None, as_of: dict[str, Any] | None) -> list[Any]:
    """Return all that is answered, and all that is refused."""
    answers = []
    for query in (_LISTS, _REST, _WALKS_AND_TEXTS):
        answer = await send(client, query, NAMES | {"asOf": as_of}, token)
        assert not [error for error in answer.get("errors", ()) if error["extensions"]["code"] not in ("NOT_FOUND",)]
        answers += [answer["data"], [error["message"] for error in answer.get("errors", ())]]
    return answers


@pytest.mark.both_engines
async def test_what_was_known_then_is_what_was_answered_then(platform: Platform, tmp_path: Path) -> None:
    seen: dict[int, tuple[str | None, list[Any]]] = {}
    graphs: dict[int, list[str]] = {}
    async with open_client(platform, tmp_path, graphql_max_cost=1_000_000) as client:

        async def look() -> None:
            size = await log_size(platform.store)
            token = None if len(seen) % 2 else OPERATOR
            seen[size] = (token, await whole_answer(client, token, None))
            graphs[size] = await whole_graph(platform.store)
            assert await log_size(platform.store) == size

        # On Neo4j twice: the graphs of the past are on the embedded engine, and take most of the time.
        await everything(platform, look if platform.store.kind == "embedded" else None)
        await look()
        # What a thief may have signed long ago is not trusted now.
        await accept(platform, revocation_by_node(platform, VERIFIER_A, not_trusted_since=min(seen) - 1))
        await look()
        sizes = sorted(seen)
        assert len(sizes) == (8 if platform.store.kind == "embedded" else 2)
        for size in (*sizes, sizes[0]):
            token, found = seen[size]
            assert await whole_answer(client, token, {"logSize": size}) == found, size
            async with platform.pasts.at(size) as store:
                assert await whole_graph(store) == graphs[size], size
                if size == sizes[-1]:
                    await check_that_readers_only_read(store)
        await check_proofs(platform, await ask(client, _PROOFS, token=OPERATOR))


async def check_that_readers_only_read(store: Store) -> None:
    """Have the engine itself refuse what writes in a graph of the past, past our own check."""
    text = "CREATE (s:Statement {signed_hash: 'sha256:written'}) RETURN 1 AS one"
    with pytest.raises(CypherTextError):
        await store.texts.read(CheckedQuery(text, {}, ("one",)), seconds=30, plain=lambda value: value)
    assert await store.read("statements_by_hash", hashes=["sha256:written"]) == []


async def check_proofs(platform: Platform, found: Any) -> None:
    """Check that all types of what is in the log are there, each with a proof that holds of its own entry."""
    schema = build_schema(create_schema().as_str())
    logged = schema.type_map["Logged"]
    assert isinstance(logged, GraphQLInterfaceType)
    seen = set()
    for one in with_proofs(found):
        receipt = one["receipt"]
        for proof in (one["proof"], receipt["proof"]):
            verify_log_proof(read_log_proof(proof), receipt["entry"].encode(), platform.log.verifier_key)
        assert read_log_proof(one["proof"]).log_index == receipt["logIndex"]
        seen.add(one.get("__typename"))
    assert seen == {kind.name for kind in schema.get_possible_types(logged)} | {None}
    documents = found["documents"]["nodes"]
    assert {one["registered"] for one in documents if one["receipt"] is None} == {False}
    assert {one["registered"] for one in documents if one["receipt"] is not None} == {True}


def with_proofs(found: Any) -> Iterator[dict[str, Any]]:
    """Yield each object of an answer that has a receipt."""
    if isinstance(found, list):
        for one in found:
            yield from with_proofs(one)
    elif isinstance(found, dict):
        if found.get("receipt") is not None:
            yield found
        for name, one in found.items():
            if name != "receipt":
                yield from with_proofs(one)


_TEXTS = """query ($asOf: AsOf, $id: ID!) {
  statement(id: $id, asOf: $asOf) { verified citations { quote withheld }
    evidence { text withheld document { boundary title held redactions { id } } } }
  search(query: "evidence:limit", asOf: $asOf) { hits { statement { id } evidence { quote { text } } } }
}"""


async def texts(client: httpx.AsyncClient, document: bytes, size: int, token: str | None = None) -> dict[str, Any]:
    found = await ask(client, _TEXTS, {"id": hash_of(document), "asOf": {"logSize": size}}, token)
    return {**found["statement"], "hits": len(found["search"]["hits"])}


async def quotes_by_own_query(client: httpx.AsyncClient, size: int, token: str | None = None) -> list[str | None] | str:
    """Return the quotes that a query of a reader's own finds as of then, or why it is refused."""
    text = "MATCH (s:Statement)-[r:CITES]->(c:Chunk) RETURN DISTINCT r.quote_text AS quote"
    query = "query ($asOf: AsOf, $text: String) { cypher(text: $text, asOf: $asOf) { rows withheld } }"
    answer = await send(client, query, {"text": text, "asOf": {"logSize": size}}, token)
    if "errors" in answer:
        return str(answer["errors"][0]["message"])
    return [quote for (quote,) in answer["data"]["cypher"]["rows"]]


async def test_what_protects_somebody_is_as_it_is_today(platform: Platform, tmp_path: Path) -> None:
    await settle(platform)
    cited = signed_statement(AUTHOR)
    by_name = signed_statement(AUTHOR, claim="By name.", evidence=[segment(document_hash=None, content_hash=None)])
    await accept(platform, cited, by_name, signed_response(cited, VERIFIER_A))
    then = await log_size(platform.store)
    async with open_client(platform, tmp_path) as client:
        for document in (cited, by_name):
            found = await texts(client, document, then)
            assert found["citations"] == [{"quote": QUOTE, "withheld": None}]
            assert found["hits"] == 1
        assert await quotes_by_own_query(client, then) == [QUOTE]

        # The graph of then is kept: a class that becomes stricter is raised in it.
        await accept(platform, signed_source(STRANGER, boundary=Boundary.CONFIDENTIAL))
        why = "the source is confidential, and this reader is cleared for public"
        for document in (cited, by_name):
            found = await texts(client, document, then)
            assert found["citations"] == [{"quote": "", "withheld": why}]
            assert found["evidence"][0]["document"]["boundary"] == "confidential"
            assert found["evidence"][0]["document"]["title"] is None
            assert found["hits"] == 0
            assert (await texts(client, document, then, OPERATOR))["citations"] == [{"quote": QUOTE, "withheld": None}]
        assert await quotes_by_own_query(client, then) == [None]
        assert await quotes_by_own_query(client, then, OPERATOR) == [QUOTE]

        # One that is made after that has it too.
        before = await texts(client, cited, then - 1)
        assert before["citations"] == [{"quote": "", "withheld": why}]

        # What is erased is gone from what was kept, and from what is made again.
        erasure = source_redaction_message(sha256_digest(SOURCE), redacting_agent=platform.node.agent_id)
        await accept(platform, platform.node.sign(erasure).envelope.received)
        for document in (cited, by_name):
            found = await texts(client, document, then, OPERATOR)
            assert found["evidence"][0]["text"] == ""
            assert found["citations"][0]["quote"] == ""
            assert "redacted by" in found["citations"][0]["withheld"]
            assert found["evidence"][0]["document"]["redactions"] == []
            assert found["hits"] == 0
        assert found["evidence"][0]["document"]["held"] is False
        assert "not cleared for" in await quotes_by_own_query(client, then, OPERATOR)


WORDS = "It says that a person of that name lives on Elm Street."


async def words_in(pasts: Pasts, size: int) -> bool:
    """Say whether the words are in the graph of a size of the log."""
    async with pasts.at(size) as store:
        return any(WORDS in row for row in await whole_graph(store))


async def test_the_erased_words_of_a_verdict_are_in_no_graph_of_the_past(platform: Platform) -> None:
    await settle(platform)
    reason = make_disclosure(WORDS, bytes(16))
    other = make_disclosure(f"{WORDS} Indeed.", bytes(16))
    verdicts = [
        signed_response(STATEMENT, number, verdict=Verdict.CHALLENGED, reason=words, disclosures=[words])
        for number, words in ((VERIFIER_A, reason), (VERIFIER_B, other))
    ]
    await accept(platform, STATEMENT, *verdicts)
    then = await log_size(platform.store)

    async def erase(verdict: bytes, words: Disclosure) -> None:
        left = redacted_bytes(verdict, [words.digest])
        agent = platform.node.agent_id
        message = disclosure_redaction_message(verdict, [words.digest], left, redacting_agent=agent)
        await accept(platform, platform.node.sign(message).envelope.received)

    # Another server on the database, which hears of the log when it is told.
    async with (
        aclosing(LogWatch(platform.store, interval=3600)) as watch,
        aclosing(Pasts(platform.store, platform.content, platform.settings, watch)) as others,
    ):
        for size in (then - 1, then):
            assert await words_in(others, size)
        await erase(verdicts[0], reason)
        await accept(platform, signed_registration(40))
        now = await log_size(platform.store)
        async with others.at(now) as store:
            rows = [row for row in await whole_graph(store) if WORDS in row]
            assert rows and all(f"{WORDS} Indeed." in row for row in rows)
            assert others.sizes == [then, now]

            # It forgets what it has on its disk although nobody asks, and leaves what somebody reads.
            await erase(verdicts[1], other)
            await watch.note(await log_size(platform.store))
            async with asyncio.timeout(_PATIENCE):
                while others.sizes:
                    await asyncio.sleep(0.05)
            assert await whole_graph(store)
        for size in (then, now):
            assert not await words_in(others, size)


async def test_one_reader_keeps_no_other_from_the_past(
    platform: Platform, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    await settle(platform)
    await accept(platform, STATEMENT)
    query = "query ($size: Int!) { agents(asOf: {logSize: $size}) { totalCount } }"
    two = "{ a: agents(asOf: {logSize: 5}) { totalCount } b: agents(asOf: {logSize: 6}) { totalCount } }"
    monkeypatch.setattr("graph.past.places.MOST_SIZES", 2)
    async with open_client(platform, tmp_path) as client:
        await ask(client, query, {"size": 3}, OPERATOR)
        for size in (9, 8):
            await ask(client, query, {"size": size})
        assert platform.pasts.sizes == [3, 8]
        (error,) = (await send(client, query, {"size": 7}))["errors"]
        assert error["extensions"]["code"] == "TOO_MANY"
        await ask(client, query, {"size": 8})

        # Who reads one graph does not wait for room for another, nor who has a token for readers who have none.
        monkeypatch.setattr("graph.past.places.MOST_SIZES", 100)
        monkeypatch.setattr("graph.past.places.INTEREST", 0)
        one, another, third = (Share(name, has_token=False) for name in ("one", "another", "third"))
        async with platform.pasts.at(4, another), platform.pasts.at(7, third):
            await ask(client, query, {"size": 6}, OPERATOR)
        async with platform.pasts.at(4, another):
            (error,) = (await send(client, two))["errors"]
            assert error["extensions"]["code"] == "NOT_READY"
            async with platform.pasts.at(5, one):
                with pytest.raises(PastNotReadyError, match="no room for the graph of the first 6 entries beside"):
                    await platform.pasts.at(6, one, reads_another=True).__aenter__()
        await ask(client, two)

    async with platform.pasts.at(5) as store:
        graph = PastGraph(store, platform.store, platform.content)
        graph.size = 5
        with pytest.raises(PastNotReadyError, match="nobody asks for the graph of the first 9 entries any more"):
            await graph.grow(9, is_wanted=lambda: False)
        assert await log_size(store) == 5

    # A redaction that is refused drops nothing; one that is taken is, also where a graph cannot be dropped.
    erasure = source_redaction_message(sha256_digest(SOURCE), redacting_agent=agent_id(AUTHOR))
    with pytest.raises(ForbiddenError):
        await platform.submit(sign(erasure, AUTHOR))
    assert platform.pasts.sizes == [5, 6]
    await platform.pasts.scores.extend(3, 3)
    await platform.pasts._engine.aclose()
    erasure = source_redaction_message(sha256_digest(SOURCE), redacting_agent=platform.node.agent_id)
    await accept(platform, platform.node.sign(erasure).envelope.received)
    assert platform.pasts.sizes == []
    async with asyncio.timeout(_PATIENCE):
        while caplog.text.count("a graph of the past was not removed") < 3:
            await asyncio.sleep(0.05)


async def test_a_time_stands_for_what_had_come_by_then(platform: Platform, tmp_path: Path) -> None:
    await settle(platform)
    await accept(platform, STATEMENT)
    await accept(platform, signed_response(STATEMENT, VERIFIER_A), signed_response(STATEMENT, VERIFIER_B))
    size = await log_size(platform.store)
    entries = [entry_from_row(row) for row in await platform.store.read("log_entries_between", start=0, end=size)]
    place = next(entry.log_index for entry in entries if entry.signed_hash == hash_of(STATEMENT))
    at = entries[place].received_at
    query = """query ($time: AsOf, $early: AsOf, $id: ID!) {
      then: statement(id: $id, asOf: $time) { verified verifications { id machine } consensus { logSize } }
      before: statement(id: $id, asOf: $early) { id }
      now: statement(id: $id) { verified verifications { id } } }"""
    times = {"time": {"time": format_instant(at)}, "early": {"logSize": place}}
    wrong: list[tuple[dict[str, Any], str]] = [
        ({}, "neither of logSize and time given, not one"),
        ({"logSize": 3, "time": format_instant(at)}, "both of logSize and time given, not one"),
        ({"logSize": 0}, f"logSize is 0; the log has had sizes from 1 to {size}"),
        ({"logSize": size + 1}, f"logSize is {size + 1}; the log has had sizes from 1 to {size}"),
        ({"time": "2001-01-01T00:00:00Z"}, "time is 2001-01-01T00:00:00Z, before the first entry of the log"),
    ]
    async with open_client(platform, tmp_path) as client:
        found = await ask(client, query, {"id": hash_of(STATEMENT), **times})
        assert [one["machine"] for one in found["then"]["verifications"]] == [True]
        assert found["then"]["consensus"]["logSize"] == place + 2
        assert found["before"] is None
        assert (found["now"]["verified"], len(found["now"]["verifications"])) == (True, 3)
        for as_of, why in wrong:
            answer = await send(client, "query ($asOf: AsOf) { agents(asOf: $asOf) { totalCount } }", {"asOf": as_of})
            assert [(one["message"], one["extensions"]["code"]) for one in answer["errors"]] == [(why, "INVALID_INPUT")]
        three = " ".join(f"a{number}: agents(asOf: {{logSize: {number}}}) {{ totalCount }}" for number in (3, 4, 5))
        (error,) = (await send(client, f"{{ {three} }}"))["errors"]
        assert error["message"] == "an operation asks about 2 sizes of the log at most"
        # What is yet to come is now.
        later = await ask(
            client,
            "query ($asOf: AsOf) { logEntries(asOf: $asOf) { totalCount } }",
            {"asOf": {"time": "2999-01-01T00:00:00Z"}},
        )
        assert later["logEntries"]["totalCount"] == size


async def test_a_node_may_keep_no_graphs_of_the_past_nor_what_a_killed_process_has_left(
    store: Store, tmp_path: Path
) -> None:
    left = tmp_path / "past" / "0"
    left.mkdir(parents=True)
    (left / "file").write_text("What was erased since.")
    settings = Settings(data=tmp_path, past_graphs=0)
    async with server_on(store, tmp_path, settings=settings) as platform, open_client(platform, tmp_path) as client:
        (error,) = (await send(client, "{ agents(asOf: {logSize: 1}) { totalCount } }"))["errors"]
        assert error["message"] == "this node keeps no graphs of the past"
        assert not left.exists()


def test_who_asks_too_early_is_told_to_ask_again() -> None:
    problem = problem_of(PastNotReadyError("the graph of the first 9 entries is being made"))
    assert (problem.status, problem.code, problem.kind) == (503, "NOT_READY", ProblemKind.LATER)
    assert problem.detail == "How it was at that size of the log is being found; ask again"
