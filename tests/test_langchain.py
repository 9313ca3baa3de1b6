"""Runs of LangChain and LangGraph as packs, and claims that a model makes, on a node and a model over HTTP."""

import asyncio
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.documents import Document
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import RunnableConfig, RunnableLambda
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command, interrupt
from model_server import ModelServer, Reply, chat_server, tool_call
from node_packs import Taken

from a2ap import Agent, AsyncAgent, Source
from a2ap.agent import Draft, RunWarning
from a2ap.canonical import sha256_digest
from a2ap.client import Client, Receipt
from a2ap.langchain import AsyncProvenanceHandler, ProvenanceHandler, claim_tool
from a2ap.messages.message import read_message
from a2ap.messages.statement import ProvenanceStatement
from a2ap.pack.manifest import Step
from a2ap.testing import MakeAgent
from a2ap.testing.node import Node

MINUTES = b"The council voted five to two to keep the height limit at forty feet."
SECRET = "The mayor dislikes the limit."
CLAIM = "The height limit stays."


def about(step: Step) -> dict[str, Any]:
    assert step.parameters is not None
    return dict(step.parameters)


def once_published(last: str = "Published.", **arguments: Any) -> Reply:
    """Return a model that publishes a claim, and then says that it has."""
    stated = {"claim": CLAIM, "quotes": ["keep the height limit"], **arguments}

    def reply(body: dict[str, Any]) -> dict[str, Any]:
        is_answered = body["messages"][-1]["role"] == "tool"
        return {"content": last} if is_answered else tool_call("publish_claim", **stated)

    return reply


@pytest.fixture(autouse=True)
def _no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")


@pytest.fixture
def model() -> Iterator[Callable[[Reply], ChatOpenAI]]:
    """Serve models over HTTP, and return the class of LangChain that asks them."""
    opened = []

    def serve(reply: Reply) -> ChatOpenAI:
        server = chat_server(reply)
        running: ModelServer = server.__enter__()
        opened.append(server)
        return ChatOpenAI(model="stand-in", base_url=running.url, temperature=0)

    yield serve
    for server in opened:
        server.__exit__(None, None, None)


@pytest.fixture
def clerk(make_a2ap_agent: MakeAgent) -> Agent:
    return make_a2ap_agent("Clerk")


@pytest.fixture
def minutes(clerk: Agent) -> Source:
    return clerk.source(MINUTES, title="Minutes")


def ask(text: str = "Publish a claim.") -> Any:
    return {"messages": [("user", text)]}


def by(handler: BaseCallbackHandler) -> RunnableConfig:
    return {"callbacks": [handler]}


def test_a_run_of_langgraph_is_a_pack_and_its_claim_rests_on_it(
    clerk: Agent, minutes: Source, model: Callable[[Reply], ChatOpenAI], a2ap_node: Node
) -> None:
    shown: list[dict[str, Any]] = []

    def confirm(draft: Draft) -> bool:
        shown.append(draft.checked)
        return True

    publish = claim_tool(clerk, minutes, confirm=confirm)
    graph = create_agent(model(once_published()), [publish], system_prompt="You are a clerk.")
    answer = graph.invoke(ask(), by(ProvenanceHandler(clerk)))
    receipt = answer["messages"][-2].artifact
    assert shown[0]["claim"]["text"] == CLAIM
    whole = Taken(a2ap_node, clerk.last_pack)
    with Client(a2ap_node.url) as client:
        statement = read_message(client.statement(receipt.id))
        assert isinstance(statement, ProvenanceStatement)
        (before,) = statement.generated_by
        query = "query ($hash: ID!) { pack(hash: $hash) { findings { code } } }"
        assert client.graphql(query, {"hash": whole.name})["pack"] == {"findings": []}
    assert whole.manifest.parent == before
    (claim,) = whole.steps("claim")
    (called,) = whole.steps("tool_call")
    assert about(claim)["signedHash"] == receipt.signed_hash and about(claim)["parent"] == about(called)["run"]
    assert called.tool == "publish_claim" and about(called)["status"] == "completed"
    (running,) = Taken(a2ap_node, before).steps("tool_call")
    assert about(running)["status"] == "running"


