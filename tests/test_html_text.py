"""What HTML shows, with the bytes it stands in, and quotes compared with that."""

from contextlib import suppress
from typing import Any

import pytest
from builders import signed_statement
from cost import seconds_of
from hypothesis import given
from hypothesis import strategies as st

from a2ap.canonical import sha256_digest
from a2ap.messages.evidence import ByteRange, build_segment
from a2ap.messages.finding import FindingStatus
from a2ap.messages.message import read_message
from a2ap.messages.statement import ProvenanceStatement
from graph.content.content_store import ContentStore
from graph.content.object_folder import ObjectFolder
from graph.evidence.html_text import MAX_DEPTH, MAX_HTML, is_html, read_html
from graph.evidence.machine_check import CheckStatus, MachineCheck, check_evidence
from graph.evidence.reader import EvidenceReader
from graph.evidence.reading import MAX_WHOLE_DOCUMENT
from graph.evidence.remainders import Remainder
from graph.evidence.shown_text import Unreadable
from graph.evidence.source_text import read_source
from graph.verifier.material import Source
from graph.verifier.source_check import check_sources

PASS, FAIL, INCONCLUSIVE = CheckStatus.PASS, CheckStatus.FAIL, CheckStatus.INCONCLUSIVE


def page(body: str) -> bytes:
    return f"<!doctype html><title>Nobody reads this</title><body>{body}".encode()


def shown(body: str) -> str:
    return read_html(page(body)).text


def citing(document: bytes, quote: str, start: int = 0, end: int | None = None, **members: Any) -> ProvenanceStatement:
    end = len(document) if end is None else end
    evidence = build_segment("urn:doc:x", start, end, document_hash=sha256_digest(document), quote=quote, **members)
    statement = read_message(signed_statement(evidence=[evidence]))
    assert isinstance(statement, ProvenanceStatement)
    return statement


def check(document: bytes, quote: str, start: int = 0, end: int | None = None, **members: Any) -> MachineCheck:
    statement = citing(document, quote, start, end, **members)
    return check_evidence(statement, [read_source(document).cite(statement.evidence[0].byte_range)])


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("<p>Keep the <b>height</b> limit", "Keep the height limit"),
        ("<p>Keep\n   the&nbsp;limit", "Keep the limit"),
        ("zon<b>ing</b> re&shy;view a<wbr>b", "zoning review ab"),
        ("<p>one</p><p>two<br>three<td>four", "one two three four"),
        ("caf&eacute; &lt;b&gt; &#8220;x&#x201d; &amp;amp; &notanything; &", "café <b> “x” &amp; ¬anything; &"),
        ("1 < 2 <3 a<!-- b > c -->d<!-->e<!--->f<!--!>g-->h<?php x ?>i</>j</ x>k", "1 < 2 <3 adefhijk"),
        ("a<script>b</script>c<STYLE>d</style >e<title>f</title>g<noscript>h</noscript>i", "acegi"),
        ("a<script><!--<script>b</script>c--></script>d<script><!--</script>e", "ade"),
        ("a<template>b<p>c</template>d<p hidden>e<p>f<div style='DISPLAY:none'>g<div>h</div>i</div>j", "ad f j"),
        ("<span style='x:y;visibility&#58;hidden'>a</span>b<i style='color:red'>c", "bc"),
        ("<ul><li>a<li hidden>b<li>c</ul>", "a c"),
        ("<a href='>' title=\">\" x=y>a</a><p a'b>c", "a c"),
        ("<svg><g hidden><path/><path/></g></svg>a<div/>b", "a b"),
        ("a</nothing>b<textarea></p>c</textarea>", "a b"),
        ("a<b title='never closed>b", "a"),
        ("a<plaintext>b</plaintext>c", "a"),
        ("a<script>b</script\xa0>c</\u017fcript>d</script>e", "ae"),
        ("a<style>b</style\x0b>c</style>d", "ad"),
        ("<p\xa0hidden>a", "a"),
        ("<lin\u212a>a</lin\u212a>b", "a b"),
        ("<p style='display:\xa0none'>a<p style='display: none\xe9'>b", "a b"),
        ("<i style='color:red;/* display:none */'>a</i><i style='/**/display:none/*'>b</i>", "a"),
        ("<div hidden><table><tr><td></div>a</table></div>b", "b"),
        ("<div><template></div>a</template>b", "b"),
        ("<div hidden><object></div></object>a</div>b", "b"),
        ("<span hidden><div></span>a</div></span>b", "b"),
        ("<ul><li hidden><ul></li>a</ul></li><li>b</ul>", "b"),
        ("<b hidden><div></b>a", "a"),
        ("a<body hidden>b</body>c", "a"),
        ("", ""),
    ],
)
def test_what_is_seen_is_shown_and_nothing_else(body: str, text: str) -> None:
    assert shown(body) == text


