"""That a stranger who registers the bytes of a message, record or remainder closes, erases and opens nothing."""

from datetime import timedelta

import httpx
import pytest
from builders import (
    SOURCE,
    TIME,
    signed_endorsement,
    signed_record,
    signed_registration,
    signed_source,
    signed_statement,
)
from graph_contents import whole_graph
from http_client import OPERATOR, bearer, client
from pack_world import pack_submissions
from passports import line
from platform_fixture import platform
from rebuilding import rebuilt
from scenario import (
    AUTHOR,
    OPERATOR_A,
    OPERATOR_B,
    STRANGER,
    VERIFIER_A,
    accept,
    hash_of,
    pieces,
    signed_node_policy,
    signed_node_source,
)
from test_evidence_decay import recheck
from test_redaction import erasure_of, hidden, range_of, redaction_of, statement_with, without

from a2ap.boundary import STRICTEST, Boundary
from a2ap.canonical import sha256_digest
from a2ap.messages.record_registration import RecordFormat
from a2ap.messages.redaction import redacted_bytes
from a2ap.passport.building import write_passport
from graph.clearance import OPERATOR as OPERATOR_READER
from graph.platform import Platform
from graph.services.record_submission import register_received, register_signed
from graph.services.retention_job import apply_retention

__all__ = ["client", "platform"]

WORDS = "The new zoning map"
DUE = TIME + timedelta(minutes=1)
LATER = DUE + timedelta(days=1)


async def agents(platform: Platform) -> None:
    """Register the agents, of whom the author is endorsed by a seed of the policy."""
    registrations = {seed: signed_registration(seed) for seed in (OPERATOR_A, OPERATOR_B, AUTHOR, STRANGER)}
    await accept(platform, *registrations.values(), signed_node_policy(platform))
    await accept(platform, signed_endorsement(registrations[AUTHOR], OPERATOR_A))


def claimed(content: bytes, boundary: Boundary = Boundary.PUBLIC) -> bytes:
    """Return the stranger's registration of bytes, with a date that has passed."""
    return signed_source(
        STRANGER, source=content, source_id="urn:doc:test:mine", boundary=boundary, title="Mine", retain_until=DUE
    )


async def test_the_date_of_a_stranger_erases_no_message(platform: Platform, client: httpx.AsyncClient) -> None:
    await agents(platform)
    statement = signed_statement(AUTHOR)
    await accept(platform, statement, claimed(statement))
    await platform.sources.put(sha256_digest(statement), pieces(statement))
    assert await apply_retention(platform, LATER) == []
    assert (await client.get(f"/messages/{sha256_digest(statement)}")).content == statement


