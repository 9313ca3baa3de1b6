"""What comes out of a peer's log: checked, taken once, and nothing at all from a peer that lies."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from builders import agent_id, signed_registration, signed_response, signed_source, signed_statement
from graph_contents import count_everything, nodes_with_label
from peer_simulator import PeerSimulator
from platform_fixture import platform
from servers import log_of, receipts_of

from a2ap.boundary import Boundary
from a2ap.peer_agreement import PeerQuota
from graph.errors import PeerAnswerError, PeerError, PeerFaultError
from graph.federation.agreements import Agreement, agreement_with
from graph.federation.here import Here
from graph.federation.pull import PullReport, pull
from graph.log.batch_plan import Submission
from graph.platform import Platform, utc_now

__all__ = ["platform"]


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
