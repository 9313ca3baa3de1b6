"""Sources: when bytes arrive, every statement that cites them is looked at, whichever came first."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from builders import (
    QUOTE,
    SOURCE,
    SOURCE_ID,
    envelope_of,
    segment,
    signed_registration,
    signed_response,
    signed_source,
    signed_statement,
)
from graph_contents import count_everything, nodes_with_label, relationships_of_type, run_raw
from http_client import ask, client
from pdfs import write_pdf
from platform_fixture import platform
from scenario import AUTHOR, STRANGER, VERIFIER_A, VERIFIER_B, accept, hash_of, pieces, settle, signed_node_policy
from servers import log_of, server, server_on

from a2ap.boundary import Boundary
from a2ap.canonical import sha256_digest
from graph.cli.passages import quote_passages
from graph.database.endpoint import Endpoint
from graph.errors import ContentMismatchError, EvidenceError, NotRegisteredError, TooLargeError
from graph.evidence.machine import CHUNK_TEXT_LIMIT
from graph.evidence.pdf_text import rule
from graph.evidence.reading import MAX_CITED, MAX_WHOLE_DOCUMENT
from graph.platform import Platform
from graph.settings import Settings
from graph.store import Store
from graph.submission.submission import MAX_CITED_TEXT

__all__ = ["client", "platform"]

HASH = sha256_digest(SOURCE)
UNHELD = b"What nobody has handed in. " + SOURCE


async def put(platform: Platform, source: bytes = SOURCE) -> bool:
    return await platform.sources.put(sha256_digest(source), pieces(source))


async def statement_of(platform: Platform, document: bytes) -> dict[str, Any]:
    """Return a statement's node."""
    found = await nodes_with_label(platform.store, "Statement")
    return next(node for node in found if node["signed_hash"] == hash_of(document))


async def verdicts_of_machine(platform: Platform, document: bytes) -> list[str]:
    """Return the verdicts of the node on a statement, in log order."""
    query = """
        MATCH (v:Verification {machine: true})-[:VALIDATES]->(:Statement {signed_hash: $hash})
        RETURN v.verdict AS verdict ORDER BY v.log_index
    """
    return [row["verdict"] for row in await run_raw(platform.store, query, hash=hash_of(document))]


async def test_a_statement_waits_for_its_source(platform: Platform) -> None:
    statement = signed_statement(AUTHOR)
    await accept(platform, signed_registration(AUTHOR), signed_source(AUTHOR), statement)
    assert (await statement_of(platform, statement))["machine_check"] == "INCONCLUSIVE"
    assert [chunk["text"] for chunk in await nodes_with_label(platform.store, "Chunk")] == [""]

    assert await put(platform)

    assert (await statement_of(platform, statement))["machine_check"] == "PASS"
    assert [chunk["text"] for chunk in await nodes_with_label(platform.store, "Chunk")] == [QUOTE]
    assert await verdicts_of_machine(platform, statement) == ["INSUFFICIENT_EVIDENCE", "VALIDATED"]


async def test_bytes_that_contradict_close_the_gate(platform: Platform) -> None:
    """Two verifiers have validated it, on the strength of another source; then the one that it quotes is found."""
    await settle(platform)
    other = "urn:doc:test:other"
    evidence = [segment("We heard", source=UNHELD, source_id=other, content_hash=sha256_digest(b"something else"))]
    statement = signed_statement(AUTHOR, evidence=evidence)
    await accept(platform, signed_source(AUTHOR, source=UNHELD, source_id=other), statement)
    await accept(platform, signed_response(statement, VERIFIER_A), signed_response(statement, VERIFIER_B))
    await put(platform, UNHELD)
    node = await statement_of(platform, statement)
    assert node["machine_check"] == "FAIL"
    assert node["machine_reason"].startswith("evidence[0].contentHash is not that")
    assert not node["verified"]
    assert await verdicts_of_machine(platform, statement) == ["INSUFFICIENT_EVIDENCE", "CHALLENGED"]
    wrong = {node["agent_id"]: node["verdicts_wrong"] for node in await nodes_with_label(platform.store, "Agent")}
    assert sorted(agent for agent, count in wrong.items() if count) == ["urn:agent:test-2", "urn:agent:test-3"]


