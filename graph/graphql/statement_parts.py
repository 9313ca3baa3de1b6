"""Fields of statements that are resolved for a whole list at once: evidence, hashes and verdicts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from graph.graphql.chunk import Chunk, Evidence
from graph.graphql.context import MAX_PAGE, Info, check_first
from graph.graphql.verification import Verification
from graph.scoring.standing import ClaimKind, standing_sentence

if TYPE_CHECKING:
    from graph.graphql.statement import Statement


async def citations_of(statements: Sequence[Statement], info: Info) -> list[list[Evidence]]:
    """Return the evidence of each statement, as cited in it."""
    return await info.context.loaders.documents.evidence_of_all(_hashes(statements))


async def passages_of(statements: Sequence[Statement], info: Info) -> list[list[Chunk]]:
    """Return the passages that each statement cites."""
    return [[one.chunk for one in citations] for citations in await citations_of(statements, info)]


async def content_hashes_of(statements: Sequence[Statement], info: Info) -> list[str]:
    """Return the hash of claim and evidence of each statement, "" if this reader may not see all of its evidence."""
    reasons = await info.context.loaders.documents.reasons_withheld_of(_hashes(statements))
    return [
        statement.stated_hash if reason is None else "" for statement, reason in zip(statements, reasons, strict=True)
    ]


async def claim_kinds_of(statements: Sequence[Statement], info: Info) -> list[ClaimKind | None]:
    """Return the kind of each claim, None if it follows from text that this reader may not see."""
    claims = [(statement.signed_hash, statement.claim_text) for statement in statements]
    return await info.context.loaders.documents.claim_kinds_of(claims)


async def standings_of(statements: Sequence[Statement], info: Info) -> list[str]:
    """Return the standing of each statement in words, with their meaning."""
    kinds = await claim_kinds_of(statements, info)
    return [
        standing_sentence(kind, verified=statement.verified) for statement, kind in zip(statements, kinds, strict=True)
    ]


async def verifications_of(
    statements: Sequence[Statement], info: Info, first: int = MAX_PAGE
) -> list[list[Verification]]:
    """Return the first verdicts on each statement. Raises `InputError`."""
    return await info.context.loaders.verifications_of_all(_hashes(statements), check_first(first))


def _hashes(statements: Sequence[Statement]) -> list[str]:
    return [statement.signed_hash for statement in statements]
