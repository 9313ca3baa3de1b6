"""Questions in plain language: answered by the model of the settings if there is one, otherwise from templates.

A model gets a limited number of questions a day, for all readers together; if it fails, or gives no query that may run,
the templates answer the question, and the answer says so.
"""

from collections.abc import Callable
from copy import copy
from datetime import date, datetime
from typing import Any

from cypher import load_query
from graph.answers.answer import TEMPLATES, Answer, sentences_of
from graph.answers.by_model import NoQueryError, answer_by_model
from graph.answers.graph_sizes import GraphSizes
from graph.answers.named_things import what_is_named
from graph.answers.own_query import Allowance, OwnAnswer, run_query
from graph.answers.shapes_of_questions import Named, QuestionShape, shape_of_question
from graph.clearance import Reader
from graph.errors import InputError
from graph.models.chat_model import ChatModel, LanguageModel
from graph.requests.query_budget import QueryBudget
from graph.requests.share import UNNAMED, Share
from graph.search.search import Search
from graph.settings import Settings
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


MAX_QUESTION = 1_000
"""The maximum number of characters of a question."""

_MODEL_SECONDS = 60.0
_NO_MODEL = "No model is configured: the answer is from templates for common questions."


class Asking:
    """Answers questions from one graph, of now or of the past, and counts the day's requests to its model."""

    def __init__(
        self,
        search: Search,
        settings: Settings,
        clock: Callable[[], datetime],
        budget: QueryBudget | None = None,
    ) -> None:
        self._search = search
        self._sizes = GraphSizes(search.store)
        self._budget = budget or QueryBudget()
        self._live = search.store
        self._seconds = settings.cypher_timeout
        self._asks = _AsksOfDay(settings.asks_per_day, clock)
        self.model: LanguageModel | None = None
        if settings.llm_url is not None and settings.llm_model is not None:
            self.model = ChatModel(settings.llm_url, settings.llm_model, settings.llm_key, _MODEL_SECONDS)

    def on(self, search: Search) -> "Asking":
        """Return an `Asking` for another graph, of the past: the graph of now decides which words are withheld."""
        then = copy(self)
        then._search = search
        return then

    async def answer(self, reader: Reader, question: str, *, first: int, share: Share = UNNAMED) -> Answer:
        """Answer a question for a reader, with a query that counts in their share.

        Raises InputError for an empty or too long question.
        """
        if not question.strip() or len(question) > MAX_QUESTION:
            raise InputError(f"the question has {len(question)} characters, not from 1 to {MAX_QUESTION}", "question")
        allowance = Allowance(self._sizes, self._budget, share)
        note = self._why_no_model()
        if self.model is not None and note is None:
            self._asks.count()
            try:
                return await answer_by_model(
                    self._search.store,
                    reader,
                    self.model,
                    question,
                    seconds=self._seconds,
                    live=self._live,
                    allowance=allowance,
                )
            except NoQueryError as error:
                note = f"The answer is from templates: {error}."
        return await answer_from_templates(
            self._search,
            reader,
            question,
            first=first,
            seconds=self._seconds,
            live=self._live,
            allowance=allowance,
            note=note,
        )

    async def run(self, reader: Reader, text: str, parameters: object, share: Share = UNNAMED) -> OwnAnswer:
        """Run a reader's own query. Raises InputError, and CypherTextError for a query that may not run."""
        if not isinstance(parameters, dict):
            raise InputError("the parameters are no JSON object", "parameters")
        allowance = Allowance(self._sizes, self._budget, share)
        return await run_query(
            self._search.store,
            reader,
            text,
            parameters,
            seconds=self._seconds,
            live=self._live,
            allowance=allowance,
        )

    def _why_no_model(self) -> str | None:
        if self.model is None:
            return _NO_MODEL
        if self._asks.is_used_up():
            return f"The answer is from templates: {self.model.name} has been asked {self._asks.most} times today."
        return None


class _AsksOfDay:
    """The number of requests to a model today, for questions about any graph."""

    def __init__(self, most: int, clock: Callable[[], datetime]) -> None:
        self.most = most
        self._clock = clock
        self._day: date | None = None
        self._asked = 0

    def is_used_up(self) -> bool:
        """Return whether the limit of today is reached."""
        today = self._clock().date()
        if today != self._day:
            self._day, self._asked = today, 0
        return self._asked >= self.most

    def count(self) -> None:
        """Count one more request."""
        self._asked += 1
