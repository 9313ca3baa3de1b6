"""A rebuild from log entries and stored bytes gives the same graph and the same scores."""

import dataclasses
import json
from pathlib import Path

import pytest
from builders import (
    SOURCE,
    agent_id,
    message_id,
    reference_to,
    request_message,
    response_message,
    segment,
    sign,
    signed_endorsement,
    signed_registration,
    signed_request,
    signed_response,
    signed_source,
    signed_statement,
)
from graph_contents import run_raw, whole_graph
from platform_fixture import platform
from scenario import (
    AUTHOR,
    OPERATOR_B,
    STRANGER,
    VERIFIER_A,
    VERIFIER_B,
    accept,
    pieces,
    settle,
    signed_node_policy,
    verified_world,
)
from servers import server_on

from a2ap.canonical import sha256_digest
from a2ap.json_text import write_json
from a2ap.log.entry import LogEntry
from a2ap.messages.policy import POLICY_METHODS, ConsensusMethod
from a2ap.messages.verification_response import Verdict
from graph.errors import RebuildError
from graph.log.entry import as_row, entry_from_row
from graph.platform import Platform
from graph.settings import Settings
from graph.store import Store
from graph.submission.rebuild import read_entries, rebuild

__all__ = ["platform"]

_EMPTY = "MATCH (n) DETACH DELETE n"


async def entries_of(store: Store) -> list[LogEntry]:
    rows = await store.read("log_entries_from", start=0, first=1_000)
    return [entry_from_row(row) for row in rows]


async def a_busy_history(platform: Platform) -> None:
    """Verdicts of every kind, an endorsement and a policy that come after verdicts, references between statements."""
    world = await verified_world(platform)
    second = signed_statement(AUTHOR, claim="The map keeps forty feet.", supports=[reference_to(world.statement)])
    third = signed_statement(STRANGER, claim="The map drops it.", contradicts=[reference_to(second)])
    await accept(platform, second, third)
    late = signed_registration(41)
    await accept(
        platform,
        signed_response(second, VERIFIER_A, confidence=0.7),
        signed_response(third, VERIFIER_A, verdict=Verdict.CHALLENGED, reason="the source says otherwise"),
        signed_response(third, VERIFIER_B, verdict=Verdict.CHALLENGED, reason="the source says otherwise"),
        signed_response(third, STRANGER),
        late,
        signed_response(second, 41, confidence=1.0),
        signed_endorsement(late, OPERATOR_B),
        signed_response(world.statement, VERIFIER_B, verdict=Verdict.CHALLENGED, reason="on second thoughts"),
    )


@pytest.mark.both_engines
@pytest.mark.parametrize("method", POLICY_METHODS)
async def test_a_rebuild_gives_the_same_graph_and_scores(platform: Platform, method: ConsensusMethod) -> None:
    await a_busy_history(platform)
    await accept(platform, signed_node_policy(platform, 2, method=method, threshold=0.6))
    last = signed_statement(AUTHOR, claim="Said after the policy changed.")
    await accept(platform, last, signed_response(last, VERIFIER_A), signed_response(last, VERIFIER_B))
    before = await whole_graph(platform.store)
    entries = await entries_of(platform.store)
    await run_raw(platform.store, _EMPTY)

    sizes = [size async for size in rebuild(platform.store, platform.content, entries)]

    assert sizes[-1] == len(entries)
    assert await whole_graph(platform.store) == before


@pytest.mark.parametrize("method", POLICY_METHODS)
async def test_what_a_lenient_node_recorded_is_rebuilt_as_well(
    store: Store, tmp_path: Path, method: ConsensusMethod
) -> None:
    """Failed evidence, verdicts that bind nothing, a source that came late, another that never did, batches of one."""
    settings = Settings(data=tmp_path, on_failed_evidence="record", on_unbound_verdict="record")
    late = b"Said elsewhere. " + SOURCE
    async with server_on(store, tmp_path, settings=settings) as platform:
        await settle(platform, method=method)
        past = segment() | {"byteRange": {"start": 10, "end": len(SOURCE) + 1}}
        statements = [
            signed_statement(AUTHOR, claim="Past the end.", evidence=[past]),
            signed_statement(AUTHOR, claim="Of two sources.", evidence=[segment(), segment("forty feet", source=late)]),
            signed_statement(STRANGER, claim="By name.", evidence=[segment(document_hash=None)]),
        ]
        await accept(platform, signed_source(AUTHOR, source=late, source_id="urn:doc:test:late"), *statements)
        for number, statement in enumerate(statements):
            await accept(platform, signed_response(statement, VERIFIER_A, confidence=0.9 - number / 10))
            await accept(platform, sign(response_message(statement, STRANGER, bound=False), STRANGER))
            await accept(platform, signed_request(statement, STRANGER))
        await platform.sources.put(sha256_digest(late), pieces(late))
        await accept(platform, *(signed_response(statement, VERIFIER_B) for statement in statements))
        before, entries = await whole_graph(store), await entries_of(store)
        await run_raw(store, _EMPTY)
        async for _ in rebuild(store, platform.content, entries):
            pass
        assert await whole_graph(store) == before