def test_the_pack_names_models_prompts_and_parents_and_whose_word_it_is(
    clerk: Agent, minutes: Source, model: Callable[[Reply], ChatOpenAI], a2ap_node: Node
) -> None:
    publish = claim_tool(clerk, minutes, without_confirmation=True)
    graph = create_agent(model(once_published()), [publish], system_prompt="You are a clerk.")
    graph.invoke(ask(), by(ProvenanceHandler(clerk)))
    pack = Taken(a2ap_node, clerk.last_pack)
    assert pack.manifest.model.identifier == "stand-in"
    assert pack.manifest.model.parameters is not None
    assert pack.manifest.model.parameters["assurance"] == "stated by the framework, not verified"
    assert pack.manifest.model.parameters["recordedBy"].startswith("langchain-core ")
    first, second = (about(one) for one in pack.steps("model_call"))
    assert first["prompts"] == [sha256_digest(b"You are a clerk."), sha256_digest(b"Publish a claim.")]
    assert second["prompts"][:2] == first["prompts"] and len(second["prompts"]) == 4
    assert (first["model"], first["answeredBy"], first["provider"]) == ("stand-in", "stand-in-1", "openai")
    assert (first["temperature"], first["inputTokens"], first["outputTokens"]) == (0, 7, 5)
    runs = {about(one)["run"] for one in pack.manifest.steps if one.type != "claim"}
    parents = [about(one).get("parent") for one in pack.manifest.steps]
    assert parents[0] is None and set(parents[1:]) <= runs
    assert [one.role for one in pack.manifest.prompts] == ["system", "user", "assistant", "tool"]


def test_contents_are_recorded_by_hash_and_in_full_on_request(
    clerk: Agent, model: Callable[[Reply], ChatOpenAI], a2ap_node: Node
) -> None:
    @tool
    def look_up(name: str) -> str:
        """Look up a name."""
        return f"Found {name}"

    def reply(body: dict[str, Any]) -> dict[str, Any]:
        is_answered = body["messages"][-1]["role"] == "tool"
        return {"content": f"Answer: {SECRET}"} if is_answered else tool_call("look_up", name=SECRET)

    graph = create_agent(model(reply), [look_up])
    graph.invoke(ask(SECRET), by(ProvenanceHandler(clerk)))
    hashed = Taken(a2ap_node, clerk.last_pack)
    kept = hashed.contents()
    assert len(kept) > 6 and all(json.loads(one).keys() == {"length", "sha256"} for one in kept)
    assert SECRET not in str(hashed.manifest)
    arguments = sha256_digest(json.dumps({"name": SECRET}).encode()).removeprefix("sha256:")
    (given,) = [one for one in hashed.manifest.inputs if one.name == about(hashed.steps("tool_call")[0])["inputs"][0]]
    assert json.loads(hashed.content(given.content_ref))["sha256"] == arguments
    digest = sha256_digest(f"Found {SECRET}".encode()).removeprefix("sha256:")
    (called,) = hashed.steps("tool_call")
    assert json.loads(hashed.content(called.output_ref)) == {"length": len(SECRET) + 6, "sha256": digest}
    graph.invoke(ask(SECRET), by(ProvenanceHandler(clerk, contents="full", boundary="public")))
    full = Taken(a2ap_node, clerk.last_pack)
    assert full.content(full.steps("tool_call")[0].output_ref) == f"Found {SECRET}".encode()
    assert json.loads(full.content(full.manifest.outputs[0].content_ref))["messages"][-1] == {
        "role": "assistant",
        "content": f"Answer: {SECRET}",
    }
    assert SECRET not in str(full.manifest)
    with pytest.raises(ValueError, match="contents is 'full' without a boundary"):
        ProvenanceHandler(clerk, contents="full")


def test_retrieved_documents_are_named_by_hash(clerk: Agent, a2ap_node: Node) -> None:
    class Archive(BaseRetriever):
        def _get_relevant_documents(self, query: str, **_: Any) -> list[Document]:
            return [Document(MINUTES.decode(), metadata={"source": "minutes.txt"}), Document("Other.")]

    chain = Archive() | RunnableLambda(len)
    assert chain.invoke("limit", by(ProvenanceHandler(clerk))) == 2
    (step,) = Taken(a2ap_node, clerk.last_pack).steps("retrieval")
    assert about(step)["documents"] == [sha256_digest(MINUTES), sha256_digest(b"Other.")]
    assert about(step)["inputs"] == [f"step 1 {name}" for name in ("query", "document 0", "document 1")]