async def test_bytes_that_contradict_take_verified_away(store: Store, tmp_path: Path) -> None:
    """The gate was open, and the node finds something else: a later verdict of its own closes it."""
    async with server_on(store, tmp_path) as platform:
        await settle(platform)
        statement = signed_statement(AUTHOR)
        await accept(
            platform, statement, signed_response(statement, VERIFIER_A), signed_response(statement, VERIFIER_B)
        )
        assert (await statement_of(platform, statement))["verified"]
        # As a node whose check has been mended would sign it.
        message = platform.node.sign(
            {
                "@context": "https://williams-librarian.njit.edu/a2ap/v0.1",
                "@type": "a2ap:VerificationResponse",
                "@id": platform.node.derived_id("another finding"),
                "respondedAt": "2025-10-15T00:00:00Z",
                "respondingAgent": platform.node.agent_id,
                "targetStatement": envelope_of(statement).id,
                "targetHash": hash_of(statement),
                "verdict": "CHALLENGED",
                "confidence": 1.0,
                "findings": [],
                "reason": "the quote is not there",
            }
        )
        await platform.submit(message.envelope.received)
        node = await statement_of(platform, statement)
        assert (node["machine_check"], node["verified"]) == ("FAIL", False)


async def test_bytes_that_nobody_registered_are_refused(platform: Platform) -> None:
    await accept(platform, signed_registration(AUTHOR), signed_statement(AUTHOR))
    before = await count_everything(platform.store)
    with pytest.raises(NotRegisteredError, match=f"no agent registered {HASH}"):
        await put(platform)
    assert not await platform.content.has(HASH)
    assert await count_everything(platform.store) == before


async def test_other_bytes_than_registered_are_refused_and_not_kept(platform: Platform) -> None:
    await accept(platform, signed_registration(AUTHOR), signed_source(AUTHOR), signed_statement(AUTHOR))
    for wrong in (SOURCE + b"!", SOURCE[:-1], b""):
        with pytest.raises(ContentMismatchError, match=f"announced as {HASH} is sha256:"):
            await platform.sources.put(HASH, pieces(wrong))
        assert not await platform.content.has(sha256_digest(wrong))
    assert not await platform.content.has(HASH)
    (document,) = await nodes_with_label(platform.store, "Document")
    assert document["held"] is False


async def test_an_upload_that_breaks_off_leaves_nothing(platform: Platform) -> None:
    await accept(platform, signed_registration(AUTHOR), signed_source(AUTHOR))

    async def broken() -> AsyncIterator[bytes]:
        yield SOURCE[:10]
        raise ConnectionError

    with pytest.raises(ConnectionError):
        await platform.sources.put(HASH, broken())
    assert not await platform.content.has(HASH)


async def test_the_same_bytes_again_change_nothing(platform: Platform) -> None:
    await accept(platform, signed_registration(AUTHOR), signed_source(AUTHOR), signed_statement(AUTHOR))
    assert await put(platform)
    before = await count_everything(platform.store)
    assert not await put(platform)
    assert await count_everything(platform.store) == before


async def test_a_second_registration_can_only_raise_the_class(platform: Platform) -> None:
    await accept(platform, signed_registration(AUTHOR), signed_registration(STRANGER), signed_source(AUTHOR))
    await put(platform)
    other: dict[str, Any] = {"title": "Another title", "media_type": "text/plain", "source_id": "urn:doc:test:mine"}
    for boundary, expected in (
        (Boundary.CONFIDENTIAL, "confidential"),
        (Boundary.PUBLIC, "confidential"),
        (Boundary.PRIVATE, "private"),
    ):
        await accept(platform, signed_source(STRANGER, boundary=boundary, **other))
        (document,) = await nodes_with_label(platform.store, "Document")
        assert document["boundary"] == expected
        assert (document["title"], document["media_type"]) == ("City council meeting", "text/vtt")
        assert (document["doc_id"], document["held"]) == (SOURCE_ID, True)
        assert document["registration_hash"] == hash_of(signed_source(AUTHOR))
    stated = [edge["boundary"] for edge in await relationships_of_type(platform.store, "REGISTERED")]
    assert sorted(stated) == ["confidential", "private", "public", "public"]


