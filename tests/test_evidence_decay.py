"""Evidence that decays: sources that are erased, lost, damaged or named anew, and what becomes of what cites them."""

from pathlib import Path
from typing import Any

import httpx
import pytest
from builders import (
    QUOTE,
    SOURCE,
    SOURCE_ID,
    TIME,
    segment,
    signed_registration,
    signed_response,
    signed_source,
    signed_statement,
    source_redaction_message,
)
from graph_contents import nodes_with_label, whole_graph
from http_client import ask, client
from key_world import by_node
from platform_fixture import platform
from rebuilding import rebuilt
from scenario import (
    AUTHOR,
    STRANGER,
    VERIFIER_A,
    VERIFIER_B,
    accept,
    hash_of,
    pieces,
    settle,
    signed_node_source,
    verified_world,
)

from a2ap.canonical import sha256_digest
from a2ap.messages.evidence import ByteRange
from graph.platform import Platform
from graph.retention.redactions import redactions_of
from graph.services.retention_job import apply_retention
from graph.submission.source_recheck import RecheckedSource, recheck_sources

__all__ = ["client", "platform"]

HASH = sha256_digest(SOURCE)
OTHER_QUOTE = "they want outdoor tables."
STATE = """query ($id: ID!) { statement(id: $id) {
  verified machineCheck evidenceState evidenceDecay { since reason }
  consensus { verified reasons }
  verifications { machine verdict }
} }"""


def erasure(platform: Platform, *ranges: ByteRange, reason: str = "The person asked for it.") -> bytes:
    left = bytearray(SOURCE)
    for one in ranges:
        left[one.start : one.end] = b" " * (one.end - one.start)
    message = source_redaction_message(
        HASH,
        redacting_agent=platform.node.agent_id,
        byte_ranges=ranges,
        redacted_document_hash=sha256_digest(bytes(left)) if ranges else None,
        reason=reason,
    )
    return by_node(platform, message)


def range_of(words: str) -> ByteRange:
    start = SOURCE.index(words.encode())
    return ByteRange(start, start + len(words.encode()))


def object_of(platform: Platform, name: str) -> Path:
    digest = name.removeprefix("sha256:")
    return platform.settings.data / ".ctx" / "objects" / digest[:2] / digest[2:]


async def statement_of(platform: Platform, document: bytes) -> dict[str, Any]:
    found = await nodes_with_label(platform.store, "Statement")
    return next(node for node in found if node["signed_hash"] == hash_of(document))


async def recheck(platform: Platform, **options: str) -> list[RecheckedSource]:
    return [one async for one in recheck_sources(platform.store, platform.content, platform.sources, **options)]


async def test_evidence_that_is_held_says_so(platform: Platform, client: httpx.AsyncClient) -> None:
    world = await verified_world(platform)

    found = (await ask(client, STATE, {"id": hash_of(world.statement)}))["statement"]
    assert (found["evidenceState"], found["evidenceDecay"]) == ("HELD", None)


async def test_evidence_that_was_never_compared_is_unchecked(platform: Platform, client: httpx.AsyncClient) -> None:
    await accept(platform, signed_registration(AUTHOR), signed_source(AUTHOR), signed_statement(AUTHOR))

    found = (await ask(client, STATE, {"id": hash_of(signed_statement(AUTHOR))}))["statement"]
    assert (found["evidenceState"], found["evidenceDecay"]) == ("UNCHECKED", None)


