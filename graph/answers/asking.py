"""Questions in plain language: by the model of the settings where there is one, from templates otherwise.

A model is asked so often a day, for all readers together; one that does not answer, or not with a query that may run,
leaves the question to the templates, and the answer says so.
"""

from collections.abc import Callable
from copy import copy
from datetime import date, datetime

from graph.answers.answer import Answer
from graph.answers.by_model import NoQueryError, answer_by_model
from graph.answers.by_template import answer_from_templates
from graph.answers.graph_sizes import GraphSizes
from graph.answers.own_query import Allowance, OwnAnswer, run_query
from graph.clearance import Reader
from graph.errors import InputError
from graph.requests.query_budget import QueryBudget
from graph.requests.share import UNNAMED, Share
from graph.search.search import Search
from graph.settings import Settings
from graph.verifier.chat_model import ChatModel, LanguageModel

MAX_QUESTION = 1_000
"""Characters of a question."""

_MODEL_SECONDS = 60.0
_NO_MODEL = "No model is configured: the answer is from templates for common questions."


class Asking:
    """What one node answers, from its graph or one of the past, and how often it has asked its model today."""

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
        """Return what answers from another graph, of the past: what is withheld is withheld by the graph of now."""
        then = copy(self)
        then._search = search
        return then

    async def answer(self, reader: Reader, question: str, *, first: int, share: Share = UNNAMED) -> Answer:
        """Answer a question for a reader, with a query that counts in their share.

        Raises InputError for one that is empty or too long.
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
        """Run a query of a reader's own. Raises InputError, and CypherTextError for one that may not run."""
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
    """How often a model was asked today, whatever graph the questions were about."""

    def __init__(self, most: int, clock: Callable[[], datetime]) -> None:
        self.most = most
        self._clock = clock
        self._day: date | None = None
        self._asked = 0

    def is_used_up(self) -> bool:
        """Say whether it was asked as often as it may be."""
        today = self._clock().date()
        if today != self._day:
            self._day, self._asked = today, 0
        return self._asked >= self.most

    def count(self) -> None:
        """Count one more."""
        self._asked += 1
