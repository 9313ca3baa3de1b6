"""Reads the facts for a packet from the graph, with a constant number of queries for any number of statements.

Only the bounds on reading leave anything out here: the exclusions of a packet are counted (`graph.packets.assembly`).
"""

from collections.abc import Iterable, Sequence
from datetime import datetime

from a2ap.log.signed_note import read_note
from graph.clearance import Reader
from graph.disputes.disputes import Dispute, DisputeState
from graph.disputes.on_demand import disputes_in
from graph.errors import NotFoundError
from graph.packets.challenges import challenges_of
from graph.packets.facts import DisputeFacts, Selection, StateFacts
from graph.packets.order import PacketOrder
from graph.packets.statements import statements_with
from graph.packets.surroundings import (
    MAX_REQUESTS,
    open_requests_on,
    passages_of,
    verdicts_on,
)
from graph.search.statements import search_statements
from graph.store import Store
from graph.transparency.log import Log

MAX_STATEMENTS = 100
"""Maximum statements read for one packet."""


async def select(store: Store, log: Log, reader: Reader, order: PacketOrder, now: datetime) -> Selection:
    """Return the graph's facts for a packet. Raises `NotFoundError` for an unknown statement."""
    state = await _state(store, log)
    hashes = await _statements_wanted(store, reader, order)
    if not hashes:
        return Selection(state)
    statements = await statements_with(store, hashes)
    verdicts, verdicts_not_read = await verdicts_on(store, hashes)
    return Selection(
        state=state,
        statements=statements,
        verdicts=verdicts,
        passages=await passages_of(store, hashes),
        requests=await open_requests_on(store, hashes, now),
        challenges=await challenges_of(store, statements, MAX_REQUESTS),
        disputes=_disputes(await disputes_in(store, hashes)),
        verdicts_not_read=verdicts_not_read,
    )


async def _state(store: Store, log: Log) -> StateFacts:
    await log.refresh()
    checkpoint = log.checkpoint
    (policy,) = await store.read("current_policy")
    return StateFacts(
        origin=checkpoint.origin,
        size=checkpoint.tree_size,
        root_hash=checkpoint.root_hash,
        checkpoint=_signed_by_log(log),
        policy_hash=policy["signed_hash"],
        policy_version=str(policy["version"] or policy["signed_hash"]),
        threshold=policy["threshold"],
    )


def _signed_by_log(log: Log) -> str:
    """Return the newest checkpoint with the log's own signature alone: witnesses sign later, and at various times."""
    note = read_note(log.checkpoint_note)
    own = [signature.line for signature in note.signatures if signature.is_by(log.verifier_key)]
    return "\n".join((note.text, *own[:1]))


async def _statements_wanted(store: Store, reader: Reader, order: PacketOrder) -> list[str]:
    """Return the hashes of the statements: those named, then those about each topic, best first, each once."""
    found = dict.fromkeys(await _named(store, order.statements))
    for topic in order.topics:
        found |= dict.fromkeys(await search_statements(store, reader, topic, first=MAX_STATEMENTS))
    return list(found)[:MAX_STATEMENTS]


async def _named(store: Store, names: Sequence[str]) -> list[str]:
    """Return the hashes of statements that are named by id or hash; of several with one id, the first in the log."""
    if not names:
        return []
    ids = [name for name in names if not name.startswith("sha256:")]
    by_id: dict[str, str] = {}
    for row in await store.read("statements_by_id", ids=ids) if ids else ():
        by_id.setdefault(row["statement_id"], row["signed_hash"])
    hashes = [by_id.get(name, name) for name in names]
    known = {row["signed_hash"] for row in await store.read("statements_by_hash", hashes=hashes)}
    for name, signed_hash in zip(names, hashes, strict=True):
        if signed_hash not in known:
            raise NotFoundError(f"no statement {name} is here")
    return hashes


def _disputes(found: dict[str, tuple[Dispute, ...]]) -> tuple[DisputeFacts, ...]:
    return tuple(_dispute(name, dispute) for name, dispute in _open(found))


def _open(found: dict[str, tuple[Dispute, ...]]) -> Iterable[tuple[str, Dispute]]:
    for name, disputes in found.items():
        yield from ((name, one) for one in disputes if one.state is DisputeState.OPEN)


def _dispute(name: str, dispute: Dispute) -> DisputeFacts:
    sides = (dispute.one.side, dispute.other.side)
    other = next(side for side in sides if side.signed_hash != name)
    return DisputeFacts(dispute.id, name, other.signed_hash, other.statement_id)
