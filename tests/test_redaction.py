"""Redaction: text is erased for good, by entry first and then in the store, and everything else still verifies."""

import base64
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from builders import (
    QUOTE,
    SOURCE,
    agent_id,
    agent_key,
    disclosure_redaction_message,
    envelope_of,
    segment,
    sign,
    signed_response,
    signed_source,
    signed_statement,
    source_redaction_message,
    statement_message,
)
from graph_contents import whole_graph
from http_client import OPERATOR, ask, bearer, client
from platform_fixture import platform
from rebuilding import rebuilt
from scenario import AUTHOR, STRANGER, VERIFIER_A, VERIFIER_B, accept, hash_of, pieces, settle

from a2ap.canonical import sha256_digest
from a2ap.errors import DisclosureError
from a2ap.messages.evidence import ByteRange
from a2ap.messages.finding import FindingStatus, build_finding
from a2ap.messages.message import read_message
from a2ap.messages.redaction import redacted_bytes
from a2ap.messages.verification_response import Verdict
from a2ap.signing.disclosure import Disclosure, make_disclosure
from a2ap.signing.signature import verify_signature
from graph.errors import ContentNotFoundError, ForbiddenError, RedactedError, TargetError
from graph.platform import Platform, platform_on
from graph.retention.blanking import blanked
from graph.sparql.folder import FOLDER, ClosedSources, Held, generation_of, held_size, write_held
from graph.submission.ledger import Ledger

__all__ = ["client", "platform"]

SOURCE_HASH = sha256_digest(SOURCE)
OTHER_QUOTE = "they want outdoor tables."
WORDS = "It says that a person of that name lives on Elm Street."


def hidden(text: str = QUOTE, number: int = 7) -> Disclosure:
    return make_disclosure(text, bytes([number]) * 16)


def statement_with(disclosure: Disclosure, **changes: Any) -> bytes:
    """Return a statement whose quote is signed as a digest and disclosed."""
    evidence = [{**segment(), "quoteText": disclosure.reference}]
    return sign(statement_message(AUTHOR, evidence=evidence, disclosures=[disclosure], **changes), AUTHOR)


def redaction_of(platform: Platform, document: bytes, disclosure: Disclosure, seed: int | None = AUTHOR) -> bytes:
    """Return the redaction of a disclosure, by an agent or by the node."""
    left = redacted_bytes(document, [disclosure.digest])
    if seed is None:
        message = disclosure_redaction_message(
            document, [disclosure.digest], left, redacting_agent=platform.node.agent_id
        )
        return platform.node.sign(message).envelope.received
    message = disclosure_redaction_message(document, [disclosure.digest], left, redacting_agent=agent_id(seed))
    return sign(message, seed)


def erasure_of(platform: Platform, document_hash: str = SOURCE_HASH, **changes: Any) -> bytes:
    """Return the node's redaction of a source."""
    message = source_redaction_message(document_hash, redacting_agent=platform.node.agent_id, **changes)
    return platform.node.sign(message).envelope.received


def range_of(words: str) -> ByteRange:
    start = SOURCE.index(words.encode())
    return ByteRange(start, start + len(words.encode()))


def without(*words: str) -> bytes:
    left = SOURCE
    for word in words:
        left = left.replace(word.encode(), b" " * len(word.encode()))
    return left


async def score_of(platform: Platform, document: bytes) -> tuple[float, bool]:
    (row,) = await platform.store.read("statements_by_hash", hashes=[hash_of(document)])
    return row["consensus_score"], row["verified"]


