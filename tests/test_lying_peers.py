"""A peer that lies changes nothing here: it is suspended, and the proof against it is kept where there is one."""

import json
from base64 import b64decode
from collections.abc import AsyncIterator, Callable
from shutil import rmtree

import httpx
import pytest
from builders import (
    agent_id,
    agent_key,
    key_id,
    signed_key_registration,
    signed_registration,
    signed_statement,
    statement_message,
)
from graph_contents import count_everything, nodes_with_label
from peer_simulator import PeerSimulator
from platform_fixture import platform
from test_federation import agree, agreement, scoped

from a2ap.canonical import sha256_digest
from a2ap.json_text import write_json
from a2ap.log.equivocation import verify_equivocation
from a2ap.log.log_key import build_succession
from a2ap.log.merkle import consistency_proof, hash_leaf, root_hash
from a2ap.log.signed_note import VerifierKey
from a2ap.signing.signature import sign_message
from graph.errors import RefusedError
from graph.federation import pulling
from graph.federation.agreements import agreement_with, equivocation_message
from graph.federation.errors import PeerAnswerError, PeerError, PeerFaultError
from graph.federation.here import Here
from graph.federation.peer_client import PeerClient
from graph.federation.peer_folder import folder_of, read_progress
from graph.federation.pull import pull
from graph.log.entry import Receipt
from graph.platform import Platform, utc_now
from graph.submission.submission import Submission

__all__ = ["platform"]

TAKEN = ("Agent", "Key", "Statement", "Verification", "PeerCheckpoint")

Lie = Callable[[PeerSimulator], None]


def _spoilt(document: bytes) -> bytes:
    message = json.loads(document)
    message["signature"]["value"] = json.loads(signed_statement(1, claim="Another."))["signature"]["value"]
    return write_json(message)


def sign_with_another_key(peer: PeerSimulator) -> None:
    peer.key, agreed = agent_key(99), peer.key
    peer.note = peer.checkpoint()
    peer.key = agreed


def spoil_the_note(peer: PeerSimulator) -> None:
    peer.note = peer.checkpoint().replace("\n3\n", "\n4\n")


def sign_another_root(peer: PeerSimulator) -> None:
    peer.note = peer.checkpoint(root=bytes(32))


def serve_other_entries(peer: PeerSimulator) -> None:
    peer.note = peer.checkpoint()
    peer.bundles = [*peer.leaves]
    peer.leaves[-1], peer.bundles[-1] = peer.leaves[-1], peer.leaves[-1].replace(b"Statement", b"Statements")


def serve_entries_in_another_order(peer: PeerSimulator) -> None:
    peer.note = peer.checkpoint()
    peer.bundles = peer.leaves[::-1]


def serve_other_bytes(peer: PeerSimulator) -> None:
    name = next(iter(peer.documents))
    peer.documents[name] = signed_registration(5)


def log_what_is_no_entry(peer: PeerSimulator) -> None:
    peer.leaves.append(b"{}")


def log_another_id(peer: PeerSimulator) -> None:
    peer.add(signed_registration(6), id="urn:uuid:00000000-0000-4000-8000-000000000000")


def log_another_agent(peer: PeerSimulator) -> None:
    peer.add(signed_registration(6), agent=agent_id(7))


def log_what_was_not_signed(peer: PeerSimulator) -> None:
    peer.add(_spoilt(signed_statement(1, claim="Not signed.")))


def log_what_another_agent_signed(peer: PeerSimulator) -> None:
    peer.add(signed_registration(8))
    message = json.loads(signed_statement(8, claim="Signed by 1."))
    message["signature"] = json.loads(signed_statement(1, claim="Signed by 1."))["signature"]
    peer.add(write_json(message))


def relay_as_its_own(peer: PeerSimulator) -> None:
    peer.add(signed_registration(6), origin_index=3)


LIES: tuple[Lie, ...] = (
    sign_with_another_key,
    spoil_the_note,
    sign_another_root,
    serve_other_entries,
    serve_entries_in_another_order,
    serve_other_bytes,
    log_what_is_no_entry,
    log_another_id,
    log_another_agent,
    log_what_was_not_signed,
    log_what_another_agent_signed,
    relay_as_its_own,
)


def honest() -> PeerSimulator:
    peer = PeerSimulator()
    peer.add(signed_registration(1), signed_registration(2), signed_statement(1))
    return peer


async def taken(platform: Platform) -> dict[str, int]:
    nodes, _ = await count_everything(platform.store)
    return {label: nodes.get(label, 0) for label in TAKEN}


@pytest.mark.parametrize("lie", LIES, ids=lambda lie: lie.__name__)
async def test_a_lie_changes_nothing_and_ends_the_pulls(platform: Platform, lie: Lie) -> None:
    peer = honest()
    lie(peer)
    before = await taken(platform)
    async with peer.served() as url:
        await agree(platform, agreement(peer, url))
        with pytest.raises(PeerFaultError):
            await pull(Here.of(platform), peer.origin)
        assert await taken(platform) == before
        assert (await agreement_with(platform.store, peer.origin)).suspended
        asked = len(peer.requests)
        with pytest.raises(PeerError, match="suspended"):
            await pull(Here.of(platform), peer.origin)
    assert len(peer.requests) == asked
    assert read_progress(folder_of(platform.settings.data, peer.origin)).fault