async def test_an_erased_source_leaves_decayed_evidence_and_nothing_verified(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    world = await verified_world(platform)
    before = (await ask(client, STATE, {"id": hash_of(world.statement)}))["statement"]
    assert before["verified"]

    await accept(platform, erasure(platform))

    after = (await ask(client, STATE, {"id": hash_of(world.statement)}))["statement"]
    assert not after["verified"] and not after["consensus"]["verified"]
    assert "The machine could not check the evidence." in after["consensus"]["reasons"]
    assert (after["machineCheck"], after["evidenceState"]) == ("INCONCLUSIVE", "DECAYED")
    assert f"redacted by {platform.node.agent_id}" in after["evidenceDecay"]["reason"]
    (redaction,) = (await redactions_of(platform.store, [HASH]))[HASH]
    machine = [one["verdict"] for one in after["verifications"] if one["machine"]]
    assert machine == ["VALIDATED", "INSUFFICIENT_EVIDENCE"]
    entries = await platform.store.read("log_entries_from", start=redaction.log_index + 1, first=10)
    assert [entry["type"] for entry in entries] == ["VerificationResponse"]


async def test_an_erased_passage_leaves_the_evidence_of_others_as_it_was(platform: Platform) -> None:
    await settle(platform)
    cites, other = (
        signed_statement(AUTHOR),
        signed_statement(AUTHOR, claim="They want tables.", evidence=[segment(OTHER_QUOTE)]),
    )
    await accept(platform, cites, other)

    await accept(platform, erasure(platform, range_of(QUOTE)))

    assert (await statement_of(platform, cites))["machine_check"] == "INCONCLUSIVE"
    assert (await statement_of(platform, other))["machine_check"] == "PASS"


async def test_what_cites_an_untouched_passage_later_is_compared_with_what_is_left(platform: Platform) -> None:
    await settle(platform)
    await accept(platform, erasure(platform, range_of(QUOTE)))
    other = signed_statement(AUTHOR, claim="They want tables.", evidence=[segment(OTHER_QUOTE)])
    await accept(platform, other)

    assert (await statement_of(platform, other))["machine_check"] == "PASS"


async def test_a_second_passage_takes_what_cites_it_along(platform: Platform) -> None:
    await settle(platform)
    other = signed_statement(AUTHOR, claim="They want tables.", evidence=[segment(OTHER_QUOTE)])
    await accept(platform, other, erasure(platform, range_of(QUOTE)))
    left = bytearray(SOURCE)
    for one in (range_of(QUOTE), range_of(OTHER_QUOTE)):
        left[one.start : one.end] = b" " * (one.end - one.start)
    again = source_redaction_message(
        HASH,
        redacting_agent=platform.node.agent_id,
        byte_ranges=[range_of(OTHER_QUOTE)],
        redacted_document_hash=sha256_digest(bytes(left)),
        reason="And this.",
    )
    await accept(platform, by_node(platform, again))

    assert (await statement_of(platform, other))["machine_check"] == "INCONCLUSIVE"


async def test_retention_decays_what_cited_the_source(platform: Platform) -> None:
    registration = signed_node_source(platform, source_id=SOURCE_ID, media_type="text/vtt", retain_until=TIME)
    await accept(platform, signed_registration(AUTHOR), registration)
    await platform.sources.put(HASH, pieces(SOURCE))
    statement = signed_statement(AUTHOR)
    await accept(platform, statement)
    assert (await statement_of(platform, statement))["machine_check"] == "PASS"

    await apply_retention(platform, TIME.replace(year=2030))

    found = await statement_of(platform, statement)
    assert found["machine_check"] == "INCONCLUSIVE" and found["evidence_passed"]
    assert "retention" in found["machine_reason"]


async def test_what_was_found_false_stays_false_when_its_source_goes(platform: Platform) -> None:
    await accept(platform, signed_registration(AUTHOR), signed_source(AUTHOR))
    false = signed_statement(AUTHOR, evidence=[segment(content_hash=sha256_digest(b"something else"))])
    await accept(platform, false)
    await platform.sources.put(HASH, pieces(SOURCE))
    assert (await statement_of(platform, false))["machine_check"] == "FAIL"

    await accept(platform, erasure(platform))

    assert (await statement_of(platform, false))["machine_check"] == "FAIL"


@pytest.mark.parametrize("damage", ["missing", "damaged"])
async def test_a_source_that_the_disk_lost_is_found_by_a_recheck_and_comes_back(
    platform: Platform, client: httpx.AsyncClient, damage: str
) -> None:
    world = await verified_world(platform)
    path = object_of(platform, HASH)
    path.chmod(0o600)
    if damage == "missing":
        path.unlink()
    else:
        path.write_bytes(SOURCE.replace(b"forty", b"fifty"))

    assert await recheck(platform) == [RecheckedSource(HASH, held=False, was_held=True, verdicts=1)]

    found = (await ask(client, STATE, {"id": hash_of(world.statement)}))["statement"]
    assert (found["evidenceState"], found["verified"]) == ("DECAYED", False)
    assert await recheck(platform) == [RecheckedSource(HASH, held=False, was_held=False, verdicts=0)]

    await platform.sources.put(HASH, pieces(SOURCE))
    found = (await ask(client, STATE, {"id": hash_of(world.statement)}))["statement"]
    assert (found["evidenceState"], found["verified"]) == ("HELD", True)
    assert await recheck(platform) == [RecheckedSource(HASH, held=True, was_held=True, verdicts=0)]


async def test_a_damaged_source_refuses_no_statement(platform: Platform) -> None:
    await settle(platform)
    path = object_of(platform, HASH)
    path.chmod(0o600)
    path.write_bytes(b"Something else.")
    statement = signed_statement(AUTHOR)
    await accept(platform, statement)

    assert (await statement_of(platform, statement))["machine_check"] == "INCONCLUSIVE"


@pytest.mark.both_engines
async def test_bytes_that_are_back_are_held_again(platform: Platform) -> None:
    world = await verified_world(platform)
    path = object_of(platform, HASH)
    path.rename(path.with_suffix(".away"))
    await recheck(platform)
    path.with_suffix(".away").rename(path)

    assert await recheck(platform) == [RecheckedSource(HASH, held=True, was_held=False, verdicts=1)]
    assert (await statement_of(platform, world.statement))["machine_check"] == "PASS"


async def test_a_recheck_goes_on_after_the_source_it_was_stopped_at(platform: Platform) -> None:
    await settle(platform)
    others = [f"Source {number}.".encode() for number in range(3)]
    await accept(
        platform,
        *(signed_source(AUTHOR, source=text, source_id=f"urn:doc:test:{number}") for number, text in enumerate(others)),
    )
    everything = await recheck(platform)
    assert [one.document_hash for one in everything] == sorted([HASH, *map(sha256_digest, others)])

    assert await recheck(platform, after=everything[1].document_hash) == everything[2:]


async def test_a_name_that_a_held_source_gets_is_looked_at(platform: Platform) -> None:
    await settle(platform)
    other = "urn:doc:test:other-name"
    statement = signed_statement(AUTHOR, evidence=[segment(source_id=other)])
    await accept(platform, statement)
    assert (await statement_of(platform, statement))["machine_check"] == "INCONCLUSIVE"

    await accept(platform, signed_source(STRANGER, source_id=other))

    assert (await statement_of(platform, statement))["machine_check"] == "PASS"


async def test_a_name_that_gets_other_bytes_takes_nothing_from_the_bytes_that_it_had(platform: Platform) -> None:
    world = await verified_world(platform)
    await accept(platform, signed_source(AUTHOR, source=b"A later version.", source_id=SOURCE_ID))

    assert (await statement_of(platform, world.statement))["machine_check"] == "PASS"


async def test_a_rebuilt_graph_knows_what_decayed(platform: Platform) -> None:
    world = await verified_world(platform)
    await accept(platform, erasure(platform, range_of(QUOTE)))
    await accept(platform, signed_response(world.statement, VERIFIER_A, confidence=0.5))
    assert (await statement_of(platform, world.statement))["evidence_passed"]
    before = await whole_graph(platform.store)

    await rebuilt(platform)

    assert await whole_graph(platform.store) == before


async def test_verdicts_alone_never_bring_decayed_evidence_back(platform: Platform) -> None:
    world = await verified_world(platform)
    await accept(platform, erasure(platform))
    for verifier in (VERIFIER_A, VERIFIER_B):
        await accept(platform, signed_response(world.statement, verifier, confidence=0.99))

    assert not (await statement_of(platform, world.statement))["verified"]