@pytest.mark.parametrize(
    ("beginning", "said"),
    [
        (b"<!DOCTYPE html>", True),
        (b'\xef\xbb\xbf <?xml version="1.0"?>\n<!-- x --><!doctype\nHTML PUBLIC "', True),
        (b"<html lang=en>", True),
        (b"<body>", True),
        (b"<header>", False),
        (b"<p>A paragraph", False),
        (b"<!-- a remark in Markdown -->\n# Title", False),
        (b"WEBVTT", False),
        (b"<!-- " * 900 + b"<html>", False),
        (b"", False),
    ],
)
def test_a_document_is_html_by_its_beginning(beginning: bytes, said: bool) -> None:
    assert is_html(beginning) is said


def test_every_place_has_its_bytes() -> None:
    document = page("<p>“Caf&eacute;” <b>is</b>\n open.</p><p>It is open.")
    text = read_html(document)
    found = list(text.find("is   open."))
    assert [document[one.start : one.end] for one in found] == [b"is</b>\n open.", b"is open."]
    (cafe,) = text.find("“Café”")
    assert document[cafe.start : cafe.end].decode() == "“Caf&eacute;”"
    assert text.within(ByteRange(cafe.start, cafe.end - 4)) == "“Caf"  # a reference is shown whole or not at all
    assert list(text.find(" ")) == list(text.find("closed")) == []


def test_what_is_too_much_to_read_is_not_read() -> None:
    assert read_html(page("<b>" * (MAX_DEPTH - 1) + "a")).text == "a"
    for document, why in [
        (page("<b>" * (MAX_DEPTH + 1)), "nested"),
        (page("é").replace("é".encode(), b"\xe9"), "is not UTF-8 at byte 53"),
        (page("a" * MAX_HTML), "bytes"),
    ]:
        with pytest.raises(Unreadable, match=why):
            read_html(document)
        result = check(document, "a", content_hash=sha256_digest(document))
        assert result.status is INCONCLUSIVE
        assert result.reason.startswith("evidence[0].quoteText cannot be compared (html/1): the source is not read, ")


