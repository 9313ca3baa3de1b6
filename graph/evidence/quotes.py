"""A quote compared with the text that cited bytes show: it occurs there, may be seen there, or neither.

A quote that may be seen blames no agent and proves nothing. In HTML it may be in markup and scripts; on the pages of a
PDF, in content that is no text, or as words whose letters stand there otherwise (docs/decisions/0037).
"""

from dataclasses import dataclass
from itertools import islice

from a2ap.messages.finding import FindingStatus
from graph.evidence.html_hidden import could_show
from graph.evidence.pdf_text import stands_in
from graph.evidence.pdf_words import as_quoted, letters_of
from graph.evidence.shown_text import Shown, as_shown

# Different words of a quote that are looked for in pages one by one.
_MOST_WORDS = 1_000


@dataclass(frozen=True, slots=True)
class Compared:
    """PASS, FAIL or INCONCLUSIVE, and a predicate to `quoteText` that states it."""

    status: FindingStatus
    told: str


def compare_quote(said: str, shown: Shown, content: bytes) -> Compared:
    """Compare a quote, which is more than white space, with the text that these cited bytes show."""
    if shown.text is None:
        return Compared(FindingStatus.INCONCLUSIVE, f"cannot be compared ({shown.rule}): {shown.why}")
    stands = stands_in(as_quoted(said), shown.text) if shown.pages else as_shown(said) in shown.text
    if stands:
        return Compared(FindingStatus.PASS, f"occurs in the text that the cited bytes show ({shown.rule})")
    if why := _why_open(said, shown, content):
        return Compared(FindingStatus.INCONCLUSIVE, f"{why} ({shown.rule})")
    return Compared(FindingStatus.FAIL, f"does not occur in the text that the cited bytes show ({shown.rule})")


def _why_open(said: str, shown: Shown, content: bytes) -> str:
    unseen = "occurs in the cited bytes, and not in the text that they show"
    if said.encode(errors="surrogatepass") in content:
        return unseen
    if not shown.pages:
        return unseen if could_show(as_shown(said), content) else ""
    for page in shown.pages:
        if why := page.hides or page.besides:
            return f"does not occur in the text of the cited pages, and page {page.number} has {why}"
    letters = "".join(page.letters for page in shown.pages)
    words = islice(dict.fromkeys(as_quoted(said).split()), _MOST_WORDS)
    if all(letters_of(word) in letters for word in words):
        return "does not occur in the text of the cited pages, which has its words in other order or with other signs"
    return ""
