"""What the pages of a PDF say, with the bytes they stand in, and quotes compared with that."""

import zlib
from dataclasses import replace
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from typing import Any

import pytest
from builders import signed_statement
from fpdf import FPDF
from hypothesis import given, settings
from hypothesis import strategies as st
from pdfs import assemble, lines, stream, write_pdf

from a2ap.canonical import sha256_digest
from a2ap.messages.evidence import ByteRange, build_segment
from a2ap.messages.finding import FindingStatus
from a2ap.messages.message import read_message
from a2ap.messages.statement import ProvenanceStatement
from graph.cli.errors import CommandError
from graph.cli.passages import quote_passages
from graph.content.content_store import ContentStore
from graph.content.object_folder import ObjectFolder
from graph.evidence import pdf_text
from graph.evidence.machine_check import CheckStatus, MachineCheck, check_evidence
from graph.evidence.pdf_text import MAX_PDF, PdfText, is_pdf, rule, stands_in
from graph.evidence.pdf_words import as_quoted, letters_of, page_text
from graph.evidence.pdf_worker import MAX_PAGES, read_file
from graph.evidence.quotes import compare_quote
from graph.evidence.reader import EvidenceReader
from graph.evidence.reading import MAX_WHOLE_DOCUMENT
from graph.evidence.shown_text import Page, Shown
from graph.evidence.source_text import SourceText, read_source
from graph.verifier.material import Source
from graph.verifier.source_check import check_sources

PASS, FAIL, INCONCLUSIVE = CheckStatus.PASS, CheckStatus.FAIL, CheckStatus.INCONCLUSIVE

MINUTES = write_pdf(
    ["Minutes of the council.", "The council keeps the height limit", "at forty feet."],
    ["Some members asked for an exam-", "ple of the well-", "known rule.", "Nobody objected."],
    ["The council keeps the height limit."],
)


@pytest.fixture(scope="module")
def minutes() -> SourceText:
    return read_source(MINUTES)


def citing(document: bytes, quote: str, start: int = 0, end: int | None = None, **members: Any) -> ProvenanceStatement:
    end = len(document) if end is None else end
    evidence = build_segment("urn:doc:x", start, end, document_hash=sha256_digest(document), quote=quote, **members)
    statement = read_message(signed_statement(evidence=[evidence]))
    assert isinstance(statement, ProvenanceStatement)
    return statement


def check(source: SourceText, quote: str, start: int = 0, end: int | None = None, **members: Any) -> MachineCheck:
    statement = citing(source.content, quote, start, end, **members)
    segment = statement.evidence[0]
    return check_evidence(statement, [source.cite(segment.byte_range, segment.page)])


def test_a_quote_stands_on_a_page_and_in_its_bytes(minutes: SourceText) -> None:
    (place,) = minutes.find("keeps the height limit at forty feet")
    assert place.page == 1
    cited = MINUTES[place.byte_range.start : place.byte_range.end]
    assert cited.startswith(b"11 0 obj") and cited.endswith(b"endstream")
    start, end = place.byte_range.start, place.byte_range.end
    hashed = sha256_digest(cited)
    result = check(minutes, "keeps the height limit at forty feet.", start, end, page=1, content_hash=hashed)
    assert (result.status, result.findings[2].evidence) == (
        PASS,
        f"evidence[0].quoteText occurs in the text that the cited bytes show ({rule()})",
    )
    assert rule().startswith("pdf/1, pypdf ")


@pytest.mark.parametrize(
    ("quote", "page", "status"),
    [
        ("The council keeps the height limit", None, PASS),
        ("The council   keeps\nthe height limit", 3, PASS),
        ("at forty feet.", 3, FAIL),
        ("at forty feet. Some members asked", None, PASS),  # over the end of a page
        ("asked for an example of the well-known rule", 2, PASS),
        ("asked for an exam-ple of the wellknown rule", 2, PASS),
        ("asked for an exa-mple", 2, INCONCLUSIVE),
        ("The council keeps the width limit", None, FAIL),
        ("The height limit keeps the council", None, INCONCLUSIVE),
        ("The coun cil keeps", None, INCONCLUSIVE),
        ("the Council keeps", None, INCONCLUSIVE),
        ("The council keeps", 4, INCONCLUSIVE),
    ],
)
def test_a_quote_is_compared_with_the_text_of_the_pages_that_are_cited(
    minutes: SourceText, quote: str, page: int | None, status: CheckStatus
) -> None:
    assert check(minutes, quote, page=page).status is status


