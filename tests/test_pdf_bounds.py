"""What the reading of PDFs may take: characters of a file, files and text of a statement, and never the event loop."""

import logging
import subprocess
import threading
import unicodedata
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from builders import signed_statement
from cost import lines_of
from pdfs import lines, stream, write_pdf

from a2ap.boundary import Boundary
from a2ap.canonical import sha256_digest
from a2ap.messages.evidence import build_segment
from a2ap.messages.finding import FindingStatus
from a2ap.messages.message import read_message
from a2ap.messages.statement import ProvenanceStatement
from graph.content.content_store import ContentStore
from graph.content.object_folder import ObjectFolder
from graph.evidence import checking, pdf_text, pdf_worker, quotes, reader, reading
from graph.evidence.machine import check_statement
from graph.evidence.machine_check import CheckStatus, check_evidence
from graph.evidence.pdf_text import PdfText, is_pdf, read_pdf, stands_in
from graph.evidence.pdf_words import letters_of
from graph.evidence.pdf_worker import read_file
from graph.evidence.quotes import compare_quote
from graph.evidence.reader import EvidenceReader
from graph.evidence.remainders import Remainder
from graph.evidence.shown_text import Page, Shown
from graph.evidence.source_text import SourceText, read_source

NONE: Mapping[str, Remainder] = {}
NAMED = b"1 begincodespacerange <00> <FF> endcodespacerange 1 beginbfchar <41> <%s> endbfchar"
MOST = reading.MAX_PDFS


def citing(*documents: bytes, quote: str = "Keep the limit.") -> ProvenanceStatement:
    evidence = [
        build_segment(f"urn:doc:{number}", 0, len(one), document_hash=sha256_digest(one), quote=quote)
        for number, one in enumerate(documents)
    ]
    statement = read_message(signed_statement(evidence=evidence))
    assert isinstance(statement, ProvenanceStatement)
    return statement


def mapped(letters: str, count: int) -> bytes:
    """Return a PDF of one page with so many signs, each of which stands for these letters."""
    font = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 4 0 R >>"
    named = stream(NAMED % letters.encode("utf-16-be").hex().encode())
    return write_pdf(["A" * count], font=font, objects={4: named})


@pytest.fixture
def content(tmp_path: Path) -> ContentStore:
    return ContentStore(ObjectFolder(tmp_path), tmp_path / "spool")


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """Return the PDFs that a reader of evidence reads, each of which has one page."""
    found: list[bytes] = []

    def read_once(document: bytes) -> SourceText:
        if not is_pdf(document):
            return read_source(document)
        found.append(document)
        text = "Keep the limit."
        pages = (Page(1, text, letters_of(text), None, "", ""),)
        return SourceText(document, None, PdfText("pdf/1", pages, len(document)))

    monkeypatch.setattr(reader, "read_source", read_once)
    return found


def test_a_page_is_read_no_further_than_a_file_may_have_characters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf_worker, "MAX_TEXT", 1_000)
    drawn = []
    see = pdf_worker._Reading._see_operator

    def noted(self: Any, operator: bytes, operands: Any, *matrices: Any) -> None:
        drawn.append(operator)
        see(self, operator, operands, *matrices)

    monkeypatch.setattr(pdf_worker._Reading, "_see_operator", noted)
    assert read_file(write_pdf(["Keep the limit."] * 2_000))["error"].startswith("it has more than")
    assert len(drawn) < 400


def test_letters_that_come_apart_count_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    assert read_file(mapped("\ufdfa", 50))["pages"][0]["text"] == "\ufdfa" * 50
    monkeypatch.setattr(pdf_worker, "MAX_TEXT", 100)
    assert read_file(mapped("\ufdfa", 50))["error"].startswith("it has more than")
    assert "error" not in read_file(mapped("a", 50))


