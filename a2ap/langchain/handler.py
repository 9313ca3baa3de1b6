"""Callback handlers of LangChain that record each run as a pack, and hand the pack to the node when the run ends.

A run is the outermost call: a graph, a chain, a model or a tool. The runs within it are the steps of its pack, each
with the id of the run above it. An error of the node never ends the user's run: there is a warning, and the pack waits
beside the agent's outbox.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from importlib.metadata import version
from threading import Lock
from typing import Any
from uuid import UUID

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.documents import Document
from langchain_core.messages import BaseMessage
from langchain_core.outputs import LLMResult

from a2ap.agent.agent import Agent
from a2ap.agent.async_agent import AsyncAgent
from a2ap.agent.base import utc_now
from a2ap.agent.framework_run import Contents, FrameworkRun, Recording, bytes_of, type_of
from a2ap.boundary import Boundary
from a2ap.canonical import sha256_digest
from a2ap.langchain.values import (
    about_completion,
    completion_of,
    content_of,
    model_of,
    name_of,
    plain,
    role_of,
    settings_of,
    tool_output,
)
from a2ap.pack.packing import Pack

FRAMEWORK = "langchain-core"


class Recorder(BaseCallbackHandler):
    """Records runs as LangChain reports them; the handlers hand the packs in."""

    def __init__(
        self,
        agent_id: str,
        contents: Contents | str,
        boundary: Boundary | str | None,
        clock: Callable[[], datetime],
    ) -> None:
        self.agent_id = agent_id
        self.recording = Recording.stated(FRAMEWORK, version(FRAMEWORK), contents, boundary)
        self.clock = clock
        self._runs: dict[UUID, FrameworkRun] = {}
        self._roots: set[UUID] = set()
        self._lock = Lock()

    def run_of(self, run_id: UUID | None) -> FrameworkRun | None:
        """Return the recorded run to which a run of LangChain belongs, None if it has ended or is not known."""
        with self._lock:
            return None if run_id is None else self._runs.get(run_id)

    def on_chain_start(
        self,
        serialized: dict[str, Any] | None,
        inputs: Any,
        *,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        **reported: Any,
    ) -> None:
        """Begin a chain, graph or node; only the outermost has its inputs, since those within repeat them."""
        run = self._begin(run_id, parent_run_id, "chain", name_of(serialized, reported))
        if run_id in self._roots:
            run.take_input(str(run_id), "input", plain(inputs))

    def on_chat_model_start(
        self,
        serialized: dict[str, Any] | None,
        messages: list[list[BaseMessage]],
        *,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        metadata: dict[str, Any] | None = None,
        **reported: Any,
    ) -> None:
        """Begin a call of a chat model, with its messages."""
        asked = [(role_of(one), content_of(one)) for several in messages for one in several]
        self._ask(run_id, parent_run_id, name_of(serialized, reported), metadata, reported, asked)

    def on_llm_start(
        self,
        serialized: dict[str, Any] | None,
        prompts: list[str],
        *,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        metadata: dict[str, Any] | None = None,
        **reported: Any,
    ) -> None:
        """Begin a call of a model of texts, with its prompts."""
        asked = [("user", one) for one in prompts]
        self._ask(run_id, parent_run_id, name_of(serialized, reported), metadata, reported, asked)

    def on_tool_start(
        self,
        serialized: dict[str, Any] | None,
        input_str: str,
        *,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        inputs: dict[str, Any] | None = None,
        **reported: Any,
    ) -> None:
        """Begin a call of a tool, with its input."""
        run = self._begin(run_id, parent_run_id, "tool_call", name_of(serialized, reported))
        run.take_input(str(run_id), "input", input_str if inputs is None else plain(inputs))

    def on_retriever_start(
        self,
        serialized: dict[str, Any] | None,
        query: str,
        *,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        **reported: Any,
    ) -> None:
        """Begin a retrieval, with its query."""
        run = self._begin(run_id, parent_run_id, "retrieval", name_of(serialized, reported))
        run.take_input(str(run_id), "query", query)

    def _ask(
        self,
        run_id: UUID,
        parent: UUID | None,
        name: str,
        metadata: Mapping[str, Any] | None,
        reported: Mapping[str, Any],
        messages: Sequence[tuple[str, Any]],
    ) -> None:
        model = model_of(metadata, reported)
        run = self._begin(run_id, parent, "model_call", name, model=model or None, **settings_of(metadata))
        run.ask(str(run_id), model, messages)

    def _begin(self, run_id: UUID, parent: UUID | None, kind: str, name: str, **about: Any) -> FrameworkRun:
        with self._lock:
            run = None if parent is None else self._runs.get(parent)
            if run is None:
                run = FrameworkRun(self.recording, name or kind)
                self._roots.add(run_id)
            self._runs[run_id] = run
        run.begin(str(run_id), kind, name, self.clock(), parent=None if parent is None else str(parent), **about)
        return run

    def _ended(self, run_id: UUID, output: Any, **about: Any) -> Pack | None:
        """End a step, and return the pack if it was the outermost."""
        run = self.run_of(run_id)
        if run is None:
            return None
        is_root = run_id in self._roots
        # The result of the run is its output: an outermost step does not repeat it.
        run.end(str(run_id), self.clock(), None if is_root else output, **about)
        if is_root:
            run.take_output(output)
        return self._closed(run_id, run)

    def _chain_ended(self, run_id: UUID, outputs: Any) -> Pack | None:
        return self._ended(run_id, plain(outputs) if run_id in self._roots else None)

    def _retrieved(self, run_id: UUID, documents: Sequence[Document]) -> Pack | None:
        if (run := self.run_of(run_id)) is not None:
            for number, one in enumerate(documents):
                run.take_input(str(run_id), f"document {number}", one.page_content)
        names = [sha256_digest(bytes_of(one.page_content)) for one in documents]
        return self._ended(run_id, plain(documents), documents=names)

    def _failed(self, run_id: UUID, error: BaseException) -> Pack | None:
        run = self.run_of(run_id)
        if run is None:
            return None
        run.fail(str(run_id), self.clock(), type_of(error))
        return self._closed(run_id, run)

    def _closed(self, run_id: UUID, run: FrameworkRun) -> Pack | None:
        """Forget a run whose outermost step has ended, and return its pack."""
        with self._lock:
            if run_id not in self._roots:
                return None
            self._roots.remove(run_id)
            self._runs = {key: one for key, one in self._runs.items() if one is not run}
        return run.pack(self.clock())


class ProvenanceHandler(Recorder):
    """Records the runs of LangChain and LangGraph as packs that an `Agent` registers.

        graph.invoke(state, {"callbacks": [ProvenanceHandler(agent)]})

    `contents` says whether prompts, completions, inputs, outputs and documents are recorded by hash and length, which
    is the default, or in full; in full, `boundary` states the class of the packs. After a run, `agent.last_pack` is
    the hash of its pack. If the node does not take a pack, there is a `RunWarning`, and the pack waits for `flush`.
    """

    def __init__(
        self,
        agent: Agent,
        *,
        contents: Contents | str = Contents.HASHES,
        boundary: Boundary | str | None = None,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        if not isinstance(agent, Agent):
            raise TypeError(f"agent is {type(agent).__qualname__}, not Agent: AsyncProvenanceHandler takes AsyncAgent")
        super().__init__(agent.id, contents, boundary, clock)
        self.agent = agent

    def on_chain_end(self, outputs: Any, *, run_id: UUID, **reported: Any) -> None:
        """End a chain; the pack of the outermost has its outputs."""
        self._hand_in(self._chain_ended(run_id, outputs))

    def on_llm_end(self, response: LLMResult, *, run_id: UUID, **reported: Any) -> None:
        """End a call of a model, with its completion."""
        self._hand_in(self._ended(run_id, completion_of(response), **about_completion(response)))

    def on_tool_end(self, output: Any, *, run_id: UUID, **reported: Any) -> None:
        """End a call of a tool, with its output."""
        self._hand_in(self._ended(run_id, tool_output(output)))

    def on_retriever_end(self, documents: Sequence[Document], *, run_id: UUID, **reported: Any) -> None:
        """End a retrieval, with its documents."""
        self._hand_in(self._retrieved(run_id, documents))

    def on_chain_error(self, error: BaseException, *, run_id: UUID, **reported: Any) -> None:
        """End a chain by an error."""
        self._hand_in(self._failed(run_id, error))

    on_llm_error = on_tool_error = on_retriever_error = on_chain_error

    def _hand_in(self, pack: Pack | None) -> None:
        if pack is not None:
            self.agent.hand_in(pack, self.recording.boundary)


class AsyncProvenanceHandler(Recorder):
    """Records the runs of LangChain and LangGraph as packs that an `AsyncAgent` registers.

        await graph.ainvoke(state, {"callbacks": [AsyncProvenanceHandler(agent)]})

    The arguments are those of `ProvenanceHandler`.
    """

    run_inline = True  # The beginnings of steps are recorded in the order of the events.

    def __init__(
        self,
        agent: AsyncAgent,
        *,
        contents: Contents | str = Contents.HASHES,
        boundary: Boundary | str | None = None,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        if not isinstance(agent, AsyncAgent):
            raise TypeError(f"agent is {type(agent).__qualname__}, not AsyncAgent: ProvenanceHandler takes Agent")
        super().__init__(agent.id, contents, boundary, clock)
        self.agent = agent

    async def on_chain_end(self, outputs: Any, *, run_id: UUID, **reported: Any) -> None:
        """End a chain; the pack of the outermost has its outputs."""
        await self._hand_in(self._chain_ended(run_id, outputs))

    async def on_llm_end(self, response: LLMResult, *, run_id: UUID, **reported: Any) -> None:
        """End a call of a model, with its completion."""
        await self._hand_in(self._ended(run_id, completion_of(response), **about_completion(response)))

    async def on_tool_end(self, output: Any, *, run_id: UUID, **reported: Any) -> None:
        """End a call of a tool, with its output."""
        await self._hand_in(self._ended(run_id, tool_output(output)))

    async def on_retriever_end(self, documents: Sequence[Document], *, run_id: UUID, **reported: Any) -> None:
        """End a retrieval, with its documents."""
        await self._hand_in(self._retrieved(run_id, documents))

    async def on_chain_error(self, error: BaseException, *, run_id: UUID, **reported: Any) -> None:
        """End a chain by an error."""
        await self._hand_in(self._failed(run_id, error))

    on_llm_error = on_tool_error = on_retriever_error = on_chain_error

    async def _hand_in(self, pack: Pack | None) -> None:
        if pack is not None:
            await self.agent.hand_in(pack, self.recording.boundary)
