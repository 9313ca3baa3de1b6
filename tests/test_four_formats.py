"""One history over all four formats: what an agent was given, what it did, what it handed on, what it claimed.

A packet is assembled for an agent, its run is a pack, the events of the run are passports, its claim is a statement,
and a verifier judges it in a run of its own. Then the story is asked for, and what a bad input reaches.
"""

from dataclasses import dataclass
from typing import Any

import httpx
import pytest
import pytest_asyncio
from builders import (
    SOURCE,
    SOURCE_ID,
    agent_id,
    message_id,
    reference_to,
    response_message,
    sign,
    signed_request,
    signed_response,
    signed_retraction,
    signed_statement,
)
from graph_contents import run_raw
from http_client import ask, client
from packs import STEPS, pack
from passports import Maker
from platform_fixture import platform
from rebuilding import rebuilt
from scenario import AUTHOR, STRANGER, VERIFIER_A, VERIFIER_B, accept, hash_of, settle

from a2ap.canonical import sha256_digest
from a2ap.pack.archive import write_archive
from a2ap.pack.execution_log import LogContent, LogStep
from a2ap.pack.packing import Pack
from a2ap.passport.building import write_passport
from graph.clearance import ANONYMOUS, OPERATOR
from graph.errors import InputError
from graph.lineage.blast_radius import blast_radius
from graph.lineage.story import story_of
from graph.lineage.walk import Kind, Relation
from graph.platform import Platform

__all__ = ["client", "platform"]

LINEAGE = """query ($id: ID!, $first: Int!, $after: String) {
  lineage(statementId: $id) {
    asOf complete total
    events(first: $first, after: $after) { pageInfo { hasNextPage endCursor }
      nodes { kind name id logIndex agent receivedAt position causes { relation kind name }
        statement { claimText } passport { eventType } packet { recordHash } } } } }"""


@dataclass(frozen=True, slots=True)
class History:
    """The names of everything in the scenario."""

    source: str
    known: str
    judged: tuple[str, str]
    packet: str
    run: str
    root: str
    commit: str
    statement: str
    request: str
    verdict: str
    review: str


def run_of(packet: bytes, events: list[bytes]) -> Pack:
    """Return the run of an agent that was given a packet and wrote two passports."""
    steps = (LogStep("reasoning", "think", "The limit was confirmed.", None, False, "2026-01-15T10:30:01Z", 0),)
    outputs = tuple(LogContent(f"{number}.passport.json", event.decode()) for number, event in enumerate(events))
    return pack(steps=steps, inputs=(LogContent("packet.json", packet.decode()),), outputs=outputs)


def events() -> list[bytes]:
    maker = Maker()
    maker.commit(maker.root())
    return [write_passport(record) for record in maker.records]


@pytest_asyncio.fixture
async def history(platform: Platform, client: httpx.AsyncClient) -> History:
    await settle(platform)
    known = signed_statement(AUTHOR)
    judged = signed_response(known, VERIFIER_A), signed_response(known, VERIFIER_B)
    await accept(platform, known, *judged)
    order = {"recipient": agent_id(STRANGER), "purpose": "Say more.", "ceiling": "public", "topics": ["height limit"]}
    assembled = await client.post("/packets/assemble", json=order)
    packet = assembled.content
    for path, content in (("/packets", packet), ("/passports", b"[" + b",".join(events()) + b"]")):
        posted = await client.post(f"{path}?boundary=public", content=content)
        assert posted.status_code == 201, posted.text
    run, review = run_of(packet, events()), pack(steps=STEPS[:1])
    posted = await client.post("/packs?boundary=public", content=write_archive([run, review]))
    assert posted.status_code == 201, posted.text
    root, commit = (sha256_digest(event) for event in events())
    statement = signed_statement(STRANGER, claim="The limit stands.", generated_by=[run.hash, commit])
    request = signed_request(statement)
    await accept(platform, statement, request)
    verdict = sign(response_message(statement, VERIFIER_A, generated_by=[review.hash]), VERIFIER_A)
    await accept(platform, verdict)
    return History(
        source=sha256_digest(SOURCE),
        known=hash_of(known),
        judged=(hash_of(judged[0]), hash_of(judged[1])),
        packet=sha256_digest(packet),
        run=run.hash,
        root=root,
        commit=commit,
        statement=hash_of(statement),
        request=hash_of(request),
        verdict=hash_of(verdict),
        review=review.hash,
    )


