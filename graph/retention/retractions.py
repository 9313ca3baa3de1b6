"""Statements and verdicts taken back: retracted by their author, or superseded by the author's own revision.

Both are functions of the log. A retraction or a revision that is signed with a key that is not trusted at its place
takes nothing back. The state is cached on the statement or verification, and computed anew, in the transaction that
changes it, when a retraction or a revision comes and when a key is revoked.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from a2ap.log.entry import LogEntry
from a2ap.messages.envelope import MessageType
from a2ap.messages.message import Message
from a2ap.messages.retraction import Retraction
from a2ap.messages.statement import ProvenanceStatement
from a2ap.times import format_instant
from graph.database.pages import pages_of
from graph.gold.following import follow_retracted_gold
from graph.scoring.judgements import Reader

Row = dict[str, Any]

_PAGE = 500


@dataclass(slots=True)
class _Targets:
    """The targets that may be taken back, or no longer be, by signed hash."""

    statements: set[str] = field(default_factory=set)
    verifications: set[str] = field(default_factory=set)
    revised: set[str] = field(default_factory=set)
    gold: set[str] = field(default_factory=set)

    def of(self, kind: str) -> set[str]:
        """Return the targets of a type of message that can be retracted."""
        known = {MessageType.STATEMENT: self.statements, MessageType.VERIFICATION_RESPONSE: self.verifications}
        return known.get(MessageType(kind), self.gold)


def retraction_row(message: Retraction, entry: LogEntry, key_id: str) -> Row:
    """Return the row of a retraction for `write_retractions`; `key_id` is the key that signed it."""
    return {
        "signed_hash": entry.signed_hash,
        "retraction_id": entry.id,
        "agent_id": entry.agent,
        "target_hash": message.target_hash,
        "target_type": message.target_type.value,
        "reason": message.reason,
        "retracted_at": format_instant(message.envelope.time),
        "key_id": key_id,
        "log_index": entry.log_index,
    }


async def take_back(transaction: Reader, accepted: Sequence[tuple[Message, LogEntry]]) -> set[str]:
    """Note the targets that these messages retract and supersede; return the statements that are to be scored again."""
    targets = _Targets()
    for message, _ in accepted:
        match message:
            case Retraction():
                targets.of(message.target_type).add(message.target_hash)
            case ProvenanceStatement() if message.was_revision_of is not None:
                targets.revised.add(message.was_revision_of.target_hash)
            case _:
                pass
    return await _refresh(transaction, targets)


async def take_back_with_key(transaction: Reader, keys: Sequence[Row]) -> set[str]:
    """Note the retractions and revisions with these keys that still hold; return the statements to score again.

    A row has `key_id`, and `since`, the place from which the key's signatures may be trusted differently than before.
    """
    if not keys:
        return set()
    await transaction.run("write_retraction_trust", rows=list(keys))
    targets = _Targets()
    for row in await transaction.run("taken_back_with", keys=list(keys)):
        (targets.revised if row["kind"] == "revision" else targets.of(row["kind"])).add(row["target_hash"])
    return await _refresh(transaction, targets)


async def _refresh(transaction: Reader, targets: _Targets) -> set[str]:
    for query, hashes in (
        ("write_retracted_statements", targets.statements),
        ("write_retracted_verifications", targets.verifications),
    ):
        for page in pages_of(sorted(hashes), _PAGE):
            await transaction.run(query, rows=await _standing(transaction, page))
    for page in pages_of(sorted(targets.revised), _PAGE):
        await transaction.run("write_superseded", rows=await _superseded(transaction, page))
    judged = set[str]()
    for page in pages_of(sorted(targets.verifications), _PAGE):
        judged |= {row["statement"] for row in await transaction.run("targets_of", hashes=page)}
    return targets.statements | targets.revised | judged | await follow_retracted_gold(transaction, targets.gold)


async def _standing(transaction: Reader, hashes: Sequence[str]) -> list[Row]:
    """Return a row for each of these messages with its first retraction that holds, if there is one."""
    first: dict[str, Row] = {}
    for row in await transaction.run("retractions_of", hashes=list(hashes)):
        if row["key_trusted"]:
            first.setdefault(row["target_hash"], row)
    return [_state_row(name, first.get(name)) for name in hashes]


def _state_row(signed_hash: str, retraction: Row | None) -> Row:
    found = retraction or {}
    at = found.get("retracted_at")
    return {
        "signed_hash": signed_hash,
        "retracted": retraction is not None,
        "retracted_at": None if at is None else format_instant(at),
        "retraction_id": found.get("retraction_id"),
        "retraction_hash": found.get("signed_hash"),
        "retraction_reason": found.get("reason"),
    }


async def _superseded(transaction: Reader, hashes: Sequence[str]) -> list[Row]:
    """Return a row for each of these statements with the last revision by its own author, if there is one."""
    revisions: defaultdict[str, list[str]] = defaultdict(list)
    for row in await transaction.run("own_revisions_of", hashes=list(hashes)):
        if row["key_trusted"]:
            revisions[row["statement"]].append(row["revision"])
    return [
        {"signed_hash": name, "superseded_by": revisions[name][-1] if name in revisions else None} for name in hashes
    ]