def test_an_error_is_recorded_by_type_and_raised_on(clerk: Agent, a2ap_node: Node) -> None:
    def fail(_: str) -> str:
        raise LookupError(SECRET)

    with pytest.raises(LookupError, match="mayor"):
        RunnableLambda(fail).invoke("x", by(ProvenanceHandler(clerk)))
    pack = Taken(a2ap_node, clerk.last_pack)
    (step,) = pack.manifest.steps
    assert (about(step)["status"], about(step)["error"]) == ("failed", "builtins.LookupError")
    assert pack.manifest.outputs == () and SECRET.encode() not in b"".join(pack.contents())


def test_one_handler_records_runs_at_once_each_as_its_own_pack(clerk: Agent, a2ap_node: Node) -> None:
    packs: list[str | None] = []

    class Noting(ProvenanceHandler):
        def on_chain_end(self, outputs: Any, *, run_id: Any, **reported: Any) -> None:
            super().on_chain_end(outputs, run_id=run_id, **reported)
            packs.append(clerk.last_pack)

    chain = RunnableLambda(str.upper) | RunnableLambda(str.lower)
    handler = Noting(clerk)
    assert chain.batch(["a", "b", "c"], {**by(handler), "max_concurrency": 3}) == ["a", "b", "c"]
    assert len(Taken(a2ap_node, clerk.last_pack).manifest.steps) == 3
    assert handler._runs == {} and handler._roots == set()


def test_a_model_is_told_why_its_claim_was_not_signed(
    clerk: Agent, minutes: Source, model: Callable[[Reply], ChatOpenAI]
) -> None:
    def told(publish: Any, **arguments: Any) -> str:
        answer = create_agent(model(once_published(**arguments)), [publish]).invoke(ask())
        message = answer["messages"][-2]
        assert isinstance(message, ToolMessage) and message.status == "error"
        return str(message.content)

    refusing = claim_tool(clerk, minutes, confirm=lambda draft: False)
    assert told(refusing) == "nothing was signed: the claim was not confirmed"
    other = clerk.source(b"Other minutes.", title="Other")
    open_tool = claim_tool(clerk, minutes, other, without_confirmation=True)
    assert "source is None, not the title or id of one of the 2 sources" in told(open_tool)
    assert "source is '/etc/passwd'" in told(open_tool, source="/etc/passwd")
    assert "no such words" in told(open_tool, source="Minutes", quotes=["no such words"])
    assert clerk.inbox() == []


def test_a_tool_that_signs_says_how_it_is_confirmed(clerk: Agent, minutes: Source) -> None:
    with pytest.raises(ValueError, match="state either confirm or without_confirmation=True"):
        claim_tool(clerk, minutes)
    with pytest.raises(ValueError, match="state either confirm or without_confirmation=True"):
        claim_tool(clerk, minutes, confirm=lambda draft: True, without_confirmation=True)
    with pytest.raises(ValueError, match="has no sources"):
        claim_tool(clerk, without_confirmation=True)
    with pytest.raises(ValueError, match="two sources have the name 'Minutes'"):
        claim_tool(clerk, minutes, clerk.source(b"Other.", title="Minutes"), without_confirmation=True)

    async def confirm(draft: Draft) -> bool:
        return True

    with pytest.raises(TypeError, match="confirm is a coroutine function"):
        claim_tool(clerk, minutes, confirm=confirm)


def test_langgraph_asks_a_person_by_interrupt_before_the_claim_is_signed(
    clerk: Agent, minutes: Source, model: Callable[[Reply], ChatOpenAI]
) -> None:
    publish = claim_tool(clerk, minutes, confirm=lambda draft: interrupt(draft.checked["claim"]["text"]))
    graph = create_agent(model(once_published()), [publish], checkpointer=InMemorySaver())
    config: Any = {"configurable": {"thread_id": "1"}, "callbacks": [ProvenanceHandler(clerk)]}
    asked = graph.invoke(ask(), config)
    assert [one.value for one in asked["__interrupt__"]] == [CLAIM]
    answer = graph.invoke(Command(resume=True), config)
    assert answer["messages"][-2].artifact.created


