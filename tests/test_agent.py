"""The agent of the SDK at a real node, blocking and asynchronous."""

import asyncio
import inspect
import json
import stat
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio
from platform_fixture import platform
from scenario import settle
from served import served

import a2ap
import a2ap.verifier
from a2ap import Agent, AsyncAgent, Quote, QuoteForm
from a2ap.agent import DraftError
from a2ap.client import Client, ProblemError, Receipt, UnreachableError
from a2ap.errors import BundleError, KeyFormatError, LogError
from a2ap.log.signed_note import VerifierKey
from a2ap.messages.finding import Finding, FindingStatus
from a2ap.messages.message import read_message
from a2ap.messages.verification_response import Verdict
from a2ap.signing.keys import SigningKey
from graph.platform import Platform

__all__ = ["platform"]

MINUTES = b"The clerk opened the meeting.\nThe council voted five to two to keep the height limit at forty feet.\n"
QUOTE = "keep the height limit at forty feet"
CLAIM = "The height limit stays at forty feet."


class Caller:
    """An agent of either kind; each method is awaited."""

    def __init__(self, agent: Agent | AsyncAgent) -> None:
        self.agent = agent

    def __getattr__(self, name: str) -> Any:
        method = getattr(self.agent, name)
        if not callable(method):
            return method

        async def call(*arguments: Any, **named: Any) -> Any:
            if inspect.iscoroutinefunction(method):
                return await method(*arguments, **named)
            return await asyncio.to_thread(method, *arguments, **named)

        return call


@pytest_asyncio.fixture
async def node(platform: Platform) -> AsyncIterator[str]:
    await settle(platform)
    async with served(platform) as address:
        yield address


