"""The same claim from several agents: grouped conservatively, and counted by who is independent."""

import httpx
import pytest
from builders import (
    SOURCE,
    agent_id,
    segment,
    signed_endorsement,
    signed_registration,
    signed_response,
    signed_retraction,
    signed_source,
    signed_statement,
)
from http_client import ask_flat as ask
from http_client import client
from hypothesis import given
from hypothesis import strategies as st
from platform_fixture import platform
from scenario import AUTHOR, OPERATOR_A, OPERATOR_B, STRANGER, VERIFIER_A, VERIFIER_B, accept, hash_of, pieces, settle

from a2ap.canonical import sha256_digest
from graph.disputes.corroboration import count_sources, operator_of
from graph.disputes.keys import claim_key
from graph.platform import Platform
from graph.scoring.votes import UNENDORSED

__all__ = ["client", "platform"]

CLAIM = "The council keeps the height limit at forty feet."
SHOWN = """query ($id: ID!) { statement(id: $id) { consensusScore
  corroboration { group statements agents operators sources complete members { nodes { id claimText } } }
} }"""


@pytest.mark.parametrize(
    "same",
    [
        "the council keeps the height limit at forty feet",
        "The  council keeps the height limit at 40 feet!",
        "“The council keeps the height limit at forty feet.”",
    ],
)
def test_the_same_words_are_the_same_claim(same: str) -> None:
    assert claim_key(same) == claim_key(CLAIM)


@pytest.mark.parametrize(
    "other",
    [
        "The council keeps the height limit at fifty feet.",
        "The council does not keep the height limit at forty feet.",
        "Keeps the council the height limit at forty feet?",
        "The council keeps the height limit at -40 feet.",
        "The council keeps the height limit at forty-one feet.",
        "The council keeps the height limit at forty.",
        "The council keeps the limit at forty feet.",
        "The council kept the height limit at forty feet.",
        "Forty feet keeps the council at the height limit.",
        "The council keeps the height limit at $40 feet.",
    ],
)
def test_other_words_are_another_claim(other: str) -> None:
    assert claim_key(other) != claim_key(CLAIM)


@given(words=st.lists(st.text(alphabet="abcdefgh", min_size=1, max_size=6), min_size=1, max_size=8))
def test_case_spaces_and_full_stops_make_no_other_claim(words: list[str]) -> None:
    assert claim_key(" ".join(words)) == claim_key("  ".join(words).upper() + ".")


@given(text=st.text(min_size=1, max_size=30), number=st.integers(10_000, 10**9))
def test_another_number_is_another_claim(text: str, number: int) -> None:
    assert claim_key(f"{text} {number} votes") != claim_key(f"{text} {number + 1} votes")
    assert claim_key(f"{text} {number:,} votes") == claim_key(f"{text} {number} votes")


def test_sources_that_share_a_name_or_a_document_are_one() -> None:
    assert count_sources([]) == 0
    assert count_sources([("a", "urn:1"), ("b", "urn:1")]) == 1
    assert count_sources([("a", "urn:1"), ("a", "urn:2"), ("b", "urn:2"), ("c", "urn:3")]) == 2
    assert count_sources([("a", None), ("b", None), ("a", None)]) == 2


@given(pairs=st.lists(st.tuples(st.sampled_from("abc"), st.none() | st.sampled_from(["urn:1", "urn:2"]))))
def test_the_order_of_sources_does_not_matter_and_repeating_them_adds_nothing(
    pairs: list[tuple[str, str | None]],
) -> None:
    assert count_sources(pairs) == count_sources(pairs[::-1] + pairs) <= len({document for document, _ in pairs})


def test_an_agent_speaks_for_one_operator_and_all_unseeded_agents_are_one() -> None:
    seeds = frozenset({"north", "south"})
    assert operator_of("north", ["south"], seeds) == "north"
    assert operator_of("agent", ["south", "north", "east"], seeds) == "north"
    assert operator_of("agent", ["east"], seeds) == operator_of("other", [], seeds) == UNENDORSED


