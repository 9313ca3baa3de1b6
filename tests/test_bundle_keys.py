"""Bundles of a log whose operator takes what no node may take about keys: each is refused by whoever verifies."""

import base64
import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest
from builders import (
    TIME,
    agent_id,
    agent_key,
    description,
    key_revocation_message,
    message_id,
    sign,
    sign_as,
    signed_deactivation,
    signed_key_registration,
    signed_key_revocation,
    signed_registration,
    signed_statement,
    statement_message,
)

from a2ap.bundle.bundle import MEDIA_TYPE, BundleReport, verify_bundle
from a2ap.errors import BundleError
from a2ap.json_text import read_json, write_json
from a2ap.log.checkpoint import Checkpoint, sign_checkpoint
from a2ap.log.entry import LogEntry, entry_bytes
from a2ap.log.merkle import hash_leaf, inclusion_proof, root_hash
from a2ap.log.signed_note import VerifierKey
from a2ap.messages.key_revocation import build_key_revocation
from a2ap.messages.message import read_message
from a2ap.messages.scoping import scope_message
from a2ap.signing.data_integrity import add_proof
from graph.log.entry import entry_of

HOME = "urn:agent:a2ap-node:0123456789abcdef"
PEER = "urn:agent:a2ap-node:fedcba9876543210"
LOG_KEY = agent_key(42)
RECEIVED = datetime(2025, 10, 14, 11, tzinfo=UTC)
EARLIER = timedelta(hours=1)
RECOVERY = 901


def verified(*documents: bytes, from_peer: Sequence[int] = (), stated: bytes | None = None) -> BundleReport:
    """Verify the bundle of the last of these documents, or of another, which are the whole log; some are a peer's."""
    entries = [_entry(document, place, place in from_peer) for place, document in enumerate(documents)]
    leaves = [hash_leaf(entry_bytes(entry)) for entry in entries]
    members = {
        "mediaType": MEDIA_TYPE,
        "statement": entries[documents.index(stated) if stated is not None else -1].signed_hash,
        "checkpoint": sign_checkpoint(Checkpoint(HOME, len(leaves), root_hash(leaves)), LOG_KEY),
        "logKeySuccessions": [],
        "entries": [
            {
                "logIndex": entry.log_index,
                "entry": entry_bytes(entry).decode(),
                "hashes": [base64.b64encode(node).decode() for node in _proof(leaves, entry.log_index)],
                "document": base64.b64encode(document).decode(),
            }
            for entry, document in zip(entries, documents, strict=True)
        ],
        "sources": [],
        "score": None,
    }
    return verify_bundle(json.dumps(members).encode(), VerifierKey(HOME, LOG_KEY.public_key))


def _entry(document: bytes, place: int, of_peer: bool) -> LogEntry:
    message, received = read_message(document), RECEIVED + timedelta(minutes=place)
    if of_peer:
        scoped = scope_message(message, PEER, HOME)
        return entry_of(
            scoped,
            log_index=place,
            origin=PEER,
            received_at=received,
            origin_index=place,
            origin_received_at=received - EARLIER,
        )
    return entry_of(message, log_index=place, origin=HOME, received_at=received)


def _proof(leaves: Sequence[bytes], place: int) -> Sequence[bytes]:
    return inclusion_proof(place, len(leaves), lambda level, at: root_hash(leaves[at << level : (at + 1) << level]))


OWNER = signed_registration(1, recovery_seed=RECOVERY)


def test_what_an_honest_node_takes_holds() -> None:
    key = signed_key_registration(1, 101)
    stated = sign_as(statement_message(1), agent_key(101), f"{agent_id(1)}#key-2")
    assert verified(OWNER, key, stated).messages.trusted


def test_a_key_that_is_not_the_recovery_key_names_no_recovery_key() -> None:
    theft = signed_key_registration(1, 101, recovery_seed=902)
    with pytest.raises(BundleError, match="log entry 1: recoveryKeyHash is for the recovery key to change"):
        verified(OWNER, theft, signed_statement(1))