@pytest_asyncio.fixture(params=[Agent, AsyncAgent], ids=["blocking", "asynchronous"])
async def clerk(request: pytest.FixtureRequest, node: str, tmp_path: Path) -> Caller:
    """Return a registered agent."""
    made = request.param.create(tmp_path / "clerk.key", name="Clerk's assistant", publisher="City clerk", node=node)
    agent = Caller(made)
    await agent.register()
    return agent


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the pauses between repeated requests short."""
    monkeypatch.setattr("a2ap.agent.exchange._FIRST_PAUSE", 0.01)


def again(agent: Caller, tmp_path: Path, **settings: Any) -> Caller:
    """Return the same agent as another process loads it."""
    return Caller(type(agent.agent).load(tmp_path / "clerk.key", agent.node, **settings))


async def message_of(node: str, receipt: Receipt) -> Any:
    """Return a message as the node has it."""
    with Client(node) as client:
        return read_message(await asyncio.to_thread(client.message, receipt.document_hash))


async def test_a_claim_takes_three_lines(clerk: Caller, node: str, tmp_path: Path) -> None:
    path = tmp_path / "minutes.txt"
    path.write_bytes(MINUTES)
    agent = again(clerk, tmp_path)
    minutes = await agent.source(path, title="Minutes of the council")
    receipt = await agent.claim(CLAIM, quote=QUOTE, source=minutes)
    statement = await message_of(node, receipt)
    assert (statement.claim.text, statement.agent.name) == (CLAIM, "Clerk's assistant")
    (segment,) = statement.evidence
    assert segment.quote.text == QUOTE and segment.document_hash == minutes.document_hash
    assert MINUTES[segment.byte_range.start : segment.byte_range.end] == QUOTE.encode()


async def test_the_bundle_of_a_claim_is_verified_without_the_node(clerk: Caller) -> None:
    minutes = await clerk.source(MINUTES, title="Minutes")
    bundle = await clerk.bundle(await clerk.claim(CLAIM, quote=QUOTE, source=minutes))
    report = await clerk.verify(bundle)
    assert report.statement.claim.text == CLAIM and report.sources == {minutes.document_hash: MINUTES}
    with pytest.raises(BundleError):
        await clerk.verify(json.dumps(json.loads(bundle) | {"checkpoint": "another\n"}).encode())


async def test_a_repeated_claim_is_the_same_statement_in_another_process_too(clerk: Caller, tmp_path: Path) -> None:
    minutes = await clerk.source(MINUTES, title="Minutes")
    first = await clerk.claim(CLAIM, quote=QUOTE, source=minutes)
    assert first.created
    other = again(clerk, tmp_path)
    assert await other.source(MINUTES, title="Minutes") == minutes
    second = await other.claim(CLAIM, quote=QUOTE, source=minutes)
    assert not second.created and second.log_index == first.log_index
    assert not (await other.register()).created


async def test_the_same_words_on_other_evidence_are_another_statement(clerk: Caller) -> None:
    minutes = await clerk.source(MINUTES, title="Minutes")
    first = await clerk.claim(CLAIM, quote=QUOTE, source=minutes)
    second = await clerk.claim(CLAIM, quote="voted five to two", source=minutes)
    assert second.created and second.id != first.id


@pytest.mark.parametrize(
    "changed", [{"confidence": 0.5}, {"method": "reading"}, {"supports": True}, {"generated_by": "sha256:" + "0" * 64}]
)
async def test_the_same_words_stated_otherwise_are_another_statement(
    clerk: Caller, node: str, changed: dict[str, Any]
) -> None:
    minutes = await clerk.source(MINUTES, title="Minutes")
    vote = await clerk.claim("There was a vote.", quote="five to two", source=minutes)
    first = await clerk.claim(CLAIM, quote=QUOTE, source=minutes)
    more = {"supports": vote} if "supports" in changed else changed
    second, third = [await clerk.claim(CLAIM, quote=QUOTE, source=minutes, **more) for _ in range(2)]
    assert second.created and second.id != first.id and (third.created, third.id) == (False, second.id)
    statement = await message_of(node, second)
    assert [one.id for one in statement.supports] == ([vote.id] if "supports" in changed else [])
    assert (await clerk.claim(CLAIM, quote=QUOTE, source=minutes)).id == first.id


async def test_all_problems_of_a_claim_are_told_at_once_and_nothing_is_sent(
    clerk: Caller, platform: Platform, tmp_path: Path
) -> None:
    minutes = await clerk.source(MINUTES, title="Minutes")
    size, sent = platform.log.size, (tmp_path / "clerk.key.outbox.ndjson").read_bytes()
    wrong = {"quote": ["forty meters", "the "], "source": minutes, "confidence": 1.5}
    with pytest.raises(DraftError) as refused:
        await clerk.claim(" ", **wrong)
    assert [problem.partition(":")[0] for problem in refused.value.problems] == [
        "the claim has no text",
        "confidence is 1.5, not a number from 0 to 1",
        "quote 1",
        "quote 2",
    ]
    draft = await clerk.claim(" ", dry_run=True, **wrong)
    assert draft.message is None and draft.problems == refused.value.problems
    assert platform.log.size == size and (tmp_path / "clerk.key.outbox.ndjson").read_bytes() == sent


async def test_a_dry_run_gives_the_message_and_sends_nothing(clerk: Caller, platform: Platform) -> None:
    minutes = await clerk.source(MINUTES, title="Minutes")
    size = platform.log.size
    draft = await clerk.claim(CLAIM, quote=QUOTE, source=minutes, dry_run=True)
    assert draft.problems == () and draft.message["claim"]["text"] == CLAIM and "signature" not in draft.message
    assert platform.log.size == size


async def test_quotes_come_as_words_as_erasable_words_and_as_places(clerk: Caller, node: str) -> None:
    minutes = await clerk.source(MINUTES, title="Minutes")
    quotes = [
        Quote(QUOTE, relevance=0.8),
        Quote("five to two", form=QuoteForm.REDACTABLE),
        Quote("clerk", form=QuoteForm.POINTER),
        Quote("the ", start=MINUTES.index(b"the meeting")),
    ]
    statement = await message_of(node, await clerk.claim(CLAIM, quote=quotes, source=minutes))
    words, erasable, pointer, second = statement.evidence
    assert (words.quote.text, words.quote.digest, words.relevance_score) == (QUOTE, None, 0.8)
    assert erasable.quote.text == "five to two" and erasable.quote.digest is not None
    assert pointer.quote is None and pointer.content_hash is not None
    assert second.byte_range.start == MINUTES.index(b"the meeting")


async def test_a_statement_is_revised_related_and_retracted(clerk: Caller, node: str) -> None:
    minutes = await clerk.source(MINUTES, title="Minutes")
    first = await clerk.claim(CLAIM, quote=QUOTE, source=minutes)
    revised = await clerk.revise(first, "The height limit stays.", quote=QUOTE, source=minutes)
    statement = await message_of(node, revised)
    assert statement.was_revision_of.target_hash == first.signed_hash
    about = await clerk.claim("The vote was five to two.", quote="five to two", source=minutes, supports=revised.id)
    assert (await message_of(node, about)).supports[0].target_hash == revised.signed_hash
    retraction = await message_of(node, await clerk.retract(about, "It was six to one."))
    assert (retraction.target_hash, retraction.reason) == (about.signed_hash, "It was six to one.")


async def test_a_verifier_answers_a_request_and_challenges(clerk: Caller, node: str, tmp_path: Path) -> None:
    minutes = await clerk.source(MINUTES, title="Minutes")
    claim = await clerk.claim(CLAIM, quote=QUOTE, source=minutes)
    request = await clerk.request_verification(claim, wanted_verdicts=1)
    made = type(clerk.agent).create(tmp_path / "reader.key", name="Second reader", publisher="Archive", node=node)
    reader = Caller(made)
    await reader.register()
    found = dict.fromkeys(("source-accuracy", "evidence-sufficiency", "logical-consistency"), "PASS")
    verdict = await message_of(node, await reader.verdict(claim.id, found, request=request))
    assert (verdict.verdict, verdict.request.target_hash) == (Verdict.VALIDATED, request.signed_hash)
    counter = await reader.claim("The limit is in force.", quote=QUOTE, source=minutes, contradicts=claim)
    quote = Quote("five to two", source=minutes)
    challenge = await reader.challenge(
        claim, "logical-consistency", "A vote is no limit.", quote=quote, counter_statement=counter
    )
    given = await message_of(node, challenge)
    assert (given.verdict, given.reason) == (Verdict.CHALLENGED, "A vote is no limit.")
    assert given.counter_statement.target_hash == counter.signed_hash and given.evidence[0].quote is None
    endorsement = await message_of(node, await clerk.endorse(reader.agent.id))
    assert endorsement.endorsed_agent == reader.agent.id
    with pytest.raises(DraftError, match="is 'MAYBE', none of PASS, FAIL, INCONCLUSIVE"):
        await reader.verdict(claim, {"source-accuracy": "MAYBE"})


async def test_the_node_answers_questions_and_finds_statements(clerk: Caller) -> None:
    minutes = await clerk.source(MINUTES, title="Minutes")
    receipt = await clerk.claim(CLAIM, quote=QUOTE, source=minutes)
    assert (await clerk.search("height limit"))["hits"][0]["statement"]["id"] == receipt.id
    assert (await clerk.ask("What did they say about the height limit?"))["question"]


class LostAnswers(httpx.AsyncBaseTransport, httpx.BaseTransport):
    """Real connections on which the first answers to a path are lost after the node has given them."""

    def __init__(self, path: str, number: int) -> None:
        self.path, self.left = path, number
        self._blocking, self._asynchronous = httpx.HTTPTransport(), httpx.AsyncHTTPTransport()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        response = self._blocking.handle_request(request)
        self._lose(request)
        return response

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        response = await self._asynchronous.handle_async_request(request)
        self._lose(request)
        return response

    def _lose(self, request: httpx.Request) -> None:
        if request.url.path == self.path and self.left:
            self.left -= 1
            raise httpx.ReadError("connection reset", request=request)


async def test_a_lost_answer_is_asked_for_again(clerk: Caller, tmp_path: Path, quick: None) -> None:
    minutes = await clerk.source(MINUTES, title="Minutes")
    agent = again(clerk, tmp_path, transport=LostAnswers("/statements", 2))
    receipt = await agent.claim(CLAIM, quote=QUOTE, source=minutes)
    assert not receipt.created  # The first request was taken.


async def test_a_message_without_an_answer_is_sent_after_a_crash(clerk: Caller, tmp_path: Path, quick: None) -> None:
    minutes = await clerk.source(MINUTES, title="Minutes")
    agent = again(clerk, tmp_path, transport=LostAnswers("/statements", 99))
    with pytest.raises(UnreachableError, match="connection reset"):
        await agent.claim(CLAIM, quote=QUOTE, source=minutes)
    (receipt,) = await again(clerk, tmp_path).flush()
    assert receipt.type == "ProvenanceStatement"
    assert await again(clerk, tmp_path).flush() == []


async def test_a_flush_goes_on_behind_a_refusal(clerk: Caller, node: str, tmp_path: Path, quick: None) -> None:
    minutes = await clerk.source(MINUTES, title="Minutes")
    receipt = await clerk.claim(CLAIM, quote=QUOTE, source=minutes)
    agent = again(clerk, tmp_path, transport=LostAnswers("/retractions", 99))
    with pytest.raises(UnreachableError):
        await agent.retract(replace(receipt, signed_hash="sha256:" + "0" * 64))
    with pytest.raises(UnreachableError):
        await agent.retract(receipt)
    answers = await again(clerk, tmp_path).flush()
    assert [type(one) for one in answers] == [ProblemError, Receipt]
    # The refused one waits for its target, which may come.
    assert [type(one) for one in await again(clerk, tmp_path).flush()] == [ProblemError]


async def test_an_agent_that_stopped_before_it_was_registered_registers_later(node: str, tmp_path: Path) -> None:
    Agent.create(tmp_path / "new.key", name="New", publisher="New", node=node).close()
    loaded = Caller(Agent.load(tmp_path / "new.key", node))
    with pytest.raises(ProblemError):
        await loaded.source(MINUTES, title="Minutes")
    assert (await loaded.register()).created
    assert (await loaded.source(MINUTES, title="Minutes")).content == MINUTES
    assert await loaded.flush() == []


async def test_agents_whose_keys_lie_side_by_side_are_two(clerk: Caller, node: str, tmp_path: Path) -> None:
    both = [
        Caller(type(clerk.agent).create(tmp_path / f"team.{one}", name=one, publisher="Team", node=node))
        for one in "ab"
    ]
    for one in both:
        assert (await one.register()).created
    shared = tmp_path / "shared.ndjson"
    first, second = (type(clerk.agent).load(tmp_path / f"team.{one}", node, outbox=shared) for one in "ab")
    minutes = await Caller(first).source(MINUTES, title="Minutes")
    drafts = [await Caller(one).claim(CLAIM, quote=QUOTE, source=minutes, dry_run=True) for one in (first, second)]
    assert [draft.message["agent"]["@id"] for draft in drafts] == [first.id, second.id]


async def test_a_claim_is_the_same_statement_after_its_outbox_was_lost(clerk: Caller, tmp_path: Path) -> None:
    minutes = await clerk.source(MINUTES, title="Minutes")
    first = await clerk.claim(CLAIM, quote=QUOTE, source=minutes)
    second = await again(clerk, tmp_path, outbox=tmp_path / "new.ndjson").claim(CLAIM, quote=QUOTE, source=minutes)
    assert (second.created, second.log_index) == (False, first.log_index)


async def test_a_retracted_claim_is_made_anew_and_a_verdict_changes_there_and_back(
    clerk: Caller, node: str, tmp_path: Path
) -> None:
    minutes = await clerk.source(MINUTES, title="Minutes")
    first = await clerk.claim(CLAIM, quote=QUOTE, source=minutes)
    await clerk.retract(first)
    second = await clerk.claim(CLAIM, quote=QUOTE, source=minutes)
    assert second.created and second.id != first.id
    assert not (await clerk.claim(CLAIM, quote=QUOTE, source=minutes)).created
    reader = Caller(type(clerk.agent).create(tmp_path / "reader.key", name="Reader", publisher="Archive", node=node))
    await reader.register()
    given = [
        await reader.verdict(second, {"source-accuracy": status}, reason="I read it.")
        for status in ("PASS", "PASS", "FAIL", "PASS")
    ]
    assert [one.created for one in given] == [True, False, True, True]


async def test_no_node_makes_an_agent_sign_about_another_message(clerk: Caller, tmp_path: Path) -> None:
    minutes = await clerk.source(MINUTES, title="Minutes")
    first = await clerk.claim(CLAIM, quote=QUOTE, source=minutes)
    second = await clerk.claim("There was a vote.", quote="five to two", source=minutes)
    deceived = again(clerk, tmp_path, transport=Substituting(f"/statements/{first.id}", f"/statements/{second.id}"))
    with pytest.raises(UnreachableError, match="with another message"):
        await deceived.retract(first.id)
    with pytest.raises(UnreachableError, match="with another message"):
        await deceived.revise(first.id, "The limit stays.", quote=QUOTE, source=minutes)
    await deceived.retract(first)  # The receipt says all that a retraction names.
    other = again(
        clerk, tmp_path, outbox=None, transport=Substituting(f"/agents/{clerk.id}", f"/statements/{second.id}")
    )
    with pytest.raises(UnreachableError, match="no registration of"):
        await other.claim("The limit stays.", quote=QUOTE, source=minutes)


class Substituting(httpx.AsyncBaseTransport, httpx.BaseTransport):
    """Real connections on which one address is answered with the resource of another."""

    def __init__(self, asked: str, answered: str) -> None:
        self.asked, self.answered = asked, answered
        self._blocking, self._asynchronous = httpx.HTTPTransport(), httpx.AsyncHTTPTransport()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        return self._blocking.handle_request(self._changed(request))

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        return await self._asynchronous.handle_async_request(self._changed(request))

    def _changed(self, request: httpx.Request) -> httpx.Request:
        if request.url.path == self.asked:
            request.url = request.url.copy_with(path=self.answered)
        return request


async def test_a_challenge_challenges_under_each_criterion_and_says_why(
    clerk: Caller, node: str, tmp_path: Path
) -> None:
    minutes = await clerk.source(MINUTES, title="Minutes")
    claim = await clerk.claim(CLAIM, quote=QUOTE, source=minutes)
    reader = Caller(type(clerk.agent).create(tmp_path / "reader.key", name="Reader", publisher="Archive", node=node))
    await reader.register()
    given = await reader.challenge(
        claim, "evidence-sufficiency", "One vote is not enough.", quote="five to two", source=minutes
    )
    assert (await message_of(node, given)).verdict is Verdict.CHALLENGED
    with pytest.raises(DraftError, match="says why"):
        await reader.verdict(claim, {"source-accuracy": "FAIL"})
    with pytest.raises(DraftError, match="is about logical-consistency"):
        finding = Finding("logical-consistency", FindingStatus.PASS, "", 0.9)
        await reader.verdict(claim, {"source-accuracy": finding})


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"confidence": float("nan")}, "confidence is nan"),
        ({"quote": Quote(QUOTE, relevance=float("nan"))}, "relevance of quote 1 is nan"),
        ({"quote": Quote(QUOTE, start=2**60)}, "at byte"),
        ({"quote": "\ud800"}, "is no text"),
        ({"text": "a\ud800"}, "the claim is no text"),
        ({"generated_by": "sha256:none"}, "generated_by is 'sha256:none'"),
    ],
)
async def test_a_value_that_no_statement_may_have_is_one_problem(
    clerk: Caller, change: dict[str, Any], problem: str
) -> None:
    minutes = await clerk.source(MINUTES, title="Minutes")
    stated = {"text": CLAIM, "quote": QUOTE, "source": minutes, **change}
    with pytest.raises(DraftError, match=problem) as refused:
        await clerk.claim(stated.pop("text"), **stated)
    assert len(refused.value.problems) == 1


@pytest.mark.parametrize("node", ["127.0.0.1:8000", "http://[::1", "ftp://node.example", ""])
def test_an_address_that_is_none_is_refused_before_a_key_is_made(tmp_path: Path, node: str) -> None:
    with pytest.raises(ValueError, match="not an http or https address"):
        Agent.create(tmp_path / "clerk.key", name="Clerk", publisher="City clerk", node=node)
    assert list(tmp_path.iterdir()) == []


async def test_a_receipt_of_another_log_is_refused(clerk: Caller, node: str, tmp_path: Path) -> None:
    other = VerifierKey("another.example", SigningKey(bytes(32)).public_key).text
    pinned = again(clerk, tmp_path, log_key=other)
    with pytest.raises(LogError):
        await pinned.register()
    kept = tmp_path / "clerk.key.logs.json"
    assert json.loads(kept.read_text()).keys() == {node}
    kept.write_text(json.dumps({node: other}))
    with pytest.raises(LogError):
        await again(clerk, tmp_path).register()


async def test_a_source_that_another_agent_owns_is_cited_all_the_same(clerk: Caller, node: str, tmp_path: Path) -> None:
    await clerk.source(MINUTES, title="Minutes")
    other = Caller(type(clerk.agent).create(tmp_path / "other.key", name="Other", publisher="Other", node=node))
    await other.register()
    minutes = await other.source(MINUTES, title="The same minutes")
    assert (await other.claim("There was a vote.", quote="five to two", source=minutes)).created


async def test_an_agent_fetches_a_document_without_its_token(clerk: Caller, node: str, tmp_path: Path) -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heads.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(
            b"HTTP/1.1 200 OK\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: %d\r\n\r\n" % len(MINUTES)
        )
        writer.write(MINUTES)
        await writer.drain()
        writer.close()

    heads: list[bytes] = []
    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/minutes.txt"
        source = await clerk.fetch(url.replace("http://", "http://user:password@"))
        assert (source.content, source.title) == (MINUTES, "minutes.txt")
        with pytest.raises(ProblemError, match="token"):  # The node refuses the token; the document came without it.
            await again(clerk, tmp_path, token="secret-token").fetch(url)
    assert len(heads) == 2 and not any(b"secret-token" in head for head in heads)


def test_an_agent_is_made_from_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    key = tmp_path / "clerk.key"
    created = Agent.create(key, name="Clerk O'Neil (council)", publisher="City clerk")
    assert created.id.startswith("urn:agent:clerk-o-neil-council:")
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    monkeypatch.setenv("A2AP_KEY", str(key))
    monkeypatch.setenv("A2AP_URL", "http://127.0.0.1:9/")
    found = Agent.from_env()
    assert (found.id, found.node) == (created.id, "http://127.0.0.1:9")
    with pytest.raises(FileExistsError):
        Agent.create(key, name="Clerk", publisher="City clerk")
    monkeypatch.delenv("A2AP_KEY")
    with pytest.raises(KeyFormatError, match="A2AP_KEY"):
        Agent.from_env()


def test_both_kinds_of_agent_have_the_same_methods() -> None:
    def signatures(kind: type) -> dict[str, str]:
        public = inspect.getmembers(kind, inspect.isfunction)
        found = {name: str(inspect.signature(one)) for name, one in public if not name.startswith("_")}
        return {name: text.replace("AsyncIterator", "Iterator") for name, text in found.items()}

    blocking, asynchronous = signatures(Agent), signatures(AsyncAgent)
    assert blocking.keys() - {"close"} == asynchronous.keys() - {"aclose"}
    assert all(blocking[name] == asynchronous[name] for name in blocking.keys() - {"close"})
    assert set(a2ap.__all__) <= {*dir(a2ap.agent), *a2ap.verifier.__all__}
