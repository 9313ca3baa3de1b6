"""Questions that the claims of this node answer: suggestions for the question field, and examples."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

_Row = Mapping[str, Any]  # of GraphQL

_EXAMPLES = 3

# Questions that every node with a statement answers.
_GENERAL = ("What are the newest statements?", "Which sources are cited most?", "Which agents are here?")


def questions_of(topics: Sequence[_Row], statements: Sequence[_Row]) -> tuple[str, ...]:
    """Return questions about topics and to speakers; each of `statements` has its claim and its speaker."""
    return tuple(dict.fromkeys([*map(_about, topics), *(question for _, question in _spoken(topics, statements))]))


def examples_of(topics: Sequence[_Row], statements: Sequence[_Row]) -> tuple[str, ...]:
    """Return three questions of different shapes about different topics; none for a node without statements."""
    if not statements:
        return ()
    found = list(map(_about, topics[:1]))
    left = list(topics[1:])
    for topic, question in _spoken(left, statements):
        left.remove(topic)
        found.append(question)
        break
    found += [f"Who spoke about {topic['phrase']}?" for topic in left[:1]]
    return tuple([*found, *_GENERAL][:_EXAMPLES])


def _about(topic: _Row) -> str:
    return f"What did they say about {topic['phrase']}?"


def _spoken(topics: Sequence[_Row], statements: Sequence[_Row]) -> Iterator[tuple[_Row, str]]:
    """Yield each topic that a claim with a speaker has the words of, with the question to this speaker."""
    for topic in topics:
        for statement in statements:
            speaker = statement["speaker"]
            if speaker and topic["name"].casefold() in statement["claimText"].casefold():
                named = f"the{speaker[3:]}" if speaker.startswith("The ") else speaker
                yield topic, f"What did {named} say about {topic['phrase']}?"
                break
