"""The page on frameworks: its code runs, in order, against a node and a stand-in for the model over HTTP."""

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from model_server import ModelServer, chat_server, tool_call

from a2ap import Agent
from a2ap.client import Client
from a2ap.messages.message import read_message
from a2ap.messages.statement import ProvenanceStatement
from a2ap.testing.node import Node

PAGE = (Path(__file__).resolve().parent.parent / "docs" / "how-to" / "frameworks.md").read_text()
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)
MINUTES = "The clerk opened the meeting.\nThe council voted five to two to keep the height limit at forty feet.\n"
CLAIM = "The council keeps the height limit."


def clerk(body: dict[str, Any]) -> dict[str, Any]:
    if body["messages"][-1]["role"] == "tool":
        return {"content": "The claim is published."}
    return tool_call("publish_claim", claim=CLAIM, quotes=["keep the height limit"])


@pytest.fixture
def model() -> Iterator[ModelServer]:
    with chat_server(clerk) as running:
        yield running


async def test_the_code_of_the_page_runs(
    a2ap_node: Node, model: ModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    asked: list[str] = []

    def answer(question: str) -> str:
        asked.append(question)
        return "yes"

    monkeypatch.setattr("builtins.input", answer)
    (tmp_path / "minutes.txt").write_text(MINUTES)
    with Agent.create("clerk.key", name="Clerk", publisher="City clerk", node=a2ap_node.url) as agent:
        agent.register()
    names: dict[str, Any] = {"NODE": a2ap_node.url, "MODEL": model.url}
    first, *others = BLOCKS
    assert len([line for line in first.splitlines() if line]) == 10
    await asyncio.to_thread(exec, first, names)
    assert names["answer"]["messages"][-1].content == "The claim is published."
    assert asked == [f"Sign {CLAIM!r}? "]
    receipt = names["answer"]["messages"][-2].artifact
    with Client(a2ap_node.url) as client:
        statement = read_message(client.statement(receipt.id))
    assert isinstance(statement, ProvenanceStatement)
    assert statement.claim.text == CLAIM and len(statement.generated_by) == 1
    for block in others:
        await asyncio.to_thread(exec, block, names)
    assert await names["decide"]() == "The claim is published."
    assert names["receipt"].created
