"""What comes out of a peer's log: checked, taken once, and nothing at all from a peer that lies."""

import json
from dataclasses import replace
from datetime import timedelta
from typing import Any

import httpx
import pytest
from builders import (
    QUOTE,
    SOURCE,
    SOURCE_ID,
    admission_policy_message,
    agent_id,
    agent_key,
    description,
    envelope_of,
    key_revocation_message,
    request_message,
    segment,
    signed_endorsement,
    signed_policy,
    signed_registration,
    signed_response,
    signed_source,
    signed_statement,
)
from graph_contents import count_everything, nodes_with_label, run_raw, whole_graph
from http_client import ask, client
from peer_simulator import RECEIVED, PeerSimulator
from platform_fixture import platform
from scenario import accept, pieces, signed_node_policy
from servers import log_of, receipts_of

from a2ap.boundary import Boundary
from a2ap.canonical import sha256_digest
from a2ap.json_text import write_json
from a2ap.log.entry import entry_bytes
from a2ap.log.log_proof import verify_log_proof
from a2ap.messages.admission_policy import AdmissionMode
from a2ap.messages.evidence import build_segment
from a2ap.messages.peer_agreement import PeerQuota
from a2ap.messages.policy import ConsensusMethod
from a2ap.signing.disclosure import make_disclosure
from graph.errors import ConflictError, EvidenceError, ForbiddenError
from graph.export import ExportFormat, export
from graph.federation.agreements import Agreement
from graph.federation.here import Here
from graph.federation.peer_folder import PeerFolder
from graph.federation.pull import PullReport, pull
from graph.platform import Platform, utc_now
from graph.scores.on_demand import consensus_of_statements
from graph.scoring.judgements import CONFLICTED
from graph.submission.rebuild import read_entries, rebuild
from graph.submission.submission import Submission

__all__ = ["client", "platform"]


def agreement(peer: PeerSimulator, url: str, **changes: Any) -> Agreement:
    quota = PeerQuota(entries_per_pull=10_000, bytes_per_day=2**30)
    return replace(Agreement(peer.origin, url, peer.log_key, None, Boundary.PUBLIC, quota), **changes)


async def agree(platform: Platform, agreed: Agreement) -> None:
    receipts_of(await platform.append([Submission(agreed.message(platform.node, utc_now()))]))


async def pulled(platform: Platform, peer: PeerSimulator, **changes: Any) -> PullReport:
    """Agree with a peer, and pull it once."""
    async with peer.served() as url:
        await agree(platform, agreement(peer, url, **changes))
        return await pull(Here.of(platform), peer.origin)


def scoped(seed: int, peer: PeerSimulator) -> str:
    return f"{agent_id(seed)}@{peer.origin}"


async def test_what_a_peer_has_is_taken_in_its_order_with_its_places(platform: Platform) -> None:
    peer = PeerSimulator()
    statement = signed_statement(1)
    documents = [signed_registration(1), statement, signed_registration(2), signed_response(statement, 2)]
    logged = peer.add(*documents)
    report = await pulled(platform, peer)
    assert (report.taken, report.waiting, report.left, report.position) == (4, 0, 0, 4)
    taken = [entry for entry in await log_of(platform.store) if entry.origin == peer.origin]
    assert [entry.origin_index for entry in taken] == [0, 1, 2, 3]
    assert [entry.signed_hash for entry in taken] == [entry.signed_hash for entry in logged]
    assert [entry.agent for entry in taken] == [scoped(1, peer)] * 2 + [scoped(2, peer)] * 2
    (author,) = [node for node in await nodes_with_label(platform.store, "Statement")]
    assert author["origin"] == peer.origin


async def test_a_second_pull_takes_nothing_and_notes_nothing(platform: Platform) -> None:
    peer = PeerSimulator()
    peer.add(signed_registration(1), signed_statement(1))
    async with peer.served() as url:
        await agree(platform, agreement(peer, url))
        assert (await pull(Here.of(platform), peer.origin)).taken == 2
        before = await count_everything(platform.store)
        assert (await pull(Here.of(platform), peer.origin)).taken == 0
    assert await count_everything(platform.store) == before


async def test_a_log_that_grows_without_news_is_not_noted(platform: Platform) -> None:
    peer = PeerSimulator()
    peer.add(signed_registration(1))
    async with peer.served() as url:
        await agree(platform, agreement(peer, url))
        await pull(Here.of(platform), peer.origin)
        before = await count_everything(platform.store)
        peer.add(signed_policy(1))
        report = await pull(Here.of(platform), peer.origin)
    assert (report.position, report.taken) == (2, 0)
    assert await count_everything(platform.store) == before


