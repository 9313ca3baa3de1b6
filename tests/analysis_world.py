"""A graph whose analyses are known by how it was made: a ring of agents, a family of models, somebody too sure."""

from builders import (
    agent_id,
    description,
    reference_to,
    segment,
    signed_agent_version,
    signed_registration,
    signed_response,
    signed_source,
    signed_statement,
)
from scenario import AUTHOR, STRANGER, VERIFIER_A, VERIFIER_B, accept, pieces, settle

from a2ap.canonical import sha256_digest
from a2ap.messages.verification_response import Verdict
from graph.platform import Platform

RING = (31, 32, 33)
TOO_SURE, YES_MAN = 41, 61
VERSIONS = (51, 52)
FAMILY = "urn:agent:test"
"""The author founded it: its id is the family's, with its version."""

BUDGET, BUDGET_ID = b"The budget for parks doubles in spring. The library stays open.", "urn:doc:test:budget"
LETTER, LETTER_ID = b"Dear neighbours, the map is wrong.", "urn:doc:test:letter"
_BUDGET = segment("The budget for parks doubles", source=BUDGET, source_id=BUDGET_ID)
_LETTER = segment("the map is wrong", source=LETTER, source_id=LETTER_ID)


def statements() -> dict[str, bytes]:
    """Return the statements of this world by short names.

    The author cites the meeting, once with the budget; the ring cites the budget, the stranger a letter.
    """
    found = {
        "limit": signed_statement(AUTHOR, claim="The limit stays.", confidence=0.8, evidence=[segment(), _BUDGET]),
        "map": signed_statement(AUTHOR, claim="There is a new map.", confidence=0.8),
        "feet": signed_statement(AUTHOR, claim="Forty feet it is.", confidence=0.8),
        "street": signed_statement(AUTHOR, claim="Elm Street changes.", confidence=0.8),
        "by_a": signed_statement(VERIFIER_A, claim="Owners want tables."),
        "by_b": signed_statement(VERIFIER_B, claim="Tables are wanted outside."),
        "letter": signed_statement(STRANGER, claim="A neighbour objects.", evidence=[_LETTER]),
    }
    found["ground"] = signed_statement(
        STRANGER,
        claim="The map is wrong.",
        evidence=[_LETTER],
        supports=[reference_to(found["limit"]), reference_to(found["map"])],
    )
    for number in range(3):
        found[f"sure_{number}"] = signed_statement(TOO_SURE, claim=f"Tower {number} will be built.", confidence=0.99)
    first, second, third = RING
    found["ring_2"] = signed_statement(second, claim="Parks get more.", evidence=[_BUDGET])
    found["ring_3"] = signed_statement(third, claim="Parks get twice as much.", evidence=[_BUDGET])
    found["ring_1"] = signed_statement(
        first, claim="The parks' budget doubles.", evidence=[_BUDGET], supports=[reference_to(found["ring_2"])]
    )
    return found


async def analysed_world(platform: Platform) -> dict[str, bytes]:
    """Hand in the world and its verdicts; return its statements."""
    await settle(platform)
    versions = [signed_registration(seed, agent=description(seed, family=FAMILY)) for seed in VERSIONS]
    await accept(platform, *(signed_registration(seed) for seed in (*RING, TOO_SURE, YES_MAN)), *versions)
    await accept(platform, *(signed_agent_version(one, AUTHOR, family=FAMILY) for one in versions))
    await accept(platform, signed_source(AUTHOR, source=BUDGET, source_id=BUDGET_ID, title="Budget"))
    await platform.sources.put(sha256_digest(BUDGET), pieces(BUDGET))
    known = statements()
    await accept(platform, *known.values())
    await accept(platform, *_verdicts(known))
    return known


def _verdicts(known: dict[str, bytes]) -> list[bytes]:
    good = [known[name] for name in ("limit", "map", "feet")]
    sure = [known[f"sure_{number}"] for number in range(3)]
    ring = dict(zip(RING, (known["ring_1"], known["ring_2"], known["ring_3"]), strict=True))
    return [
        *(signed_response(one, judge) for one in good for judge in (VERIFIER_A, VERIFIER_B, YES_MAN)),
        signed_response(known["by_a"], VERIFIER_B),
        signed_response(known["by_b"], VERIFIER_A),
        *(signed_response(one, YES_MAN) for one in sure),
        *(_challenge(one) for one in [*sure, known["ground"]]),
        *(signed_response(known[name], judge) for name in ("street", "letter") for judge in VERSIONS),
        *(signed_response(one, judge) for author, one in ring.items() for judge in RING if judge != author),
    ]


def _challenge(statement: bytes) -> bytes:
    return signed_response(statement, VERIFIER_A, verdict=Verdict.CHALLENGED, reason="Nobody says so.")


def ids(*seeds: int) -> list[str]:
    """Return the ids of agents."""
    return [agent_id(seed) for seed in seeds]