def test_the_letters_of_pages_are_told_by_the_process_that_reads_them(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "é" * 100_000
    shown = Shown("pdf/1", text, pages=(Page(1, text, letters_of(text), None, "", ""),))
    taken = []
    normalize = unicodedata.normalize

    def measured(form: Any, words: str) -> str:
        taken.append(len(words))
        return normalize(form, words)

    monkeypatch.setattr(unicodedata, "normalize", measured)
    assert compare_quote("Êlsewhere", shown, b"").status is FindingStatus.FAIL
    assert sum(taken) < 100
    told = read_pdf(write_pdf(["Keep the li\xadmit."]))
    assert isinstance(told, PdfText) and [page.letters for page in told.pages] == ["keepthelimit"]


def test_of_a_long_quote_so_many_words_are_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    words = [f"w{number}" for number in range(3_000)]
    text = " ".join(words)
    shown = Shown("pdf/1", text, pages=(Page(1, text, letters_of(text), None, "", ""),))
    looked: list[str] = []

    def noted(word: str) -> str:
        looked.append(word)
        return letters_of(word)

    monkeypatch.setattr(quotes, "letters_of", noted)
    again = " ".join(reversed(words * 2))
    assert compare_quote(again, shown, b"").status is FindingStatus.INCONCLUSIVE
    assert len(looked) == len(set(looked)) == 1_000
    assert compare_quote(f"nowhere {again}", shown, b"").status is FindingStatus.FAIL


def test_a_quote_with_hyphens_is_found_without_a_step_for_each_sign() -> None:
    text = "a well\xadknown exam\xadple " * 5_000
    assert lines_of(lambda: stands_in("other-wise", text)) < 200
    assert lines_of(lambda: stands_in("well-known example", text)) < len(text) / 10


async def test_pages_are_compared_beside_the_event_loop(
    content: ContentStore, read: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    threads = []

    def noted(*arguments: Any) -> Any:
        threads.append(threading.current_thread())
        return check_statement(*arguments)

    monkeypatch.setattr(checking, "check_statement", noted)
    for document, beside in ((b"%PDF-1.7", True), (b"Keep the limit.", False)):
        names = await content.put_many([document])
        result = await checking.look_at(
            EvidenceReader(content), citing(document), [Boundary.PUBLIC], held=names, remainders=NONE
        )
        assert result.check.status is CheckStatus.PASS
        assert (threads.pop() is not threading.main_thread()) is beside


async def test_of_one_statement_so_many_pdfs_are_read_whatever_is_kept(
    content: ContentStore, read: list[bytes]
) -> None:
    documents = [b"%%PDF-1.7 %d" % number for number in range(7)]
    names = await content.put_many(documents)
    statement, evidence = citing(*documents, *documents), EvidenceReader(content)
    for _ in range(2):
        cited = await evidence.cited_bytes(statement, names)
        assert [one.shown.text for one in cited if one and one.shown] == [
            "Keep the limit." if number % 7 < MOST else None for number in range(14)
        ]
        assert read == documents[:MOST]
    result = check_evidence(statement, cited)
    assert result.status is CheckStatus.INCONCLUSIVE
    assert "more than 4 PDFs are not read for one statement" in result.reason
    await evidence.cited_bytes(citing(*documents[4:]), names)
    assert read == documents
    assert [one.shown.text for one in await evidence.cited_bytes(statement, names) if one and one.shown][4] is None


async def test_what_takes_long_is_read_ahead_or_not_at_all(content: ContentStore, read: list[bytes]) -> None:
    documents = [b"%PDF-1.7", b"Keep the limit." + b" " * reader.QUICK, b"Keep the limit."]
    names = await content.put_many(documents)
    statement, left = citing(*documents), {names[0]: Remainder(names[0], ())}
    for given in ({}, {names[0]: SourceText(documents[0], None, None)}):
        with pytest.raises(reader.UnreadError):
            await EvidenceReader(content).cited_bytes(statement, names, given=given)
    with pytest.raises(reader.UnreadError):
        await EvidenceReader(content).cited_bytes(statement, names[1:], left, given={})
    assert read == []
    for held, remainders in ((names, NONE), (names[1:], left)):
        ahead = await EvidenceReader(content).read_ahead(statement, held, remainders)
        assert ahead.keys() == set(names[:2]) and len(read) == 1
        found = await EvidenceReader(content).cited_bytes(statement, held, remainders, given=ahead)
        assert len(read) == 1
        assert found == await EvidenceReader(content).cited_bytes(statement, held, remainders)
        # What is kept needs nobody to read it.
        kept = EvidenceReader(content)
        await kept.cited_bytes(statement, names)
        assert await kept.cited_bytes(statement, names, given={}) == await kept.cited_bytes(statement, names)
        read.clear()


async def test_of_what_is_left_of_redacted_pdfs_no_more_are_read(content: ContentStore, read: list[bytes]) -> None:
    documents = [b"%%PDF-1.7 %d" % number for number in range(7)]
    names = await content.put_many(documents)
    remainders = {name: Remainder(name, ()) for name in names}
    cited = await EvidenceReader(content).cited_bytes(citing(*documents), (), remainders)
    assert len(read) == MOST and len([one for one in cited if one and one.shown]) == 7


async def test_no_pdf_is_begun_once_those_of_a_statement_have_taken_their_time(
    content: ContentStore, read: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "MAX_PDF_SECONDS", 0)
    documents = [b"%%PDF-1.7 %d" % number for number in range(3)]
    names = await content.put_many(documents)
    statement, evidence = citing(*documents, *documents), EvidenceReader(content)
    cited = await evidence.cited_bytes(statement, names)
    assert read == documents[:1]
    whys = {one.shown.why for one in cited[1:3] if one and one.shown}
    assert whys == {"the PDFs of the statement take too long to be read"}
    await evidence.cited_bytes(citing(documents[1]), names)
    assert read == documents[:2]


async def test_of_one_statement_so_much_text_of_pages_is_compared(
    content: ContentStore, read: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "MAX_PAGES_TEXT", 2 * (len("Keep the limit.") + 200))
    document = b"%PDF-1.7"
    names = await content.put_many([document])
    statement = citing(*[document] * 5)
    cited = await EvidenceReader(content).cited_bytes(statement, names)
    assert [one.shown.text is not None for one in cited if one and one.shown] == [True, True, True, False, False]
    assert "the statement cites more text of pages than is compared" in check_evidence(statement, cited).reason


@pytest.mark.parametrize(("state", "hides"), [("G0", True), ("G1", False), ("G2", False), ("none", False)])
def test_text_without_colour_is_drawn_unseen(state: str, hides: bool) -> None:
    states = b"/ExtGState << /G0 << /ca 0.0 >> /G1 << /ca 0.5 >> /G2 << /ca /x >> >>"
    drawn = b"/%s gs " % state.encode() + lines(["Keep the limit."])
    page = read_file(write_pdf(drawn, resources=states))["pages"][0]
    assert page["text"] == "Keep the limit."
    assert page["hides"] == ("text that is drawn unseen, with no colour at all" if hides else "")


def test_it_is_said_once_that_files_are_read_beside_a_network(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    told = SimpleNamespace(returncode=0, stdout=b'{"pages": [], "alone": false}')
    monkeypatch.setattr(subprocess, "run", lambda *arguments, **options: told)
    pdf_text._say_not_alone.cache_clear()
    with caplog.at_level(logging.WARNING):
        for _ in range(2):
            assert isinstance(read_pdf(b"%PDF-1.7"), PdfText)
    assert [record.message for record in caplog.records if "have a network" in record.message] == [
        "PDF is read by processes that have a network, because this machine lets no process leave it"
    ]