def test_no_quote_goes_on_over_a_page_that_is_not_shown() -> None:
    spans = [ByteRange(0, 5), ByteRange(20, 30), ByteRange(6, 9)]
    texts = enumerate(zip(("one two", "hidden", "three four"), spans, strict=True), 1)
    pages = tuple(Page(number, text, letters_of(text), span, "", "") for number, (text, span) in texts)
    for shown in (
        PdfText("pdf/1", pages, 40).within(ByteRange(0, 10)),
        PdfText("pdf/1", (pages[0], replace(pages[1], hides="a layer"), pages[2]), 40).within(ByteRange(0, 40)),
    ):
        assert shown.text is not None
        assert stands_in("one two", shown.text) and stands_in("three four", shown.text)
        assert not stands_in("two three", shown.text) and not stands_in("hidden", shown.text)
    whole = PdfText("pdf/1", pages, 40).within(ByteRange(0, 40))
    assert whole.text == "one two hidden three four"


def test_bytes_that_hold_no_page_show_nothing_whatever_their_hash(minutes: SourceText) -> None:
    (place,) = minutes.find("Nobody objected")
    start, end = place.byte_range.start, place.byte_range.end
    for cited, page, why in [
        ((start, end - 1), None, "the cited bytes hold no whole page of the source"),
        ((start, end), 1, "the cited bytes hold not all of page 1"),
        ((0, len(MINUTES)), 9, "the source has 3 pages"),
    ]:
        hashed = sha256_digest(MINUTES[cited[0] : cited[1]])
        result = check(minutes, "Nobody objected", *cited, page=page, content_hash=hashed)
        assert result.status is INCONCLUSIVE
        assert result.reason == f"evidence[0].quoteText cannot be compared ({rule()}): {why}"


@pytest.mark.parametrize(
    ("extracted", "text"),
    [
        ("one  two\n\tthree\xa0 four ", "one two three four"),
        ("o\ufb03ce \ufb01nds\ufb05", "office findsst"),
        ("exam-\nple", "exam\xadple"),
        ("exam\u2010 \r\n ple", "exam\xadple"),
        ("exam\xad\nple so\xadft", "exam\xadple soft"),
        ("2020-\n21 and A-\n1", "2020-21 and A-1"),
        ("a -\nb and - \n c", "a - b and - c"),
        ("zero\u200bwidth\ufeff", "zerowidth"),
        ("", ""),
    ],
)
def test_pages_are_compared_in_one_stated_form(extracted: str, text: str) -> None:
    assert page_text(extracted) == text


def test_quotes_have_the_same_form() -> None:
    assert as_quoted(" o\ufb03ce\xa0hours\xad ") == "office hours"
    assert stands_in("exam-ple", "an exam\xadple") and stands_in("example", "an exam\xadple")
    assert not stands_in("exa-mple", "an exam\xadple")
    assert stands_in("the well-known example", "the well\xadknown exam\xadple")
    assert not stands_in("-known example-", "the well\xadknown exam\xadple")


WORDS = st.lists(st.text(st.sampled_from("abcé-"), min_size=1, max_size=6), min_size=1, max_size=8).map(" ".join)


@given(WORDS, st.data())
def test_words_are_found_however_their_hyphens_are_read(text: str, data: st.DataObject) -> None:
    broken = "".join("\xad" if sign == "-" and data.draw(st.booleans()) else sign for sign in text)
    assert stands_in(text, broken)
    assert stands_in(text.replace("-", ""), broken.replace("-", "").replace("\xad\xad", "\xad"))