async def test_a_rebuilt_graph_goes_on_where_it_was(platform: Platform) -> None:
    await settle(platform)
    entries = await entries_of(platform.store)
    await run_raw(platform.store, _EMPTY)
    async for _ in rebuild(platform.store, platform.content, entries):
        pass
    receipt = await platform.submit(signed_statement(AUTHOR))
    assert receipt.entry.log_index == len(entries)


async def test_a_rebuild_into_a_graph_that_is_not_empty_is_refused(platform: Platform) -> None:
    await settle(platform)
    entries = await entries_of(platform.store)
    with pytest.raises(RebuildError, match="already has"):
        async for _ in rebuild(platform.store, platform.content, entries):
            pass


async def test_a_missing_entry_is_named(platform: Platform) -> None:
    await settle(platform)
    entries = await entries_of(platform.store)
    await run_raw(platform.store, _EMPTY)
    with pytest.raises(RebuildError, match="entry 3 is missing; entry 4 follows"):
        async for _ in rebuild(platform.store, platform.content, entries[:3] + entries[4:]):
            pass


async def test_an_entry_of_other_bytes_is_named(platform: Platform) -> None:
    await settle(platform)
    entries = await entries_of(platform.store)
    await run_raw(platform.store, _EMPTY)
    swapped = dataclasses.replace(entries[2], document_hash=entries[3].document_hash)
    with pytest.raises(RebuildError, match="entry 2 has the signed_hash 'sha256:"):
        async for _ in rebuild(platform.store, platform.content, [*entries[:2], swapped]):
            pass


@pytest.mark.parametrize(
    ("field", "value"),
    [("agent", agent_id(STRANGER)), ("id", "urn:uuid:x"), ("type", "Policy"), ("key", "z6Mk"), ("v", 2)],
)
async def test_an_entry_that_says_something_else_than_its_bytes_is_named(
    platform: Platform, field: str, value: object
) -> None:
    await settle(platform)
    entries = await entries_of(platform.store)
    await run_raw(platform.store, _EMPTY)
    entries[2] = dataclasses.replace(entries[2], **{field: value})  # type: ignore[arg-type]
    with pytest.raises(RebuildError, match=f"entry 2 has the {field} "):
        async for _ in rebuild(platform.store, platform.content, entries):
            pass


async def test_a_countersigned_request_is_rebuilt(platform: Platform) -> None:
    world = await verified_world(platform)
    request = write_json(request_message(world.statement, STRANGER))
    await platform.submit(request, authenticated=True)
    before, entries = await whole_graph(platform.store), await entries_of(platform.store)
    await run_raw(platform.store, _EMPTY)
    async for _ in rebuild(platform.store, platform.content, entries):
        pass
    assert await whole_graph(platform.store) == before


async def test_a_rebuild_makes_no_source_of_a_received_document(platform: Platform) -> None:
    """Whoever reads its hash in the log can register it as public, and the statement may quote what is not."""
    world = await verified_world(platform)
    registration = signed_source(STRANGER, source=world.statement, source_id="urn:doc:test:not-a-source")
    await accept(platform, registration)
    before, entries = await whole_graph(platform.store), await entries_of(platform.store)
    await run_raw(platform.store, _EMPTY)
    async for _ in rebuild(platform.store, platform.content, entries):
        pass
    (known,) = await platform.store.read("documents_known", hashes=[sha256_digest(world.statement)])
    assert known["held"] is False
    assert await whole_graph(platform.store) == before


async def test_an_agent_endorsed_twice_is_rebuilt_with_one_endorsement(platform: Platform) -> None:
    world = await verified_world(platform)
    registration = signed_registration(VERIFIER_A)
    again = [signed_endorsement(registration, OPERATOR_B, endorsement_id=message_id("again", n)) for n in range(3)]
    await accept(platform, *again[:2])
    await accept(platform, signed_response(world.statement, STRANGER), again[2])
    before, entries = await whole_graph(platform.store), await entries_of(platform.store)
    await run_raw(platform.store, _EMPTY)
    async for _ in rebuild(platform.store, platform.content, entries):
        pass
    assert await whole_graph(platform.store) == before


def test_an_exported_entry_reads_back() -> None:
    line = (
        '{"log_index": 7, "v": 1, "origin": "o", "type": "Policy", "id": "urn:uuid:1", "document_hash": "sha256:0",'
        ' "signed_hash": "sha256:1", "agent": "urn:agent:a", "key": "k", "received_at": "2026-01-01T00:00:00.000001Z"}'
    )
    (entry,) = read_entries([line])
    assert write_json(as_row(entry)) == write_json(json.loads(line))
    with pytest.raises(RebuildError, match="line 1 is not a log entry"):
        list(read_entries(['{"log_index": 7}']))
