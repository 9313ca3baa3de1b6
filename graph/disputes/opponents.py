"""Reads the opponents of statements: those that either side declares, and those detected among carried statements.

Candidates for detection are the statements of the same subject, over an index; nothing runs over all pairs. The index
holds only statements that their verdicts carry, so that a flood of unjudged ones on a subject costs nothing.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from graph.disputes.detector import Detected, Passage, detect, nearness_of
from graph.disputes.exclusion import Contradiction, Side
from graph.disputes.keys import exact_subject_key

MOST_OPPONENTS = 1_000
"""Maximum number of statements on one subject that are compared with each other, the best first."""

Row = dict[str, Any]
Passages = Mapping[str, tuple[Passage, ...]]


class Reads(Protocol):
    """A runner of named queries: a transaction, or a store outside of any."""

    async def run(self, name: str, /, **parameters: Any) -> list[Row]:
        """Run a named query and return its rows."""


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """Some statements and the carried statements that they exclude; `verified` is the cached value of each."""

    sides: Mapping[str, Side]
    contradictions: tuple[Contradiction, ...]
    verified: Mapping[str, bool]


async def neighbourhood_of(reader: Reads, hashes: Collection[str]) -> Neighbourhood:
    """Return these statements with the carried statements that stand against them."""
    names = sorted(hashes)
    rows = {row["signed_hash"]: row for row in await reader.run("standings_of", hashes=names)}
    declared = await reader.run("carried_contradictions", hashes=names)
    candidates = await _candidates(reader, rows.values())
    others = {row["signed_hash"] for row in declared} | {name for found in candidates.values() for name in found}
    if more := sorted(others - rows.keys()):
        rows |= {row["signed_hash"]: row for row in await reader.run("standings_of", hashes=more)}
    found = [
        *(
            Contradiction(row["statement"], row["signed_hash"], by_one=row["declares"], by_other=not row["declares"])
            for row in declared
        ),
        *await _detected(reader, candidates, rows),
    ]
    return Neighbourhood(
        sides={name: side_of(row) for name, row in rows.items()},
        contradictions=tuple(found),
        verified={name: bool(row["verified"]) for name, row in rows.items()},
    )


async def passages_of(reader: Reads, hashes: Iterable[str]) -> Passages:
    """Return the cited bytes of each of these statements."""
    found: defaultdict[str, list[Passage]] = defaultdict(list)
    for row in await reader.run("passages_of", hashes=sorted(set(hashes))):
        found[row["statement"]].append(Passage(row["document"], row["byte_start"], row["byte_end"]))
    return {name: tuple(passages) for name, passages in found.items()}


def side_of(row: Row) -> Side:
    """Return the side in a row of `standings_of.cypher`."""
    return Side(
        signed_hash=row["signed_hash"],
        statement_id=row["statement_id"],
        score=row["score"],
        carried=bool(row["carried"]),
        carried_by=frozenset(row["carried_by"] or ()),
        opposed_by=frozenset(row["opposed_by"] or ()),
    )


def detect_between(one: Row, other: Row, passages: Passages) -> Detected | None:
    """Return the reason why two statements exclude each other by their words, None if that is not plain."""
    nearness = nearness_of(passages.get(one["signed_hash"], ()), passages.get(other["signed_hash"], ()))
    return detect(one["claim_text"], other["claim_text"], nearness)


async def _candidates(reader: Reads, rows: Iterable[Row]) -> dict[str, Sequence[str]]:
    """Return, for each statement that has a subject, the other carried statements about it."""
    named = ((row["signed_hash"], exact_subject_key(row["claim_text"])) for row in rows)
    keys = {name: key for name, key in named if key is not None}
    if not keys:
        return {}
    about: defaultdict[str, list[str]] = defaultdict(list)
    for row in await reader.run("carried_about", keys=sorted(set(keys.values())), most=MOST_OPPONENTS):
        about[row["subject"]].append(row["signed_hash"])
    found = {name: [other for other in about[key] if other != name] for name, key in keys.items()}
    return {name: others for name, others in found.items() if others}


async def _detected(
    reader: Reads, candidates: Mapping[str, Sequence[str]], rows: Mapping[str, Row]
) -> list[Contradiction]:
    pairs = {(min(name, other), max(name, other)) for name, others in candidates.items() for other in others}
    if not pairs:
        return []
    passages = await passages_of(reader, (name for pair in pairs for name in pair))
    return [
        Contradiction(one, other, detected=True)
        for one, other in sorted(pairs)
        if detect_between(rows[one], rows[other], passages)
    ]