async def told(client: httpx.AsyncClient, statement: str, first: int = 200) -> list[dict[str, Any]]:
    events: list[dict[str, Any]] = []
    more, after = True, None
    while more:
        page = (await ask(client, LINEAGE, {"id": statement, "first": first, "after": after}))["lineage"]
        assert page["complete"]
        events += page["events"]["nodes"]
        more, after = page["events"]["pageInfo"]["hasNextPage"], page["events"]["pageInfo"]["endCursor"]
    assert len(events) == page["total"]
    return events


async def test_the_lineage_of_a_statement_is_the_whole_story_in_order(
    history: History, client: httpx.AsyncClient
) -> None:
    events = await told(client, history.statement)
    order = [(event["kind"], event["name"]) for event in events]
    expected = [
        ("SOURCE", history.source),
        ("STATEMENT", history.known),
        *(("VERIFICATION", name) for name in history.judged),
        ("PACKET", history.packet),
        ("PACK", history.run),
        ("PASSPORT", history.root),
        ("PASSPORT", history.commit),
        ("STATEMENT", history.statement),
        ("REQUEST", history.request),
        ("VERIFICATION", history.verdict),
    ]
    assert [one for one in order if one in expected] == expected
    assert order.index(("PACK", history.review)) < order.index(("VERIFICATION", history.verdict))
    causes = {event["name"]: {(one["relation"], one["name"]) for one in event["causes"]} for event in events}
    assert {("ABOUT", history.known), ("ABOUT", history.source)} <= causes[history.packet]
    assert all(causes[name] == {("ABOUT", history.known)} for name in history.judged)
    assert ("USED", history.packet) in causes[history.run]
    assert ("GENERATED_BY", history.run) in causes[history.root]
    assert {("GENERATED_BY", history.run), ("DERIVED_FROM", history.root)} == causes[history.commit]
    assert {("GENERATED_BY", history.run), ("GENERATED_BY", history.commit)} <= causes[history.statement]
    assert {("ABOUT", history.statement), ("GENERATED_BY", history.review)} == causes[history.verdict]


async def test_nothing_comes_before_what_it_rests_on(history: History, client: httpx.AsyncClient) -> None:
    events = await told(client, history.statement, first=3)
    places = {(event["kind"], event["name"]): event["position"] for event in events}
    assert sorted(places.values()) == list(range(len(events)))
    for event in events:
        for cause in event["causes"]:
            assert places[(cause["kind"], cause["name"])] < event["position"]


async def test_each_part_of_a_story_says_what_it_is_who_handed_it_in_and_when(
    history: History, client: httpx.AsyncClient, platform: Platform
) -> None:
    events = {event["name"]: event for event in await told(client, history.statement)}
    statement, commit, packet = events[history.statement], events[history.commit], events[history.packet]
    assert (statement["statement"]["claimText"], statement["agent"]) == ("The limit stands.", agent_id(STRANGER))
    assert statement["receivedAt"] is not None
    assert (commit["passport"]["eventType"], commit["agent"]) == ("commit", platform.node.agent_id)
    assert packet["packet"]["recordHash"] == history.packet
    source = events[history.source]
    assert (source["id"], source["logIndex"], source["agent"]) == (SOURCE_ID, None, None)


async def test_what_one_bad_source_reaches_is_in_all_four_formats(history: History, platform: Platform) -> None:
    found = await blast_radius(platform.store, Kind.SOURCE, history.source)
    reached = {(item.kind, item.name) for item in found.items}
    assert {
        (Kind.STATEMENT, history.known),
        (Kind.PACKET, history.packet),
        (Kind.PACK, history.run),
        (Kind.PASSPORT, history.root),
        (Kind.PASSPORT, history.commit),
        (Kind.STATEMENT, history.statement),
    } <= reached
    assert (Kind.PACK, history.review) not in reached
    assert found.complete


@pytest.mark.parametrize("name", ["packet", "run", "root", "commit"])
async def test_the_bytes_of_any_record_have_a_blast_radius(history: History, platform: Platform, name: str) -> None:
    found = await blast_radius(platform.store, Kind.SOURCE, getattr(history, name))
    assert (Kind.STATEMENT, history.statement) in {(item.kind, item.name) for item in found.items}
    assert (Kind.STATEMENT, history.known) not in {(item.kind, item.name) for item in found.items}


async def test_the_blast_radius_of_a_verifiers_run_is_its_verdict(history: History, platform: Platform) -> None:
    found = await blast_radius(platform.store, Kind.SOURCE, history.review)
    assert (Kind.VERIFICATION, history.verdict, Relation.GENERATED_BY) in {
        (item.kind, item.name, item.relation) for item in found.items
    }


