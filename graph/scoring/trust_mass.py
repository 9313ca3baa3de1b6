"""Computes how far the seeds' trust reaches along endorsements: halved at each step, shared among the endorsed agents.

EigenTrust from trusted peers, cut short: a seed has the mass 1, regardless of the others. Each agent passes on half of
its mass, in equal parts to all agents that it endorses, so that an agent that endorses a thousand gives each a
thousandth. Endorsements by agents without mass are worth nothing: a clique that no trusted agent endorses endorses
itself in vain.

Trust is mass in relation to a quota: an agent of mass m vouches in full for 10·m others, and for more of them less.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable

PASSED_ON = 0.5
QUOTA = 10
"""Number of agents for which a seed vouches in full."""
STEPS = 20
"""Number of steps after which less than a millionth is left to pass on."""


def trust_masses(endorsements: Iterable[tuple[str, str]], seeds: Collection[str]) -> dict[str, float]:
    """Return the mass of each agent that trust reaches, from (endorser, endorsed) in any order."""
    endorsed: defaultdict[str, set[str]] = defaultdict(set)
    for giver, taker in endorsements:
        if giver != taker and taker not in seeds:
            endorsed[giver].add(taker)
    masses = dict.fromkeys(sorted(seeds), 1.0)
    passing = dict(masses)
    for _ in range(STEPS):
        arriving: defaultdict[str, float] = defaultdict(float)
        for giver in sorted(passing):
            takers = endorsed[giver]
            for taker in sorted(takers):
                arriving[taker] += PASSED_ON * passing[giver] / len(takers)
        if not arriving:
            break
        for taker, mass in arriving.items():
            masses[taker] = masses.get(taker, 0.0) + mass
        passing = arriving
    return masses


def trust_of(mass: float) -> float:
    """Return the trust, from 0 to 1, that a mass is worth: 1 for at least a tenth of the mass that a seed passes on."""
    return min(1.0, mass * QUOTA / PASSED_ON)