def fork(peer: PeerSimulator) -> None:
    del peer.leaves[1:]
    peer.add(signed_registration(4), signed_registration(5))


def fork_and_grow(peer: PeerSimulator) -> None:
    fork(peer)
    peer.add(*(signed_registration(seed) for seed in range(6, 12)))


def fork_and_shrink(peer: PeerSimulator) -> None:
    fork(peer)
    del peer.leaves[2:]


@pytest.mark.parametrize("lie", [fork, fork_and_grow, fork_and_shrink], ids=lambda lie: lie.__name__)
async def test_a_log_that_forks_or_shrinks_is_shown(platform: Platform, lie: Lie) -> None:
    peer = honest()
    async with peer.served() as url:
        await agree(platform, agreement(peer, url))
        assert (await pull(Here.of(platform), peer.origin)).taken == 3
        before = await taken(platform)
        lie(peer)
        with pytest.raises(PeerFaultError):
            await pull(Here.of(platform), peer.origin)
        assert await taken(platform) == before
        # Taken up again, it is where it was.
        await agree(platform, agreement(peer, url))
        with pytest.raises(PeerFaultError):
            await pull(Here.of(platform), peer.origin)
    assert await taken(platform) == before
    shown = await nodes_with_label(platform.store, "Equivocation")
    assert len(shown) == 2
    for proof in shown:
        hashes = [b64decode(text) for text in proof["consistency_proof"]]
        one, other = proof["checkpoints"]
        verify_equivocation(one, other, peer.log_key, hashes)


async def test_an_old_checkpoint_is_no_lie(platform: Platform) -> None:
    peer = honest()
    async with peer.served() as url:
        await agree(platform, agreement(peer, url))
        await pull(Here.of(platform), peer.origin)
        for size in (2, 0):
            peer.note = peer.checkpoint(size)
            with pytest.raises(PeerAnswerError, match=f"has 3 leaves and shows a checkpoint of {size}"):
                await pull(Here.of(platform), peer.origin)
        peer.note = None
        peer.add(signed_registration(3))
        assert (await pull(Here.of(platform), peer.origin)).taken == 1


@pytest.mark.parametrize("page", ["<html>Sorry</html>", " ", "c2sp.org\n\nno signature\n"])
async def test_a_page_instead_of_a_checkpoint_is_no_lie(platform: Platform, page: str) -> None:
    peer = honest()
    peer.note = page
    async with peer.served() as url:
        await agree(platform, agreement(peer, url))
        with pytest.raises(PeerAnswerError, match="gives no checkpoint"):
            await pull(Here.of(platform), peer.origin)
        assert not (await agreement_with(platform.store, peer.origin)).suspended


async def test_a_fork_is_found_by_what_the_log_noted_where_the_files_are_lost(platform: Platform) -> None:
    peer = honest()
    async with peer.served() as url:
        await agree(platform, agreement(peer, url))
        await pull(Here.of(platform), peer.origin)
        rmtree(folder_of(platform.settings.data, peer.origin))
        fork_and_grow(peer)
        with pytest.raises(PeerFaultError, match="does not begin"):
            await pull(Here.of(platform), peer.origin)
    assert await nodes_with_label(platform.store, "Equivocation")


async def test_a_peer_that_tells_the_truth_again_is_taken_up_by_the_operator(platform: Platform) -> None:
    peer = honest()
    serve_other_bytes(peer)
    async with peer.served() as url:
        await agree(platform, agreement(peer, url))
        with pytest.raises(PeerFaultError):
            await pull(Here.of(platform), peer.origin)
        peer.documents.clear()
        peer.documents.update(honest().documents)
        await agree(platform, agreement(peer, url))
        assert (await pull(Here.of(platform), peer.origin)).taken == 3
    assert scoped(1, peer) in {node["agent_id"] for node in await nodes_with_label(platform.store, "Agent")}


async def test_a_log_key_is_followed_from_the_agreed_one(platform: Platform) -> None:
    peer = honest()
    agreed, new = peer.log_key, agent_key(43)
    async with peer.served() as url:
        await agree(platform, agreement(peer, url))
        await pull(Here.of(platform), peer.origin)
        peer.successions.append(build_succession(peer.origin, VerifierKey(peer.origin, new.public_key), 3, peer.key))
        peer.key = new
        peer.add(signed_registration(3))
        assert peer.log_key != agreed
        assert (await pull(Here.of(platform), peer.origin)).taken == 1


