"""The things named in a question: agents by name or id, documents by hash, URN or title, and the remaining topic."""

import re
from collections.abc import Callable

from graph.answers.question import telling_words
from graph.answers.shapes_of_questions import Named
from graph.clearance import Reader
from graph.store import Row, Store

_MOST = 20
_LOOKED_AT = 20_000  # whose name stands somewhere in the question, in other words too
# Words of a question that give its form and not its subject: they carry no topic.
_ASKING_WORDS = """
accepted accuracy accurate agent agents agreement agreements agrees author authors backed backs challenge challenged
challenges check checked checks carried carries carry cite cited cites citing claim claimed claims concur confirmed
conflict conflicting conflicts contradict contradicted contradicting contradiction contradictions contradicts correct
corrected correction corrections corroborate corroborates count day date dates depend depends derived disagree
disagreed disagreement disagreements disagrees dispute disputed disputes document documents evidence fact facts
inconsistent judge judged judgements judges last latest list make makes made most new newest number object objected
objects open other others pending recent recently recording recordings registered reliability reliable reputation
request requests rest resting rests retract retracted retraction retractions review reviewed revise revised revises
revision revisions so source sources state stated statement statements states still supersede superseded supersedes
support supported supporting supports take taken track record transcript transcripts true trust trusted trustworthy
unaccepted unconfirmed unverified use used uses validate validated verdict verdicts verification verifications
verified verifier verifiers verifies verify waiting withdrawn yet not far best more ever each often much well
"""
_ASKING = frozenset(_ASKING_WORDS.split())


async def what_is_named(store: Store, reader: Reader, question: str) -> Named:
    """Return the agent and the documents that a question names, and its topic without them.

    Titles that the reader may not see are not recognized, nor are names made only of words of questions.
    """
    text = question.lower()
    left = question
    agents = await _read(
        store, "agents_named", lambda row: _names(text, row["name"], row["agent_id"]), 1, question=text
    )
    agent = agents[0] if agents else None
    if agent is not None:
        left = _without(left, agent["agent_id"], agent["name"])
    documents, readable = [], list(reader.readable)

    def is_named(row: Row) -> bool:
        return _names(text, row["document_key"], row["doc_id"], row["title"])

    for row in await _read(store, "documents_named", is_named, _MOST, question=text, readable=readable):
        documents.append(row["document_key"])
        left = _without(left, row["document_key"], row["doc_id"], row["title"])
    return Named(agent["agent_id"] if agent else None, tuple(documents), _topic(left))


async def _read(
    store: Store, query: str, is_named: Callable[[Row], bool], most: int, **parameters: object
) -> list[Row]:
    """Return the first rows of a query that the question names as separate words, which the database cannot test."""
    first = _MOST
    while True:
        rows = await store.read(f"questions/{query}", first=first, **parameters)
        named = [row for row in rows if is_named(row)][:most]
        if len(named) == most or len(rows) < first or first >= _LOOKED_AT:
            return named
        first *= 10


def _topic(question: str) -> str:
    return " ".join(word for word in telling_words(question) if word.lower() not in _ASKING)


def _names(text: str, *names: str | None) -> bool:
    return any(name and _topic(name) and re.search(rf"(?<!\w){re.escape(name.lower())}(?!\w)", text) for name in names)


def _without(text: str, *names: str | None) -> str:
    for name in names:
        if name:
            text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", " ", text, flags=re.IGNORECASE)
    return text
