"""Functions whose runs an agent records as packs: their arguments, results, failures and claims."""

import asyncio
import inspect
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from node_packs import Taken

from a2ap import Agent, AsyncAgent, Quote, Source
from a2ap.agent import RunError, RunWarning
from a2ap.canonical import sha256_digest
from a2ap.client import Client, Receipt
from a2ap.messages.message import read_message
from a2ap.messages.statement import ProvenanceStatement
from a2ap.pack.read_manifest import read_manifest
from a2ap.testing import MakeAgent
from a2ap.testing.node import Node

MINUTES = b"The council voted five to two to keep the height limit at forty feet."


@pytest.fixture
def clerk(make_a2ap_agent: MakeAgent) -> Agent:
    return make_a2ap_agent("Clerk")


def test_a_run_is_a_pack_with_its_arguments_result_and_times(clerk: Agent, a2ap_node: Node, tmp_path: Path) -> None:
    @clerk.provenance
    def summary(text: str, data: bytes, file: Path, numbers: list[int], words: int = 5, **more: Any) -> dict[str, int]:
        """Return a summary."""
        return {"words": words, "numbers": sum(numbers)}

    path = tmp_path / "minutes.txt"
    path.write_bytes(MINUTES)
    assert summary("ä", b"\0\xff", path, [1, 2], more="x") == {"words": 5, "numbers": 3}
    assert summary.__name__ == "summary" and summary.__doc__ == "Return a summary."
    pack = Taken(a2ap_node, clerk.last_pack)
    assert pack.inputs() == {
        **{"text": "ä".encode(), "data": b"\0\xff", "file": MINUTES, "numbers": b"[1, 2]"},
        **{"words": b"5", "more": b'{"more": "x"}'},
    }
    assert {name: json.loads(one) for name, one in pack.outputs().items()} == {"result": {"words": 5, "numbers": 3}}
    first, last = pack.manifest.steps
    source = sha256_digest(inspect.getsource(inspect.unwrap(summary)).encode())
    assert (first.type, first.parameters) == ("function_call", {"source": source})
    assert first.tool.startswith("test_agent_runs.") and first.tool.endswith(".summary")
    assert (last.type, last.parameters, last.index) == ("function_end", {"status": "completed"}, 1)
    assert first.timestamp <= last.timestamp == pack.manifest.created
    assert source.encode() in pack.content(pack.manifest.system_prompt)
    with Client(a2ap_node.url) as client:
        query = "query ($hash: ID!) { pack(hash: $hash) { findings { code } } }"
        assert client.graphql(query, {"hash": pack.name})["pack"] == {"findings": []}


def test_a_claim_within_a_run_names_it_and_the_run_names_the_claim(clerk: Agent, a2ap_node: Node) -> None:
    @clerk.provenance
    def report(minutes: Source) -> list[Receipt]:
        problems = clerk.claim("It stays.", quote="no such words", source=minutes, dry_run=True).problems
        assert problems and clerk.last_pack is None
        return [clerk.claim(text, quote="height limit", source=minutes) for text in ("It stays.", "It is kept.")]

    minutes = clerk.source(MINUTES, title="Minutes")
    receipts = report(minutes)
    after = clerk.claim("It was voted.", quote=Quote("voted"), source=minutes)
    whole = Taken(a2ap_node, clerk.last_pack)
    begun = Taken(a2ap_node, whole.manifest.parent)
    assert begun.inputs() == whole.inputs() == {"minutes": MINUTES}
    claims = [step for step in whole.manifest.steps if step.type == "claim"]
    assert [step.parameters and step.parameters["signedHash"] for step in claims] == [r.signed_hash for r in receipts]
    for receipt, step in zip(receipts, claims, strict=True):
        statement = read_message(whole.content(step.output_ref))
        assert isinstance(statement, ProvenanceStatement) and statement.envelope.signed_hash == receipt.signed_hash
        assert statement.generated_by == (begun.name,)
    with Client(a2ap_node.url) as client:
        events = client.lineage(receipts[0].signed_hash)["events"]["nodes"]
        assert begun.name in [one["name"] for one in events if one["kind"] == "PACK"]
        outside = read_message(client.message(after.document_hash))
    assert isinstance(outside, ProvenanceStatement) and outside.generated_by == ()


def test_a_function_that_raises_is_recorded_as_failed_and_the_error_is_raised_on(clerk: Agent, a2ap_node: Node) -> None:
    @clerk.provenance
    def fail(words: str) -> None:
        raise LookupError(f"no {words}: secret")

    with pytest.raises(LookupError, match="no minutes: secret"):
        fail("minutes")
    pack = Taken(a2ap_node, clerk.last_pack)
    assert pack.outputs() == {"error": b'{"type": "builtins.LookupError"}'}
    assert pack.manifest.steps[-1].parameters == {"status": "failed", "error": "builtins.LookupError"}
    assert b"secret" not in b"".join(pack.content(name) for name in pack.manifest.blobs)


def test_an_argument_that_cannot_be_recorded_is_refused_before_the_run(clerk: Agent, a2ap_node: Node) -> None:
    ran: list[object] = []

    def store(words: str, place: object) -> int:
        ran.append(place)
        return len(words)

    with pytest.raises(RunError, match=r"the argument 'place' of .*store is object, neither bytes, text, a path, "):
        clerk.provenance(store)("minutes", object())
    with pytest.raises(
        RunError, match=r"the argument 'place' of .*store is the path .*, which cannot be read: No such"
    ):
        clerk.provenance(store)("minutes", Path("/none"))
    with pytest.raises(RunError, match="is no text: it has a lone surrogate"):
        clerk.provenance(store)("\ud800", 1)
    assert ran == [] and clerk.last_pack is None
    assert clerk.provenance(inputs=["words"])(store)("minutes", object()) == 7
    assert Taken(a2ap_node, clerk.last_pack).inputs() == {"words": b"minutes"}


