"""Yields the statements that an agent other than the machine has judged, page by page in log order."""

from collections.abc import AsyncIterator

from graph.scoring.knowledge import Reader

PAGE = 500
"""Number of statements that one page covers, judged or not."""


async def judged_hashes(reader: Reader) -> AsyncIterator[list[str]]:
    """Yield the signed hashes of all statements that an agent other than the machine has judged.

    Statements are numbered, so that every page costs the same (docs/decisions/0023). Statements that arrive meanwhile
    are left out.
    """
    (row,) = await reader.run("statement_count")
    for start in range(0, row["statements"], PAGE):
        judged = await judged_between(reader, start, min(start + PAGE, row["statements"]))
        if judged:
            yield judged


async def judged_between(reader: Reader, start: int, end: int) -> list[str]:
    """Return the judged statements among those with numbers from `start` to `end`, exclusive."""
    return [row["signed_hash"] for row in await reader.run("statements_judged", start=start, end=end)]
