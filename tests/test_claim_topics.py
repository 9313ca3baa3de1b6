"""The topics of claims and their speakers: by the words alone, and as fields of GraphQL on both engines."""

import httpx
import pytest
from builders import signed_retraction, signed_statement
from demo_statements import claims_of, shipped
from http_client import ask, client
from hypothesis import given
from hypothesis import strategies as st
from platform_fixture import platform
from scenario import AUTHOR, STRANGER, accept, settle

from graph.answers.topics import Topic, title_of, topics_of
from graph.platform import Platform
from graph.verifier.claim_kind import is_attribution, speaker_of

__all__ = ["client", "platform"]

ITEM = "On item 3, the zoning map change for Foundry Street, the Planning Director said: “{words}”"
CLAIMS = (
    ITEM.format(words="The height limit is 65 feet."),
    ITEM.format(words="The vote is 5 to 2."),
    "The library opens on Sundays.",
    "A new library costs 4 million dollars.",
    "Bike lanes on Elm Street remove parking.",
    "The bike lane is narrow.",
    "Nothing else was mentioned.",
)


@pytest.mark.parametrize(
    ("claim", "speaker"),
    [
        (CLAIMS[0], "the Planning Director"),
        ("The Mayor said: “It is so.”", "The Mayor"),
        ("“It is so”, said Ms. Lee.", "Ms. Lee"),
        ("According to the Mayor, the bridge is safe.", "the Mayor"),
        ("The Mayor said that the bridge is safe.", "The Mayor"),
        ("A speaker said: “It is so.”", None),
        ("“It is so.”", None),
        ("The Mayor never said: “It is so.”", None),
        ("The bridge is safe.", None),
    ],
)
def test_the_speaker_of_a_claim_is_the_one_that_it_names(claim: str, speaker: str | None) -> None:
    assert speaker_of(claim) == speaker


def test_a_claim_that_names_an_item_has_its_title_as_topic() -> None:
    assert title_of(CLAIMS[0]) == ("the", "zoning map change for Foundry Street")
    assert title_of("On item 3, the Chair said: “Next.”") is None
    assert title_of("The Mayor said: “Item 3, the zoning map, is next.”") is None


def test_topics_are_titles_and_shared_phrases_those_of_most_claims_first() -> None:
    found = topics_of(CLAIMS)
    assert set(found) == {
        Topic("zoning map change for Foundry Street", 2, "the"),
        Topic("library", 2),
        Topic("Bike lanes", 2),
    }
    assert topics_of(CLAIMS[:1]) == (Topic("zoning map change for Foundry Street", 1, "the"),)
    assert topics_of(CLAIMS[2:3]) == topics_of(()) == ()


def test_the_topics_of_a_meeting_are_the_items_of_its_agenda() -> None:
    _, transcript = shipped()
    found = topics_of(tuple(claim.text for claim in claims_of(transcript)))
    assert len(found) >= 12 and found[0].name == "zoning map change for Foundry Street"
    assert "renovation of Alder Park" in [topic.name for topic in found]


@given(st.lists(st.text() | st.sampled_from(CLAIMS), max_size=8))
def test_any_claims_have_topics_that_are_words_of_them(claims: list[str]) -> None:
    for topic in topics_of(tuple(claims)):
        assert 1 <= topic.claims <= len(claims)
        assert any(topic.name in " ".join(claim.split()) or topic.name in claim for claim in claims)
    assert all(is_attribution(claim) for claim in claims if speaker_of(claim))


async def test_graphql_lists_the_topics_of_statements_that_stand(platform: Platform, client: httpx.AsyncClient) -> None:
    await settle(platform)
    known = [signed_statement(AUTHOR, claim=claim) for claim in CLAIMS]
    withdrawn = [signed_statement(STRANGER, claim=f"Snow plows number {n}.") for n in ("one", "two")]
    empty = await ask(client, "{ topics { name } }")
    assert empty == {"topics": []}
    await accept(platform, *known, *withdrawn, *(signed_retraction(one, STRANGER) for one in withdrawn))
    found = (await ask(client, "{ topics { name statements query } }"))["topics"]
    assert {one["name"]: one["statements"] for one in found} == {
        "zoning map change for Foundry Street": 2,
        "library": 2,
        "bike lane": 2,
    }
    for topic in found:
        asked = "query Q($topic: String!) { statementsAbout(topic: $topic) { claimText speaker } }"
        statements = (await ask(client, asked, {"topic": topic["query"]}))["statementsAbout"]
        assert len(statements) >= topic["statements"], topic
        if topic["name"].startswith("zoning"):
            assert {one["speaker"] for one in statements} == {"the Planning Director"}
    assert len((await ask(client, "{ topics(first: 1) { name } }"))["topics"]) == 1
