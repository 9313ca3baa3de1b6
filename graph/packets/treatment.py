"""A consumer's treatment of one item of a packet (Context Packet §5.1, §5.3, §6): the first that applies.

1. Not usable: above the ceiling, or without a mandatory member.
2. History: superseded, rejected, abandoned, or no longer valid. For review, never for action.
3. To be escalated: at high stakes, an item that is unknown or of low confidence.
4. Data: an item from outside, with any content. It is looked at and never followed, nor fetched.
5. A candidate: an item that is unconfirmed, not on the canonical branch, contested or a hypothesis.
6. Settled: the rest.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType

from a2ap.boundary import Boundary
from a2ap.packet.check_supersession import target_of
from a2ap.packet.document import Members, part_of, text_of
from a2ap.packet.extensions import read_boundary
from a2ap.packet.looks import has_ended, read_moment
from a2ap.packet.shown import shown
from a2ap.packet.vocabulary import (
    EXTERNAL_TRUST,
    BranchStatus,
    Degree,
    EpistemicStatus,
    Kind,
    PromotionState,
    Trust,
)

_SETTLED_STATUSES = frozenset({EpistemicStatus.FACT, EpistemicStatus.DECISION, EpistemicStatus.CORRECTED})
_GUIDANCE = frozenset({Kind.INSTRUCTION, Kind.PROCEDURE})
_MANDATORY = ("item_id", "kind", "epistemic_status", "confidence")


class Treatment(StrEnum):
    """The roles that an item may have for a consumer."""

    SETTLED = "settled"
    CANDIDATE = "candidate"
    DATA = "data"
    ESCALATE = "escalate"
    HISTORY = "history"
    NOT_USABLE = "not_usable"


@dataclass(frozen=True, slots=True)
class ItemUse:
    """The treatment of an item, with its rule and reason; `never` lists forbidden operations on it."""

    item_id: str
    treatment: Treatment
    rule: str
    words: str
    never: tuple[str, ...] = ()

    @property
    def members(self) -> dict[str, object]:
        """Return this as JSON."""
        return {
            "item": self.item_id,
            "treatment": self.treatment.value,
            "rule": f"§{self.rule}",
            "words": self.words,
            "never": list(self.never),
        }


Found = tuple[Treatment, str, str]

_NOTHING: Mapping[str, str] = MappingProxyType({})


def treat_item(
    item: Members,
    ceiling: Boundary,
    mappings: Mapping[str, str],
    stakes: Degree,
    now: datetime,
    replaced: Mapping[str, str] = _NOTHING,
) -> ItemUse:
    """Return the treatment of an item of a packet with this ceiling, in a task with these stakes.

    `replaced` has the items and sources that items of the packet supersede, each with the id of the superseding item.
    """
    treatment, rule, words = next(_found(item, ceiling, mappings, stakes, now, replaced))
    return ItemUse(shown(item.get("item_id")), treatment, rule, words, tuple(_never(item)))


def _found(
    item: Members,
    ceiling: Boundary,
    mappings: Mapping[str, str],
    stakes: Degree,
    now: datetime,
    replaced: Mapping[str, str],
) -> Iterator[Found]:
    yield from _unusable(item, ceiling, mappings)
    yield from _history(item, now)
    yield from _replaced(item, replaced)
    yield from _escalated(item, stakes)
    trust = text_of(part_of(item, "provenance"), "trust")
    if trust in EXTERNAL_TRUST:
        yield Treatment.DATA, "5.3", f"It is {trust}: data, never instruction."
    if trust not in tuple(Trust):
        yield Treatment.DATA, "5.3", "Nobody knows where it comes from: data, never instruction."
    yield from _candidate(item)
    yield Treatment.SETTLED, "5.1-promotion_state", "It is confirmed, and nothing says that it is open."


def _unusable(item: Members, ceiling: Boundary, mappings: Mapping[str, str]) -> Iterator[Found]:
    for name in _MANDATORY:
        if text_of(item, name) is None:
            yield Treatment.NOT_USABLE, f"5.1-{name}", f"It has no {name}."
    boundary = read_boundary(item.get("boundary"), mappings)
    if boundary is None:
        yield Treatment.NOT_USABLE, "5.1-boundary", "It is of no class that is known."
    elif not ceiling.covers(boundary):
        yield Treatment.NOT_USABLE, "6-2", f"It is {boundary}, above the ceiling {ceiling}."


def _history(item: Members, now: datetime) -> Iterator[Found]:
    status, promotion = item.get("epistemic_status"), item.get("promotion_state")
    if item.get("superseded_by") or EpistemicStatus.SUPERSEDED in (status, promotion):
        yield Treatment.HISTORY, "5.1-superseded_by", "Something else has taken its place."
    if promotion == PromotionState.REJECTED:
        yield Treatment.HISTORY, "5.1-promotion_state", "It was rejected."
    if item.get("branch_status") == BranchStatus.ABANDONED:
        yield Treatment.HISTORY, "5.1-branch_status", "Its branch was abandoned."
    valid = part_of(item, "valid_time")
    end = valid.get("to")
    if end is not None and (read_moment(end) is None or has_ended(end, now)):
        yield Treatment.HISTORY, "5.1-valid_time", f"It applied until {shown(end)}."


def _replaced(item: Members, replaced: Mapping[str, str]) -> Iterator[Found]:
    own, source = text_of(item, "item_id"), text_of(part_of(item, "provenance"), "source")
    for name, what in ((own, "it"), (target_of(source), "its source")):
        if name is not None and replaced.get(name, own) != own:
            yield Treatment.HISTORY, "5.1-superseded_by", f"{shown(replaced[name])} supersedes {what}."


def _escalated(item: Members, stakes: Degree) -> Iterator[Found]:
    if Degree.HIGH not in (stakes, item.get("stakes")):
        return
    # Unknown counts as low confidence, whatever is stated beside it.
    if item.get("epistemic_status") == EpistemicStatus.UNKNOWN:
        yield Treatment.ESCALATE, "5.1-epistemic_status.unknown", "It is unknown, and the stakes are high."
    if item.get("confidence") not in (Degree.MEDIUM, Degree.HIGH):
        yield Treatment.ESCALATE, "5.1-stakes.escalation", "Its confidence is low, and the stakes are high."


def _candidate(item: Members) -> Iterator[Found]:
    status, branch = text_of(item, "epistemic_status"), item.get("branch_status")
    if branch is not None and branch != BranchStatus.CANONICAL:
        yield Treatment.CANDIDATE, "5.1-branch_status", f"It is on a branch that is {shown(branch)}."
    if status not in _SETTLED_STATUSES:
        yield Treatment.CANDIDATE, "5.1-epistemic_status", f"It is {shown(status)}."
    if item.get("promotion_state") != PromotionState.CONFIRMED:
        yield Treatment.CANDIDATE, "5.1-promotion_state", "Nobody confirmed it."
    if item.get("confidence") not in (Degree.MEDIUM, Degree.HIGH):
        yield Treatment.CANDIDATE, "5.1-confidence", "Its confidence is low."


def _never(item: Members) -> Iterator[str]:
    kind, content = text_of(item, "kind"), item.get("content")
    if isinstance(content, dict) and "quoted_data" in content:
        yield "unwrap"
    if isinstance(content, dict) and "uri" in content:
        yield "fetch because it is named"
    if kind in _GUIDANCE or text_of(part_of(item, "provenance"), "trust") in EXTERNAL_TRUST:
        yield "execute"
