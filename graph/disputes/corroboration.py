"""Finds statements that make the same claim in the same words, with their agents, operators and sources.

Corroboration is shown and weighs nothing: an agent that repeats a claim has not judged it, and a thousand names may be
one operator.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from graph.disputes.opponents import Reads, Row
from graph.scoring.votes import UNENDORSED

MOST_COUNTED = 1_000
"""Maximum number of statements of one claim that are examined, the first in the log."""


@dataclass(frozen=True, slots=True)
class Corroboration:
    """The statements of one claim that stand, oldest first, and the numbers of their independent voices and sources.

    `operators` counts each seeded operator once and all other agents together as one. `sources` counts documents whose
    passages this node found as stated; documents that share a name, such as two versions, are one.
    """

    group: str
    statements: tuple[str, ...]
    agents: int
    operators: int
    sources: int
    complete: bool


async def corroborations_of(reader: Reads, hashes: Collection[str], seeds: frozenset[str]) -> dict[str, Corroboration]:
    """Return the corroboration of the claim of each of these statements, in a constant number of queries."""
    keys = {row["signed_hash"]: row["claim_key"] for row in await reader.run("claim_keys_of", hashes=sorted(hashes))}
    known = sorted({key for key in keys.values() if key is not None})
    if not known:
        return {}
    by_key: defaultdict[str, list[Row]] = defaultdict(list)
    for row in await reader.run("same_claims", keys=known, most=MOST_COUNTED):
        by_key[row["claim_key"]].append(row)
    standing = {key: [row for row in rows if row["stands"]] for key, rows in by_key.items()}
    operators = await _operators(reader, {row["author"] for rows in standing.values() for row in rows}, seeds)
    sound = [row["signed_hash"] for rows in standing.values() for row in rows if row["machine_check"] == "PASS"]
    cited = await reader.run("sources_cited", hashes=sorted(sound)) if sound else []
    groups = {
        key: _corroboration(key, rows, operators, cited, len(by_key[key]) < MOST_COUNTED)
        for key, rows in standing.items()
    }
    return {name: groups[key] for name, key in keys.items() if key in groups}


def count_sources(cited: Iterable[tuple[str, str | None]]) -> int:
    """Return the number of independent sources in (document, name) pairs; pairs that share either are one."""
    parent: dict[str, str] = {}

    def root(name: str) -> str:
        parent.setdefault(name, name)
        while parent[name] != name:
            parent[name] = parent[parent[name]]
            name = parent[name]
        return name

    for document, source in cited:
        # A document that is cited by name alone is known by that name.
        parent[root(document)] = root(source or document)
    return len({root(name) for name in list(parent)})


def operator_of(agent: str, endorsers: Collection[str], seeds: frozenset[str]) -> str:
    """Return the operator that an agent's voice counts for; all agents that no seed endorsed have the same one."""
    if agent in seeds:
        return agent
    return min(seeds.intersection(endorsers), default=UNENDORSED)


async def _operators(reader: Reads, agents: Collection[str], seeds: frozenset[str]) -> dict[str, str]:
    endorsers: defaultdict[str, set[str]] = defaultdict(set)
    if agents:
        for row in await reader.run("endorsers_of", ids=sorted(agents)):
            endorsers[row["agent_id"]].add(row["operator"])
    return {agent: operator_of(agent, endorsers[agent], seeds) for agent in agents}


def _corroboration(
    key: str, rows: Sequence[Row], operators: Mapping[str, str], cited: Sequence[Row], complete: bool
) -> Corroboration:
    names = {row["signed_hash"] for row in rows}
    agents = {row["author"] for row in rows}
    return Corroboration(
        group=key,
        statements=tuple(row["signed_hash"] for row in rows),
        agents=len(agents),
        operators=len({operators[agent] for agent in agents}),
        sources=count_sources((row["document"], row["source"]) for row in cited if row["statement"] in names),
        complete=complete,
    )