async def test_agents_of_one_name_are_two(platform: Platform) -> None:
    peer = PeerSimulator()
    ours, theirs = signed_statement(1), signed_statement(1, claim="They say so.")
    await platform.submit(signed_registration(1))
    await platform.submit(ours)
    peer.add(signed_registration(1), theirs)
    await pulled(platform, peer)
    agents = {node["agent_id"] for node in await nodes_with_label(platform.store, "Agent")}
    assert {agent_id(1), scoped(1, peer)} <= agents
    entries = {entry.signed_hash: entry.agent for entry in await log_of(platform.store)}
    assert entries[envelope_of(ours).signed_hash] == agent_id(1)
    assert entries[envelope_of(theirs).signed_hash] == scoped(1, peer)


async def test_a_document_that_is_here_is_not_taken_twice(platform: Platform) -> None:
    peer, other = PeerSimulator(), PeerSimulator(51, 52)
    did = agent_key(1).public_key.did_key
    registration = signed_registration(agent=description(1, agent_id=did))
    await platform.submit(registration)
    for one in (peer, other):
        one.add(registration)
        assert (await pulled(platform, one)).taken == 0
        assert not one.bodies
    entries = [entry for entry in await log_of(platform.store) if entry.agent == did]
    assert [entry.origin for entry in entries] == [platform.node.origin]


async def test_the_proof_of_the_origin_is_kept(platform: Platform) -> None:
    peer = PeerSimulator()
    peer.add(*(signed_registration(seed) for seed in range(1, 8)))
    await pulled(platform, peer)
    with PeerFolder(platform.settings.data, peer.origin) as folder:
        assert folder.checkpoint is not None
        entry, proof = folder.proof_of(3, 7, folder.checkpoint)
    assert verify_log_proof(proof, entry_bytes(entry), peer.log_key).tree_size == 7
    assert entry.signed_hash == envelope_of(signed_registration(4)).signed_hash


@pytest.mark.parametrize("method", [ConsensusMethod.POSTERIOR, ConsensusMethod.LITERAL])
async def test_twins_are_kept_beside_each_other_and_neither_is_verified(
    platform: Platform, method: ConsensusMethod
) -> None:
    peer = PeerSimulator()
    ours, theirs = signed_statement(1), signed_statement(1, confidence=0.1)
    assert envelope_of(ours).id == envelope_of(theirs).id
    await accept(platform, signed_registration(1), signed_registration(2), signed_registration(9))
    await accept(platform, signed_endorsement(signed_registration(2), 9))
    await accept(platform, signed_node_policy(platform, seeds=(agent_id(9),), method=method, quorum=1, threshold=0.5))
    await accept(platform, ours, signed_response(ours, 2))
    (node,) = await nodes_with_label(platform.store, "Statement")
    assert node["verified"] is (method is ConsensusMethod.LITERAL)  # the source is not here
    peer.add(signed_registration(1), theirs)
    await pulled(platform, peer)
    nodes = await nodes_with_label(platform.store, "Statement")
    assert {node["signed_hash"] for node in nodes} == {envelope_of(ours).signed_hash, envelope_of(theirs).signed_hash}
    assert all(node["conflicted"] and not node["verified"] for node in nodes)
    name = envelope_of(ours).signed_hash
    found = await consensus_of_statements(platform.store, [name])
    assert CONFLICTED in found[name].reasons
    # Our own door still answers with a conflict, and the twin again gets the receipt of the twin.
    with pytest.raises(ConflictError):
        await platform.submit(signed_statement(1, confidence=0.2))


async def test_a_graph_with_twins_and_peers_is_rebuilt(platform: Platform) -> None:
    peer = PeerSimulator()
    await platform.submit(signed_registration(1))
    await platform.submit(signed_statement(1))
    twin = signed_statement(1, confidence=0.1)
    peer.add(signed_registration(1), twin, signed_registration(2), signed_response(twin, 2))
    peer.add(signed_endorsement(signed_registration(2), 1), signed_source(1))
    assert (await pulled(platform, peer)).taken == 6
    before, entries = await whole_graph(platform.store), await log_of(platform.store)
    await run_raw(platform.store, "MATCH (n) DETACH DELETE n")
    async for _ in rebuild(platform.store, platform.content, entries):
        pass
    assert await whole_graph(platform.store) == before


