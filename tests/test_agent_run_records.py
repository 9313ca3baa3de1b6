"""The result of a function whose runs are recorded, if the record fails: on the disk, at the node, or by a stop."""

import asyncio
import inspect
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from a2ap import Agent, AsyncAgent
from a2ap.agent import RunError, RunWarning
from a2ap.agent.identity import Identity
from a2ap.agent.kept_packs import KeptPacks
from a2ap.signing.keys import SigningKey

CLERK = Identity("urn:agent:clerk", "urn:agent:clerk#1", SigningKey(bytes(32)))
NAME = "sha256:" + "0" * 64


class Node:
    """A transport that gives one answer to each request, and counts them."""

    def __init__(self, answer: object) -> None:
        self.asked = 0
        self._answer = answer
        self.transport = httpx.MockTransport(self._answered)

    def _answered(self, request: httpx.Request) -> httpx.Response:
        self.asked += 1
        return httpx.Response(200, json=self._answer)


@pytest.fixture(params=[Agent, AsyncAgent], ids=["blocking", "asynchronous"])
def kind(request: pytest.FixtureRequest) -> Any:
    return request.param


def called(agent: Agent | AsyncAgent, function: Callable[[], Any], **options: Any) -> Any:
    """Return the result of a function that the agent records."""
    if isinstance(agent, Agent):
        return agent.provenance(**options)(function)()

    async def call() -> Any:
        return function()

    result = agent.provenance(**options)(call)()
    assert inspect.iscoroutine(result)
    return asyncio.run(result)


def fail() -> None:
    raise LookupError("no minutes")


def stop() -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize("answer", [{"records": []}, {"records": [1]}, {"records": [{}]}, {}, {"records": [{}, {}]}])
def test_an_answer_that_is_no_receipt_costs_no_result_and_replaces_no_error(kind: Any, answer: object) -> None:
    agent = kind(CLERK, transport=Node(answer).transport)
    with pytest.warns(RunWarning, match="the node has not taken the pack sha256:.*answered"):
        assert called(agent, lambda: 7) == 7
    with pytest.warns(RunWarning), pytest.raises(LookupError, match="no minutes"):
        called(agent, fail)


def test_a_disk_that_takes_no_pack_costs_no_result_and_replaces_no_error(kind: Any, tmp_path: Path) -> None:
    (tmp_path / "outbox.ndjson.packs").write_bytes(b"")  # a file in the place of the folder
    agent = kind(CLERK, outbox=tmp_path / "outbox.ndjson", transport=Node({}).transport)
    with pytest.warns(RunWarning, match=r"outbox\.ndjson\.packs"):
        assert called(agent, lambda: 7) == 7
    with pytest.warns(RunWarning), pytest.raises(LookupError):
        called(agent, fail)
    with pytest.warns(RunWarning), pytest.raises(KeyboardInterrupt):
        called(agent, stop)


def test_an_error_of_outputs_has_the_result(kind: Any) -> None:
    agent = kind(CLERK, transport=Node({}).transport)
    with pytest.warns(RunWarning), pytest.raises(RunError, match=r"`outputs` of .* raised TypeError: ") as refused:
        called(agent, lambda: 7, outputs=len)
    assert refused.value.result == 7


def test_a_run_that_is_stopped_sends_nothing_and_its_pack_waits(kind: Any, tmp_path: Path) -> None:
    node = Node({})
    agent = kind(CLERK, outbox=tmp_path / "outbox.ndjson", transport=node.transport)
    with pytest.raises(KeyboardInterrupt):
        called(agent, stop)
    ((_, document),) = agent._operations._outbox.pending(agent.node)
    assert node.asked == 0 and document["documentHash"] == agent.last_pack
    assert agent._operations._packs.find(agent.last_pack)


def test_threads_keep_the_same_pack_at_once(tmp_path: Path) -> None:
    packs, failures = KeptPacks(tmp_path / "packs"), list[Exception]()

    def keep() -> None:
        try:
            for _ in range(20):
                packs.keep(NAME, b"archive" * 10_000)
        except OSError as error:
            failures.append(error)

    threads = [threading.Thread(target=keep) for _ in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert failures == [] and packs.find(NAME) == b"archive" * 10_000
    assert len(list((tmp_path / "packs").iterdir())) == 1