@pytest.mark.both_engines
async def test_a_story_as_of_an_earlier_size_ends_there(history: History, platform: Platform) -> None:
    rows = await platform.store.read("statements_by_hash", hashes=[history.statement])
    (row,) = rows
    place = row["log_index"]
    story = await story_of(platform.store, history.statement, row["statement_id"], place, place + 1)
    kinds = [event.kind for event in story.events]
    assert story.as_of == place + 1
    assert Kind.PACK in kinds and Kind.REQUEST not in kinds
    names = {event.name for event in story.events}
    assert set(history.judged) <= names and history.verdict not in names
    with pytest.raises(InputError, match="the log has had sizes from 0 to"):
        await story_of(platform.store, history.statement, row["statement_id"], place, 10_000)


@pytest.mark.both_engines
async def test_what_a_reader_may_not_see_ends_a_story(platform: Platform) -> None:
    await run_raw(
        platform.store,
        """MATCH (h:LogHead {name: 'log'}) SET h.size = 10
        CREATE (claim:Statement {signed_hash: 'sha256:claim', statement_id: 'urn:claim', log_index: 9})
        CREATE (shut:Document {document_key: 'sha256:closed', boundary: 'private'})
        CREATE (closed:Pack {record_hash: 'sha256:closed', log_index: 2})-[:RECORD_OF]->(shut)
        CREATE (prompt:Document {document_key: 'sha256:prompt', boundary: 'public'})
        CREATE (closed)-[:USED]->(prompt)
        CREATE (seen:Document {document_key: 'sha256:open', boundary: 'public'})
        CREATE (open:Pack {record_hash: 'sha256:open', log_index: 3})-[:RECORD_OF]->(seen)
        CREATE (made:Document {document_key: 'sha256:made', boundary: 'public'})
        CREATE (maker:Pack {record_hash: 'sha256:maker', log_index: 1})
        CREATE (maker)-[:RECORD_OF]->(:Document {document_key: 'sha256:maker', boundary: 'private'})
        CREATE (maker)-[:GENERATED]->(made) CREATE (open)-[:USED]->(made) CREATE (open)-[:INFORMED_BY]->(maker)
        CREATE (claim)-[:GENERATED_BY]->(shut) CREATE (claim)-[:GENERATED_BY]->(seen)""",
    )
    all_of_it = {Kind.STATEMENT: {"claim"}, Kind.PACK: {"closed", "open", "maker"}, Kind.SOURCE: {"prompt", "made"}}
    open_part = {Kind.STATEMENT: {"claim"}, Kind.PACK: {"open"}, Kind.SOURCE: {"closed", "made"}}
    for reader, expected in ((OPERATOR, all_of_it), (ANONYMOUS, open_part)):
        story = await story_of(platform.store, "sha256:claim", "urn:claim", 9, reader=reader)
        told = {(event.kind, event.name.removeprefix("sha256:")) for event in story.events}
        assert told == {(kind, name) for kind, names in expected.items() for name in names}
        assert story.complete
        causes = {event.name: {cause.name for cause in event.causes} for event in story.events}
        assert causes["sha256:closed"] == ({"sha256:prompt"} if reader.operator else set())
        assert causes["sha256:claim"] == {"sha256:closed", "sha256:open"}


async def test_a_pack_that_is_registered_as_a_passport_as_well_keeps_its_story(
    history: History, platform: Platform, client: httpx.AsyncClient
) -> None:
    query = """
        MATCH (d:Document {document_key: '$run'})
        CREATE (:Passport {record_hash: '$run', log_index: 0})-[:RECORD_OF]->(d)
    """
    await run_raw(platform.store, query.replace("$run", history.run))
    events = await told(client, history.statement)
    causes = {
        (event["kind"], event["name"]): {(one["kind"], one["name"]) for one in event["causes"]} for event in events
    }
    assert ("PACK", history.run) in causes[("STATEMENT", history.statement)]
    assert ("PACKET", history.packet) in causes[("PACK", history.run)]


async def test_revisions_and_retractions_end_a_story(
    history: History, platform: Platform, client: httpx.AsyncClient
) -> None:
    statement = signed_statement(STRANGER, claim="It rains.")
    revision = signed_statement(
        STRANGER, claim="It pours.", statement_id=message_id("pours"), was_revision_of=reference_to(statement)
    )
    retraction = signed_retraction(statement, STRANGER)
    await accept(platform, statement, revision, retraction)
    events = await told(client, hash_of(statement))
    assert [event["kind"] for event in events][-2:] == ["STATEMENT", "RETRACTION"]
    assert {event["name"] for event in events} >= {hash_of(statement), hash_of(revision), hash_of(retraction)}


async def test_the_story_is_the_same_in_a_rebuilt_graph(
    history: History, platform: Platform, client: httpx.AsyncClient
) -> None:
    before = await told(client, history.statement)
    await rebuilt(platform)
    assert await told(client, history.statement) == before