async def test_a_source_s_own_name_keeps_its_title(platform: Platform) -> None:
    await accept(platform, signed_registration(AUTHOR), signed_registration(STRANGER), signed_source(AUTHOR))
    await accept(platform, signed_source(STRANGER, source=UNHELD, title="Mine", publisher=None, origin=None))
    (source,) = await nodes_with_label(platform.store, "Source")
    assert (source["title"], source["publisher"]) == ("City council meeting", "City clerk")
    assert len(await relationships_of_type(platform.store, "SOURCED_FROM")) == 2


async def test_evidence_by_pointer_alone_is_inconclusive(platform: Platform) -> None:
    await settle(platform)
    statement = signed_statement(AUTHOR, evidence=[segment(document_hash=None)])
    await accept(platform, statement)
    node = await statement_of(platform, statement)
    assert (node["machine_check"], node["machine_reason"]) == ("INCONCLUSIVE", "evidence[0] names no documentHash")
    documents = {node["document_key"]: node["held"] for node in await nodes_with_label(platform.store, "Document")}
    assert documents == {HASH: True, SOURCE_ID: False}


async def test_one_segment_that_cannot_be_checked_keeps_the_gate_shut(platform: Platform) -> None:
    await settle(platform)
    evidence = [segment(), segment("We heard", source=UNHELD)]
    statement = signed_statement(AUTHOR, evidence=evidence)
    await accept(platform, statement, signed_response(statement, VERIFIER_A), signed_response(statement, VERIFIER_B))
    node = await statement_of(platform, statement)
    assert (node["machine_check"], node["verified"]) == ("INCONCLUSIVE", False)
    await accept(platform, signed_source(AUTHOR, source=UNHELD))
    await put(platform, UNHELD)
    node = await statement_of(platform, statement)
    assert (node["machine_check"], node["verified"]) == ("PASS", True)


@pytest.mark.parametrize("policy", ["refuse", "record"])
async def test_a_held_source_that_says_otherwise(store: Store, tmp_path: Path, policy: str) -> None:
    """Refused at the door, or recorded as failed, with no text for a range that is past the end."""
    settings = Settings(data=tmp_path, on_failed_evidence=policy)
    beyond = segment() | {"byteRange": {"start": 10, "end": len(SOURCE) + 1}}
    statement = signed_statement(AUTHOR, evidence=[beyond])
    async with server_on(store, tmp_path, settings=settings) as platform:
        await settle(platform)
        if policy == "refuse":
            with pytest.raises(EvidenceError, match=r"evidence\[0\].byteRange ends at"):
                await platform.submit(statement)
            return
        await platform.submit(statement)
        node = await statement_of(platform, statement)
        assert (node["machine_check"], node["verified"]) == ("FAIL", False)
        assert [chunk["text"] for chunk in await nodes_with_label(store, "Chunk")] == [""]
        assert await verdicts_of_machine(platform, statement) == ["CHALLENGED"]


async def test_of_a_large_document_only_the_cited_bytes_are_read(platform: Platform) -> None:
    large = b"\n".join(b"Line %d of a very long record." % number for number in range(600_000)) + SOURCE
    assert len(large) > MAX_WHOLE_DOCUMENT
    await settle(platform, source=large)
    good = signed_statement(AUTHOR, evidence=[segment(source=large)])
    bad = signed_statement(AUTHOR, claim="Another.", evidence=[segment(source=large) | {"quoteText": "not there"}])
    cut = segment("café", source=large)
    cut["byteRange"]["end"] -= 1
    cuts = signed_statement(AUTHOR, claim="A third.", evidence=[cut])
    far = segment(source=large) | {"byteRange": {"start": len(large) - 10, "end": len(large) + 1}}
    past = signed_statement(AUTHOR, claim="A fourth.", evidence=[far])
    accepted, *refused = await platform.submit_many([good, bad, cuts, past])
    assert not isinstance(accepted, Exception)
    assert [type(error) for error in refused] == [EvidenceError] * 3
    assert [str(error).split(" ")[1] for error in refused] == ["does", "cuts", "ends"]
    assert (await statement_of(platform, good))["machine_check"] == "PASS"
    assert [chunk["text"] for chunk in await nodes_with_label(platform.store, "Chunk")] == [QUOTE]


