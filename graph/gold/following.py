"""Keeps the standing of gold labels up to date, in the transaction that changes it (the rules: `graph.gold.standing`).

The policy in force and the endorsements in the log decide which operators are seeded, so that a policy, an endorsement
and a revocation may suspend a label or let it stand again. All of it is a function of the log.
"""

from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import Any

from a2ap.log.entry import LogEntry
from a2ap.messages.endorsement import Endorsement
from a2ap.messages.gold_dispute import GoldDispute
from a2ap.messages.gold_label import GoldLabel
from a2ap.messages.message import Message
from a2ap.messages.policy import Policy
from a2ap.messages.scoping import origin_of
from graph.database.pages import pages_of
from graph.gold.standing import DisputeRecord, LabelRecord, Standing, standings
from graph.scoring.judgements import Reader

Row = dict[str, Any]

_PAGE = 500


async def follow_gold(transaction: Reader, accepted: Sequence[tuple[Message, LogEntry]]) -> set[str]:
    """Update the standing of gold labels after these messages; return the statements that are to be scored again.

    Retractions are left to `graph.retention.retractions`.
    """
    statements, gold, endorsed, policy = _named(accepted)
    statements |= await _about(transaction, gold) | await _disputed_by(transaction, endorsed)
    if policy:
        statements |= await _disputed(transaction)
    await _refresh(transaction, statements)
    return statements


async def follow_gold_with_keys(transaction: Reader, keys: Sequence[Row], endorsed: Collection[str]) -> set[str]:
    """Update the standing of the gold labels and disputes of these keys; return the statements to be scored again.

    The rows are those of `graph.retention.retractions.take_back_with_key`; `endorsed` are agents whose operators
    changed with the keys.
    """
    await transaction.run("write_gold_trust", rows=list(keys))
    await transaction.run("write_gold_dispute_trust", rows=list(keys))
    signed = await transaction.run("gold_signed_with", keys=list(keys))
    statements = {row["statement"] for row in signed} | await _disputed_by(transaction, endorsed)
    await _refresh(transaction, statements)
    return statements


async def follow_retracted_gold(transaction: Reader, targets: Collection[str]) -> set[str]:
    """Update the standing of these retracted labels and disputes; return the statements that they are about."""
    statements = await _about(transaction, targets)
    await _refresh(transaction, statements)
    return statements


def _named(accepted: Sequence[tuple[Message, LogEntry]]) -> tuple[set[str], set[str], set[str], bool]:
    """Return the labelled statements, the disputed labels, the endorsed agents, and whether there is a policy."""
    statements, gold, endorsed, policy = set[str](), set[str](), set[str](), False
    for message, _ in accepted:
        match message:
            case GoldLabel():
                statements.add(message.target_hash)
            case GoldDispute():
                gold.add(message.target_hash)
            case Endorsement():
                endorsed.add(message.endorsed_agent)
            case Policy():
                policy = True
            case _:
                pass
    return statements, gold, endorsed, policy


async def _about(transaction: Reader, gold: Collection[str]) -> set[str]:
    """Return the statements that these labels and disputes, by their hashes, are about."""
    found = set[str]()
    for query in ("gold_labels_known", "gold_disputes_known"):
        for page in pages_of(sorted(gold), _PAGE):
            found |= {row["statement"] for row in await transaction.run(query, hashes=page)}
    return found


async def _disputed_by(transaction: Reader, agents: Collection[str]) -> set[str]:
    found = set[str]()
    for page in pages_of(sorted(agents), _PAGE):
        found |= {row["statement"] for row in await transaction.run("disputed_by", ids=page)}
    return found


async def _disputed(transaction: Reader) -> set[str]:
    found = set[str]()
    after = ""
    while rows := await transaction.run("disputed_from", after=after, first=_PAGE):
        after = rows[-1]["statement"]
        found |= {row["statement"] for row in rows}
    return found


async def _refresh(transaction: Reader, statements: Collection[str]) -> None:
    if not statements:
        return
    policy = await transaction.run("current_policy")
    seeds = frozenset(policy[0]["seeds"]) if policy else frozenset()
    for page in pages_of(sorted(statements), _PAGE):
        await _refresh_page(transaction, page, seeds)