@given(st.text(max_size=60), st.text(max_size=20))
def test_any_text_has_a_form_that_holds_its_own_words(text: str, quote: str) -> None:
    form = page_text(text)
    assert form == form.strip(" ") and "\n" not in form
    pages = (Page(1, form, letters_of(form), ByteRange(0, 9), "", ""),)
    if as_quoted(quote):
        compared = compare_quote(quote, Shown("pdf/1", form, pages=pages), b"")
        assert (compared.status is FindingStatus.PASS) is stands_in(as_quoted(quote), form)
    if form and "\xad" not in form:
        assert stands_in(as_quoted(form), form)


PICTURE = stream(
    bytes(3), b"/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceRGB /BitsPerComponent 8"
)
SAID = lines(["Keep the limit."])
NAMELESS = b"<< /Type /Font /Subtype /TrueType /BaseFont /ABCDEF+Odd /FirstChar 0 /LastChar 0 /Widths [500] >>"


@pytest.mark.parametrize(
    ("document", "why"),
    [
        (write_pdf(SAID + b" /Im0 Do"), "page 1 has a picture or a form"),
        (write_pdf(SAID + b" 0 0 m 1 1 2 2 3 3 c f"), "page 1 has a drawing"),
        (write_pdf(SAID + b" 0 0 m" + b" 1 1 l 2 2 l" * 300 + b" S"), "page 1 has a drawing"),
        (write_pdf(SAID + b" /Pattern cs /P0 scn 0 0 9 9 re f"), "page 1 has a pattern"),
        (write_pdf(b"/Span <</ActualText (Abolish it.)>> BDC " + SAID + b" EMC"), "a text to be read in place"),
        (write_pdf(SAID, font=NAMELESS), "page 1 has a font whose letters are not named"),
        (
            write_pdf(SAID, page_members=b"/Annots [ << /Type /Annot /Subtype /FreeText /Contents (x) >> ]"),
            "page 1 has a note or a field",
        ),
    ],
)
def test_a_page_that_shows_more_than_text_lets_no_quote_fail(document: bytes, why: str) -> None:
    source = read_source(document)
    result = check(source, "Abolish every limit.")
    assert result.status is INCONCLUSIVE
    assert why in result.reason
    if "not named" not in why:
        assert check(source, "Keep the limit.").status is PASS


@pytest.mark.parametrize(
    ("document", "why"),
    [
        (write_pdf(b"BT 3 Tr ET " + SAID), "page 1 has text that is drawn unseen"),
        (write_pdf(b"/OC /Layer BDC " + SAID + b" EMC"), "page 1 has text on a layer that may be off"),
    ],
)
def test_text_that_may_not_be_shown_proves_nothing(document: bytes, why: str) -> None:
    result = check(read_source(document), "Keep the limit.")
    assert result.status is INCONCLUSIVE
    assert why in result.reason


def _bomb(content: bytes) -> bytes:
    return stream(zlib.compress(zlib.compress(content, 9), 9), b"/Filter [/FlateDecode /FlateDecode]")


def _cycle() -> bytes:
    return write_pdf(["a"], objects={2: b"<< /Type /Pages /Kids [ 2 0 R 10 0 R ] /Count 2 >>"})


def _encrypted() -> bytes:
    pdf = FPDF()
    pdf.add_page()
    pdf.set_font("Helvetica", size=12)
    pdf.cell(text="Keep the limit.")
    pdf.set_encryption(owner_password="x", user_password="y")
    return bytes(pdf.output())


