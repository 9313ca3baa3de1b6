"""The node's check of closed sources: sealed in a verdict that follows from public sources alone (decision 0042)."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest_asyncio
from builders import (
    SOURCE,
    segment,
    signed_response,
    signed_source,
    signed_statement,
    source_redaction_message,
)
from http_client import OPERATOR, READERS, ask, bearer, open_client
from hypothesis import given
from hypothesis import strategies as st
from patience import PATIENT
from scenario import AUTHOR, VERIFIER_A, VERIFIER_B, accept, hash_of, pieces, settle

from a2ap.boundary import Boundary
from a2ap.canonical import sha256_digest
from a2ap.messages.message import read_message
from a2ap.messages.statement import ProvenanceStatement
from a2ap.messages.verification_response import Verdict, VerificationResponse
from a2ap.signing.keys import SigningKey
from graph.content.content_store import open_content_store
from graph.evidence.cited_bytes import CitedBytes
from graph.evidence.machine import MachineResult, check_statement, machine_response, sealed_status
from graph.evidence.machine_check import CheckStatus
from graph.node import load_node, node_from_key
from graph.platform import Platform, platform_on
from graph.settings import Settings
from graph.store import Store

CLOSED = b"Minutes of a closed session.\nThe merger closes in March.\n"
CLOSED_ID = "urn:doc:test:closed-session"
WORDS = "The merger closes in March."
NODE = node_from_key(SigningKey.generate(bytes(32)))
CLEARED = READERS["confidential"]

QUERY = """query ($statement: ID!) { statement(id: $statement) {
  machineCheck sealedCheck machineReason evidenceState consensusScore verified
  verifications { verdict machine reason findings { criterion status } } } }"""


def quoting(quote: str, claim: str = "A merger was discussed.") -> bytes:
    """Return a statement that quotes these words where the closed source has others or the same."""
    cited = segment(WORDS, source=CLOSED, source_id=CLOSED_ID)
    cited.pop("contentHash", None)
    return signed_statement(AUTHOR, claim=claim, evidence=[cited | {"quoteText": quote}])


def quoting_both(quote: str) -> bytes:
    """Return a statement that quotes the closed source as it is, and these words of the public one."""
    cited = segment(WORDS, source=CLOSED, source_id=CLOSED_ID)
    return signed_statement(AUTHOR, claim="Both were said.", evidence=[cited, segment() | {"quoteText": quote}])


def statement_of(document: bytes) -> ProvenanceStatement:
    message = read_message(document)
    assert isinstance(message, ProvenanceStatement)
    return message


def found(document: bytes, content: bytes, given_class: Boundary) -> MachineResult:
    """Return the outcome for a statement whose passage has this content in a source of this class."""
    return check_statement(statement_of(document), [CitedBytes(1000, content)], [given_class])


def verdict_on(result: MachineResult, document: bytes) -> VerificationResponse:
    return machine_response(NODE, statement_of(document), result, statement_of(document).envelope.time)


@PATIENT
@given(st.text(max_size=40), st.sampled_from([one for one in Boundary if one is not Boundary.PUBLIC]))
def test_all_of_a_verdict_but_a_salted_digest_is_the_same_whatever_closed_bytes_say(
    content: str, boundary: Boundary
) -> None:
    statement = quoting(WORDS)
    one, other = (
        verdict_on(found(statement, text.encode(), boundary), statement).envelope.document for text in (WORDS, content)
    )
    for document in (one, other):
        assert document["reason"].keys() == {"digest"}
    hidden = {"reason", "disclosures", "signature"}
    assert {name: one[name] for name in one.keys() - hidden} == {name: other[name] for name in other.keys() - hidden}


def test_the_outcome_on_closed_bytes_is_what_its_verdict_discloses() -> None:
    statement = quoting(WORDS)
    for content, status in ((WORDS, CheckStatus.PASS), ("Other words, of no merger.", CheckStatus.FAIL)):
        result = found(statement, content.encode(), Boundary.CONFIDENTIAL)
        assert (result.check.status, result.whole.status) == (CheckStatus.INCONCLUSIVE, status)
        verdict = verdict_on(result, statement)
        assert verdict.verdict is Verdict.INSUFFICIENT_EVIDENCE
        assert sealed_status(verdict.reason) is status
        read = read_message(verdict.envelope.received)
        assert isinstance(read, VerificationResponse) and read.reason == verdict.reason


def test_the_outcome_on_public_bytes_is_not_sealed() -> None:
    statement = quoting(WORDS)
    result = found(statement, b"Other words, of no merger.", Boundary.PUBLIC)
    assert result.sealed is None and result.check.status is CheckStatus.FAIL
    reason = verdict_on(result, statement).reason
    assert reason is not None and sealed_status(reason) is None


def test_a_false_quote_of_a_public_source_shows_beside_a_closed_one() -> None:
    statement = statement_of(quoting_both("No such words"))
    passages = [CitedBytes(1000, WORDS.encode()), CitedBytes(len(SOURCE), SOURCE)]
    result = check_statement(statement, passages, [Boundary.PRIVATE, Boundary.PUBLIC])
    assert result.check.status is CheckStatus.FAIL and "evidence[1]" in result.check.reason
    assert "evidence[0]" not in result.check.reason


@pytest_asyncio.fixture
async def platform(store: Store, tmp_path: Path) -> AsyncIterator[Platform]:
    """Yield a platform that records failed evidence, with a closed source that is held."""
    settings = Settings(data=tmp_path, on_failed_evidence="record")
    async with platform_on(store, open_content_store(settings), load_node(tmp_path / "node.key"), settings) as running:
        await settle(running)
        source = signed_source(AUTHOR, source=CLOSED, source_id=CLOSED_ID, boundary=Boundary.CONFIDENTIAL)
        await accept(running, source)
        await running.sources.put(sha256_digest(CLOSED), pieces(CLOSED))
        yield running


@pytest_asyncio.fixture
async def client(platform: Platform, tmp_path: Path) -> AsyncIterator[httpx.AsyncClient]:
    """Yield a client of the platform's application."""
    async with open_client(platform, tmp_path) as client:
        yield client


