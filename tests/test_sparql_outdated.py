"""A SPARQL store that takes in later entries holds what an export of now gives its readers, without being made anew."""

from pathlib import Path

import pyoxigraph as ox
import pytest
from builders import (
    agent_id,
    agent_key,
    message_id,
    segment,
    signed_answer,
    signed_key_registration,
    signed_record,
    signed_registration,
    signed_response,
    signed_retraction,
    signed_source,
    signed_statement,
)
from key_world import by_node
from passports import signed_world
from platform_fixture import platform
from rdf_world import RdfWorld
from scenario import AUTHOR, STRANGER, VERIFIER_A, VERIFIER_B, accept, settle

from a2ap.boundary import STRICTEST, Boundary
from a2ap.canonical import sha256_digest
from a2ap.messages.evidence import build_segment
from a2ap.messages.message import MessageType, read_message
from a2ap.messages.source_registration import build_source_registration
from a2ap.messages.verification_response import Verdict
from a2ap.times import parse_instant
from graph.export import ExportFormat
from graph.log.entry import log_size
from graph.platform import Platform
from graph.sparql.folder import ClosedSources
from graph.sparql.loading import StoreLoader
from graph.sparql.outdated import OutdatedMessages, closed_sources, outdated_since
from graph.submission.submission import Submission

__all__ = ["platform"]

CLASSES = (Boundary.PUBLIC, Boundary.CONFIDENTIAL)
MARK = ox.Quad(*(ox.NamedNode("urn:test:mark"),) * 4)
NAME = "urn:doc:test:editions"
WORDS = "The tunnel is closed on Sundays."
EDITION = f"Notice. {WORDS}".encode()


class CheckedStores:
    """The stores of one platform, each with a mark that leaves it only if the store is made anew."""

    def __init__(self, platform: Platform, data: Path) -> None:
        self._world = RdfWorld(platform)
        self._loader = StoreLoader(platform.store, platform.content, data)

    async def check(self, kept: bool = True) -> None:
        """Bring each store up, compare it with the export for its class, and say whether it was made anew."""
        for clearance in CLASSES:
            await self._loader.bring_up(clearance, await log_size(self._world.platform.store))
            quads = await self._world.export_again(ExportFormat.NQUADS, clearance)
            store, exported = ox.Store(str(self._loader.path(clearance) / "store")), ox.Store()
            for one in ox.parse(quads, format=ox.RdfFormat.N_QUADS):
                exported.extend([one, ox.Quad(one.subject, one.predicate, one.object)])
            is_kept = MARK in store
            store.remove(MARK)
            held, wanted = ({str(quad) for quad in one} for one in (store, exported))
            assert held == wanted, (clearance, sorted(held ^ wanted)[:10])
            assert {*store.named_graphs()} - {MARK.graph_name} == {*exported.named_graphs()}
            assert is_kept is kept, clearance
            store.add(MARK)
            del store


def edition(seed: int, boundary: Boundary = Boundary.PUBLIC, source: bytes = EDITION) -> bytes:
    return signed_source(seed, source=source, source_id=NAME, boundary=boundary)


def edition_of_node(platform: Platform, boundary: Boundary) -> bytes:
    message = build_source_registration(
        registration_id=message_id("edition of the node", boundary),
        registered_at=parse_instant("2026-01-01T00:00:00Z"),
        registering_agent=platform.node.agent_id,
        source_id=NAME,
        document_hash=sha256_digest(EDITION),
        byte_length=len(EDITION),
        title="Notice",
        boundary=boundary,
    )
    return by_node(platform, message)


