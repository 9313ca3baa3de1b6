"""A statement whose sources take long to be read is set aside: nobody else waits, and its call keeps its order."""

import asyncio
import threading
from dataclasses import replace

import pytest
from builders import signed_registration, signed_response, signed_source, signed_statement
from graph_contents import nodes_with_label
from pdfs import write_pdf
from platform_fixture import platform
from scenario import AUTHOR, STRANGER, VERIFIER_A, VERIFIER_B, accept, pieces, settle

from a2ap.canonical import sha256_digest
from a2ap.errors import A2APError
from a2ap.messages.evidence import build_segment
from a2ap.messages.message import read_message
from a2ap.messages.statement import ProvenanceStatement
from graph.errors import NotRegisteredError
from graph.evidence import reader
from graph.evidence.pdf_text import PdfText, is_pdf
from graph.evidence.pdf_words import letters_of
from graph.evidence.shown_text import Page
from graph.evidence.source_text import SourceText, read_source
from graph.kinds.state import State
from graph.log.entry import Outcome, Receipt
from graph.platform import Platform, utc_now
from graph.requests.room import OpenRequests
from graph.store import Transaction
from graph.submission import ledger, parts, submitter
from graph.submission.batch_plan import BatchPlan, Part
from graph.submission.call import Call, SetAsideError
from graph.submission.submission import Submission

__all__ = ["platform"]

SOON = 60.0  # seconds
NAME, QUOTE = "urn:doc:test:pdf", "Keep the limit."


