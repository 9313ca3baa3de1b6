"""What is kept of a peer outside the graph: bounded, whatever the peer's log has."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from builders import agent_id, signed_registration
from peer_simulator import PeerSimulator
from test_federation import agreement

from a2ap.log.entry import LogEntry
from a2ap.messages.message import MessageType
from graph.federation import peer_log
from graph.federation.peer_client import open_peer
from graph.federation.peer_folder import MAX_LEFT, MAX_WAITING, PeerFolder, Progress
from graph.federation.peer_log import PeerLog
from graph.platform import utc_now

ENTRY = LogEntry(
    log_index=0,
    v=1,
    origin="urn:agent:a2ap-node:0123456789abcdef",
    type=MessageType.STATEMENT.value,
    id="urn:uuid:00000000-0000-4000-8000-000000000001",
    document_hash="sha256:" + "0" * 64,
    signed_hash="sha256:" + "1" * 64,
    agent=agent_id(1),
    key=f"{agent_id(1)}#key-1",
    received_at=datetime(2026, 1, 2, tzinfo=UTC),
)


def test_no_more_places_wait_than_are_kept() -> None:
    progress = Progress()
    for place in range(MAX_WAITING + MAX_LEFT + 10):
        (progress.wait if place % 2 else progress.withhold)(replace(ENTRY, log_index=place), "why " * 1000)
    assert len(progress.waiting) + len(progress.withheld) == MAX_WAITING
    assert (len(progress.left), progress.left_number) == (MAX_LEFT, MAX_LEFT + 10)
    assert max(map(len, [*progress.waiting.values(), *progress.left.values()])) < 500


def test_what_was_missed_about_keys_is_known_as_long_as_it_is_missed() -> None:
    progress, revocation = Progress(), replace(ENTRY, log_index=7, type=MessageType.KEY_REVOCATION.value)
    progress.wait(ENTRY, "why")
    assert not progress.has_missed_keys(agent_id(1), 9)
    for miss in (progress.wait, progress.withhold, progress.leave):
        miss(revocation, "why")
        assert progress.has_missed_keys(agent_id(1), 8)
        assert not progress.has_missed_keys(agent_id(1), 7)
        assert not progress.has_missed_keys(agent_id(2), 8)
    progress.settle(7)
    assert not progress.has_missed_keys(agent_id(1), 8)
    for place in range(MAX_WAITING + 1):
        progress.leave(replace(revocation, log_index=place, agent=agent_id(2)), "why")
    assert progress.has_missed_keys(agent_id(1), 8)
    progress.go_back()
    assert not progress.has_missed_keys(agent_id(2), 8)


async def test_entries_are_kept_before_they_are_too_many_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peer_log, "MAX_PIECE_BYTES", 1)
    peer, kept = PeerSimulator(), []
    peer.add(*[signed_registration(1)] * 600)
    with PeerFolder(tmp_path, peer.origin) as folder:
        keep = folder.keep_entries

        def keep_counted(added, edge):
            kept.append(len(added))
            return keep(added, edge)

        monkeypatch.setattr(folder, "keep_entries", keep_counted)
        async with peer.served() as url, open_peer(url, None, utc_now, 2**30) as client:
            log = PeerLog(agreement(peer, url), folder, client)
            await log.fetch([])
            await log.extend()
        assert (kept, folder.progress.size) == ([256, 256, 88], 600)
        assert len(folder.entries(0, 600)) == 600
