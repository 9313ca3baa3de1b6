"""Topics of questions in plain English."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.answers.question import topic_of


@pytest.mark.parametrize(
    ("question", "topic"),
    [
        ("What did they say about zoning?", "zoning"),
        ("what was said about the Harbor Avenue bike lanes", "Harbor Avenue bike lanes"),
        ("How much will the water main cost?", "water main cost"),
        ("Who opposed the rezoning of Foundry Street?", "opposed rezoning Foundry Street"),
        ("Did anybody say something regarding short-term rentals?", "short-term rentals"),
        ("zoning", "zoning"),
        ("Was sagten sie über Zonenpläne?", "sagten sie über Zonenpläne"),
        ("What did they say?", "What did they say"),
        ("", ""),
        ("?!", ""),
    ],
)
def test_the_topic_is_what_is_left_without_the_question(question: str, topic: str) -> None:
    assert topic_of(question) == topic


@given(st.text(max_size=80))
def test_every_question_has_a_topic_if_it_has_a_word(question: str) -> None:
    topic = topic_of(question)

    assert bool(topic) == any(character.isalnum() for character in question)
    assert "\n" not in topic