async def test_asyncio_records_the_same(
    make_a2ap_agent: MakeAgent, model: Callable[[Reply], ChatOpenAI], a2ap_node: Node
) -> None:
    async def confirm(draft: Draft) -> bool:
        await asyncio.sleep(0)
        return True

    async with make_a2ap_agent("Clerk", kind=AsyncAgent) as agent:
        minutes = await agent.source(MINUTES, title="Minutes")
        graph = create_agent(model(once_published()), [claim_tool(agent, minutes, confirm=confirm)])
        handler = AsyncProvenanceHandler(agent)
        answers = await asyncio.gather(*(graph.ainvoke(ask(f"{n}"), by(handler)) for n in range(2)))
        receipts = [one["messages"][-2].artifact for one in answers]
        assert receipts[0].signed_hash != receipts[1].signed_hash  # Each names the pack of its own run.
        pack = Taken(a2ap_node, agent.last_pack)
        assert len(pack.steps("model_call")) == 2 and len(pack.steps("claim")) == 1
        assert pack.manifest.parent.startswith("sha256:")
        with pytest.raises(TypeError, match="not Agent: AsyncProvenanceHandler takes AsyncAgent"):
            ProvenanceHandler(agent)  # type: ignore[arg-type]


async def test_a_blocking_agent_serves_a_graph_under_asyncio(
    clerk: Agent, minutes: Source, model: Callable[[Reply], ChatOpenAI], a2ap_node: Node
) -> None:
    graph = create_agent(model(once_published()), [claim_tool(clerk, minutes, without_confirmation=True)])
    answer = await graph.ainvoke(ask(), by(ProvenanceHandler(clerk)))
    (claim,) = (await asyncio.to_thread(Taken, a2ap_node, clerk.last_pack)).steps("claim")
    assert about(claim)["id"] == answer["messages"][-2].artifact.id


def test_a_model_may_publish_two_claims_at_once(
    clerk: Agent, minutes: Source, model: Callable[[Reply], ChatOpenAI], a2ap_node: Node
) -> None:
    def reply(body: dict[str, Any]) -> dict[str, Any]:
        if body["messages"][-1]["role"] == "tool":
            return {"content": "Published."}
        calls = [tool_call("publish_claim", claim=one, quotes=["five to two"])["tool_calls"][0] for one in "AB"]
        return {"content": None, "tool_calls": [{**one, "id": f"call_{n}"} for n, one in enumerate(calls)]}

    graph = create_agent(model(reply), [claim_tool(clerk, minutes, without_confirmation=True)])
    graph.invoke(ask(), by(ProvenanceHandler(clerk)))
    pack = Taken(a2ap_node, clerk.last_pack)
    assert len(pack.steps("claim")) == 2 and {about(one)["status"] for one in pack.steps("tool_call")} == {"completed"}


def test_a_setting_that_is_no_json_is_recorded_as_text(clerk: Agent, a2ap_node: Node) -> None:
    model = GenericFakeChatModel(messages=iter([AIMessage("Yes.")]))
    odd = {"ls_model_name": "odd\udcff", "ls_temperature": float("nan")}
    model.invoke("\udcff", {**by(ProvenanceHandler(clerk)), "metadata": odd})
    (step,) = Taken(a2ap_node, clerk.last_pack).manifest.steps
    assert about(step)["temperature"] == "nan"


def test_a_run_goes_on_without_the_node_and_its_pack_waits_for_flush(
    clerk: Agent, minutes: Source, a2ap_node: Node, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("a2ap.agent.exchange._FIRST_PAUSE", 0.01)
    outbox = tmp_path / "outbox.ndjson"
    away = Agent(clerk._operations.identity, "http://127.0.0.1:9", outbox=outbox)
    model = GenericFakeChatModel(messages=iter([AIMessage("Yes.")]))
    with pytest.warns(RunWarning, match="has not taken the pack"):
        assert model.invoke("Is it?", by(ProvenanceHandler(away))).content == "Yes."
    outbox.write_text(outbox.read_text().replace("http://127.0.0.1:9", a2ap_node.url))
    back = Agent(clerk._operations.identity, a2ap_node.url, outbox=outbox)
    (receipt,) = back.flush()
    assert isinstance(receipt, Receipt) and receipt.type == "RecordRegistration"
    assert [one.role for one in Taken(a2ap_node, away.last_pack).manifest.prompts] == ["user"]
