"""Which statements somebody has judged, page by page in the order of the log."""

from collections.abc import AsyncIterator

from graph.scoring.knowledge import Reader

PAGE = 500
"""So many statements are looked at at once, judged or not."""


async def judged_hashes(reader: Reader) -> AsyncIterator[list[str]]:
    """Yield the signed hashes of all statements that somebody other than the machine has judged.

    Statements are numbered, so that a page costs the same wherever it is (docs/decisions/0041); those that come
    meanwhile are left out.
    """
    (row,) = await reader.run("statement_count")
    for start in range(0, row["statements"], PAGE):
        judged = await judged_between(reader, start, min(start + PAGE, row["statements"]))
        if judged:
            yield judged


async def judged_between(reader: Reader, start: int, end: int) -> list[str]:
    """Return those of the statements with these numbers, `end` left out, that somebody has judged."""
    return [row["signed_hash"] for row in await reader.run("statements_judged", start=start, end=end)]
