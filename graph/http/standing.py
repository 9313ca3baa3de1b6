"""The standing of statements as members of JSON answers: kind, words, and the grounds of the score."""

from collections.abc import Sequence
from typing import Any

from graph.graphql.loaders import Loaders
from graph.scoring.standing import interval_members, standing_sentence


async def standings_of(loaders: Loaders, claims: Sequence[tuple[str, str, bool]]) -> list[dict[str, Any]]:
    """Return the members for statements, each given as signed hash, claim, and whether it is verified."""
    kinds = await loaders.documents.claim_kinds_of([(signed_hash, claim) for signed_hash, claim, _ in claims])
    found = await loaders.consensus_of_all([signed_hash for signed_hash, _, _ in claims])
    return [
        {
            "claimKind": kind,
            "standing": standing_sentence(kind, verified=verified),
            "interval": interval_members(consensus.interval),
            "operators": consensus.operators,
        }
        for (_, _, verified), kind, consensus in zip(claims, kinds, found, strict=True)
    ]
