"""The parts that `a2ap verifier` and `a2ap review` work with, put together from options and settings.

It is imported when a command needs it: the modules that judge claims take a while to load.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from a2ap.client import Client
from a2ap.messages.policy import DEFAULT_CRITERIA
from a2ap.signing.signature import sign_message
from a2ap.verifier.budget import Budget, Limits
from a2ap.verifier.desk import Desk
from a2ap.verifier.stop import Stop
from a2ap.verifier.task import Terms
from a2ap.verifier.worker import Worker
from graph.cli.errors import CommandError
from graph.cli.signing import AgentKey, fresh_id, now
from graph.cli.terminal import remark, say
from graph.models.chat_model import ChatModel, LanguageModel
from graph.settings import Settings
from graph.verifier.criteria import MODEL_BYTES, Tools, panel_of
from graph.verifier.material import Source
from graph.verifier.metered_model import MeteredModel
from graph.verifier.run_packs import RunPacks


@dataclass(frozen=True, slots=True)
class Work:
    """The work of a verifier: its criteria and method, its terms, and its limits."""

    criteria: Sequence[str]
    by: str
    limits: Limits
    lease_seconds: int
    most: int
    review: bool
    model_bytes: int | None

    def run(self, agent: AgentKey, settings: Settings, client: Client, stop: Stop, *, once: bool) -> int:
        """Answer requests until stopped, or the open requests `once`; return how many requests were left to others."""
        desk = open_desk(settings, agent)
        with closing(desk.lock()):
            worker = self._worker(agent, desk, open_model(settings), client)
            if once:
                worker.run_once(stop)
            else:
                worker.run(stop)
        return worker.summary.left if once else 0

    def _worker(self, agent: AgentKey, desk: Desk, model: LanguageModel | None, client: Client) -> Worker:
        budget = Budget(desk.folder / "budget.json", self.limits, now)
        metered = MeteredModel(model, budget) if model is not None else None
        tools = Tools(self.by, metered, self.model_bytes or MODEL_BYTES)
        panel = panel_of(self.criteria, tools)
        remark(f"{agent.agent_id} answers {', '.join(panel.names)} for {client.base_url}")
        return Worker(
            client,
            desk,
            panel,
            budget,
            Terms(self.lease_seconds, self.most, review=self.review),
            sign=_signing(agent),
            clock=now,
            new_id=fresh_id,
            say=say,
            source_of=Source.of,
        )


def named_criteria(texts: Sequence[str] | None) -> list[str]:
    """Return the criteria that options name, each option one or several between commas; each criterion once."""
    if texts is None:
        return list(DEFAULT_CRITERIA)
    names = [name.strip() for text in texts for name in text.split(",")]
    named = [name for name in dict.fromkeys(names) if name]
    if not named:
        raise CommandError("--criteria names none")
    return named


def open_desk(settings: Settings, agent: AgentKey) -> Desk:
    """Return the desk of an agent in the data folder."""
    name = re.sub(r"[^\w.-]+", "-", agent.agent_id).strip("-.")[-80:]
    folder, sign = settings.data / "verifiers" / name, _signing(agent)
    return Desk(folder, agent.agent_id, sign, now, RunPacks(folder, agent.agent_id, sign))


def open_model(settings: Settings) -> LanguageModel | None:
    """Return the model that the settings name, None if they name none."""
    if settings.llm_url is None:
        return None
    if settings.llm_model is None:
        raise CommandError("A2AP_LLM_URL is set, and A2AP_LLM_MODEL does not say which model to use")
    return ChatModel(settings.llm_url, settings.llm_model, settings.llm_key)


def _signing(agent: AgentKey) -> Callable[[Mapping[str, Any]], dict[str, Any]]:
    return lambda message: sign_message(message, agent.key, agent.key_id)