async def test_what_points_at_something_that_is_not_here_waits_for_it(platform: Platform) -> None:
    peer, other = PeerSimulator(), PeerSimulator(51, 52)
    statement = signed_statement(1)
    peer.add(signed_registration(2), signed_response(statement, 2))
    other.add(signed_registration(1), statement)
    async with peer.served() as url:
        await agree(platform, agreement(peer, url))
        report = await pull(Here.of(platform), peer.origin)
        assert (report.taken, report.waiting, report.position) == (1, 1, 2)
        await pulled(platform, other)
        report = await pull(Here.of(platform), peer.origin)
    assert (report.taken, report.waiting, report.left) == (1, 0, 0)


async def test_what_waits_without_an_end_makes_no_entries(platform: Platform) -> None:
    peer = PeerSimulator()
    peer.add(signed_registration(2))
    async with peer.served() as url:
        await agree(platform, agreement(peer, url))
        await pull(Here.of(platform), peer.origin)
        peer.add(signed_response(signed_statement(1), 2))
        size = (await count_everything(platform.store))[0]["LogEntry"]
        for _ in range(3):
            assert (await pull(Here.of(platform), peer.origin)).waiting == 1
            await platform.submit(signed_registration(3 + _))
        peer.add(signed_policy(2))
        assert (await pull(Here.of(platform), peer.origin)).waiting == 1
    assert (await count_everything(platform.store))[0]["LogEntry"] == size + 3
    assert len(peer.bodies) == 2  # what waits is fetched once


async def test_evidence_that_fails_is_recorded(platform: Platform) -> None:
    peer = PeerSimulator()
    await platform.submit(signed_registration(9))
    await platform.submit(signed_source(9))
    await platform.sources.put(sha256_digest(SOURCE), pieces(SOURCE))
    false = [segment(content_hash="sha256:" + "0" * 64)]
    await platform.submit(signed_registration(1))
    with pytest.raises(EvidenceError):
        await platform.submit(signed_statement(1, evidence=false))
    peer.add(signed_registration(2), signed_statement(2, evidence=false), signed_registration(3), signed_statement(3))
    assert (await pulled(platform, peer)).taken == 4
    checks = {
        node["signed_hash"]: node["machine_check"] for node in await nodes_with_label(platform.store, "Statement")
    }
    assert sorted(checks.values()) == ["FAIL", "PASS"]


async def test_evidence_from_sources_above_the_agreed_class_is_not_compared(platform: Platform) -> None:
    peer = PeerSimulator()
    await platform.submit(signed_registration(9))
    await platform.submit(signed_source(9, boundary=Boundary.CONFIDENTIAL))
    await platform.sources.put(sha256_digest(SOURCE), pieces(SOURCE))
    peer.add(signed_registration(1), signed_statement(1))
    await pulled(platform, peer)
    (statement,) = await nodes_with_label(platform.store, "Statement")
    assert statement["machine_check"] == "INCONCLUSIVE"


async def test_what_a_peer_decides_for_itself_stays_with_it(platform: Platform) -> None:
    peer = PeerSimulator()
    peer.add(signed_registration(1), signed_policy(1))
    report = await pulled(platform, peer)
    assert (report.taken, report.left, report.waiting) == (1, 0, 0)
    (policy,) = await nodes_with_label(platform.store, "Policy")
    assert policy["log_index"] < 4


async def test_entries_that_a_peer_relays_are_not_taken(platform: Platform) -> None:
    peer, other = PeerSimulator(), PeerSimulator(51, 52)
    peer.add(signed_registration(1))
    peer.add(signed_registration(2), origin=other.origin, origin_index=7)
    report = await pulled(platform, peer)
    assert (report.taken, report.position) == (1, 2)
    assert [
        node["agent_id"] for node in await nodes_with_label(platform.store, "Agent") if "test" in node["agent_id"]
    ] == [scoped(1, peer)]


async def test_nobody_writes_in_the_name_of_another_nodes_agent(platform: Platform) -> None:
    peer, other = PeerSimulator(), PeerSimulator(51, 52)
    claimed = description(1, agent_id=scoped(1, other))
    registration = signed_registration(agent=claimed)
    peer.add(registration)
    report = await pulled(platform, peer)
    assert (report.taken, report.left) == (0, 1)
    with pytest.raises(ForbiddenError, match="an agent of another node"):
        await platform.submit(registration)


async def test_a_request_that_the_peers_node_countersigned_is_taken(platform: Platform) -> None:
    peer = PeerSimulator()
    statement = signed_statement(1)
    asked = peer.node.sign(request_message(statement, 1)).envelope.received
    registration = peer.node.registration(utc_now(), peer.log_key.text).envelope.received
    peer.add(registration, signed_registration(1), statement, asked)
    assert (await pulled(platform, peer)).taken == 4
    assert await nodes_with_label(platform.store, "VerificationRequest")