class SlowReading:
    """Reads PDFs once it is told to, as if each had one page with the quote; with an error where it is to fail."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._go_on = threading.Event()
        self.begun = asyncio.Event()
        self.read = 0
        self.error: Exception | None = None

    def __call__(self, content: bytes) -> SourceText:
        if not is_pdf(content):
            return read_source(content)
        self._loop.call_soon_threadsafe(self.begun.set)
        assert self._go_on.wait(SOON)
        self.read += 1
        if self.error is not None:
            raise self.error
        page = Page(1, QUOTE, letters_of(QUOTE), None, "", "")
        return SourceText(content, None, PdfText("pdf/1", (page,), len(content)))

    def go_on(self) -> None:
        self._go_on.set()


async def held(platform: Platform, pdf: bytes) -> list[dict[str, object]]:
    """Hand in a PDF, and return what cites all of it."""
    await accept(platform, signed_source(AUTHOR, source=pdf, source_id=NAME))
    await platform.sources.put(sha256_digest(pdf), pieces(pdf))
    return [build_segment(NAME, 0, len(pdf), document_hash=sha256_digest(pdf), quote=QUOTE)]


async def test_while_a_pdf_is_read_others_write_and_its_call_keeps_its_order(
    platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    await settle(platform)
    cited = [await held(platform, write_pdf([QUOTE, str(number)])) for number in range(2)]
    reading = SlowReading()
    monkeypatch.setattr(reader, "read_source", reading)
    monkeypatch.setattr(submitter, "_READ_AT_ONCE", 2)
    first, second = (
        signed_statement(AUTHOR, claim=f"Claim {number}.", evidence=one) for number, one in enumerate(cited)
    )
    documents = [
        *(first, signed_response(first, VERIFIER_A)),
        *(b"{", b"{"),  # of these two nothing is handed in
        *(signed_response(first, VERIFIER_B), second),
        *(signed_response(second, VERIFIER_A), signed_registration(40)),
        *(signed_statement(40, claim="Last."), first),
    ]
    call = asyncio.create_task(platform.submit_many(documents))
    async with asyncio.timeout(SOON):
        await reading.begun.wait()
        other = await platform.submit(signed_statement(STRANGER, claim="Others go on."))
        assert not call.done() and reading.read == 0
        reading.go_on()
        outcomes = await call
    assert [isinstance(outcome, A2APError) for outcome in outcomes] == [place in (2, 3) for place in range(10)]
    receipts = [outcome for outcome in outcomes if isinstance(outcome, Receipt)]
    places = [receipt.entry.log_index for receipt in receipts]
    assert places[:-1] == sorted(places[:-1]) and places[-1] == places[0] > other.entry.log_index
    assert [receipt.created for receipt in receipts] == [True] * 7 + [False]
    checks = {row["claim_text"]: row["machine_check"] for row in await nodes_with_label(platform.store, "Statement")}
    assert (checks["Claim 0."], checks["Claim 1."]) == ("PASS", "PASS")
    assert reading.read == 2


async def test_what_cannot_be_read_is_the_error_of_its_statement_alone(
    platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    await settle(platform)
    cited = await held(platform, write_pdf([QUOTE]))
    reading = SlowReading()
    reading.error = RuntimeError("a disk is gone")
    reading.go_on()
    monkeypatch.setattr(reader, "read_source", reading)
    statement = signed_statement(AUTHOR, evidence=cited)
    other = signed_statement(STRANGER, claim="Others go on.")
    outcomes = await platform.submit_many([signed_registration(40), statement, other])
    assert [type(outcome) for outcome in outcomes] == [Receipt, RuntimeError, Receipt]
    reading.error = None
    assert (await platform.submit(statement)).created


def test_what_comes_behind_in_a_call_waits_in_whatever_batch_it_is() -> None:
    message = read_message(signed_registration(1))
    call, other = Call(), Call()
    submissions = [Submission(message, call=call, place=call.next_place()) for _ in range(4)]
    outcomes = [NotRegisteredError("nobody"), SetAsideError()]

    def begun() -> BatchPlan:
        return BatchPlan(State(size=0), utc_now(), OpenRequests(), {}, set())

    plan = begun()
    assert plan.has_come(submissions[0]) and not plan.has_come(submissions[1])
    for submission, outcome in zip(submissions, outcomes, strict=False):
        plan.note(submission, outcome)
    assert plan.has_come(submissions[1]) and not plan.has_come(submissions[2])
    assert plan.has_come(Submission(message, call=other, place=other.next_place()))
    assert plan.has_come(Submission(message)) and plan.has_come(replace(submissions[3], call=None))

    # A plan that is not written leaves no trace, and what is certain counts in every later one.
    again = begun()
    assert not again.has_come(submissions[1])
    for submission, outcome in zip(submissions, outcomes, strict=False):
        submission.note(outcome)
    assert again.has_come(submissions[1]) and not again.has_come(submissions[2])
    submissions[0].note(NotRegisteredError("nobody"))
    assert call.answered == 1


def test_a_call_goes_on_where_all_before_have_their_answers() -> None:
    call = Call()
    for place in (0, 5, 2):
        call.note(place)
    assert call.answered == 1
    call.note(1)
    assert call.answered == 3
    for place in (4, 3):
        call.note(place)
    assert call.answered == 6


async def test_what_is_erased_while_it_is_read_is_not_kept(platform: Platform, monkeypatch: pytest.MonkeyPatch) -> None:
    await settle(platform)
    content = write_pdf([QUOTE])
    name = sha256_digest(content)
    statement = read_message(signed_statement(AUTHOR, evidence=await held(platform, content)))
    assert isinstance(statement, ProvenanceStatement)
    reading = SlowReading()
    monkeypatch.setattr(reader, "read_source", reading)
    evidence = reader.EvidenceReader(platform.content)
    ahead = asyncio.create_task(evidence.read_ahead(statement, {name}))
    await asyncio.wait_for(reading.begun.wait(), SOON)
    evidence.forget(name)
    reading.go_on()
    assert list(await ahead) == [name]
    assert name not in evidence._documents


async def test_a_part_that_is_written_after_another_try_moves_its_call_by_no_more_than_itself(
    platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second part meets a log that has moved on, and is planned again; those behind it are not answered by it."""
    monkeypatch.setattr(parts, "MAX_PART", 2)
    noted: list[tuple[int, bool]] = []
    note, write = Submission.note, ledger.Ledger._write
    tries: list[int] = []

    def noting(self: Submission, outcome: Outcome) -> None:
        noted.append((self.place, isinstance(outcome, Receipt)))
        note(self, outcome)

    async def moved_on(self: ledger.Ledger, transaction: Transaction, part: Part) -> None:
        tries.append(part.size)
        if len(tries) == 2:
            raise ledger.StaleLogError
        await write(self, transaction, part)

    monkeypatch.setattr(Submission, "note", noting)
    monkeypatch.setattr(ledger.Ledger, "_write", moved_on)
    documents = [*(signed_registration(seed) for seed in range(40, 45)), signed_source(50)]
    outcomes = await platform.submit_many(documents)
    assert [isinstance(outcome, Receipt) for outcome in outcomes] == [True] * 5 + [False]
    assert len(tries) > 3
    assert {place for place, is_receipt in noted if is_receipt} == set(range(5))
    assert {place for place, is_receipt in noted if not is_receipt} == {5}


async def test_while_long_documents_are_read_others_have_their_turns(
    platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    turns, read = [0], []

    def reads(data: bytes) -> None:
        read.append(turns[0])
        raise NotRegisteredError("nobody")

    async def turn() -> None:
        while True:
            turns[0] += 1
            await asyncio.sleep(0)

    monkeypatch.setattr(submitter, "read_message", reads)
    turning = asyncio.create_task(turn())
    await platform.submit_many([b" " * submitter._BYTES_AT_ONCE] * 9 + [b" "] * 9)
    turning.cancel()
    assert len(set(read[:9])) == 9 and len(set(read[9:])) == 1