def test_a_recovery_key_speaks_for_no_other_agent() -> None:
    message = key_revocation_message(2, revoking_agent=agent_id(1), not_trusted_since=0)
    with pytest.raises(BundleError, match=r"log entry 2: no key did:key:"):
        verified(OWNER, signed_registration(2), sign_as(message, agent_key(RECOVERY)), signed_statement(2))


def test_an_agent_registers_once() -> None:
    second = sign_as(read_json(signed_registration(1)), agent_key(1), f"{agent_id(1)}#key-1")
    other = signed_registration(66, agent=description(1))
    for again in (second, other):
        with pytest.raises(BundleError, match=f"log entry 1: agent {agent_id(1)} is already registered"):
            verified(OWNER, again, signed_statement(1))


@pytest.mark.parametrize(("seed", "name"), [(66, "key-1"), (1, "key-9")])
def test_a_key_is_registered_once(seed: int, name: str) -> None:
    again = signed_key_registration(1, seed, key_name=name)
    with pytest.raises(BundleError, match=r"log entry 1: key .* is already registered as .*#key-1"):
        verified(OWNER, again, signed_statement(1))


def test_a_deactivated_agent_says_no_more() -> None:
    with pytest.raises(BundleError, match=f"log entry 2: agent {agent_id(1)} was deactivated by log entry 1"):
        verified(OWNER, signed_deactivation(1), signed_statement(1))


def test_what_a_thief_ended_goes_on_after_the_recovery_key_has_spoken() -> None:
    received = RECEIVED + timedelta(minutes=1)
    revocation = signed_key_revocation(1, recovery=RECOVERY, not_trusted_since=received)
    key = signed_key_registration(1, 101, recovery=RECOVERY)
    stated = sign_as(statement_message(1), agent_key(101), f"{agent_id(1)}#key-2")
    report = verified(OWNER, signed_deactivation(1), revocation, key, stated)
    assert report.messages.trusted[report.messages.statement.entry.signed_hash]


def test_what_a_stolen_key_registered_is_not_in_use_after_a_revocation_since_a_time() -> None:
    stolen = signed_key_registration(1, 101)
    revocation = signed_key_revocation(1, recovery=RECOVERY, not_trusted_since=RECEIVED + timedelta(minutes=1))
    stated = sign_as(statement_message(1), agent_key(101), f"{agent_id(1)}#key-2")
    with pytest.raises(BundleError, match=r"log entry 3: key .*#key-2 of .* is not in use there"):
        verified(OWNER, stolen, revocation, stated)


def test_a_peers_revocation_since_a_time_is_since_the_peer_received_it() -> None:
    # A peer's entries are an hour older there than here.
    since = RECEIVED + timedelta(minutes=2) - EARLIER
    revocation = signed_key_revocation(1, recovery=RECOVERY, not_trusted_since=since)
    before, after = signed_statement(1), signed_statement(1, claim="After.")
    for stated, trusted in ((before, True), (after, False)):
        report = verified(OWNER, before, after, revocation, from_peer=range(4), stated=stated)
        assert report.messages.trusted[report.messages.statement.entry.signed_hash] is trusted


def test_a_peers_operator_does_not_speak_for_our_agents() -> None:
    peer = agent_key(41)
    registration = signed_registration(41, agent=description(41, agent_id=PEER))
    message = build_key_revocation(
        revocation_id=message_id("peer"),
        revoked_at=TIME,
        revoking_agent=PEER,
        agent=f"{agent_id(1)}@{HOME}",
        key_id=f"{agent_id(1)}@{HOME}#key-1",
        not_trusted_since=0,
    )
    revocation = sign_as(message, peer, f"{PEER}#key-1")
    with pytest.raises(BundleError, match=f"log entry 2: .*@{PEER} does not speak for the keys of {agent_id(1)}"):
        verified(OWNER, registration, revocation, signed_statement(1), from_peer=(1, 2))


def test_a_registration_with_a_proof_that_does_not_hold_is_refused() -> None:
    for key in (66, 1):
        document = add_proof(read_json(OWNER), agent_key(key), TIME)
        document["proof"]["created"] = "2020-01-01T00:00:00Z"
        with pytest.raises(BundleError, match="log entry 0: the proof"):
            verified(write_json(document), sign(statement_message(1), 1))