async def test_quotes_of_a_page_are_compared_with_what_it_shows(platform: Platform) -> None:
    page = b"<!doctype html><p>Keep the <b>height</b>&nbsp;limit.</p><!-- Abolish it. -->"
    await settle(platform, source=page)
    whole = {
        "@type": "a2ap:EvidenceSegment",
        "sourceDocument": SOURCE_ID,
        "documentHash": sha256_digest(page),
        "chunkId": "urn:chunk:page",
        "byteRange": {"start": 0, "end": len(page)},
        "contentHash": sha256_digest(page),
    }
    quotes = ("Keep the height limit.", "Abolish it.", "Lower the limit.")
    shown, unseen, false = [
        signed_statement(AUTHOR, claim=f"It says: {quote}", evidence=[whole | {"quoteText": quote}]) for quote in quotes
    ]
    *accepted, refused = await platform.submit_many([shown, unseen, false])
    assert not any(isinstance(one, Exception) for one in accepted)
    assert "does not occur in the text that the cited bytes show (html/1)" in str(refused)
    checks = [(await statement_of(platform, document))["machine_check"] for document in (shown, unseen)]
    assert checks == ["PASS", "INCONCLUSIVE"]


async def test_quotes_of_a_pdf_are_compared_with_the_page_that_is_cited(
    platform: Platform, client: httpx.AsyncClient, tmp_path: Path
) -> None:
    minutes = write_pdf(["Minutes."], ["The council keeps the", "height limit."])
    path = tmp_path / "minutes.pdf"
    path.write_bytes(minutes)
    await settle(platform, source=minutes)
    (cited,) = quote_passages(SOURCE_ID, path, ["keeps the height limit"])
    assert cited["page"] == 2
    true, elsewhere, false = [
        signed_statement(
            AUTHOR, claim=f"It says {words!r} on {page}.", evidence=[cited | {"quoteText": words, "page": page}]
        )
        for words, page in (("keeps the height limit", 2), ("keeps the height limit", 1), ("keeps no limit", 2))
    ]
    *accepted, refused = await platform.submit_many([true, elsewhere, false])
    assert not any(isinstance(one, Exception) for one in accepted)
    assert f"does not occur in the text that the cited bytes show ({rule()})" in str(refused)
    checks = [(await statement_of(platform, document))["machine_check"] for document in (true, elsewhere)]
    assert checks == ["PASS", "INCONCLUSIVE"]
    asked = "query ($id: ID!) { statement(id: $id) { citations { quote page byteRange { start } } } }"
    found = await ask(client, asked, {"id": envelope_of(true).id})
    byte_range = {"start": cited["byteRange"]["start"]}
    quoted = {"quote": "keeps the height limit", "page": 2, "byteRange": byte_range}
    assert found["statement"]["citations"] == [quoted]


async def test_what_one_statement_has_read_is_bounded(platform: Platform) -> None:
    source = (b"x" * 999 + b"\n") * 9000
    await settle(platform, source=source)
    whole = {
        "@type": "a2ap:EvidenceSegment",
        "sourceDocument": SOURCE_ID,
        "documentHash": sha256_digest(source),
        "chunkId": "urn:chunk:whole",
        "byteRange": {"start": 0, "end": len(source)},
        "quoteText": "x",
    }
    read = MAX_CITED // len(source)
    enough = signed_statement(AUTHOR, claim="Enough.", evidence=[whole] * read)
    much = signed_statement(AUTHOR, claim="Too much.", evidence=[whole] * (read + 1) + [segment("xxx", source=source)])
    await accept(platform, enough, much)
    assert (await statement_of(platform, enough))["machine_check"] == "PASS"
    node = await statement_of(platform, much)
    assert node["machine_check"] == "INCONCLUSIVE"
    assert node["machine_reason"].startswith(f"evidence[{read}] cites more than is compared")
    texts = {chunk["byte_end"]: chunk["text"] for chunk in await nodes_with_label(platform.store, "Chunk")}
    assert texts == {len(source): "", 3: "xxx"}