async def test_an_erased_disclosure_leaves_signature_score_and_log_as_they_were(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await settle(platform)
    disclosure = hidden()
    statement = statement_with(disclosure)
    await accept(platform, statement, signed_response(statement, VERIFIER_A), signed_response(statement, VERIFIER_B))
    score = await score_of(platform, statement)
    entries = await platform.store.read("log_entries_from", start=0, first=1000)
    assert score[1]

    redaction = redaction_of(platform, statement, disclosure)
    await accept(platform, redaction)

    assert await score_of(platform, statement) == score
    after = await platform.store.read("log_entries_from", start=0, first=1000)
    assert after[:-1] == entries and after[-1]["id"] == envelope_of(redaction).id
    left = (await client.get(f"/statements/{hash_of(statement)}", headers={"accept": "application/json"})).content
    message = read_message(left)
    assert message.envelope.signed_hash == hash_of(statement) and message.envelope.signature is not None
    verify_signature(message.envelope.signature, message.envelope.signed_bytes, agent_key(AUTHOR).public_key)
    assert "disclosures" not in message.envelope.document


async def test_the_original_bytes_are_really_gone(platform: Platform) -> None:
    await settle(platform)
    disclosure = hidden()
    statement = statement_with(disclosure)
    await accept(platform, statement)
    assert await platform.content.get(sha256_digest(statement)) == statement

    await accept(platform, redaction_of(platform, statement, disclosure))

    with pytest.raises(ContentNotFoundError):
        await platform.content.get(sha256_digest(statement))
    assert not any(QUOTE.encode() in path.read_bytes() for path in objects_of(platform) if path.read_bytes() != SOURCE)
    (row,) = await platform.store.read("citations_of", hashes=[hash_of(statement)])
    assert row["quote_text"] is None


def objects_of(platform: Platform) -> list[Any]:
    return [path for path in (platform.settings.data / ".ctx" / "objects").rglob("*") if path.is_file()]


async def test_the_same_document_again_gets_its_receipt_and_brings_nothing_back(platform: Platform) -> None:
    await settle(platform)
    disclosure = hidden()
    statement = statement_with(disclosure)
    receipt = await platform.submit(statement)
    await accept(platform, redaction_of(platform, statement, disclosure))

    assert (await platform.submit(statement)).entry == receipt.entry
    assert not await platform.content.has(sha256_digest(statement))


async def test_a_redacted_message_is_gone_under_its_hash_and_there_under_that_of_what_is_left(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await settle(platform)
    disclosure = hidden()
    statement = statement_with(disclosure)
    redaction = redaction_of(platform, statement, disclosure)
    await accept(platform, statement, redaction)
    left = redacted_bytes(statement, [disclosure.digest])

    gone = await client.get(f"/messages/{sha256_digest(statement)}")
    assert gone.status_code == 410
    assert envelope_of(redaction).id in gone.json()["detail"] and sha256_digest(left) in gone.json()["detail"]
    assert (await client.get(f"/messages/{sha256_digest(left)}")).content == left
    hashes = [sha256_digest(statement), sha256_digest(left)]
    answer = await client.post("/messages/fetch", json={"hashes": hashes})
    first, second = (json.loads(line) for line in answer.text.splitlines())
    assert first["document"] is None
    assert first["redacted"] == {"by": envelope_of(redaction).id, "documentHash": sha256_digest(left)}
    assert base64.b64decode(second["document"]) == left


async def test_the_erased_words_of_a_verdict_leave_the_graph(platform: Platform, client: httpx.AsyncClient) -> None:
    await settle(platform)
    statement = signed_statement(AUTHOR)
    reason, finding = hidden(WORDS, 8), hidden(f"{WORDS} Indeed.", 9)
    verdict = signed_response(
        statement,
        VERIFIER_A,
        verdict=Verdict.CHALLENGED,
        reason=reason,
        findings=[build_finding("source-accuracy", FindingStatus.FAIL, finding, 0.9)],
        disclosures=[reason, finding],
    )
    await accept(platform, statement, verdict)
    digests = [reason.digest, finding.digest]
    left = redacted_bytes(verdict, digests)
    message = disclosure_redaction_message(verdict, digests, left, redacting_agent=platform.node.agent_id)

    await accept(platform, platform.node.sign(message).envelope.received)

    assert not any(WORDS in row for row in await whole_graph(platform.store))
    assert not any(WORDS.encode() in path.read_bytes() for path in objects_of(platform))
    before = await whole_graph(platform.store)
    await rebuilt(platform)
    assert await whole_graph(platform.store) == before


async def test_two_redactions_of_one_message_leave_what_the_last_left(platform: Platform) -> None:
    await settle(platform)
    first, second = hidden(QUOTE, 1), hidden(OTHER_QUOTE, 2)
    evidence = [
        {**segment(), "quoteText": first.reference},
        {**segment(OTHER_QUOTE), "quoteText": second.reference},
    ]
    statement = sign(statement_message(AUTHOR, evidence=evidence, disclosures=[first, second]), AUTHOR)
    await accept(platform, statement, redaction_of(platform, statement, first))
    between = redacted_bytes(statement, [first.digest])
    assert await platform.content.has(sha256_digest(between))

    message = disclosure_redaction_message(statement, [second.digest], redacted_bytes(between, [second.digest]))
    await accept(platform, sign(message, AUTHOR))

    assert not await platform.content.has(sha256_digest(between))
    assert not await platform.content.has(sha256_digest(statement))
    before = await whole_graph(platform.store)
    await rebuilt(platform)
    assert await whole_graph(platform.store) == before


async def test_who_may_erase_what(platform: Platform) -> None:
    await settle(platform)
    disclosure = hidden()
    statement = statement_with(disclosure)
    await accept(platform, statement)
    with pytest.raises(ForbiddenError, match="is by urn:agent:test-1, and urn:agent:test-21 redacts it"):
        await platform.submit(redaction_of(platform, statement, disclosure, STRANGER))
    with pytest.raises(ForbiddenError, match=r"only urn:agent:a2ap-node:.* erases sources"):
        await platform.submit(sign(source_redaction_message(SOURCE_HASH, redacting_agent=agent_id(AUTHOR)), AUTHOR))
    await accept(platform, redaction_of(platform, statement, disclosure, None))


def held_store(platform: Platform) -> Path:
    """Return the folder of a store of triples for public readers, which holds the log up to its first entry."""
    store = platform.settings.data / FOLDER / "public"
    store.mkdir(parents=True)
    nothing = ClosedSources(frozenset(), frozenset())
    assert write_held(store, Held(1, platform.node.agent_id, "00" * 32), nothing, generation_of(store))
    return store


async def test_a_redaction_that_does_not_fit_is_refused(platform: Platform) -> None:
    await settle(platform)
    store = held_store(platform)
    disclosure = hidden()
    statement = statement_with(disclosure)
    unknown = disclosure_redaction_message(statement, [disclosure.digest], b"x")
    with pytest.raises(TargetError, match=r"no message sha256:.* is here"):
        await platform.submit(sign(unknown, AUTHOR))
    await accept(platform, statement)
    with pytest.raises(TargetError, match="the remainder is"):
        await platform.submit(sign(unknown, AUTHOR))
    other = disclosure_redaction_message(statement, [hidden("other").digest], b"x")
    with pytest.raises(TargetError, match="has no such disclosure"):
        await platform.submit(sign(other, AUTHOR))
    for changes, words in (
        ({"document_hash": "sha256:" + "0" * 64}, "no document"),
        ({"redacted_document_hash": "sha256:" + "0" * 64}, "nothing is left"),
        ({"byte_ranges": [ByteRange(3, 10**6)], "redacted_document_hash": "sha256:" + "0" * 64}, "bytes"),
        ({"byte_ranges": [ByteRange(3, 9)], "redacted_document_hash": "sha256:" + "0" * 64}, "the remainder is"),
        ({"byte_ranges": [ByteRange(3, 9)]}, "the remainder is"),
    ):
        with pytest.raises(TargetError, match=words):
            await platform.submit(erasure_of(platform, **changes))
    assert await platform.content.has(SOURCE_HASH) and await platform.content.has(sha256_digest(statement))
    assert held_size(store) == 1


async def test_a_redaction_is_taken_where_a_store_of_triples_cannot_be_taken_away(
    platform: Platform, caplog: pytest.LogCaptureFixture
) -> None:
    await settle(platform)
    disclosure = hidden()
    statement = statement_with(disclosure)
    await accept(platform, statement)
    store = held_store(platform)
    (store / "changing").unlink()
    (store / "changing").mkdir()
    await accept(platform, redaction_of(platform, statement, disclosure))
    assert "erased text is still in the store for public readers" in caplog.text


def test_what_is_not_disclosed_cannot_be_taken_away() -> None:
    with pytest.raises(DisclosureError, match="is not there"):
        redacted_bytes(signed_statement(), ["sha256:" + "0" * 64])


async def an_erased_source(platform: Platform, **changes: Any) -> tuple[bytes, bytes, bytes]:
    """Have two statements on a source, one with a quote in clear, then erase the source; return all three messages."""
    await settle(platform)
    clear = signed_statement(AUTHOR)
    other = signed_statement(STRANGER, claim="The owners want tables.", evidence=[segment(OTHER_QUOTE)])
    await accept(platform, clear, other)
    await accept(platform, signed_response(clear, VERIFIER_A, verdict=Verdict.CHALLENGED, reason=f"But: {QUOTE}"))
    redaction = erasure_of(platform, **changes)
    await accept(platform, redaction)
    return clear, other, redaction


DOORS = [
    "/export?format=cypher",
    "/export?format=turtle",
    "/export?format=json-ld",
    "/export?format=log",
]
GRAPHQL = """query ($id: ID!) { statement(id: $id) {
  evidence { text withheld document { held withheld redactions { id reason redactedBy { id } } } }
  citations { quote withheld } verifications { reason findings { evidence } }
} }"""


async def test_an_erased_source_is_given_by_no_door(platform: Platform, client: httpx.AsyncClient) -> None:
    clear, _, redaction = await an_erased_source(platform)
    name = envelope_of(redaction).id

    answer = await client.get(f"/sources/{SOURCE_HASH}")
    assert answer.status_code == 410 and name in answer.json()["detail"]
    for door in DOORS:
        answer = await client.get(door, headers=bearer(OPERATOR))
        assert answer.status_code == 200 and QUOTE not in answer.text and OTHER_QUOTE not in answer.text, door
    for accepted in ("application/json", "application/ld+json", "text/turtle"):
        answer = await client.get(f"/statements/{hash_of(clear)}", headers={**bearer(OPERATOR), "accept": accepted})
        assert QUOTE not in answer.text
        assert answer.status_code == (200 if accepted == "text/turtle" else 410)
    for path in (f"/messages/{sha256_digest(clear)}", f"/statements/{hash_of(clear)}/bundle"):
        for headers in ({}, bearer(OPERATOR)):
            answer = await client.get(path, headers=headers)
            assert answer.status_code == 410 and name in answer.json()["detail"]
    shown = await ask(client, GRAPHQL, {"id": hash_of(clear)}, token=OPERATOR)
    assert QUOTE not in json.dumps(shown)
    (chunk,) = shown["statement"]["evidence"]
    assert chunk["text"] == "" and name in chunk["withheld"] and not chunk["document"]["held"]
    assert chunk["document"]["redactions"] == [
        {"id": name, "reason": "The person asked for it.", "redactedBy": {"id": platform.node.agent_id}}
    ]
    (citation,) = shown["statement"]["citations"]
    assert citation["quote"] == "" and name in citation["withheld"]
    found = await ask(client, 'query { statementsAbout(topic: "map") { id } }', token=OPERATOR)
    assert found["statementsAbout"] == []


async def test_the_bytes_of_an_erased_source_are_gone_and_not_taken_again(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    _, _, redaction = await an_erased_source(platform)

    assert not await platform.content.has(SOURCE_HASH)
    answer = await client.put(f"/sources/{SOURCE_HASH}", content=SOURCE)
    assert answer.status_code == 410 and envelope_of(redaction).id in answer.json()["detail"]
    with pytest.raises(RedactedError):
        await platform.sources.put(SOURCE_HASH, pieces(SOURCE))
    assert not await platform.content.has(SOURCE_HASH)
    with pytest.raises(RedactedError, match="the passage was redacted by"):
        await platform.submit(signed_statement(AUTHOR, claim="Once more."))
    silent = {name: value for name, value in segment().items() if name != "quoteText"}
    await accept(platform, signed_statement(AUTHOR, claim="Without a quote.", evidence=[silent]))
    with pytest.raises(RedactedError):
        await platform.submit(erasure_of(platform, reason="again"))


async def test_erased_passages_leave_the_others(platform: Platform, client: httpx.AsyncClient) -> None:
    left = without(QUOTE)
    clear, other, redaction = await an_erased_source(
        platform, byte_ranges=[range_of(QUOTE)], redacted_document_hash=sha256_digest(left)
    )

    assert await platform.content.get(sha256_digest(left)) == left
    assert not await platform.content.has(SOURCE_HASH)
    erased = (await ask(client, GRAPHQL, {"id": hash_of(clear)}))["statement"]
    assert erased["citations"][0]["quote"] == "" and envelope_of(redaction).id in erased["evidence"][0]["withheld"]
    kept = (await ask(client, GRAPHQL, {"id": hash_of(other)}))["statement"]
    assert kept["citations"][0]["quote"] == OTHER_QUOTE and kept["evidence"][0]["text"] == OTHER_QUOTE
    assert (await client.get(f"/statements/{hash_of(other)}", headers={"accept": "application/json"})).content == other
    assert (
        await client.get(f"/statements/{hash_of(clear)}", headers={"accept": "application/json"})
    ).status_code == 410

    more = erasure_of(
        platform,
        byte_ranges=[range_of(OTHER_QUOTE)],
        redacted_document_hash=sha256_digest(without(QUOTE, OTHER_QUOTE)),
    )
    await accept(platform, more)
    assert not await platform.content.has(sha256_digest(left))
    assert await platform.content.get(sha256_digest(without(QUOTE, OTHER_QUOTE)))
    assert (await ask(client, GRAPHQL, {"id": hash_of(other)}))["statement"]["citations"][0]["quote"] == ""


@pytest.mark.parametrize("ranges", [(), (QUOTE,)])
async def test_a_rebuild_without_the_erased_bytes_gives_the_same_graph(
    platform: Platform, ranges: tuple[str, ...]
) -> None:
    left = sha256_digest(without(*ranges)) if ranges else None
    await an_erased_source(platform, byte_ranges=[range_of(words) for words in ranges], redacted_document_hash=left)
    late = {name: value for name, value in segment("forty feet").items() if name != "quoteText"}
    await accept(platform, signed_statement(STRANGER, claim="Said after the erasure.", evidence=[late]))
    before = await whole_graph(platform.store)

    await rebuilt(platform)

    assert await whole_graph(platform.store) == before


async def test_a_rebuild_of_redacted_messages_gives_the_same_graph(platform: Platform) -> None:
    await settle(platform)
    disclosure = hidden()
    statement = statement_with(disclosure)
    await accept(platform, statement, signed_response(statement, VERIFIER_A))
    await accept(platform, redaction_of(platform, statement, disclosure, None))
    before = await whole_graph(platform.store)

    await rebuilt(platform)

    assert await whole_graph(platform.store) == before


@contextmanager
def killed_before_erasing(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let a redaction be written and nothing be erased, as a crash between the two would."""

    async def nothing(*_: object) -> None:
        return None

    with monkeypatch.context() as patch:
        patch.setattr(Ledger, "_erase", nothing)
        yield


async def test_an_erasure_that_a_crash_interrupted_is_finished_at_the_next_start(
    platform: Platform, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    disclosure = hidden()
    with killed_before_erasing(monkeypatch):
        await an_erased_source(platform)
        silent = [{**segment(source_id="urn:doc:test:other", document_hash=None), "quoteText": disclosure.reference}]
        statement = sign(statement_message(AUTHOR, claim="Another.", evidence=silent, disclosures=[disclosure]), AUTHOR)
        await accept(platform, statement, redaction_of(platform, statement, disclosure))
    assert await platform.content.has(SOURCE_HASH) and await platform.content.has(sha256_digest(statement))
    # Nothing of it is given meanwhile.
    assert (await client.get(f"/sources/{SOURCE_HASH}")).status_code == 410
    answer = await client.get(f"/statements/{hash_of(statement)}", headers={"accept": "application/json"})
    assert QUOTE not in answer.text and answer.status_code == 200

    async with platform_on(platform.store, platform.content, platform.node, platform.settings) as again:
        assert not await again.content.has(SOURCE_HASH)
        assert not await again.content.has(sha256_digest(statement))


async def test_bytes_that_another_entry_of_the_log_needs_stay(platform: Platform, client: httpx.AsyncClient) -> None:
    await settle(platform)
    statement = signed_statement(AUTHOR)
    await accept(platform, statement, signed_source(AUTHOR, source=statement, source_id="urn:doc:test:itself"))
    await platform.sources.put(sha256_digest(statement), pieces(statement))

    await accept(platform, erasure_of(platform, sha256_digest(statement)))

    assert (await client.get(f"/sources/{sha256_digest(statement)}")).status_code == 410
    assert await platform.content.get(sha256_digest(statement)) == statement


async def test_a_source_that_is_not_held_is_erased_from_what_quotes_it(platform: Platform) -> None:
    await settle(platform)
    elsewhere = b"Not here: " + QUOTE.encode()
    statement = signed_statement(AUTHOR, evidence=[segment(source=elsewhere, source_id="urn:doc:test:elsewhere")])
    await accept(platform, statement)

    await accept(platform, erasure_of(platform, sha256_digest(elsewhere)))

    (row,) = await platform.store.read("citations_of", hashes=[hash_of(statement)])
    assert row["quote_text"] is None


async def test_what_cites_an_erased_source_by_its_name_alone_is_erased_with_it(platform: Platform) -> None:
    await settle(platform)
    unbound = segment(document_hash=None)
    statement = signed_statement(AUTHOR, evidence=[unbound])
    elsewhere = signed_statement(AUTHOR, claim="Later on.", evidence=[segment(OTHER_QUOTE, document_hash=None)])
    await accept(platform, statement, elsewhere)

    left = sha256_digest(without(QUOTE))
    await accept(platform, erasure_of(platform, byte_ranges=[range_of(QUOTE)], redacted_document_hash=left))

    first, second = [
        (await platform.store.read("citations_of", hashes=[hash_of(document)]))[0]
        for document in (statement, elsewhere)
    ]
    assert first["quote_text"] is None and "redacted by" in first["passage_redacted"]
    assert second["quote_text"] == OTHER_QUOTE and second["passage_redacted"] is None
    with pytest.raises(RedactedError):
        await platform.submit(signed_statement(AUTHOR, claim="Once more.", evidence=[unbound]))
    before = await whole_graph(platform.store)
    await rebuilt(platform)
    assert await whole_graph(platform.store) == before


@pytest.mark.parametrize("size", [1, 7, 4096])
async def test_blanks_are_where_the_ranges_are_however_the_bytes_arrive(size: int) -> None:
    ranges = [ByteRange(0, 3), ByteRange(10, 11), ByteRange(60, len(SOURCE))]
    found = b"".join([chunk async for chunk in blanked(pieces(SOURCE, size), ranges)])
    expected = bytearray(SOURCE)
    for one in ranges:
        expected[one.start : one.end] = b" " * (one.end - one.start)
    assert found == bytes(expected)
