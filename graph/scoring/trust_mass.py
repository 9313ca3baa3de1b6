"""How far the trust of the seeds reaches: along endorsements, halved at each step and shared among whom one endorses.

EigenTrust from trusted peers, cut short: a seed has the mass 1, whatever others say. Everybody passes on half of its
mass, in equal parts to all whom it endorses, so that whoever endorses a thousand gives each a thousandth. What an agent
is endorsed for by agents without mass is worth nothing: a clique that nobody trusts endorses itself in vain.

Trust is mass in relation to a quota: an agent of mass m vouches in full for 10·m others, and for more of them less.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable

PASSED_ON = 0.5
QUOTA = 10
"""So many agents a seed vouches for in full."""
STEPS = 20
"""After so many steps less than a millionth is left to pass on."""


def trust_masses(endorsements: Iterable[tuple[str, str]], seeds: Collection[str]) -> dict[str, float]:
    """Return the mass of each agent that trust reaches, of (who endorses, whom) in any order."""
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
    """Return the trust, from 0 to 1, that a mass is worth: 1 for a tenth of what a seed passes on, or more."""
    return min(1.0, mass * QUOTA / PASSED_ON)
