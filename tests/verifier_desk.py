"""A verifier at work against a served platform, for tests: its desk, its worker, and what it says."""

import secrets
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from builders import agent_id, agent_key, key_id

from a2ap.client import Client
from a2ap.messages.policy import DEFAULT_CRITERIA
from a2ap.signing.signature import sign_message
from a2ap.verifier.budget import Budget, Limits
from a2ap.verifier.desk import Desk
from a2ap.verifier.stop import Stop
from a2ap.verifier.task import Terms
from a2ap.verifier.worker import Worker
from graph.cli.verifier_work import MeteredModel
from graph.content.pack_folder import PackFolder
from graph.models.chat_model import ChatModel
from graph.verifier.criteria import MODEL_BYTES, Tools, panel_of
from graph.verifier.material import Source
from graph.verifier.run_packs import RunPacks


@dataclass
class AtWork:
    """What a verifier is given; `answer` runs it once and returns what it said."""

    folder: Path
    url: str
    seed: int = 2
    terms: Terms = field(default_factory=Terms)
    limits: Limits = field(default_factory=Limits)
    criteria: tuple[str, ...] = DEFAULT_CRITERIA
    method: str = "words"
    model: ChatModel | None = None
    model_bytes: int = MODEL_BYTES
    clock: Callable[[], datetime] = lambda: datetime.now(UTC).replace(microsecond=0)
    client: type[Client] = Client

    @property
    def desk(self) -> Desk:
        agent = agent_id(self.seed)
        return Desk(self.folder, agent, self.sign, self.clock, RunPacks(self.folder, agent, self.sign))

    @property
    def packs(self) -> PackFolder:
        return PackFolder(self.folder)

    def sign(self, message: dict[str, Any]) -> dict[str, Any]:
        return sign_message(message, agent_key(self.seed), key_id(self.seed))

    def answer(self) -> list[str]:
        said: list[str] = []
        desk = self.desk
        budget = Budget(desk.folder / "budget.json", self.limits, self.clock)
        metered = MeteredModel(self.model, budget) if self.model is not None else None
        panel = panel_of(self.criteria, Tools(self.method, metered, self.model_bytes))
        with self.client(self.url) as client:
            worker = Worker(
                client,
                desk,
                panel,
                budget,
                self.terms,
                sign=self.sign,
                clock=self.clock,
                new_id=new_id,
                say=said.append,
                source_of=Source.of,
            )
            worker.run_once(Stop())
        return said


def new_id() -> str:
    return uuid.UUID(bytes=secrets.token_bytes(16), version=4).urn
