"""Agreements with peers as the graph has them, made and changed by this node as signed, logged messages."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from a2ap.boundary import Boundary
from a2ap.log.signed_note import VerifierKey
from a2ap.messages.equivocation import build_equivocation
from a2ap.messages.message import Message
from a2ap.messages.peer_agreement import PeerQuota, build_peer_agreement
from a2ap.messages.peer_checkpoint import build_peer_checkpoint
from a2ap.messages.scoping import check_origin
from a2ap.signing.keys import PublicKey
from graph.errors import NotFoundError
from graph.kinds.peer import check_peer_url
from graph.node import Node
from graph.store import Store

_PAGE = 500


@dataclass(frozen=True, slots=True)
class Agreement:
    """The agreement with the node that keeps the log `origin`; without a `url` it is not pulled.

    `private_address` lets the name in the `url` lead into a private network.
    """

    origin: str
    url: str | None
    log_key: VerifierKey
    transport_key: PublicKey | None
    clearance: Boundary
    quota: PeerQuota
    suspended: bool = False
    private_address: bool = False

    @classmethod
    def from_row(cls, row: dict[str, Any]) -> "Agreement":
        """Return the agreement that a row of `peers_by_origin.cypher` describes."""
        return cls(
            origin=row["origin"],
            url=row["url"],
            log_key=VerifierKey.parse(row["log_key"]),
            transport_key=PublicKey.from_did_key(row["transport_key"]) if row["transport_key"] else None,
            clearance=Boundary(row["clearance"]),
            quota=PeerQuota(row["entries_per_pull"], row["bytes_per_day"]),
            suspended=row["suspended"],
            private_address=bool(row["private_address"]),
        )

    def message(self, node: Node, now: datetime) -> Message:
        """Return the agreement as the node signs it. Raises A2APError if it cannot be accepted."""
        check_origin(self.origin)
        if self.url is not None:
            check_peer_url(self.url)
        return node.sign(
            build_peer_agreement(
                agreement_id=_fresh_id(),
                issued_at=now,
                issuing_agent=node.agent_id,
                origin=self.origin,
                log_key=self.log_key.text,
                clearance=self.clearance,
                quota=self.quota,
                url=self.url,
                transport_key=self.transport_key,
                suspended=self.suspended,
                private_address=self.private_address,
            )
        )


def suspended(agreement: Agreement) -> Agreement:
    """Return the agreement suspended: the peer is not pulled, and gets no more than any other reader."""
    return replace(agreement, suspended=True)


async def list_agreements(store: Store) -> list[Agreement]:
    """Return all agreements, by origin."""
    found: list[Agreement] = []
    after = ""
    while rows := await store.read("list_peers", after=after, first=_PAGE):
        found += [Agreement.from_row(row) for row in rows]
        after = rows[-1]["origin"]
    return found


async def agreement_with(store: Store, origin: str) -> Agreement:
    """Return the agreement with one peer; raises `NotFoundError`."""
    rows = await store.read("peers_by_origin", origins=[origin])
    if not rows:
        raise NotFoundError(f"there is no agreement with {origin}")
    return Agreement.from_row(rows[0])


def checkpoint_message(node: Node, origin: str, note: str, now: datetime) -> Message:
    """Return the message that states the checkpoint of a peer's log on which the entries that follow rest."""
    return node.sign(
        build_peer_checkpoint(
            message_id=_fresh_id(), issued_at=now, issuing_agent=node.agent_id, origin=origin, checkpoint=note
        )
    )


def equivocation_message(
    node: Node,
    origin: str,
    notes: tuple[str, str],
    hashes: Sequence[bytes],
    now: datetime,
    successions: Sequence[str] = (),
) -> Message:
    """Return the message that proves that a log contradicted itself; `successions` lead on from the agreed key."""
    return node.sign(
        build_equivocation(
            equivocation_id=_fresh_id(),
            reported_at=now,
            reporting_agent=node.agent_id,
            origin=origin,
            checkpoints=notes,
            consistency_proof=hashes or None,
            successions=successions,
        )
    )


def _fresh_id() -> str:
    return f"urn:uuid:{uuid.uuid4()}"
