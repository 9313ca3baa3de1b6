"""Authority over a packet: from a record to its key, from the key to an agent, from the agent to its role.

The text has no signatures and names no authorities (§11, §11.1), so that any word of a record could be anybody's.

1. A document counts by its signature and by nothing else. Its author is the agent whose key that is, and `by` is that
   agent, with or without the prefix of an author (`agent:urn:agent:clerk`). `human:` needs a person's key.
2. A packet is vouched for by its producer or its governor. A packet that follows another comes from an agent with a
   role in the first: its producer, governor, recipient or one of its promoters.
3. A return, and a receipt of an event at the recipient, come from the packet's recipient.
4. A disposition comes from a promoter: the producer, the governor, an agent that the packet names in
   `ext["a2ap.promoters"]`, or one that stands for the governor. The recipient promotes nothing of its own.

Everything here is a function of its arguments: the caller gives the keys of agents and the agents that stand for a
governor.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from a2ap.packet.canon import same_hash
from a2ap.packet.document import Members, PacketDocument, text_of, texts_of
from a2ap.packet.errors import PacketAuthorityError, PacketHashError, PacketSignatureError
from a2ap.packet.integrity import check_integrity, own_hash
from a2ap.packet.records import PacketDisposition, PacketReceipt, PacketRecord, PacketReturn
from a2ap.packet.shown import shown
from a2ap.packet.signature import read_signature, verify_members
from a2ap.packet.vocabulary import AUTHOR_PREFIXES, ReceiptEvent
from a2ap.signing.keys import PublicKey

PROMOTERS = "a2ap.promoters"
"""The member of a packet's `ext` that names the agents which may decide about its returns."""

HUMAN = "human:"

# Facts that only the consumer of a packet can know.
_OF_RECIPIENT = frozenset(
    {
        ReceiptEvent.OPENED,
        ReceiptEvent.USED,
        ReceiptEvent.OUTPUT_EMITTED,
        ReceiptEvent.MEMORY_UPDATE_PROPOSED,
        ReceiptEvent.TRACED,
    }
)

Governance = Mapping[str, Collection[str]]
"""The agents that stand for a governor, by its id: on a node, the seeds of the policy in force."""


class Role(StrEnum):
    """The role of an agent in a packet."""

    PRODUCER = "producer"
    GOVERNOR = "governor"
    RECIPIENT = "recipient"
    PROMOTER = "promoter"


@dataclass(frozen=True, slots=True)
class Speaker:
    """The agent whose key signed something; `key` is a did:key, `person` whether it registered as `prov:Person`."""

    agent_id: str
    key: str
    person: bool = False


@dataclass(frozen=True, slots=True)
class KnownKeys:
    """The agents whose keys are known, by did:key; an agent that is named by its own key needs no entry."""

    speakers: Mapping[str, Speaker] = field(default_factory=dict)

    @classmethod
    def of(cls, speakers: Iterable[Speaker]) -> "KnownKeys":
        """Return the keys of these agents."""
        return cls({one.key: one for one in speakers})

    def find(self, key: PublicKey) -> Speaker:
        """Return the agent that holds a key; for an unknown key, the agent that is named by the key itself."""
        return self.speakers.get(key.did_key) or Speaker(key.did_key, key.did_key)


@dataclass(frozen=True, slots=True)
class Roles:
    """The agents that have a role in one packet, as the packet names them."""

    producer: str | None
    governor: str | None
    recipient: str | None
    promoters: frozenset[str]

    def of(self, agent_id: str) -> frozenset[Role]:
        """Return the roles of an agent. The recipient is never a promoter."""
        found = {
            role
            for role, name in (
                (Role.PRODUCER, self.producer),
                (Role.GOVERNOR, self.governor),
                (Role.RECIPIENT, self.recipient),
            )
            if name == agent_id
        }
        if agent_id in self.promoters and agent_id != self.recipient:
            found.add(Role.PROMOTER)
        return frozenset(found)


def roles_of(packet: PacketDocument, governance: Governance | None = None) -> Roles:
    """Return the agents with a role in a packet, as the packet and `governance` name them."""
    producer, governor, recipient = (text_of(packet.part(name), "id") for name in ("producer", "governor", "recipient"))
    named = texts_of(packet.part("ext"), PROMOTERS)
    standing = (governance or {}).get(governor, ()) if governor is not None else ()
    promoters = {*named, *standing, *(one for one in (producer, governor) if one is not None)}
    return Roles(producer, governor, recipient, frozenset(promoters))


def speaker_of(members: Members, keys: KnownKeys) -> Speaker:
    """Return the agent that signed a document. Raises PacketSignatureError without a signature that holds."""
    signature = read_signature(members)
    verify_members(members, signature.public_key)
    return keys.find(signature.public_key)


def speaker_or_none(members: Members, keys: KnownKeys) -> Speaker | None:
    """Return the agent that signed a document, None without a signature that holds."""
    try:
        return speaker_of(members, keys)
    except PacketSignatureError:
        return None


