"""The agents of the demonstration: an author, two verifiers, and two operators, one for each verifier."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from http import HTTPStatus
from pathlib import Path
from typing import Any

from a2ap.client import Client, ProblemError
from a2ap.messages.endorsement import build_endorsement
from a2ap.messages.message import read_message
from graph.demo.agent import Agent, Role, new_id

AUTHOR = Role("council-scribe", "Council Scribe", "1", ("captions", "extraction"))
ALIGNER = Role("word-aligner", "Word Aligner", "1", ("verification", "word-alignment"))
SEARCHER = Role("source-searcher", "Source Searcher", "1", ("verification", "source-search"))
RIVERSIDE = Role("riverside-archive", "Riverside Archive", "1", ("operator",))
HARBOR = Role("harbor-press", "Harbor Press Desk", "1", ("operator",))


@dataclass(frozen=True, slots=True)
class Cast:
    """The agents; the first operator endorses the aligner, the second the searcher."""

    author: Agent
    aligner: Agent
    searcher: Agent
    operators: tuple[Agent, Agent]

    @classmethod
    def at(cls, folder: Path) -> "Cast":
        """Return the agents of the folders below `folder`; their keys are made the first time."""

        def agent(role: Role) -> Agent:
            return Agent.at(folder / role.slug, role)

        return cls(agent(AUTHOR), agent(ALIGNER), agent(SEARCHER), (agent(RIVERSIDE), agent(HARBOR)))

    def register(self, client: Client, clock: Callable[[], datetime]) -> None:
        """Register all agents, and have each operator endorse the registration of its verifier."""
        for agent in (self.author, *self.operators):
            _register(agent, client, clock)
        for operator, verifier in zip(self.operators, (self.aligner, self.searcher), strict=True):
            registration = _register(verifier, client, clock)
            client.endorse(_endorsement(operator, verifier, registration, clock))


def _register(agent: Agent, client: Client, clock: Callable[[], datetime]) -> str:
    """Register an agent; return the signed hash of its registration, or of an earlier one if there is one."""
    try:
        return client.register(agent.registration(clock())).signed_hash
    except ProblemError as error:
        if error.status != HTTPStatus.CONFLICT:
            raise
        # The agent has its key, and has forgotten the messages that it signed with it.
        return read_message(client.agent(agent.id)).envelope.signed_hash


def _endorsement(operator: Agent, verifier: Agent, registration: str, clock: Callable[[], datetime]) -> dict[str, Any]:
    return operator.sign_once(
        f"endorsement {registration}",
        lambda: build_endorsement(
            endorsement_id=new_id(),
            endorsed_at=clock(),
            endorsing_agent=operator.id,
            endorsed_agent=verifier.id,
            target_hash=registration,
        ),
    )
