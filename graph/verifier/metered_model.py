"""A language model that is asked only while a verifier's budget allows it."""

from a2ap.verifier.budget import Budget
from graph.models.chat_model import LanguageModel


class MeteredModel:
    """A model that is asked only while the budget allows it."""

    def __init__(self, model: LanguageModel, budget: Budget) -> None:
        self._model = model
        self._budget = budget
        self.name = model.name

    def complete(self, instructions: str, question: str) -> str:
        """Ask the model; raises BudgetError, ModelError."""
        self._budget.spend_question(self.name)
        return self._model.complete(instructions, question)