def test_a_result_that_cannot_be_recorded_is_told_with_the_result(clerk: Agent, a2ap_node: Node) -> None:
    def make() -> set[int]:
        return {1, 2}

    with pytest.raises(RunError, match=r"the result of .*make is set, neither bytes") as refused:
        clerk.provenance(make)()
    assert refused.value.result == {1, 2}
    assert Taken(a2ap_node, clerk.last_pack).manifest.steps[-1].parameters is not None
    assert clerk.provenance(outputs=sorted)(make)() == {1, 2}
    assert Taken(a2ap_node, clerk.last_pack).outputs() == {"result": b"[1, 2]"}


def test_a_large_value_is_recorded_by_its_hash(clerk: Agent, a2ap_node: Node, tmp_path: Path) -> None:
    path = tmp_path / "large.bin"
    path.write_bytes(b"x" * (5 * 2**20))
    assert clerk.provenance(lambda file: file.stat().st_size)(path) == 5 * 2**20
    told = json.loads(Taken(a2ap_node, clerk.last_pack).inputs()["file"])
    assert told == {"length": 5 * 2**20, "sha256": sha256_digest(path.read_bytes()).removeprefix("sha256:")}


def test_the_pack_has_the_model_and_the_class_that_are_stated(clerk: Agent, a2ap_node: Node) -> None:
    clerk.provenance(model="gpt-5", boundary="internal")(lambda: "closed")()
    with Client(a2ap_node.url, a2ap_node.operator_token) as operator:
        manifest = read_manifest(operator.record("/packs", clerk.last_pack or "")).manifest
    assert manifest.model.identifier == "gpt-5"
    with Client(a2ap_node.url) as reader, pytest.raises(Exception, match="403"):
        reader.record("/packs", clerk.last_pack or "")


def test_a_node_that_is_away_costs_no_result_and_the_pack_is_sent_later(
    clerk: Agent, a2ap_node: Node, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("a2ap.agent.exchange._FIRST_PAUSE", 0.01)
    outbox = tmp_path / "outbox.ndjson"
    away = Agent(clerk._operations.identity, "http://127.0.0.1:9", outbox=outbox)
    with pytest.warns(RunWarning, match=r"the node has not taken the pack sha256:\w+: .*connection refused"):
        assert away.provenance(lambda: 7)() == 7
    outbox.write_text(outbox.read_text().replace("http://127.0.0.1:9", a2ap_node.url))
    back = Agent(clerk._operations.identity, a2ap_node.url, outbox=outbox)
    (receipt,) = back.flush()
    assert isinstance(receipt, Receipt) and receipt.type == "RecordRegistration"
    assert Taken(a2ap_node, away.last_pack).outputs() == {"result": b"7"}
    assert back.flush() == [] and not list((tmp_path / "outbox.ndjson.packs").iterdir())


async def test_a_coroutine_is_recorded_by_an_asynchronous_agent(make_a2ap_agent: MakeAgent, a2ap_node: Node) -> None:
    clerk = make_a2ap_agent("Clerk", kind=AsyncAgent)

    @clerk.provenance
    async def report(text: str) -> Receipt:
        minutes = await clerk.source(MINUTES, title="Minutes")
        return await clerk.claim(text, quote="height limit", source=minutes)

    both = await asyncio.gather(report("It stays."), report("It is kept."))
    assert len({one.signed_hash for one in both}) == 2
    whole = await asyncio.to_thread(Taken, a2ap_node, clerk.last_pack)
    assert [step.type for step in whole.manifest.steps] == ["function_call", "claim", "function_end"]

    @clerk.provenance()
    async def wait() -> None:
        await asyncio.sleep(60)

    with pytest.raises(TimeoutError):
        await asyncio.wait_for(wait(), 0.05)
    (receipt,) = await clerk.flush()  # A task that is cancelled sends nothing.
    assert isinstance(receipt, Receipt)
    failed = await asyncio.to_thread(Taken, a2ap_node, clerk.last_pack)
    assert failed.manifest.steps[-1].parameters == {"status": "failed", "error": "asyncio.exceptions.CancelledError"}


def test_functions_of_another_kind_are_refused(clerk: Agent) -> None:
    async def wait() -> None: ...

    def each() -> Any:
        yield 1

    def plain(words: str) -> None: ...

    asynchronous = AsyncAgent(clerk._operations.identity)
    wrong: list[tuple[Callable[[], object], type[Exception], str]] = [
        (lambda: clerk.provenance(wait), TypeError, "wait is a coroutine function, which Agent.provenance does not"),
        (lambda: asynchronous.provenance(plain), TypeError, "plain is no coroutine function, which AsyncAgent.prov"),  # type: ignore[type-var]
        (lambda: clerk.provenance(each), TypeError, "each is a generator"),
        (lambda: clerk.provenance(inputs="word")(plain), ValueError, "inputs names 'word', which is no parameter of"),
    ]
    for decorate, kind, told in wrong:
        with pytest.raises(kind, match=told):
            decorate()
