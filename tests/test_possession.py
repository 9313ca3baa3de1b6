"""Proof of possession: of agents that nobody answers for, the first that had the bytes owns them."""

import asyncio
import hashlib
import hmac
import json
from base64 import b64encode
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from audited import audited, export_node
from builders import (
    SOURCE,
    SOURCE_ID,
    agent_id,
    agent_key,
    sign,
    signed_record,
    signed_registration,
    signed_source,
    signed_statement,
)
from graph_contents import nodes_with_label, relationships_of_type, whole_graph
from http_client import ask, client
from hypothesis import given
from hypothesis import strategies as st
from pack_world import pack_submissions
from passports import signed_world
from peer_simulator import PeerSimulator
from platform_fixture import platform
from rebuilding import rebuilt
from scenario import AUTHOR, OPERATOR_B, STRANGER, accept, pieces, signed_node_source, source_of
from servers import log_of
from test_federation import pulled
from test_quotas import node

from a2ap.boundary import STRICTEST, Boundary
from a2ap.canonical import sha256_digest
from a2ap.errors import LogFormatError
from a2ap.log.entry import entry_bytes, read_entry
from a2ap.messages.message import read_message
from a2ap.messages.possession import PossessionMac, possession_mac
from a2ap.messages.source_registration import SourceRegistration
from graph.audit.folder_node import FolderNode
from graph.errors import ForbiddenError, TargetError
from graph.log.entry import Receipt
from graph.platform import Platform
from graph.store import Store
from graph.submission import planner
from graph.submission.source_recheck import recheck_sources
from graph.submission.submission import Submission

__all__ = ["client", "platform"]

NAME = sha256_digest(SOURCE)
OTHER = OPERATOR_B
both_engines = pytest.mark.both_engines


def mac_of(seed: int, source: bytes = SOURCE) -> str:
    return possession_mac(agent_id(seed), source)


def proven(seed: int, *, by: int | None = None, source: bytes = SOURCE, **members: Any) -> bytes:
    """Return a registration of `seed` with the proof of the agent `by`, its own if it is omitted."""
    return signed_source(seed, source=source, possession_mac=mac_of(by or seed, source), **members)


def with_mac(seed: int, mac: object, **members: Any) -> bytes:
    """Return a registration with any value for the MAC."""
    message = json.loads(signed_source(seed, **members))
    del message["signature"]
    message["source"]["possessionMac"] = mac
    return sign(message, seed)


async def upload(client: httpx.AsyncClient, registration: bytes, content: bytes = SOURCE) -> httpx.Response:
    name = json.loads(registration)["source"]["documentHash"]
    headers = {"a2ap-registration": b64encode(registration).decode()}
    return await client.put(f"/sources/{name}", content=content, headers=headers)


async def strangers(platform: Platform) -> None:
    """Register agents for which the operator does not answer."""
    await accept(platform, *(signed_registration(seed) for seed in (AUTHOR, STRANGER, OTHER)))


async def document(platform: Platform) -> dict[str, Any]:
    (found,) = await nodes_with_label(platform.store, "Document")
    return found


@given(agent=st.text(st.characters(exclude_categories=["Cs"])), chunks=st.lists(st.binary(max_size=50), max_size=5))
def test_the_mac_is_an_hmac_of_all_pieces_under_the_agents_id(agent: str, chunks: list[bytes]) -> None:
    mac = PossessionMac(agent)
    for chunk in chunks:
        mac.update(chunk)
    key = b"a2ap possession\n" + agent.encode()
    assert mac.text == "hmac-sha256:" + hmac.new(key, b"".join(chunks), hashlib.sha256).hexdigest()


def test_a_registration_keeps_its_mac_and_the_signature_covers_it() -> None:
    registration = read_message(proven(AUTHOR))
    assert isinstance(registration, SourceRegistration)
    assert registration.possession_mac == mac_of(AUTHOR)
    assert mac_of(AUTHOR).encode() in registration.envelope.signed_bytes


@pytest.mark.parametrize("text", ["", "sha256:" + "0" * 64, "hmac-sha256:" + "0" * 64, 7])
async def test_a_mac_of_another_form_is_refused_with_the_bytes_and_without(
    platform: Platform, client: httpx.AsyncClient, text: object
) -> None:
    await strangers(platform)
    registration = with_mac(AUTHOR, text)
    assert (await upload(client, registration)).json()["code"] == "HASH_MISMATCH"
    with pytest.raises(TargetError, match="did not come with their registration"):
        await platform.submit(registration)
    assert not await platform.content.has(NAME)


