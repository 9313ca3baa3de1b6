"""Words that a page has and does not show: they are neither proved nor denied."""

import pytest
from cost import seconds_of
from test_html_text import FAIL, INCONCLUSIVE, PASS, check, citing, page

from a2ap.canonical import sha256_digest
from a2ap.messages.finding import FindingStatus
from graph.verifier.material import Source
from graph.verifier.source_check import check_sources


@pytest.mark.parametrize(
    ("body", "quote"),
    [
        ("<div hidden>Keep the <b>height</b> limit.</div>", "Keep the height limit."),
        ("<noscript>Keep the <b>height</b>\nlimit.</noscript>", "Keep the height limit."),
        ("<!-- Keep the <b>height</b> limit. -->", "Keep the height limit."),
        ("<p hidden>Keep <!-- x -->the<script>x()</script> limit.", "Keep the limit."),
        ("<textarea>A &amp; B</textarea>", "A & B"),
        ("<img alt='A &amp;\nB'>", "A & B"),
        ("<ruby>漢<rt>kan</rt>字</ruby>", "漢字"),
        ("<ruby>漢<rp>(</rp><rt>kan<rp>)</rp></ruby>字", "漢字"),
        ("<p hidden>A&#000000000066;C", "ABC"),
    ],
)
def test_words_that_could_be_shown_are_not_denied(body: str, quote: str) -> None:
    document = page(body)
    assert check(document, quote).status is INCONCLUSIVE
    (finding,) = check_sources(citing(document, quote), {sha256_digest(document): Source(document, None)})[1:2]
    assert finding.status is FindingStatus.INCONCLUSIVE
    assert check(document, "Keep the width limit.").status is FAIL


@pytest.mark.parametrize("zeros", [0, 9, 6000])
@pytest.mark.parametrize("reference", ["&#{}66;", "&#x{}42;"])
def test_a_reference_may_have_any_number_of_digits(reference: str, zeros: int) -> None:
    document = page(f"<p>A{reference.format('0' * zeros)}C")
    assert check(document, "ABC").status is PASS


@pytest.mark.parametrize("piece", ["<a", "<a ", "<!--", "<ruby>", '<a "', "&#1", "-", "<rt>", "<script>"])
def test_denying_words_takes_a_time_linear_in_the_length(piece: str) -> None:
    def seconds(length: int) -> float:
        document = page("<p>a" + piece * (length // len(piece)))
        return seconds_of(lambda: check(document, "Keep the limit."))

    # Four times as much where time is linear, and sixteen times where it is quadratic.
    assert seconds(200_000) < 10 * seconds(50_000) + 0.2
