"""Decides which agents are versions of a family: pure rules over the state of a batch, no I/O.

See docs/explanation/versions.md.

1. An agent states its family itself, once: in its registration (`prov:specializationOf`, or an id that ends in its
   version) or in an announcement of its own (`a2ap:AgentVersion`). No agent is drafted into a family.
2. It is a confirmed member once the family's own agent, or another confirmed member, has announced it. No agent joins a
   family uninvited.
3. The first agent that names a family which is no registered agent founds it, and is a member without an announcement.
4. A family has at most `MAX_CONFIRMED` confirmed members: each new verdict on a statement that one has judged writes
   the reputations of all of them. Unconfirmed members do not count towards that.
5. A stated family is void if the key that signed it is not trusted there: the agent has no family then, and may state
   one anew.

Only confirmed members share a reputation (`graph.scoring.pooling`).
"""

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field, replace

from a2ap.messages.agent_description import AgentDescription
from a2ap.messages.agent_registration import AgentRegistration
from a2ap.messages.agent_version import AgentVersion
from a2ap.messages.scoping import origin_of
from a2ap.rdf.triples import agent_family
from graph.errors import ConflictError, ForbiddenError, TargetError

MAX_CONFIRMED = 1_000
"""Maximum number of confirmed members of a family."""


@dataclass(frozen=True, slots=True)
class Membership:
    """An agent's own statement that it is a version of a family; `invited_by` is the agent that confirmed it.

    `log_index` is the place of that statement, signed with `stated_key`; `void` means that this key is not trusted
    there. `invitation_hash`, `invitation_key` and `confirmed_at` are signed hash, key and place of the announcement
    that confirmed it; `confirmed` is False again if that key is no longer trusted.
    """

    agent_id: str
    family: str
    log_index: int
    stated_key: str | None = None
    founder: bool = False
    invited_by: str | None = None
    invitation_hash: str | None = None
    invitation_key: str | None = None
    confirmed_at: int | None = None
    confirmed: bool = False
    void: bool = False


@dataclass(frozen=True, slots=True)
class Families:
    """The known agents and families: registration hashes and memberships by agent, and families with members.

    `confirmed` is the number of confirmed members, by family.
    """

    registrations: Mapping[str, str]
    memberships: Mapping[str, Membership]
    families: Set[str]
    confirmed: Mapping[str, int] = field(default_factory=dict)


def stated_family(agent: AgentDescription) -> str | None:
    """Return the family that an agent names in its registration, or that its id gives; of a peer's agent, scoped."""
    if agent.family is not None:
        return agent.family
    origin = origin_of(agent.agent_id)
    if origin is None:
        return agent_family(agent.agent_id, agent.version)
    own = agent_family(agent.agent_id.removesuffix(f"@{origin}"), agent.version)
    return None if own is None else f"{own}@{origin}"


def check_version(message: AgentVersion, known: Families) -> None:
    """Raise if an announcement cannot be accepted."""
    registration = known.registrations.get(message.agent)
    if registration is None:
        raise TargetError(f"agent {message.agent} is not registered", "agent")
    if message.target_hash != registration:
        raise TargetError(
            f"the registration of {message.agent} is {registration} here, not {message.target_hash}", "targetHash"
        )
    member = known.memberships.get(message.agent)
    announcing = message.envelope.agent_id
    if announcing == message.agent:
        if member is not None and not member.void and member.family != message.family:
            raise ConflictError(f"{message.agent} is a version of {member.family}, by its own word", "family")
        return
    if announcing != message.family and not _speaks_for(announcing, message.family, known):
        raise ForbiddenError(
            f"{announcing} is neither {message.family} nor a confirmed version of it", "announcingAgent"
        )
    if member is None or member.void or member.family != message.family:
        raise TargetError(f"{message.agent} does not say that it is a version of {message.family}", "agent")
    if not member.confirmed and known.confirmed.get(message.family, 0) >= MAX_CONFIRMED:
        raise ConflictError(f"{message.family} has {MAX_CONFIRMED:,} confirmed versions, as many as it can", "family")


def membership_after(
    message: AgentRegistration | AgentVersion, known: Families, place: int, signed_by: str
) -> Membership | None:
    """Return the membership that an accepted message makes or confirms at a log index, `None` if it does neither.

    `signed_by` is the id of the key of its signature.
    """
    if isinstance(message, AgentRegistration):
        family = stated_family(message.agent)
        return None if family is None else _stated(message.envelope.agent_id, family, known, place, signed_by)
    member = known.memberships.get(message.agent)
    if member is None or member.void:
        return _stated(message.agent, message.family, known, place, signed_by)
    if message.envelope.agent_id == message.agent or member.confirmed:
        return None
    return replace(
        member,
        invited_by=message.envelope.agent_id,
        invitation_hash=message.envelope.signed_hash,
        invitation_key=signed_by,
        confirmed_at=place,
        confirmed=True,
    )


def confirmed_members(members: Iterable[tuple[Membership, bool]]) -> frozenset[str]:
    """Return the members of one family that are confirmed, given for each whether the key that invited it is trusted.

    A member invited by an agent that turns out to be no member is not confirmed, nor is one whose own statement is
    void.
    """
    confirmed: set[str] = set()
    invited = []
    for member, trusted in members:
        if member.void:
            continue
        if member.founder:
            confirmed.add(member.agent_id)
        elif member.confirmed_at is not None and trusted:
            invited.append((member.confirmed_at, member))
    for _, member in sorted(invited, key=lambda one: one[0]):
        if member.invited_by == member.family or member.invited_by in confirmed:
            confirmed.add(member.agent_id)
    return frozenset(confirmed)


def _stated(agent_id: str, family: str, known: Families, place: int, signed_by: str) -> Membership:
    founder = family not in known.families and family not in known.registrations
    return Membership(
        agent_id, family, place, signed_by, founder, confirmed_at=place if founder else None, confirmed=founder
    )


def _speaks_for(agent_id: str, family: str, known: Families) -> bool:
    member = known.memberships.get(agent_id)
    return member is not None and member.family == family and member.confirmed
