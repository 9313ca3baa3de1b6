"""The machine's check: what it takes for a statement's evidence to hold, fail, or stay open."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from builders import QUOTE, SOURCE, SOURCE_ID, response_message, segment, sign, signed_statement
from hypothesis import given
from hypothesis import strategies as st

from a2ap.canonical import sha256_digest
from a2ap.messages.evidence import ByteRange, build_segment, read_segment
from a2ap.messages.finding import FindingStatus
from a2ap.messages.message import read_message
from a2ap.messages.statement import ProvenanceStatement
from a2ap.messages.verification_response import Verdict, VerificationResponse
from a2ap.signing.disclosure import make_disclosure
from graph.evidence.cited_bytes import CitedBytes, CueTiming, cite
from graph.evidence.cue_timings import cue_timings
from graph.evidence.machine_check import MACHINE_CRITERIA, CheckStatus, MachineCheck, check_evidence

COUNCIL = Path(__file__).parent.parent / "graph" / "demo" / "city_council.vtt"
PASS, FAIL, INCONCLUSIVE = CheckStatus.PASS, CheckStatus.FAIL, CheckStatus.INCONCLUSIVE
CUES = cue_timings(SOURCE)
HASH = sha256_digest(SOURCE)


@cache
def a_statement() -> ProvenanceStatement:
    statement = read_message(signed_statement())
    assert isinstance(statement, ProvenanceStatement)
    return statement


def stating(*segments: dict[str, Any]) -> ProvenanceStatement:
    read = tuple(read_segment(value, f"evidence[{number}]", {}) for number, value in enumerate(segments))
    return replace(a_statement(), evidence=read)


def check(
    *segments: dict[str, Any], source: bytes | None = SOURCE, cues: Sequence[CueTiming] | None = CUES
) -> MachineCheck:
    statement = stating(*segments)
    return check_evidence(
        statement, [None if source is None else cite(source, s.byte_range, cues) for s in statement.evidence]
    )


def status_of(result: MachineCheck, criterion: str) -> FindingStatus:
    (finding,) = [finding for finding in result.findings if finding.criterion == criterion]
    return finding.status


def test_a_signed_statement_that_quotes_its_source_passes_on_all_criteria() -> None:
    statement = a_statement()
    result = check_evidence(statement, [cite(SOURCE, statement.evidence[0].byte_range, CUES)])
    assert (result.status, result.verdict, result.reason) == (PASS, Verdict.VALIDATED, "")
    assert [finding.criterion for finding in result.findings] == list(MACHINE_CRITERIA)
    assert {(finding.status, finding.confidence) for finding in result.findings} == {(FindingStatus.PASS, 1.0)}


def test_a_range_past_the_end_fails_and_is_named() -> None:
    good = segment()
    past = segment() | {"byteRange": {"start": 1, "end": 999}}
    result = check(good, past)
    assert (result.status, result.verdict) == (FAIL, Verdict.CHALLENGED)
    assert result.reason == f"evidence[1].byteRange ends at 999, past the end of {HASH}"
    assert (
        status_of(result, "content-hash") is FindingStatus.PASS
    )  # evidence[0]; there is nothing to hash in evidence[1]


def test_a_range_may_reach_the_end_and_no_byte_further() -> None:
    start = len(SOURCE) - 9
    assert check(build_segment(SOURCE_ID, start, len(SOURCE), document_hash=HASH, quote="tables.")).status is PASS
    assert check(build_segment(SOURCE_ID, start, len(SOURCE) + 1, document_hash=HASH, quote="tables.")).status is FAIL


@pytest.mark.parametrize("cut", range(1, 4))
def test_every_cut_through_a_character_of_four_bytes_is_seen(cut: int) -> None:
    source = "a😀b".encode()
    for start, end in ((1 + cut, 6), (0, 1 + cut)):
        cited = stating(build_segment("urn:doc:x", start, end, document_hash=HASH, quote="a"))
        assert check_evidence(cited, [cite(source, ByteRange(start, end))]).status is FAIL
        assert check_evidence(cited, [CitedBytes(6, source[start:end])]).reason.endswith("in two")


@pytest.mark.parametrize("shift", [(1, 0), (0, -1), (1, -1)])
def test_a_range_that_cuts_a_character_fails(shift: tuple[int, int]) -> None:
    start = SOURCE.index("é".encode())
    end = SOURCE.index("—".encode()) + len("—".encode())
    cut = build_segment(SOURCE_ID, start + shift[0], end + shift[1], document_hash=HASH)
    result = check(cut)
    assert result.reason == f"evidence[0].byteRange cuts a UTF-8 character of {HASH} in two"
    window = CitedBytes(len(SOURCE), SOURCE[start + shift[0] : end + shift[1]])
    assert check_evidence(stating(cut), [window]).reason == result.reason


def test_a_source_that_is_not_utf_8_has_no_characters_to_cut() -> None:
    source = "déjà vu, déjà lu".encode("latin-1") + b"\xed\xa0\x80 \xe9\x80a" + bytes(range(256))
    for start in range(len(source) - 1):
        for end in range(start + 1, len(source) + 1):
            found = cite(source, ByteRange(start, end))
            both = check_evidence(
                stating(
                    build_segment(
                        "urn:doc:x", start, end, document_hash=HASH, content_hash=sha256_digest(found.content)
                    )
                ),
                [found],
            )
            assert both.status is PASS


def test_another_content_hash_fails() -> None:
    result = check(segment(content_hash=HASH))
    assert result.status is FAIL
    assert result.reason == "evidence[0].contentHash is not that of the cited bytes"


@pytest.mark.parametrize(
    "quote", ["the new zoning map", "The new  zoning map", "The new zoning map.", "We heard", "The new…map", "\ud800"]
)
def test_a_quote_that_does_not_occur_byte_for_byte_fails(quote: str) -> None:
    result = check(segment() | {"quoteText": quote})
    assert (result.status, result.reason) == (FAIL, "evidence[0].quoteText does not occur in the cited bytes")


@pytest.mark.parametrize("quote", ["zoning map", "The new zoning...", "The new zoning…", QUOTE])
def test_a_quote_may_be_a_part_of_the_cited_bytes_and_end_in_an_omission(quote: str) -> None:
    assert check(segment() | {"quoteText": quote}).status is PASS


def test_dots_that_the_source_has_are_found_too() -> None:
    source = b"And then... silence."
    assert check(segment("And then...", source=source), source=source, cues=None).status is PASS


@pytest.mark.parametrize("quote", ["", "...", "…"])
def test_a_quote_of_nothing_proves_nothing(quote: str) -> None:
    result = check(segment(content_hash=None) | {"quoteText": quote})
    assert (result.status, result.reason) == (INCONCLUSIVE, "evidence[0].quoteText quotes nothing")


def test_a_withheld_quote_does_not_matter_where_the_hash_holds() -> None:
    withheld = make_disclosure(QUOTE, bytes(16))
    result = check(segment(quote=QUOTE) | {"quoteText": withheld.reference})
    assert result.status is PASS
    assert status_of(result, "quote-exactness") is FindingStatus.INCONCLUSIVE


@pytest.mark.parametrize(
    ("start_ms", "end_ms", "status"),
    [
        (135_400, 138_900, FindingStatus.PASS),
        (135_000, 139_000, FindingStatus.PASS),
        (135_999, 138_001, FindingStatus.PASS),  # within the same seconds
        (0, 3_600_000, FindingStatus.PASS),
        (136_000, 139_000, FindingStatus.FAIL),
        (135_000, 138_000, FindingStatus.FAIL),
        (139_000, 145_000, FindingStatus.FAIL),
    ],
)
def test_the_captions_lie_within_the_stated_whole_seconds(start_ms: int, end_ms: int, status: FindingStatus) -> None:
    result = check(segment(start_ms=start_ms, end_ms=end_ms))
    assert status_of(result, "timestamp-match") is status
    assert result.status.value == status.value
    if status is FindingStatus.FAIL:
        assert result.reason.endswith("does not hold the time of the cited bytes")


def test_all_captions_that_the_range_touches_count() -> None:
    start, end = SOURCE.index(b"forty"), SOURCE.index("café".encode())
    both = build_segment(
        SOURCE_ID, start, end, document_hash=HASH, quote="forty feet.", start_ms=135_000, end_ms=139_000
    )
    assert status_of(check(both), "timestamp-match") is FindingStatus.FAIL
    assert check(both | {"timestamp": {"start": "00:02:15", "end": "00:02:25"}}).status is PASS


def test_bytes_without_a_time_leave_the_times_open_and_the_gate_too() -> None:
    header = build_segment(SOURCE_ID, 0, 6, document_hash=HASH, quote="WEBVTT", start_ms=0, end_ms=1000)
    for result in (check(header), check(segment(), cues=None)):
        assert result.status is PASS
        assert status_of(result, "timestamp-match") is FindingStatus.INCONCLUSIVE


def test_evidence_without_a_document_hash_is_inconclusive() -> None:
    result = check(segment(document_hash=None))
    assert (result.status, result.verdict) == (INCONCLUSIVE, Verdict.INSUFFICIENT_EVIDENCE)
    assert result.reason == "evidence[0] names no documentHash"
    assert {finding.status for finding in result.findings} == {FindingStatus.INCONCLUSIVE}


def test_evidence_whose_source_is_not_held_is_inconclusive() -> None:
    result = check(segment(), source=None)
    assert (result.status, result.reason) == (INCONCLUSIVE, f"evidence[0] cites {HASH}, which cannot be compared here")


def test_a_pointer_with_neither_hash_nor_quote_is_inconclusive() -> None:
    result = check(build_segment(SOURCE_ID, 0, 6, document_hash=HASH, start_ms=0, end_ms=1000))
    assert (result.status, result.reason) == (INCONCLUSIVE, "evidence[0] states neither contentHash nor quoteText")
    assert status_of(result, "byte-range") is FindingStatus.PASS


def test_a_fail_outweighs_what_cannot_be_checked_and_that_outweighs_a_pass() -> None:
    statement = stating(segment(), segment(), segment(content_hash=HASH))
    good, _, wrong = (cite(SOURCE, part.byte_range, CUES) for part in statement.evidence)
    assert check_evidence(statement, [good, None, wrong]).status is FAIL
    two = replace(statement, evidence=statement.evidence[:2])
    result = check_evidence(two, [good, None])
    assert (result.status, result.reason) == (INCONCLUSIVE, f"evidence[1] cites {HASH}, which cannot be compared here")
    assert check_evidence(two, [good, good]).status is PASS


def test_a_statement_without_evidence_is_inconclusive() -> None:
    assert check_evidence(replace(a_statement(), evidence=()), []).reason == "the statement has no evidence"


def test_as_many_cited_bytes_as_segments_are_wanted() -> None:
    with pytest.raises(ValueError, match="zip"):
        check_evidence(a_statement(), [])


def test_every_outcome_can_be_signed_and_read_again() -> None:
    document = signed_statement()
    for result in (check(segment()), check(segment(content_hash=HASH)), check(segment(), source=None)):
        signed = sign(response_message(document, verdict=result.verdict, findings=result.findings), 2)
        response = read_message(signed)
        assert isinstance(response, VerificationResponse)
        assert (response.verdict, response.findings) == (result.verdict, result.findings)


def test_every_caption_of_the_demonstration_can_be_cited() -> None:
    source = COUNCIL.read_bytes()
    cues = cue_timings(source)
    assert cues is not None
    for cue in cues:
        quote = source[cue.text_start : cue.text_end].decode()
        cited = build_segment(
            SOURCE_ID,
            cue.text_start,
            cue.text_end,
            document_hash=sha256_digest(source),
            content_hash=sha256_digest(quote.encode()),
            quote=quote,
            start_ms=cue.start_ms,
            end_ms=cue.end_ms,
        )
        result = check(cited, source=source, cues=cues)
        assert {finding.status for finding in result.findings} == {FindingStatus.PASS}


TEXTS = st.text(st.sampled_from("ab é—😀\n"), min_size=1, max_size=30)


@given(TEXTS, st.data())
def test_whole_characters_of_a_text_pass_and_any_other_range_fails(text: str, data: st.DataObject) -> None:
    source = text.encode()
    start = data.draw(st.integers(0, len(source) - 1))
    end = data.draw(st.integers(start + 1, len(source)))
    content = source[start:end]
    cited = build_segment("urn:doc:t", start, end, document_hash=HASH, content_hash=sha256_digest(content))
    edges = {len(text[:count].encode()) for count in range(len(text) + 1)}
    expected = PASS if {start, end} <= edges else FAIL
    assert check(cited, source=source, cues=None).status is expected
    # The same without the neighbours of the cited bytes.
    assert check_evidence(stating(cited), [CitedBytes(len(source), content)]).status is expected


@given(
    st.binary(min_size=1, max_size=40),
    st.lists(
        st.tuples(st.integers(0, 45), st.integers(1, 45), st.none() | st.text(max_size=3)), min_size=1, max_size=4
    ),
    st.lists(st.integers(0, 40), max_size=6),
)
def test_nothing_raises_and_the_reason_is_given_for_all_but_a_pass(source, ranges, marks) -> None:
    marks = sorted(marks)
    cues = [CueTiming(a, b, a * 100, b * 100) for a, b in pairwise(marks)]
    segments = [
        build_segment("urn:doc:t", start, start + size, document_hash=HASH, quote=quote, start_ms=0, end_ms=4_000)
        for start, size, quote in ranges
    ]
    result = check(*segments, source=source, cues=cues)
    assert bool(result.reason) is (result.status is not PASS)
    assert (result.status is FAIL) is any(finding.status is FindingStatus.FAIL for finding in result.findings)


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=12), st.integers(0, 60), st.integers(1, 20))
def test_the_time_of_a_range_is_that_of_the_captions_it_touches(gaps, start, size) -> None:
    cues, at = [], 0
    for number, (gap, length) in enumerate(gaps):
        at += gap
        cues.append(CueTiming(at, at + length + 1, number * 1000, number * 1000 + 1500))
        at += length + 1
    touched = [cue for cue in cues if cue.text_start < start + size and cue.text_end > start]
    expected = (touched[0].start_ms, touched[-1].end_ms) if touched else None
    assert cite(bytes(200), ByteRange(start, start + size), cues).cue == expected
