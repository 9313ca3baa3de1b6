"""Topics of a meeting: its agenda where items are called, its themes where they are not."""

from demo_statements import shipped

from graph.demo.passages import find_passages
from graph.demo.picking import pick_passages
from graph.demo.topics import find_topics
from graph.transcripts.agenda import find_agenda
from graph.transcripts.captions import read_captions
from graph.transcripts.sentences import Sentence, read_sentences

_SUBJECTS = {
    "parking": "The parking garage on {street} loses {n} parking spaces and parking fees rise.",
    "library": "The library branch on {street} buys {n} library books for library readers.",
    "sewer": "The sewer pipe under {street} floods {n} sewer basements after sewer backups.",
}


def sentences_of(*lines: str) -> tuple[Sentence, ...]:
    return read_sentences(read_captions("\n\n".join(lines).encode()))


def test_the_shipped_meeting_has_twelve_items_and_zoning_is_one_of_them() -> None:
    _, transcript = shipped()

    topics = find_topics(transcript.sentences)

    assert [topic.number for topic in topics] == list(range(1, 13))
    assert "zoning map change for Foundry Street" in topics[2].title
    assert all(topic.call is not None and str(topic.number) in topic.call.text for topic in topics)


def test_an_item_that_is_only_mentioned_does_not_begin() -> None:
    agenda = find_agenda(
        sentences_of(
            "CHAIR: Item 1 is the minutes.",
            "CHAIR: Item 3, the fence, comes later, and item 1 is short.",
            "CLERK: Item 2 has no papers.",
            "CHAIR: Item two: the bridge.",
            "CHAIR: Item number 3, the fence.",
        )
    )

    assert [(item.number, item.title) for item in agenda] == [
        (1, "the minutes"),
        (2, "the bridge"),
        (3, "the fence"),
    ]


def test_two_calls_are_no_agenda() -> None:
    assert find_agenda(sentences_of("Item 1 is the minutes.", "Item 2 is the fence.")) == ()


def test_without_an_agenda_the_words_make_the_themes() -> None:
    lines = [
        text.format(street=f"{name} Street", n=number)
        for number, name in enumerate(("Elm", "Oak", "Mill", "Bay", "Hill", "Lake", "Pine", "Park") * 5, start=10)
        for text in _SUBJECTS.values()
    ]

    topics = find_topics(sentences_of(*lines))

    assert len(topics) >= 3
    assert all(topic.number is None and topic.call is None for topic in topics)
    for subject in _SUBJECTS:
        about = [topic for topic in topics if subject in topic.title]
        assert any(all(subject in passage.text for passage in topic.passages) for topic in about), subject


def test_the_same_sentences_give_the_same_topics() -> None:
    _, transcript = shipped()

    assert pick_passages(find_topics(transcript.sentences)) == pick_passages(find_topics(transcript.sentences))


def test_a_meeting_of_ceremony_alone_has_no_passages() -> None:
    topics = pick_passages(
        find_topics(sentences_of("Thank you very much, Madam Chair.", "Good evening, everybody here."))
    )

    assert not any(topic.passages for topic in topics)


def test_a_sentence_that_leans_on_the_one_before_takes_it_along() -> None:
    (first, second) = find_passages(
        sentences_of(
            "CHIEF: The fund has $6 million for homes this year. It pays half of what each of the projects needs."
        )
    )

    assert len(first.sentences) == 1
    assert second.text.startswith("The fund has $6 million") and second.text.endswith("the projects needs.")


def test_languages_without_spaces_have_passages_too() -> None:
    (passage,) = find_passages(sentences_of("市议会批准在铸造厂街建造四百二十套住房，其中八十四套为经济适用房。"))

    assert "四百二十" in passage.text


def test_outcomes_are_picked() -> None:
    _, transcript = shipped()

    picked = {
        topic.number: [p.text for p in topic.passages] for topic in pick_passages(find_topics(transcript.sentences))
    }

    assert any("approved on first reading" in text for text in picked[3])
    assert "The library hours proposal is approved, 7 to 0." in picked[5]
    assert "The short-term rental ordinance is adopted, 4 to 3." in picked[7]