@pytest.mark.parametrize(
    "piece",
    [f"<i style='{'/*' * 2000}'>", "<a " + "x" * 4000, "</i>", "<!--", "<script", "<title>", "<i style='/* */;'>"],
)
def test_reading_takes_a_time_linear_in_the_length(piece: str) -> None:
    nested = "<b>" + "<table>" + "<i>" * 100
    document = page(nested + piece * (200_000 // len(piece)))

    def read() -> None:
        with suppress(Unreadable):
            read_html(document)

    assert seconds_of(read) < 1.5


def test_a_quote_is_compared_with_what_the_cited_bytes_show() -> None:
    document = page("<p>Keep the <b>height</b> limit.</p><p>At forty\nfeet.</p><!-- Abolish it. -->")
    passed = check(document, "Keep the height limit. At forty feet...")
    assert (passed.status, passed.findings[2].evidence) == (
        PASS,
        "evidence[0].quoteText occurs in the text that the cited bytes show (html/1)",
    )
    failed = check(document, "Keep the width limit.", content_hash=sha256_digest(document))
    assert failed.status is FAIL
    assert failed.reason == "evidence[0].quoteText does not occur in the text that the cited bytes show (html/1)"
    assert check(document, "Nobody reads this").status is INCONCLUSIVE
    assert check(document, "forty feet", document.index(b"At"), document.index(b"feet")).status is FAIL
    assert check(document, " \N{SOFT HYPHEN}").reason == "evidence[0].quoteText quotes nothing"


@pytest.mark.parametrize("quote", ["Abolish it.", "the <b>height"])
def test_a_quote_that_is_there_unseen_blames_nobody_and_proves_nothing_whatever_the_hash(quote: str) -> None:
    document = page("<p>Keep the <b>height</b> limit.<!-- Abolish it. -->")
    result = check(document, quote, content_hash=sha256_digest(document))
    assert result.status is INCONCLUSIVE
    assert result.reason.endswith("Text occurs in the cited bytes, and not in the text that they show (html/1)")


def test_what_an_element_hides_is_not_shown_by_citing_its_inside() -> None:
    document = page("<div hidden><p>Abolish it.</p></div>")
    start = document.index(b"Abolish")
    assert check(document, "Abolish it.", start, start + len(b"Abolish it.")).status is INCONCLUSIVE


async def test_the_reader_compares_html_that_it_reads_whole_and_leaves_open_what_it_does_not(content) -> None:
    short = page("<p>Keep the <b>limit</b>.")
    long = short + b" " * MAX_WHOLE_DOCUMENT
    names = await content.put_many([short, long])
    reader = EvidenceReader(content)
    statements = [citing(document, "Keep the limit.", 0, len(short)) for document in (short, long)]
    results = [check_evidence(one, await reader.cited_bytes(one, names)) for one in statements]
    assert [result.status for result in results] == [PASS, INCONCLUSIVE]
    assert "is not read whole for this statement" in results[1].reason


async def test_what_is_left_of_html_is_read_as_html(content) -> None:
    document = page("<p>Keep the <b>limit</b>.</p><p>A secret.</p>")
    start = document.index(b"A secret.")
    left = document.replace(b"A secret.", b" " * 9)
    (name,) = await content.put_many([left])
    statement = citing(document, "Keep the limit.", 0, start)
    remainder = Remainder(name, (ByteRange(start, start + 9),))
    cited = await EvidenceReader(content).cited_bytes(statement, (), {sha256_digest(document): remainder})
    assert check_evidence(statement, cited).status is PASS


@pytest.fixture
def content(tmp_path) -> ContentStore:
    return ContentStore(ObjectFolder(tmp_path), tmp_path / "spool")


LETTERS = [*"ab é“\n&<>/=\"'-!", "\N{SOFT HYPHEN}", "&amp;", "&eacute;", "&nbsp;", "&#x41"]
TAGS = ["<p>", "</p>", "<b>", "</b>", "<li>", "<br/>", "<div hidden>", "</div>", "<title>", "</title>"]
SCRIPTS = ["<!--", "-->", "<script>", "</script>"]
MARKUP = st.lists(st.sampled_from([*LETTERS, *TAGS, *SCRIPTS]), max_size=40).map("".join)


@given(MARKUP)
def test_any_html_is_read_and_its_pieces_stand_in_order(body: str) -> None:
    document = page(body)
    text = read_html(document)
    assert text.within(ByteRange(0, len(document))) == text.text
    assert text.text == " ".join(text.text.split())
    edges = [edge for pair in zip(text.start, text.end, strict=True) for edge in pair]
    assert edges == sorted(edges) and (not edges or edges[-1] <= len(document))


@given(MARKUP, st.data())
def test_what_is_shown_can_be_found_and_cited(body: str, data: st.DataObject) -> None:
    document = page(body)
    text = read_html(document)
    words = text.text.split()
    if words:
        first = data.draw(st.integers(0, len(words) - 1))
        quote = " ".join(words[first : data.draw(st.integers(first + 1, len(words)))])
        for found in text.find(quote):
            assert quote in text.within(found)
            assert check(document, quote, found.start, found.end).status is PASS


@pytest.mark.parametrize(
    ("quote", "status"),
    [("Keep the limit.", FindingStatus.PASS), ("Keep it.", FindingStatus.FAIL), ("<b>", FindingStatus.INCONCLUSIVE)],
)
def test_verifiers_compare_quotes_as_the_machine_does(quote: str, status: FindingStatus) -> None:
    document = page("<p>Keep the <b>limit</b>.")
    findings = check_sources(citing(document, quote), {sha256_digest(document): Source(document, None)})
    assert [finding.status for finding in findings[:2]] == [status, status]