async def test_a_message_that_is_erased_as_a_source_stays_in_the_log(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await agents(platform)
    statement = signed_statement(AUTHOR)
    name = sha256_digest(statement)
    await accept(platform, statement, claimed(statement))
    await platform.sources.put(name, pieces(statement))
    await accept(platform, erasure_of(platform, name))
    assert (await client.get(f"/sources/{name}")).status_code == 410
    assert (await client.get(f"/messages/{name}")).content == statement
    assert (await client.get(f"/statements/{hash_of(statement)}/bundle")).status_code == 200


@pytest.mark.both_engines
@pytest.mark.parametrize("boundary", [Boundary.PUBLIC, STRICTEST])
async def test_a_stranger_neither_closes_nor_erases_the_record_of_an_endorsed_agent(
    platform: Platform, client: httpx.AsyncClient, boundary: Boundary
) -> None:
    await agents(platform)
    passport = write_passport(line(1)[0])
    name = sha256_digest(passport)
    await register_signed(platform, signed_record(AUTHOR, content=passport), passport, RecordFormat.PASSPORT)
    await accept(platform, claimed(passport, boundary))
    await platform.sources.put(name, pieces(passport))
    mine = signed_record(STRANGER, content=passport, boundary=boundary)
    await register_signed(platform, mine, passport, RecordFormat.PASSPORT)
    assert await apply_retention(platform, LATER) == []
    assert (await client.get(f"/passports/{name}")).content == passport
    whole = await whole_graph(platform.store)
    await rebuilt(platform)
    assert await whole_graph(platform.store) == whole


async def test_a_record_that_nobody_signed_for_makes_the_node_no_owner(platform: Platform) -> None:
    """Anybody may hand in a copy of a source as such a record: its owner still says when it is erased."""
    await agents(platform)
    passport = write_passport(line(1)[0])
    await register_received(platform, OPERATOR_READER, RecordFormat.PASSPORT, [passport], Boundary.PUBLIC)
    own = signed_source(AUTHOR, source=passport, source_id="urn:doc:test:own", retain_until=DUE)
    await accept(platform, own)
    await platform.sources.put(sha256_digest(passport), pieces(passport))
    (document,) = await platform.store.read("documents_known", hashes=[sha256_digest(passport)])
    assert document["retain_until"] == DUE


async def test_the_date_of_a_stranger_erases_no_content_of_a_pack(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await agents(platform)
    submissions = pack_submissions(AUTHOR)
    for outcome in await platform.append(submissions):
        assert not isinstance(outcome, Exception), outcome
    manifest, content = submissions[0].blobs[0], submissions[0].blobs[1]
    await accept(platform, claimed(content))
    await platform.sources.put(sha256_digest(content), pieces(content))
    assert await apply_retention(platform, LATER) == []
    address = f"/packs/{sha256_digest(manifest)}/content/{sha256_digest(content)}"
    assert (await client.get(address)).content == content


@pytest.mark.both_engines
@pytest.mark.parametrize(
    ("seed", "is_first", "status"), [(STRANGER, False, 200), (STRANGER, True, 403), (AUTHOR, False, 403)]
)
async def test_content_of_a_pack_is_closed_by_an_earlier_registration_or_one_of_an_endorsed_agent(
    platform: Platform, client: httpx.AsyncClient, seed: int, is_first: bool, status: int
) -> None:
    await agents(platform)
    (submission, _) = pack_submissions(VERIFIER_A)
    await accept(platform, signed_registration(VERIFIER_A))
    manifest, content = submission.blobs[:2]
    closing = signed_source(seed, source=content, source_id="urn:doc:test:mine", boundary=STRICTEST)
    if is_first:
        await accept(platform, closing)
    (outcome,) = await platform.append([submission])
    assert not isinstance(outcome, Exception), outcome
    if not is_first:
        await accept(platform, closing)
    address = f"/packs/{sha256_digest(manifest)}/content/{sha256_digest(content)}"
    assert (await client.get(address)).status_code == status


async def test_nobody_reads_what_a_redaction_left_of_a_closed_source_by_registering_it(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await agents(platform)
    await accept(platform, signed_source(AUTHOR, boundary=Boundary.CONFIDENTIAL))
    await platform.sources.put(sha256_digest(SOURCE), pieces(SOURCE))
    left = without(WORDS)
    name = sha256_digest(left)
    redaction = erasure_of(platform, byte_ranges=[range_of(WORDS)], redacted_document_hash=name)
    await accept(platform, redaction, claimed(left))

    for again in (recheck, rebuilt):
        await again(platform)
        assert (await client.get(f"/sources/{name}")).status_code == 403
        assert (await client.get(f"/sources/{name}", headers=bearer(OPERATOR))).content == left
        (document,) = await platform.store.read("documents_known", hashes=[name])
        assert document["held"] is False


async def test_what_a_redaction_left_of_a_public_source_stays_readable(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await agents(platform)
    await accept(platform, signed_source(AUTHOR))
    await platform.sources.put(sha256_digest(SOURCE), pieces(SOURCE))
    left = without(WORDS)
    name = sha256_digest(left)
    redaction = erasure_of(platform, byte_ranges=[range_of(WORDS)], redacted_document_hash=name)
    await accept(platform, redaction, claimed(left, STRICTEST))
    await platform.sources.put(name, pieces(left))
    assert await apply_retention(platform, LATER) == []
    assert (await client.get(f"/sources/{name}")).content == left


async def test_nobody_reads_what_a_redaction_left_of_a_statement_by_registering_it(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await agents(platform)
    disclosure = hidden()
    statement = statement_with(disclosure)
    await accept(platform, signed_source(AUTHOR, boundary=Boundary.CONFIDENTIAL), statement)
    left = redacted_bytes(statement, [disclosure.digest])
    await accept(platform, redaction_of(platform, statement, disclosure), claimed(left))
    for again in (recheck, rebuilt):
        await again(platform)
        assert (await client.get(f"/sources/{sha256_digest(left)}")).status_code == 404


async def test_a_rebuild_goes_on_without_what_a_redaction_left(platform: Platform) -> None:
    await agents(platform)
    await accept(platform, signed_source(AUTHOR), signed_statement(AUTHOR))
    await platform.sources.put(sha256_digest(SOURCE), pieces(SOURCE))
    name = sha256_digest(without(WORDS))
    await accept(platform, erasure_of(platform, byte_ranges=[range_of(WORDS)], redacted_document_hash=name))
    await platform.content.remove(name)
    await rebuilt(platform)


async def test_the_operator_opens_what_strangers_alone_have_closed(platform: Platform) -> None:
    await agents(platform)
    await accept(platform, claimed(SOURCE, STRICTEST))
    await accept(platform, signed_node_source(platform))
    (document,) = await platform.store.read("documents_known", hashes=[sha256_digest(SOURCE)])
    assert document["boundary"] == Boundary.PUBLIC
    await accept(platform, signed_source(STRANGER, source_id="urn:doc:test:again", boundary=STRICTEST))
    (document,) = await platform.store.read("documents_known", hashes=[sha256_digest(SOURCE)])
    assert document["boundary"] == Boundary.PUBLIC


@pytest.mark.parametrize("boundary", [Boundary.PUBLIC, Boundary.INTERNAL])
async def test_the_operator_opens_a_source_as_far_as_the_endorsed_agents_do_that_registered_it_after_a_stranger(
    platform: Platform, boundary: Boundary
) -> None:
    await agents(platform)
    await accept(platform, claimed(SOURCE, STRICTEST), signed_source(AUTHOR, boundary=boundary))
    (document,) = await platform.store.read("documents_known", hashes=[sha256_digest(SOURCE)])
    assert document["boundary"] == STRICTEST, "a stranger that had closed bytes first keeps them protected"
    await accept(platform, signed_node_source(platform))
    (document,) = await platform.store.read("documents_known", hashes=[sha256_digest(SOURCE)])
    assert document["boundary"] == boundary
    whole = await whole_graph(platform.store)
    await rebuilt(platform)
    assert await whole_graph(platform.store) == whole


async def test_the_operator_does_not_open_what_an_endorsed_agent_has_closed(platform: Platform) -> None:
    await agents(platform)
    await accept(platform, signed_source(AUTHOR, boundary=Boundary.CONFIDENTIAL))
    await accept(platform, signed_node_source(platform))
    (document,) = await platform.store.read("documents_known", hashes=[sha256_digest(SOURCE)])
    assert document["boundary"] == Boundary.CONFIDENTIAL