async def test_what_is_redacted_is_taken_as_it_is_left(platform: Platform) -> None:
    peer = PeerSimulator()
    disclosure = make_disclosure(QUOTE, b"0" * 16)
    evidence = [build_segment(SOURCE_ID, 10, 20, quote=disclosure)]
    whole = signed_statement(1, evidence=evidence, disclosures=[disclosure])
    document = json.loads(whole)
    del document["disclosures"]
    left = write_json(document)
    peer.add(signed_registration(1), whole)
    peer.documents[sha256_digest(left)] = left
    peer.redacted[sha256_digest(whole)] = ("urn:uuid:redaction", sha256_digest(left))
    assert (await pulled(platform, peer)).taken == 2
    (statement,) = await nodes_with_label(platform.store, "Statement")
    assert (statement["signed_hash"], statement["document_hash"]) == (
        envelope_of(whole).signed_hash,
        sha256_digest(left),
    )


async def test_what_is_withheld_is_taken_once_it_is_given(platform: Platform) -> None:
    peer = PeerSimulator()
    statement = signed_statement(1)
    peer.add(signed_registration(1), statement)
    peer.withheld[sha256_digest(statement)] = "the source is internal"
    async with peer.served() as url:
        await agree(platform, agreement(peer, url))
        report = await pull(Here.of(platform), peer.origin)
        assert (report.taken, report.withheld) == (1, 1)
        peer.withheld.clear()
        report = await pull(Here.of(platform), peer.origin)
    assert (report.taken, report.withheld) == (1, 0)


async def test_a_registration_that_is_withheld_holds_up_no_statement_about_its_source(platform: Platform) -> None:
    peer = PeerSimulator()
    source = signed_source(1, boundary=Boundary.INTERNAL)
    pointing = {name: value for name, value in segment().items() if name != "quoteText"}
    peer.add(signed_registration(1), source, signed_statement(1, evidence=[pointing]))
    peer.withheld[sha256_digest(source)] = "the source is internal, and this reader is cleared for public"
    async with peer.served() as url:
        await agree(platform, agreement(peer, url))
        report = await pull(Here.of(platform), peer.origin)
        assert (report.taken, report.withheld, report.waiting) == (2, 1, 0)
        (document,) = await nodes_with_label(platform.store, "Document")
        assert document.get("boundary") is None and document.get("title") is None
        peer.withheld.clear()
        report = await pull(Here.of(platform), peer.origin)
        assert (report.taken, report.withheld) == (1, 0)
    (document,) = await nodes_with_label(platform.store, "Document")
    assert (document["boundary"], document["title"]) == ("internal", "City council meeting")


async def test_an_agent_of_a_peer_closes_nothing_that_an_agent_of_this_node_registered(platform: Platform) -> None:
    peer = PeerSimulator()
    peer.add(signed_registration(1), signed_source(1, boundary=Boundary.CONFIDENTIAL))
    await platform.submit(signed_registration(9))
    await platform.submit(signed_source(9))
    async with peer.served() as url:
        await agree(platform, agreement(peer, url))
        assert (await pull(Here.of(platform), peer.origin)).taken == 2
    (document,) = await nodes_with_label(platform.store, "Document")
    assert document["boundary"] == "public"


async def test_a_revocation_is_from_the_place_here_that_the_peer_means(platform: Platform) -> None:
    peer = PeerSimulator()
    before, after = (signed_statement(1, claim=claim) for claim in ("Before.", "After."))
    registration = peer.node.registration(utc_now(), peer.log_key.text).envelope.received
    peer.add(registration, signed_registration(1), signed_policy(1), before, after)
    revocation = key_revocation_message(1, revoking_agent=peer.node.agent_id, not_trusted_since=4)
    peer.add(peer.node.sign(revocation).envelope.received)
    async with peer.served() as url:
        await platform.submit(signed_registration(9))
        await agree(platform, agreement(peer, url))
        assert (await pull(Here.of(platform), peer.origin)).taken == 5
    trusted = {node["claim_text"]: node["key_trusted"] for node in await nodes_with_label(platform.store, "Statement")}
    assert trusted == {"Before.": True, "After.": False}
    graph, entries = await whole_graph(platform.store), await log_of(platform.store)
    await run_raw(platform.store, "MATCH (n) DETACH DELETE n")
    async for _ in rebuild(platform.store, platform.content, entries):
        pass
    assert await whole_graph(platform.store) == graph