async def test_a_statement_cites_a_mebibyte_of_text_at_most(platform: Platform) -> None:
    await accept(platform, signed_registration(AUTHOR))
    count = MAX_CITED_TEXT // CHUNK_TEXT_LIMIT
    pages = [
        segment(document_hash=None) | {"byteRange": {"start": number, "end": number + CHUNK_TEXT_LIMIT}}
        for number in range(count + 1)
    ]
    with pytest.raises(TooLargeError, match=r"evidence cites \d+ bytes in segments of up to"):
        await platform.submit(signed_statement(AUTHOR, evidence=pages))
    await accept(platform, signed_statement(AUTHOR, evidence=pages[:count]))


async def test_a_policy_seen_later_uses_the_gate_that_is_open_now(platform: Platform) -> None:
    await settle(platform)
    evidence = [segment("We heard", source=UNHELD)]
    statement = signed_statement(AUTHOR, evidence=evidence)
    await accept(platform, signed_source(AUTHOR, source=UNHELD), statement, signed_response(statement, VERIFIER_A))
    await put(platform, UNHELD)
    assert not (await statement_of(platform, statement))["verified"]
    await accept(platform, signed_node_policy(platform, 2, quorum=1, threshold=0.6))
    assert (await statement_of(platform, statement))["verified"]


async def test_servers_that_look_again_at_once_agree(store: Store, engine: Endpoint, tmp_path: Path) -> None:
    async with server_on(store, tmp_path) as first, server(engine, tmp_path) as second:
        statements = [signed_statement(AUTHOR, claim=f"Claim {number}.") for number in range(5)]
        await accept(first, signed_registration(AUTHOR), signed_source(AUTHOR), *statements)
        await asyncio.gather(*(put(server) for server in (first, second) * 2))
        assert {node["machine_check"] for node in await nodes_with_label(store, "Statement")} == {"PASS"}
        await log_of(store)


async def test_bytes_that_are_registered_under_another_name_prove_nothing(platform: Platform) -> None:
    await settle(platform)
    statement = signed_statement(AUTHOR, evidence=[segment(source_id="urn:doc:test:official-minutes")])
    await accept(platform, statement)
    assert (await statement_of(platform, statement))["machine_check"] == "INCONCLUSIVE"


async def test_guesses_about_a_closed_source_are_never_compared_for_a_stranger(platform: Platform) -> None:
    """Whether a guess passes would tell what the source says, one byte at a time."""
    await accept(platform, *(signed_registration(number) for number in (AUTHOR, STRANGER)))
    await accept(platform, signed_source(AUTHOR, boundary=Boundary.CONFIDENTIAL))
    words = SOURCE[:6].decode()
    guesses = [
        signed_statement(STRANGER, claim=f"It says {guess}.", evidence=[segment(words) | {"quoteText": guess}])
        for guess in ("a guess", words)
    ]
    for outcome in await platform.submit_many(guesses, clearance=Boundary.PUBLIC):
        assert not isinstance(outcome, Exception)
    await put(platform)
    await put(platform)
    await accept(platform, signed_source(AUTHOR, source_id="urn:doc:test:again", boundary=Boundary.CONFIDENTIAL))
    await platform.sources.check_again(HASH, passed=True)
    for guess in guesses:
        assert (await statement_of(platform, guess))["machine_check"] == "INCONCLUSIVE"
        assert len(await verdicts_of_machine(platform, guess)) == 1


async def test_a_source_above_the_submitters_clearance_is_not_compared_for_it(platform: Platform) -> None:
    """Whether a guess is taken would tell what the source says."""
    await settle(platform)
    await accept(platform, signed_source(AUTHOR, boundary=Boundary.CONFIDENTIAL))
    guess = signed_statement(AUTHOR, evidence=[segment() | {"quoteText": "a guess"}])
    await platform.submit(guess, clearance=Boundary.PUBLIC)
    node = await statement_of(platform, guess)
    assert node["machine_check"] == "INCONCLUSIVE"
    assert "cannot be compared here" in node["machine_reason"]
    with pytest.raises(EvidenceError, match="quoteText does not occur"):
        await platform.submit(
            signed_statement(AUTHOR, claim="Another.", evidence=[segment() | {"quoteText": "a guess"}]),
            clearance=Boundary.CONFIDENTIAL,
        )
