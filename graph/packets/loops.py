"""Open loops of a packet: the open questions about its statements, in this node's own words (Context Packet §7).

A loop is shown to the reader of the packet outside of the quoted data (flaw 13 of the text), so it contains no word of
a document or an agent except identifiers, which have no spaces.
"""

from collections.abc import Collection, Sequence
from hashlib import sha256

from a2ap.packet.packet import OpenLoop
from a2ap.packet.vocabulary import Degree
from a2ap.times import format_instant
from graph.packets.facts import ChallengeFacts, DisputeFacts, RequestFacts, Selection, StatementFacts
from graph.requests.challenge_state import ChallengeStatus

OPEN_STATUSES = frozenset({ChallengeStatus.OPEN, ChallengeStatus.ANSWERED})
"""Challenges that are not decided; an answered one waits for verdicts."""


def open_loops(selection: Selection, statements: Sequence[StatementFacts], stakes: Degree) -> tuple[OpenLoop, ...]:
    """Return the loops of these statements: challenges first, then contradictions, then requests for verdicts."""
    ids = {one.signed_hash: one for one in statements}
    loops = [_challenge(one, ids[one.statement], stakes) for one in selection.challenges if _is_open(one, ids)]
    seen = set()
    for one in selection.disputes:
        if one.statement in ids and one.dispute_id not in seen:
            seen.add(one.dispute_id)
            loops.append(_dispute(one, ids[one.statement], stakes))
    loops += [_request(one, ids[one.statement], stakes) for one in selection.requests if one.statement in ids]
    return tuple(loops)


def contested_statements(selection: Selection) -> frozenset[str]:
    """Return the signed hashes of the statements that a challenge or a contradiction leaves open."""
    challenged = {one.statement for one in selection.challenges if one.status in OPEN_STATUSES}
    return frozenset(challenged | {one.statement for one in selection.disputes})


def fallen_statements(selection: Selection) -> frozenset[str]:
    """Return the signed hashes of the statements with an upheld challenge."""
    return frozenset(one.statement for one in selection.challenges if one.status is ChallengeStatus.UPHELD)


def _is_open(one: ChallengeFacts, statements: Collection[str]) -> bool:
    return one.statement in statements and one.status in OPEN_STATUSES


def _challenge(one: ChallengeFacts, about: StatementFacts, stakes: Degree) -> OpenLoop:
    answered = one.status is ChallengeStatus.ANSWERED
    return OpenLoop(
        loop_id=_id("challenge", one.signed_hash),
        question=f"Does {about.statement_id} hold against the challenge {one.verification_id}?",
        blocked_by="Verdicts of others, after the author's answer." if answered else "An answer of the author.",
        last_movement=format_instant(one.last_movement),
        stakes=stakes,
        owner=f"agent:{about.author}",
        next_action="Do not act on the statement as settled. Ask for verdicts on it, or wait for them.",
    )


def _dispute(one: DisputeFacts, about: StatementFacts, stakes: Degree) -> OpenLoop:
    return OpenLoop(
        loop_id=_id("dispute", one.dispute_id),
        question=f"Which of {about.statement_id} and {one.other_id} holds? They exclude each other.",
        blocked_by="The verdicts carry neither clearly.",
        stakes=stakes,
        owner=f"agent:{about.author}",
        next_action="Act on neither as settled. Look at both, with their evidence, before either is relied on.",
    )


def _request(one: RequestFacts, about: StatementFacts, stakes: Degree) -> OpenLoop:
    wanted = "any number" if one.wanted is None else str(one.wanted)
    return OpenLoop(
        loop_id=_id("request", one.signed_hash),
        question=f"Will verifiers confirm {about.statement_id}? The request {one.request_id} waits.",
        blocked_by=f"{one.answered} operators have answered, and {wanted} are wanted.",
        last_movement=format_instant(one.last_movement),
        stakes=stakes,
        owner=f"agent:{one.agent}",
        next_action="Give a verdict, or wait for those of others.",
    )


def _id(kind: str, name: str) -> str:
    return f"olp_{sha256(f'{kind}|{name}'.encode()).hexdigest()[:16]}"
