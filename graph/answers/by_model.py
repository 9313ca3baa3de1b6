"""Answers by a model: it turns the question into a query, which is checked and run as untrusted."""

import asyncio

from graph.answers.answer import Answer, sentences_of
from graph.answers.own_query import Allowance, OwnAnswer, is_anything_withheld, run_query
from graph.answers.prompt import ProposedQuery, instructions, question_text, read_proposal, repair_text
from graph.clearance import Reader
from graph.errors import CypherTextError
from graph.models.chat_model import LanguageModel
from graph.models.errors import ModelError
from graph.store import Store

_SAMPLES = 16


class NoQueryError(Exception):
    """A model gave no query that may run; the message has the reason."""


async def answer_by_model(
    store: Store,
    reader: Reader,
    model: LanguageModel,
    question: str,
    *,
    seconds: float,
    live: Store,
    allowance: Allowance,
) -> Answer:
    """Answer a question with a model's query; the model may correct a refused query once. Raises NoQueryError.

    `live` is the graph of now, and `store` that or one of the past.
    """
    withheld = await is_anything_withheld(live, reader)
    samples = [(row["kind"], row["value"]) for row in await store.read("questions/sample_values", first=_SAMPLES)]
    told, asked = instructions(withheld=withheld), question_text(question, samples)
    proposed = await _propose(model, told, asked)

    async def run(proposed: ProposedQuery) -> OwnAnswer:
        return await run_query(
            store, reader, proposed.text, proposed.parameters, seconds=seconds, live=live, allowance=allowance
        )

    try:
        own = await run(proposed)
    except CypherTextError as error:
        proposed = await _propose(model, told, repair_text(asked, proposed, str(error)))
        try:
            own = await run(proposed)
        except CypherTextError as again:
            raise NoQueryError(f"{model.name} gave no query that may run: {again}") from again
    accepted, others = await sentences_of(store, own.table.rows)
    return Answer(question, model.name, own, accepted, others)


async def _propose(model: LanguageModel, told: str, asked: str) -> ProposedQuery:
    try:
        proposed = read_proposal(await asyncio.to_thread(model.complete, told, asked), model.name)
    except ModelError as error:
        raise NoQueryError(str(error)) from error
    if proposed.cannot is not None:
        raise NoQueryError(f"{model.name} gave no query: {proposed.cannot}")
    return proposed
