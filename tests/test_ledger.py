"""Batches: each message gets its own answer, and what was answered with a receipt is in the log once."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import pytest
from bolt_proxy import COMMIT, bolt_proxy
from builders import (
    SOURCE,
    agent_id,
    envelope_of,
    reference_to,
    segment,
    sign,
    signed_registration,
    signed_request,
    signed_response,
    signed_source,
    signed_statement,
    statement_message,
)
from graph_contents import count_everything, nodes_with_label
from platform_fixture import platform
from scenario import pieces, signed_node_policy
from servers import log_of, receipts_of, server_on

from a2ap.canonical import sha256_digest
from a2ap.errors import A2APError
from a2ap.messages.message import read_message
from graph.content.content_store import ContentStore
from graph.content.object_folder import ObjectFolder
from graph.database.endpoint import Endpoint
from graph.errors import NotRegisteredError, QueryError, StoreUnavailableError, TargetError
from graph.evidence.machine import CHUNK_TEXT_LIMIT
from graph.log.entry import Outcome, Receipt
from graph.platform import Platform
from graph.store import Store, Transaction, connect_store
from graph.submission.state_loader import load_state
from graph.submission.submission import Submission
from graph.submission.writer import MAX_BATCH, Writer

__all__ = ["platform"]

pytestmark = pytest.mark.both_engines

T = TypeVar("T")
MARK = "a claim that cannot be written"


class PickyTransaction(Transaction):
    """A transaction that refuses a row with the mark in it, as a database does that cannot hold it."""

    async def run(self, name: str, /, **parameters: Any) -> list[dict[str, Any]]:
        if MARK in repr(parameters):
            raise QueryError(f"{name}: the value is not one that this database takes")
        return await super().run(name, **parameters)


class PickyStore(Store):
    """The store of the test, with transactions that refuse marked rows; counts the others."""

    def __init__(self, store: Store) -> None:
        super().__init__(
            store._driver,
            store.endpoint,
            observe=store.observe,
            timeout=store._timeout,
            queries=store._queries,
            texts=store.texts,
            pulse=store.pulse,
        )

    async def write(self, work: Any) -> Any:
        async def picky(transaction: Transaction) -> Any:
            return await work(PickyTransaction(transaction._transaction, transaction._checked, transaction._kind))

        return await super().write(picky)


class PickyContent(ContentStore):
    """A content store in which something nobody thought of goes wrong with marked content."""

    def __init__(self, data: Path) -> None:
        super().__init__(ObjectFolder(data), data / ".ctx" / "incoming")

    async def put_many(self, contents: Sequence[bytes]) -> tuple[str, ...]:
        if any(MARK.encode() in content for content in contents):
            raise ZeroDivisionError(MARK)
        return await super().put_many(contents)


def claims(count: int, seed: int = 1) -> list[bytes]:
    """Return statements that cite by pointer alone."""
    evidence = [segment(document_hash=None, content_hash=None)]
    return [signed_statement(seed, claim=f"Claim {number} of {seed}.", evidence=evidence) for number in range(count)]


@pytest.mark.parametrize("at_once", [2, 250])
async def test_a_batch_builds_on_itself(platform: Platform, at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("graph.submission.parts.MAX_PART", at_once)
    statement = signed_statement(1)
    later = signed_statement(2, claim="It follows.", supports=[reference_to(statement)])
    outcomes = await platform.submit_many(
        [
            signed_registration(1),
            signed_registration(2),
            signed_source(1),
            statement,
            signed_request(statement, 2),
            signed_response(statement, 2),
            later,
            statement,
            signed_statement(3),
        ]
    )
    *accepted, again, refused = outcomes
    receipts = receipts_of([*accepted, again])
    assert isinstance(refused, NotRegisteredError)
    assert [receipt.created for receipt in receipts] == [True] * 7 + [False]
    assert receipts[-1].entry == receipts[3].entry
    entries = await log_of(platform.store)
    # Entries 0 and 1 are the node's; the machine's verdict follows each of the two statements.
    assert [entry.type for entry in entries[2:]] == [
        *("AgentRegistration", "AgentRegistration", "SourceRegistration"),
        *("ProvenanceStatement", "VerificationResponse", "VerificationRequest", "VerificationResponse"),
        *("ProvenanceStatement", "VerificationResponse"),
    ]
    assert all(entries[receipt.entry.log_index] == receipt.entry for receipt in receipts)
    assert {entry.received_at for entry in entries[2:]} == {receipts[0].entry.received_at}


async def test_only_the_message_that_the_database_refuses_fails(store: Store, tmp_path: Path) -> None:
    documents = [signed_registration(1), *claims(20)]
    documents.insert(13, signed_statement(1, claim=MARK, evidence=[segment(document_hash=None, content_hash=None)]))
    async with server_on(PickyStore(store), tmp_path) as platform:
        outcomes = await platform.submit_many(documents)
        refused = outcomes.pop(13)
        assert isinstance(refused, QueryError)
        receipts = receipts_of(outcomes)
        entries = await log_of(store)
    assert [entries[receipt.entry.log_index].signed_hash for receipt in receipts] == [
        envelope_of(document).signed_hash for document in documents if MARK.encode() not in document
    ]
    assert len(entries) == 2 + 1 + 2 * 20
    assert all(node["claim_text"] != MARK for node in await nodes_with_label(store, "Statement"))


async def test_an_error_that_nobody_thought_of_fails_one_message(store: Store, tmp_path: Path) -> None:
    documents = [signed_registration(1), *claims(5), signed_statement(1, claim=MARK), *claims(5, seed=2)]
    async with server_on(store, tmp_path, content=PickyContent(tmp_path)) as platform:
        outcomes = await platform.submit_many([signed_registration(2), *documents])
        assert [type(outcome) for outcome in outcomes] == [Receipt] * 7 + [ZeroDivisionError] + [Receipt] * 5
        await log_of(store)


@pytest.mark.parametrize("answered", [True, False])
async def test_a_commit_whose_answer_is_lost_leaves_one_entry_and_a_receipt(
    store: Store, engine: Endpoint, tmp_path: Path, answered: bool
) -> None:
    async with (
        bolt_proxy(engine) as proxy,
        connect_store(proxy.endpoint) as through_proxy,
        server_on(through_proxy, tmp_path) as platform,
    ):
        await platform.submit(signed_registration(1))
        proxy.cut_on, proxy.answered = COMMIT, answered
        receipts = receipts_of(await platform.submit_many(claims(3)))
        assert proxy.cuts == 1
        entries = await log_of(store)
    assert [entries[receipt.entry.log_index] for receipt in receipts] == [receipt.entry for receipt in receipts]
    assert len(entries) == 3 + 2 * 3


async def test_one_document_from_many_at_once_is_one_entry(platform: Platform) -> None:
    await platform.submit(signed_registration(1))
    (document,) = claims(1)
    receipts = await asyncio.gather(*(platform.submit(document) for _ in range(20)))
    assert len({receipt.entry for receipt in receipts}) == 1
    assert Counter(receipt.created for receipt in receipts) == {True: 1, False: 19}
    later = await platform.submit(document)
    assert (later.entry, later.created) == (receipts[0].entry, False)
    assert len(await log_of(platform.store)) == 5


async def test_what_arrives_together_is_written_together(platform: Platform) -> None:
    await platform.submit(signed_registration(1))
    transactions = 0

    def observe(name: str) -> None:
        nonlocal transactions
        transactions += name == "append_log_entries"

    platform.store.observe = observe
    receipts = await asyncio.gather(*(platform.submit(document) for document in claims(64)))
    platform.store.observe = None
    assert len({receipt.entry.log_index for receipt in receipts}) == 64
    assert transactions <= 8


async def test_the_state_of_a_batch_is_read_again_if_the_log_has_grown_unseen(platform: Platform) -> None:
    await platform.submit(signed_registration(1))
    message = read_message(signed_statement(1))
    seen: list[str] = []
    platform.store.observe = seen.append
    states = [await load_state(platform.store, [message], known=platform.log.size - unseen) for unseen in (0, 1)]
    platform.store.observe = None
    assert states[0] == states[1] == await load_state(platform.store, [message])
    assert states[0].size == states[0].place == platform.log.size and agent_id(1) in states[0].agents
    assert seen.count("agents_known") == 3


async def test_each_policy_is_scored_for_itself(platform: Platform) -> None:
    seen: list[str] = []
    policies = [signed_node_policy(platform, number, seeds=(), quorum=number) for number in (1, 2, 3)]
    platform.store.observe = seen.append
    receipts_of(await platform.submit_many([signed_registration(1), *policies, signed_registration(2)]))
    platform.store.observe = None
    assert seen.count("append_log_entries") == 5


async def test_a_statement_and_the_verdict_on_it_are_accepted_or_refused_together(platform: Platform) -> None:
    """Its evidence is so long that a verdict which said of every segment what it lacks would be no message."""
    await platform.submit(signed_registration(1))
    evidence = [
        {
            "@type": "a2ap:EvidenceSegment",
            "sourceDocument": "urn:doc:x",
            "documentHash": sha256_digest(b"never held"),
            "chunkId": "urn:chunk:x",
            "byteRange": {"start": start, "end": start + 1},
        }
        for start in range(500)
    ]
    document = signed_statement(1, evidence=evidence)
    receipt = await platform.submit(document)
    entries = await log_of(platform.store)
    assert [entry.type for entry in entries[receipt.entry.log_index :]] == [
        "ProvenanceStatement",
        "VerificationResponse",
    ]
    (node,) = await nodes_with_label(platform.store, "Statement")
    assert node["machine_check"] == "INCONCLUSIVE"
    assert node["machine_reason"].endswith(f"and {len(evidence) - 10} more")
    assert len(node["machine_reason"]) < 3000


class MeetingContent(ContentStore):
    """A content store with which a source arrives just when a statement that cites it is about to be written."""

    def __init__(self, data: Path) -> None:
        super().__init__(ObjectFolder(data), data / ".ctx" / "incoming")
        self.platform: Platform | None = None

    async def put_many(self, contents: Sequence[bytes]) -> tuple[str, ...]:
        names = await super().put_many(contents)
        if self.platform is not None and any(b"ProvenanceStatement" in content for content in contents):
            platform, self.platform = self.platform, None
            await platform.sources.put(sha256_digest(SOURCE), pieces(SOURCE))
        return names


async def test_a_source_that_arrives_meanwhile_is_looked_at(store: Store, tmp_path: Path) -> None:
    content = MeetingContent(tmp_path)
    async with server_on(store, tmp_path, content=content) as platform:
        await platform.submit_many([signed_registration(1), signed_source(1)])
        content.platform = platform
        await platform.submit(signed_statement(1))
        (statement,) = await nodes_with_label(store, "Statement")
        (chunk,) = await nodes_with_label(store, "Chunk")
    assert statement["machine_check"] == "PASS"
    assert chunk["text"] == "The new zoning map keeps the height limit at forty feet."


class MeanwhileContent(ContentStore):
    """A content store with which something else happens just when a part of a batch is about to be written."""

    def __init__(self, data: Path, happens: Callable[[], Awaitable[Any]]) -> None:
        super().__init__(ObjectFolder(data), data / ".ctx" / "incoming")
        self._happens: Callable[[], Awaitable[Any]] | None = happens

    async def put_many(self, contents: Sequence[bytes]) -> tuple[str, ...]:
        names = await super().put_many(contents)
        if self._happens is not None and any(MARK.encode() in content for content in contents):
            happens, self._happens = self._happens, None
            await happens()
        return names


async def test_what_is_planned_ahead_is_planned_again_where_the_log_moved_on(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("graph.submission.parts.MAX_PART", 2)
    marked = signed_statement(1, claim=MARK, evidence=[segment(document_hash=None, content_hash=None)])
    first, *others = claims(4)
    async with server_on(store, tmp_path) as other:
        content = MeanwhileContent(tmp_path, lambda: other.submit(signed_registration(2)))
        async with server_on(store, tmp_path, content=content) as platform:
            outcomes = await platform.submit_many([signed_registration(1), first, marked, *others])
            receipts = receipts_of(outcomes)
            entries = await log_of(store)
            assert platform.log.checkpoint.tree_size == len(entries) == 2 + 1 + 1 + 2 * 5
    assert [entries[receipt.entry.log_index] for receipt in receipts] == [receipt.entry for receipt in receipts]
    assert [receipt.entry.log_index for receipt in receipts] == sorted(r.entry.log_index for r in receipts)


async def test_what_rests_on_a_part_that_could_not_be_written_is_checked_without_it(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("graph.submission.parts.MAX_PART", 2)
    marked = signed_statement(1, claim=MARK, evidence=[segment(document_hash=None, content_hash=None)])
    later = signed_statement(1, claim="It follows.", supports=[reference_to(marked)])
    async with server_on(PickyStore(store), tmp_path) as platform:
        outcomes = await platform.submit_many([signed_registration(1), marked, later, marked, *claims(1)])
        assert [type(outcome) for outcome in outcomes] == [Receipt, QueryError, TargetError, QueryError, Receipt]
        assert len(await log_of(store)) == 2 + 1 + 2


async def test_a_batch_is_bounded_in_number_and_weight() -> None:
    sizes: list[int] = []

    async def append(submissions: Sequence[Submission]) -> list[Outcome]:
        sizes.append(len(submissions))
        return [NotRegisteredError("nobody") for _ in submissions]

    light = Submission(read_message(signed_registration(1)))
    heavy = Submission(read_message(signed_statement(1, evidence=[citing(CHUNK_TEXT_LIMIT)] * 99)))
    assert light.weight == len(light.message.envelope.received)
    assert heavy.weight == len(heavy.message.envelope.received) + 99 * (CHUNK_TEXT_LIMIT + 4096)
    whole = Submission(read_message(signed_statement(1, evidence=[citing(CHUNK_TEXT_LIMIT + 1)])))
    assert whole.weight == len(whole.message.envelope.received) + 4096
    async with Writer(append, max_weight=2 * heavy.weight) as writer:
        await writer.enqueue([light] * (MAX_BATCH + 1))
        await writer.enqueue([heavy] * 5)
    assert sizes == [MAX_BATCH, 1, 2, 2, 1]


def citing(length: int) -> dict[str, Any]:
    return segment() | {"byteRange": {"start": 0, "end": length}}


async def test_a_closed_platform_says_so(store: Store, tmp_path: Path) -> None:
    async with server_on(store, tmp_path) as platform:
        pass
    before = await count_everything(store)
    with pytest.raises(StoreUnavailableError, match="the platform is closed"):
        await platform.submit(signed_registration(1))
    assert await count_everything(store) == before


async def test_bytes_that_are_no_message_are_their_own_error_only(platform: Platform) -> None:
    no_agent = sign(statement_message(1) | {"agent": agent_id(1)}, 1)
    outcomes = await platform.submit_many([b"", signed_registration(1), no_agent, *claims(1), b"[]"])
    assert [isinstance(outcome, A2APError) for outcome in outcomes] == [True, False, True, False, True]
    receipts_of(outcome for outcome in outcomes if not isinstance(outcome, A2APError))
