"""Keeps memberships and the reputations of families up to date, in the transaction that changes their inputs."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from a2ap.log.entry import LogEntry
from a2ap.messages.agent_version import AgentVersion
from a2ap.messages.message import Message
from graph.scoring.judgements import Reader
from graph.scoring.pooling import Record, families_in, others_of
from graph.scoring.reputation import compute_reputation
from graph.versions.membership import Membership, confirmed_members

Row = dict[str, Any]


async def reputation_rows(reader: Reader, counters: Sequence[Row]) -> list[Row]:
    """Return the rows to write for agents with these counters, and for the other versions of their families.

    A row of `counters` is one of `counters_of`, with the new values of the counters.
    """
    own = {row["agent_id"]: Record(row["verdicts_right"], row["verdicts_wrong"]) for row in counters}
    estimated = {row["agent_id"]: row["estimated_accuracy"] for row in counters}
    pooled = sorted({row["family"] for row in counters if row["family"] is not None})
    rows = await reader.run("members_counted", families=pooled) if pooled else []
    estimated |= {row["agent_id"]: row["estimated_accuracy"] for row in rows}
    others: dict[str, Record] = {}
    for members in families_in(rows).values():
        members.update({agent: own[agent] for agent in members.keys() & own.keys()})
        others |= others_of(members)
        own |= members
    return [
        _reputation_row(agent, record, others.get(agent, Record()), estimated[agent]) for agent, record in own.items()
    ]


async def families_changed(
    reader: Reader, accepted: Iterable[tuple[Message, LogEntry]], revoked: Sequence[str]
) -> list[str]:
    """Return the families whose confirmed members have changed after announcements and revocations."""
    announced = {message.family for message, _ in accepted if isinstance(message, AgentVersion)}
    return sorted(announced | await _cut_off(reader, revoked))


async def rescore_families(reader: Reader, families: Sequence[str]) -> None:
    """Write the reputations of all present and former confirmed versions of these families."""
    members = await reader.run("family_members", families=list(families))
    if members:
        counters = await reader.run("counters_of", ids=[row["agent_id"] for row in members])
        await reader.run("write_reputations", rows=await reputation_rows(reader, counters))


async def _cut_off(reader: Reader, revoked: Sequence[str]) -> set[str]:
    """Confirm anew the members of families to which agents with revoked keys may have invited others."""
    if not revoked:
        return set()
    own = await reader.run("memberships_of", ids=list(revoked))
    families = sorted({*revoked, *(row["family"] for row in own)})
    by_family: dict[str, list[Row]] = {}
    for row in await reader.run("family_members", families=families):
        by_family.setdefault(row["family"], []).append(row)
    changed = []
    for members in by_family.values():
        confirmed = confirmed_members((membership_of(row), _is_trusted(row)) for row in members)
        changed += [
            {"agent_id": row["agent_id"], "confirmed": row["agent_id"] in confirmed, "family": row["family"]}
            for row in members
            if row["confirmed"] != (row["agent_id"] in confirmed)
        ]
    if changed:
        await reader.run("write_confirmed", rows=changed)
    return {row["family"] for row in changed}


def membership_of(row: Mapping[str, Any]) -> Membership:
    """Return the membership of a row of `memberships_of` or `family_members`."""
    return Membership(
        agent_id=row["agent_id"],
        family=row["family"],
        log_index=row["stated_at"],
        stated_key=row["stated_key"],
        founder=row["founder"],
        invited_by=row["invited_by"],
        invitation_hash=row["invitation_hash"],
        invitation_key=row["invitation_key"],
        confirmed_at=row["confirmed_at"],
        confirmed=row["confirmed"],
        void=row["stated_not_trusted_since"] is not None and row["stated_at"] >= row["stated_not_trusted_since"],
    )


def membership_row(member: Membership) -> Row:
    """Return the row of `write_memberships`."""
    return {
        "agent_id": member.agent_id,
        "family": member.family,
        "stated_at": member.log_index,
        "stated_key": member.stated_key,
        "founder": member.founder,
        "invited_by": member.invited_by,
        "invitation_hash": member.invitation_hash,
        "invitation_key": member.invitation_key,
        "confirmed_at": member.confirmed_at,
        "confirmed": member.confirmed,
    }


def _is_trusted(row: Mapping[str, Any]) -> bool:
    since = row["not_trusted_since"]
    return since is None or (row["confirmed_at"] is not None and row["confirmed_at"] < since)


def _reputation_row(agent_id: str, own: Record, others: Record, estimated: float | None) -> Row:
    """Return the row of an agent: its reputation is an epoch's estimate, or agreement until there is one."""
    return {
        "agent_id": agent_id,
        "verdicts_right": own.right,
        "verdicts_wrong": own.wrong,
        "reputation": compute_reputation(own.right, own.wrong, others).value if estimated is None else estimated,
    }