async def _refresh_page(transaction: Reader, page: Sequence[str], seeds: frozenset[str]) -> None:
    labels = await transaction.run("gold_labels_of", hashes=page)
    retracted = await _retracted(transaction, labels)
    suspending = await _refresh_disputes(transaction, page, seeds)
    found = standings((_label(row, retracted) for row in labels), suspending)
    rows = [_standing_row(name, standing) for name, standing in found.items()]
    if rows:
        await transaction.run("write_gold_standings", rows=rows)
    await _mark_probes(transaction, labels)


async def _refresh_disputes(transaction: Reader, page: Sequence[str], seeds: frozenset[str]) -> list[DisputeRecord]:
    """Write the standing of the disputes on these statements; return those that suspend unless they are answered.

    Any agent may dispute, so that their number has no limit.
    """
    suspending: list[DisputeRecord] = []
    after = -1
    while rows := await transaction.run("gold_disputes_of", hashes=page, after=after, first=_PAGE):
        after = rows[-1]["log_index"]
        retracted = await _retracted(transaction, rows)
        seeded = await _seeded(transaction, {row["agent_id"] for row in rows}, seeds)
        disputes = [_dispute(row, retracted, seeded) for row in rows]
        await transaction.run(
            "write_gold_suspensions", rows=[_suspension_row(one, one.signed_hash in retracted) for one in disputes]
        )
        suspending += [one for one in disputes if one.seeded and one.stands]
    return suspending


async def _retracted(transaction: Reader, rows: Sequence[Row]) -> set[str]:
    """Return the hashes of those of these labels or disputes that are retracted with a trusted key."""
    names = sorted({row["signed_hash"] for row in rows})
    found = await transaction.run("retractions_of", hashes=names) if names else []
    return {row["target_hash"] for row in found if row["key_trusted"]}


async def _seeded(transaction: Reader, agents: Collection[str], seeds: frozenset[str]) -> frozenset[str]:
    """Return those of the agents that are seeds or endorsed by a seed."""
    if not agents:
        return frozenset()
    rows = await transaction.run("endorsers_of", ids=sorted(agents))
    return (seeds & set(agents)) | {row["agent_id"] for row in rows if row["operator"] in seeds}


async def _mark_probes(transaction: Reader, labels: Sequence[Row]) -> None:
    """Record which statements were probes; a peer may say so of a statement from its own log.

    A probe stays one, regardless of its label: a claim made to be false is no knowledge.
    """
    found: defaultdict[str, set[bool]] = defaultdict(set)
    for row in labels:
        if (
            row["probe"]
            and row["key_trusted"]
            and (row["own"] or origin_of(row["agent_id"]) == row["statement_origin"])
        ):
            found[row["statement"]].add(row["passes"])
    marked = {row["statement"] for row in labels if row["marked"]}
    rows = [
        {
            "signed_hash": name,
            "probe": name in found or None,
            "probe_passes": all(found[name]) if name in found else None,
        }
        for name in sorted(marked | found.keys())
    ]
    if rows:
        await transaction.run("write_revealed_probes", rows=rows)
        await transaction.run("write_probe_answers", rows=rows)
        await transaction.run("write_probing_agents", hashes=[row["signed_hash"] for row in rows])


def _label(row: Row, retracted: Collection[str]) -> LabelRecord:
    return LabelRecord(
        signed_hash=row["signed_hash"],
        statement=row["statement"],
        criterion=row["criterion"],
        log_index=row["log_index"],
        own=row["own"],
        trusted=row["key_trusted"],
        withdrawn=row["signed_hash"] in retracted,
        answers=frozenset(row["answers"] or ()),
    )


def _dispute(row: Row, retracted: Collection[str], seeded: Collection[str]) -> DisputeRecord:
    return DisputeRecord(
        signed_hash=row["signed_hash"],
        label=row["label_hash"],
        log_index=row["log_index"],
        seeded=row["agent_id"] in seeded,
        stands=row["key_trusted"] and row["signed_hash"] not in retracted,
    )


def _standing_row(signed_hash: str, standing: Standing) -> Row:
    return {
        "signed_hash": signed_hash,
        "standing": standing.value,
        "in_force": standing is Standing.IN_FORCE,
        "withdrawn": standing is Standing.WITHDRAWN,
        "suspended": standing is Standing.SUSPENDED,
    }


def _suspension_row(dispute: DisputeRecord, withdrawn: bool) -> Row:
    return {
        "signed_hash": dispute.signed_hash,
        "withdrawn": withdrawn,
        "suspends": dispute.seeded and dispute.stands,
    }
