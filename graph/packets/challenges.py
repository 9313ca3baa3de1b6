"""Reads the challenges of statements, and computes the status of each (`graph.requests.challenge_state`)."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from a2ap.messages.finding import FindingStatus
from a2ap.times import instant_of
from graph.lists.ordered import END
from graph.packets.facts import ChallengeFacts, StatementFacts
from graph.requests.challenge_state import Challenge, ChallengedCriterion, state_of
from graph.scores.on_demand import consensus_of_statements
from graph.scoring.consensus import Consensus
from graph.scoring.judgements import policy_in_force
from graph.scoring.reading import StoreReader
from graph.store import Row, Store

_MAX_ANSWERS = 8
"""Maximum answers read for one challenge, those with a trusted key first."""


async def challenges_of(store: Store, statements: Sequence[StatementFacts], first: int) -> tuple[ChallengeFacts, ...]:
    """Return the first challenges of each of these statements, with their status."""
    known = {one.signed_hash: one for one in statements}
    rows = await store.read("challenges_of", hashes=list(known), start=-1, end=END, sign=1, limit=first)
    if not rows:
        return ()
    names = [row["signed_hash"] for row in rows]
    challenged = sorted({row["statement"] for row in rows})
    superseded = {row["superseded"] for row in await store.read("superseding", hashes=names)}
    answered = _last_answers(await store.read("answers_to_challenges", hashes=names, first=_MAX_ANSWERS))
    gold: defaultdict[str, dict[str, bool]] = defaultdict(dict)
    for row in await store.read("observed_labels", hashes=challenged):
        gold[row["statement"]][row["criterion"]] = row["passes"]
    consensus = await consensus_of_statements(store, challenged)
    policy = await policy_in_force(StoreReader(store))
    found = []
    for row in rows:
        name = row["signed_hash"]
        about = known[row["statement"]]
        challenge = _challenge(
            row,
            about,
            consensus[about.signed_hash],
            gold[about.signed_hash],
            superseded=name in superseded,
            answered=name in answered,
        )
        found.append(
            ChallengeFacts(
                signed_hash=name,
                verification_id=row["verification_id"],
                statement=about.signed_hash,
                agent=row["agent_id"],
                status=state_of(challenge, threshold=policy.threshold, quorum=policy.quorum).status,
                last_movement=instant_of(max(row["received_micros"], answered.get(name, 0))),
            )
        )
    return tuple(found)


def _last_answers(rows: Sequence[Row]) -> dict[str, int]:
    """Return the time, in microseconds, of the last answer to each challenge with a trusted key."""
    answered: dict[str, int] = {}
    for row in rows:
        if row["key_trusted"]:
            answered[row["challenge"]] = max(row["received_micros"], answered.get(row["challenge"], 0))
    return answered


def _challenge(
    row: Row, about: StatementFacts, consensus: Consensus, gold: Mapping[str, bool], *, superseded: bool, answered: bool
) -> Challenge:
    findings = zip(row["finding_criteria"] or (), row["finding_statuses"] or (), strict=True)
    return Challenge(
        faults=tuple(criterion for criterion, status in findings if status == FindingStatus.FAIL),
        trusted=row["key_trusted"],
        retracted=bool(row["retracted"]),
        superseded=superseded,
        machine_failed=about.machine_check == "FAIL",
        gold=gold,
        statement_retracted=about.retracted,
        statement_revised=about.superseded_by is not None,
        verified=about.verified,
        criteria=[
            ChallengedCriterion(one.criterion, one.score, len(one.operators_against)) for one in consensus.per_criterion
        ],
        answered=answered,
    )
