"""The candidates for a packet, and the exclusions, each counted under the first reason that applies.

1. `boundary`: a statement that cites a source above the ceiling, with every item about it.
2. `requires_human_review`: safety-sensitive statements, if the recipient is no human (§6-4).
3. `irrelevant`: probes, which claim nothing. `policy`: statements signed with a key that is not trusted.
4. `superseded`: statements that their author has revised or retracted.
5. `expired`: passages whose retention has ended.
6. `token_budget`: items that do not fit. Statements come first, in their order, then verdicts, then passages; an item
   about a statement that is not in the packet is not in it either. A passage that several statements cite is there
   once, and names those of them that are in the packet.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from a2ap.boundary import Boundary
from a2ap.canonical import canonicalize
from a2ap.packet.packet import Exclusion, Item
from a2ap.packet.vocabulary import ExclusionReason
from a2ap.packet.wire import wire_members
from graph.packets.facts import PassageFacts, Selection, StatementFacts
from graph.packets.items import passage_item, statement_item, verdict_item
from graph.packets.loops import contested_statements, fallen_statements
from graph.packets.order import PacketOrder

_CHARACTERS_A_TOKEN = 4

_ESCALATIONS = {
    ExclusionReason.BOUNDARY: "Ask the operator of the node for a clearance of that class.",
    ExclusionReason.REQUIRES_HUMAN_REVIEW: "Ask a person with the clearance for it; it is given to no other recipient.",
    ExclusionReason.SUPERSEDED: "The node has the revisions and retractions that took its place.",
    ExclusionReason.POLICY: "Ask the operator of the node which keys are trusted.",
    ExclusionReason.TOKEN_BUDGET: "Order a packet with a larger budget, or about less.",
}


@dataclass(frozen=True, slots=True)
class Candidate:
    """A candidate item: its statement, its place (0 statement, 1 verdict, 2 passage), and its passage, if any."""

    statement: str
    place: int
    item: Item
    passage: str | None = None


class Exclusions:
    """Counts the exclusions."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[ExclusionReason, Boundary | None]] = Counter()

    def add(self, reason: ExclusionReason, boundary: Boundary | None = None, count: int = 1) -> None:
        """Count an exclusion; its class is given only if that is the reason."""
        self._counts[reason, boundary if reason is ExclusionReason.BOUNDARY else None] += count

    def listed(self) -> tuple[Exclusion, ...]:
        """Return the counts in the order of the reasons in the specification."""
        places = tuple(ExclusionReason)
        found = sorted(self._counts.items(), key=lambda entry: (places.index(entry[0][0]), _rank(entry[0][1])))
        return tuple(
            Exclusion(reason, boundary, count, _ESCALATIONS.get(reason))
            for (reason, boundary), count in found
            if count > 0
        )


def admitted(selection: Selection, order: PacketOrder, exclusions: Exclusions) -> list[StatementFacts]:
    """Return the statements that may go in, and count the others."""
    return [one for one in selection.statements if _admit(one, order, exclusions)]


def _admit(facts: StatementFacts, order: PacketOrder, exclusions: Exclusions) -> bool:
    reason = _reason_against(facts, order)
    if reason is not None:
        exclusions.add(reason, facts.boundary)
    return reason is None


def _reason_against(facts: StatementFacts, order: PacketOrder) -> ExclusionReason | None:
    if not order.ceiling.covers(facts.boundary):
        return ExclusionReason.BOUNDARY
    if facts.boundary is Boundary.SAFETY_SENSITIVE and order.recipient_type != "human":
        return ExclusionReason.REQUIRES_HUMAN_REVIEW
    if facts.probe:
        return ExclusionReason.IRRELEVANT
    if not facts.key_trusted:
        return ExclusionReason.POLICY
    if facts.retracted or facts.superseded_by is not None:
        return ExclusionReason.SUPERSEDED
    return None


def candidates_of(
    order: PacketOrder,
    selection: Selection,
    statements: Sequence[StatementFacts],
    now: datetime,
    exclusions: Exclusions,
) -> list[Candidate]:
    """Return the candidates in the order in which they are taken."""
    known = {one.signed_hash: one for one in statements}
    places = {name: place for place, name in enumerate(known)}
    contested, fallen = contested_statements(selection), fallen_statements(selection)
    threshold, stakes = selection.state.threshold, order.stakes
    found = [
        Candidate(
            one.signed_hash,
            0,
            statement_item(
                one,
                contested=one.signed_hash in contested,
                fallen=one.signed_hash in fallen,
                threshold=threshold,
                stakes=stakes,
            ),
        )
        for one in statements
    ]
    verdicts = [one for one in selection.verdicts if one.statement in known]
    verdicts.sort(key=lambda one: (places[one.statement], -one.log_index))
    found += [Candidate(one.statement, 1, verdict_item(one, known[one.statement], stakes)) for one in verdicts]
    passages = [one for one in selection.passages if one.statement in known]
    passages.sort(key=lambda one: places[one.statement])
    found += [
        Candidate(one.statement, 2, passage_item(one, stakes), one.chunk_key)
        for one in passages
        if not _is_expired(one, now)
    ]
    expired = {one.chunk_key for one in passages if _is_expired(one, now)}
    exclusions.add(ExclusionReason.EXPIRED, count=len(expired))
    return found


def _is_expired(facts: PassageFacts, now: datetime) -> bool:
    return facts.retain_until is not None and facts.retain_until <= now


def fitting(candidates: Iterable[Candidate], order: PacketOrder, exclusions: Exclusions) -> list[Candidate]:
    """Return the candidates that fit the budget, and count the others."""
    kept: list[Candidate] = []
    included: set[str] = set()
    places: dict[str, int] = {}
    missed: set[str] = set()
    tokens = 0
    for one in candidates:
        about = one.place == 0 or one.statement in included
        if about and one.passage in places:
            cited = _cited_by(kept[places[one.passage]], one.statement)
            cost = tokens_of(cited.item) - tokens_of(kept[places[one.passage]].item)
            if tokens + cost <= order.max_tokens:
                kept[places[one.passage]] = cited
                tokens += cost
            continue
        cost = tokens_of(one.item)
        if about and len(kept) < order.max_items and tokens + cost <= order.max_tokens:
            if one.passage is not None:
                places[one.passage] = len(kept)
            kept.append(one)
            included.add(one.statement)
            tokens += cost
        elif one.passage is None:
            exclusions.add(ExclusionReason.TOKEN_BUDGET)
        else:
            missed.add(one.passage)
    exclusions.add(ExclusionReason.TOKEN_BUDGET, count=len(missed - places.keys()))
    return kept


def _cited_by(passage: Candidate, statement: str) -> Candidate:
    """Return a passage with the name of another statement that cites it."""
    known = passage.item.ext.get("a2ap.statements", [passage.statement])
    ext = {**passage.item.ext, "a2ap.statements": [*known, statement]}
    return replace(passage, item=replace(passage.item, ext=ext))


def tokens_of(item: Item) -> int:
    """Return the approximate number of tokens that an item costs a model: a quarter of its bytes as JSON."""
    return len(canonicalize(wire_members(item))) // _CHARACTERS_A_TOKEN + 1


def _rank(boundary: Boundary | None) -> int:
    return -1 if boundary is None else boundary.rank
