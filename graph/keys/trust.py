"""Updates keys and their signed messages for revocations, in the transaction that writes the revocations.

The trust in each key at each place is a function of the log (`a2ap.messages.key_history`), so that a rebuild gives the
same. Nothing is deleted: a statement, verdict or endorsement that a key signed at or after the place from which it is
not trusted has `key_trusted` false, and has no weight.
"""

from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from a2ap.messages.key_history import (
    AgentDeactivated,
    Authority,
    KeyAdded,
    KeyEvent,
    KeyHistory,
    KeyRevoked,
    KeyStatus,
    read_key_history,
)
from graph.gold.following import follow_gold_with_keys
from graph.retention.retractions import take_back_with_key
from graph.scoring.judgements import Reader

_PAGE = 500

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class TrustChange:
    """The causes of other scores' changes: statements by signed hash, and agents whose operators changed."""

    statements: frozenset[str] = frozenset()
    endorsed: frozenset[str] = frozenset()


async def apply_revocations(transaction: Reader, agents: Iterable[str]) -> TrustChange:
    """Compute the keys of these agents anew, mark their signed messages, and return the causes of score changes."""
    ids = sorted(set(agents))
    events = await transaction.run("key_events_of", ids=ids)
    history = read_key_history(_event(row) for row in events)
    keys = await transaction.run("keys_of", ids=ids)
    await _write_statuses(transaction, history, keys, events)
    moved = [
        _moved(row, history.keys[row["key_id"]])
        for row in keys
        if row["not_trusted_since"] != history.keys[row["key_id"]].not_trusted_since
    ]
    return await _mark(transaction, moved, history) if moved else TrustChange()


async def _write_statuses(transaction: Reader, history: KeyHistory, keys: Sequence[Row], events: Sequence[Row]) -> None:
    changed = [row for key in keys if not (row := _status_row(history.keys[key["key_id"]])).items() <= key.items()]
    if changed:
        await transaction.run("write_key_statuses", rows=changed)
    ends = {row["agent"]: row["deactivated_at"] for row in keys}
    rows = [
        {"agent_id": agent, "deactivated_at": history.deactivated_at.get(agent)}
        for agent, end in ends.items()
        if end != history.deactivated_at.get(agent)
    ]
    if rows:
        await transaction.run("write_agent_ends", rows=rows)
    void = frozenset(history.void)
    rows = [
        {"signed_hash": row["signed_hash"], "void": row["log_index"] in void}
        for row in events
        if row["void"] != (row["log_index"] in void)
    ]
    if rows:
        await transaction.run("write_void_events", rows=rows)


async def _mark(transaction: Reader, moved: Sequence[Row], history: KeyHistory) -> TrustChange:
    changed: set[str] = set()
    for row in moved:
        async for page in _signed(transaction, "statements_signed_with", row):
            await _write_trust(transaction, "write_statement_trust", page, history)
            changed |= {one["signed_hash"] for one in page}
        async for page in _signed(transaction, "verifications_signed_with", row):
            await _write_trust(transaction, "write_verification_trust", page, history)
            changed |= {one["statement"] for one in page}
    endorsements = await transaction.run("endorsements_signed_with", keys=list(moved))
    taken_back = await take_back_with_key(transaction, moved)
    await transaction.run("write_endorsement_trust", rows=list(moved))
    await transaction.run("write_registration_trust", rows=list(moved))
    endorsed = frozenset(row["endorsed"] for row in endorsements)
    gold = await follow_gold_with_keys(transaction, moved, endorsed)
    return TrustChange(frozenset(changed) | taken_back | gold, endorsed)


async def _signed(transaction: Reader, query: str, moved: Row) -> AsyncIterator[list[Row]]:
    """Yield messages that a key signed from the place at which its trust may have changed, one page at a time."""
    since = moved["since"]
    while page := await transaction.run(query, key_id=moved["key_id"], since=since, first=_PAGE):
        yield page
        since = page[-1]["log_index"] + 1


async def _write_trust(transaction: Reader, query: str, signed: Sequence[Row], history: KeyHistory) -> None:
    rows = [
        {
            "signed_hash": row["signed_hash"],
            "key_trusted": history.keys[row["key_id"]].is_trusted_at(row["log_index"]),
        }
        for row in signed
    ]
    await transaction.run(query, rows=rows)


def _moved(row: Row, status: KeyStatus) -> Row:
    """Return the key with the first place at which its signatures may be trusted differently than before."""
    places = [place for place in (row["not_trusted_since"], status.not_trusted_since) if place is not None]
    return {"key_id": row["key_id"], "since": min(places), "not_trusted_since": status.not_trusted_since}


def _status_row(status: KeyStatus) -> Row:
    return {
        "key_id": status.key_id,
        "retired_at": status.retired_at,
        "not_trusted_since": status.not_trusted_since,
        "revoked_reason": status.reason,
        "revoked_by": status.by,
    }


def _event(row: Row) -> KeyEvent:
    place, agent, authority = row["log_index"], row["agent_id"], Authority(row["authority"])
    match row["type"]:
        case "KeyRevocation":
            return KeyRevoked(
                place, agent, row["key_id"], row["signed_by"], authority, row["reason"], row["not_trusted_since"]
            )
        case "AgentDeactivation":
            return AgentDeactivated(place, agent, row["signed_by"], authority)
        case _:
            return KeyAdded(place, agent, row["key_id"], row["signed_by"], authority, tuple(row["replaces"]))