HOSTILE = {
    "a bomb": write_pdf(["a"], objects={11: _bomb(b" " * 200_000_000)}),
    "a bomb of operators": write_pdf(["a"], objects={11: stream(b"0 g " * 120_000, packed=True)}),
    "a cycle": _cycle(),
    "a form that draws itself": write_pdf(
        b"/F Do",
        resources=b"/XObject << /F 4 0 R >>",
        objects={4: stream(b"/F Do", b"/Type /XObject /Subtype /Form /Resources << /XObject << /F 4 0 R >> >>")},
    ),
    "many pages": write_pdf(["a"], objects={2: b"<< /Kids [ %s ] /Count 1 >>" % (b"10 0 R " * (MAX_PAGES + 1))}),
    "no pages": assemble({1: b"<< /Type /Catalog >>"}),
    "encrypted": _encrypted(),
    "no table": b"%PDF-1.7\nstartxref\n99999\n%%EOF",
    "cut off": MINUTES[: len(MINUTES) // 2],
    "a head alone": b"%PDF-1.7",
    "a script": write_pdf([], objects={1: b"<< /Pages 2 0 R /OpenAction << /S /JavaScript /JS (while(1){}) >> >>"}),
    "another file": write_pdf(["a"], objects={11: b"<< /F (https://example.org/a) /Length 0 >>\nstream\n\nendstream"}),
    "a scan": write_pdf(b"/Im0 Do", resources=b"/XObject << /Im0 4 0 R >>", objects={4: PICTURE}),
    "long": MINUTES + b" " * MAX_PDF,
    "deep": b"%PDF-1.7\n1 0 obj\n" + b"[" * 100_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_leaves_the_quote_open_and_says_why(name: str) -> None:
    document = HOSTILE[name]
    result = check(read_source(document), "Abolish every limit.", content_hash=sha256_digest(document))
    assert result.status is INCONCLUSIVE
    assert result.reason.startswith("evidence[0].quoteText ")
    assert rule() in result.reason


def test_what_is_too_much_says_of_what() -> None:
    names = ("many pages", "encrypted", "no pages")
    whys = {name: read_file(HOSTILE[name]).get("error") for name in names}
    assert whys == {
        "many pages": f"it has more than {MAX_PAGES} pages",
        "encrypted": "it is encrypted",
        "no pages": "it is damaged (PdfReadError)",
    }


def test_a_page_that_cannot_be_read_leaves_the_others_as_they_are() -> None:
    bomb = stream(b"0 g " * 120_000, packed=True)
    source = read_source(write_pdf(["Keep the limit."], ["a"], objects={13: bomb}))
    assert check(source, "Keep the limit.").status is PASS
    assert "page 2 has something that cannot be read" in check(source, "Abolish the limit.").reason


def test_without_the_library_a_quote_stays_open_and_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(pdf_text, "version", missing)
    rule.cache_clear()
    try:
        result = check(read_source(MINUTES), "Nobody objected")
    finally:
        rule.cache_clear()
    assert result.status is INCONCLUSIVE
    assert "(pdf/1): PDF is read with pypdf, which the extra `pdf` of this package brings" in result.reason


@pytest.mark.parametrize(
    ("beginning", "said"), [(b"%PDF-1.4", True), (b" \r\n%PDF-2.0", True), (b"x%PDF-1.4", False), (b"", False)]
)
def test_a_document_is_a_pdf_by_its_beginning(beginning: bytes, said: bool) -> None:
    assert is_pdf(beginning) is said


def _with_changes() -> bytes:
    changed = b"\n11 0 obj\n" + stream(lines(["Abolish the limit."])) + b"\nendobj\n"
    start = len(MINUTES) + changed.index(b"11 0 obj")
    table = b"xref\n11 1\n%010d 00000 n \ntrailer\n<< /Size 16 /Root 1 0 R /Prev %d >>\nstartxref\n%d\n%%%%EOF\n"
    before = int(MINUTES.split()[-2])
    return MINUTES + changed + table % (start, before, len(MINUTES) + len(changed))


def test_a_page_that_was_changed_at_the_end_stands_there() -> None:
    document = _with_changes()
    source = read_source(document)
    (place,) = source.find("Abolish the limit.")
    assert (place.page, place.byte_range.start > len(MINUTES)) == (1, True)
    assert check(source, "at forty feet.", page=1).status is FAIL


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=300), st.integers(0, len(MINUTES)), st.integers(0, 60))
def test_any_bytes_are_read_or_refused_with_a_sentence(noise: bytes, at: int, taken: int) -> None:
    for document in (b"%PDF-1.4\n" + noise, MINUTES[:at] + noise + MINUTES[at + taken :]):
        told = read_file(document)
        assert ("error" in told) is ("pages" not in told)
        for page in told.get("pages", ()):
            span = page["span"]
            assert span is None or 0 <= span[0] < span[1] <= len(document)


