"""The members of an item taken together: the three axes, standing, stakes, authorship and time (§2.1, §5.1).

The text allows every combination of the three axes, "a high-confidence hypothesis is still a hypothesis". This module
finds a word of one axis in another, and standings that exclude each other.
"""

from collections.abc import Iterator
from datetime import datetime

from a2ap.packet.finding import Finding, Severity
from a2ap.packet.looks import has_ended, read_moment
from a2ap.packet.member_check import Subject
from a2ap.packet.shown import shown
from a2ap.packet.vocabulary import (
    AXES,
    EXTERNAL_TRUST,
    BranchStatus,
    Degree,
    EpistemicStatus,
    GovernorMode,
    PromotionState,
    Trust,
)

_SETTLED = frozenset({EpistemicStatus.FACT, EpistemicStatus.DECISION})


def check_epistemics(packet: Subject, items: list[Subject], now: datetime | None) -> Iterator[Finding]:
    """Find contradictions between the members of each item; `now`, if given, tells which items are no longer valid."""
    reviewed = packet.inner("return_contract").members.get("requires_human_review") is True
    reviewed = reviewed or packet.inner("governor").members.get("mode") == GovernorMode.HUMAN_REVIEW
    made = read_moment(packet.members.get("created_at"))
    for item in items:
        yield from _check_axes(item)
        yield from _check_unknown(item)
        yield from _check_stakes(item, reviewed)
        yield from _check_author(item)
        yield from _check_branch(item)
        yield from _check_time(item, made, now)
    yield from _check_tracking(packet, items)


def _check_axes(item: Subject) -> Iterator[Finding]:
    for axis, vocabulary in AXES.items():
        value = item.members.get(axis)
        if not isinstance(value, str) or value in frozenset(vocabulary):
            continue
        others = [other for other, known in AXES.items() if other != axis and value in frozenset(known)]
        if others:
            yield item.say("2.1", f": {axis} is {value}, which is a word of {' and of '.join(others)}", axis)
    status, state = item.members.get("epistemic_status"), item.members.get("promotion_state")
    if state == PromotionState.REJECTED and isinstance(status, str) and status in _SETTLED:
        words = f" is labelled a {status}, and its promotion was rejected"
        yield item.say("2.1", words, "promotion_state", Severity.WARNING)
    if state == PromotionState.CONFIRMED and status == EpistemicStatus.SUPERSEDED:
        words = " is superseded, and its promotion is confirmed"
        yield item.say("2.1", words, "promotion_state", Severity.WARNING)


def _check_unknown(item: Subject) -> Iterator[Finding]:
    if item.members.get("epistemic_status") != EpistemicStatus.UNKNOWN:
        return
    if item.members.get("confidence") in (Degree.MEDIUM, Degree.HIGH):
        words = f" is unknown with {item.members['confidence']} confidence"
        yield item.say("5.1-epistemic_status.unknown", words, "confidence")
    if item.members.get("stakes") == Degree.HIGH:
        words = " is unknown with high stakes: no action rests on it without escalation"
        yield item.say("5.1-epistemic_status.unknown", words, "stakes")


def _check_stakes(item: Subject, reviewed: bool) -> Iterator[Finding]:
    low = item.members.get("confidence") == Degree.LOW
    if item.members.get("stakes") == Degree.HIGH and low and not reviewed:
        words = " has high stakes and low confidence, and the packet asks for no human review"
        yield item.say("5.1-stakes.escalation", words, "stakes")


def _check_author(item: Subject) -> Iterator[Finding]:
    provenance = item.inner("provenance").members
    author, trust = provenance.get("author"), provenance.get("trust")
    if not isinstance(author, str) or not isinstance(trust, str):
        return
    kind = author.split(":", 1)[0]
    if (trust == Trust.AGENT_GENERATED and kind in ("human", "org")) or (
        trust == Trust.SYSTEM_GENERATED and kind in ("human", "org", "unknown")
    ):
        words = f" has trust {trust} and an author that is {kind}"
        yield item.say("5.1-provenance.author.trust", words, "provenance")


def _check_branch(item: Subject) -> Iterator[Finding]:
    status, branch = item.members.get("epistemic_status"), item.members.get("branch_status")
    known = isinstance(branch, str) and branch in frozenset(BranchStatus) and branch != BranchStatus.CANONICAL
    settled = isinstance(status, str) and status in _SETTLED
    settled = settled or item.members.get("promotion_state") == PromotionState.CONFIRMED
    if known and settled:
        words = f" is labelled as settled, and its branch is {branch}: it is no settled truth"
        yield item.say("5.1-branch_status.settled", words, "branch_status")


def _check_time(item: Subject, made: datetime | None, now: datetime | None) -> Iterator[Finding]:
    recorded = read_moment(item.inner("provenance").members.get("recorded_at"))
    if made is not None and recorded is not None and recorded > made:
        words = " was recorded after the packet was made"
        yield item.say("5.1-provenance.recorded_at", words, "provenance", Severity.WARNING)
    to = item.inner("valid_time").members.get("to")
    moment = now or made
    if moment is not None and has_ended(to, moment):
        yield item.say("3-4", f" was valid until {shown(to)}", "valid_time")


def _check_tracking(packet: Subject, items: list[Subject]) -> Iterator[Finding]:
    """Find items without promotion state in a packet whose substrate tracks it.

    Several substrates may not all track it, and content from outside is in none.
    """
    if not any(isinstance(item.members.get("promotion_state"), str) for item in items):
        return
    sources = packet.inner("lineage").members.get("assembled_from")
    one_substrate = isinstance(sources, list) and len(sources) == 1
    for item in items:
        trust = item.inner("provenance").members.get("trust")
        if item.members.get("promotion_state") is None and not (isinstance(trust, str) and trust in EXTERNAL_TRUST):
            words = " has no promotion_state, and other items show that the substrate tracks it"
            severity = None if one_substrate else Severity.WARNING
            yield item.say("5.1-promotion_state.tracked", words, "promotion_state", severity)