@pytest.mark.parametrize("lie", [fork, fork_and_grow], ids=lambda lie: lie.__name__)
async def test_a_fork_of_a_log_whose_key_was_handed_on_is_shown(platform: Platform, lie: Lie) -> None:
    peer = honest()
    async with peer.served() as url:
        await agree(platform, agreement(peer, url))
        hand_on(peer, 1)
        await pull(Here.of(platform), peer.origin)
        lie(peer)
        with pytest.raises(PeerFaultError):
            await pull(Here.of(platform), peer.origin)
    assert len(await nodes_with_label(platform.store, "Equivocation")) == 1


async def test_two_keys_of_one_log_contradict_each_other(platform: Platform) -> None:
    peer = honest()
    await agree(platform, agreement(peer, "https://peer.example"))
    before = peer.checkpoint()
    hand_on(peer, 3)
    fork_and_grow(peer)
    leaves = [hash_leaf(leaf) for leaf in peer.leaves]
    hashes = (
        root_hash(leaves[:3]),
        *consistency_proof(3, len(leaves), lambda level, index: subtree(leaves, level, index)),
    )
    notes = before, peer.checkpoint()
    for successions, error in ((peer.successions, None), ((), RefusedError)):
        message = equivocation_message(platform.node, peer.origin, notes, hashes, utc_now(), successions)
        (outcome,) = await platform.append([Submission(message)])
        assert isinstance(outcome, Receipt if error is None else error)


def hand_on(peer: PeerSimulator, size: int) -> None:
    new = agent_key(43)
    peer.successions.append(build_succession(peer.origin, VerifierKey(peer.origin, new.public_key), size, peer.key))
    peer.key = new


def subtree(leaves: list[bytes], level: int, index: int) -> bytes:
    return root_hash(leaves[index << level : (index + 1) << level])


@pytest.mark.parametrize("status", [404, 500, 302])
async def test_a_peer_that_does_not_answer_is_no_liar(platform: Platform, status: int) -> None:
    peer = honest()
    peer.status = status
    async with peer.served() as url:
        await agree(platform, agreement(peer, url))
        with pytest.raises(PeerAnswerError, match=str(status)):
            await pull(Here.of(platform), peer.origin)
        assert not (await agreement_with(platform.store, peer.origin)).suspended
        peer.status = 200
        assert (await pull(Here.of(platform), peer.origin)).taken == 3


async def test_a_peer_that_states_nonsense_does_not_end_the_pulls(platform: Platform) -> None:
    peer = honest()
    sign_with_another_key(peer)
    peer.stated = b"[" * 2**19
    async with peer.served() as url:
        await agree(platform, agreement(peer, url))
        with pytest.raises(PeerAnswerError, match="is not JSON"):
            await pull(Here.of(platform), peer.origin)


async def test_a_failure_with_one_peer_does_not_keep_us_from_the_others(
    platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    pulled: list[str] = []

    async def fails(here: Here, origin: str) -> None:
        pulled.append(origin)
        raise OSError("no space left on device")

    monkeypatch.setattr(pulling, "pull", fails)
    peers = [PeerSimulator(seed, seed + 1) for seed in (41, 51)]
    for peer in peers:
        await agree(platform, agreement(peer, "http://127.0.0.1:9"))
    await pulling.pull_all(Here.of(platform))
    assert sorted(pulled) == sorted(peer.origin for peer in peers)


@pytest.mark.parametrize("size", [1, 7, 1000])
async def test_messages_come_in_pieces_of_any_size(size: int) -> None:
    names = [f"sha256:{number:064x}" for number in range(3)]
    content = b"\n".join(json.dumps({"hash": name, "document": "YWJj"}).encode() for name in names)

    async def pieces() -> AsyncIterator[bytes]:
        for start in range(0, len(content), size):
            yield content[start : start + size]

    transport = httpx.MockTransport(lambda request: httpx.Response(200, content=pieces()))
    async with httpx.AsyncClient(transport=transport) as http:
        client = PeerClient(http, "http://127.0.0.1:9", None, utc_now, 2**20)
        found = [one async for one in client.messages(names)]
    assert [(one.document_hash, one.content) for one in found] == [(name, b"abc") for name in names]


async def test_what_was_missed_about_keys_makes_no_liar_of_a_peer(platform: Platform) -> None:
    peer = PeerSimulator()
    alias = "agent:one:pubkey"
    first = signed_registration(1, alias=alias)
    second = signed_key_registration(1, 101, alias=alias, replaces=[key_id(1)])
    message = sign_message(statement_message(1), agent_key(101), alias)
    peer.add(first, second, write_json(message))
    peer.withheld[sha256_digest(second)] = "not for you"
    async with peer.served() as url:
        await agree(platform, agreement(peer, url))
        report = await pull(Here.of(platform), peer.origin)
        assert (report.taken, report.withheld, report.waiting) == (1, 1, 1)
        peer.withheld.clear()
        report = await pull(Here.of(platform), peer.origin)
    assert (report.taken, report.withheld, report.waiting) == (2, 0, 0)
