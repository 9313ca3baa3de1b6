"""Answers from templates: a question of a common shape, and the query of ours that answers it."""

from typing import Any

from cypher import load_query
from graph.answers.answer import TEMPLATES, Answer, sentences_of
from graph.answers.named_things import what_is_named
from graph.answers.own_query import Allowance, run_query
from graph.answers.shapes_of_questions import Named, QuestionShape, shape_of_question
from graph.clearance import Reader
from graph.search.search import Search
from graph.store import Store

MAX_FOUND = 200


async def answer_from_templates(
    search: Search,
    reader: Reader,
    question: str,
    *,
    first: int,
    seconds: float,
    live: Store,
    allowance: Allowance,
    note: str | None = None,
) -> Answer:
    """Answer a question with the query of its shape; statements about its topic are found by words and by meaning.

    `live` is the graph of now, and the graph of `search` is the same or one of the past.
    """
    store = search.store
    named = await what_is_named(store, reader, question)
    shape = shape_of_question(question, named)
    query = load_query(f"questions/{shape.query}")
    parameters = {
        name: value
        for name, value in (await _values(search, reader, named, shape, first)).items()
        if name in query.parameters
    }
    own = await run_query(store, reader, query.text, parameters, seconds=seconds, live=live, allowance=allowance)
    accepted, others = await sentences_of(store, own.table.rows)
    return Answer(question, TEMPLATES, own, accepted, others, template=query.name, note=note)


async def _values(search: Search, reader: Reader, named: Named, shape: QuestionShape, first: int) -> dict[str, Any]:
    found: list[str] = []
    if shape.about_topic:
        # The best of those about a topic are asked for; any other question about them is asked of many.
        most = first if shape.query == "statements_about" else MAX_FOUND
        found = (await search.find(reader, named.topic, first=most)).hashes
    return {"statements": found, "agent": named.agent, "documents": list(named.documents), "first": first}