def test_a_file_that_a_library_wrote_is_read() -> None:
    pdf = FPDF()
    pdf.set_compression(True)
    for words in ("The rezoning was approved by seven votes to two.", "Café owners want tables."):
        pdf.add_page()
        pdf.set_font("Helvetica", size=12)
        pdf.multi_cell(w=60, text=words)
    source = read_source(bytes(pdf.output()))
    assert [place.page for place in source.find("approved by seven votes")] == [1]
    assert check(source, "Café owners want tables.", page=2).status is PASS
    assert check(source, "approved by eight votes", page=1).status is FAIL


@given(st.data())
@settings(max_examples=50, deadline=None)
def test_no_mutated_quote_passes(minutes: SourceText, data: st.DataObject) -> None:
    text = "The council keeps the height limit at forty feet."
    words = text.split()
    place = data.draw(st.integers(0, len(words) - 1))
    other = data.draw(st.sampled_from(["not", "fifty", "otherwise", "widths", "no", "4", "feets", "ｆorty"]))
    kind = data.draw(st.sampled_from(["swap", "insert", "drop", "exchange"]))
    mutated = {
        "swap": [*words[:place], other, *words[place + 1 :]],
        "insert": [*words[:place], other, *words[place:]],
        "drop": [*words[:place], *words[place + 1 :]],
        "exchange": [*words[:place], *reversed(words[place : place + 2]), *words[place + 2 :]],
    }[kind]
    quote = " ".join(mutated)
    stands = as_quoted(quote) in "The council keeps the height limit at forty feet."
    assert (check(minutes, quote, page=1).status is PASS) is stands


async def test_the_reader_compares_pdf_that_it_reads_whole_and_leaves_open_what_it_does_not(content) -> None:
    long = MINUTES + b" " * MAX_WHOLE_DOCUMENT
    names = await content.put_many([MINUTES, long])
    reader = EvidenceReader(content)
    statements = [citing(document, "Nobody objected.", 0, len(MINUTES), page=2) for document in (MINUTES, long)]
    results = [check_evidence(one, await reader.cited_bytes(one, names)) for one in statements]
    assert [result.status for result in results] == [PASS, INCONCLUSIVE]
    assert "(pdf/1): the source has" in results[1].reason


@pytest.fixture
def content(tmp_path: Path) -> ContentStore:
    return ContentStore(ObjectFolder(tmp_path), tmp_path / "spool")


@pytest.mark.parametrize(
    ("quote", "status"),
    [
        ("Nobody objected.", FindingStatus.PASS),
        ("Everybody objected.", FindingStatus.FAIL),
        ("objected Nobody.", FindingStatus.INCONCLUSIVE),
    ],
)
def test_verifiers_compare_quotes_as_the_machine_does(quote: str, status: FindingStatus) -> None:
    findings = check_sources(citing(MINUTES, quote, page=2), {sha256_digest(MINUTES): Source(MINUTES, None)})
    assert [finding.status for finding in findings[:2]] == [status, status]


def test_commands_find_the_page_and_the_bytes_of_a_quote(tmp_path: Path) -> None:
    path = tmp_path / "minutes.pdf"
    path.write_bytes(MINUTES)
    (segment,) = quote_passages("urn:doc:minutes", path, ["an example of the well-known rule"])
    start, end = segment["byteRange"]["start"], segment["byteRange"]["end"]
    assert (segment["page"], segment["contentHash"]) == (2, sha256_digest(MINUTES[start:end]))
    with pytest.raises(CommandError, match="on page 1 and on page 3; quote more of it"):
        quote_passages("urn:doc:minutes", path, ["The council keeps the height limit"])
    path.write_bytes(HOSTILE["encrypted"])
    with pytest.raises(
        CommandError, match=r"no words can be found .*: the source is not read, because it is encrypted"
    ):
        quote_passages("urn:doc:minutes", path, ["Keep the limit."])
