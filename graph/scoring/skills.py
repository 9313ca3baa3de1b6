"""Measures how often verifiers agree with the majority, over all their verdicts: their weights in `wawa`.

The reading grows with their number of verdicts, so it is done only if a client requests `wawa`, and not if the
verifiers have judged more than `MOST` statements.
"""

from collections.abc import Collection

from graph.database.pages import pages_of
from graph.errors import InputError
from graph.scoring.comparison import skills_of
from graph.scoring.judgements import judged_statements
from graph.scoring.knowledge import Reader
from graph.scoring.votes import ConsensusPolicy, Vote, count_votes

MOST = 10_000
_PAGE = 500


async def skills_of_verifiers(
    reader: Reader, verifiers: Collection[str], policy: ConsensusPolicy, up_to: int
) -> dict[str, float]:
    """Return the skill of each of these verifiers, from the verdicts up to a log index.

    Raises `InputError` if they have judged more than `MOST` statements.
    """
    judged = await reader.run("statements_verified_by", ids=sorted(verifiers), first=MOST + 1) if verifiers else []
    if len(judged) > MOST:
        raise InputError(f"wawa reads all that these verifiers judged, which is more than {MOST} statements", "method")
    votes: list[tuple[Vote, ...]] = []
    for page in pages_of(sorted(row["signed_hash"] for row in judged), _PAGE):
        for statement in await judged_statements(reader, page, up_to):
            counted, _ = count_votes(
                statement.judgements,
                author=statement.author,
                author_operators=statement.author_operators,
                policy=policy,
            )
            votes.append(counted)
    return skills_of(votes)