async def read(client: httpx.AsyncClient, document: bytes, token: str | None) -> dict[str, Any]:
    shown: dict[str, Any] = (await ask(client, QUERY, {"statement": hash_of(document)}, token))["statement"]
    return shown


async def test_a_true_and_a_false_quote_of_a_closed_source_look_alike_below_its_class(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    statements = [quoting(WORDS), quoting("The merger is off", "A merger was called off.")]
    await accept(platform, *statements)
    await accept(platform, *(signed_response(one, by) for one in statements for by in (VERIFIER_A, VERIFIER_B)))
    await platform.sources.check_again(sha256_digest(CLOSED), passed=True)
    for token in (None, READERS["internal"]):
        true, false = [await read(client, one, token) for one in statements]
        assert true == false
        assert (true["machineCheck"], true["sealedCheck"], true["machineReason"]) == ("INCONCLUSIVE", None, None)
    for token in (CLEARED, OPERATOR):
        shown = [await read(client, one, token) for one in statements]
        assert [one["sealedCheck"] for one in shown] == ["PASS", "FAIL"]
        assert "quoteText does not occur" in shown[1]["machineReason"]
        for member in ("machineCheck", "consensusScore", "verified", "evidenceState"):
            assert shown[0][member] == shown[1][member]


async def test_the_document_of_a_sealed_verdict_is_for_cleared_readers(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    statement = quoting(WORDS)
    await accept(platform, statement)
    query = "{ verifications(first: 9, filter: {machine: true}) { nodes { signedHash documentHash } } }"
    (verdict,) = (await ask(client, query))["verifications"]["nodes"]
    for path in (f"/verifications/{verdict['signedHash']}", f"/messages/{verdict['documentHash']}"):
        for headers in ({}, bearer(READERS["internal"])):
            refused = await client.get(path, headers=headers)
            assert refused.status_code == 403 and "PASS" not in refused.text
        shown = await client.get(path, headers=bearer(CLEARED))
        assert shown.status_code == 200 and "with the closed sources: PASS" in shown.text


async def test_the_sealed_outcome_ends_when_the_closed_source_is_erased(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    statement = quoting(WORDS)
    await accept(platform, statement)
    await platform.sources.check_again(sha256_digest(CLOSED), passed=True)
    assert (await read(client, statement, OPERATOR))["sealedCheck"] == "PASS"
    redaction = source_redaction_message(sha256_digest(CLOSED), redacting_agent=platform.node.agent_id)
    await accept(platform, platform.node.sign(redaction).envelope.received)
    shown = await read(client, statement, OPERATOR)
    assert (shown["machineCheck"], shown["sealedCheck"]) == ("INCONCLUSIVE", None)
    await platform.sources.check_again(sha256_digest(CLOSED), passed=True)
    assert len((await read(client, statement, OPERATOR))["verifications"]) == 2


async def test_an_erasure_that_ends_a_seal_takes_no_fail_back(platform: Platform, client: httpx.AsyncClient) -> None:
    statement = quoting_both("No such words")
    await accept(platform, statement)
    assert (await read(client, statement, OPERATOR))["machineCheck"] == "FAIL"
    for source in (SOURCE, CLOSED):
        redaction = source_redaction_message(sha256_digest(source), redacting_agent=platform.node.agent_id)
        await accept(platform, platform.node.sign(redaction).envelope.received)
    assert (await read(client, statement, OPERATOR))["machineCheck"] == "FAIL"
