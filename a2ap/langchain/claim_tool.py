"""A tool of LangChain with which a model publishes a claim: quotes from stated sources, confirmed before it is signed.

Within a recorded run the claim names the pack of the run up to this point, which the pack of the whole run follows.
"""

import inspect
import json
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any
from uuid import UUID

from langchain_core.callbacks import BaseCallbackManager, Callbacks
from langchain_core.tools import BaseTool, StructuredTool, ToolException
from pydantic import BaseModel, Field

from a2ap.agent.agent import Agent
from a2ap.agent.async_agent import AsyncAgent
from a2ap.agent.drafts import CONFIDENCE, Draft, DraftError
from a2ap.agent.framework_run import FrameworkRun
from a2ap.agent.quotes import Source
from a2ap.client.answers import Receipt
from a2ap.errors import A2APError
from a2ap.langchain.handler import Recorder
from a2ap.pack.packing import Pack

NAME = "publish_claim"

Confirm = Callable[[Draft], bool] | Callable[[Draft], Awaitable[bool]]
"""Answers whether a draft is to be signed."""


class ClaimWords(BaseModel):
    """The arguments of the tool."""

    claim: str = Field(min_length=1, max_length=4000, description="The claim, in a sentence.")
    quotes: list[str] = Field(
        min_length=1, max_length=10, description="Words that stand in the source exactly so, once."
    )
    source: str | None = Field(None, description="The title or id of the source; needed if there are several.")
    confidence: float = Field(CONFIDENCE, ge=0, le=1, description="Your confidence in the claim.")


def claim_tool(
    agent: Agent | AsyncAgent,
    *sources: Source,
    confirm: Confirm | None = None,
    without_confirmation: bool = False,
) -> BaseTool:
    """Return the tool `publish_claim`, which signs claims of a model with the agent's key, from these sources alone.

    `confirm` is asked about each draft, and nothing is signed unless it returns True; a coroutine function is possible
    for an `AsyncAgent`. `without_confirmation` has every claim signed that the model makes, also one to which the
    words of a source have led it. The artifact of the tool's message is the receipt. Problems of a claim are the
    answer to the model, in a sentence.

    Raises `ValueError` without sources, for two sources of one title, and unless either `confirm` or
    `without_confirmation` is stated.
    """
    if not sources:
        raise ValueError("claim_tool has no sources: name those from which the model may quote")
    if (confirm is not None) == without_confirmation:
        raise ValueError("claim_tool signs for the agent: state either confirm or without_confirmation=True")
    if isinstance(agent, Agent) and inspect.iscoroutinefunction(confirm):
        raise TypeError("confirm is a coroutine function, which an AsyncAgent alone can wait for")
    by_name: dict[str, Source] = {}
    for one in sources:
        for name in (one.title, one.id, one.document_hash):
            if by_name.setdefault(name, one) is not one:
                raise ValueError(f"two sources have the name {name!r}: a model could not tell them apart")
    titles = ", ".join(json.dumps(one.title, ensure_ascii=False) for one in sources)
    about: dict[str, Any] = {
        "name": NAME,
        "description": f"Sign and publish a claim that exact quotes of a source support. Sources: {titles}.",
        "args_schema": ClaimWords,
        "response_format": "content_and_artifact",
        "handle_tool_error": True,
    }
    options = _Options(by_name, sources, confirm)
    if isinstance(agent, AsyncAgent):
        return StructuredTool.from_function(coroutine=_asynchronous(agent, options), **about)
    return StructuredTool.from_function(func=_blocking(agent, options), **about)


class _Options:
    def __init__(self, by_name: dict[str, Source], sources: tuple[Source, ...], confirm: Confirm | None) -> None:
        self.confirm = confirm
        self._by_name = by_name
        self._sources = sources

    def source(self, name: str | None) -> Source:
        if name is None and len(self._sources) == 1:
            return self._sources[0]
        if name is None or name not in self._by_name:
            raise DraftError([f"source is {name!r}, not the title or id of one of the {len(self._sources)} sources"])
        return self._by_name[name]


def _blocking(agent: Agent, options: _Options) -> Callable[..., Any]:
    def publish_claim(
        claim: str, quotes: list[str], source: str | None, confidence: float, callbacks: Callbacks = None
    ) -> tuple[str, Receipt]:
        with _tool_errors():
            stated: dict[str, Any] = {"quote": quotes, "source": options.source(source), "confidence": confidence}
            draft = agent.claim(claim, dry_run=True, **stated)
            _check_draft(draft)
            if options.confirm is not None:
                _check_confirmed(options.confirm(draft))
            within = _Within(agent.id, callbacks)
            if within.pack is not None:
                within.take(agent.hand_in(within.pack, within.recorder.recording.boundary))
            receipt = agent.claim(claim, generated_by=within.hashes, **stated)
            return within.answer(receipt)

    return publish_claim


def _asynchronous(agent: AsyncAgent, options: _Options) -> Callable[..., Any]:
    async def publish_claim(
        claim: str, quotes: list[str], source: str | None, confidence: float, callbacks: Callbacks = None
    ) -> tuple[str, Receipt]:
        with _tool_errors():
            stated: dict[str, Any] = {"quote": quotes, "source": options.source(source), "confidence": confidence}
            draft = await agent.claim(claim, dry_run=True, **stated)
            _check_draft(draft)
            if options.confirm is not None:
                answer = options.confirm(draft)
                _check_confirmed(await answer if inspect.isawaitable(answer) else answer)
            within = _Within(agent.id, callbacks)
            if within.pack is not None:
                within.take(await agent.hand_in(within.pack, within.recorder.recording.boundary))
            receipt = await agent.claim(claim, generated_by=within.hashes, **stated)
            return within.answer(receipt)

    return publish_claim


class _Within:
    """The recorded run of the agent in which the tool is called, and its pack up to this point; None if none is."""

    def __init__(self, agent_id: str, callbacks: Callbacks) -> None:
        self._run: FrameworkRun | None = None
        self._step: UUID | None = None
        self.pack: Pack | None = None
        self.hashes: tuple[str, ...] = ()
        if not isinstance(callbacks, BaseCallbackManager):
            return
        for one in callbacks.handlers:
            run = one.run_of(callbacks.parent_run_id) if isinstance(one, Recorder) else None
            if run is not None and isinstance(one, Recorder) and one.agent_id == agent_id:
                self.recorder, self._run, self._step = one, run, callbacks.parent_run_id
                self.pack = run.pack(one.clock())
                self.hashes = (self.pack.hash,)
                return

    def take(self, receipt: Receipt | None) -> None:
        """Take the node's receipt of the pack; a claim does not name a pack that the node has not taken."""
        assert self._run is not None and self.pack is not None
        if receipt is None:
            raise ToolException("nothing was signed: the node has not taken the pack of the run")
        self._run.follow(self.pack)

    def answer(self, receipt: Receipt) -> tuple[str, Receipt]:
        """Return the answer to the model, and the receipt; the run has the claim."""
        if self._run is not None:
            self._run.add_claim(receipt, self.recorder.clock(), str(self._step))
        told = {"statement": receipt.id, "signedHash": receipt.signed_hash, "created": receipt.created}
        return json.dumps(told), receipt


def _check_draft(draft: Draft) -> None:
    if draft.problems:
        raise DraftError(draft.problems)


def _check_confirmed(answer: object) -> None:
    if answer is not True:
        raise ToolException("nothing was signed: the claim was not confirmed")


@contextmanager
def _tool_errors() -> Iterator[None]:
    try:
        yield
    except A2APError as error:
        raise ToolException(f"nothing was published: {error}") from error
