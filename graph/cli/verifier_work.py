"""The parts that `a2ap verifier` and `a2ap review` work with, put together from options and settings.

It is imported when a command needs it: the modules that judge claims take a while to load.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from a2ap.agent.identity import Identity
from a2ap.messages.policy import DEFAULT_CRITERIA
from a2ap.signing.signature import sign_message
from a2ap.verifier.budget import Budget
from a2ap.verifier.criteria import Panel
from a2ap.verifier.desk import Desk, slug_of
from a2ap.verifier.parts import Parts
from a2ap.verifier.stop import Stop
from a2ap.verifier.verifier import Verifier
from graph.cli.errors import CommandError
from graph.cli.signing import AgentKey, now
from graph.cli.terminal import remark, say
from graph.models.chat_model import ChatModel, LanguageModel
from graph.settings import Settings
from graph.verifier.criteria import MODEL_BYTES, Tools, panel_of
from graph.verifier.material import Source
from graph.verifier.run_packs import RunPacks


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


@dataclass(frozen=True, slots=True)
class Work:
    """The work of a verifier: its criteria and method, its terms, and its limits in a day."""

    criteria: Sequence[str]
    by: str
    per_day: int | None
    per_requester: int | None
    per_model: int | None
    lease_seconds: int
    most: int
    review: bool
    model_bytes: int | None

    def run(self, agent: AgentKey, settings: Settings, url: str, token: str | None, stop: Stop, *, once: bool) -> int:
        """Answer requests until stopped, or the open requests `once`; return how many requests were left to others."""
        model = open_model(settings)

        def panel(budget: Budget) -> Panel:
            metered = MeteredModel(model, budget) if model is not None else None
            made = panel_of(self.criteria, Tools(self.by, metered, self.model_bytes or MODEL_BYTES))
            remark(f"{agent.agent_id} answers {', '.join(made.names)} for {verifier.node}")
            return made

        parts = Parts(
            panel=panel,
            per_model=self.per_model,
            source_of=Source.of,
            packs=open_packs(settings, agent),
            review=self.review,
            attempts=1,
            stop=stop,
        )
        identity = Identity(agent.agent_id, agent.key_id, agent.key)
        verifier = Verifier(identity, url, desk_folder(settings, agent), parts=parts, token=token, say=say)
        summary = verifier.run(
            once=once,
            per_day=self.per_day,
            per_requester=self.per_requester,
            lease_seconds=self.lease_seconds,
            most=self.most,
        )
        return summary.left if once else 0


def named_criteria(texts: Sequence[str] | None) -> list[str]:
    """Return the criteria that options name, each option one or several between commas; each criterion once."""
    if texts is None:
        return list(DEFAULT_CRITERIA)
    names = [name.strip() for text in texts for name in text.split(",")]
    named = [name for name in dict.fromkeys(names) if name]
    if not named:
        raise CommandError("--criteria names none")
    return named


def desk_folder(settings: Settings, agent: AgentKey) -> Path:
    """Return the folder of an agent's desk in the data folder."""
    return settings.data / "verifiers" / slug_of(agent.agent_id)[-80:]


def open_packs(settings: Settings, agent: AgentKey) -> RunPacks:
    """Return the packs of an agent's runs, at its desk."""
    return RunPacks(desk_folder(settings, agent), agent.agent_id, _signing(agent))


def open_desk(settings: Settings, agent: AgentKey) -> Desk:
    """Return the desk of an agent in the data folder."""
    packs = open_packs(settings, agent)
    return Desk(desk_folder(settings, agent), agent.agent_id, _signing(agent), now, packs)


def open_model(settings: Settings) -> LanguageModel | None:
    """Return the model that the settings name, None if they name none."""
    if settings.llm_url is None:
        return None
    if settings.llm_model is None:
        raise CommandError("A2AP_LLM_URL is set, and A2AP_LLM_MODEL does not say which model to use")
    return ChatModel(settings.llm_url, settings.llm_model, settings.llm_key)


def _signing(agent: AgentKey) -> Callable[[Mapping[str, Any]], dict[str, Any]]:
    return lambda message: sign_message(message, agent.key, agent.key_id)