async def messages_about_an_edition(platform: Platform) -> None:
    """Have two statements on a source that nobody registered, by its hash and by its name, with messages about both."""
    statements = [
        signed_statement(AUTHOR, claim="It is closed.", evidence=[segment(WORDS, source=EDITION, source_id=NAME)]),
        signed_statement(AUTHOR, claim="It rests.", evidence=[build_segment(NAME, 0, 40, quote=WORDS)]),
    ]
    challenges = [signed_response(one, VERIFIER_A, verdict=Verdict.CHALLENGED, reason=WORDS) for one in statements]
    other = signed_response(statements[0], VERIFIER_B, verdict=Verdict.CHALLENGED, reason=WORDS)
    await accept(platform, *statements, *challenges, other)
    await accept(platform, *(signed_answer(one, AUTHOR, text=WORDS) for one in challenges))
    await accept(platform, signed_retraction(other, VERIFIER_B, reason=WORDS))


def passports() -> list[bytes]:
    """Return passports, of which the first is the parent of others and is signed with a key that is not registered."""
    return signed_world(agent_id(AUTHOR), agent_key(151), f"{agent_id(AUTHOR)}#key-2")


async def hand_in(platform: Platform, *records: bytes) -> None:
    submissions = [Submission(read_message(signed_record(AUTHOR, content=one)), blobs=(one,)) for one in records]
    for outcome in await platform.append(submissions):
        assert not isinstance(outcome, Exception), outcome


@pytest.mark.both_engines
async def test_a_store_that_takes_in_later_entries_holds_what_an_export_gives(
    platform: Platform, tmp_path: Path
) -> None:
    stores = CheckedStores(platform, tmp_path)
    await settle(platform)
    await messages_about_an_edition(platform)
    parent, *children = passports()
    await hand_in(platform, *children)
    await stores.check(kept=False)
    await hand_in(platform, parent)
    await stores.check()
    endorsed = edition(VERIFIER_A, Boundary.PUBLIC, b"An edition of an endorsed agent.")
    for messages in (
        [edition(STRANGER, Boundary.CONFIDENTIAL, b"Some other bytes.")],  # closes the name
        [edition(STRANGER, Boundary.PUBLIC)],  # the first class of the bytes themselves: opens them
        [endorsed, edition(STRANGER, STRICTEST)],  # opens the name, closes the bytes
        [signed_key_registration(AUTHOR, 151), edition_of_node(platform, Boundary.PUBLIC)],  # joins, opens the bytes
    ):
        await accept(platform, *messages)
        await stores.check()
    start, closed = await log_size(platform.store), await closed_sources(platform.store, Boundary.PUBLIC)
    await accept(platform, signed_registration(99))
    types, node = {MessageType.AGENT_REGISTRATION}, platform.node.agent_id
    assert await outdated_since(platform.store, start, types, node, closed, closed) == OutdatedMessages()


async def test_a_source_that_was_opened_and_closed_again_counts_as_changed(platform: Platform) -> None:
    await settle(platform)
    await messages_about_an_edition(platform)
    open_before = await closed_sources(platform.store, Boundary.PUBLIC)
    await accept(platform, edition(VERIFIER_A, STRICTEST), edition(STRANGER, STRICTEST, b"Other bytes."))
    start, before = await log_size(platform.store), await closed_sources(platform.store, Boundary.PUBLIC)
    assert before.documents and before.names
    types, node = {MessageType.SOURCE_REGISTRATION}, platform.node.agent_id
    assert await outdated_since(platform.store, start, types, node, before, before) == OutdatedMessages()
    # A registration that comes between the reading of the types and of the closed documents is in these alone.
    assert await statements_outdated(platform, start, set(), open_before, before) == 2
    await accept(platform, edition_of_node(platform, Boundary.PUBLIC))
    await accept(platform, edition(VERIFIER_A, Boundary.CONFIDENTIAL))
    now = await closed_sources(platform.store, Boundary.PUBLIC)
    assert now == before
    assert await statements_outdated(platform, start, types, before, now) == 2


async def statements_outdated(
    platform: Platform, start: int, types: set[MessageType], before: ClosedSources, now: ClosedSources
) -> int:
    outdated = await outdated_since(platform.store, start, types, platform.node.agent_id, before, now)
    entries = await platform.store.read("log_entries_at", places=list(outdated.places))
    return [row["type"] for row in entries].count(MessageType.STATEMENT)