@both_engines
async def test_no_stranger_closes_the_source_of_a_stranger_that_had_the_bytes_first(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await strangers(platform)
    answer = await upload(client, proven(AUTHOR))
    assert answer.status_code == 201, answer.text
    assert answer.json()["receipt"]["created"] is True
    await accept(platform, signed_source(STRANGER, source_id="urn:doc:test:mine", boundary=STRICTEST, title="Mine"))

    assert (await client.get(f"/sources/{NAME}")).content == SOURCE
    query = (
        f'{{ documents(filter: {{name: "{NAME}"}}) {{ nodes {{ boundary title boundaryRequests {{ boundary }} }} }} }}'
    )
    (found,) = (await ask(client, query))["documents"]["nodes"]
    assert found == {
        "boundary": "public",
        "title": "City council meeting",
        "boundaryRequests": [{"boundary": STRICTEST.value}],
    }
    before = await whole_graph(platform.store)
    await rebuilt(platform)
    assert await whole_graph(platform.store) == before


async def test_without_the_proof_the_strictest_class_of_strangers_counts(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await strangers(platform)
    await accept(platform, signed_source(AUTHOR))
    await platform.sources.put(NAME, pieces(SOURCE))
    await accept(platform, signed_source(STRANGER, source_id="urn:doc:test:mine", boundary=STRICTEST))
    assert (await client.get(f"/sources/{NAME}")).status_code == 403


async def test_a_registration_without_the_bytes_keeps_no_title_from_the_agent_that_has_them(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await strangers(platform)
    await accept(platform, signed_source(STRANGER, title="Mine"))
    assert (await upload(client, proven(AUTHOR, title="Own"))).status_code == 201
    found = await document(platform)
    assert found["title"] == "Own"
    # The stranger that was first in the log tightens nothing any more.
    await accept(platform, signed_source(STRANGER, boundary=STRICTEST, title="Mine again"))
    assert (await document(platform))["boundary"] == "public"
    before = await whole_graph(platform.store)
    await rebuilt(platform)
    assert await whole_graph(platform.store) == before


@both_engines
@pytest.mark.parametrize("at_once", [True, False])
async def test_a_name_is_described_by_the_operators_agents_or_the_first_with_a_proof_or_the_first(
    platform: Platform, auditor_store: Store, tmp_path: Path, at_once: bool
) -> None:
    await strangers(platform)
    first = signed_source(STRANGER, source=b"Other bytes.", title="First", publisher="Stranger")
    later = signed_source(OTHER, source=b"More bytes.", title="Later")
    if not at_once:
        await accept(platform, first, later)
        assert await description(platform) == ("First", "Stranger")
    more = b"Other bytes of a stranger."
    owned = Submission(read_message(proven(AUTHOR, title="Own")), possession_mac=mac_of(AUTHOR))
    again = Submission(read_message(proven(OTHER, source=more, title="Again")), possession_mac=mac_of(OTHER, more))
    documents = [first, later] if at_once else []
    receipts = await platform.append([*(Submission(read_message(one)) for one in documents), owned, again])
    assert [type(receipt) for receipt in receipts] == [Receipt] * len(receipts)
    await platform.sources.put(NAME, pieces(SOURCE))
    assert await description(platform) == ("Own", "City clerk")
    await accept(platform, signed_source(STRANGER, source=b"Even more bytes.", title="Last"))
    assert await description(platform) == ("Own", "City clerk")
    assert (await audited(FolderNode(await export_node(platform, tmp_path / "node")), auditor_store)).findings == []
    await accept(platform, signed_node_source(platform, source_id=SOURCE_ID))
    assert await description(platform) == ("Council meeting", None)
    before = await whole_graph(platform.store)
    await rebuilt(platform)
    assert await whole_graph(platform.store) == before


async def description(platform: Platform) -> tuple[str, str | None]:
    (source,) = await nodes_with_label(platform.store, "Source")
    return source["title"], source.get("publisher")


async def test_a_proof_makes_no_class_milder(platform: Platform, client: httpx.AsyncClient) -> None:
    """A stranger that stated a class before may have written about the source under that class."""
    await strangers(platform)
    await accept(platform, signed_source(STRANGER, boundary=Boundary.CONFIDENTIAL))
    assert (await upload(client, proven(AUTHOR))).status_code == 201
    assert (await document(platform))["boundary"] == Boundary.CONFIDENTIAL.value
    assert (await client.get(f"/sources/{NAME}")).status_code == 403
    await accept(platform, signed_node_source(platform))
    assert (await client.get(f"/sources/{NAME}")).content == SOURCE


async def test_the_owner_the_node_and_endorsed_agents_still_tighten(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await strangers(platform)
    assert (await upload(client, proven(AUTHOR))).status_code == 201
    await accept(platform, signed_source(AUTHOR, boundary=Boundary.INTERNAL))
    assert (await document(platform))["boundary"] == Boundary.INTERNAL.value


async def test_bytes_that_are_here_give_no_right_to_another_agent(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await strangers(platform)
    await accept(platform, signed_source(AUTHOR))
    await platform.sources.put(NAME, pieces(SOURCE))
    size = platform.log.size
    refused = await upload(client, proven(STRANGER, title="Mine"))
    assert (refused.status_code, refused.json()["path"]) == (403, "source.possessionMac")
    assert agent_id(AUTHOR) in refused.json()["detail"]
    assert platform.log.size == size
    # Its owner may prove at any time that it has them.
    false = await upload(client, proven(AUTHOR, by=STRANGER, source_id="urn:doc:test:false"), b"")
    assert false.json()["code"] == "HASH_MISMATCH"
    # They are here, and need not come again.
    assert (await upload(client, proven(AUTHOR), b"")).status_code == 200
    await accept(platform, signed_source(STRANGER, boundary=STRICTEST))
    assert (await client.get(f"/sources/{NAME}")).content == SOURCE


@pytest.mark.parametrize("by", [STRANGER, None])
async def test_a_proof_that_does_not_hold_changes_nothing(
    platform: Platform, client: httpx.AsyncClient, by: int | None
) -> None:
    await strangers(platform)
    size = platform.log.size
    registration = proven(AUTHOR, by=by)
    content = SOURCE if by is not None else SOURCE + b"."
    refused = await upload(client, registration, content)
    assert refused.json()["code"] == "HASH_MISMATCH", refused.text
    assert platform.log.size == size
    assert not await nodes_with_label(platform.store, "Document")
    assert not await platform.content.has(NAME)


async def test_a_registration_with_a_proof_is_not_taken_without_the_bytes(platform: Platform) -> None:
    await strangers(platform)
    with pytest.raises(TargetError, match="did not come with their registration"):
        await platform.submit(proven(AUTHOR))
    (outcome,) = await platform.submit_many([proven(AUTHOR)])
    assert isinstance(outcome, TargetError)
    assert outcome.path == "source.possessionMac"


async def test_bytes_do_not_come_below_the_class_that_their_proof_states(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await strangers(platform)
    await accept(platform, signed_node_source(platform))
    size = platform.log.size
    refused = await upload(client, proven(AUTHOR, boundary=Boundary.CONFIDENTIAL))
    assert (refused.status_code, refused.json()["path"]) == (403, "source.boundary")
    assert platform.log.size == size
    assert not await platform.content.has(NAME)


async def test_the_same_upload_twice_gives_the_receipt_again(platform: Platform, client: httpx.AsyncClient) -> None:
    await strangers(platform)
    first = await upload(client, proven(AUTHOR))
    again = await upload(client, proven(AUTHOR))
    assert (first.status_code, again.status_code) == (201, 200)
    assert again.json()["receipt"]["created"] is False
    assert first.json()["receipt"]["entry"] == again.json()["receipt"]["entry"]


async def test_bytes_that_were_lost_come_again_with_the_registration_that_is_in_the_log(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    """A server that is killed between the log and the content store has the registration and no bytes."""
    await strangers(platform)
    await upload(client, proven(AUTHOR))
    await platform.content.remove(NAME)
    await platform.store.write(lambda transaction: transaction.run("mark_document_lost", document_hash=NAME))
    assert (await upload(client, proven(AUTHOR))).status_code == 201
    assert (await client.get(f"/sources/{NAME}")).content == SOURCE


async def test_statements_are_checked_when_the_proven_bytes_come(platform: Platform, client: httpx.AsyncClient) -> None:
    await strangers(platform)
    await accept(platform, signed_source(STRANGER), signed_statement(STRANGER))
    await upload(client, proven(AUTHOR))
    answer = await ask(client, "{ statements { nodes { machineCheck } } }")
    assert answer["statements"]["nodes"] == [{"machineCheck": "PASS"}]


async def test_graphql_takes_a_proof_with_the_bytes_and_not_without(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await strangers(platform)
    mutation = """mutation ($d: String!, $c: String) {
        registerSource(document: $d, contentBase64: $c) { ... on Problem { code path } ... on Receipt { created } } }"""
    without = await ask(client, mutation, {"d": proven(AUTHOR).decode()})
    assert without["registerSource"]["path"] == "source.possessionMac"
    given = {"d": proven(AUTHOR).decode(), "c": b64encode(SOURCE).decode()}
    assert await ask(client, mutation, given) == {"registerSource": {"created": True}}
    await accept(platform, signed_source(STRANGER, boundary=STRICTEST))
    assert (await client.get(f"/sources/{NAME}")).content == SOURCE


@pytest.mark.parametrize(
    ("header", "status"),
    [
        ("%", 400),
        (b64encode(b"{}").decode(), 400),
        (b64encode(signed_source(AUTHOR)).decode(), 400),
        (b64encode(signed_registration(AUTHOR)).decode(), 400),
        (b64encode(proven(AUTHOR, source=b"other")).decode(), 422),
        (b64encode(proven(99)).decode(), 403),
    ],
)
async def test_another_registration_in_the_header_is_one_error_and_changes_nothing(
    platform: Platform, client: httpx.AsyncClient, header: str, status: int
) -> None:
    await strangers(platform)
    size = platform.log.size
    refused = await client.put(f"/sources/{NAME}", content=SOURCE, headers={"a2ap-registration": header})
    assert refused.status_code == status, refused.text
    assert platform.log.size == size
    assert not await platform.content.has(NAME)


@both_engines
async def test_of_two_that_prove_at_once_one_owns(platform: Platform) -> None:
    await strangers(platform)
    # The one that is not the first to prove was the first in the log.
    await accept(platform, signed_source(STRANGER, source_id="urn:doc:test:mine", title="Mine"))
    outcomes = await asyncio.gather(
        *(
            platform.sources.add(source_of(proven(seed, title=str(seed))), pieces(SOURCE))
            for seed in (AUTHOR, STRANGER)
        ),
        return_exceptions=True,
    )
    (refusal,) = [outcome for outcome in outcomes if isinstance(outcome, Exception)]
    assert isinstance(refusal, ForbiddenError)
    owner = STRANGER if outcomes.index(refusal) == 0 else AUTHOR
    found = await document(platform)
    assert (found["title"], found["held"]) == (str(owner), True)
    other = AUTHOR if owner == STRANGER else STRANGER
    await accept(platform, signed_source(other, source_id="urn:doc:test:mine", boundary=STRICTEST))
    assert (await document(platform))["boundary"] == "public"


async def test_bytes_that_are_lost_give_no_right_to_another_agent(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await strangers(platform)
    await accept(platform, signed_source(STRANGER, source_id="urn:doc:test:mine", title="Mine"))
    await upload(client, proven(AUTHOR))
    await platform.content.remove(NAME)
    async for one in recheck_sources(platform.store, platform.content, platform.sources):
        assert not one.held
    assert (await upload(client, proven(STRANGER))).status_code == 403
    assert (await upload(client, proven(AUTHOR))).status_code == 201


async def test_an_audit_names_a_proof_that_is_not_of_the_bytes(
    platform: Platform, auditor_store: Store, tmp_path: Path
) -> None:
    """A node that takes sides could log the registration of an agent that did not have the bytes."""
    await strangers(platform)
    false = proven(STRANGER, by=AUTHOR)
    submission = Submission(read_message(false), possession_mac=mac_of(AUTHOR))
    (receipt,) = await platform.append([submission])
    assert isinstance(receipt, Receipt)
    await platform.sources.put(NAME, pieces(SOURCE))
    await accept(platform, signed_source(AUTHOR))
    (finding,) = (await audited(FolderNode(await export_node(platform, tmp_path / "node")), auditor_store)).findings
    assert finding.where == f"log entry {receipt.entry.log_index}"
    assert "is not the MAC of the bytes" in finding.what


@both_engines
async def test_an_audit_of_proven_sources_has_no_findings(
    platform: Platform, client: httpx.AsyncClient, auditor_store: Store, tmp_path: Path
) -> None:
    await strangers(platform)
    await accept(platform, signed_source(STRANGER, title="Mine"))
    await upload(client, proven(AUTHOR, title="Own"))
    await accept(platform, signed_source(STRANGER, boundary=STRICTEST))
    assert (await audited(FolderNode(await export_node(platform, tmp_path / "node")), auditor_store)).findings == []


async def hand_in(client: httpx.AsyncClient, registration: bytes, record: bytes) -> httpx.Response:
    headers = {"a2ap-registration": b64encode(registration).decode()}
    return await client.post("/passports", content=record, headers=headers)


def record_of(seed: int, record: bytes, *, has_proof: bool = True, **members: Any) -> bytes:
    mac = possession_mac(agent_id(seed), record) if has_proof else None
    return signed_record(seed, content=record, possession_mac=mac, **members)


@both_engines
async def test_no_stranger_closes_the_record_of_a_stranger_that_had_its_bytes_first(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await strangers(platform)
    (record, *_) = signed_world(agent_id(AUTHOR), agent_key(AUTHOR), f"{agent_id(AUTHOR)}#key-1")
    name = sha256_digest(record)
    # A registration of the same bytes as a source, without them, was before.
    await accept(platform, signed_source(STRANGER, source=record, source_id="urn:doc:test:mine"))
    assert (await hand_in(client, record_of(AUTHOR, record), record)).status_code == 201
    plain = record_of(STRANGER, record, has_proof=False, boundary=STRICTEST)
    assert (await hand_in(client, plain, record)).status_code == 201
    await accept(platform, signed_source(STRANGER, source=record, source_id="urn:doc:test:mine", boundary=STRICTEST))
    assert (await client.get(f"/passports/{name}")).content == record

    refused = await hand_in(client, record_of(OTHER, record), record)
    assert (refused.status_code, refused.json().get("path")) == (403, "possessionMac"), refused.text
    await rebuilt(platform)
    assert (await client.get(f"/passports/{name}")).content == record


async def test_without_the_proof_the_strictest_class_of_a_record_counts(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await strangers(platform)
    (record, *_) = signed_world(agent_id(AUTHOR), agent_key(AUTHOR), f"{agent_id(AUTHOR)}#key-1")
    assert (await hand_in(client, record_of(AUTHOR, record, has_proof=False), record)).status_code == 201
    closing = record_of(STRANGER, record, has_proof=False, boundary=STRICTEST)
    assert (await hand_in(client, closing, record)).status_code == 201
    assert (await client.get(f"/passports/{sha256_digest(record)}")).status_code == 403


async def test_the_proof_of_another_agent_is_no_proof_of_a_record(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await strangers(platform)
    (record, *_) = signed_world(agent_id(AUTHOR), agent_key(AUTHOR), f"{agent_id(AUTHOR)}#key-1")
    size = platform.log.size
    false = signed_record(STRANGER, content=record, possession_mac=possession_mac(agent_id(AUTHOR), record))
    assert (await hand_in(client, false, record)).json()["code"] == "HASH_MISMATCH"
    assert platform.log.size == size


async def test_the_proof_in_a_peers_log_counts_for_nothing_here(platform: Platform) -> None:
    """The peer may not have checked it, and the bytes do not come with its registrations."""
    await strangers(platform)
    peer = PeerSimulator()
    peer.add(signed_registration(AUTHOR), proven(AUTHOR))
    await pulled(platform, peer)
    (registered,) = await relationships_of_type(platform.store, "REGISTERED")
    assert "possession_mac" not in registered
    await accept(platform, signed_source(STRANGER, source_id="urn:doc:test:mine", boundary=STRICTEST))
    assert (await document(platform))["boundary"] == STRICTEST.value


@both_engines
async def test_of_two_that_prove_a_record_in_one_batch_the_first_owns(platform: Platform) -> None:
    await strangers(platform)
    (record, *_) = signed_world(agent_id(AUTHOR), agent_key(AUTHOR), f"{agent_id(AUTHOR)}#key-1")
    await accept(platform, signed_source(STRANGER, source=record, source_id="urn:doc:test:mine"))
    submissions = [Submission(read_message(record_of(seed, record)), blobs=(record,)) for seed in (AUTHOR, STRANGER)]
    _, refusal = await platform.append(submissions)
    assert isinstance(refusal, ForbiddenError)


async def test_bytes_that_are_here_as_something_else_give_nobody_a_right(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    """A message, a record that nobody signed for, and content of a pack, all of which a reader gets."""
    await strangers(platform)
    statement = signed_statement(AUTHOR)
    await accept(platform, statement)
    (record, *_) = signed_world(agent_id(AUTHOR), agent_key(AUTHOR), f"{agent_id(AUTHOR)}#key-1")
    assert (await client.post("/passports?boundary=public", content=record)).status_code == 201
    packs = pack_submissions(AUTHOR)
    assert not [outcome for outcome in await platform.append(packs) if isinstance(outcome, Exception)]
    for content in (statement, record, packs[0].blobs[1]):
        refused = await upload(client, proven(STRANGER, source=content), content)
        assert (refused.status_code, refused.json()["path"]) == (403, "source.possessionMac")


@both_engines
async def test_a_registration_that_came_by_a_peers_log_is_made_anew_for_a_proof(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await strangers(platform)
    peer = PeerSimulator()
    peer.add(signed_registration(AUTHOR), proven(AUTHOR))
    await pulled(platform, peer)
    refused = await upload(client, proven(AUTHOR))
    assert (refused.status_code, refused.json()["path"]) == (409, "@id")
    assert not await platform.content.has(NAME)
    # A copy without the bytes gets its receipt, as a copy of any message does.
    assert not (await platform.submit(proven(AUTHOR))).created
    assert (await upload(client, proven(AUTHOR, source_id="urn:doc:test:own"))).status_code == 201
    await accept(platform, signed_source(STRANGER, source_id="urn:doc:test:mine", boundary=STRICTEST))
    assert (await document(platform))["boundary"] == "public"


@pytest.mark.parametrize("text", ["no mac", "hmac-sha256:" + "0" * 64, None])
async def test_the_member_in_a_log_from_before_it_had_a_meaning_proves_nothing(
    platform: Platform, auditor_store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str | None
) -> None:
    await strangers(platform)
    with monkeypatch.context() as before:
        # A node of an earlier version accepted any value, as that of any unknown member.
        before.setattr(planner, "_proof_in", lambda submission: None)
        mac = mac_of(STRANGER) if text is None else text
        await accept(platform, with_mac(STRANGER, mac, source_id="urn:doc:test:mine", title="Mine"))
    await accept(platform, signed_source(AUTHOR))
    await platform.sources.put(NAME, pieces(SOURCE))
    assert (await audited(FolderNode(await export_node(platform, tmp_path / "node")), auditor_store)).findings == []
    graph = await whole_graph(platform.store)
    await rebuilt(platform)
    assert await whole_graph(platform.store) == graph
    await accept(platform, signed_source(AUTHOR, boundary=STRICTEST))
    assert (await document(platform))["boundary"] == STRICTEST.value


@pytest.mark.parametrize("is_one_batch", [True, False])
async def test_a_record_that_is_closed_as_a_source_stays_closed(
    platform: Platform, auditor_store: Store, tmp_path: Path, *, is_one_batch: bool
) -> None:
    """A rebuild reads both registrations as one batch."""
    await strangers(platform)
    (record, *_) = signed_world(agent_id(AUTHOR), agent_key(AUTHOR), f"{agent_id(AUTHOR)}#key-1")
    both = [
        Submission(read_message(record_of(AUTHOR, record, has_proof=False)), blobs=(record,)),
        Submission(read_message(signed_source(AUTHOR, source=record, boundary=Boundary.CONFIDENTIAL))),
    ]
    for batch in [both] if is_one_batch else [[one] for one in both]:
        assert not [outcome for outcome in await platform.append(batch) if isinstance(outcome, Exception)]
    assert (await document(platform))["boundary"] == Boundary.CONFIDENTIAL.value
    node = FolderNode(await export_node(platform, tmp_path / "node"))
    assert not [one for one in (await audited(node, auditor_store)).findings if "boundary" in one.what]
    await rebuilt(platform)
    assert (await document(platform))["boundary"] == Boundary.CONFIDENTIAL.value


async def test_refused_proofs_count_for_the_address(store: Store, tmp_path: Path) -> None:
    async with node(store, tmp_path, {"address": {"documents": 3}}) as (platform, client):
        await accept(platform, signed_registration(STRANGER))
        spoilt = json.loads(proven(STRANGER))
        spoilt["source"]["title"] = "Changed"
        answers = [await upload(client, json.dumps(spoilt).encode()) for _ in range(5)]
        assert [one.status_code for one in answers] == [422, 422, 422, 429, 429]


async def test_an_entry_of_a_peers_log_states_no_proof(platform: Platform, client: httpx.AsyncClient) -> None:
    await strangers(platform)
    await upload(client, proven(AUTHOR))
    entry = (await log_of(platform.store))[-1]
    assert entry.has_proof
    assert read_entry(entry_bytes(entry), entry.log_index) == entry
    taken = replace(entry, origin_index=3)
    with pytest.raises(LogFormatError, match="proof that was made to this one"):
        read_entry(entry_bytes(taken), taken.log_index)
