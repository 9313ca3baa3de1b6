"""The permitted uses of a received packet: every duty of the specification, decided without acting on anything.

No content of a packet is executed or fetched (§15), and none of its words but identifiers is in the answer.

For action, a packet is refused if one of these holds, each under the number of its rule:

- 12: it does not even conform to CP-Core. 4.3-packet_hash: it does not have the hash that it states.
- 4.3-signature: neither its producer nor its governor signed it, nor the consumer itself. The specification has no
  signatures: by its letter, `origin` is None and this is not checked.
- 4.1-scope.expires_at: it has expired, or its time of expiry cannot be read. 4.1-created_at: it comes from the future.
- 4.1-recipient.one: it is for another recipient. 4.2: its uses do not permit this one.
- 6-4: it is safety-sensitive, and the consumer is no human. 4.1-staleness_policy: it is stale, and its policy is to
  refuse then.

A packet above the consumer's clearance is refused for review as well (6-2), and so is one whose signature or hash does
not hold. Reception is not use: a packet is used when no duty before action is outstanding. An item of an accepted
packet is settled, a candidate, data, or to be escalated; an item that is superseded, rejected, abandoned or no longer
valid is history.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from a2ap.boundary import STRICTEST, Boundary, Use, UseTerms
from a2ap.packet.authority import Origin, check_origin
from a2ap.packet.check_supersession import superseded_names
from a2ap.packet.document import Members, PacketDocument, part_of, text_of, texts_of
from a2ap.packet.errors import PacketAuthorityError
from a2ap.packet.extensions import local_mappings, mappings_of, read_boundary
from a2ap.packet.looks import read_moment
from a2ap.packet.shown import shown
from a2ap.packet.vocabulary import Degree, Level, StalenessPolicy
from graph.packets.states import is_later
from graph.packets.terms import terms_of
from graph.packets.treatment import ItemUse, treat_item

CLOCK_SLACK = timedelta(minutes=5)
"""Maximum lead of a producer's clock over this node's."""


class Aim(StrEnum):
    """The aim with which a packet is received."""

    ACTION = "action"
    REVIEW = "review"


class Decision(StrEnum):
    """The decision on a received packet; a packet refused for action may still be reviewed."""

    ACCEPTED = "accepted"
    REVIEW_ONLY = "review_only"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Consumer:
    """The consumer of a packet, its aim, and its knowledge: `state` is the present state of the substrate, if known.

    `human` means that its key is a registered person's, `traced` that its run has a trace, `revalidated` that it
    validated the packet again against `state`.
    """

    agent: str
    aim: Aim
    use: Use = Use.READ_ONLY
    clearance: Boundary = Boundary.INTERNAL
    stakes: Degree = Degree.MEDIUM
    human: bool = False
    state: str | None = None
    traced: bool = False
    revalidated: bool = False


@dataclass(frozen=True, slots=True)
class Reason:
    """One duty that decided something: the number of its rule, and a sentence."""

    rule: str
    words: str

    @property
    def members(self) -> dict[str, str]:
        """Return the reason as JSON."""
        return {"rule": f"§{self.rule}", "words": self.words}


@dataclass(frozen=True, slots=True)
class Reception:
    """The permitted uses of a packet; `before_action` are duties to do first, `constraints` the questions left open."""

    packet_id: str | None
    packet_hash: str | None
    aim: Aim
    decision: Decision
    level: Level | None
    permitted: Use | None
    reasons: tuple[Reason, ...]
    before_action: tuple[Reason, ...]
    outstanding: tuple[Reason, ...]
    constraints: tuple[Reason, ...]
    items: tuple[ItemUse, ...]
    promotion_required: bool
    trace_required: bool
    human_review_required: bool

    @property
    def accepted(self) -> bool:
        """Return whether the packet may be used for the aim of its reception."""
        return self.decision is Decision.ACCEPTED

    @property
    def usable(self) -> bool:
        """Return whether the packet may be acted on now: accepted for action, with no duty outstanding."""
        return self.accepted and self.aim is Aim.ACTION and not self.outstanding

    @property
    def members(self) -> dict[str, Any]:
        """Return the reception as JSON, safe to show to a model."""
        return {
            "packet": shown(self.packet_id),
            "packetHash": shown(self.packet_hash),
            "for": self.aim.value,
            "decision": self.decision.value,
            "level": self.level,
            "permittedUse": self.permitted,
            "reasons": [one.members for one in self.reasons],
            "beforeAction": [one.members for one in self.before_action],
            "outstanding": [one.members for one in self.outstanding],
            "constraints": [one.members for one in self.constraints],
            "items": [one.members for one in self.items],
            "returns": {
                "proposalsOnly": True,
                "promotionRequired": self.promotion_required,
                "traceRequired": self.trace_required,
                "humanReviewRequired": self.human_review_required,
            },
        }


def receive(
    document: PacketDocument,
    consumer: Consumer,
    now: datetime,
    *,
    level: Level | None,
    hash_holds: bool | None,
    origin: Origin | None,
) -> Reception:
    """Return the uses of a packet that a consumer has at a time.

    `level` is the level that a validator found, `hash_holds` whether the packet has the hash that it states, None if it
    states none; `origin` is the proven origin, None to receive it by the letter of the specification.
    """
    scope = document.part("scope")
    mappings = mappings_of(document.members)
    ceiling = read_boundary(scope.get("boundary_ceiling"), mappings)
    terms = terms_of(document)
    unreadable = (*_above_clearance(ceiling, consumer), *_forged(origin, hash_holds))
    reasons = (
        *unreadable,
        *_refusals(document, consumer, now, level, hash_holds, terms),
        *_origin(document, consumer, origin),
    )
    before = _before_action(document, consumer)
    contract = document.part("return_contract")
    return Reception(
        packet_id=document.packet_id,
        packet_hash=document.packet_hash,
        aim=consumer.aim,
        decision=_decide(consumer, bool(unreadable), bool(reasons)),
        level=level,
        permitted=terms.highest,
        reasons=tuple(dict.fromkeys(reasons)),
        before_action=tuple(before),
        outstanding=tuple(reason for reason, met in before.items() if not met),
        constraints=tuple(_constraints(document)),
        items=() if unreadable else _items(document, consumer, ceiling, now),
        # A member that is missing is taken the careful way: proposals need promotion, and a person looks (§11).
        promotion_required=contract.get("promotion_required") is not False,
        trace_required=contract.get("trace_required") is True,
        human_review_required=contract.get("requires_human_review") is not False,
    )


def _decide(consumer: Consumer, unreadable: bool, refused: bool) -> Decision:
    if unreadable:
        return Decision.REFUSED
    if consumer.aim is Aim.REVIEW or not refused:
        return Decision.ACCEPTED
    return Decision.REVIEW_ONLY


def _above_clearance(ceiling: Boundary | None, consumer: Consumer) -> Iterator[Reason]:
    # A class that nobody here knows may be any.
    if not consumer.clearance.covers(ceiling or STRICTEST):
        stated = ceiling or "of no class that is known"
        yield Reason("6-2", f"The ceiling is {stated}, and the consumer is cleared for {consumer.clearance}.")


def _forged(origin: Origin | None, hash_holds: bool | None) -> Iterator[Reason]:
    if origin is not None and hash_holds is False:
        yield Reason("4.3-packet_hash", "Its hash is not that of its content.")
    elif origin is not None and origin.problem is not None:
        yield Reason("4.3-signature", f"It is not the packet that was signed: {origin.problem}.")


def _origin(document: PacketDocument, consumer: Consumer, origin: Origin | None) -> Iterator[Reason]:
    if origin is None or origin.problem is not None:
        return
    try:
        check_origin(document, origin, consumer.agent)
    except PacketAuthorityError as error:
        yield Reason("4.3-signature", f"Its origin is not shown: {error}.")


def _refusals(
    document: PacketDocument,
    consumer: Consumer,
    now: datetime,
    level: Level | None,
    hash_holds: bool | None,
    terms: UseTerms,
) -> Iterator[Reason]:
    if level is None:
        yield Reason("12", "It does not conform to CP-Core; `a2ap packet validate` says why.")
    if hash_holds is False:
        yield Reason("4.3-packet_hash", "Its hash is not that of its content.")
    yield from _times(document, now)
    recipient = text_of(document.part("recipient"), "id")
    if recipient != consumer.agent:
        yield Reason("4.1-recipient.one", f"It is for {shown(recipient)}, not for {shown(consumer.agent)}.")
    if not terms.permits(consumer.use):
        yield Reason("4.2", f"It permits {terms.highest or 'nothing'}, not {consumer.use}.")
    mappings = mappings_of(document.members)
    classes = [read_boundary(item.get("boundary"), _local(item, mappings)) for item in document.items]
    if Boundary.SAFETY_SENSITIVE in classes and not consumer.human:
        yield Reason("6-4", "It holds safety-sensitive items, and the consumer is no human.")
    policy = document.part("temporal_policy").get("staleness_policy")
    if policy == StalenessPolicy.REFUSE_IF_STALE and is_later(consumer.state, _states(document)) is not False:
        yield Reason("4.1-staleness_policy", "The substrate has moved, or it is not known whether it has.")


def _times(document: PacketDocument, now: datetime) -> Iterator[Reason]:
    expires = document.part("scope").get("expires_at")
    moment = read_moment(expires)
    if expires is not None and (moment is None or moment <= now):
        yield Reason("4.1-scope.expires_at", f"It expired at {shown(expires)}.")
    created = read_moment(document.members.get("created_at"))
    if created is not None and created > now + CLOCK_SLACK:
        yield Reason("4.1-created_at", "It was made at a time that is yet to come.")


def _before_action(document: PacketDocument, consumer: Consumer) -> dict[Reason, bool]:
    """Return the duties before action, each with whether the consumer claims to have done it."""
    found: dict[Reason, bool] = {}
    policy = document.part("temporal_policy").get("staleness_policy")
    if policy == StalenessPolicy.REVALIDATE_BEFORE_ACTION and is_later(consumer.state, _states(document)) is not False:
        words = "Its content has to be validated again before it is acted on."
        found[Reason("4.1-staleness_policy", words)] = consumer.revalidated and consumer.state is not None
    if document.part("return_contract").get("trace_required") is True:
        found[Reason("11-trace", "The agent that acts on it emits a trace that names the packet.")] = consumer.traced
    for loop in document.parts("open_loops"):
        if loop.get("stakes") == Degree.HIGH and consumer.use.rank > Use.DRAFT_ONLY.rank:
            found[Reason("7", f"Somebody decides about the open loop {shown(loop.get('loop_id'))} first.")] = False
    return found


def _constraints(document: PacketDocument) -> Iterator[Reason]:
    for loop in document.parts("open_loops"):
        stakes = loop.get("stakes")
        about = f", of {shown(stakes)} stakes" if stakes is not None else ""
        yield Reason("7", f"{shown(loop.get('loop_id'))} is open{about}: do not act as if it were decided.")
    for exclusion in document.parts("exclusions"):
        count, reason = exclusion.get("count"), exclusion.get("reason")
        yield Reason("8", f"It is a slice: {shown(count)} left out for {shown(reason)}.")


def _items(
    document: PacketDocument, consumer: Consumer, ceiling: Boundary | None, now: datetime
) -> tuple[ItemUse, ...]:
    mappings = mappings_of(document.members)
    limit = ceiling if ceiling is not None else Boundary.PUBLIC
    replaced = superseded_names(document.items)
    return tuple(
        treat_item(item, limit, _local(item, mappings), consumer.stakes, now, replaced) for item in document.items
    )


def _local(item: Members, mappings: dict[str, str]) -> dict[str, str]:
    """Return the local words of an item: its own, then those of the packet."""
    return {**mappings, **local_mappings(item.get("ext"))}


def _states(document: PacketDocument) -> tuple[str, ...]:
    return texts_of(part_of(document.members, "reproducibility"), "source_state_refs")