async def test_the_same_claim_from_several_agents_is_grouped(platform: Platform, client: httpx.AsyncClient) -> None:
    await settle(platform)
    other = b"Minutes. " + SOURCE
    await accept(platform, signed_source(AUTHOR, source=other, source_id="urn:doc:test:minutes"))
    await platform.sources.put(sha256_digest(other), pieces(other))
    elsewhere = [segment("forty feet", source=other, source_id="urn:doc:test:minutes")]
    unknown = [segment("forty feet", source=b"Unseen: forty feet", source_id="urn:doc:test:unseen")]
    strangers = [signed_registration(number) for number in (41, 42)]
    statements = [
        signed_statement(AUTHOR, claim=CLAIM),
        signed_statement(VERIFIER_A, claim=CLAIM.upper()),
        signed_statement(VERIFIER_B, claim=CLAIM.replace("forty", "40"), evidence=elsewhere),
        signed_statement(STRANGER, claim=CLAIM, evidence=unknown),
        *(signed_statement(number, claim=CLAIM) for number in (41, 42)),
    ]
    apart = signed_statement(AUTHOR, claim=CLAIM.replace("forty", "sixty"))
    await accept(platform, *strangers, *statements, apart)

    found = (await ask(client, SHOWN, {"id": hash_of(statements[0])}))["statement"]

    counted = found["corroboration"]
    assert (counted["statements"], counted["agents"]) == (6, 6)
    # Two seeded operators, and all that nobody endorsed together.
    assert counted["operators"] == 3
    # The document that nobody has seen is no source.
    assert counted["sources"] == 2
    assert counted["complete"]
    assert len(counted["members"]) == 6
    assert found["consensusScore"] == 0.0
    others = [(await ask(client, SHOWN, {"id": hash_of(one)}))["statement"]["corroboration"] for one in statements[1:]]
    assert all(one == counted for one in others)
    alone = (await ask(client, SHOWN, {"id": hash_of(apart)}))["statement"]["corroboration"]
    assert (alone["statements"], alone["operators"]) == (1, 1)


async def test_corroboration_weighs_nothing_and_forgets_what_is_taken_back(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await settle(platform)
    first = signed_statement(AUTHOR, claim=CLAIM)
    await accept(platform, first, signed_response(first, VERIFIER_A))
    score = (await ask(client, SHOWN, {"id": hash_of(first)}))["statement"]["consensusScore"]

    copies = [signed_statement(number, claim=CLAIM) for number in (STRANGER, OPERATOR_A, OPERATOR_B)]
    await accept(platform, *copies)
    found = (await ask(client, SHOWN, {"id": hash_of(first)}))["statement"]
    assert found["consensusScore"] == score
    assert (found["corroboration"]["statements"], found["corroboration"]["operators"]) == (4, 3)

    await accept(platform, signed_retraction(copies[1], OPERATOR_A))
    found = (await ask(client, SHOWN, {"id": hash_of(first)}))["statement"]
    assert (found["corroboration"]["statements"], found["corroboration"]["operators"]) == (3, 2)


async def test_an_endorsement_makes_a_voice_independent(platform: Platform, client: httpx.AsyncClient) -> None:
    await settle(platform)
    first, second = signed_statement(AUTHOR, claim=CLAIM), signed_statement(STRANGER, claim=CLAIM)
    await accept(platform, first, second)
    shown = (await ask(client, SHOWN, {"id": hash_of(first)}))["statement"]["corroboration"]
    assert (shown["agents"], shown["operators"]) == (2, 1)
    assert agent_id(STRANGER) != agent_id(AUTHOR)

    await accept(platform, signed_endorsement(signed_registration(STRANGER), OPERATOR_A))

    shown = (await ask(client, SHOWN, {"id": hash_of(first)}))["statement"]["corroboration"]
    assert (shown["agents"], shown["operators"]) == (2, 2)