@dataclass(frozen=True, slots=True)
class Origin:
    """The origin that a packet proves: the agent that signed it, or the fault in its signature or hash."""

    speaker: Speaker | None = None
    problem: str | None = None


def origin_of(packet: PacketDocument, keys: KnownKeys) -> Origin:
    """Return the origin of a packet; it has a `problem` if a signature or a hash in the packet does not hold."""
    try:
        check_integrity(packet)
    except (PacketSignatureError, PacketHashError) as error:
        return Origin(problem=str(error))
    return Origin(speaker_or_none(packet.members, keys))


def check_origin(packet: PacketDocument, origin: Origin, consumer: str | None = None) -> None:
    """Check that a packet comes from its producer or governor, or from the consumer itself.

    Raises PacketAuthorityError.
    """
    if origin.problem is not None:
        raise PacketAuthorityError(origin.problem)
    if origin.speaker is None or origin.speaker.agent_id != consumer:
        check_voucher(packet, origin.speaker)


def author_of(speaker: Speaker) -> str:
    """Return the name of an agent in `by`: with `human:` if it is a person, else with `agent:`."""
    return f"{HUMAN if speaker.person else 'agent:'}{speaker.agent_id}"


def check_author(by: str, speaker: Speaker) -> None:
    """Check that `by` is the agent that signed. Raises PacketAuthorityError; `human:` needs a person's key."""
    names = {speaker.agent_id, *(f"{prefix}{speaker.agent_id}" for prefix in AUTHOR_PREFIXES)}
    if by not in names:
        raise PacketAuthorityError(f"by is {shown(by)}, and the key is that of {shown(speaker.agent_id)}")
    if by.startswith(HUMAN) and not speaker.person:
        raise PacketAuthorityError(f"by is {shown(by)}, and the key is not that of a registered person")


def check_voucher(packet: PacketDocument, speaker: Speaker | None) -> None:
    """Check that the producer or the governor of a packet signed it. Raises PacketAuthorityError."""
    if speaker is None:
        raise PacketAuthorityError(f"{_without_speaker(packet)}, so that its producer is not shown")
    if not roles_of(packet).of(speaker.agent_id) & {Role.PRODUCER, Role.GOVERNOR}:
        raise PacketAuthorityError(
            f"it is signed by {shown(speaker.agent_id)}, which is neither its producer nor its governor"
        )


def check_successor(packet: PacketDocument, speaker: Speaker | None, governance: Governance | None = None) -> None:
    """Check that the agent that signed a following packet has a role in the packet. Raises PacketAuthorityError."""
    if speaker is None:
        raise PacketAuthorityError(_without_speaker(packet))
    if not roles_of(packet, governance).of(speaker.agent_id):
        raise PacketAuthorityError(
            f"it is signed by {shown(speaker.agent_id)}, which has no part in {shown(packet.packet_id)}"
        )


def _without_speaker(packet: PacketDocument) -> str:
    """Return the reason why no agent is known to have signed a packet."""
    try:
        verify_members(packet.members, read_signature(packet.members).public_key)
    except PacketSignatureError:
        return "nobody signed it"
    return "it is signed with a key of no registered agent"


def check_record(
    packet: PacketDocument, record: PacketRecord, speaker: Speaker | None, governance: Governance | None = None
) -> None:
    """Check that a record about a packet comes from an agent with the role for it.

    The record echoes the packet's own hash, is signed, and `by` is the agent that signed it. Raises
    PacketAuthorityError.
    """
    if speaker is None:
        raise PacketAuthorityError("nobody signed it in a way that holds")
    stated = own_hash(packet)
    if stated is None or not same_hash(record.packet_hash, stated):
        raise PacketAuthorityError("it does not echo the packet's own hash")
    check_author(record.by, speaker)
    roles = roles_of(packet, governance)
    match record:
        case PacketReturn():
            check_recipient(roles, speaker)
        case PacketReceipt() if record.event in _OF_RECIPIENT:
            check_recipient(roles, speaker)
        case PacketReceipt():
            if not roles.of(speaker.agent_id):
                raise PacketAuthorityError(f"{shown(speaker.agent_id)} has no part in the packet")
        case PacketDisposition():
            check_promoter(roles, speaker)


def check_recipient(roles: Roles, speaker: Speaker) -> None:
    """Check that an agent is the recipient of a packet. Raises PacketAuthorityError."""
    if Role.RECIPIENT not in roles.of(speaker.agent_id):
        raise PacketAuthorityError(
            f"the packet is for {shown(roles.recipient)}, and the key is that of {shown(speaker.agent_id)}"
        )


def check_promoter(roles: Roles, speaker: Speaker) -> None:
    """Check that an agent may decide about returns of the recipient of a packet. Raises PacketAuthorityError."""
    if speaker.agent_id == roles.recipient:
        raise PacketAuthorityError(
            f"{shown(speaker.agent_id)} is the recipient of the packet, and decides about nothing of its own"
        )
    if Role.PROMOTER not in roles.of(speaker.agent_id):
        raise PacketAuthorityError(
            f"{shown(speaker.agent_id)} is neither producer, governor nor promoter of the packet"
        )