@pytest.mark.both_engines
async def test_a_revocation_since_a_time_is_since_the_peer_received_it(platform: Platform) -> None:
    peer = PeerSimulator()
    before, after = (signed_statement(1, claim=claim) for claim in ("Before.", "After."))
    registration = peer.node.registration(utc_now(), peer.log_key.text).envelope.received
    peer.add(registration, signed_registration(1), before)
    since = RECEIVED + timedelta(hours=1)
    peer.add(after, received_at=since)
    revocation = key_revocation_message(1, revoking_agent=peer.node.agent_id, not_trusted_since=since)
    peer.add(peer.node.sign(revocation).envelope.received, received_at=since)
    # We take it long after, and had entries of our own in the meantime.
    await platform.submit(signed_registration(9))
    assert (await pulled(platform, peer)).taken == 5
    trusted = {node["claim_text"]: node["key_trusted"] for node in await nodes_with_label(platform.store, "Statement")}
    assert trusted == {"Before.": True, "After.": False}
    graph = await whole_graph(platform.store)
    lines = [piece.decode() async for piece in export(platform.store, platform.content, ExportFormat.LOG)]
    await run_raw(platform.store, "MATCH (n) DETACH DELETE n")
    entries = read_entries("".join(lines).splitlines())
    async for _ in rebuild(platform.store, platform.content, entries):
        pass
    assert await whole_graph(platform.store) == graph


@pytest.mark.both_engines
async def test_a_peers_operator_says_nothing_of_the_agents_of_others(platform: Platform) -> None:
    peer = PeerSimulator()
    did = agent_key(1).public_key.did_key
    ours = signed_registration(agent=description(1, agent_id=did))
    await platform.submit(ours)
    registration = peer.node.registration(utc_now(), peer.log_key.text).envelope.received
    peer.add(registration, ours)
    revocation = key_revocation_message(1, revoking_agent=peer.node.agent_id, agent=did, not_trusted_since=0)
    peer.add(peer.node.sign(revocation).envelope.received)
    report = await pulled(platform, peer)
    assert (report.taken, report.left) == (1, 1)
    (key,) = [node for node in await nodes_with_label(platform.store, "Key") if node["agent_id"] == did]
    assert key.get("not_trusted_since") is None


async def test_agents_of_peers_join_under_the_agreement_and_not_under_our_admission(platform: Platform) -> None:
    peer = PeerSimulator()
    peer.add(signed_registration(1), signed_statement(1))
    closed = admission_policy_message(platform.node.agent_id, mode=AdmissionMode.ALLOW_LIST)
    await platform.submit(platform.node.sign(closed).envelope.received)
    with pytest.raises(ForbiddenError):
        await platform.submit(signed_registration(2))
    assert (await pulled(platform, peer)).taken == 2


async def test_graphql_says_where_a_statement_comes_from_and_shows_its_twin(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    peer = PeerSimulator()
    ours, theirs = signed_statement(1), signed_statement(1, confidence=0.1)
    await platform.submit(signed_registration(1))
    await platform.submit(ours)
    peer.add(signed_registration(1), theirs)
    await pulled(platform, peer)
    fields = "signedHash origin conflicted verified generatedBy { id } twins { signedHash }"
    answer = await ask(client, f"{{ statements(first: 9) {{ nodes {{ {fields} }} }} }}")
    found = {one["signedHash"]: one for one in answer["statements"]["nodes"]}
    own, other = (found[envelope_of(document).signed_hash] for document in (ours, theirs))
    assert (own["origin"], other["origin"]) == (None, peer.origin)
    assert own["conflicted"] and other["conflicted"] and not own["verified"] and not other["verified"]
    assert own["twins"] == [{"signedHash": other["signedHash"]}]
    assert other["generatedBy"] == {"id": scoped(1, peer)}


async def test_turtle_names_a_peers_agent_as_the_graph_does(platform: Platform, client: httpx.AsyncClient) -> None:
    peer = PeerSimulator()
    statement = signed_statement(1)
    peer.add(signed_registration(1), statement)
    await pulled(platform, peer)
    path = f"/statements/{envelope_of(statement).signed_hash}"
    turtle = (await client.get(path, headers={"accept": "text/turtle"})).text
    assert f"<{scoped(1, peer)}>" in turtle and f"<{agent_id(1)}>" not in turtle
    assert (await client.get(path, headers={"accept": "application/json"})).content == statement
